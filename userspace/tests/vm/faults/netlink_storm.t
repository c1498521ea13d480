#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Root, root of a user namespace and nobody send netlink messages of every shape to all families
# that are there. Nothing may go wrong in the kernel. MESSAGES=1000000 and SEED=2 are another run
# of it.
#
# promise root of a user namespace: no netlink message of his changes a rule of the host, nor does
#   one of a user without privilege
# shown by: neither of them changed these rules
# promise administrator by mistake: whatever rules came in by messages of any shape, what is saved
#   of them loads again, as the same
# shown by: what was let in is taken again
# shown by: and is the same

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
messages=${MESSAGES:-20000} seed=${SEED:-1}

ip link set lo up
{ load service && load nf; } || bail_out "the modules do not load"
[ ! -e "$UTF8GUARD_MODULES/utf8guard_fs.ko" ] || ok "the name check loads" load fs

note "MESSAGES=$messages SEED=$seed"
table netlink_storm.py root "$messages" "$seed"
# Whatever the storm brought in can be saved, and is the same after it was loaded again.
utf8guard confirm --revert >/dev/null 2>&1
utf8guard save >"$tap/rules" || fail "the rules that are left of it are shown"
note "$(wc -l <"$tap/rules") lines of rules are left of it"
ok "what was let in is taken again" utf8guard load "$tap/rules"
is "and is the same" "$(utf8guard save)" "$(cat "$tap/rules")"

by=(unshare --user --map-root-user --net)
table netlink_storm.py "root of a user namespace" "$messages" "$((seed + 1))"
by=(setpriv --reuid 65534 --regid 65534 --clear-groups)
table netlink_storm.py nobody "$messages" "$((seed + 2))"
by=()
is "neither of them changed these rules" "$(utf8guard save)" "$(cat "$tap/rules")"
ok "after that, rules can be flushed" utf8guard net flush
ok "and added" utf8guard net add input tcp dport 80 drop stream
is "as they are shown" "$(utf8guard net show | grep -c 'dport 80')" 1
ok "and the modules unload" unload utf8guard_fs utf8guard_nf utf8guard
done_testing
