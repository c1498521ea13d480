#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Where streams begin, and how far they may go. A remote peer sends segments by which the host might
# believe in another beginning, or another window, than the receiver does.
#
# promise remote peer: he does not choose where a stream begins
# shown by: nothing was picked up in the middle
# shown by: what is refused where the stream begins does not arrive
# shown by: is refused, that alone

# shellcheck source=userspace/tests/vm/payload/streams.sh
. "$(dirname "$(readlink -f "$0")")/streams.sh"

streams
isn=100000000
rule="forward tcp dport 9000 drop stream"

# A SYN within a connection that connection tracking does not know, for it is older than the rule.
# After a RST outside of the window and a probe, connection tracking believes what the SYN says.
challenge() { # ENGINE, TEXT that the SYN carries
	rules router
	does "a connection${1:+,$1}" connected raw_open 9000 $((isn += 1000000))
	does "half a character" sent raw_put '0:ab\xc3'
	does "arrives" 'ab\xc3' raw_read 3
	does "and is acknowledged" 3 raw_answered ack
	rules router "$rule$1"
	does "a SYN after it${2:+, with a text}" sent raw_say "S@2:$2"
	does "is answered by an acknowledgment alone" 3 raw_answered ack
	# Nor does it answer twice in half a second.
	sleep 0.6
	does "a reset that is none, and a probe" sent raw_say 'R@-100:' 'A@2:'
	does "which is answered" 3 raw_answered ack
	does "a text" sent raw_put '3:A\r\n'
}
for text in "" 'A\r\n'; do
	challenge "" "$text"
	ok "is picked up in the middle" until_true 60 counted router resync 1
	does "and arrives" 'A\x0d\x0a' raw_read 3
	challenge " scope smtp-line" "$text"
	ok "is not followed" until_true 60 counted router unfollowed 1
	does "and does not arrive" nothing raw_read 0
	is "it is tracked" "$(count router untracked)" 0
done

# A SYN-ACK within a connection that connection tracking knows only by what the receiver of that
# SYN-ACK has sent.
rules router
does "a server" connected raw_serve $((isn += 1000000))
does "half a character" sent raw_put '0:ab\xc3'
does "arrives" 'ab\xc3' raw_read 3
does "and is acknowledged" 3 raw_answered ack
rules router "forward tcp sport 20000-29999 drop stream"
does "a request" told raw_tell 'hello'
does "goes to the server" 3 raw_answered ack
does "a SYN-ACK after the half" sent raw_say 'SA@2:'
does "is answered by an acknowledgment alone" 3 raw_answered ack
does "a text" sent raw_put '3:A'
ok "is picked up in the middle" until_true 60 counted router resync 1
does "and arrives" A raw_read 1

# Fast Open: the SYN-ACK acknowledges what the SYN carried, and is sent again until it is
# acknowledged itself. It might be taken for the answer to another SYN.
within server sh -c 'echo 0x602 >/proc/sys/net/ipv4/tcp_fastopen'
for engine in "" " refuse bidi"; do
	rules router "$rule$engine"
	does "a SYN with half a character${engine:+,$engine}" "no answer" raw_fast 9000 $((isn += 1000000)) 'abcd\xc3'
	ok "is refused, for its answer might be that to an older one" until_true 60 counted router window 1
	does "a SYN with whole ones" "acknowledged 6" raw_fast 9000 $((isn += 1000000)) 'abcd\xc3\xa9'
	does "another, as if these were before it" sent raw_say 'S@5:'
	ok "is refused" until_true 60 counted router window 2
	does "the answer, once more" 6 raw_answered syn ack
	does "an acknowledgment, and no beginning of a character" sent raw_say 'A@6:' 'AP@6:\xa9'
	ok "that is refused" until_true 60 counted router refused 1
	does "text" sent raw_put '6:, and text'
	does "all of it arrives" 'abcd\xc3\xa9,\x20and\x20text' raw_read 16
	is "nothing was picked up in the middle" "$(count router resync)" 0
done
does "a SYN with a text" "acknowledged 4" raw_fast 9000 $((isn += 1000000)) 'text'
does "another in its place, for a server that has given up" sent raw_say 'S@-1:te\xc3\xa9'
ok "is refused, for nothing is left to compare it with" until_true 60 counted router window 3
does "an acknowledgment, and more text" sent raw_say 'A@4:' 'AP@4:\xc3' 'AP@5:\xa9'
does "the connection goes on" 'text\xc3\xa9' raw_read 6
is "nothing else was refused" "$(count router refused) $(count router window)" "1 3"
for request in 'GET / HTTP/1.1\r\nHost: a\r\n\r\n' 'GET / HTTP/1.1\r\nHost: '; do
	rules router "$rule scope http-headers"
	whole=$([[ $request != *n ]] || echo whole)
	does "a SYN with a ${whole:-cut} request" "$([ -n "$whole" ] && echo "acknowledged 27" || echo "no answer")" \
		raw_fast 9000 $((isn += 1000000)) "$request"
done
ok "is refused" until_true 60 counted router window 1

# A server that has given up before its SYN-ACK was acknowledged takes the same SYN for a new one.
within server sh -c 'echo 0 >/proc/sys/net/ipv4/tcp_synack_retries'
for engine in none "" " refuse bidi"; do
	if [ "$engine" = none ]; then
		rules router
	else
		rules router "$rule$engine"
	fi
	does "a SYN with a text" "acknowledged 4" raw_fast 9000 $((isn += 1000000)) 'text'
	if [ "$engine" = none ]; then
		does "it is given up; the end of a character comes in its place" '\xa9' raw_given_up '\xa9'
	else
		does "the same${engine:+,$engine}" nothing raw_given_up '\xa9'
		is "it was refused as nowhere, that alone" \
			"$(count router refused) $(count router window)" "0 1"
	fi
done
within server sh -c 'echo 5 >/proc/sys/net/ipv4/tcp_synack_retries'

# Another connection with the same ports and the same initial sequence number. A reset has ended the
# first one for the server, and connection tracking drops it by and by: both take this for a new one.
for engine in "" " refuse bidi"; do
	rules router "$rule$engine"
	does "a connection${engine:+,$engine}" connected raw_open 9000 $((isn += 1000000))
	does "text" sent raw_put "0:$(printf '%0999d' 0)"
	does "arrives" "$(printf '%0999d' 0)" raw_read 999
	does "and is acknowledged" 999 raw_answered ack
	does "a reset, and an acknowledgment of nothing" sent raw_say 'R@999:' 'A@999:'
	does "another, as if it were the same" connected raw_open_again 9000 $isn
	does "what is not UTF-8" sent raw_put '0:text\xc0\xae'
	ok "is refused" until_true 60 counted router refused 1
	does "text" sent raw_put '0:other'
	does "arrives" other raw_read 5
	does "and is acknowledged" 5 raw_answered ack
	does "a reset, and an acknowledgment of nothing" sent raw_say 'R@5:' 'A@5:'
	does "a SYN that is the same again, with a text" sent raw_say 'S@-1:\xc0\xae'
	ok "is refused, too" until_true 60 counted router window 1
done

# The same of the end that was called, of which nothing but its SYN-ACK had come.
for engine in "" " refuse bidi"; do
	rules router "forward tcp sport 20000-29999 drop stream$engine"
	does "a server${engine:+,$engine}" connected raw_serve $((isn += 1000000))
	does "a reset" sent raw_say 'R@0:'
	does "is taken" nothing raw_read 1
	does "is called again, and begins before that" connected raw_serve $((isn - 2000)) again
	does "what is not UTF-8" sent raw_put '0:\xc0\xae'
	ok "is refused" until_true 60 counted router refused 1
done

# Another one ahead of it. The server tells nobody that the connection has ended, and is slow to
# answer: what comes before the SYN-ACK makes connection tracking ignore that. If it is not told to be
# liberal, it finds all that comes later invalid.
liberal() { within router sh -c "echo $1 >/proc/sys/net/netfilter/nf_conntrack_tcp_be_liberal"; }
liberal 1
for engine in none "" " refuse bidi"; do
	if [ "$engine" = none ]; then
		rules router
	else
		rules router "$rule$engine"
	fi
	does "a connection${engine:+,$engine}" connected raw_open 9000 $((isn += 1000000))
	delay_at server eth0 delay 100ms
	if [ "$engine" = none ]; then
		does "it is forgotten; another begins with the end of a character" '\xa9' raw_forgotten text '\xa9'
	else
		does "it is forgotten; nothing of another arrives" nothing raw_forgotten text '\xa9'
		ok "it was refused" until_true 60 counted router window 1
	fi
	calm_at server eth0
done
liberal 0

# Two SYN-ACKs, the first with a wrong checksum, so that the caller takes the second; between them,
# octets ahead.
within router sh -c 'echo 0 >/proc/sys/net/netfilter/nf_conntrack_checksum'
rules router "forward tcp sport 20000-29999 drop stream"
does "a server" called raw_called $((isn += 1000000))
does "an answer that gets lost, and the end of a character ahead" sent raw_say 'SAX@-1:' 'A@500:\x80\x80\x80a'
does "another answer before that" sent raw_say 'SA@499:'
ok "is refused" until_true 60 counted router window 1
within router sh -c 'echo 1 >/proc/sys/net/netfilter/nf_conntrack_checksum'

# The caller alone does not say where the stream begins: its own SYN, with another number, answers
# nothing. Octets from there on the server throws away, for it has begun elsewhere. After a SYN-ACK
# with another number, it is not known where the server begins, and nothing goes on.
lie() { # OFFSET FLAGS FILLER TEXT REASON TIMES
	does "the caller's own $2, $1 from the beginning" sent raw_say "$2@$(($1 - 1)):"
	does "and again" sent raw_say "$2@$(($1 - 1)):"
	does "octets from there on" sent raw_put "$1:$3"
	does "and what is refused where the stream begins" sent raw_put "0:$4"
	ok "is refused" until_true 60 counted router "$5" "$6"
	ask raw_accept
	does "what is refused where the stream begins does not arrive" nothing raw_read 0
}
begin_half() { # RULE
	rules router "$rule$1"
	does "a SYN, and its answer${1:+,$1}" "acknowledged 0" raw_half 9000 $((isn += 1000000))
}
target=" scope http-target decode percent"
for flags in "SA window 2" "S refused 1"; do
	read -ra refused <<<"${flags#* }"
	flags=${flags%% *}
	begin_half ""
	lie -98 "$flags" "$(printf '%096d' 0)\xe6\x97" '\xa5A' "${refused[@]}"
	begin_half " scope first 8"
	lie -100 "$flags" "$(printf '%0100d' 0)" '\xc0\xae' "${refused[@]}"
	begin_half "$target"
	lie -100 "$flags" "GET / HTTP/1.1\r\nContent-Length: 9999\r\n\r\n$(printf '%060d' 0)" \
		'GET /..%C0%AF..%C0%AE/etc HTTP/1.1\r\n\r\n' "${refused[@]}"
done
# With a number after the true beginning, too: what is before it would then seem to be old. The server
# answers that by a reset, after which nothing goes on.
begin_half ""
lie 5 SA 'A' '\xa5\xa5\xa5\xa5' window 2

# The rules change, and the other engine goes on with the stream. What was on its way then may be
# sent again.
within router sh -c 'echo 0 >/proc/sys/net/netfilter/nf_conntrack_checksum'
for change in "/ refuse bidi" " refuse bidi/"; do
	rules router "$rule${change%/*}"
	does "a connection" connected raw_open 9000 $((isn += 1000000))
	does "text" sent raw_put '0:ab'
	does "arrives" ab raw_read 2
	does "and some that gets lost" sent raw_put '2:spoilt:cd'
	ok "is seen" until_true 60 counted router packets 2
	rules router "$rule${change#*/}"
	does "another in its place" sent raw_put '2:\xc0\xae'
	ok "is refused, for it is not UTF-8" until_true 60 counted router refused 1
	does "the same" sent raw_put '2:cd' '4:\xc3' '5:\xa9'
	does "arrives, and it goes on" 'cd\xc3\xa9' raw_read 4
	is "no more was refused" "$(count router refused)" 1
done
http="scope http-target decode percent"
rules router "$rule"
does "a connection" connected raw_open 9000 $((isn += 1000000))
does "text" sent raw_put '0:ab'
does "arrives" ab raw_read 2
does "and some that gets lost" sent raw_put '2:spoilt:cd'
ok "is seen" until_true 60 counted router packets 2
rules router "$rule $http"
does "another in its place" sent raw_put '2:\xc0\xae'
ok "is not followed" until_true 60 counted router unfollowed 1
does "and does not arrive" nothing raw_read 0
# What is sent again, resegmented.
for fail in closed open; do
	rules router "$rule lenient fail $fail $http"
	does "fail $fail: a connection" connected raw_open 9000 $((isn += 1000000))
	does "a request that gets lost" sent raw_put '0:spoilt:GET /text HTTP/1.1\r\n'
	ok "is seen" until_true 60 counted router packets 1
	does "another from its middle on" sent raw_put '5:%c0%af HTTP/1.1\r\n'
	ok "is seen" until_true 60 counted router packets 2
	is "and cannot be compared" "$(count router differs) $(count router unfollowed)" \
		"$([ $fail = closed ] && echo 1 0 || echo 0 1)"
	does "the beginning of the first one" sent raw_put '0:GET /'
	ok "is seen" until_true 60 counted router packets 3
done
does "all of it arrives, where that is said" 'GET\x20/%c0%af\x20HTTP/1.1\x0d\x0a' raw_read 22
is "and nothing of it is followed any more" "$(count router unfollowed)" 2
rules router "$rule lenient $http"
does "a connection" connected raw_open 9000 $((isn += 1000000))
does "a request that gets lost" sent raw_put '0:spoilt:GET /ab0/ HTTP/1.1\r\n'
ok "is seen" until_true 60 counted router packets 1
does "the beginning of another" sent raw_put '0:GET /%c'
ok "cannot be compared" until_true 60 counted router unfollowed 1
does "the end of the first one" sent raw_put '0:GET /ab0/ HTTP/1.1\r\n'
ok "nor be followed" until_true 60 counted router unfollowed 2
within router sh -c 'echo 1 >/proc/sys/net/netfilter/nf_conntrack_checksum'

# Multipath TCP, on which both ends agree: by a DSS, by the answer to a SYN, by an
# acknowledgment. What is read then is not what is in the segments.
capable='\x1e\x04\x01\x81' dss='\x1e\x10\x20\x04\0\0\0\1\0\0\0\1\0\2\0\0'
stamp='\x01\x01\x08\x0a\0\0\0\1\0\0\0\0'
for engine in "" " refuse bidi"; do
	for fail in closed open; do
		rules router "$rule fail $fail$engine"
		does "fail $fail$engine: a SYN that asks" "set" raw_options "$capable"
		does "a server that does not answer that" connected raw_open 9000 $((isn += 1000000))
		does "text" sent raw_put '0:ab'
		does "with a timestamp" "set" raw_options "$stamp"
		does "more of it" sent raw_put '2:cd'
		# What is no option of Multipath TCP: after the end of all options, where a length is 0, and
		# where it reaches too far.
		at=4
		for options in '\0\x1e\x02\0' '\x08\0\x1e\x02' '\x01\x1e\x04\0' '\x1e\x01\x1e\x02'; do
			does "what is no option" "set" raw_options "$options"
			does "and text" sent raw_put "$at:e"
			at=$((at + 1))
		done
		does "all of it arrives" abcdeeee raw_read 8
		is "and is followed" "$(count router unfollowed)" 0
		# Anybody could send it, and the server, whose connection is plain, ignores it.
		does "a DSS later" "set" raw_options "$stamp$dss"
		does "and text" sent raw_put '8:fg'
		does "arrives" fg raw_read 2
		is "and is followed" "$(count router unfollowed)" 0
		does "a connection" connected raw_open 9000 $((isn += 1000000))
		does "a DSS" "set" raw_options "$stamp$dss"
		does "with the first text" sent raw_put '0:fg'
		ok "is not followed" until_true 60 counted router unfollowed 1
		does "nor is what is after it" sent raw_put '0:fg'
		ok "it is counted" until_true 60 counted router unfollowed 2
		does "it arrives, where that is said" \
			"$([ $fail = closed ] && echo nothing || echo fg)" raw_read \
			"$([ $fail = closed ] && echo 0 || echo 2)"
	done
done
does "what is ill-formed by itself" sent raw_put '2:\xc0\xae'
ok "is refused even so" until_true 60 counted router refused 1
rules router "$rule"
does "a connection" connected raw_open 9000 $((isn += 1000000))
does "an option" "set" raw_options "$capable"
does "in an acknowledgment" sent raw_say 'A@0:'
does "text" sent raw_put '0:ab'
ok "is not followed" until_true 60 counted router unfollowed 1
does "its end" sent raw_say 'FA@0:'
does "goes by" 1 raw_answered ack
rules router "forward tcp sport 20000-29999 drop stream"
does "an answer" "set" raw_options "$capable"
does "of a server" connected raw_serve $((isn += 1000000))
does "text" sent raw_put '0:ab'
ok "is not followed" until_true 60 counted router unfollowed 1
does "and does not arrive" nothing raw_read 0

# The same between kernels that know it: protocol 262.
rules router "$rule"
does "a client of Multipath TCP" connected dial client server "$server4" 9000 20 262
does "text" written write 'ab' 'cd'
does "arrives at a server that has none" abcd read 4
is "and is followed" "$(count router unfollowed) $(count router packets)" "0 2"
does "one that has" connected dial client server "$server4" 9000 20 262 262
does "text" written write 'ab'
ok "is not followed" until_true 60 counted router unfollowed 1
does "and does not arrive" nothing read 0
rules router "$rule fail open"
does "fail open: a connection" connected dial client server "$server4" 9000 20 262 262
does "text" written write 'ab' 'cd'
does "arrives" abcd read 4
ok "and is counted" counted router unfollowed 2

# Who is called sends octets before his answer, or a SYN with octets; an answer whose octets are
# refused, a reset that the caller ignores, and another answer, after which his stream begins at once.
for early in 'PA@0:\xa5' 'S@-4:\xe6'; do
	rules router "forward tcp sport 20000-29999 drop stream"
	does "$early before an answer: called" called raw_called $((isn += 1000000))
	does "all of that" sent raw_say "$early" 'SA@-4:\xe6\x97' 'R@-1:' 'SA@-1:' 'PA@0:\xa5'
	ok "is looked at" until_true 60 counted router packets 3
	does "and nothing arrives" nothing raw_read 0
done

# The window. Of a segment across its edge, a receiver may take the part that is inside.
for engine in "" " refuse bidi"; do
	rules router "$rule$engine"
	does "a connection${engine:+,$engine}" connected raw_open 9000 $((isn += 1000000))
	does "text up to the edge of the window, and a probe after it" sent raw_edge '-4:abcd' '0:e'
	does "text across the edge" sent raw_edge '-2:cdef'
	ok "is refused, that alone" until_true 60 counted router window 1
	is "for no other reason" "$(count router untracked) $(count router refused)" "0 0"
done
# The server's window is wider than the known one, for its acknowledgments get lost.
mute() {
	within server nft -f - <<<"table inet mute { chain out {
		type filter hook output priority raw; tcp sport 9000 drop; }; }"
}
rmem=$(within server cat /proc/sys/net/ipv4/tcp_rmem)
within server sh -c 'echo 4096 8192 16384 >/proc/sys/net/ipv4/tcp_rmem'
for engine in none "" " refuse bidi"; do
	rules router
	[ "$engine" = none ] || rules router "$rule$engine"
	does "a connection${engine:+,$engine}" connected raw_open 9000 $((isn += 1000000))
	ok "a server whose acknowledgments get lost" mute
	does "text up to the edge of its window" filled raw_fill
	does "half a character after that, and an end" sent raw_edge '0:\xe6' '1:fin:'
	if [ "$engine" = none ]; then
		does "it reads both" '\xe6 end' raw_read_end 1
	else
		ok "the end is refused" until_true 20 counted router window 1
		does "it reads no end" '\xe6' raw_read_end 1
		is "refused for nothing else" "$(count router untracked) $(count router refused)" "0 0"
	fi
	within server nft flush ruleset
done
within server sh -c "echo $rmem >/proc/sys/net/ipv4/tcp_rmem"
rules router "$rule lenient"
does "lenient: a connection" connected raw_open 9000 $((isn += 1000000))
does "text across the edge, and in order" sent raw_edge '-2:cdef'
does "and in order" sent raw_put '0:ab'
does "arrives" ab raw_read 2
is "is not refused" "$(count router window)" 0
does "over" "done" hang_up
for offload in on off; do
	each_end offload_at $offload
	for engine in "" " refuse bidi"; do
		rules router "$rule$engine"
		does "offloads $offload: a window that closes and opens${engine:+,$engine}" whole \
			slow client server "$server4" 9000 300000
		is "nothing honest is refused for the window" "$(count router window)" 0
	done
done

done_testing
