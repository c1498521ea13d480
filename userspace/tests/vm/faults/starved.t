#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Memory runs out, at each allocation in turn: of requests, of packets, of names, of modules that
# are loaded and unloaded. Allocations fail by fault injection where the kernel has it (uml,
# debug), and kmemleak and KASAN watch; elsewhere by utf8guard_famine, which lets only those fail
# that our modules ask for themselves, and only for names and modules. STEP=1 lets each allocation
# of a load fail, of which nearly all are the loader's.
#
# promise local user: where memory runs out, he makes no name that a rule refuses, and no other is
#   refused as ill-formed
# shown by: names: what is refused is, and nothing else
# promise remote peer: where memory runs out, nothing that is bad arrives (on kernels that inject
#   faults: uml, debug)
# shown by: packets of who starves: none that is bad arrives
# shown by: packets where memory is short: none that is bad arrives
# promise administrator by mistake: a request for which memory runs out is done whole or not at
#   all, and an answer, where there is memory for one, says which (on kernels that inject faults:
#   uml, debug)
# shown by: else the rules are those of before, or those asked for
# shown by: and the answer says which
# promise operator: a module for which memory runs out leaves nothing, and loads when there is
#   enough
# shown by: else nothing is left of it
# shown by: it loads again

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
step=${STEP:-9} modules=(utf8guard utf8guard_nf xt_utf8 nf_conntrack_utf8)
injects() { [ -e /proc/self/fail-nth ]; }

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
	ok "a module that makes allocations fail" insmod "$UTF8GUARD_MODULES/test/utf8guard_famine.ko"
	modprobe -a nf_conntrack nf_reject_ipv4 nf_reject_ipv6 x_tables
fi

if injects; then
	{ load service && load nf; } || bail_out "the modules do not load"
	for part in service requests traffic crowd; do
		table starved.py $part
	done
	unload utf8guard_nf utf8guard
fi
if [ -e "$UTF8GUARD_MODULES/utf8guard_fs.ko" ]; then
	{ load service && load fs; } || bail_out "the modules do not load"
	utf8guard fs set default enforce
	mkdir /tmp/names && mount -t tmpfs tmpfs /tmp/names
	table starved.py names /tmp/names
	unload utf8guard_fs utf8guard
	modules+=(utf8guard_fs)
fi
for module in "${modules[@]}"; do
	table starved.py "$module" "$step"
done
unload utf8guard_fs nf_conntrack_utf8 xt_utf8 utf8guard_nf utf8guard
echo "allocations fail no more" >/dev/kmsg
ok "after that, it works as ever" load service
ok "and so does the payload check" load nf
ok "with rules" utf8guard net add input tcp dport 80 drop stream
unload utf8guard_nf utf8guard
done_testing
