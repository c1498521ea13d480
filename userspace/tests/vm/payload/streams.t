#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rules for streams on real TCP, over veth from one network namespace through a second to a third,
# which may lose and reorder segments; and on segments that no TCP would send.
#
# promise remote peer: what is delivered in order of a stream is what was judged
# shown by: good text: nothing is refused
# shown by: what was refused does not arrive

# shellcheck source=userspace/tests/vm/payload/streams.sh
. "$(dirname "$(readlink -f "$0")")/streams.sh"

if ! load service || ! load nf; then bail_out "the modules do not load"; fi
parameter=/sys/module/utf8guard_nf/parameters/max_flows

build
helper streams.py
does "raw frames" on raw_on "$(mac router eth1)" "$(mac client eth0)"

# What the tool says of rules for streams.
is "only TCP has streams" "$(within router utf8guard net add input udp dport 1 drop stream 2>&1)" \
	"utf8guard: stream: refused by the kernel: only TCP has streams (Invalid argument)"
is "and no rule is left of it" "$(within router utf8guard net)" ""
rules router "forward tcp dport 9000 drop stream" "forward tcp dport 9001 audit stream lenient" \
	"forward tcp dport 9002 drop stream fail open"
saved=$(within router utf8guard save)
is "stream is strict, and that is closed" "$(grep -c 'dport 9000 drop fail closed stream strict' <<<"$saved")" 1
is "lenient is open" "$(grep -c 'dport 9001 audit stream lenient' <<<"$saved")" 1
is "or what was said" "$(grep -c 'dport 9002 drop fail open stream strict' <<<"$saved")" 1
within router utf8guard net flush
within router utf8guard load - <<<"$saved"
is "what was saved loads as the same" "$(within router utf8guard save)" "$saved"

# Good text gets through whatever happens to it.
rules router "forward tcp dport 9000 drop stream"
for how in on off; do
	each_end offload_at $how
	does "IPv4, offloads $how: text arrives" whole whole client server $server4 9000 3000000 1
	does "IPv6, offloads $how: text arrives" whole whole client server $server6 9000 1000000 2
	each_end disturb_at
	does "$how, reordered, lost, doubled: text arrives" whole whole client server $server4 9000 400000 3
	does "$how, and again" whole whole client server $server4 9000 400000 4
	each_end calm_at
done
is "good text: nothing is refused" "$(count router refused)" 0
is "nor picked up in the middle" "$(count router resync)" 0
diag "differs $(count router differs), full $(count router full), packets $(count router packets)"
each_end offload_at on
rules router
for at in "server input" "client output"; do
	rules "${at% *}" "${at#* } tcp dport 9000 drop stream"
	each_end disturb_at
	does "$at: text arrives" whole whole client server $server4 9000 400000 5
	each_end calm_at
	does "$at: a connection" connected dial client server $server4 9000
	does "$at: a character cut in two" written write 'ab\xe0' '\x80\xafcd'
	ok "$at: its second half is refused" until_true 60 counted "${at% *}" refused 1
	does "$at: and only what is before it arrives" 'ab\xe0' read 3
	does "$at: over" "done" hang_up
	rules "${at% *}"
done

# Bad text does not, in whatever cuts.
rules router "forward tcp dport 9000 drop stream"
for address in $server4 $server6; do
	rules router "forward tcp dport 9000 drop stream"
	does "$address: a connection" connected dial client server "$address" 9000
	does "$address: two octets of a character of four" written write 'good\xf4' '\x90\x80\x80'
	ok "$address: the second segment is refused" until_true 60 counted router refused 1
	is "$address: as too large" "$(class router)" too-large
	does "$address: only what is before it arrives" 'good\xf4' read 5
done
does "C0 and AE in two segments" connected dial client server $server4 9000
does "they are sent" written write 'dots\x20' '\xc0' '\xae'
ok "the first of them is refused" until_true 60 counted router refused 2
does "only what is before it arrives" 'dots\x20' read 5
does "over" "done" hang_up

rules router "forward tcp dport 9000 drop stream"
does "segments of one octet" connected raw_open 9000 4294967290
does "good ones, over the wrap of sequence numbers" sent raw_each '\xe6\x97\xa5\xe6\x9c\xac\xf0\x9f\x90\xa7'
does "arrive" '\xe6\x97\xa5\xe6\x9c\xac\xf0\x9f\x90\xa7' raw_read 10
does "a surrogate" sent raw_put '10:\xed' '11:\xa0' '12:\x80'
ok "is refused at its second octet" until_true 60 counted router refused 1
does "and does not arrive" '\xed' raw_read 1
does "a connection" connected raw_open 9000 1000
does "in the wrong order" sent raw_put '3:\x97\xa5def' '0:ab\xe6'
does "good ones arrive" 'ab\xe6\x97\xa5def' raw_read 8
log_mark
before=$(count router refused)
does "bad in the wrong order" sent raw_put '9:\x90\x80\x80' '8:\xf4'
ok "what fills the gap is refused" until_true 60 counted router refused $((before + 1))
does "another lead fits" sent raw_put '8:\xf1'
does "and arrives" '\xf1\x90\x80\x80' raw_read 4
does "ASCII ahead" sent raw_put '15:xyz'
does "other octets in its place" sent raw_put '15:x\xc3\xa9' '12:abc'
does "do not arrive" 'abcxyz' raw_read 6
is "they are counted" "$(count router differs)" 1
does "urgent data" sent raw_put '18:urg:abc'
ok "is refused" until_true 60 counted router urgent 1
does "that some will come" sent raw_say 'AU@18:'
ok "is refused" until_true 60 counted router urgent 2
does "and by a SYN" sent raw_say 'SU@-1:'
ok "is refused" until_true 60 counted router urgent 3
does "a wrong checksum" sent raw_put '18:spoilt:abc'
ok "is refused" until_true 60 counted router untracked 1
# The one with the wrong checksum was the last.
log_since 'op=utf8guard-payload .* reason=untracked ' 1 >/dev/null
records=$(log_since op=utf8guard-payload)
like "bad text is reported by its class" "$records" ' class=[a-z-]+ offset=[0-9]+ bytes='
for reason in "differs .* len=3" "urgent .* len=3" "untracked .* len=3"; do
	like "but else by the reason: ${reason% .* *}" "$records" \
		"act=forward outcome=refused rule=[0-9]+ class=none reason=$reason netns=[0-9]+ ruleset=nf res=0"
done

# A sender would have it believed that the receiver has octets that it throws away, for their
# checksum is wrong.
for known in 1 0; do
	within router sh -c "echo $known >/proc/sys/net/netfilter/nf_conntrack_checksum"
	rules router "forward tcp dport 9000 drop stream"
	does "checksums known $known: a connection" connected raw_open 9000 70000000
	does "half a character" sent raw_put '0:ab\xe0'
	does "arrives" 'ab\xe0' raw_read 3
	does "what would end it well, and gets lost" sent raw_put '3:spoilt:\xa0\x80'
	does "what does not" sent raw_put '3:\x80\xaf' '5:cd'
	ok "is refused" until_true 60 counted router refused 1
	does "what was refused does not arrive" nothing raw_read 0
	does "what was lost, once more" sent raw_put '3:\xa0\x80' '5:cd'
	does "arrives" '\xa0\x80cd' raw_read 4
	is "untracked, if connection tracking looks at checksums" "$(count router untracked)" "$known"
	does "ASCII that gets lost" sent raw_put '7:spoilt:e' '8:f'
	does "is missed" sent raw_put '7:e'
	does "what follows arrives" ef raw_read 2
	does "over" "done" hang_up
done
within router sh -c 'echo 1 >/proc/sys/net/netfilter/nf_conntrack_checksum'

# What a RST carries is never delivered, and a RST that the receiver does not take ends nothing.
rules router "forward tcp dport 9000 drop stream"
does "RST: a connection" connected raw_open 9000 80000000
does "half a character" sent raw_put '0:ab\xe6'
does "arrives" 'ab\xe6' raw_read 3
does "out of the window, with octets" sent raw_put '100000000:rst:\xc0\xae'
does "in it, but not next" sent raw_put '1000:rst:' '1000:rst:\xc0\xae' '4:rst:\xff'
does "the stream goes on" sent raw_put '3:\x97\xa5cd'
does "and arrives" '\x97\xa5cd' raw_read 4
is "what they carry was not judged" "$(count router refused) $(count router differs)" "0 0"
does "C0 AE" sent raw_put '7:\xc0\xae'
ok "is refused all the same" until_true 60 counted router refused 1
does "and does not arrive" nothing raw_read 0

# An end inside a character.
rules router "forward tcp dport 9000 drop stream"
does "FIN: a connection" connected raw_open 9000 90000000
does "with the beginning of a character" sent raw_put '0:ab' '2:fin:\xe6'
ok "is refused" until_true 60 counted router refused 1
is "as truncated" "$(class router)" truncated
does "what is before it arrives" ab raw_read 2
does "after one that was let through" sent raw_put '2:\xe6' '3:fin:'
ok "is refused, too" until_true 60 counted router refused 2
does "after the whole of it" sent raw_put '3:fin:\x97\xa5'
does "it arrives" '\xe6\x97\xa5' raw_read 4

# The same, and connection tracking finds the FIN invalid. Without a rule, that it works at all.
sack='\x02\x04\x05\xb4\x01\x01\x04\x02'
rules router
does "false FIN: no rule: an offer of SACK" "set" raw_options "$sack"
does "a connection" connected raw_open 9000 91000000
does "the beginning of a character, and an end" sent raw_put '0:\xe6'
does "that the server takes" sent raw_false_end 1
does "it reads both" '\xe6 end' raw_read_end 1
for engine in "" " refuse bidi"; do
	rules router "forward tcp dport 9000 drop stream$engine"
	does "false FIN${engine:+,$engine}: an offer of SACK" "set" raw_options "$sack"
	does "a connection" connected raw_open 9000 92000000
	does "the beginning of a character" sent raw_put '0:\xe6'
	does "an end inside of it" sent raw_false_end 1
	ok "is refused" until_true 60 counted router refused 1
	is "as truncated" "$(class router)" truncated
	does "and the server sees none" '\xe6' raw_read_end 1
done

# Text in a segment that connection tracking finds invalid. It has the direction of its connection.
false_text() { # WHAT
	does "$1: an offer of SACK" "set" raw_options "$sack"
	does "$1: a connection" connected raw_open 9000 $((isn += 1000000))
	does "$1: SACK of what was never sent" "set" raw_false_blocks
	does "$1: text" sent raw_put '0:\xc0\xae'
}
isn=93000000
rules router
false_text "false text, no rule"
does "it arrives" '\xc0\xae' raw_read 2
for action in "drop stream" "drop stream refuse bidi" drop; do
	rules router "forward tcp dport 9000 direction original $action"
	false_text "false text, original, $action"
	case $action in
	drop) ok "is refused" until_true 60 counted router refused 1 ;;
	*) ok "is untracked" until_true 60 counted router untracked 1 ;;
	esac
	does "and does not arrive" nothing raw_read 0
	rules router "forward tcp dport 9000 direction reply $action"
	false_text "false text, reply, $action"
	does "it arrives" '\xc0\xae' raw_read 2
done
# If its connection is not known, nor is its direction.
for direction in original reply; do
	rules router "forward tcp dport 9000 direction $direction drop"
	does "$direction: a wrong checksum, of no connection" sent raw_stray 9000 '\xc0\xae'
	ok "is refused" until_true 60 counted router refused 1
done
# A FIN of long ago, which connection tracking finds invalid, too. The rule for the other direction
# would follow the stream in another way, and begin in the middle.
rules router "forward tcp any-port direction reply drop stream refuse bidi" \
	"forward tcp any-port direction original drop stream"
does "false FIN of long ago: an offer of SACK" "set" raw_options "$sack"
does "a connection" connected raw_open 9000 $((isn += 1000000))
does "the beginning of a character" sent raw_put '0:\xe6'
does "arrives" '\xe6' raw_read 1
does "and is acknowledged" 1 raw_answered ack
does "an end before it" sent raw_false_end 0
does "what does not go on with the character" sent raw_put '1:A'
ok "is refused" until_true 60 counted router refused 1
does "and does not arrive" nothing raw_read 0

# Lenient: urgent data, and resegmented octets that cannot be compared.
deaf() {
	within server nft -f - <<<"table inet deaf { chain early {
		type filter hook prerouting priority raw; tcp dport 9000 drop; }; }"
}
rules router "forward tcp dport 9000 drop stream lenient"
does "lenient: a connection" connected raw_open 9000 100000000
does "urgent data" sent raw_put '0:urg:ab\xe6'
does "arrives" 'ab\xe6' raw_read 3
ok "a server that hears nothing" deaf
before=$(count router packets)
does "text that gets lost after the rule" sent raw_put '3:\x97\xa5\xe6\x9c\xac'
ok "is let through" until_true 60 counted router packets $((before + 1))
within server nft flush ruleset
does "in other segments, once more" sent raw_put '3:\x97\xa5\xe6' '6:\x9c\xac'
does "it arrives" '\x97\xa5\xe6\x9c\xac' raw_read 5
is "nothing was refused" "$(count router refused) $(count router differs) $(count router urgent)" "0 0 0"
does "ASCII ahead" sent raw_put '11:xyz'
does "other octets in its place" sent raw_put '11:x\xc3\xa9' '8:abc'
does "do not arrive" 'abcxyz' raw_read 6
is "they are counted" "$(count router differs)" 1
does "C0 AE" sent raw_put '14:\xc0\xae'
ok "is refused" until_true 60 counted router refused 1
does "and does not arrive" nothing raw_read 0

# A sender would have it believed, by a second SYN, that the stream begins elsewhere. The second is
# out of the window of the first, or the server would send a reset.
unheard() { echo $(($(count router refused) + $(count router window) + $(count router untracked))); }
more_unheard() { [ "$(unheard)" -gt "$before" ]; }
rules router "forward tcp dport 9000 drop stream"
for other in -1000 1000000; do
	for when in "at once" "after 300ms"; do
		what="two SYNs, $other apart, answered $when"
		[ "$when" = "at once" ] || delay_at server eth0 delay 300ms
		does "$what: the first is answered" connected raw_open 9000 $((isn += 10000000)) "$other"
		[ "$when" = "at once" ] || calm_at server eth0
		before=$(unheard)
		does "$what: octets that no text begins with" sent raw_put '0:\xae\xaftext'
		ok "$what: are refused, for one reason or another" until_true 60 more_unheard
		does "$what: and do not arrive" nothing raw_read 0
	done
done
# If both were sent before the answer, connection tracking believes the second, and finds invalid
# what follows. Lenient is open: then each segment is judged alone, and counted.
rules router "forward tcp dport 9000 drop stream lenient"
delay_at server eth0 delay 300ms
does "two SYNs, lenient: the first is answered" connected raw_open 9000 $((isn += 10000000)) 1000000
calm_at server eth0
does "octets that no text begins with" sent raw_put '0:\xae\xaftext'
does "arrive" '\xae\xaftext' raw_read 6
is "and are counted" "$(count router untracked)" 1
does "C0 AE" sent raw_put '6:\xc0\xae'
ok "is refused all the same" until_true 60 counted router refused 1
does "and does not arrive" nothing raw_read 0

# What cannot be followed: a connection that is not tracked.
within router nft -f - <<'RULES'
table inet untracked {
	chain prerouting {
		type filter hook prerouting priority raw
		tcp dport { 9003, 9004 } notrack
		tcp sport { 9003, 9004 } notrack
	}
}
RULES
rules router "forward tcp dport 9003 drop stream" "forward tcp dport 9004 drop stream fail open"
does "not tracked, closed" tried attempt client server $server4 9003
ok "the SYN is refused" until_true 60 counted router untracked 1
does "not tracked, open" connected dial client server $server4 9004
does "text, some of it bad" written write good 'na\xc3\xafve' 'bad\xc0\xae'
does "each packet is judged alone" 'goodna\xc3\xafve' read 10
ok "and the bad one refused" until_true 60 counted router refused 1
does "over" "done" hang_up
within router nft flush ruleset

# Or one connection too many.
rules router "forward tcp dport 9000 drop stream" "forward tcp dport 9001 drop stream fail open"
echo 0 >$parameter
log_mark
# A connection takes its place with its first payload.
does "no room, closed" connected dial client server $server4 9000
does "text" written write good
ok "is refused" until_true 60 counted router full 1
like "and reported" "$(log_since op=utf8guard-payload)" ' class=none reason=full .* dport=9000 len=4 '
does "and does not arrive" nothing read 0
does "over" "done" hang_up
does "no room, open" connected dial client server $server4 9001
does "text" written write good 'na\xc3\xafve' 'bad\xc0\xae'
does "each packet is judged alone" 'goodna\xc3\xafve' read 10
ok "and the bad one refused" until_true 60 counted router refused 1
echo 65536 >$parameter
does "over" "done" hang_up

# Marks, by which nft drops. What it drops is sent again, and is no better then.
modprobe nf_tables
marks() { # MARK: of packets, or CT MARK of connections, that nft drops
	within router nft -f - <<-RULES
		table inet marks
		delete table inet marks
		table inet marks {
			chain forward {
				type filter hook forward priority filter
				$1 drop
			}
		}
	RULES
}
isn=90000000
for engine in "" "refuse bidi"; do
	marks "meta mark & 0xff == 0x5"
	rules router "forward tcp dport 9000 mark 0x5/0xff stream${engine:+ $engine}"
	does "mark${engine:+, $engine}: a connection" connected raw_open 9000 $((isn += 1000000))
	does "half a character" sent raw_put '0:ab\xe0'
	does "arrives" 'ab\xe0' raw_read 3
	for n in 1 2 3; do
		does "what does not end it well, time $n" sent raw_put '3:\x80\xafcd'
		ok "is marked" until_true 60 counted router audited $n
	done
	does "another end" sent raw_put '3:\xa0\x80cd'
	does "is all that arrives" '\xa0\x80cd' raw_read 4
	does "ASCII that gets lost" sent raw_put '7:spoilt:ef' '7:e'
	does "the first of it arrives" e raw_read 1
	does "octets that are not what they were" sent raw_put '8:\xc3' '8:spoilt:\xa9' '9:\xa9'
	does "arrive where they fit" '\xc3\xa9' raw_read 2
	does "urgent data" sent raw_put '10:urg:abc'
	ok "is counted" until_true 60 counted router urgent 1
	does "and does not arrive" nothing raw_read 0
	does "a character too large, and one that is not" sent raw_put '10:\xf4\x90\x80\x80' '10:\xf1\x90\x80\x80'
	does "of which only that arrives" '\xf1\x90\x80\x80' raw_read 4
	is "nothing was dropped by us for being wrong" "$(count router refused)" 0
	is "nor picked up in the middle" "$(count router resync)" 0

	marks "meta mark & 0xff == 0x6"
	does "another mark: a connection" connected dial client server $server4 9000
	does "bad, and good, and bad" written write 'ab\xe0' '\x80\xafcd' 'na\xc3\xafve' 'bad\xc0\xae'
	does "all of it arrives" 'ab\xe0\x80\xafcdna\xc3\xafvebad\xc0\xae' read 18
	like "bad is marked" "$(count router audited)" '^[1-9]'
	like "and the stream picked up" "$(count router resync)" '^[1-9]'

	marks "ct mark 0x70"
	rules router "forward tcp dport 9000 ctmark 0x70 stream${engine:+ $engine}"
	does "ctmark: a connection" connected raw_open 9000 $((isn += 1000000))
	does "half a character" sent raw_put '0:ab\xe0'
	does "arrives" 'ab\xe0' raw_read 3
	does "what does not end it well, and what would" sent raw_put '3:\x80\xafcd' '3:\xa0\x80cd'
	ok "is marked" until_true 60 counted router audited 1
	does "and nothing arrives any more" nothing raw_read 0
done
does "ctmark: another connection" connected raw_open 9000 $((isn += 1000000))
does "after a mistake first" sent raw_put '4:text' '0:ab\xc0\xae'
ok "that is marked" until_true 60 counted router audited 2
does "nothing arrives" nothing raw_read 0
does "over" "done" hang_up
within router nft flush ruleset

# Audit looks, and lets through.
rules router "forward tcp dport 9000 audit stream"
does "audit" connected dial client server $server4 9000
does "bad, then good" written write 'a\xc0\xaeb' 'na\xc3\xafve'
does "all of it arrives" 'a\xc0\xaebna\xc3\xafve' read 10
ok "it is audited" until_true 60 counted router audited 1
ok "and the stream is picked up after it" until_true 60 counted router resync 1

# The rules change in the middle.
rules router "forward tcp dport 9000 drop stream"
does "begun without rule, or with another" written write 'more\xe6'
rules router
does "no rule" written write '\x97\xa5\xc0\xae'
does "all of it arrives" 'more\xe6\x97\xa5\xc0\xae' read 9
rules router "forward tcp dport 9000 drop stream"
does "a rule again" written write 'text'
does "it goes on" text read 4
does "bad text" written write '\xc0\xae'
ok "is refused" until_true 60 counted router refused 1
ok "it was picked up" counted router resync 1

does "over" "done" hang_up
rules router "forward tcp dport 9000 drop stream"
rules server "input tcp dport 9000 drop stream"
does "a connection" connected dial client server $server4 9000
does "text" written write 'na\xc3'
does "arrives" 'na\xc3' read 3
ok "the module goes with flows alive" rmmod utf8guard_nf
does "the connection goes on" written write '\xc0\xae'
does "without it" '\xc0\xae' read 2
ok "and comes back" load nf

done_testing
