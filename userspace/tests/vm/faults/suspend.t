#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The host falls asleep and wakes up while names are made and packets sent. By pm_test, the kernel
# goes as far as freezing all tasks: once it has suspended devices, 9p does not come back, and the
# files of the suite are on it. hotplug.t takes processors away, which is the next step.
# TIMES=100 is a longer run.
#
# promise operator: after the host was asleep, what is bad is refused, no count is lost, and a
#   policy that nobody has confirmed is taken back
# shown by: bad ones are refused after each sleep
# shown by: counters do not forget
# shown by: what nobody confirmed is taken back

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
# shellcheck source=userspace/tests/vm/faults/faults.sh
. "$here/faults.sh"
grep -qsw freezer /sys/power/pm_test || skip_all "this kernel has no pm_test"
modprobe -q suspend
echo 0 >/sys/module/suspend/parameters/pm_test_delay || skip_all "a test of sleep takes five seconds each time"

guard_traffic
table suspend.py "${TIMES:-20}" /tmp/names
echo 'net add output udp dport 9 count' >"$tap/other"
ok "a policy to be confirmed" utf8guard load --confirm 2 "$tap/other"
like "is in force" "$(utf8guard net show)" 'dport 9 '
echo freezer >/sys/power/pm_test
ok "asleep" sh -c 'echo mem >/sys/power/state'
for ((i = 0; i < 50; i++)); do
	[[ $(utf8guard net show) != *"dport 9 "* ]] && break
	sleep 0.2
done
after=$(utf8guard net show)
unlike "what nobody confirmed is taken back" "$after" 'dport 9 '
like "and the rules before it are there" "$after" 'dport 7000 drop'
ok "the modules unload" unload utf8guard_nf utf8guard_fs utf8guard
done_testing
