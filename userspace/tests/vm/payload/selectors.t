#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a rule of the payload check can say: which packets, what of them, what it refuses, and what it
# does then. A sender's real traffic shows that each word does what the manual says. packets.t has
# ports, addresses and hooks, skbs.t all kinds of skbs.
#
# promise administrator by mistake: a rule for packets that makes no sense is refused, by each
#   reason that the kernel knows, and changes nothing
# shown by: what the kernel can say of a rule, and was not asked for
# shown by: nothing has changed
# promise local user: what he sends to this host itself is judged at input, whatever a rule for
#   output said of it
# shown by: judged on output, and again on input
# shown by: does not spare it

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

if ! load service || ! load nf; then bail_out "the modules do not load"; fi
ip link set lo up

network
there=$server4 back=10.0.1.1

at() { within "$1" utf8guard "${@:2}"; }
set -f # words of rules have stars
here() { does "$1" "$2" udp - - 127.0.0.1 9000 "${@:3}"; }
alone() { does "$1" "$2" alone - - 127.0.0.1 9000 "$2" "${@:3}"; } # a word of $2 for each
refuses() { # CLASS TEXT
	here "$1: $2" dropped "$2"
	is "and its class is counted" "$(class -)" "$1"
	at - reset
}

bad='a/..\xc0\xaf..' good='na\xc3\xafve'
helper packets.py

# Interfaces, by name.
rules router "forward udp dport 9000 iif eth1 drop"
does "came in by it" dropped udp client server $there 9000 "$bad"
does "came in by another one" delivered udp server client $back 9000 "$bad"
rules router "forward udp dport 9000 oif eth1 drop"
does "goes out by another one" delivered udp client server $there 9000 "$bad"
does "goes out by it" dropped udp server client $back 9000 "$bad"
rules router "forward udp dport 9000 iif 'et*' oif eth2 drop"
does "a name that begins so" dropped udp client server $there 9000 "$bad"
rules router "forward udp dport 9000 iif eth drop"
does "a name is not a beginning" delivered udp client server $there 9000 "$bad"
wired() { [[ $(ip -n client -br link show dev eth0) =~ ^[^\ ]+\ +UP\  ]]; }
rules router "forward udp dport 9000 iif wan0 drop"
does "an interface that is not there" delivered udp client server $there 9000 "$bad"
ip -n router link set eth1 down && ip -n router link set eth1 name wan0 && ip -n router link set wan0 up
until_true 60 wired
does "until it is" dropped udp client server $there 9000 "$bad"
# The address of IPv6 went when the link was down.
ip -n router addr add fd00:1::254/64 dev wan0 nodad
rules router

# Sets of ports.
rules - "input udp dport 8000-8999,9000,9100 drop"
is "ranges that meet are one" "$(at - net show | sed 's/ #.*//')" "net add input udp dport 8000-9000,9100 drop"
here "the last port of a range" dropped "$bad"
rules - "input udp dport 8999,9000-9001,9100 drop"
here "the first one" dropped "$bad"
here "good is not" delivered "$good"
rules - "input udp dport 1-8999,9001-65535 drop"
here "the port that is in none" delivered "$bad"
rules - "input udp sport 1-8999,9001-65535 dport 80,9000 drop"
here "sets of both" dropped "$bad"
rules - "input udp sport 9000,9002 dport 80,9000 drop"
here "another source" delivered "$bad"
rules - "input udp dport 80,9000 count" "input udp dport 9000 drop"
here "the first rule decides" delivered "$bad"
rules -

# Sets of addresses.
rules - "input udp dport 9000 saddr 10.0.0.0/8,127.0.0.0/30,192.0.2.0/24 drop"
here "a network of a set" dropped "$bad"
here "good is not" delivered "$good"
rules - "input udp dport 9000 saddr 127.0.0.0/32,127.0.0.2/31,126.0.0.0/8 drop"
here "the address that is in none" delivered "$bad"
rules - "input udp dport 80,9000 saddr 10.0.0.0/8,127.0.0.1 daddr 10.0.0.0/8,127.0.0.0/8 drop"
here "sets of everything" dropped "$bad"
rules - "input udp dport 80,9000 saddr 10.0.0.0/8,127.0.0.1 daddr 10.0.0.0/8,127.0.0.2 drop"
here "another destination" delivered "$bad"
rules - "input udp dport 9000 saddr fd00::/8,::1 drop"
here "the other family" delivered "$bad"
rules -

# The packet's mark.
rules - "output udp dport 9000 marked 0x10/0xf0 drop"
does "the mark, in the bits of the mask" refused marked - - 127.0.0.1 9000 "$bad" 0x1f
does "another one" delivered marked - - 127.0.0.1 9000 "$bad" 0x2f
here "none" delivered "$bad"

# The direction in the connection, for which connections are tracked.
rules - "input tcp sport 9000 direction reply drop" "input udp dport 9000 direction original drop"
does "what the server says is reply" dropped reply - - 127.0.0.1 9000 dropped "$bad"
does "good, too" delivered reply - - 127.0.0.1 9000 delivered "$good"
here "what comes first is original" dropped "$bad"
rules - "input tcp sport 9000 direction original drop" "input udp dport 9000 direction reply drop"
does "reply is not original" delivered reply - - 127.0.0.1 9000 delivered "$bad"
here "nor the other way" delivered "$bad"
rules -

# Protocols.
rules - "input udplite dport 9000 drop"
ask lite - - 127.0.0.1 9000 "$good"
if [[ $answer = EPROTONOSUPPORT* ]]; then
	skip 2 "this kernel has no sockets of UDP-Lite; skbs.t has its packets"
else
	is "UDP-Lite: good" "$answer" delivered
	does "UDP-Lite: bad" dropped lite - - 127.0.0.1 9000 "$bad"
fi
here "which is not UDP" delivered "$bad"
if modprobe sctp; then
	rules - "input sctp dport 9000 drop"
	does "SCTP: good" delivered sctp - - 127.0.0.1 9000 delivered "$good" "$good"
	does "SCTP: bad" dropped sctp - - 127.0.0.1 9000 dropped "$good" "$bad"
	does "SCTP: a message in many pieces" delivered sctp - - 127.0.0.1 9000 delivered '40000*\xe6\x97\xa5'
	does "SCTP: bad in one of them" dropped sctp - - 127.0.0.1 9000 dropped '90000*a+\xc0\xaf+90000*b'
	rules - "input sctp dport 9001 drop"
	does "SCTP: another port" delivered sctp - - 127.0.0.1 9000 delivered "$bad"
else
	skip 5 "no sctp"
fi

# Actions.
for place in "input -" "output -"; do
	hook=${place% *}
	rules - "$hook udp dport 9000 reject" "$hook tcp dport 9000 reject"
	for address in 127.0.0.1 ::1; do
		does "$hook, $address: a datagram is rejected" told told_udp - - $address 9000 "$bad"
		does "$hook, $address: a stream is reset" told told_tcp - - $address 9000 "$bad"
		does "$hook, $address: good is not" delivered udp - - $address 9000 "$good"
	done
done
is "they are counted as refused" "$(count - audited)" 0
rules router "forward udp dport 9000 reject" "forward tcp dport 9000 reject"
for address in $there $server6; do
	does "forward, $address: a datagram is rejected" told told_udp client server "$address" 9000 "$bad"
	does "forward, $address: a stream is reset" told told_tcp client server "$address" 9000 "$bad"
done
rules router
modprobe nf_tables
if nft add table inet marks 2>/dev/null; then
	nft 'add chain inet marks input { type filter hook input priority filter; }'
	nft add rule inet marks input meta mark and 0xff == 0x5 drop
	nft add rule inet marks input ct mark 0x70 drop
	rules - "input udp dport 9000 mark 0x5/0xff"
	here "mark: nft sees it, and drops" dropped "$bad"
	here "not what is good" delivered "$good"
	is "that is let through by us" "$(count - audited) $(count - refused)" "1 0"
	rules - "input udp dport 9000 mark 0x6/0xff"
	here "another mark" delivered "$bad"
	rules - "input udp dport 9000 ctmark 0x70"
	alone "ctmark: nft drops the packet, and all that follow" "delivered dropped dropped" "$good" "$bad" "$good"
	alone "but no other connection" delivered "$good"
	rules - "input udp dport 9000 ctmark 0x71"
	here "another mark" delivered "$bad"
	nft delete table inet marks
else
	skip 7 "no nft"
fi

# Text classes.
rules - "input udp dport 9000 drop refuse bidi,control,bom,noncharacter"
refuses bidi 'a\xe2\x80\xaeb'
refuses control 'a\x07'
refuses control '20*a+\x7f+20*b'
refuses bom '\xef\xbb\xbfa'
refuses noncharacter 'a\xef\xbf\xbf'
refuses overlong "$bad"
refuses bidi '\xe2\x80\xae\xc0\xaf'
refuses overlong '\xc0\xaf\xe2\x80\xae'
here "a mark that is not at the beginning is no byte order mark" delivered 'a\xef\xbb\xbf'
here "a class that is not refused" delivered 'a\xe2\x80\x8b'
log_mark
here "control again" dropped 'caf\xc3\xa9\x07'
like "a report says what and where" "$(log_since op=utf8guard-payload)" "class=control offset=5 bytes=07"
rules - "input tcp dport 9000 drop refuse bidi"
does "a character across two pages" dropped sendfile - - 127.0.0.1 9000 dropped '4094*a+\xe2\x80\xae+8190*b'
does "another one" delivered sendfile - - 127.0.0.1 9000 delivered '4094*a+\xe2\x82\xac+8190*b'
rules - "input udp dport 9000 drop refuse bom"
does "UDP GSO: the beginning of each datagram" dropped gso - - 127.0.0.1 9000 100 '100*a+\xef\xbb\xbf'
rules - "input udp dport 9000 drop refuse nul gate off"
refuses nul 'a\x00'

# Percent escapes.
rules - "input udp dport 9000 drop decode percent"
here "percent: good" delivered 'caf%C3%A9%20%e6%97%a5'
log_mark
refuses overlong '/..%c0%af..'
like "a report says which escape" "$(log_since op=utf8guard-payload)" "class=overlong offset=3 bytes=256330"
refuses overlong '%c1%1c'
refuses overlong '%e0%80%af'
refuses overlong '%f0%80%80%af'
refuses header-bits '%fc%80%80%80%80%af'
refuses truncated 'caf%C3'
refuses percent-double '%25c0%25af'
refuses percent-unicode '%u002e'
log_mark
refuses percent-malformed '100%zz'
like "and what is none" "$(log_since op=utf8guard-payload)" "class=percent-malformed offset=3 bytes=257a"
refuses percent-nul 'a%00b'
rules - "input udp dport 9000 drop allow percent-malformed,percent-double,percent-unicode,percent-nul decode percent"
here "allowed: no escape" delivered '100%zz%'
here "allowed: twice" delivered '%252e'
here "allowed: %u" delivered '%u00e9%ud83d%ude00'
here "allowed: NUL" delivered 'a%00b'
refuses overlong '%%c0%af'
refuses surrogate '%ud83dx'
refuses too-short '%c3%'
rules - "input udp dport 9000 drop decode percent allow percent-double"
here "one is allowed" delivered '%25c0%25af'
refuses percent-malformed '100%'
rules - "input udp dport 9000 drop"
here "raw: an escape is ASCII" delivered '%c0%af'
rules - "input udp dport 9000 drop decode percent refuse bidi"
refuses bidi '%E2%80%AE'

# The text gate.
rules - "input udp dport 9000 drop"
for text in '\x16\x03\x01\x00\xa5\xff' '\x1f\x8b\xff' '\x78\x9c\xff' 'PRI \x2a HTTP/2\xff' 'ab\x00\xff'; do
	here "no text: $text" delivered "$text"
done
is "they are counted" "$(count - binary)" 5
here "what is before the octet that tells is judged" dropped '\xff\x00'
here "a NUL comes too late" dropped '40*a+\x00\xff'
rules - "input udp dport 9000 drop refuse control,newline"
for text in '\x16\x03\x01\x00\xa5\xff' '\x16\x03\x03\x0a\x01\xff' '\x1f\x8b\xff'; do
	here "the controls of a signature are not refused: $text" delivered "$text"
done
is "they are counted" "$(count - binary)" 3
for text in '\x16' '\x16\x03\x01' '\x16\x03\x05abc' '\x1f' '\x1fabc' '\x07\x00' '\x07\x16\x03\x01\x00'; do
	here "where there is no signature, they are: $text" dropped "$text"
done
does "UDP GSO: of each datagram" dropped gso - - 127.0.0.1 9000 8 '\x1f\x8b+6*a+\x1f+7*a'
rules - "input udp dport 9000 drop gate off"
here "gate off: it is judged" dropped '\x1f\x8b\xff'

# Parts.
rules - "input udp dport 9000 drop scope first 4"
here "first 4: after it" delivered 'abcd\xff'
here "first 4: in it" dropped 'abc\xff'
here "first 4: a character that it cuts" delivered 'abc\xc3\xa9'
here "first 4: less than that" dropped 'ab\xc3'
rules - "input udp dport 9000 drop scope 4:4"
here "4:4: before it" delivered '\xff\xff\xff\xffabcd'
here "4:4: in it" dropped 'abcd\xa9bcd'
here "4:4: after it" delivered 'abcdabcd\xff'
here "4:4: there is none" delivered '\xff\xff'
does "UDP GSO: of each datagram" dropped gso - - 127.0.0.1 9000 10 '\xff+13*a+\xc0\xaf+9*a'
does "UDP GSO: and of no octet more" delivered gso - - 127.0.0.1 9000 10 '\xff+9*a+\xff+9*a'
rules - "input udp dport 9000 drop scope first 40 gate off"
here "no part is for the text gate" dropped '\x1f\x8b\xff'
is "so gate off is not worth a word" "$(at - net | sed 's/ # handle.*//')" \
	"net add input udp dport 9000 drop scope first 40"
rules - "input udp dport 9000 drop scope first 40"
here "it is the same without" dropped '\x1f\x8b\xff'

query='\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00' rest='\x00\x00\x01\x00\x01'
rules - "input udp dport 9000 drop scope dns-labels refuse control"
alone "dns-labels: a label ends in a character" dropped "$query\\x04caf\\xc3$rest"
is "that is truncated" "$(class -)" truncated
alone "dns-labels: good" delivered "$query\\x05caf\\xc3\\xa9$rest"
alone "dns-labels: bad" dropped "$query\\x02\\xc0\\xaf$rest"
alone "dns-labels: of a class" dropped "$query\\x02a\\x07$rest"
before=$(count - unfollowed)
alone "what is not DNS is let through" delivered 'hello, world'
is "and counted" "$(count - unfollowed)" $((before + 1))
rules - "input udp dport 9000 drop scope dns-labels fail closed"
alone "fail closed: it is dropped" dropped 'hello, world'
alone "DNS is not" delivered "$query\\x03foo$rest"

# A packet of this host for itself is judged at each hook, whatever the other one's rules say.
rules - "output udp dport 9000 count" "input udp dport 9000 drop"
here "judged on output, and again on input" dropped "$bad"
is "it and the mark after it are counted twice" "$(count - packets)" 4
for rule in "dport 9001 count" "dport 9000 marked 0/1 count" "dport 9000 marked 1 count" "dport 9000 oif lo count"; do
	rules - "output udp $rule" "input udp dport 9000 drop"
	here "output udp $rule: does not spare it" dropped "$bad"
done
rules client "output udp dport 9000 count"
rules server "input udp dport 9000 drop"
does "one from another host is judged there" dropped udp client server $there 9000 "$bad"

# What is shown is what was said.
rules -
all=("input ip tcp sport 1-9 dport 80 saddr 192.0.2.0/24 iif eth* marked 0x1/0xff direction reply reject fail closed"
	"forward ip6 sctp dport 2 iif a oif b* drop refuse control,bidi gate off comment x"
	"output udplite dport 3 oif lo mark 0x5/0xf scope first 9 decode percent"
	"input udp dport 4 marked 0x7 ctmark 0x70 scope 4:16 fail closed"
	"input udp dport 53 audit scope dns-labels"
	"forward udp dport 5 drop refuse bidi allow percent-malformed,percent-unicode decode percent"
	"forward tcp dport 6 drop refuse percent-double scope http-target decode percent fail closed stream strict"
	"forward tcp dport 7 drop allow percent-double scope http-target decode percent fail closed stream strict")
for rule in "${all[@]}"; do
	# shellcheck disable=SC2086 # words of a rule
	must at - net add $rule
done
is "what is shown is what was said" "$(at - net | sed 's/ # handle.*//; s/^net add //')" \
	"$(printf '%s\n' "${all[@]}" | sed "s/eth\*/'eth*'/; s/ b\*/ 'b*'/")"
at - net add forward udp dport 8 drop refuse percent-nul decode percent
like "what is refused anyhow is not shown" "$(at - net)" 'forward udp dport 8 drop decode percent # handle'
before=$(at - net)
wrong() { # REGEX WORD...
	run utf8guard net add "${@:2}"
	is "${*:2}" "$status" 3
	like "and why not" "$err" "$1"
}
wrong 'no input interface' output udp dport 1 iif lo drop
wrong 'no output interface' input udp dport 1 oif lo drop
wrong 'name of the interface is empty' input udp dport 1 iif '*' drop
wrong 'name of the interface is too long' input udp dport 1 iif abcdefghijklmnop drop
wrong 'outside its mask' input udp dport 1 marked 0x10/0xf drop
wrong 'mask has no bits' input udp dport 1 marked 0/0 drop
wrong 'outside its mask' input udp dport 1 mark 0x10/0xf
wrong 'mask has no bits' input udp dport 1 ctmark 0/0
wrong 'cannot fail closed' input udp dport 1 audit fail closed
wrong 'cannot fail closed' input udp dport 1 count fail closed
wrong 'edge-space is for names' input udp dport 1 drop refuse edge-space
wrong 'bom needs UDP' input tcp dport 1 drop refuse bom
wrong 'takes NUL for binary' input udp dport 1 drop refuse nul
wrong 'begin with controls' input tcp dport 1 drop stream gate on refuse control
wrong 'part needs UDP or a stream' input tcp dport 1 drop scope first 4
wrong 'part needs UDP or a stream' input sctp dport 1 drop scope 1:4
wrong 'beyond the end' input udp dport 1 drop scope 65535:4
wrong 'longer than any' input udp dport 1 drop scope 0:65536
wrong 'dns-labels needs UDP' input tcp dport 53 drop scope dns-labels
wrong 'needs a stream' input tcp dport 80 drop scope http-target
wrong 'a packet alone may split an escape' input tcp dport 80 drop decode percent
wrong 'need decode percent' input udp dport 1 drop allow percent-nul
wrong 'need decode percent' input udp dport 1 drop refuse percent-nul
wrong 'can be allowed' input udp dport 1 drop decode percent allow nul
wrong 'both refused and allowed' input udp dport 1 drop decode percent allow percent-nul refuse percent-nul
wrong 'only the scope payload has a text gate' input udp dport 53 drop scope dns-labels gate on
wrong 'no percent encoding' input udp dport 53 drop scope dns-labels decode percent
wrong 'same packets' input udp dport 53 drop
is "nothing changed" "$(at - net)" "$before"

# Requests that the tool would not send, and which attribute the kernel blames.
table refusals.py

# Nothing is left behind.
rules client "input udp dport 1 direction reply drop" "output tcp dport 1 ctmark 1"
rules - "input udp dport 1 direction reply drop"
for ns in client router server; do ip netns del $ns; done
ok "the module unloads with rules in use" rmmod utf8guard_nf
until_true 60 sh -c '! ip netns list | grep -q .'
unload_tracking() { rmmod nf_conntrack_netlink nft_ct nf_tables nf_conntrack 2>/dev/null; [ ! -d /sys/module/nf_conntrack ]; }
if [ -d /sys/module/nf_conntrack/holders ]; then
	ok "nothing holds connection tracking" until_true 60 unload_tracking
else
	skip 1 "built in"
fi
is "nor the service" "$(cat /sys/module/utf8guard/refcnt)" 0
done_testing
