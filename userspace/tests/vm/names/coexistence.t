#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The name check beside others who are attached to the same functions: tracers, probes and BPF
# programs, which were there before it or come later; and livepatches, which keep it out and which
# it keeps out.
#
# promise others in the kernel: tracers, probes and BPF go on beside the name check; what excludes
#   it is named, and nothing is half attached
# shown by: it sees what goes on
# shown by: no module is left
# shown by: livepatch: it comes later, and is refused

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
# shellcheck source=userspace/tests/vm/names/names.sh
. "$here/names.sh"
# shellcheck source=userspace/tests/vm/bpf.sh
. "$vm/bpf.sh"

tracing=/sys/kernel/tracing
mkdir /tmp/d
mount -t tmpfs tmpfs /tmp/d
helper files.py
checks() { # NAME: what is refused, and what is not
	does "$1: bad names are refused" "all EILSEQ" make /tmp/d '\xff'
	does "$1: good names are not" "all ok" make /tmp/d '\xc3\xa9'
}
lets_pass() { does "$1: bad names are let through" "all ok" make /tmp/d '\xff'; }

# Each of the others has functions NAME_on, NAME_off, and NAME_seen, which prints
# how often it ran since it was turned on.
sees() { # NAME WHEN COMMAND: it runs while that makes names, however often it ran before
	local before
	before=$("$1_seen")
	"$3" "$1: $2"
	ok "$1: $2: it sees what goes on" [ "$("$1_seen")" -gt "$before" ]
}
beside() { # NAME FUNCTION
	ok "$1: it comes first" "$1_on" "$2"
	ok "$1: utf8guard_fs loads" load fs
	utf8guard fs set default enforce
	sees "$1" "came first" checks
	"$1_off" "$2"
	checks "$1: has gone"
	ok "$1: it comes later" "$1_on" "$2"
	sees "$1" "came later" checks
	ok "$1: utf8guard_fs unloads" rmmod utf8guard_fs
	sees "$1" alone lets_pass
	"$1_off" "$2"
}

lines() { grep -c "$1" $tracing/trace; }
tracer_on() { # TRACER FUNCTION
	echo >$tracing/trace
	echo "$2" >$tracing/set_ftrace_filter && echo "$1" >$tracing/current_tracer
}
tracer_off() {
	echo nop >$tracing/current_tracer
	echo >$tracing/set_ftrace_filter
}
function_on() { tracer_on function "$1"; }
function_off() { tracer_off; }
function_seen() { lines "${1:-security_inode_.*} <-"; }
graph_on() { tracer_on function_graph "$1"; }
graph_off() { tracer_off; }
graph_seen() { lines "${1:-security_inode_.*}"'.*[;{]'; }

probe_on() { # DEFINITION
	echo >$tracing/trace
	echo "$1" >$tracing/kprobe_events && echo 1 >$tracing/events/kprobes/test/enable
}
probe_off() {
	echo 0 >$tracing/events/kprobes/test/enable
	echo >$tracing/kprobe_events
}
kprobe_on() { probe_on "p:test $1"; }
kprobe_off() { probe_off; }
kprobe_seen() { lines ' test: '; }
kretprobe_on() { probe_on "r:test $1 result=\$retval:s32"; }
kretprobe_off() { probe_off; }
kretprobe_seen() { lines ' test: .*result='; }

fentry_on() { bpf attach fentry "$1"; }
fentry_off() { bpf detach >/dev/null; }
fentry_seen() { bpf runs; }
fexit_on() { bpf attach fexit "$1"; }
fexit_off() { bpf detach >/dev/null; }
fexit_seen() { bpf runs; }
lsm_on() { bpf attach lsm "${1#security_}"; }
lsm_off() { bpf detach >/dev/null; }
lsm_seen() { bpf runs; }

# An overlay copies up a file with a bad name. The name check finds overlayfs among the nearest
# return addresses, some of which these tracers replace.
copies_up() { # NAME FUNCTION
	local o=/tmp/d/overlay
	ok "$1: it traces $2" "$1_on" "$2"
	does "$1: an overlay copies up" ok chmod "$o/\\xe9$1"
	ok "$1: it sees what goes on" [ "$("$1_seen" "$2")" -gt 0 ]
	"$1_off"
}
with_overlay() { # others
	local o=/tmp/d/overlay name
	mkdir -p $o /tmp/d/{lower,upper,work}
	for name; do ask create "/tmp/d/lower/\\xe9$name"; done
	mount -t overlay -o lowerdir=/tmp/d/lower,upperdir=/tmp/d/upper,workdir=/tmp/d/work overlay $o
	load fs
	utf8guard fs set default enforce
	for name; do copies_up "$name" vfs_link; done
	umount $o
	rmmod utf8guard_fs
}

load service || bail_out "the service does not load"
beside function security_inode_create
beside graph security_inode_create
beside kprobe security_inode_create
beside kretprobe security_inode_create
load fs
utf8guard fs set default enforce
kretprobe_on security_inode_mkdir
ask mkdir '/tmp/d/\xff'
like "kretprobe: it sees the errno of the refusal" "$(cat $tracing/trace)" ' test: .*result=-84'
kretprobe_off
rmmod utf8guard_fs
with_overlay function graph kprobe kretprobe

# On 6.1, fentry and then fexit on one function that anybody redirects crashes
# the kernel, with its own livepatches too: they get one function each.
if [ -r /sys/kernel/btf/vmlinux ]; then
	bpf_begin
	beside fentry security_inode_create
	beside fexit security_inode_mkdir
	beside lsm security_inode_symlink
	with_overlay fentry fexit
else
	skip 48 "this kernel does not describe its types"
fi

# Only one may redirect a function: the name check, a livepatch, or a kprobe with a post_handler.
loads_not() { # NAME REGEX: with that line in the log
	log_mark
	run load fs
	isnt "$1: utf8guard_fs does not load" "$status" 0
	like "$1: it says why" "$(log_since utf8guard_fs)" "$2"
	not_ok "$1: no module is left" [ -d /sys/module/utf8guard_fs ]
	lets_pass "$1"
}
patch=/sys/kernel/livepatch/utf8guard_livepatch
patched() { [ "$(cat $patch/transition)" = 0 ]; }
unpatched() { [ ! -d $patch ]; }
with_livepatch() {
	ok "livepatch: it comes first" insmod "$UTF8GUARD_MODULES/test/utf8guard_livepatch.ko"
	ok "livepatch: and settles" until_true 60 patched
	loads_not livepatch 'cannot attach to security_inode_symlink: a livepatch .* \(error -16\)'
	echo 0 >$patch/enabled
	ok "livepatch: it is taken back" until_true 60 unpatched
	ok "livepatch: its module goes" rmmod utf8guard_livepatch
	ok "livepatch: then utf8guard_fs loads" load fs
	utf8guard fs set default enforce
	run insmod "$UTF8GUARD_MODULES/test/utf8guard_livepatch.ko"
	like "livepatch: it comes later, and is refused" "$status $err" '^1 .*Device or resource busy'
	checks "livepatch: was refused"
	rmmod utf8guard_fs
}
if [ -e "$UTF8GUARD_MODULES/test/utf8guard_livepatch.ko" ]; then
	with_livepatch
else
	skip 12 "this kernel has no livepatches"
fi
ok "a kprobe with a post_handler: it comes first" insmod "$UTF8GUARD_MODULES/test/utf8guard_probe.ko"
if grep -q 'security_inode_symlink.*\[FTRACE\]' /sys/kernel/debug/kprobes/list; then
	loads_not "a kprobe with a post_handler" 'cannot attach to security_inode_symlink: .* \(error -16\)'
else
	# On arm64 it is a breakpoint, and ftrace does not mind.
	ok "a kprobe with a post_handler that is a breakpoint: it loads" load fs
	utf8guard fs set default enforce
	checks "beside a breakpoint"
	rmmod utf8guard_fs
fi
rmmod utf8guard_probe
ok "when all are gone it loads" load fs
utf8guard fs set default enforce
checks "then"
is "no name was missed" "$(number fs missed)" 0
done_testing
