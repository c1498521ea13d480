#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# An operator replaces the policies all the time, while several processes make names and send
# packets, cgroups come and go and inodes are evicted. TIMES=10000 is a longer run.
#
# promise operator: while policies are replaced, each verdict is that of the old or of the new one,
#   and that of the new one as soon as it is in force
# shown by: then each verdict is that of the new one
# shown by: each of these is that of the old or the new one

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

ip link set lo up
load service && load nf
names=
if [ -e "$UTF8GUARD_MODULES/utf8guard_fs.ko" ]; then
	ok "the name check loads" load fs
	names=/tmp/names
	mkdir $names && mount -t tmpfs tmpfs $names
	[ -e /sys/fs/cgroup/cgroup.procs ] || mount -t cgroup2 cgroup2 /sys/fs/cgroup
fi
table swaps.py "${TIMES:-300}" $names
ok "the modules unload" unload ${names:+utf8guard_fs} utf8guard_nf utf8guard
done_testing
