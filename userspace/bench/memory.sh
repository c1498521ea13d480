#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a rule and a connection take of memory, by the allocators' own counts. Rules are charged to
# the cgroup that loads them: objects by the size of their slab cache, larger ones and the
# per-processor allocator by pages. For connections, which are not charged, all objects of the slab
# caches count, which also change by some 100 KiB for other reasons. Runs inside:
#
#   run.sh -m 2048 -t 900 -- memory.sh
#
# TSV: kernel, what, how many, octets more, octets of each, and the floor: what the members
# of the structures need, without holes, with counters for the possible processors, the
# path, and a pointer and a position in the index. A connection is what a rule with `stream`
# adds to one that connection tracking knows, when 64 octets have gone each way.

set -euo pipefail
load() { insmod "$UTF8GUARD_MODULES/$1.ko"; }
objects=build/kbuild/$KERNEL

# Octets in use, after all that was freed has been given back.
octets() {
	echo 3 >/proc/sys/vm/drop_caches
	sleep 1
	awk 'FNR == NR { if (FNR > 2) n += $2 * $4; next } $1 == "Percpu:" { n += $2 * 1024 }
		END { printf "%d\n", n }' /proc/slabinfo /proc/meminfo
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
line() { # WHAT COUNT OCTETS FLOOR
	printf '%s\t%s\t%d\t%d\t%d\t%d\n' "$KERNEL" "$1" "$2" "$3" $(($3 / $2)) "$4"
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
	for count in 10 100 1000 10000; do
		"$2" $count >/tmp/policy
		utf8guard "$3" flush
		line "$1" $count "$(charged "$3-$count" utf8guard load /tmp/policy)" "$4"
	done
	utf8guard "$3" flush
}
for ((i = 0; i < 10000; i++)); do echo /tmp/memory/$i; done | xargs mkdir
packet_reasons=$(count_of UGNF_PACKET_REASON_COUNT)
rules "rule for packets" net_rules net $(($(members utf8guard_nf ugnf_rule) + 12 +
	processors * (8 + 8 * packet_reasons)))
rules "rule for names" fs_rules fs $(($(members utf8guard_fs ugfs_rule) + 12 +
	$(members utf8guard_fs ugfs_terms) + $(members utf8guard_fs ugfs_location) + 17))

# Connections of the host with itself, on which both ends have sent something.
ip link set lo up
ulimit -n 70000
echo 262144 >/proc/sys/net/netfilter/nf_conntrack_max
connections() { # COUNT COMMAND: the command, while so many are open
	python3 - "$1" "$2" <<-'END'
		import socket, subprocess, sys
		count = int(sys.argv[1])
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
		    ends.append((client, other))
		subprocess.run(["bash", "-c", sys.argv[2]], check=True)
	END
}
export -f octets
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
