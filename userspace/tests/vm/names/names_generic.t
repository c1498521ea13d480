#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What tests of other projects, which are no packages, ask about names, written anew: of xfstests
# generic/453 and generic/454 (names of files, and of attributes, that only look alike), and of
# pynfs its names in UTF-8, sent to nfsd by NFS 4.0 without a client in the kernel. Each is
# asked first with nothing loaded, and then where a rule enforces.
# vm: -p nfs-kernel-server
#
# promise local user: names in UTF-8 that look alike stay different files, and the names of extended
#   attributes are whatever they were
# shown by: each is found by its own octets
# shown by: attributes that are not UTF-8
# promise client of a server: a client of its own making gets no ill-formed name past a rule, and
#   can look up and remove what is there
# shown by: not UTF-8
# shown by: LOOKUP of what is there

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
# shellcheck source=userspace/tests/vm/names/names.sh
. "$here/names.sh"

volume /tmp/export || bail_out "no ext4 volume"
mkdir /tmp/nfs3 /tmp/nfs4 /tmp/tmpfs
mount -t tmpfs tmpfs /tmp/tmpfs
ok "nfsd serves" start_nfs || bail_out "no nfsd"

all() { # LABEL [refused]
	table names_generic.py alike "$1, ext4" /tmp/export user.
	# Before 6.6, tmpfs has no attributes of users.
	table names_generic.py alike "$1, tmpfs" /tmp/tmpfs trusted.
	table names_generic.py alike "$1, nfs4" /tmp/nfs4 user.
	table names_generic.py wire "$1, by NFS" /tmp/export "${@:2}"
}
all unloaded
if ! load service || ! load fs; then bail_out "the modules do not load"; fi
# Not the default: /tmp/nfs4 is this kernel's, too, which would be asked before the server.
default off
rule /tmp/tmpfs enforce >/dev/null
rule /tmp/export enforce >/dev/null
refused=$(number fs refused) checked=$(number fs checked)
all enforced refused
# By NFS, 23 names in each of five ways, and one more. And on ext4 and on tmpfs, open() with O_CREAT of
# 256 octets: it is judged before it is found to be too long. Nothing else was refused.
is "what is not UTF-8 is counted" $(($(number fs refused) - refused)) $((23 * 5 + 1 + 2))
ok "and the others were looked at" [ $(($(number fs checked) - checked)) -gt 500 ]

helper files.py
for name in '\x80' '\xe0\x80\xaf' '\xed\xa0\x80' '\xf4\x90\x80\x80' '\xff' 'a\xe2\x82'; do
	does "by the client of this kernel: $name" "all EINVAL" make /tmp/nfs4 "$name" \
		create mkdir symlink link rename
done
is "no name was missed" "$(number fs missed)" 0
done_testing
