#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The ways of a packet through the kernel, by what a sender puts into its headers, or what an
# administrator has set up: which of them lead past a rule, which only seem to. What utf8guard(8)
# says of each is what is tested here.
#
# promise remote peer: neither fragments nor a source route lead a bad datagram past a rule for
#   the address where the route ends
# shown by: any address}: bad
# shown by: on its way, $way: bad
# shown by: $ip: bad ones
# promise local user: what he sends to this host itself is judged by the rules for output and by
#   those for input
# shown by: counted at output, dropped at input
# shown by: dropped at output
# shown by: is refused at input
# promise administrator by mistake: what nft, tc, XDP or MPLS lead past the hook forward is judged
#   by a rule where it is received
# shown by: the rule has not seen it
# shown by: a rule where it is received: bad

# shellcheck source=userspace/tests/vm/payload/streams.sh
. "$(dirname "$(readlink -f "$0")")/streams.sh"

if ! load service || ! load nf; then bail_out "the modules do not load"; fi
build
wires paths.py

bad='a/..\xc0\xae..' good='na\xc3\xafve'
counters() { # NS NAME...: of all its rules
	local name
	for name in "${@:2}"; do echo -n "$(count "$1" "$name") "; done
}

# A packet of this host for itself passes output and input, and is judged at each.
for address in 127.0.0.1 ::1 $server4 $server6; do
	rules server "output udp dport 9000 count" "input udp dport 9000 drop"
	does "$address: counted at output, dropped at input" dropped udp server server "$address" 9000 "$bad"
	is "$address: each rule has seen it, and the mark after it" "$(count server packets)" 4
	rules server "output udp dport 9000 drop" "input udp dport 9000 count"
	does "$address: dropped at output" refused udp server server "$address" 9000 "$bad"
	is "$address: it never came to input" "$(count server packets)" 3
done

# Fragments that a raw socket sends as they are (IP_NODEFRAG).
for address in 127.0.0.1 $server4; do
	for hooks in output input "output input"; do
		lines=()
		for hook in $hooks; do lines+=("$hook udp dport 9000 drop"); done
		rules server "${lines[@]}"
		does "$address, $hooks: good fragments" delivered nodefrag server server "$address" 9000 "40*a+$good"
		[[ $hooks = *output* ]] && how=refused || how=dropped
		does "$address, $hooks: bad fragments" "$how" nodefrag server server "$address" 9000 "40*a+$bad+40*a"
		is "$address, $hooks: refused as a whole" "$(count server refused)" 1
	done
done
rules server
rules client "output udp dport 9000 drop"
does "good fragments to another host" delivered nodefrag client server $server4 9000 "40*a+$good"
does "bad ones" refused nodefrag client server $server4 9000 "40*a+$bad+40*a"
rules client "output tcp dport 9000 drop"
does "without a rule for them" delivered nodefrag client server $server4 9000 "40*a+$bad+40*a"
rules client

# Fragments on their way through, that were marked notrack before defragmentation.
must within router nft add table inet raw '{ chain early {
	type filter hook prerouting priority -450; notrack; }; }'
rules router "forward udp dport 9000 drop"
for ip in ip4 ip6; do
	does "$ip: good fragments, not tracked" 'na\xc3\xafveaaaaaaaaaaaaaaaaaaaaaaaa' \
		arrives $ip/udp "$good+24*a" pieces=0:16,16:24,24:
	does "$ip: bad ones" nothing arrives $ip/udp "$bad+24*a" pieces=24:,0:16,16:24
	does "$ip: one is missing" stopped through $ip/udp "$bad+24*a" pieces=0:16,16:24
done
is "they were judged as a whole" "$(count router packets) $(count router refused)" "4 2"
within router nft delete table inet raw
rules router

# What comes in by the loopback device and never went out.
rules server "output udp dport 9000 count" "input udp dport 9000 drop"
for ip in ip4 ip6; do
	does "$ip, put on lo by a packet socket: good" "$good" injected server lo $ip/udp "$good"
	does "$ip, put on lo by a packet socket: bad" nothing injected server lo $ip/udp "$bad"
done
must modprobe -a sch_ingress cls_matchall act_mirred
must within server tc qdisc add dev eth0 clsact
must within server tc filter add dev eth0 ingress matchall action mirred ingress redirect dev lo
for ip in ip4 ip6; do
	does "$ip, redirected to lo by tc: good" "$good" arrives $ip/udp "$good"
	does "$ip, redirected to lo by tc: bad" nothing arrives $ip/udp "$bad"
done
within server tc qdisc del dev eth0 clsact
rules server

# A stream of this host for itself: two rules see it, each by itself.
must within server tc qdisc add dev lo root netem limit 10000 delay 2ms 2ms loss 1% duplicate 2%
for address in 127.0.0.1 $server6; do
	for rule in "stream" "stream gate on" "stream refuse bidi" "stream gate on/stream" "stream/stream gate on" \
		"stream decode percent/stream scope first 4"; do
		rules server "output tcp dport 9000 drop ${rule%/*}" "input tcp dport 9000 drop ${rule#*/}"
		does "$address, $rule: good text arrives" whole whole server server "$address" 9000 100000 1
		is "$address, $rule: nothing is wrong with it" "$(counters server refused differs resync untracked)" "0 0 0 0 "
	done
done
within server tc qdisc del dev lo root
for address in 127.0.0.1 $server6; do
	rules server "output tcp dport 9000 drop stream" "input tcp dport 9000 drop stream"
	does "$address: good text, once" whole whole server server "$address" 9000 20000 1
	within server utf8guard net -s -j >"$tap/stats"
	is "$address: both rules have counted the same" \
		"$(grep -o '"octets":"[0-9]*"' "$tap/stats" | sort -u | wc -l) $(counters server full window differs)" "1 0 0 0 "
	for rules in "count stream/drop stream" "count stream/drop stream gate on" "count stream gate on/drop stream" \
		"count/drop stream" "marked 1 drop stream/drop stream"; do
		rules server "output tcp dport 9000 ${rules%/*}" "input tcp dport 9000 ${rules#*/}"
		does "$address, $rules: a connection" connected dial server server "$address" 9000
		does "$address, $rules: E0, and 80 AF" written write 'ab\xe0' '\x80\xafcd'
		ok "$address, $rules: is refused at input" until_true 60 counted server refused 1
		does "$address, $rules: only what is before it arrives" 'ab\xe0' read 3
		does "$address, $rules: over" "done" hang_up
	done
	rules server "output tcp dport 9000 drop stream" "input tcp dport 9000 count stream"
	does "$address, output alone drops: a connection" connected dial server server "$address" 9000
	does "$address, output alone drops: E0, and 80 AF" written write 'ab\xe0' '\x80\xafcd'
	ok "$address, output alone drops: is refused there" until_true 60 counted server refused 1
	is "$address, output alone drops: input has seen nothing of it" "$(count server audited)" 0
	does "$address, output alone drops: over" "done" hang_up
done
rules server

# Source routes: the header has the next address, the application is at the last one.
ip -n server addr add fd00:2::9/64 dev eth0 nodad
ip -n server addr add 10.0.2.9/24 dev eth0
for ns in router server; do
	# shellcheck disable=SC2016 # its own
	within $ns sh -c 'for d in all default eth0 eth1 eth2; do
		for s in 6/conf/$d/seg6_enabled 6/conf/$d/rpl_seg_enabled 4/conf/$d/accept_source_route; do
			[ ! -e /proc/sys/net/ipv$s ] || echo 1 >/proc/sys/net/ipv$s; done; done'
done
for way in ip6/srh ip6/rpl ip6/rpl15 ip6/dest/srh/dest ip4; do
	last=fd00:2::9 other=fd00:2::8 first=$server6
	[ $way != ip4 ] || last=10.0.2.9 other=10.0.2.8 first=$last # it is changed before input
	rules server
	does "$way: bad arrives at the last address" "$bad" arrives $way/udp "$bad" final=$last
	for rule in "daddr $last" "daddr $first" ""; do
		rules server "input udp dport 9000 $rule drop"
		does "$way, ${rule:-any address}: good" "$good" arrives $way/udp "$good" final=$last
		does "$way, ${rule:-any address}: bad" nothing arrives $way/udp "$bad" final=$last
	done
	rules server "input udp dport 9000 daddr $other drop"
	does "$way, another address: bad" "$bad" arrives $way/udp "$bad" final=$last
	rules server
done
last=fd00:2::9
rules server "input udp dport 9000 daddr $last count" "input udp dport 9000 daddr $server6 drop"
does "the first rule for any of the two addresses decides" "$bad" arrives ip6/srh/udp "$bad" final=$last
rules server "input udp dport 9000 daddr $server6 drop" "input udp dport 9000 daddr $last count"
does "whichever it is" nothing arrives ip6/srh/udp "$bad" final=$last
rules server "input udp dport 9000 daddr $last drop"
does "at the end of the route, the header alone says" "$bad" arrives ip6/srh/udp "$bad" final=$last left=0
rules server
for way in ip6/srh ip6/rpl ip6/rpl15 ip6/home ip6/home/srh ip4; do
	[ $way != ip4 ] || last=10.0.2.9
	rules router "forward udp dport 9000 daddr $last drop"
	does "on its way, $way: good" through through $way/udp "$good" final=$last
	does "on its way, $way: bad" stopped through $way/udp "$bad" final=$last
	does "on its way, $way, another address: bad" through through $way/udp "$bad" final=${last%9}8
done
rules router "forward udp dport 9000 daddr fd00:3::9 drop"
does "on its way, one route after the other: bad" stopped \
	through ip6/srh/rpl15/udp "$bad" via=fd00:3::7 final=fd00:3::9
# For connection tracking this is another connection than for the receiver; or none, if it looks
# at checksums, for this one is made for the last address.
for look in 1 0; do
	within router sh -c "echo $look >/proc/sys/net/netfilter/nf_conntrack_checksum"
	at="stream, checksums $look"
	rules router "forward tcp dport 9000 drop stream"
	does "$at: it cannot be followed" stopped through ip6/srh/tcp "$good" final=fd00:2::9
	is "$at: that is counted" "$(counters router untracked unfollowed)" "1 0 "
	rules router "forward tcp dport 9000 drop stream fail open"
	does "$at, fail open: good" through through ip6/srh/tcp "$good" final=fd00:2::9
	does "$at, fail open: bad" stopped through ip6/srh/tcp "$bad" final=fd00:2::9
	is "$at, fail open: both are counted" "$(counters router untracked)" "2 "
done
rules router

# Where a socket has another port than the packet: rules see that of the packet.
proxied() { # NAME [PREFIX]: connections to 9000 go to a socket with 3128
	rules server "input tcp dport 3128 drop" "output tcp sport 3128 drop"
	does "$1: a rule for the port of the socket sees nothing" delivered \
		elsewhere client server $server4 9000 3128 "$2delivered" "$bad"
	is "$1: and counts nothing" "$(count server packets)" 0
	rules server "input tcp dport 9000 drop"
	does "$1: a rule for the port in the packet: good" delivered \
		elsewhere client server $server4 9000 3128 "$2delivered" "$good"
	does "$1: a rule for the port in the packet: bad" dropped \
		elsewhere client server $server4 9000 3128 "$2dropped" "$bad"
	rules server "input tcp dport 9000 drop stream"
	does "$1: a stream: good" delivered elsewhere client server $server4 9000 3128 "$2delivered" "$good"
	does "$1: a stream: bad" dropped elsewhere client server $server4 9000 3128 "$2dropped" "$bad"
	rules server
}
must within server nft -f - <<'RULES'
table ip proxy {
	chain prerouting {
		type filter hook prerouting priority mangle
		tcp dport 9000 tproxy to :3128 meta mark set 1 accept
	}
}
RULES
proxied TPROXY ""
within server nft delete table ip proxy
proxied sk_lookup lookup-

# What goes from one socket to the other by a program is no packet.
rules server "output tcp dport 9000 drop" "input tcp dport 9000 drop"
for address in 127.0.0.1 ::1; do
	does "sockmap, $address: bad arrives" delivered sockmap server $address 9000 delivered "$bad"
done
is "sockmap: no rule has seen it" "$(count server packets)" 0
does "without a program it is refused" dropped tcp server server 127.0.0.1 9000 dropped "$bad"
rules server

# SMC begins as TCP, with a message that is no text.
if ! modprobe -qn smc; then
	skip 3 "this kernel has no SMC"
elif modprobe smc; then
	does "SMC, no rule: falls back to TCP" delivered smc client server $server4 9000 delivered "$bad"
	rules server "input tcp dport 9000 drop"
	ask in_vain smc client server $server4 9000 dropped "$bad"
	isnt "SMC, a rule: bad does not arrive" "$answer" delivered
	note "SMC, a rule: $answer, refused $(count server refused) of $(count server packets)"
	ok "SMC, a rule: something was refused" counted server refused 1
	rules server
else
	fail "there is SMC, but its module does not load"
fi

# Ways past the hook forward. A rule for the server's own input judges what they bring.
router_passes() { # NAME [COMMAND...]: bad UDP goes by; arrives ip4/udp, or that
	local how=("${@:2}")
	[ $# != 1 ] || how=(arrives ip4/udp)
	rules router "forward udp dport 9000 drop"
	rules server
	does "$1: bad arrives" "$bad" "${how[@]}" "$bad"
	is "$1: the rule has not seen it" "$(count router packets)" 0
	rules server "input udp dport 9000 drop"
	does "$1: a rule where it is received: good" "$good" "${how[@]}" "$good"
	does "$1: a rule where it is received: bad" nothing "${how[@]}" "$bad"
	rules server
	rules router
}
must within router nft -f - <<'RULES'
table netdev out {
	chain ingress {
		type filter hook ingress device eth1 priority 0
		udp dport 9000 fwd ip to 10.0.2.1 device eth2
	}
}
RULES
router_passes "nft fwd"
within router nft delete table netdev out
must modprobe -a act_skbmod
must within router tc qdisc add dev eth1 clsact
must within router tc filter add dev eth1 ingress matchall action skbmod set dmac "$(mac server eth0)" pipe \
	action mirred egress redirect dev eth2
router_passes "tc mirred"
within router tc qdisc del dev eth1 clsact
does "XDP" attached xdp router eth1 eth2 "$(mac server eth0)"
router_passes "XDP"
does "XDP: no more" detached xdp_off
must modprobe -a mpls_router mpls_iptunnel
within router sh -c 'echo 1000 >/proc/sys/net/mpls/platform_labels; echo 1 >/proc/sys/net/mpls/conf/eth1/input'
must within router ip -f mpls route add 100 via inet 10.0.2.1 dev eth2
router_passes "MPLS" labelled ip4/udp
within router ip -f mpls route del 100
rules client "output udp dport 9000 drop"
does "a packet socket: bad arrives" "$bad" arrives ip4/udp "$bad"
is "a packet socket: output has not seen it" "$(count client packets)" 0
rules client
must modprobe fou
must within server ip fou add port 5555 ipproto 17
rules server "input udp dport 9000 drop"
does "FOU: bad arrives" "$bad" arrives ip4/udp:5555/udp "$bad"
is "FOU: a rule for the inner port has not seen it" "$(count server refused)" 0
rules server "input udp dport 5555 drop gate off"
does "FOU: a rule for the outer port does" nothing arrives ip4/udp:5555/udp "$bad"
within server ip fou del port 5555
rules server
must modprobe -a nf_flow_table nft_flow_offload nf_flow_table_inet
must within router nft -f - <<'RULES'
table inet fast {
	flowtable ft { hook ingress priority 0; devices = { eth1, eth2 }; }
	chain forward { type filter hook forward priority 0; ct state established flow add @ft; }
}
RULES
rules router "forward tcp dport 9000 drop"
does "a flow table: a connection" connected dial client server $server4 9000
does "a flow table: good" written write one two three
does "a flow table: arrives" onetwothree read 11
# The kernel may take the connection out of the flow table at any time. Its next packet passes the
# rule then, and puts it in again.
unseen=no
for _ in 1 2 3 4 5; do
	before=$(count router refused)
	does "a flow table: bad is sent" written write "$bad"
	does "a flow table: and arrives" "$bad" read 8
	if [ "$(count router refused)" = "$before" ]; then
		unseen=yes
		break
	fi
done
is "a flow table: it was not seen" $unseen yes
does "a flow table: over" "done" hang_up
within router nft delete table inet fast
rules router

# SYNPROXY: the numbers of the two halves of a connection are not the same.
for at in "server input" "router forward"; do
	read -r ns hook <<<"$at"
	must within "$ns" nft -f - <<RULES
table ip guard {
	chain raw { type filter hook prerouting priority raw; tcp dport 9000 tcp flags syn notrack; }
	chain here {
		type filter hook $hook priority filter
		tcp dport 9000 ct state { invalid, untracked } synproxy mss 1460 wscale 7 timestamp sack-perm
		ct state invalid drop
	}
}
RULES
	within "$ns" sh -c 'echo 0 >/proc/sys/net/netfilter/nf_conntrack_tcp_loose; echo 1 >/proc/sys/net/ipv4/tcp_syncookies'
	does "SYNPROXY, $at: no rule" delivered tcp client server $server4 9000 delivered "$bad"
	rules "$ns" "$hook tcp dport 9000 drop"
	does "SYNPROXY, $at: good" delivered tcp client server $server4 9000 delivered "$good"
	does "SYNPROXY, $at: bad" dropped tcp client server $server4 9000 dropped "$bad"
	rules "$ns" "$hook tcp dport 9000 drop stream"
	ask in_vain tcp client server $server4 9000 dropped "$good"
	isnt "SYNPROXY, $at, stream: good does not get through: $answer" "$answer" delivered
	isnt "SYNPROXY, $at, stream: it is untracked" "$(count "$ns" untracked)" 0
	rules "$ns" "$hook tcp dport 9000 drop stream fail open"
	does "SYNPROXY, $at, fail open: good" delivered tcp client server $server4 9000 delivered "$good"
	does "SYNPROXY, $at, fail open: bad" dropped tcp client server $server4 9000 dropped "$bad"
	isnt "SYNPROXY, $at, fail open: it is untracked" "$(count "$ns" untracked)" 0
	rules "$ns"
	within "$ns" nft delete table ip guard
	within "$ns" sh -c 'echo 1 >/proc/sys/net/netfilter/nf_conntrack_tcp_loose'
done

# Bridges: left -- switch -- right, also with tags of a VLAN.
must modprobe -a bridge 8021q
namespace left switch right
ip -n switch link add br0 type bridge
ip -n switch link set br0 up
n=0
for ns in left right; do
	ip -n $ns link add eth0 type veth peer name $ns netns switch
	ip -n switch link set $ns master br0
	ip -n switch link set $ns up
	ip -n $ns link set eth0 up
	ip -n $ns link add eth0.5 link eth0 type vlan id 5
	ip -n $ns link set eth0.5 up
	n=$((n + 1))
	for at in eth0:7 eth0.5:8; do
		ip -n $ns addr add 10.${at#*:}.0.$n/24 dev ${at%:*}
		ip -n $ns addr add fd0${at#*:}::$n/64 dev ${at%:*} nodad
	done
done
plain="10.7.0.2 fd07::2" tagged="10.8.0.2 fd08::2"
setting() { # NAME=VALUE...: of the bridges
	local word
	for word; do within switch sh -c "echo ${word#*=} >/proc/sys/net/bridge/bridge-nf-${word%=*}"; done
}
for address in $plain $tagged; do
	does "$address can be reached" delivered udp left right "$address" 9000 hello
done
bridged() { # NAME WANTED ADDRESS...
	local address
	rules switch "forward udp dport 9000 drop"
	for address in "${@:3}"; do
		does "$1, $address: good" delivered udp left right "$address" 9000 "$good"
		does "$1, $address: bad is $2" "$2" udp left right "$address" 9000 "$bad"
		does "$1, $address: bad, in fragments, is $2" "$2" udp left right "$address" 9000 "2000*a+$bad+2000*b"
	done
	[ "$2" = dropped ] || is "$1: the rule has not seen it" "$(count switch packets)" 0
	rules switch
}
# shellcheck disable=SC2086 # lists of addresses
{
	if built_in br_netfilter; then
		skip 13 "br_netfilter is part of this kernel"
	else
		bridged "a bridge, without br_netfilter" delivered $plain $tagged
	fi
	must modprobe br_netfilter
	setting call-iptables=1 call-ip6tables=1 filter-vlan-tagged=0
	bridged "br_netfilter" dropped $plain
	bridged "br_netfilter, tagged" delivered $tagged
	setting filter-vlan-tagged=1
	bridged "br_netfilter, filter-vlan-tagged" dropped $plain $tagged
	rules switch "forward tcp dport 9000 drop stream"
	for address in $plain $tagged; do
		does "br_netfilter, stream, $address: text" whole whole left right $address 9000 100000 1
		does "br_netfilter, stream, $address: a connection" connected dial left right $address 9000
		before=$(count switch refused)
		does "br_netfilter, stream, $address: E0, and 80 AF" written write 'ab\xe0' '\x80\xafcd'
		ok "br_netfilter, stream, $address: is refused" until_true 60 counted switch refused $((before + 1))
		does "br_netfilter, stream, $address: over" "done" hang_up
	done
	rules switch
	setting call-iptables=0 call-ip6tables=0
	bridged "br_netfilter, not for iptables" delivered $plain $tagged
}

# A container with a macvlan: its packets pass by the rules of the host.
must modprobe macvlan
ip -n switch link set left nomaster
must ip -n switch link add mv0 link left type macvlan mode bridge
must ip -n switch link set mv0 netns right
ip -n right addr add 10.9.0.2/24 dev mv0
ip -n right link set mv0 up
ip -n left addr add 10.9.0.1/24 dev eth0
rules switch "forward udp dport 9000 drop" "input udp dport 9000 drop"
does "macvlan: bad arrives" delivered udp left right 10.9.0.2 9000 "$bad"
is "macvlan: the rules have not seen it" "$(count switch packets)" 0
rules switch
rules right "input udp dport 9000 drop"
does "macvlan, a rule in the container: good" delivered udp left right 10.9.0.2 9000 "$good"
does "macvlan, a rule in the container: bad" dropped udp left right 10.9.0.2 9000 "$bad"
rules right
ip -n right link del mv0
ip -n switch link set left master br0

# A VRF: what is sent passes output twice, first with the VRF for its device, and not tracked.
must modprobe vrf
ip -n left link add vrf0 type vrf table 10
ip -n left link set vrf0 up
ip -n left link set eth0 master vrf0
ip -n left addr add fd07::1/64 dev eth0 nodad
for address in $plain; do
	vrf=(left vrf0 right "$address" 9000)
	does "VRF, $address: no rule" delivered bound "${vrf[@]}" udp delivered "$bad"
	rules left "output udp dport 9000 drop"
	does "VRF, $address: good" delivered bound "${vrf[@]}" udp delivered "$good"
	does "VRF, $address: bad" dropped bound "${vrf[@]}" udp dropped "$bad"
	rules left "output udp dport 9000 oif vrf0 count" "output udp dport 9000 oif eth0 drop"
	does "VRF, $address: bad, by the device" refused bound "${vrf[@]}" udp dropped "$bad"
	is "VRF, $address: was seen at both" "$(counters left audited refused)" "1 1 "
	rules left "output tcp dport 9000 drop stream"
	ask in_vain bound "${vrf[@]}" tcp dropped "$good"
	isnt "VRF, $address: stream: good does not get through: $answer" "$answer" delivered
	isnt "VRF, $address: stream: it is untracked" "$(count left untracked)" 0
	rules left "output tcp dport 9000 oif eth0 drop stream"
	does "VRF, $address: stream by the device: good" delivered bound "${vrf[@]}" tcp delivered "$good"
	does "VRF, $address: stream by the device: bad" dropped bound "${vrf[@]}" tcp dropped "$bad"
	is "VRF, $address: stream by the device: followed" "$(count left untracked)" 0
	rules left
done

for ns in left switch right; do ip netns del $ns; done
for ns in client router server; do ip netns del $ns; done
ok "the module unloads" rmmod utf8guard_nf
done_testing
