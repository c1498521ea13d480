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
# shellcheck source=userspace/tests/vm/bpf.sh
. "$vm/bpf.sh"

ip link set lo up
extensions=$(pkg-config --variable=xtlibdir xtables 2>/dev/null) || :
export XTABLES_LIBDIR=$vm/../../../build:$extensions
modprobe -a nf_conntrack nf_reject_ipv4 nf_reject_ipv6 x_tables ip_tables iptable_filter 2>/dev/null
names=
if [ -e "$UTF8GUARD_MODULES/utf8guard_fs.ko" ]; then
	names=/tmp/names
	mkdir $names && mount -t tmpfs tmpfs $names
fi
# Tracers and a probe on functions that the name check is attached to, all the time.
tracing=/sys/kernel/tracing
if [ -n "$names" ]; then
	mountpoint -q $tracing || mount -t tracefs tracefs $tracing
	printf '%s\n' 'p:utf8guard_in security_inode_mkdir' 'r:utf8guard_out security_inode_mkdir' >$tracing/kprobe_events
	echo 1 >$tracing/events/kprobes/enable
	echo security_inode_create >$tracing/set_ftrace_filter
	echo function >$tracing/current_tracer
	if [ -r /sys/kernel/btf/vmlinux ]; then
		bpf_begin
		is "a BPF program is attached" "$(bpf attach fentry security_inode_symlink)" ok
	fi
fi
table reloads.py "${TIMES:-20}" $names
if [ -n "$names" ]; then
	for seen in utf8guard_in utf8guard_out 'security_inode_create <-'; do
		ok "it was traced meanwhile: $seen" grep -q "$seen" $tracing/trace
	done
	[ -z "${bpf_in-}" ] || ok "the BPF program ran meanwhile" [ "$(bpf runs)" -gt 0 ]
	echo nop >$tracing/current_tracer
	echo 0 >$tracing/events/kprobes/enable
	echo >$tracing/kprobe_events
fi
is "none of them is left" "$(grep -c utf8 /proc/modules)" 0
done_testing
