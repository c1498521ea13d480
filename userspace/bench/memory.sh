#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a rule and a connection take of memory, by the allocators' own counts. Rules are charged to
# the cgroup that loads them: objects by the size of their slab cache, larger ones and the
# per-processor allocator by pages. For connections, which are not charged, all objects of the slab
# caches count, but of those that have files and processes in them. Runs inside:
#
#   run.sh -m 2048 -t 900 -- memory.sh
#
# TSV: kernel, what, how many, octets of all, octets of each, and the floor. The first line of a
# thing has ten, or a hundred, with all that is there once, so it has no floor. Each is what one
# more takes than in the line before. The floor is what the members of the structures need, without
# holes: those of a rule, with counters for the possible processors and the path, and of its
# entries in the index of its kind. A connection is what a rule with `stream` adds to one that
# connection tracking knows, when 64 octets have gone each way.

set -euo pipefail
load() { insmod "$UTF8GUARD_MODULES/$1.ko"; }
objects=build/kbuild/$KERNEL

# No cache of ours is merged with these: they are charged to a cgroup, can be reclaimed, or have a
# constructor.
export others='.*inode_cache|dentry|filp|names_cache|radix_tree_node|vm_area_struct|anon_vma.*|cred_jar|task_struct|signal_cache|sighand_cache|files_cache|fs_cache|mm_struct|pid|buffer_head|kmalloc-(cg|rcl)-.*'
# Octets in use, after all that was freed has been given back. What a processor keeps of a slab
# cache for the next to ask counts as in use, until the cache is shrunk.
octets() {
	echo 3 >/proc/sys/vm/drop_caches
	sleep 1
	for cache in /sys/kernel/slab/*/shrink; do
		echo 1 >"$cache"
	done
	awk 'FNR == NR { if (FNR > 2 && $1 !~ others) n += $2 * $4; next } $1 == "Percpu:" { n += $2 * 1024 }
		END { printf "%d\n", n }' others="^($others)$" /proc/slabinfo /proc/meminfo
}
# Octets that stay charged to a new cgroup after the command has run in it.
charged() { # CGROUP COMMAND...
	local cgroup=/sys/fs/cgroup/$1
	shift
	mkdir "$cgroup"
	(echo $BASHPID >"$cgroup/cgroup.procs" && exec "$@" >/dev/null)
	sleep 1
	echo 1 >/proc/sys/vm/stat_refresh
	awk '$1 ~ /^(slab_unreclaimable|percpu|vmalloc)$/ { n += $2 } END { print n }' "$cgroup/memory.stat"
}
members() { # MODULE STRUCTURE: octets
	pahole -C "$2" "$objects/$1.ko" | awk '
		/\/\* size:/ { gsub(",", ""); size = $3 }
		/\/\* sum members:/ { gsub(",", ""); size = $4 }
		END { print size + 0 }'
}
count_of() { # ENUMERATOR: its value, from the module's own types
	pahole -C ugnf_reason "$objects/utf8guard_nf.ko" | sed -n "s/.*\<$1 *= \([0-9]*\).*/\1/p"
}
# The count and the octets of the line before, of the same thing.
before=0 octets_before=0
line() { # WHAT COUNT OCTETS FLOOR
	local floor=$4
	[ "$before" != 0 ] || floor=0
	printf '%s\t%s\t%d\t%d\t%d\t%d\n' "$KERNEL" "$1" "$2" "$3" \
		$((($3 - octets_before) / ($2 - before))) "$floor"
	before=$2 octets_before=$3
}

echo +memory >/sys/fs/cgroup/cgroup.subtree_control
modprobe -a nf_conntrack nf_reject_ipv4 nf_reject_ipv6 nf_defrag_ipv6 veth
load utf8guard
load utf8guard_fs
load utf8guard_nf
processors=$(($(sed 's/.*-//' /sys/devices/system/cpu/possible) + 1))
printf 'kernel\twhat\tcount\toctets\teach\tfloor\n'

mkdir -p /tmp/memory
net_rules() { for ((i = 0; i < $1; i++)); do
	echo "net add input udp dport $((10000 + i % 1000)) saddr 10.$((i / 250)).9.$((i % 250)) drop"
done; }
fs_rules() { for ((i = 0; i < $1; i++)); do echo "fs add subtree /tmp/memory/$i enforce"; done; }
rules() { # WHAT MAKER FLUSH FLOOR
	local count
	before=0 octets_before=0
	for count in 10 100 1000 10000; do
		"$2" $count >/tmp/policy
		utf8guard "$3" flush
		line "$1" $count "$(charged "$3-$count" utf8guard load /tmp/policy)" "$4"
	done
	utf8guard "$3" flush
}
for ((i = 0; i < 10000; i++)); do echo /tmp/memory/$i; done | xargs mkdir
packet_reasons=$(count_of UGNF_PACKET_REASON_COUNT)
# Of a rule for packets, the index and the policy have 12 octets: a position and a pointer.
rules "rule for packets" net_rules net $(($(members utf8guard_nf ugnf_rule) + 12 +
	processors * (8 + 8 * packet_reasons)))
# Of one for names, a directory and an entry, a head of the hash, and a pointer; and both the
# path that the user gave and the path within the file system are kept.
rules "rule for names" fs_rules fs $(($(members utf8guard_fs ugfs_rule) + 8 +
	$(members utf8guard_fs ugfs_terms) + 17 + $(members utf8guard_fs ugfs_location) + 13 +
	$(members utf8guard_fs ugfs_node) + $(members utf8guard_fs ugfs_entry) + 16))

# Connections of the host with itself, on which both ends have sent something. They end by RST, for
# a socket in TIME_WAIT and a connection that is only known to have ended take memory for minutes.
ip link set lo up
ulimit -n 70000
echo 262144 >/proc/sys/net/netfilter/nf_conntrack_max
echo 1 >/proc/sys/net/netfilter/nf_conntrack_tcp_timeout_close
connections() { # COUNT COMMAND: the command, while so many are open
	python3 - "$1" "$2" <<-'END'
		import socket, struct, subprocess, sys
		count = int(sys.argv[1])
		LINGER = socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0)
		server = socket.socket()
		server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
		server.bind(("127.0.0.1", 9000))
		server.listen(128)
		ends = []
		for i in range(count):
		    client = socket.socket()
		    client.bind((f"127.0.{1 + i // 20000}.1", 0))
		    client.connect(("127.0.0.1", 9000))
		    other = server.accept()[0]
		    client.sendall(b"a" * 64)
		    other.recv(64)
		    other.sendall(b"b" * 64)
		    client.recv(64)
		    client.setsockopt(*LINGER)
		    other.setsockopt(*LINGER)
		    ends.append((client, other))
		subprocess.run(["bash", "-c", sys.argv[2]], check=True)
	END
	sleep 2
	cat /proc/net/nf_conntrack >/dev/null # which forgets those whose time is up
}
export -f octets
before=0 octets_before=0
for count in 100 1000 10000; do
	utf8guard net flush
	# First connections that are tracked and not followed: no rule is for their port.
	utf8guard net add input tcp dport 9 drop stream >/dev/null
	without=$(connections $count octets)
	utf8guard net flush
	utf8guard net add input tcp dport 9000 drop stream >/dev/null
	with=$(connections $count octets)
	line connection $count $((with - without)) $(($(members utf8guard_nf ugnf_flow) +
		$(members utf8guard_nf ugnf_ooo_stream)))
done
