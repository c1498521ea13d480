#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Fail if a kernel's log says that something went wrong in the kernel, or that a program
# crashed, and print those lines with what is around them:  check-log.sh FILE

set -euo pipefail
[ $# = 1 ] || { echo "usage: check-log.sh FILE" >&2; exit 2; }
exec <"$1"

# One extended regular expression a line, upper and lower case as in the log.
bad='\<WARNING:
\<BUG[: ]
\<Oops:
Kernel panic
general protection
[Uu]nable to handle
double fault
invalid opcode:
Call [Tt]race:
(stack guard page was hit|kernel stack overflow|stack-protector:)
(INFO|WARNING): (possible|suspicious|task|trying|rcu|lockdep)
possible (recursive|circular|irq|nested|deadlock|reason)
inconsistent lock state
bad unlock balance
(held lock|lock held|locks held)
Invalid wait context
suspicious RCU usage
rcu: INFO:.*(stall|kthread starved)
self-detected stall
([Ss]oft|[Hh]ard) (lockup|LOCKUP)
blocked for more than
scheduling while atomic
sleeping function called
refcount_t:
ref_tracker:.*(leaked|has)
unregister_netdevice: waiting
enqueued on deprecated workqueue
VFS: Busy inodes
(objects remaining|still has objects)
(list_add|list_del) corruption
page allocation failure
kmemleak: [0-9]+ new suspected
kmemleak: Kernel memory leak detector disabled
segfault at [0-9a-f]+ ip
traps: .* trap 
\<(KASAN|KCSAN|KMSAN|KFENCE|UBSAN|ODEBUG)\>:? '

# Lines that are harmless, of stock kernels under emulation: one narrow expression a line, each with its
# reason. There are none at present. Reports of several lines are removed by the functions below.
known='^$'

# Removes reports of lockdep about nf_tables itself, as a whole: 6.12 walks lists of its own under
# its mutex, as it may, but does not tell lockdep so. A report without an end ends where another begins.
without_nf_tables() {
	awk '
		n && /BUG:|WARNING:|Kernel panic/ { flush() }
		/WARNING: suspicious RCU usage/ { n = 1; ours = 1 }
		!n { print; next }
		{ line[n++] = $0 }
		/net\/netfilter\/(nf_tables_api|nft_set_[a-z]+)\.c:[0-9]+ RCU-list traversed/ { ours = 0 }
		/<\/TASK>/ { flush() }
		function flush(  i) {
			for (i = 1; ours && i < n; i++)
				print line[i]
			n = 0
		}
		END { flush() }'
}

# Removes reports of KCSAN that have no function of ours in either stack, or only where an interrupt
# came. Linux has data races that it is known to live with, and this one has not been annotated for
# all of them, nor for these two, in which we are, too. ktime_get_seconds() reads without a lock what
# no lock is needed for, a single word. Who holds a bucket of a rhashtable reads it, while another
# one tries to set the bit in it that is its lock: so does the worker that makes the table larger.
without_races_of_others() {
	awk '
		/BUG: KCSAN: / { n = 1; ours = interrupted = 0; known = /ktime_get_seconds|rht_deferred_worker/ }
		!n { print; next }
		{ line[n++] = $0 }
		/ (read|write)(-write)? .*to 0x/ { interrupted = 0 }
		/ asm_/ { interrupted = 1 }
		/\[(utf8guard[a-z_]*|xt_utf8|nf_conntrack_utf8)\]/ && !interrupted { ours = 1 }
		/====================/ { flush() }
		function flush(  i) {
			for (i = 1; ours && !known && i < n; i++)
				print line[i]
			n = 0
		}
		END { ours = 1; known = 0; flush() }'
}

# Removes what the kernel says, with a stack, about allocations that a suite has made fail: of
# pages, of a kmem_cache, and of the fields and files of a tracepoint, about which it warns.
without_told_failures() {
	awk '
		/allocations fail from here on, as they are told to/ { told = 1 }
		/allocations fail no more/ { told = until = 0 }
		/BUG:|WARNING:|KASAN/ { until = 0 }
		told && /: (vmalloc error|page allocation failure):/ { until = " pages reserved$" }
		told && /kmem_cache_create.* failed with error/ { until = "handle_syscall|userspace|</TASK>" }
		told && /WARNING: .* event_(define_fields|file_put)/ { until = "end trace" }
		!until { print }
		until && $0 ~ until { until = 0 }'
}

# Removes the number of leaks where all of them are names that Linux forgets when it cannot make a
# directory of sysfs for a kmem_cache: sysfs_slab_add() does not put the kobject whose name was set.
without_names_of_caches() {
	awk '
		/kmemleak: [0-9]+ new suspected/ { number = $0; next }
		/unreferenced object/ { others += leaks++ && !of_cache; of_cache = 0 }
		/sysfs_slab_add\+/ { of_cache = 1 }
		{ print }
		END { if (number && (!leaks || others || !of_cache)) print number }'
}

# No such line is no failure of grep.
matching() { grep -a "$@" || [ $? = 1 ]; }

found=$(tr -d '\r' | without_nf_tables | without_told_failures | without_names_of_caches |
	without_races_of_others | matching -vE "$known" | matching -E -B 3 -A 30 "$bad") ||
	{ echo "check-log.sh: $1 was not judged" >&2; exit 2; }
[ -n "$found" ] || exit 0
head -n 200 <<<"$found"
exit 1
