#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# An operator takes a processor away and brings it back, while names are made and packets sent.
# TIMES=100 is a longer run.
#
# promise operator: where he takes a processor away and brings it back, what is bad is refused on
#   each processor that is there, and no count of it is lost
# shown by: bad ones are refused, with one processor and with two
# shown by: counters do not forget
# shown by: each is counted

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
# shellcheck source=userspace/tests/vm/faults/faults.sh
. "$here/faults.sh"
cpu=/sys/devices/system/cpu/cpu1/online
[ -e $cpu ] || skip_all "no processor can be taken away"

guard_traffic
table hotplug.py "${TIMES:-10}" /tmp/names
is "both are there in the end" "$(cat $cpu)" 1
ok "the modules unload" unload utf8guard_nf utf8guard_fs utf8guard
done_testing
