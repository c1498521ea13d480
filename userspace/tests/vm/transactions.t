#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Transactions on the rules of both families: what others see, who wins, what is
# left of a writer that dies, confirmation, locks.
# vm: -t 900

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/lib.sh"

# A part of transactions.py, for a family; each line of it is a test.
part() { # PART fs|nf [ARG...]
	local name got wanted last=
	while IFS=$'\t' read -r name got wanted; do
		last=$name
		[ "$name" = done ] || is "$name" "$got" "$wanted"
	done < <(python3 "$here/transactions.py" "$@" 2>&1)
	is "$2: $1 is complete" "$last" done
}

load_all
mkdir -p /tmp/rules
mount -t tmpfs tmpfs /tmp/rules
for kind in fs nf; do
	part visibility $kind
done
ok "the file system of the rules can be unmounted" umount /tmp/rules
ok "all unload" unload utf8guard_nf utf8guard_fs utf8guard
done_testing
