#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What cannot be read of a packet, as where hardware keeps octets from the kernel, and here
# utf8guard_fog does: it counts as unreadable and takes the fail policy of the rule, never a way
# through unseen; and a stream goes on after it.
#
# promise remote peer: what cannot be read is counted, and dropped where the rule fails closed
# shown by: unreadable and refused
# shown by: closed: the audit log

# shellcheck source=userspace/tests/vm/payload/streams.sh
. "$(dirname "$(readlink -f "$0")")/streams.sh"

if ! load service || ! load nf; then bail_out "the modules do not load"; fi
build
ok "a module that hides octets" insmod "$UTF8GUARD_MODULES/test/utf8guard_fog.ko" port=9000
fog=/sys/module/utf8guard_fog/parameters
helper unreadable.py
does "wires" laid wires "$(mac router eth1)" "$(mac client eth0)"

hide() { # OCTETS [PACKETS]: at the end of the next packets that have as many
	echo "$1" >$fog/octets
	echo "${2:-1}" >$fog/packets
}
hidden() { is "$1: octets were hidden" "$(cat $fog/packets)" 0; }
counts() { # NAME WANTED
	is "$1: unreadable and refused" "$(count router unreadable) $(count router refused)" "$2"
}
judged='class=none reason=unreadable .* dport=9000 '

if within router nft -f - <<'RULES'; then
table inet marks {
	counter hits { }
	chain forward {
		type filter hook forward priority filter
		meta mark 0x5 counter name hits
	}
}
RULES
	marked() { # NAME WANTED: packets with the mark, since the last time
		is "$1: packets with the mark" "$(within router nft reset counter inet marks hits |
			sed -n 's/.*packets \([0-9]*\) .*/\1/p')" "$2"
	}
else
	marked() { skip 1 "no nft"; }
fi

# Datagrams, and messages of SCTP: each packet is judged alone.
query='\x12\x34\1\0\0\1\0\0\0\0\0\0\5abcde\0\0\1\0\1'
datagrams() { # LAYERS SCOPE GOOD BAD: 5 octets at the end are hidden
	local protocol=udp at="$1${2:+, $2}"
	[[ $1 != */sctp/* ]] || protocol=sctp
	rules router "forward $protocol dport 9000 drop $2 fail closed"
	log_mark
	hide 5
	does "$at, closed: unreadable" stopped through "$1" "$3"
	hidden "$at, closed"
	like "$at, closed: the audit log" "$(log_since op=utf8guard-payload)" \
		"act=forward outcome=refused rule=[0-9]+ $judged"
	does "$at, closed: the same can be read" through through "$1" "$3"
	does "$at, closed: bad" stopped through "$1" "$4"
	counts "$at, closed" "1 1"
	rules router "forward $protocol dport 9000 drop $2 fail open"
	log_mark
	hide 5
	does "$at, open: unreadable" through through "$1" "$3"
	hidden "$at, open"
	does "$at, open: bad" stopped through "$1" "$4"
	unlike "$at, open: the audit log" "$(log_since op=utf8guard-payload)" "reason=unreadable"
	counts "$at, open" "1 1"
}
text='na\xc3\xafve \xe6\x97\xa5\xe6\x9c\xac'
datagrams ip4/udp "" "$text" 'bad\xc0\xae'
datagrams ip6/udp "scope first 60" "$text" 'bad\xc0\xae'
datagrams ip4/udp "scope dns-labels" "$query" "${query/ab/\\xc0\\xae}"
datagrams ip6/sctp/data "" "$text|abcde" "$text|"'bad\xc0\xae'

# More than some text is hidden: the header of the last message of SCTP, and all of a datagram.
rules router "forward sctp dport 9000 drop fail closed"
hide 20
does "SCTP: no header of the second message" stopped through ip4/sctp/data 'na\xc3\xafve|abcd'
hidden "SCTP"
counts "SCTP" "1 0"
rules router "forward udp dport 9000 drop fail closed"
hide 5
does "a datagram of which nothing can be read" stopped through ip4/udp abcde
counts "nothing of it" "1 0"

# What is bad is refused, whatever is after it.
rules router "forward udp dport 9000 drop fail open"
log_mark
hide 5
does "bad, and then unreadable" stopped through ip4/udp 'na\xc3\xafve\xc0\xaeabcde'
hidden "bad, and then unreadable"
like "is reported for what is bad" "$(log_since op=utf8guard-payload)" \
	"outcome=refused rule=[0-9]+ class=overlong offset=6 bytes=c0"
counts "bad, and then unreadable" "0 1"

# A rule that marks what it refuses marks what cannot be read, if it fails closed.
rules router "forward udp dport 9000 mark 0x5 fail closed"
log_mark
hide 5
does "a mark, closed" delivered udp client server $server4 9000 'na\xc3\xafve'
hidden "a mark, closed"
marked "a mark, closed" 1
like "a mark, closed: the audit log" "$(log_since op=utf8guard-payload)" "outcome=audited rule=[0-9]+ $judged"
rules router "forward udp dport 9000 mark 0x5 fail open"
hide 5
does "a mark, open" delivered udp client server $server4 9000 'na\xc3\xafve'
hidden "a mark, open"
marked "a mark, open" 0
counts "a mark, open" "1 0"

# The other hooks; where a datagram goes out, its sender is told.
place() { # NS HOOK NUMBER VERDICT
	rules router
	rules "$1" "$2 udp dport 9000 drop fail closed"
	echo "$3" >$fog/hook
	hide 5
	does "$2: unreadable" "$4" udp client server $server6 9000 'na\xc3\xafve'
	hidden "$2"
	does "$2: the same can be read" delivered udp client server $server6 9000 'na\xc3\xafve'
	is "$2: it was unreadable" "$(count "$1" unreadable) $(count "$1" refused)" "1 0"
	rules "$1"
}
place server input 1 dropped
place client output 3 refused
echo 2 >$fog/hook

# The monitor tells of it, as lines and as JSON.
rules router "forward udp dport 9000 drop fail closed"
for how in "" -j; do
	monitor "$tap/said$how" -N router ${how:+"$how"} --count 1 --timeout 300
done
hide 5
does "for the monitor" stopped through ip4/udp 'na\xc3\xafve'
wait "${monitors[@]}"
like "the monitor" "$(cat "$tap/said")" \
	'net refused forward udp 10.0.1.7:7000 > 10.0.2.1:9000: unreadable, 6 octets rule [0-9]+'
is "the monitor in JSON" "$(member reason <"$tap/said-j") $(member class <"$tap/said-j")" "unreadable none"

# Connections: packets alone, streams, and those that are read in order. What is dropped is
# sent again, and gets through when it can be read; what is let through, once.
connections() { # KIND ADDRESS
	local at="$1${1:+, }$2"
	rules router "forward tcp dport 9000 drop $1 fail closed"
	does "$at, closed: a connection" connected dial client server "$2" 9000
	does "$at, closed: some text" written write 'one '
	does "$at, closed: arrives" 'one\x20' read 4
	log_mark
	hide 5 2
	does "$at, closed: unreadable" written write 'na\xc3\xafve\xe6'
	does "$at, closed: arrives when it can be read" 'na\xc3\xafve\xe6' read 7
	hidden "$at, closed"
	like "$at, closed: the audit log" "$(log_since op=utf8guard-payload)" \
		"act=forward outcome=refused rule=[0-9]+ $judged"
	counts "$at, closed" "2 0"
	goes_on "$at, closed" 0
	is "$at, closed: no more were unreadable" "$(count router unreadable)" 2

	rules router "forward tcp dport 9000 drop $1 fail open"
	does "$at, open: a connection" connected dial client server "$2" 9000
	does "$at, open: some text" written write 'one '
	does "$at, open: arrives" 'one\x20' read 4
	log_mark
	hide 5
	does "$at, open: unreadable" written write 'na\xc3\xafve\xe6'
	does "$at, open: arrives" 'na\xc3\xafve\xe6' read 7
	hidden "$at, open"
	counts "$at, open" "1 0"
	goes_on "$at, open" "$([ "$1" ] && echo 1 || echo 0)"
	is "$at, open: no more were unreadable" "$(count router unreadable)" 1
	unlike "$at, open: the audit log" "$(log_since op=utf8guard-payload)" "reason=unreadable"
}
goes_on() { # NAME RESYNC
	does "$1: the other half of a character" written write '\x97\xa5ok'
	does "$1: arrives" '\x97\xa5ok' read 4
	is "$1: picked up in the middle" "$(count router resync)" "$2"
	does "$1: bad" written write '\xc0\xae'
	ok "$1: is refused" until_true 60 counted router refused 1
	does "$1: and does not arrive" nothing read 0
	does "$1: over" "done" hang_up
}
connections "" $server4
connections stream $server4
connections stream $server6
connections "stream gate on" $server4

# Streams with a rule that marks: what cannot be read is let through, and marked if it fails closed.
for kind in stream "stream gate on"; do
	for fail in closed open; do
		at="$kind, a mark, $fail"
		rules router "forward tcp dport 9000 mark 0x5 $kind fail $fail"
		does "$at: a connection" connected dial client server $server4 9000
		does "$at: good, then unreadable" written write 'good '
		does "$at: arrives" 'good\x20' read 5
		hide 5
		does "$at: unreadable" written write 'na\xc3\xafve'
		does "$at: arrives" 'na\xc3\xafve' read 6
		hidden "$at"
		marked "$at" "$([ $fail = closed ] && echo 1 || echo 0)"
		does "$at: bad" written write 'a\xc0\xae'
		does "$at: arrives" 'a\xc0\xae' read 3
		marked "$at: of bad" 1
		is "$at: counted as such" "$(count router unreadable) $(count router refused) $(count router audited)" "1 0 1"
		does "$at: over" "done" hang_up
	done
done

# HTTP. With fail closed, nothing of it is missed; with fail open, it cannot be followed after what
# was let through unread.
request() { # PATH
	printf '%s' "GET /$1 HTTP/1.1\r\nHost: a\r\n\r\n"
}
for fail in closed open; do
	at="http-target, $fail"
	rules router "forward tcp dport 9000 drop stream scope http-target fail $fail"
	does "$at: a connection" connected dial client server $server4 9000
	does "$at: a request" written write "$(request a)"
	does "$at: arrives" 'GET\x20/a\x20HTTP/1.1\x0d\x0aHost:\x20a\x0d\x0a\x0d\x0a' read 28
	hide 5
	does "$at: one that is unreadable" written write "$(request b)"
	does "$at: arrives, now or later" 'GET\x20/b\x20HTTP/1.1\x0d\x0aHost:\x20a\x0d\x0a\x0d\x0a' read 28
	hidden "$at"
	counts "$at" "1 0"
	does "$at: a bad one" written write "$(request '\xc0\xae')"
	if [ $fail = closed ]; then
		ok "$at: is refused" until_true 60 counted router refused 1
		does "$at: and does not arrive" nothing read 0
		is "$at: all was followed" "$(count router unfollowed) $(count router resync)" "0 0"
	else
		does "$at: cannot be told" 'GET\x20/\xc0\xae\x20HTTP/1.1\x0d\x0aHost:\x20a\x0d\x0a\x0d\x0a' read 29
		is "$at: it is not followed any more" "$(count router unfollowed) $(count router resync)" "1 1"
	fi
	does "$at: over" "done" hang_up
done

# An answer to an upgrade that cannot be read may be the consent.
at="an upgrade"
rules router "forward tcp dport 9000 drop stream scope http-target fail closed"
does "$at: a connection" connected dial client server $server4 9000
does "$at: is asked for" written write 'GET / HTTP/1.1\r\nUpgrade: x\r\n\r\n'
does "$at: arrives" 'GET\x20/\x20HTTP/1.1\x0d\x0aUpgrade:\x20x\x0d\x0a\x0d\x0a' read 30
ask caller
echo "$answer" >$fog/port
hide 5
does "$at: an answer, 1 101 of which cannot be read" written answer 'HTTP/1.1 101' ' Switching\r\n\r\n'
hidden "$at"
does "$at: what looks like HTTP" written write "$(request a)"
ok "$at: is not followed" until_true 60 counted router unfollowed 1
does "$at: and does not arrive" nothing read 0
does "$at: over" "done" hang_up
echo 9000 >$fog/port

rules router
ok "the module that hides octets unloads" rmmod utf8guard_fog
ok "and the payload check" rmmod utf8guard_nf
done_testing
