#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the payload check costs a packet that is forwarded, beside xt_string and nft:
#
#   scripts/uml/run.sh -x packets.sh        cycles, in User-Mode Linux: prepared
#                                           packets through the hook, and no more
#   run.sh -c -- packets.sh PROGRAM         instructions on a stock kernel, PROGRAM
#                                           sending and receiving; a tick is one
#
# TSV, each line a packet of so many octets of some text, and whose rules it passed.

set -euo pipefail
engines=("" general)
! grep -qw bmi2 /proc/cpuinfo || engines=("" bmi2)

# Who is compared, each by its rules. The first has none: that is the cost without rules.
contestants=(none "none fits" utf8guard "utf8guard of 10" "utf8guard of 10000"
	tracked "utf8guard stream" ip_tables "xt bm 1" "xt bm 8" "xt kmp 1" "xt kmp 8" "nft raw")

# Some overlong sequences, far from all.
overlong=(c0ae c0af c19c e080ae e080af f08080ae f08080af f8808080ae)

policy() { # COUNT: so many rules of ports and addresses for each protocol; the last one is it
	local i protocol
	for ((i = 1; i < $1; i++)); do
		# A packet is looked up among the rules for its protocol alone.
		for protocol in udp tcp; do
			echo "net add forward $protocol dport $((10000 + i % 1000)) saddr 10.$((1 + i / 250)).9.$((i % 250)) drop"
		done
	done
	for protocol in udp tcp; do echo "net add forward $protocol dport 9000 drop"; done
}
# Patterns are looked for in the payload alone. Otherwise a sequence number or a checksum may have
# one of them, and the segment is lost for good.
strings() { # ALGORITHM COUNT
	local hex protocol from
	for protocol in udp tcp; do
		[ $protocol = udp ] && from=28 || from=52
		iptables-legacy -N $protocol
		for hex in "${overlong[@]:0:$2}"; do
			iptables-legacy -A $protocol -m string --algo "$1" --from $from --hex-string "|$hex|" -j DROP
		done
		iptables-legacy -A FORWARD -p $protocol --dport 9000 -j $protocol
	done
}
rules() { # CONTESTANT: in the network namespace that it is called in
	case $1 in
	none) ;;
	"none fits") for p in udp tcp; do utf8guard net add forward $p dport 9 drop; done >/dev/null ;;
	tracked) utf8guard net add forward tcp dport 9 ctmark 1 >/dev/null ;;
	utf8guard) policy 1 | utf8guard load - ;;
	"utf8guard of "*) policy "${1##* }" | utf8guard load - ;;
	"utf8guard stream") utf8guard net add forward tcp dport 9000 drop stream >/dev/null ;;
	ip_tables) strings bm 0 ;;
	"xt "*) read -r _ algorithm count <<<"$1" && strings "$algorithm" "$count" ;;
	"nft raw")
		nft -f - <<-'END'
			table ip t {
				chain c {
					type filter hook forward priority 0;
					udp dport 9000 @th,64,16 0xc0ae drop
					tcp dport 9000 @th,256,16 0xc0ae drop
				}
			}
		END
		;;
	esac
}
# Gives each a namespace of its own, and keeps a descriptor of it open.
in_all() {
	local i=0 name
	fds='' names=''
	for name in "${contestants[@]}"; do
		ip netns add "space$i"
		ip netns exec "space$i" bash "$0" rules "$name"
		exec {fd}<"/run/netns/space$i"
		fds+=${fds:+,}$fd names+=${names:+,}${name// /_}
		i=$((i + 1))
	done
}
none_left() {
	local i fd
	for fd in ${fds//,/ }; do exec {fd}<&-; done
	for ((i = 0; i < ${#contestants[@]}; i++)); do ip netns del "space$i"; done
}

native() {
	local engine
	printf 'bench:\tengine\tprotocol\tskb\ttext\toctets\tby\tcycles\tmore than none\n' >/dev/kmsg
	for engine in "${engines[@]}"; do
		insmod "$UML_MODULES/utf8guard.ko" ${engine:+engine=$engine}
		insmod "$UML_MODULES/utf8guard_nf.ko"
		in_all
		insmod "$UML_MODULES/kunit/utf8guard_bench_packets.ko" engine="${engine:-best}" \
			names="$names" fds="$fds"
		rmmod utf8guard_bench_packets
		none_left
		rmmod utf8guard_nf utf8guard
	done
}

# client -- space -- server; anew for each, because rules of others leave hooks in a namespace.
wire() {
	local ns
	for ns in client space server; do ip netns add $ns; done
	ip -n client link add eth0 type veth peer name eth1 netns space
	ip -n server link add eth0 type veth peer name eth2 netns space
	ip -n client addr add 10.0.1.1/24 dev eth0
	ip -n server addr add 10.0.2.1/24 dev eth0
	ip -n space addr add 10.0.1.254/24 dev eth1
	ip -n space addr add 10.0.2.254/24 dev eth2
	ip -n client link set eth0 up
	ip -n server link set eth0 up
	ip -n space link set eth1 up
	ip -n space link set eth2 up
	ip -n client route add default via 10.0.1.254
	ip -n server route add default via 10.0.2.254
	ip netns exec space sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward'
	for ns in client space server; do
		while ip -n $ns -br link show up | grep -v '^lo' | grep -qv ' UP '; do sleep 0.1; done
	done
}
declare -A none
counts() { # PROGRAM ENGINE CONTESTANT
	local protocol text octets count key
	wire
	ip netns exec space bash "$0" rules "$3"
	for protocol in udp tcp; do
		while IFS=$'\t' read -r text octets count; do
			[ "$text" != failed ] || { echo "$3, $protocol: a packet was lost" >&2; exit 1; }
			key="$protocol	$text	$octets"
			: "${none[$key]:=$count}"
			printf '%s\t%s\t%s\t%s\t%d\t%d\n' "$KERNEL" "$2" "$key" "$3" "$count" \
				$((count - none[$key]))
		done < <("$1" client server 10.0.2.1 $protocol || echo "failed")
	done
	for ns in client space server; do ip netns del $ns; done
}
emulated() { # PROGRAM
	local engine name
	modprobe -a veth nf_conntrack nf_reject_ipv4 nf_reject_ipv6
	printf 'kernel\tengine\tprotocol\ttext\toctets\tby\tinstructions\tmore than none\n'
	for engine in "${engines[@]}"; do
		insmod "$UTF8GUARD_MODULES/utf8guard.ko" ${engine:+engine=$engine}
		insmod "$UTF8GUARD_MODULES/utf8guard_nf.ko"
		for name in "${contestants[@]}"; do counts "$1" "${engine:-best}" "$name"; done
		rmmod utf8guard_nf utf8guard
		# The others do not depend on the engine: count them once.
		contestants=(utf8guard "utf8guard stream")
	done
}

case ${1-} in
rules) rules "$2" ;;
'') native ;;
*) emulated "$1" ;;
esac
