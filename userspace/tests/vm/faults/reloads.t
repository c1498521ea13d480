#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# An operator loads and unloads all modules, with rules and front ends, while several processes
# make names and send packets. TIMES=500 is a longer run.
#
# promise operator: modules load and unload under names and packets each time, and refuse what is
#   bad in between
# shown by: all modules load and unload
# shown by: each time they refuse

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

ip link set lo up
extensions=$(pkg-config --variable=xtlibdir xtables 2>/dev/null) || :
export XTABLES_LIBDIR=$vm/../../../build:$extensions
modprobe -a nf_conntrack nf_reject_ipv4 nf_reject_ipv6 x_tables ip_tables iptable_filter 2>/dev/null
names=
if [ -e "$UTF8GUARD_MODULES/utf8guard_fs.ko" ]; then
	names=/tmp/names
	mkdir $names && mount -t tmpfs tmpfs $names
fi
table reloads.py "${TIMES:-20}" $names
is "none of them is left" "$(grep -c utf8 /proc/modules)" 0
done_testing
