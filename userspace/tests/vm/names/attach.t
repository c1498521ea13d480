#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The name check and ftrace: an administrator loads the module, loads it again, unloads it under
# load, while somebody else uses ftrace on the same functions, or turns it off.
#
# promise administrator by mistake: modules that are not locked unload at any time, under load
# shown by: loaded and unloaded fifty times under six writers

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

tracing=/sys/kernel/tracing
mkdir /tmp/d
mount -t tmpfs tmpfs /tmp/d
helper files.py
checks() { # NAME: all the ways are watched
	utf8guard fs set default enforce
	does "$1: bad names are refused" "all EILSEQ" make /tmp/d '\xff'
	does "$1: good names are not" "all ok" make /tmp/d '\xc3\xa9'
}
attached() { grep -c '^security_inode_\(create\|mkdir\|mknod\|symlink\|link\|rename\) .* I' $tracing/enabled_functions; }
loads_not() { # NAME REGEX [PARAMETER...]: with that line in the log
	log_mark
	run load fs "${@:3}"
	isnt "$1: it does not load" "$status" 0
	like "$1: it says why" "$(log_since utf8guard_fs)" "$2"
	not_ok "$1: no module is left" [ -d /sys/module/utf8guard_fs ]
	does "$1: names are as free as before" "all ok" make /tmp/d '\xff'
}

load service || bail_out "the service does not load"
if [ -e /sys/kernel/realtime ]; then
	loads_not "PREEMPT_RT" "not for kernels with PREEMPT_RT: .* sleep there"
	is "nothing is attached to" "$(attached)" 0
	ok "the payload check loads" load nf
	run utf8guard show
	like "the service is shown, and that names are not checked" "$status $out" "^0 .*name check +not loaded.*payload check +rules 0"
	done_testing
	exit
fi
ok "utf8guard_fs loads" load fs
is "six functions are attached to" "$(attached)" 6
run load fs
like "a second time it does not" "$status $err" "^1 .*File exists"
run load service
like "nor does the service" "$status $err" "^1 .*File exists"
not_ok "which cannot go while it is used" rmmod utf8guard
checks "after that"

# Another user of ftrace who may redirect one of the functions (FTRACE_OPS_FL_IPMODIFY).
run insmod "$UTF8GUARD_MODULES/test/utf8guard_rival.ko"
like "nobody else gets one of the functions" "$status $err" "^1 .*Device or resource busy"
checks "after that"
ok "it unloads" rmmod utf8guard_fs
is "nothing is attached to any more" "$(attached)" 0
does "bad names are let through again" "all ok" make /tmp/d '\xff'
for symbol in security_inode_create security_inode_symlink security_inode_rename; do
	insmod "$UTF8GUARD_MODULES/test/utf8guard_rival.ko" symbol=$symbol
	loads_not "$symbol is taken" "cannot attach to $symbol: .*livepatch.* \(error -16\)"
	is "$symbol is taken: nothing else is attached to" "$(attached)" 1
	rmmod utf8guard_rival
done
# While only five of the six are attached, none decides: either all operations are watched or
# none. A hook that did decide would report these names, for at first the default rule audits.
insmod "$UTF8GUARD_MODULES/test/utf8guard_rival.ko" symbol=security_inode_rename
log_mark
while [ ! -e /tmp/d/stop ]; do mkdir $'/tmp/d/\xff' && rmdir $'/tmp/d/\xff'; done &
for _ in 1 2 3 4 5; do load fs 2>/dev/null; done
touch /tmp/d/stop
wait $!
rm /tmp/d/stop
is "half attached, it decides nothing" "$(log_since op=utf8guard-name)" ""
rmmod utf8guard_rival
ok "when the other one is gone it loads" load fs
checks "then"

# The switch of ftrace.
run bash -c 'echo 0 >/proc/sys/kernel/ftrace_enabled'
like "ftrace is not turned off unseen" "$status $err" '^1 .*(Device or resource busy|Operation not supported)'
is "but stays on" "$(cat /proc/sys/kernel/ftrace_enabled)" 1
checks "after that"
rmmod utf8guard_fs
if echo 0 2>/dev/null >/proc/sys/kernel/ftrace_enabled; then
	loads_not "ftrace is off" "cannot attach to security_inode_create: .*kernel.ftrace_enabled is 0 \(error -16\)"
	echo 1 >/proc/sys/kernel/ftrace_enabled
else
	is "ftrace cannot be turned off here" "$(cat /proc/sys/kernel/ftrace_enabled)" 1
fi

# kprobes serve only to look up addresses, and may be off.
echo 0 >/sys/kernel/debug/kprobes/enabled
ok "it loads with kprobes off" load fs
checks "kprobes off"
echo 1 >/sys/kernel/debug/kprobes/enabled
checks "kprobes on"
echo 0 >/sys/kernel/debug/kprobes/enabled
checks "kprobes off again"
echo 1 >/sys/kernel/debug/kprobes/enabled

# The kernel's servers are kernel threads, and know no EILSEQ.
thread() { # NAME WANTED DIR NAME
	insmod "$UTF8GUARD_MODULES/test/utf8guard_thread.ko" dir="$3" name="$4"
	is "$1" "$(cat /sys/module/utf8guard_thread/parameters/result)" "$2"
	rmmod utf8guard_thread
}
thread "a kernel thread: a bad name is EINVAL" -22 /tmp/d $'\xff'
thread "a kernel thread: a good name" 0 /tmp/d $'th\xc3\xa9'

# The way back in for somebody whom his policy has locked out.
rmmod utf8guard_fs
ok "it loads with enforce=0" load fs enforce=0
utf8guard fs set default enforce
audited=$(number fs audited)
does "enforce=0: bad names are let through" "all ok" make /tmp/d '\xff'
ok "enforce=0: and counted" [ "$(($(number fs audited) - audited))" -ge 10 ]
like "enforce=0: show warns of it" "$(utf8guard)" "warning .*enforce=0"
not_ok "enforce=0: it is not for changing" sh -c 'echo 1 >/sys/module/utf8guard_fs/parameters/enforce'
rmmod utf8guard_fs

# Loaded and unloaded while names are made in all ways.
ask writers /tmp/d 6
echo 5 >/proc/sys/kernel/printk_ratelimit
failed=0 events=$(number service events)
for _ in {1..50}; do
	if ! load fs || ! utf8guard fs set default enforce || ! rmmod utf8guard_fs; then
		failed=$((failed + 1))
	fi
done
is "loaded and unloaded fifty times under six writers" "$failed" 0
ok "names were refused meanwhile" [ $(($(number service events) - events)) -gt 100 ]
does "and no writer saw anything but yes and no" 6 wait /tmp/d
is "nothing is attached to in the end" "$(attached)" 0
load fs
checks "and it still works"
is "no name was missed" "$(number fs missed)" 0
ok "all unload" unload utf8guard_fs utf8guard
done_testing
