#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Memory runs out, at each allocation in turn: of requests of both checks and of the service, of a
# policy that the tool loads, of packets, of names, of modules that are loaded and unloaded. Each of
# these parts fails if no allocation failed in it. Allocations fail by fault injection where the
# kernel has it (uml, debug), and kmemleak and KASAN watch; elsewhere by utf8guard_famine, which
# lets only those fail that our modules ask for themselves. STEP=1 lets each allocation of a load
# fail, of which nearly all are the loader's.
#
# promise local user: where memory runs out, he makes no name that a rule refuses, and no other is
#   refused as ill-formed
# shown by: names: what is refused is, and nothing else
# promise remote peer: where memory runs out, nothing that is bad arrives
# shown by: packets of who starves: none that is bad arrives
# shown by: packets where memory is short: none that is bad arrives
# promise administrator by mistake: a request for which memory runs out is done whole or not at
#   all, and an answer, where there is memory for one, says which, and names no other cause
# shown by: else the rules are those of before, or those asked for
# shown by: and the answer says which
# shown by: and for no other cause
# promise administrator by mistake: a policy that is loaded while memory runs out is in force as a
#   whole, or the one from before still is, and the tool says why
# shown by: else nothing has changed, and it says so
# shown by: and it says why
# promise operator: a module for which memory runs out leaves nothing, and loads when there is
#   enough
# shown by: else nothing is left of it
# shown by: it loads again

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
step=${STEP:-9} modules=(utf8guard utf8guard_nf nf_conntrack_utf8)
injects() { [ -e /proc/self/fail-nth ]; }
has() { [ -e "$UTF8GUARD_MODULES/$1.ko" ]; }
# What these modules import to ask for memory with: not the data of kmalloc(), and not what perf has
# for itself.
allocators() { # MODULE...
	(cd "$UTF8GUARD_MODULES" && nm -u "${@/%/.ko}") | awk 'NF == 2 { print $2 }' | sort -u |
		grep -E 'alloc|dup(_noprof)?$|cache_create|kthread_create|rhashtable_init|audit_log_start' |
		grep -vxE 'kmalloc_caches|perf_trace_buf_alloc'
}
# Those that all of them import, and that nobody makes fail.
fed() {
	local all=("$UTF8GUARD_MODULES"/*.ko)
	all=("${all[@]##*/}")
	allocators "${all[@]%.ko}" | while read -r symbol; do
		grep -qF " $symbol+0x" /sys/kernel/debug/kprobes/list || echo "$symbol"
	done
}

ip link set lo up
if injects; then
	# Allocations that may wait fail, too; the log does not get a trace of each.
	for what in failslab fail_page_alloc; do
		echo N >/sys/kernel/debug/$what/ignore-gfp-wait
		echo 0 >/sys/kernel/debug/$what/verbose
	done
	echo 0 >/sys/kernel/debug/fail_page_alloc/min-order
	# check-log.sh takes what the loader says between this line and the one below for no fault.
	echo "allocations fail from here on, as they are told to" >/dev/kmsg
else
	step=1
	modprobe -a nf_conntrack nf_reject_ipv4 nf_reject_ipv6 x_tables
	ok "a module that makes allocations fail" insmod "$UTF8GUARD_MODULES/test/utf8guard_famine.ko"
	is "each function can fail that our modules ask for memory" "$(fed)" ""
	is "these ask for none themselves" "$(allocators xt_utf8 nf_conntrack_utf8)" ""
fi

{ load service && load nf; } || bail_out "the modules do not load"
table starved.py service
table starved.py requests nf
table starved.py traffic
! injects || table starved.py crowd
mkdir /tmp/names && mount -t tmpfs tmpfs /tmp/names
if has utf8guard_fs; then
	load fs || bail_out "the name check does not load"
	table starved.py requests fs
	utf8guard fs set default enforce
	table starved.py names /tmp/names
	modules+=(utf8guard_fs)
fi
# Of what the tool does, only allocations of our modules fail: it is another process.
if has utf8guard_fs && ! injects; then
	mkdir /tmp/names/old /tmp/names/new
	cat >/tmp/old <<-END
		fs flush
		fs add subtree /tmp/names/old enforce comment old
	END
	cat >/tmp/new <<-END
		fs flush
		fs add subtree /tmp/names/new uid 1000-1999 enforce comment new
		fs add subtree /tmp/names/new cgroup / audit
		fs add subtree /tmp/names/new userns $$ audit
		fs add subtree /tmp/names/old /nonesuch enforce refuse bidi
		fs add superblock /tmp/names audit
		fs add fstype ramfs enforce
	END
	table starved.py command "a policy for names" "utf8guard load /tmp/old" "utf8guard load /tmp/new" \
		"utf8guard save"
fi
unload utf8guard_fs utf8guard_nf utf8guard
# What fails as xt_utf8 is loaded are allocations of the loader alone. For nf_conntrack_utf8,
# utf8guard_nf asks for its counters.
! injects || modules+=(xt_utf8)
for module in "${modules[@]}"; do
	table starved.py module "$module" "$step"
done
unload utf8guard_fs nf_conntrack_utf8 xt_utf8 utf8guard_nf utf8guard
echo "allocations fail no more" >/dev/kmsg
ok "after that, it works as ever" load service
ok "and so does the payload check" load nf
ok "with rules" utf8guard net add input tcp dport 80 drop stream
unload utf8guard_nf utf8guard
done_testing
