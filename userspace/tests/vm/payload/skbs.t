#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Packets of all kinds: what the kernel makes of segments and datagrams on its way (pages, lists,
# GSO, GRO, BIG TCP), fragments, headers of all sorts, true or not, and what is inside of tunnels.
# A remote peer sends them. packets.t has plain ones, selectors.t real SCTP and UDP-Lite.
#
# promise remote peer: bad text is refused in fragments, after headers of all sorts, in what GSO,
#   GRO and BIG TCP make of it, and where it comes out of a tunnel; good text arrives
# shown by: $*: bad
# shown by: refused as a whole
# shown by: it was refused where it came out
# shown by: $at: bad in the hole does not
# shown by: bad in one of many
# promise root of a user namespace: what a tunnel of his is yet to divide into datagrams, with headers
#   that nobody has seen, is not taken for text that was judged
# shown by: a tunnel: it cannot be read
# shown by: $*: good
# promise root of a user namespace: a checksum that is written after a rule has judged the packet
#   makes no other text, and no other port, of what it has judged
# shown by: a checksum in the payload, $rule: bad
# shown by: a checksum in other headers
# promise local user: what he changes in the pages of a packet after a rule that acts has judged
#   it does not arrive: its receiver has it as it was sent
# shown by: $kind to $address: $rule
# shown by: lent pages, $rule
# promise remote peer: from a virtual machine that lends its pages to the host, he does not change the
#   port of a packet after a rule was looked for
# shown by: lent headers, $1
# promise local user: he does not change the port of what he sends into a tunnel after a rule was
#   looked for where it comes out
# shown by: another port is changed: bad

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
modprobe sch_netem

if ! load service || ! load nf; then bail_out "the modules do not load"; fi
network
wires skbs.py

bad='a/..\xc0\xae..' good='na\xc3\xafve'
all() { rules router "forward tcp dport 9000 drop" "forward udp dport 9000 drop" \
	"forward sctp dport 9000 drop" "forward udplite dport 9000 drop"; }
judged() { # LAYERS [KEY=VALUE...]: bad text is refused, good gets through
	does "$*: good" through through "$1" "$good" "${@:2}"
	does "$*: bad" stopped through "$1" "$bad" "${@:2}"
}
unruled() { echo "$(status empty) $(status unmatched) $(status unparsed) $(status fragments)"; }
all_unruled() { echo $(($(unruled | tr ' ' +))); }
passed() { # LAYERS [KEY=VALUE...]: no rule looks, but it is counted
	local before others
	before=$(count router packets) others=$(all_unruled)
	does "$*: bad passes" through through "$1" "$bad" "${@:2}"
	is "$*: it was not looked at" "$(count router packets)" "$before"
	ok "$*: but counted as such" [ "$(all_unruled)" -gt "$others" ]
}

# Headers. Port numbers and payload are after all of them.
all
for headers in ip4 ip47 ip6 ip6/hop ip6/dest ip6/routing ip6/ah ip6/frag ip6/dest/frag ip6/hop/dest/routing/dest \
	ip6/hop/frag/dest ip6/dest/dest/dest/dest/dest/dest/dest/dest/dest/dest/dest/dest; do
	judged $headers/udp
	judged $headers/tcp
done
is "those are all that were refused" "$(count router refused)" 24

# More extension headers than this module reads, which other receivers may: with a fragment of them.
dests=$(printf 'dest/%.0s' {1..13})
before=$(status unparsed)
does "13 extension headers: bad does not go on" stopped through "ip6/${dests}udp" "$bad"
does "13 extension headers: nor does good" stopped through "ip6/${dests}tcp" "$good"
does "hundreds, in fragments: nor do they" stopped through "ip6/$(printf 'dest/%.0s' {1..400})udp" "$bad" pieces=0:1400,1400:2800,2800:
ok "they are counted as unparsed" [ "$(status unparsed)" -ge $((before + 3)) ]
rules server "input udp dport 9000 drop"
rules router
does "12 extension headers arrive" 'na\xc3\xafve' arrives "ip6/${dests#dest/}udp" "$good"
does "13 do not" nothing arrives "ip6/${dests}udp" "$bad"
rules server
all
for headers in ip4 ip6; do
	judged $headers/udplite
	judged $headers/udplite coverage=8
	judged $headers/sctp/data
	judged $headers/sctp/idata
	does "$headers/sctp: bad in the third chunk" stopped through $headers/sctp/data "$good|abc|$bad|$good"
	does "$headers/sctp: four good ones" through through $headers/sctp/data "$good|abc|d|$good"
	does "$headers/sctp: what is no message" through through $headers/sctp/heartbeat "$bad"
	does "$headers/sctp: a chunk that says it is longer" stopped through $headers/sctp/data "$bad" length=+40
	does "$headers/sctp: a length of none" through through $headers/sctp/data "$bad" length=3
	for kind in data idata; do
		sctp=$headers/sctp/$kind
		does "$sctp: a first piece may end in a character" through through $sctp 'abc\xe2\x82' flags=2
		does "$sctp: but not begin in one" stopped through $sctp '\x82\xacabc' flags=2
		does "$sctp: a last piece may begin in one" through through $sctp '\x82\xacabc' flags=1
		does "$sctp: but not end in one" stopped through $sctp 'abc\xe2\x82' flags=1
		does "$sctp: one between may do both" through through $sctp '\xacabc\xe2' flags=0
	done
done

# Without payload there is nothing to judge, nor to count.
before=$(count router packets)
for layers in ip4/udp ip6/udp ip4/tcp ip6/tcp ip4/udplite ip4/sctp ip4/sctp/data; do
	does "$layers: empty" through through $layers ''
done
is "none of them was counted" "$(count router packets)" "$before"
ok "but as empty" [ "$(status empty)" -ge 7 ]
within router utf8guard reset
is "until a reset" "$(unruled)" "0 0 0 0"
does "a port without a rule" through through ip4/udp:9001 "$bad"
like "is counted as unmatched" "$(status unmatched)" '^[1-9]'

# Lengths that are not true.
does "UDP says that it is shorter: what is left is judged" stopped through ip4/udp 'abc\xff+defg' length=14
does "and what is cut off is not" through through ip4/udp 'abcdef+\xff' length=14
rules server "input udp dport 9000 drop"
does "for nobody gets it" abcdef arrives ip4/udp 'abcdef+\xff' length=14
does "of IPv6, too" abcdef arrives ip6/udp 'abcdef+\xff' length=14
does "it says that it is longer: nobody gets that" nothing arrives ip4/udp "$good" length=+5
rules server
all
judged ip4/udp length=+5
judged ip6/udp length=+5
does "it has a length of none: all is judged" stopped through ip6/udp "$bad" length=0
does "of less than its header" stopped through ip4/udp "$bad" length=7
does "IP says that it is longer: the kernel drops it" stopped through ip4/udp "$good" total=+5
does "that it is shorter: what is after its end is no text" through through ip4/tcp 'abcdef+\xff' total=-1
does "of IPv6, too" through through ip6/tcp 'abcdef+\xff' total=-1
does "the octet before it is" stopped through ip4/tcp 'abcde\xff+g' total=-1
does "TCP with options" stopped through ip4/tcp '\x01\x01\x01\x01'"$bad" doff=6
does "which are no text" through through ip4/tcp '\xff\xff\xff\xff'"$good" doff=6
# Of these there are no ports to be known, or no payload: no receiver takes them.
before=$(status unparsed)
passed ip4/tcp doff=15
passed ip4/tcp doff=4
ok "they are counted as unparsed" [ "$(status unparsed)" -gt "$before" ]

# Packets with a wrong checksum are judged like others; the receiver throws them away.
for layers in ip4/udp ip6/udp ip4/tcp ip4/udplite; do judged $layers checksum=bad; done
rules server "input udp dport 9000 drop"
does "a datagram whose checksum is wrong" nothing arrives ip4/udp "$good" checksum=bad

# Fragments. 8 octets of them are the header of UDP; C0 and AE end one and begin another.
text='4*a+\xc3\xa9\xc3\xa9+10*b+\xc3\xa9' wrong='7*a+\xc0+\xae+7*a'
for ip in ip4 ip6; do
	rules router
	rules server "input udp dport 9000 drop"
	is "$ip: a rule of the server" "$(count server packets)" 0
	for pieces in 0:16,16: 16:,0:16 0:8,8:16,16:24,24: 24:,8:16,0:8,16:24 0:16,0:16,16: 0:16,16:24,16:24,24:; do
		does "$ip, fragments $pieces: good" 'aaaa\xc3\xa9\xc3\xa9bbbbbbbbbb\xc3\xa9' arrives $ip/udp "$text" pieces=$pieces
	done
	is "$ip: each was judged once, as a whole" "$(count server packets)" 6
	for pieces in 0:16,16: 16:,0:16 0:8,8:16,16:; do
		does "$ip, fragments $pieces: bad" nothing arrives $ip/udp "$wrong" pieces=$pieces
	done
	is "$ip: refused as a whole" "$(count server refused)" 3
	for pieces in 0:16,8:24:goodgood+4*x+good,16: 0:16,16:24:goodgood,8:24,24:; do
		does "$ip, fragments that overlap, $pieces: not put together" nothing arrives $ip/udp "$text" "pieces=$pieces"
	done
	does "$ip, one that lies in another: the first is taken" 'aaaa\xc3\xa9\xc3\xa9bbbbbbbbbb\xc3\xa9' \
		arrives $ip/udp "$text" 'pieces=0:24,16:24:\xc0\xae+6*a,24:'
	is "$ip: and judged" "$(count server refused)" 3
	does "$ip, two of the same octets, the first bad: it is taken" nothing \
		arrives $ip/udp "$text" 'pieces=0:16,16:24:\xc0\xae+6*a,16:24,24:'
	is "$ip: and refused" "$(count server refused)" 4
	rules server
	all
	does "$ip: a segment in fragments: good" through through $ip/tcp "$text" pieces=32:,0:24,24:32
	does "$ip: bad" stopped through $ip/tcp "4*a+$wrong" pieces=32:,0:24,24:32
	does "$ip: SCTP in fragments: good" through through $ip/sctp/data "abc|aaaaaaaa$good" pieces=0:24,24:56,56:
	does "$ip: bad in the second message" stopped through $ip/sctp/data "abc|aaaaaaaa$bad" pieces=0:24,24:56,56:
	rules router "forward tcp dport 9001-9002 drop stream"
	does "$ip, stream: a segment in fragments: good" through through $ip/tcp:9001 "$text" pieces=32:,0:24,24:32
	does "$ip, stream: bad" stopped through $ip/tcp:9002 "4*a+$wrong" pieces=32:,0:24,24:32
	is "$ip, stream: it was refused as a whole" "$(count router refused) $(count router packets)" "1 2"
	all
	does "$ip: the last one is missing" stopped through $ip/udp "$text" pieces=0:16
	does "$ip: the first one is" stopped through $ip/udp "$text" pieces=16:
done

# The MTU of the loopback device is 65536 octets; a packet of IPv6 may have some more.
for how in untracked tracked; do
	[ $how = untracked ] || within server nft -f - <<'RULES'
table inet tracks {
	chain input {
		type filter hook input priority filter
		ct state invalid counter
	}
}
RULES
	rules server "input udp dport 9000 drop"
	does "$how, in fragments to this host: good" delivered udp server server ::1 9000 '65527*a'
	does "$how, in fragments to this host: bad" dropped udp server server ::1 9000 '65000*a+\xc0\xae+525*b'
	is "$how: it was refused as a whole" "$(count server refused) $(count server packets)" "1 4"
	does "$how, of another host: bad" dropped fragmenting client server $server6 9000 '2999*a+\xc0\xae+3000*b'
done
within server nft flush ruleset
rules server

# A first fragment that does not have all headers is let through: no receiver makes a packet of it.
rules router
rules server "input udp dport 9000 drop"
does "ip6: a header in two fragments" nothing arrives ip6/dest/udp "$bad" pieces=0:8,8:
does "ip6: a fragment in a fragment" nothing arrives ip6/frag/frag/udp "$bad"
does "ip6: a fragment in two fragments" nothing arrives ip6/frag/frag/frag/udp "$bad"

# Extension headers before the fragment header. Where netfilter has put such a packet together, the
# kernel goes on after the fragment header, but takes what is there for what the first extension
# header names. By itself it would receive UDP to which the headers do not lead, and not receive UDP
# to which they do.
for how in tracked untracked; do
	[ $how = tracked ] || within server nft add table ip6 raw '{ chain early {
		type filter hook prerouting priority -450; notrack; }; }'
	rules server "input udp dport 9000 drop"
	for headers in hop dest hop/dest dest/dest; do
		layers=${headers//[^\/]/}x
		ahead=$((8 * ${#layers}))
		does "$how, ip6/$headers/frag: good" 'na\xc3\xafve' arrives ip6/$headers/frag/udp "$good"
		does "$how, ip6/$headers/frag: bad" nothing arrives ip6/$headers/frag/udp "$bad"
		does "$how, ip6/$headers, in fragments: good" 'aaaa\xc3\xa9\xc3\xa9bbbbbbbbbb\xc3\xa9' \
			arrives ip6/$headers/udp "$text" ahead=$ahead pieces=16:,0:16
		does "$how, ip6/$headers, in fragments: bad" nothing \
			arrives ip6/$headers/udp "$wrong" ahead=$ahead pieces=0:16,16:
	done
	is "$how: each was judged" "$(count server packets) $(count server refused)" "16 8"
	for headers in dest hop/dest dest/dest; do
		for after in dest frag dest/frag; do
			does "$how, ip6/$headers/frag of another protocol, $after before UDP" nothing \
				arrives ip6/$headers/frag:253/$after/udp "$bad"
		done
	done
	is "$how: nor were those" "$(count server packets)" 16
done
within server nft delete table ip6 raw
rules server

# What is still a fragment here, the next host would put together: it does not go on, and no sender
# makes such packets. After 256 octets of other headers the kernel loses its way, and leaves a
# fragment header where there is none.
all
for headers in frag/frag frag/dest/frag dest/frag/frag dest:20/dest:20/dest/frag:253/frag; do
	does "ip6/$headers: does not go on" stopped through ip6/$headers/udp "$bad"
done
like "they are counted as fragments" "$(status fragments)" '^[1-9]'
does "ip6/frag/frag, in fragments: does not go on" stopped through ip6/frag/frag/tcp "$text" pieces=0:40,40:

# What is inside of tunnels is judged where it comes out of them, and nowhere else.
all
for layers in ip4/gre/ip4/udp ip4/gre/ip6/tcp ip4/ip4/udp ip4/ip6/udp ip6/ip4/tcp ip6/ip6/udp ip4/esp ip4/ah/udp \
	ip4/udp:4789/vxlan/eth/ip4/udp ip6/udp:4789/vxlan/eth/ip6/tcp; do
	passed $layers
done
rules router "forward udp dport 4789 drop gate off"
does "a rule for the outer port is for what is in there" stopped through ip4/udp:4789/vxlan/eth/ip4/udp "$bad"
is "and what is no text is refused" "$(count router refused)" 1
does "another port" through through ip4/udp:4788/vxlan/eth/ip4/udp "$bad"
rules router
# A packet of fragments that have come in fragments themselves: the kernel makes a list of lists. The
# first octets of the text are in the first fragment of the first one, the others in lists. 8 octets
# are the header of UDP, 20 that of TCP.
japanese=$(printf '\\xe6\\x97\\xa5%.0s' {1..66})
nested() { # LAYERS: of UDP, out of tun9
	local lists=("inner=0:104,104:" "pieces=0:72,72:") at="${1%/*}, fragments in fragments" kind
	rules server "input udp dport 9000 iif tun9 drop fail closed"
	does "$at: good arrives" "a${japanese}a" arrives "$1" 'a+66*\xe6\x97\xa5+a' "${lists[@]}"
	does "$at: bad in the hole does not" nothing arrives "$1" '60*a+\xc0\xae+138*a' "${lists[@]}"
	is "$at: that was refused, and all could be read" \
		"$(count server refused) $(count server unreadable)" "1 0"
	rules server "input udp dport 9000 iif tun9 audit"
	ask arrives "$1" '60*a+\xc0\xae+138*a' "${lists[@]}"
	is "$at: bad arrives if it is only audited" "$answer" \
		"$(printf 'a%.0s' {1..60})\xc0\xae$(printf 'a%.0s' {1..138})"
	is "$at: which it was" "$(count server audited) $(count server unreadable)" "1 0"
	for kind in "" " stream" " stream gate on"; do
		rules server "input tcp dport 9001-9002 iif tun9 drop$kind"
		does "$at, TCP$kind: good" nothing \
			arrives "${1%udp}tcp:9001" 'a+66*\xe6\x97\xa5+a' "${lists[@]}"
		does "$at, TCP$kind: bad" nothing arrives "${1%udp}tcp:9002" '60*a+\xc0\xae+138*a' "${lists[@]}"
		is "$at, TCP$kind: which was refused, and all could be read" \
			"$(count server packets) $(count server refused) $(count server unreadable)" "2 1 0"
	done
}
tunnel() { # LAYERS MODULE ADD...
	if ! modprobe "$2" || ! ip -n server link add tun9 "${@:3}" || ! ip -n server link set tun9 up; then
		ip -n server link del tun9 2>/dev/null
		skip 18 "no $2"
		return
	fi
	does "$1: good arrives" 'na\xc3\xafve' arrives "$1" "$good"
	rules server "input udp dport 9000 iif tun9 drop"
	does "$1: bad does not" nothing arrives "$1" "$bad"
	is "$1: it was refused where it came out" "$(count server refused)" 1
	does "$1: good does" 'na\xc3\xafve' arrives "$1" "$good"
	nested "$1"
	rules server
	ip -n server link del tun9
}
tunnel ip4/ip4/udp ipip type ipip local $server4 remote 10.0.1.7
tunnel ip4/ip6/udp sit type sit local $server4 remote 10.0.1.7
tunnel ip4/gre/ip4/udp ip_gre type gre local $server4 remote 10.0.1.7
tunnel ip4/udp:4789/vxlan/eth/ip4/udp vxlan address 02:00:00:00:00:01 type vxlan id 42 dstport 4789 dev eth0

# MSG_ZEROCOPY: each piece of the text is in a page of its own, and none but the first is near the
# headers.
for address in $server4 $server6; do
	rules client "output tcp dport 9000 drop" "output udp dport 9000 drop"
	does "$address: a character in four pages" delivered zerocopy client server "$address" 9000 delivered 'a\xf0|\x9f|\x90|\xa7+99*b'
	does "$address: C0 and AE in two" dropped zerocopy client server "$address" 9000 dropped '99*a+\xc0|\xae+99*b'
	does "$address: a page of one octet" dropped zerocopy client server "$address" 9000 dropped '99*a|b|\xff|c|99*d'
	does "$address: E0, 80 and AF in three, of a datagram" refused zerocopy client server "$address" 9000 udp '99*a+\xe0|\x80|\xaf+99*b'
	does "$address: a character in three, of a datagram" delivered zerocopy client server "$address" 9000 udp '99*a+\xe6|\x97|\xa5+99*b'
	is "$address: none was unreadable" "$(count client unreadable)" 0
	for order in "" " gate on"; do
		rules client "output tcp dport 9000 drop stream$order"
		at="$address, stream$order"
		does "$at: a character in four pages" delivered zerocopy client server "$address" 9000 delivered 'a\xf0|\x9f|\x90|\xa7+99*b'
		does "$at: C0 and AE in two" dropped zerocopy client server "$address" 9000 dropped '99*a+\xc0|\xae+99*b'
		does "$at: E0, 80 and AF in three" dropped zerocopy client server "$address" 9000 dropped '99*a+\xe0|\x80|\xaf+99*b'
		is "$at: is overlong" "$(class client)" overlong
		does "$at: sendfile: a character across two pages" delivered sendfile client server "$address" 9000 delivered '4094*a+\xf0\x9f\x90\xa7+8190*b'
		# TCP sends it again in single segments, and those before the bad one get through.
		ask sendfile client server "$address" 9000 dropped '4095*a+\xe0\x80\xaf+8191*b'
		answer=${answer/dropped/0 octets}
		ok "$at: sendfile: bad across two" [ "${answer% octets}" -le 4096 ]
		is "$at: none was unreadable" "$(count client unreadable)" 0
	done
done
rules client

# Offloads: many segments or datagrams in one skb, which the sender or the router makes.
offload() { # NS DEVICE WORD...
	must within "$1" ethtool -K "$2" "${@:3}"
}
apart() { # NS N: its rules have counted N packets or more, so segments were in as many skbs
	[ "$(count "$1" packets)" -ge "$2" ]
}
together() { ! apart "$@"; }
text='d\xc3\xa9j\xc3\xa0 vu \xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e \xf0\x9f\x90\xa7. '
datagrams() { # HOW NS ADDRESS: 20 datagrams of 100 octets
	does "$1, $3: good datagrams" delivered gso client server "$3" 9000 100 '1000*\xc3\xa9'
	does "$1, $3: a character in two of them" dropped gso client server "$3" 9000 100 '99*a+\xc3\xa9+1899*a'
	is "$1, $3: is truncated" "$(class "$2")" truncated
	rules "$2" "forward udp dport 9000 drop"
	does "$1, $3: C0 in one and AE in the next" dropped gso client server "$3" 9000 100 '1799*a+\xc0\xae+199*a'
	is "$1, $3: is overlong" "$(class "$2")" overlong
}
for address in $server4 $server6; do
	rules router "forward udp dport 9000 drop"
	datagrams "UDP GSO" router "$address"
	ok "$address: and was one skb" together router 10
	# Cut up, and put together again by the router.
	offload client eth0 tx-udp-segmentation off tso off
	for how in rx-udp-gro-forwarding rx-gro-list; do
		offload router eth1 gro on $how on
		rules router "forward udp dport 9000 count"
		does "$how, $address: datagrams" delivered gso client server "$address" 9000 100 '1000*\xc3\xa9'
		ok "$how, $address: were put together" together router 10
		rules router "forward udp dport 9000 drop"
		does "$how, $address: good ones" delivered gso client server "$address" 9000 100 '1000*\xc3\xa9'
		does "$how, $address: a character in two of them" dropped gso client server "$address" 9000 100 '99*a+\xc3\xa9+1899*a'
		is "$how, $address: is truncated" "$(class router)" truncated
		offload router eth1 $how off
	done
	offload router eth1 gro off
	rules server "input udp dport 9000 drop"
	offload server eth0 gro on
	offload router eth2 tso off tx-udp-segmentation off
	rules router
	does "UDP_GRO, $address: good ones" delivered merged client server "$address" 9000 100 '1000*\xc3\xa9'
	does "UDP_GRO, $address: a character in two of them" dropped merged client server "$address" 9000 100 '99*a+\xc3\xa9+99*a'
	offload server eth0 gro off
	offload client eth0 tx-udp-segmentation on tso on
	offload router eth2 tso on tx-udp-segmentation on
done
rules server

# A virtual machine says what the host is to divide its packet into. Sockets get a datagram as a
# whole if that is fragments, so the part of it that is judged is that of the whole.
modprobe tun 2>/dev/null
must ip -n server tuntap add vm0 mode tap vnet_hdr
ip -n server link set vm0 up
rules server "input udp dport 9000 drop scope 8:100"
rest=$(printf 'b%.0s' {1..40})
for size in 8 16; do
	for divided in whole fragments; do
		at="a virtual machine, $divided, $size"
		does "$at: good" "aaaaaaaa$good$rest" machine vm0 "$(mac server vm0)" "$divided" $size "aaaaaaaa+$good+$rest"
		does "$at: bad where nothing is judged" "abc\\xffdefg$rest" machine vm0 "$(mac server vm0)" "$divided" $size "abc\\xff+defg$rest"
		does "$at: bad" nothing machine vm0 "$(mac server vm0)" "$divided" $size "aaaaaaaa+$bad+$rest"
	done
done
if [[ $KERNEL != 6.1.* ]]; then # which does not take these
	does "a virtual machine, datagrams: the part is that of each" 'aaaaaaaa' machine vm0 "$(mac server vm0)" datagrams 8 "aaaaaaaa+$good+$rest"
	does "a virtual machine, datagrams: bad in the first" nothing machine vm0 "$(mac server vm0)" datagrams 16 "aaaaaaaa+$bad+$rest"
	rules server
	does "a virtual machine, datagrams: a length that is less" aaaaaaaaaa machine vm0 "$(mac server vm0)" datagrams 10 '14*a+\xe2\x82\xac' 1
	rules server "input udp dport 9000 drop fail closed"
	does "a virtual machine, datagrams: good" aaaaaaaaaa machine vm0 "$(mac server vm0)" datagrams 10 '14*a+\xe2\x82\xac'
	does "a virtual machine, datagrams: a length that cuts the last" nothing machine vm0 "$(mac server vm0)" datagrams 10 '14*a+\xe2\x82\xac' 1
fi
ip -n server link del vm0
rules server

# A virtual machine also says where a checksum is to be written when the packet leaves the host.
must ip -n router tuntap add vm1 mode tap vnet_hdr
ip -n router link set vm1 up
offload router eth2 tx off
card=$(mac router vm1)
becomes='abcd\xc0\xaeTPT_U`'
rules router
does "a checksum in the payload: the kernel writes it" "$becomes" due "$card" ip4/udp whole 'abcdAATPT_U`' start=12 at=12
for rule in drop "drop fail closed" "mark 1"; do
	rules router "forward udp dport 9000 $rule"
	answer=stopped
	[[ $rule = drop* ]] || answer=$becomes
	does "a checksum in the payload, $rule: bad" "$answer" due "$card" ip4/udp whole 'abcdAATPT_U`' start=12 at=12
	is "a checksum in the payload, $rule: that is overlong" "$(class router)" overlong
	does "a checksum in the payload, $rule: good" 'abcdAB}|' due "$card" ip4/udp whole 'abcdAA}|' start=12 at=12
	does "a checksum in the header, $rule" "$good" due "$card" ip4/udp whole "$good"
	is "a checksum, $rule: all could be read" "$(count router unreadable)" 0
done
rules router "forward udp dport 9000 drop" "forward tcp dport 9000 drop"
before=$(status unparsed)
for wrong in "udp:9001 whole $bad start=0 at=2 sum=2328" "udp:9001 whole $bad start=-8 at=2 sum=2328" \
	"tcp:9001 whole $bad start=0 at=2 sum=2328" 'tcp whole abcdAATPT_U` start=24 at=24' \
	"tcp segments 24*a size=8 start=20 at=36" "udp segments 24*a size=8"; do
	# shellcheck disable=SC2086 # words
	does "a checksum in other headers, $wrong" stopped due "$card" ip4/$wrong
done
is "these are counted as unparsed" "$(status unparsed)" $((before + 6))
does "segments: a checksum in the header" aaaaaaaa due "$card" ip4/tcp segments '16*a' size=8

# A datagram that is to be divided into fragments (UFO): of each but the last, a receiver takes
# eights of octets.
rules router "forward udp dport 9000 drop fail closed"
does "fragments of 16" 'aaaaaaaa' due "$card" ip4/udp fragments '40*a' size=16
does "fragments of 20" stopped due "$card" ip4/udp fragments '40*a' size=20
is "cannot be read" "$(count router unreadable)" 1
ip -n router link del vm1
offload router eth2 tx on
rules router

# A tunnel in UDP makes the headers of each of its datagrams when these are divided, which may be
# after they were judged. A user has one in a network namespace of his own.
if modprobe vxlan 2>/dev/null; then
	must ip -n client link add vx type vxlan id 1 remote "$server4" dstport 9000 dev eth0 noudpcsum
	ip -n client addr add 10.9.0.1/24 dev vx
	ip -n client link set vx addrgenmode none mtu 1400 up
	ip -n client neigh add 10.9.0.2 lladdr 02:00:00:00:00:02 dev vx
	at_least_one() { [ "$(count router packets)" -ge 1 ]; } # it may have sent something of its own
	through_tunnel() { # OCTETS: datagrams of up to 1000, in one skb
		ip netns exec client python3 -c 'import socket, sys
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
s.setsockopt(socket.IPPROTO_UDP, 103, 1000)
s.sendto(b"a" * int(sys.argv[1]), ("10.9.0.2", 9000))' "$1"
	}
	# The headers of the tunnel are no text, so what is judged begins after the first of them.
	rules router "forward udp dport 9000 drop scope 100:200 gate off"
	ok "a tunnel: what is yet to be divided" through_tunnel 2600
	ok "a tunnel: it cannot be read" until_true 60 counted router unreadable 1
	rules router "forward udp dport 9000 drop scope 100:200 gate off"
	ok "a tunnel: one datagram" through_tunnel 600
	ok "a tunnel: is read" until_true 60 at_least_one
	is "a tunnel: as any" "$(count router unreadable) $(count router refused)" "0 0"
	ip -n client link del vx
	rules router
else
	skip 5 "this kernel has no vxlan"
fi

lists=(off)
[[ $KERNEL = 6.1.* ]] || lists+=(on) # before 6.10, lists are for UDP alone
offload client eth0 tso off gso off
send_again() { # ADDRESS RULE
	rules router "$2"
	ask transfer client server "$1" 9000 300000 "$text"
	[ "$answer" = delivered ] && together router $((300000 / 1448))
}
# A router that is slow gets segments one by one, and puts none together: then it is tried again.
in_time() { together router $((300000 / 1448)) || until_true 300 send_again "$@"; }
big() { # NAME NS ADDRESS OCTETS TEXT: after so many good octets; NS refuses it
	does "$1: is sent" sent big client server "$3" 9000 "$4" "$5"
	ok "$1: is refused" until_true 60 counted "$2" refused 1
	does "$1: not all of it arrives" "not all of it" rest
}
for address in $server4 $server6; do
	for list in "${lists[@]}"; do
		offload router eth1 gro on rx-gro-list "$list"
		for rule in "forward tcp dport 9000 drop"{,\ stream,\ stream\ gate\ on}; do
			at="GRO, list $list, $address${rule#*drop}"
			rules router "$rule"
			does "$at: text" delivered transfer client server "$address" 9000 300000 "$text"
			ok "$at: segments were put together" in_time "$address" "$rule"
			is "$at: none was refused" "$(count router refused) $(count router unreadable)" "0 0"
			big "$at: bad in one of many" router "$address" 0 '20000*a+\xc0\xae+9000*b'
			is "$at: is overlong" "$(class router)" overlong
		done
	done
	offload router eth1 gro off rx-gro-list off
	rules router "forward tcp dport 9000 drop"
	does "no GRO, $address: text" delivered transfer client server "$address" 9000 100000 "$text"
	ok "no GRO, $address: segments are apart" apart router $((100000 / 1448))
done
offload client eth0 tso on gso on

# BIG TCP: more octets than the length of an IP header can say. 6.1 has it for IPv6.
for ns in client server; do
	within $ns sh -c 'echo 20 >/proc/sys/net/ipv4/tcp_tso_rtt_log
		echo 4096 4000000 8000000 | tee /proc/sys/net/ipv4/tcp_rmem >/proc/sys/net/ipv4/tcp_wmem'
done
for at in "client eth0" "router eth1" "router eth2" "server eth0"; do
	# shellcheck disable=SC2086 # a namespace and a device
	does "$at: 200,000 octets in one" "error 0" sizes $at 200000
done
ip -n client route del default via 10.0.1.254 && ip -n client route add default via 10.0.1.254 initcwnd 1000
ip -n client route del default via fd00:1::254 && ip -n client route add default via fd00:1::254 initcwnd 1000
# A router of Linux counts the header that has the length as a part of each segment: room for that.
ip -n router link set eth2 mtu 1600
ip -n server link set eth0 mtu 1600
addresses=("$server6")
[[ $KERNEL = 6.1.* ]] || addresses+=("$server4")
for address in "${addresses[@]}"; do
	for at in "client output" "router forward" "server input" "router forward stream" "server input stream gate on"; do
		read -r ns hook stream <<<"$at"
		rules "$ns" "$hook tcp dport 9000 drop $stream"
		log_mark
		big "BIG TCP, $at to $address" "$ns" "$address" 2000000 '70000*a+\xc0\xae+80000*b'
		length=$(log_since op=utf8guard-payload | sed -n 's/.* len=\([0-9]*\).*/\1/p' | sort -n | tail -n 1)
		ok "BIG TCP, $at to $address: $length octets in one" [ "${length:-0}" -gt 65536 ]
		is "BIG TCP, $at to $address: none was unreadable" "$(count "$ns" unreadable)" 0
		rules "$ns"
	done
done

# Pages that the sender still has, and changes when they have been judged.
change() { # NAME WANTED KIND FROM ADDRESS [OCTETS]
	does "$1" "$2" changing "$4" server "$5" 9000 "$3" "${6:-1024}*a" "511*a+\xc0\xae+$((${6:-1024} - 513))*a"
}
for address in $server4 $server6; do
	kinds=(tcp)
	[[ $KERNEL = 6.1.* ]] || kinds+=(udp) # it copies what is sent in datagrams
	for at in "server server output" "server server input" "client router forward" "client server input" "client client output"; do
		read -r from ns hook <<<"$at"
		for kind in "${kinds[@]}"; do
			rules "$ns" "$hook $kind dport 9001 drop"
			change "$at, $kind to $address: no rule fits" "as changed" "$kind" "$from" "$address"
			rules "$ns" "$hook $kind dport 9000 count"
			change "$at, $kind to $address: counted" "as changed" "$kind" "$from" "$address"
			for rule in drop "mark 1" "drop fail closed"; do
				rules "$ns" "$hook $kind dport 9000 $rule"
				change "$at, $kind to $address: $rule" "as sent" "$kind" "$from" "$address"
				is "$at, $kind to $address: $rule: read" "$(count "$ns" unreadable)" 0
			done
			[ "$kind" = tcp ] || continue
			for rule in "stream" "stream gate on"; do
				rules "$ns" "$hook tcp dport 9000 drop $rule"
				change "$at, tcp to $address: $rule" "as sent" tcp "$from" "$address"
				is "$at, tcp to $address: $rule: read" "$(count "$ns" unreadable)" 0
			done
		done
		rules "$ns"
	done
	[ ${#kinds[@]} = 2 ] || continue
	# In fragments: a list of packets, each of which has a page.
	for at in "client output" "router forward" "server input"; do
		read -r ns hook <<<"$at"
		rules "$ns" "$hook udp dport 9000 count"
		change "$at, fragments to $address: counted" "as changed" udp client "$address" 4096
		rules "$ns" "$hook udp dport 9000 drop"
		change "$at, fragments to $address: drop" "as sent" udp client "$address" 4096
		is "$at, fragments to $address: drop: read" "$(count "$ns" unreadable) $(count "$ns" packets)" "0 1"
		rules "$ns"
	done
done
# Where a tunnel ends, these pages may have headers of what comes out of it.
if [[ $KERNEL = 6.1.* ]]; then
	skip 4 "this kernel copies what is sent in datagrams"
elif ! modprobe vxlan 2>/dev/null; then
	skip 4 "this kernel has no vxlan"
else
	must ip -n router link add vx address 02:00:00:00:00:01 type vxlan id 42 dstport 4789 dev eth1
	# Both look at headers before routing, and so copy them.
	offload router vx gro off
	within router sh -c 'echo 0 >/proc/sys/net/ipv4/ip_early_demux'
	ip -n router link set vx up
	must tc -n router qdisc add dev eth2 root netem delay 1s
	headers=(recast 02:00:00:00:00:01 9000 9002)
	rules router
	does "headers in a tunnel, no rule: bad arrives" "$bad" "${headers[@]}" "$bad"
	rules router "forward udp dport 9000 drop"
	does "headers in a tunnel, another port is changed: bad" nothing "${headers[@]}" "$bad"
	rules router "forward udp dport 9002 drop"
	does "headers in a tunnel, the port of the rule is: bad" nothing "${headers[@]}" "$bad"
	is "headers in a tunnel: that was refused" "$(count router refused)" 1
	rules router
	tc -n router qdisc del dev eth2 root
	ip -n router link del vx
	within router sh -c 'echo 1 >/proc/sys/net/ipv4/ip_early_demux'
fi
# Pages that the driver of a device gives back to their owner when the packet is gone.
must insmod "$UTF8GUARD_MODULES/test/utf8guard_fog.ko" port=9000
lent=/sys/module/utf8guard_fog/parameters/lent
for rule in count drop "drop stream"; do
	rules router "forward tcp dport 9000 $rule"
	echo 1 >$lent
	[ "$rule" = count ] && wanted="as changed" || wanted="as sent"
	change "lent pages, $rule" "$wanted" tcp client $server4
	is "lent pages, $rule: they were" "$(cat $lent)" 0
	is "lent pages, $rule: read" "$(count router unreadable)" 0
done
# Or of a virtual machine, which may have headers in them. It writes another port there after the
# packet was judged, or after connection tracking has looked at it.
changed=/sys/module/utf8guard_fog/parameters/changed
echo 9002 >/sys/module/utf8guard_fog/parameters/port
headers() { # NAME WANTED COMMAND...
	echo 9000 >$changed
	does "lent headers, $1" "$2" "${@:3}"
	is "lent headers, $1: the port was changed" "$(cat $changed)" 0
}
unparsed=$(status unparsed)
rules router
headers "no rule: bad arrives" "$bad" arrives ip4/udp:9002 "$bad"
for rule in "udp dport 9000 drop" "udp dport 9000 audit" "tcp dport 9000 drop"; do
	rules router "forward $rule"
	headers "$rule: bad" nothing arrives ip4/udp:9002 "$bad"
done
# The sender would choose a direction of connection tracking, and the connection.
for direction in original reply; do
	rules router "forward udp dport 9002 direction $direction drop"
	headers "$direction: bad" nothing arrives ip4/udp:9002 "$bad"
	is "lent headers, $direction: that was refused" "$(count router refused)" 1
done
rules router "forward udp dport 9002 drop"
headers "a rule for the first port: bad" nothing arrives ip4/udp:9002 "$bad"
is "lent headers: that was refused" "$(count router refused)" 1
# Nor is a connection marked for what may be of another one.
within router nft -f - <<'RULES'
table inet marks {
	chain forward {
		type filter hook forward priority filter + 1
		ct mark 0x70 drop
	}
}
RULES
rules router "forward udp dport 9002-9003 ctmark 0x70"
headers "ctmark: bad" nothing arrives ip4/udp:9002 "$bad"
is "lent headers, ctmark: it was found" "$(count router audited)" 1
does "lent headers, ctmark: its connection goes on" through through ip4/udp:9002 "$good"
# Of what begins with bad, connection tracking would forget all.
does "lent headers, ctmark: another connection" through through ip4/udp:9003 "$good"
does "lent headers, ctmark: bad that is not lent" stopped through ip4/udp:9003 "$bad"
does "lent headers, ctmark: its connection does not go on" stopped through ip4/udp:9003 "$good"
# Where rules need connection tracking, it looks at what cannot change any more.
echo 0 >/sys/module/utf8guard_fog/parameters/hook
rules router "forward udp dport 9002 drop"
headers "before routing, no tracking: another port is changed" "$bad" arrives ip4/udp:9002 "$bad"
for rule in "udp dport 9001 direction original drop" "udp dport 9001 ctmark 0x70" "tcp dport 9001 drop stream"; do
	rules router "forward udp dport 9004 drop" "forward $rule"
	headers "before routing, $rule" nothing arrives ip4/udp:9002 "$bad"
	is "lent headers, before routing, $rule: all were parsed" "$(status unparsed)" "$unparsed"
done
rules router "forward udp dport 9002 ctmark 0x70"
does "lent headers, before routing, ctmark: good" through through ip4/udp:9002 "$good"
headers "before routing, ctmark" nothing arrives ip4/udp:9002 "$bad"
is "lent headers, before routing, ctmark: it was found" "$(count router audited)" 1
does "lent headers, before routing, ctmark: its connection does not go on" stopped through ip4/udp:9002 "$good"
within router nft flush ruleset
echo 2 >/sys/module/utf8guard_fog/parameters/hook
rules router "forward tcp dport 9000 drop stream"
echo 1 >/sys/module/utf8guard_fog/parameters/early
headers "stream: another connection" stopped through ip4/tcp:9002 "$good"
is "lent headers, stream: it is untracked" "$(count router untracked) $(count router packets)" "1 1"
# Nor does one without payload tell of a connection that is not the one of connection tracking.
does "lent headers, stream: that connection" through through ip4/tcp:9002 "$good"
for control in 16 17 4; do
	rules router "forward tcp dport 9000 drop stream"
	headers "stream: flags $control" stopped through ip4/tcp:9002 "" control=$control
	is "lent headers, stream: flags $control: untracked" "$(count router untracked)" 1
done
rules router
must rmmod utf8guard_fog
for ns in client router server; do ip netns del $ns; done
ok "the module unloads" rmmod utf8guard_nf
done_testing
