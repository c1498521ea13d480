#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A remote peer and this host send packets of every shape past every hook, with rules of every
# kind and both front ends. Nothing may go wrong in the kernel. PACKETS=1000000 and SEED=2 are
# another run of it. For kernels that find faults (uml, debug).
#
# promise remote peer: amid packets of every shape, no whole UDP datagram of IPv4 that is no UTF-8
#   is routed past a rule that drops it, and text is routed
# shown by: text is routed
# shown by: what is none is not
# shown by: nor is there any among what was changed

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
packets=${PACKETS:-20000} seed=${SEED:-1} counters=

extensions=$(pkg-config --variable=xtlibdir xtables 2>/dev/null) || :
export XTABLES_LIBDIR=$vm/../../../build:$extensions
{ load service && load nf && load xt && load helper; } || bail_out "the modules do not load"
modprobe -a tun ip_tables ip6_tables iptable_filter ip6table_filter 2>/dev/null
ip link set lo up
for device in in0:9 out0:8; do
	ip tuntap add "${device%:*}" mode tun
	ip addr add "10.${device#*:}.0.1/24" dev "${device%:*}"
	ip addr add "fd0${device#*:}::1/64" dev "${device%:*}" nodad
	ip link set "${device%:*}" up
done
for setting in ipv4/ip_forward ipv4/conf/all/accept_source_route ipv6/conf/all/forwarding ipv6/conf/all/accept_source_route; do
	echo 1 >/proc/sys/net/$setting
done

# The first port has the rule that packet_storm.py knows, the next ones have the others.
tcp=("drop gate off" "drop stream" "reject stream gate on" "drop stream lenient" "drop stream scope http-target decode percent"
	"reject stream scope http-headers" "drop stream scope smtp-line" "drop stream scope smtp-headers"
	"drop stream scope dns-labels" "audit stream refuse bidi,control,nul" "mark 0x1 stream fail open"
	"ctmark 0x2/0xff" "drop stream scope first 100" "drop stream scope 10:20" "reject" "count" "drop refuse newline")
udp=("drop gate off" "reject" "drop scope dns-labels" "drop decode percent" "drop scope first 5" "drop scope 3:9"
	"reject refuse control,bidi,noncharacter" "mark 0x4" "ctmark 0x8" "audit" "count" "drop fail open" "drop gate on")
others=("drop gate off" "reject" "drop refuse control,bidi" "audit" "count" "mark 0x10" "drop fail open")
{
	for hook in input forward output; do
		for protocol in tcp udp sctp udplite; do
			case $protocol in
			tcp) tails=("${tcp[@]}") ;;
			udp) tails=("${udp[@]}") ;;
			*) tails=("${others[@]}") ;;
			esac
			for i in "${!tails[@]}"; do
				echo "net add $hook $protocol dport $((1000 + i)) ${tails[i]}"
			done
		done
	done
} >"$tap/rules"
ok "rules of every kind" utf8guard load "$tap/rules"
for tables in iptables ip6tables; do
	ok "$tables" $tables -A FORWARD -p udp --dport 1018 -m utf8 -j DROP
	ok "$tables, input" $tables -A INPUT -p tcp --dport 1018 -m utf8 -j DROP
done
cat >"$tap/nft" <<'END'
table inet guard {
	ct helper utf8-only { type "utf8" protocol tcp; }
	chain prerouting {
		type filter hook prerouting priority filter;
		tcp dport 1019 ct helper set "utf8-only"
	}
}
END
ok "nft" nft -f "$tap/nft"
note "PACKETS=$packets SEED=$seed"
table packet_storm.py "$packets" "$seed"
ok "the rules counted" [ "$(count - packets)" -gt "$((packets / 10))" ]
ok "some was refused" [ "$(count - refused)" -gt "$((packets / 100))" ]
for what in octets split unreadable binary unfollowed differs window resync untracked ahead; do
	counters+="$what $(count - $what)  "
done
note "$counters"
for tables in iptables ip6tables; do $tables -F; done
nft delete table inet guard
ip link del in0
ip link del out0
ok "the modules unload" unload xt_utf8 nf_conntrack_utf8 utf8guard_nf utf8guard
done_testing
