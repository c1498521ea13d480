#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The ways of a packet through the kernel: which of them lead past a rule, which only
# seem to. What utf8guard(8) says of each is what is tested here.

# shellcheck source=userspace/tests/vm/streams.sh
. "$(dirname "$(readlink -f "$0")")/streams.sh"

if ! load service || ! load nf; then bail_out "the modules do not load"; fi
build
helper paths.py
does "wires" laid wires "$(mac router eth1)" "$(mac client eth0)"
for address in $server4 $server6; do
	does "$address can be reached" delivered udp client server "$address" 9000 hello
done

bad='a/..\xc0\xae..' good='na\xc3\xafve'
counters() { # NS NAME...: of all its rules
	local name
	for name in "${@:2}"; do echo -n "$(count "$1" "$name") "; done
}

# A packet of this host for itself passes output and input, and is judged at each.
for address in 127.0.0.1 ::1 $server4 $server6; do
	rules server "output udp dport 9000 count" "input udp dport 9000 drop"
	does "$address: counted at output, dropped at input" dropped udp server server "$address" 9000 "$bad"
	is "$address: each rule has seen it, and the mark behind it" "$(count server packets)" 4
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
		does "$address, $hooks: bad fragments" $how nodefrag server server "$address" 9000 "40*a+$bad+40*a"
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

# Fragments on their way through, that were marked notrack ahead of defragmentation.
within router nft add table inet raw '{ chain early {
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
modprobe -a sch_ingress cls_matchall act_mirred
within server tc qdisc add dev eth0 clsact
within server tc filter add dev eth0 ingress matchall action mirred ingress redirect dev lo
for ip in ip4 ip6; do
	does "$ip, redirected to lo by tc: good" "$good" arrives $ip/udp "$good"
	does "$ip, redirected to lo by tc: bad" nothing arrives $ip/udp "$bad"
done
within server tc qdisc del dev eth0 clsact
rules server

# A stream of this host for itself: two rules see it, each by itself.
within server tc qdisc add dev lo root netem limit 10000 delay 2ms 2ms loss 1% duplicate 2%
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
		"$(grep -o '"octets":[0-9]*' "$tap/stats" | sort -u | wc -l) $(counters server full window differs)" "1 0 0 0 "
	for rules in "count stream/drop stream" "count stream/drop stream gate on" "count stream gate on/drop stream" \
		"count/drop stream" "marked 1 drop stream/drop stream"; do
		rules server "output tcp dport 9000 ${rules%/*}" "input tcp dport 9000 ${rules#*/}"
		does "$address, $rules: a connection" connected dial server server "$address" 9000
		does "$address, $rules: E0, and 80 AF" written write 'ab\xe0' '\x80\xafcd'
		ok "$address, $rules: is refused at input" until_true 20 counted server refused 1
		does "$address, $rules: only what is before it arrives" 'ab\xe0' read 3
		does "$address, $rules: over" "done" hang_up
	done
	rules server "output tcp dport 9000 drop stream" "input tcp dport 9000 count stream"
	does "$address, output alone drops: a connection" connected dial server server "$address" 9000
	does "$address, output alone drops: E0, and 80 AF" written write 'ab\xe0' '\x80\xafcd'
	ok "$address, output alone drops: is refused there" until_true 20 counted server refused 1
	is "$address, output alone drops: input has seen nothing of it" "$(count server audited)" 0
	does "$address, output alone drops: over" "done" hang_up
done
rules server

for ns in client router server; do ip netns del $ns; done
ok "the module unloads" rmmod utf8guard_nf
done_testing
