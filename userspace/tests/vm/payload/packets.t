#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The payload check on real traffic, good and bad: on the loopback device, and over veth from
# one network namespace through a second to a third.
#
# promise remote peer: a rule that drops lets no packet with an ill-formed octet through, whole or in
#   fragments, unless the edge of a segment divides the character
# shown by: bad is dropped
# shown by: bad in a later one
# shown by: every segment was read whole

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

if ! load service || ! load nf; then bail_out "the modules do not load"; fi

network

at() { within "$1" utf8guard "${@:2}"; }
# Where rules were set, so that the next ones can replace them.
dirty=()
rules() { # [NS RULE...]...: what has spaces is a rule, and what has none a namespace
	local word ns=-
	for ns in "${dirty[@]}"; do at "$ns" net flush; done
	dirty=()
	for word; do
		case $word in
		*' '*)
			# shellcheck disable=SC2086 # words of a rule
			must at "$ns" net add $word
			;;
		*) ns=$word dirty+=("$word") ;;
		esac
	done
}

bad='a/..\xc0\xaf..' good='na\xc3\xafve \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x90\xa7'
helper packets.py

does "without rules, bad text is delivered" delivered udp - - 127.0.0.1 9000 "$bad"
is "and no hook is registered" "$(at - net)" ""

# Drop, on the way in.
for protocol in udp tcp; do
	rules - "input $protocol dport 9000 drop"
	[ $protocol = tcp ] && passed=delivered failed=dropped || passed='' failed=''
	for address in 127.0.0.1 ::1; do
		does "$protocol to $address: good is delivered" delivered \
			$protocol - - "$address" 9000 ${passed:+"$passed"} "$good"
		does "$protocol to $address: bad is dropped" dropped \
			$protocol - - "$address" 9000 ${failed:+"$failed"} "$bad"
		does "$protocol to $address: another port is not looked at" delivered \
			$protocol - - "$address" 9001 ${passed:+"$passed"} "$bad"
	done
	is "$protocol: what was dropped is counted by class" "$(class -)" overlong
done

# On the way out, where the sender of a datagram is told.
rules - "output udp dport 9000 drop" "output tcp dport 9000 drop"
for address in 127.0.0.1 ::1; do
	does "output, udp to $address: good" delivered udp - - "$address" 9000 "$good"
	does "output, udp to $address: bad" refused udp - - "$address" 9000 "$bad"
	does "output, tcp to $address: good" delivered tcp - - "$address" 9000 delivered "$good"
	does "output, tcp to $address: bad" dropped tcp - - "$address" 9000 dropped "$good" "$bad"
done
rules - "output udp dport 9001 count" "input udp dport 9000 drop"
does "a rule for input does not decide on output" dropped udp - - 127.0.0.1 9000 "$bad"
does "nor one for output on input" delivered udp - - 127.0.0.1 9001 "$bad"

# Forwarded: the router looks, the ends do not.
rules router "forward udp dport 9000 drop" "forward tcp dport 9000 drop"
for address in $server4 $server6; do
	does "forward, udp to $address: good" delivered udp client server "$address" 9000 "$good"
	does "forward, udp to $address: bad" dropped udp client server "$address" 9000 "$bad"
	does "forward, tcp to $address: good" delivered tcp client server "$address" 9000 delivered "$good" "$good"
	does "forward, tcp to $address: bad" dropped tcp client server "$address" 9000 dropped "$good" "$bad"
done
does "a forward rule is not for what the router receives" delivered udp client router 10.0.1.254 9000 "$bad"
rules router "input udp dport 9000 drop" "output udp dport 9000 drop"
does "nor an input or output rule for what it forwards" delivered udp client server $server4 9000 "$bad"
is "which they have not looked at" "$(count router packets)" 0

# Counters: a datagram of 9 octets, and the mark of 8 after it.
rules - "input ip udp dport 9000 drop" "input ip6 udp dport 9000 audit"
for _ in 1 2 3; do ask udp - - 127.0.0.1 9000 'bad\xff56789'; done
ask udp - - ::1 9000 'bad\xff56789'
is "packets are counted" "$(count - packets)" 8
is "and their octets" "$(count - octets)" 68
is "and what was refused" "$(count - refused)" 3
is "and what was let through" "$(count - audited)" 1
is "none was unreadable" "$(count - unreadable)" 0
does "an empty datagram has no text" delivered udp - - 127.0.0.1 9000 ''
is "and is not counted" "$(count - packets)" 9
at - reset
is "reset sets all that to zero" "$(count - packets) $(count - octets) $(count - refused)" "0 0 0"

log_mark
rules - "input udp dport 9000 audit" "input udp dport 9001 count"
does "audit lets through" delivered udp - - 127.0.0.1 9000 "$bad"
does "count lets through" delivered udp - - 127.0.0.1 9001 "$bad"
is "audit reports, count does not" \
	"$(log_since op=utf8guard-payload | grep -o 'outcome=.*dport=[0-9]*' | sed 's/ src.* / /')" \
	"outcome=audited rule=$(at - net | sed -n '1s/.*handle //p') class=overlong offset=4 bytes=c0af dport=9000"
is "both are counted" "$(count - audited)" 2

# Ports and addresses.
rules - "input udp dport 9000-9009 drop" "input udp sport 7000 drop"
does "the first port of a range" dropped udp - - 127.0.0.1 9000 "$bad"
does "the last" dropped udp - - 127.0.0.1 9009 "$bad"
does "the one before" delivered udp - - 127.0.0.1 8999 "$bad"
does "the one after" delivered udp - - 127.0.0.1 9010 "$bad"
does "a source port" dropped udp - - 127.0.0.1 9020 "$bad" 7000
does "another one" delivered udp - - 127.0.0.1 9020 "$bad" 7001
rules - "input udp dport 9000 saddr 127.0.0.4/30 drop" "input udp dport 9000 daddr 127.1.0.0/16 drop"
does "an address of a source prefix" dropped udp - - 127.0.0.1 9000 "$bad" 0 127.0.0.7
does "one outside it" delivered udp - - 127.0.0.1 9000 "$bad" 0 127.0.0.8
does "an address of a destination prefix" dropped udp - - 127.1.255.255 9000 "$bad"
does "one outside it" delivered udp - - 127.2.0.1 9000 "$bad"
rules server "input tcp dport 9000 saddr 10.0.1.1 drop" "input udp dport 9000 saddr fd00:1::/64 drop"
does "one address" dropped tcp client server $server4 9000 dropped "$bad"
does "another one" delivered tcp router server $server4 9000 delivered "$bad"
does "a prefix of IPv6" dropped udp client server $server6 9000 "$bad"
does "another one" delivered udp router server $server6 9000 "$bad"
does "which is not for IPv4" delivered udp client server $server4 9000 "$bad"
rules - "input udp any-port drop"
does "any port" dropped udp - - 127.0.0.1 19999 "$bad"
does "of that protocol" delivered tcp - - 127.0.0.1 19999 delivered "$bad"

# The first rule that fits decides.
rules - "input udp dport 9000 count" "input udp dport 9000-9001 drop" "input udp any-port audit"
does "the first rule lets through" delivered udp - - 127.0.0.1 9000 "$bad"
does "the second drops" dropped udp - - 127.0.0.1 9001 "$bad"
does "the third reports" delivered udp - - 127.0.0.1 9002 "$bad"
is "each has looked at its own" "$(at - net -s -j | grep -o '"packets":[0-9]*' | tr -d '\n')" \
	'"packets":2"packets":2"packets":2'

# Where a text ends: a datagram is a whole text, and a segment a piece of a stream.
rules - "input udp dport 9000 drop" "input tcp dport 9000 drop"
does "a datagram that ends in a character" dropped udp - - 127.0.0.1 9000 'caf\xc3'
is "is truncated" "$(class -)" truncated
does "one that begins in a character" dropped udp - - 127.0.0.1 9000 '\xa9t\xc3\xa9'
does "a datagram as long as they come" delivered udp - - 127.0.0.1 9000 '32753*\xc3\xa9'
does "bad in its last octet" dropped udp - - 127.0.0.1 9000 '32752*\xc3\xa9+\xff'
is "no datagram was split" "$(count - split)" 0
does "a character of four octets in four segments" delivered \
	tcp - - 127.0.0.1 9000 delivered 'a\xf0' '\x9f' '\x90' '\xa7b'
is "all of them were split" "$(count - split)" 4
does "one more continuation octet than there can be" dropped \
	tcp - - 127.0.0.1 9000 dropped 'a\xf0' '\x9f\x90\xa7\x80'
does "bad after a character that was split" dropped tcp - - 127.0.0.1 9000 dropped '\x90\xa7\xc0\xaf'
does "a beginning that no continuation makes good" dropped tcp - - 127.0.0.1 9000 dropped 'a\xed\xa0'

# Long streams, cut wherever segments end, as one skb of 64 KiB or many of 1448.
text='d\xc3\xa9j\xc3\xa0 vu \xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e \xf0\x9f\x90\xa7\xf0\x9f\x8e\x89. '
all="tcp dport 9000 drop"
rules - "input $all" "output $all" client "output $all" router "forward $all" server "input $all"
for address in 127.0.0.1 ::1; do
	does "two megabytes to $address" delivered transfer - - "$address" 9000 2000000 "$text"
done
does "two megabytes over veth" delivered transfer client server $server4 9000 2000000 "$text"
does "and with IPv6" delivered transfer client server $server6 9000 2000000 "$text"
for ns in client server; do must ip netns exec $ns ethtool -K eth0 gso off gro off tso off; done
for n in 1 2; do must ip netns exec router ethtool -K eth$n gso off gro off tso off; done
does "and in single segments" delivered transfer client server $server4 9000 500000 "$text"
for ns in - client router server; do
	is "$ns: nothing was refused" "$(count $ns refused)" 0
done
ok "characters were split all the same" [ "$(count server split)" -gt 10 ]
is "every segment was read whole" "$(count server unreadable)" 0

# Octets that are in pages: the bad ones lie across the border of two.
rules - "input tcp dport 9000 drop"
does "sendfile: a character across two pages" delivered \
	sendfile - - 127.0.0.1 9000 delivered '4094*a+\xf0\x9f\x90\xa7+8190*b'
does "sendfile: bad across two pages" dropped \
	sendfile - - 127.0.0.1 9000 dropped '4095*a+\xc0\xaf+8191*b'
does "sendfile: bad near the end of the third" dropped \
	sendfile - - 127.0.0.1 9000 dropped '12286*a+\xff+b'
is "none was unreadable" "$(count - unreadable)" 0

# One call, many datagrams: each of them must be good.
rules - "input udp dport 9000 drop"
does "UDP GSO: a border between characters" delivered gso - - 127.0.0.1 9000 100 '200*\xc3\xa9'
does "UDP GSO: a border in a character" dropped gso - - 127.0.0.1 9000 100 '99*a+\xc3\xa9+99*b'
is "that is truncated" "$(class -)" truncated
does "UDP GSO: bad in the last one" dropped gso - - ::1 9000 100 '350*a+\xff'
rules client "output udp dport 9000 drop"
does "UDP GSO: on the way out" refused gso client server $server4 9000 100 '99*a+\xc3\xa9+99*b'
does "UDP GSO: good, on the way out" delivered gso client server $server4 9000 100 '150*\xc3\xa9'

# Datagrams in fragments of 1500 octets, whole again before they are judged.
for address in $server4 $server6; do
	for place in "client output" "router forward" "server input"; do
		rules "${place% *}" "${place#* } udp dport 9000 drop"
		[ "$place" = "client output" ] && verdict=refused || verdict=dropped
		does "fragments, $place to $address: good" delivered \
			udp client server "$address" 9000 '1+5000*\xe6\x97\xa5'
		does "fragments, $place to $address: bad in a later one" "$verdict" \
			udp client server "$address" 9000 '9000*a+\xc0\xaf+9000*b'
		does "fragments, $place to $address: bad at the end" "$verdict" \
			udp client server "$address" 9000 '15000*a+\xe6\x97'
	done
done

# What rules needed ends with the last of them: defragmentation, and connection tracking.
must within server nft -f - <<'END'
table ip seen {
	counter pieces { }
	chain early {
		type filter hook prerouting priority raw
		ip frag-off & 0x1fff != 0 counter name pieces
	}
}
END
pieces() { within server nft list counter ip seen pieces | awk '/packets/ { print $2 }'; }
connections() { within server cat /proc/sys/net/netfilter/nf_conntrack_count; }
for rule in "input udp dport 9000 direction original drop" "input tcp dport 9000 drop stream"; do
	rules server "$rule"
	before=$(connections)
	does "$rule: fragments" delivered udp client server $server4 9000 '1+5000*\xe6\x97\xa5'
	is "$rule: they are put together first" "$(pieces)" 0
	is "$rule: connections are tracked" $(($(connections) > before)) 1
	rules
	before=$(connections)
	does "without it, fragments" delivered udp client server $server4 9000 '1+5000*\xe6\x97\xa5'
	isnt "without it, they stay apart" "$(pieces)" 0
	is "without it, no connection is tracked" $(($(connections) > before)) 0
	must within server nft reset counter ip seen pieces
done
within server nft delete table ip seen

rules server "input ip6 udp dport 9000 drop"
does "IPv6 extension headers: good" delivered options client server $server6 9000 "$good"
does "IPv6 extension headers: bad" dropped options client server $server6 9000 "$bad"

# Each network namespace has rules of its own.
rules server "input udp dport 9000 drop"
does "the server drops" dropped udp client server $server4 9000 "$bad"
does "its neighbour does not" delivered udp client router 10.0.1.254 9000 "$bad"
does "nor does this namespace" delivered udp - - 127.0.0.1 9000 "$bad"
is "nor are they seen there" "$(at - net)$(at router net)" ""
does "they are for the loopback device of that namespace too" dropped udp server server 127.0.0.1 9000 "$bad"
does "a loopback packet is looked at once by an input rule" dropped udp server server ::1 9000 "$bad"

# Who may have rules.
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all)
run "${nobody[@]}" "$UTF8GUARD" net add input udp dport 9000 drop
is "nobody may not add a rule" "$status" 3
like "and is told what it takes" "$err" "CAP_NET_ADMIN"
run "${nobody[@]}" "$UTF8GUARD" net
is "nor see them" "$status" 3
is "there is none" "$(at - net)" ""
cat >"$tap/inside" <<'END'
"$UTF8GUARD" net add input udp dport 9000 drop && "$UTF8GUARD" net
"$UTF8GUARD" net add input udp dport 9000 drop; echo $?
"$UTF8GUARD" fs; echo $?
END
chmod 755 "$tap"
run "${nobody[@]}" unshare -Urn bash "$tap/inside"
is "in a network namespace of one's own one may" "${out//$'\n'/ }" \
	"net add input udp dport 9000 drop # handle 1 3 4"
is "of which nothing is seen outside" "$(at - net)" ""

# Nothing is left behind.
rules
rules client "input udp dport 1 drop" "input tcp dport 1 drop" "output udp dport 1 drop" "forward tcp dport 1 drop"
rules server "input udp dport 1 drop" "input tcp dport 1 drop" "output udp dport 1 drop" "forward tcp dport 1 drop"
for ns in client router server; do ip netns del $ns; done
dirty=()
rules - "input udp dport 9000 drop"
ok "the module unloads with rules in use" rmmod utf8guard_nf
does "and drops no more" delivered udp - - 127.0.0.1 9000 "$bad"
is "nothing holds the service" "$(cat /sys/module/utf8guard/refcnt)" 0
if [ -d /sys/module/nf_conntrack/holders ]; then
	ok "nor defragmentation" rmmod nf_conntrack nf_defrag_ipv4 nf_defrag_ipv6
else
	skip 1 "built in"
fi
ok "and it can be loaded again" load nf
is "without rules" "$(at - net)" ""
done_testing
