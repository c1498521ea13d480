#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What runs the suites can fail: every way in which a run on a stock kernel may go
# wrong must come out as a failure, and what the guest writes must come out as
# it was written. Boots a kernel ten times, some five seconds each (twice that on a busy host).

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$here/../../tap.sh"
vm=$top/scripts/vm

for program in qemu-system-x86_64 busybox cpio; do
	command -v $program >/dev/null || skip_all "no $program"
done
kernel=$(PATH=$PATH:/usr/sbin:/sbin "$vm/kernel.sh" "${KERNEL:-6.12}" 2>"$tap/why") ||
	skip_all "no kernel: $(tail -n 1 "$tap/why")"
kernel=${kernel%% *}
boot() { "$vm/run.sh" -k "$kernel" -t 300 -l "$tap/log" "$@"; }

# The log's judge, without a kernel.
log() { printf '[    1.000000] %s\r\n' "Linux version 6.12" "$1" "done" >"$tap/sample"; }
log "utf8guard: loading out-of-tree module taints kernel."
ok "a clean log passes" "$vm/check-log.sh" "$tap/sample"
for filter in tr awk grep; do
	printf '#!/bin/sh\nexit 2\n' | install -D /dev/stdin "$tap/failing/$filter"
	run env PATH="$tap/failing:$PATH" "$vm/check-log.sh" "$tap/sample"
	is "a log is not clean where $filter fails" "$status" 2
	rm "$tap/failing/$filter"
done
report() { # PLACE: as lockdep makes one, with another line after it
	printf '[    2.0] %s\n' "WARNING: suspicious RCU usage" "$1 RCU-list traversed in non-reader section!!" \
		"Call Trace:" " <TASK>" " lockdep_rcu_suspicious+0x211/0x3b0" " </TASK>" "$2" >"$tap/sample"
}
report net/netfilter/nft_set_bitmap.c:102 "done"
ok "so does what nf_tables is to blame for" "$vm/check-log.sh" "$tap/sample"
report net/netfilter/nft_set_bitmap.c:102 "BUG: of somebody else"
run "$vm/check-log.sh" "$tap/sample"
is "but nothing after it" "$status" 1
for line in "BUG: of somebody else" "WARNING: CPU: 0 PID: 1 at kernel/softirq.c:362" "Kernel panic - not syncing"; do
	report net/netfilter/nft_set_bitmap.c:102 "done"
	sed -i "s|^.*</TASK>|[    3.0] $line|" "$tap/sample"
	run "$vm/check-log.sh" "$tap/sample"
	like "nor one in the middle of it: $line" "$status $out" "^1 .*$line"
done
report kernel/nf/tcp/flow.c:102 "done"
run "$vm/check-log.sh" "$tap/sample"
is "nor that of others" "$status" 1
race() { # LINE FRAME...: as KCSAN makes one, with another line after it
	printf '[    2.0] %s\n' "==================================================================" \
		"BUG: KCSAN: data-race in ${within-a} / b" "write to 0xffff888 of 8 bytes by interrupt on cpu 0:" \
		"${@:2}" "read to 0xffff888 of 8 bytes by task 1 on cpu 1:" " d_path+0x1/0x2" \
		"==================================================================" "$1" >"$tap/sample"
}
linux=" d_lookup+0x1/0x2" interrupt=" asm_sysvec_apic_timer_interrupt+0x16/0x20"
race "done" "$linux"
ok "and a race within Linux itself" "$vm/check-log.sh" "$tap/sample"
race "done" "$linux" "$interrupt" " function+0x1/0x2 [utf8guard]"
ok "and one in an interrupt that came while we ran" "$vm/check-log.sh" "$tap/sample"
for within in ktime_get_seconds rht_deferred_worker; do
	race "done" " function+0x1/0x2 [utf8guard]"
	ok "and one in $within(), which is meant to be so" "$vm/check-log.sh" "$tap/sample"
done
unset within
race "BUG: of somebody else" "$linux"
run "$vm/check-log.sh" "$tap/sample"
is "but nothing after that" "$status" 1
for module in utf8guard utf8guard_nf xt_utf8 nf_conntrack_utf8; do
	race "done" "$linux" "$interrupt" "read to 0xffff888 of 8 bytes by task 2 on cpu 1:" \
		" function+0x1/0x2 [$module]"
	run "$vm/check-log.sh" "$tap/sample"
	is "nor a race of $module" "$status" 1
done
starving() { # LINE...: within a suite that has allocations fail
	printf '[    2.0] %s\n' "allocations fail from here on, as they are told to" \
		"python3: vmalloc error: size 12680, failed" "Call Trace:" " warn_alloc+0x1" "37676 pages reserved" \
		"__kmem_cache_create_args(utf8guard_sums) failed with error -12" "Call Trace:" " </TASK>" "$@" >"$tap/sample"
}
starving "allocations fail no more"
ok "memory that a suite has fail is no fault" "$vm/check-log.sh" "$tap/sample"
for line in "BUG: KASAN: use-after-free" "kmemleak: 1 new suspected memory leaks"; do
	starving "$line"
	run "$vm/check-log.sh" "$tap/sample"
	is "but this is, meanwhile: $line" "$status" 1
done
name_of_cache=("unreferenced object 0x1 (size 16):" "  kstrdup+0x32/0x60" "  sysfs_slab_add+0x195/0x1f0")
leaks() { printf '[    2.0] %s\n' "kmemleak: 2 new suspected memory leaks" "$@" >"$tap/sample"; }
leaks "${name_of_cache[@]}" "${name_of_cache[@]}"
ok "a leak that Linux has where a cache fails is no fault" "$vm/check-log.sh" "$tap/sample"
other=("unreferenced object 0x2 (size 64):" "  ugfs_rule_new+0x32/0x60")
leaks "${other[@]}" "${name_of_cache[@]}"
run "$vm/check-log.sh" "$tap/sample"
is "but another one is, before it" "$status" 1
leaks "${name_of_cache[@]}" "${other[@]}"
run "$vm/check-log.sh" "$tap/sample"
is "or after it" "$status" 1
starving "allocations fail no more" "python3: page allocation failure: order:0"
run "$vm/check-log.sh" "$tap/sample"
is "and any failure is, after that" "$status" 1
while read -r line; do
	log "$line"
	run "$vm/check-log.sh" "$tap/sample"
	like "a log is bad with: $line" "$status $out" "^1 .*${line%% *}"
done <<'END'
WARNING: CPU: 0 PID: 1 at kernel/softirq.c:362 __local_bh_enable_ip+0x7e/0xa0
BUG: KASAN: slab-out-of-bounds in utf8guard_walk+0x10/0x20
kernel BUG at mm/slub.c:4352!
Oops: 0000 [#1] PREEMPT SMP NOPTI
WARNING: possible circular locking dependency detected
WARNING: suspicious RCU usage
rcu: INFO: rcu_preempt detected stalls on CPUs/tasks:
INFO: task modprobe:312 blocked for more than 120 seconds.
refcount_t: underflow; use-after-free.
unregister_netdevice: waiting for lo to become free. Usage count = 2
kmemleak: 3 new suspected memory leaks (see /sys/kernel/debug/kmemleak)
kmemleak: Kernel memory leak detector disabled
UBSAN: shift-out-of-bounds in codec/utf8.c:10:3
watchdog: BUG: soft lockup - CPU#0 stuck for 26s! [rmmod:400]
Unable to handle kernel NULL pointer dereference at virtual address 0000000000000010
some program[211]: segfault at 8 ip 0000000000401136 sp 00007ffc5e0a1f40 error 4 in program[401000+1000]
traps: program[212] trap invalid opcode ip:401136 sp:7ffc5e0a1f40 error:0 in program[401000+1000]
END

# A run that never ends, in the background; with time to boot on a busy host.
"$vm/run.sh" -k "$kernel" -t 90 -l "$tap/endless.log" -- sh -c 'echo before; sleep 1000' \
	>"$tap/endless.out" 2>"$tap/endless.err" &
endless=$!

# A good run, and what is seen inside.
mkdir "$tap/share"
all='BEGIN { for (i = 0; i < 256; i++) printf "%c", i }'
cat >"$tap/inside" <<'END'
printf '%s\n' "$KERNEL $(uname -r)" "$PWD" "$ODD" "$UTF8GUARD_MODULES" >"$VM_OUT/said"
touch "$1/scripts/vm/leak" /leak && echo written >>"$VM_OUT/said"
modprobe -a ext4 veth nf_tables && ip link add v type veth &&
	ip -br link show lo | grep -q UP && echo modules >>"$VM_OUT/said"
ls -d /sys/kernel/tracing/events /sys/kernel/debug/tracing /dev/pts/ptmx >/dev/null && echo mounts >>"$VM_OUT/said"
LC_ALL=C awk "$2"
LC_ALL=C awk "$2" >/dev/stderr
head -c 3000000 /dev/zero
(sleep 1000) &	# nothing left over may keep the machine up
exit 7
END
LC_ALL=C awk "$all" >"$tap/bytes"
{ cat "$tap/bytes" "$tap/bytes"; head -c 3000000 /dev/zero; } >"$tap/wanted"
odd=$'a b\'"\\$\n\xff\xc3\xa9'
mkdir "$tap/runs"
TMPDIR=$tap/runs run boot -o "$tap/share" -e "ODD=$odd" -- bash -c "$(cat "$tap/inside")" "" "$top" "$all"
is "the exit status comes back" "$status" 7
ok "every byte comes out as it is, and all three megabytes" cmp "$tap/out" "$tap/wanted"
is "the environment, -o DIR, modules, mounts" "$(cat "$tap/share/said")" \
	"$(printf '%s\n' "$kernel $kernel" "$top" "$odd" "$top/build/modules/$kernel" written modules mounts)"
not_ok "nothing is written to the host" ls "$top/scripts/vm/leak" /leak
like "the kernel's log is kept" "$(tr -d '\0' <"$tap/log")" "Linux version ${kernel//+/.}"
is "no file of the run is left" "$(ls "$tap/runs")" ""

# Runs that go wrong.
# Tells the guest when its output has arrived here: it panics only then.
(
	SECONDS=0
	until grep -qx before "$tap/out" || [ $SECONDS -gt 300 ]; do sleep 0.2; done
	touch "$tap/share/seen"
) &
# shellcheck disable=SC2016 # for the shell in there
run boot -o "$tap/share" -- sh -c 'echo before; until [ -e "$VM_OUT/seen" ]; do sleep 0.1; done
	echo c >/proc/sysrq-trigger; sleep 1000'
wait $!
is "a panic is a failure" "$status:$out" 125:before
like "and is shown" "$err" "Kernel panic - not syncing: sysrq"
# It has no first program, and panics, and after that it stands still.
VM_PATIENCE=5 run boot -a "panic=0 rdinit=/none root=/dev/none" -- true
is "a kernel that stands still before its first program is a failure" "$status" 125
is "after two more tries" "$(grep -c "went down before its first program; once more" <<<"$err")" 2

run boot -- sh -c 'echo o >/proc/sysrq-trigger; sleep 1000'
is "so is a power-off without a status" "$status" 125

run boot -- sh -c 'echo "<4>WARNING: CPU: 0 PID: 1 at fs/namei.c:1 f+0x1/0x2" >/dev/kmsg'
is "a warning in the log fails a command that succeeded" "$status" 126
like "and is shown" "$err" "WARNING: CPU: 0 PID: 1 at fs/namei.c"

wait "$endless"
is "the time is bounded, and what came is passed on" "$?:$(cat "$tap/endless.out")" 124:before
like "and it says so" "$(cat "$tap/endless.err")" "not done after 90 seconds"

# What prove makes of suites. They are not in /tmp, for the guest does not see the host's.
mkdir -p "$top/build/vm"
suites=$(mktemp -d "$top/build/vm/harness.XXXXXX")
at_exit "rm -rf '$suites'"
cat >"$suites/good.t" <<'END'
# vm: -t 61
echo "1..2"; echo "ok 1 - $(uname -r)"; echo "# a comment" >&2; echo "ok 2"
END
cat >"$suites/bad.t" <<'END'
echo "<4>BUG: sleeping function called from invalid context" >/dev/kmsg
echo "1..1"; echo "ok 1 - all is well"
END
suite="$vm/suite.sh -k $kernel -t 300 -l $tap/log"
run prove -v -e "$suite" "$kernel:$suites/good.t" "$suites/bad.t"
like "prove sees the tests of a good program" "$out" "good.t .*ok 1 - ${kernel//+/.}.*ok 2"
like "and fails one that leaves a bad log" "$out" "bad.t .*Tests: 1 Failed: 0.*Non-zero exit status: 126"
isnt "with prove itself" "$status" 0
like "and tells why" "$err" "# .*BUG: sleeping function"
done_testing
