#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Streams that are read in order: rules that ask for a scope, percent decoding, text classes or the
# text gate. A remote peer sends real TCP between three network namespaces, and segments that no TCP
# would send.
#
# promise remote peer: what a rule with a scope, percent decoding, text classes or the text gate
#   refuses does not arrive, in whatever pieces or order it is sent, and good octets do
# shown by: what is before it arrives
# shown by: bad octets in the wrong order
# shown by: and do not arrive
# shown by: reordered, lost, doubled
# shown by: nothing was refused

# shellcheck source=userspace/tests/vm/payload/streams.sh
. "$(dirname "$(readlink -f "$0")")/streams.sh"

if ! load service || ! load nf; then bail_out "the modules do not load"; fi
build
helper streams.py
does "raw frames" on raw_on "$(mac router eth1)" "$(mac client eth0)"

# What may be asked for.
wrong() { # RULE MESSAGE: the kernel refuses the rule, and says that
	local said
	# shellcheck disable=SC2086 # words of a rule
	said=$(within router utf8guard net add $1 2>&1)
	is "$1" "$said" "utf8guard: ${1##* }: refused by the kernel: $2 (Invalid argument)"
}
wrong "forward tcp dport 1 drop scope http-target" "this scope needs a stream of TCP"
wrong "forward udp dport 1 drop scope smtp-line" "this scope needs a stream of TCP"
wrong "forward tcp dport 1 drop scope dns-labels" "the scope dns-labels needs UDP or a stream of TCP"
wrong "forward tcp dport 1 drop stream scope smtp-line decode percent" "this scope has no percent encoding"
wrong "forward tcp dport 1 drop stream gate on refuse nul" \
	"the text gate takes NUL for binary: turn the gate off to refuse NUL"
is "no rule is left of it" "$(within router utf8guard net)" ""
all=("forward tcp dport 9000 drop decode percent fail closed stream strict"
	"forward tcp dport 9001 drop scope http-target decode percent fail closed stream strict"
	"forward tcp dport 9002 drop scope http-headers fail closed stream strict"
	"forward tcp dport 9003 drop scope smtp-line fail closed stream strict"
	"forward tcp dport 9004 drop scope dns-labels fail closed stream strict"
	"forward tcp dport 9005 drop refuse nul,bidi fail closed stream strict"
	"forward tcp dport 9006 drop gate on fail closed stream strict"
	"forward tcp dport 9007 drop scope 4:16 fail closed stream strict"
	"forward tcp dport 9008 audit scope http-target decode percent stream strict"
	"forward tcp dport 9009 drop scope http-target fail open stream strict"
	"forward tcp dport 9010 mark 0x1 scope http-target fail closed stream strict")
rules router "${all[@]}"
saved=$(within router utf8guard save)
for rule in "${all[@]}"; do
	is "$rule" "$(grep -c "^net add $rule\$" <<<"$saved")" 1
done
within router utf8guard net flush
within router utf8guard load - <<<"$saved"
is "what was saved loads as the same" "$(within router utf8guard save)" "$saved"

# Good octets get through whatever happens to them.
kinds=("9000 percent" "9001 http" "9002 http" "9003 smtp" "9004 dns" "9005 plain" "9006 plain")
for how in on off; do
	each_end offload_at $how
	for kind in "${kinds[@]}"; do
		does "offloads $how: ${kind#* } for ${kind% *}" whole whole client server $server4 \
			"${kind% *}" 100000 1 "${kind#* }"
	done
	does "IPv6, offloads $how" whole whole client server $server6 9001 100000 2 http
	each_end disturb_at
	for kind in "${kinds[@]}"; do
		does "$how, reordered, lost, doubled: ${kind#* } for ${kind% *}" whole \
			whole client server $server4 "${kind% *}" 50000 1 "${kind#* }"
	done
	each_end calm_at
done
is "nothing was refused" "$(count router refused)" 0
is "nor not followed" "$(count router unfollowed)" 0
is "nor picked up in the middle" "$(count router resync)" 0
ok "what came before others was let through" counted router early 1
diag "early $(count router early), ahead $(count router ahead), differs $(count router differs), full $(count router full), packets $(count router packets)"
each_end offload_at on

# Bad octets do not, in whatever cuts.
refused_of() { # NAME PORT CLASS BEFORE PIECE...: what is before the last piece arrives
	ask hang_up
	rules router "${all[@]}"
	does "$1: a connection" connected dial client server $server4 "$2"
	does "$1: sent" written write "${@:5}"
	ok "$1: refused" until_true 60 counted router refused 1
	is "$1: as $3" "$(class router)" "$3"
	does "$1: what is before it arrives" "$4" read 1
}
end='\x20HTTP/1.1\r\nHost:\x20a\r\n\r\n' shown_end='\x20HTTP/1.1\x0d\x0aHost:\x20a\x0d\x0a\x0d\x0a'
refused_of "an escape cut in two" 9001 overlong 'GET\x20/..%c' 'GET\x20/..%c' '0%af'
refused_of "and at each octet" 9001 overlong 'GET\x20/%c' 'G' 'E' 'T' '\x20' '/' '%' 'c' '0' '%' 'a' 'f'
refused_of "between two escapes" 9001 too-short 'GET\x20/%e3%81' 'GET\x20/%e3%81' '%41'
refused_of "escaped twice" 9001 percent-double 'GET\x20/%252' 'GET\x20/%252' 'e'
refused_of "%u002e" 9001 percent-unicode 'GET\x20/%u00' 'GET\x20/%u00' '2e'
refused_of "the second request" 9001 overlong "GET\\x20/$shown_end" "GET\\x20/$end" "GET\\x20/%c0%af$end"
refused_of "two requests in one segment" 9001 percent-nul 'x' 'x' "GET\\x20/$end"'GET\x20/%00'
refused_of "after a body" 9001 overlong 'POST\x20/\x20HTTP/1.1\x0d\x0aContent-Length:\x204\x0d\x0a\x0d\x0a%c0\xff' \
	'POST\x20/\x20HTTP/1.1\r\nContent-Length:\x204\r\n\r\n%c0\xff' 'GET\x20/%c1%1c'
refused_of "after chunks" 9001 overlong \
	'POST\x20/\x20HTTP/1.1\x0d\x0aTransfer-Encoding:\x20chunked\x0d\x0a\x0d\x0a3\x0d\x0a%c0\x0d\x0a0\x0d\x0a\x0d\x0a' \
	'POST\x20/\x20HTTP/1.1\r\nTransfer-Encoding:\x20chunked\r\n\r\n3\r\n%c0\r\n0\r\n\r\n' 'GET\x20/%c0%ae'
refused_of "a field" 9002 too-short 'GET\x20/\xff\x20HTTP/1.1\x0d\x0aUser-Agent:\x20na\xc3' \
	'GET\x20/\xff\x20HTTP/1.1\r\nUser-Agent:\x20na\xc3' 've'
refused_of "a line of mail" 9003 surrogate 'DATA\x0d\x0a\xed' 'DATA\r\n\xed' '\xa0\x80\r\n'
refused_of "a label in two" 9004 too-short '\x00\x13\x124\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x02\xc3' \
	'\x00\x13\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x02\xc3' 'a\x00\x00\x01\x00\x01'
refused_of "a bidi control in two" 9005 bidi 'good\xe2\x80' 'good\xe2\x80' '\xae'
refused_of "a plain escape" 9000 percent-malformed 'a=%' 'a=%' 'zz'
refused_of "no text, after the gate's octets" 9006 too-short "$(printf 'a%.0s' {1..40})" \
	"$(printf 'a%.0s' {1..40})" '\xc3a'
refused_of "in the part" 9007 overlong '\xff\xff\xff\xffpart' '\xff\xff\xff\xffpart' '\xc0\xaf'

# What is not judged, and what cannot be.
ask hang_up
rules router "${all[@]}"
does "after the part" connected dial client server $server4 9007
does "any octets" written write '1234567890123456' 'abcd\xff\xfe'
does "arrive" '1234567890123456abcd\xff\xfe' read 22
does "TLS through the gate" connected dial client server $server4 9006
does "is no text" written write '\x16\x03' '\x01\x02\xff\xfe' '\xc0\xaf'
does "and arrives" '\x16\x03\x01\x02\xff\xfe\xc0\xaf' read 8
ok "it is counted" counted router binary 1
is "nothing was refused" "$(count router refused)" 0
log_mark
does "another protocol where HTTP is judged" connected dial client server $server4 9001
does "is sent" written write 'GET\x20/' '\x20a\x20b\r\n'
ok "it is not followed" until_true 60 counted router unfollowed 1
does "and does not arrive" 'GET\x20/' read 5
preface='PRI\x20*\x20HTTP/2.0\r\n\r\nSM\r\n\r\n'
does "HTTP/2 there" connected dial client server $server4 9001
does "begins" written write "$preface"
does "and does not arrive" nothing read 0
does "where mail is judged" connected dial client server $server4 9003
does "TLS follows" written write 'STARTTLS\r\n' '\x16\x03\x01'
does "and does not" 'STARTTLS\x0d\x0a' read 10
does "where that is marked" connected dial client server $server4 9010
does "HTTP/2 begins" written write "$preface"
does "and arrives" 'PRI\x20*\x20HTTP/2.0\x0d\x0a\x0d\x0aSM\x0d\x0a\x0d\x0a' read 24
does "where that is let through" connected dial client server $server4 9009
does "it is sent" written write 'GET\x20/' '\x20a\x20b\r\n' '\xc0\xaf'
does "and arrives" 'GET\x20/\x20a\x20b\x0d\x0a\xc0\xaf' read 13
# The packet that is marked was the last of them.
like "what is marked is audited" "$(log_since 'op=utf8guard-payload .* dport=9010 ' 1)" \
	" outcome=audited rule=[0-9]+ class=none reason=unfollowed .* dport=9010 len=24 .*res=1"
records=$(log_since op=utf8guard-payload)
for one in "request-line offset=6 .* dport=9001 len=6" "http2 offset=11 .* dport=9001 len=24" \
	"starttls offset=10 .* dport=9003 len=3"; do
	like "what is refused is reported, where from and why: $one" "$records" \
		" outcome=refused rule=[0-9]+ class=none reason=unfollowed cause=$one .*res=0"
done
unlike "what is let through is not reported" "$records" "dport=9009"
before=$(count router unfollowed)
does "audit looks" connected dial client server $server4 9008
does "at bad requests" written write "GET\\x20/%c0%af$end"
does "which arrive" "GET\\x20/%c0%af$shown_end" read 20
ok "and audits them" until_true 60 counted router audited 1
does "what comes after" written write "GET\\x20/$end"
does "arrives" "GET\\x20/$shown_end" read 20
ok "but is not followed" counted router unfollowed $((before + 1))

# What is sent again is counted again, and reported once.
ask hang_up
rules router "${all[@]}"
log_mark
does "what is no HTTP" connected dial client server $server4 9001
does "is sent" written write 'GET\x20/' '\x20a\x20b\r\n'
ok "and again and again" until_true 60 counted router unfollowed 4
is "and reported once" "$(log_since 'op=utf8guard-payload .*dport=9001' 1 | grep -c 'cause=request-line offset=6 ')" 1
is "all in all" "$(log_since op=utf8guard-payload | grep -c 'reason=unfollowed')" 1
does "another connection" connected dial client server $server4 9001
does "of the same" written write 'GET\x20/' '\x20a\x20b\r\n'
is "is reported for itself" "$(log_since 'op=utf8guard-payload .*reason=unfollowed' 2 | wc -l)" 2

# An upgrade: octets before the answer are HTTP, those after an agreement are not.
upgrade='GET\x20/\x20HTTP/1.1\r\nUpgrade:\x20x\r\n\r\n'
ask hang_up
rules router "${all[@]}"
does "an upgrade" connected dial client server $server4 9001
does "asked for, with a request after it" written write "$upgrade" "GET\\x20/$end"
ask read 66
like "all of it arrives" "$answer" '^GET.*GET.*Host'
does "a bad one" written write 'GET\x20/%c0%af'
ok "is refused" until_true 60 counted router refused 1
is "nothing is unfollowed" "$(count router unfollowed)" 0
ask hang_up
rules router "${all[@]}"
log_mark
does "an upgrade" connected dial client server $server4 9001
does "asked for" written write "$upgrade"
does "is agreed to, in pieces" written answer 'HTT' 'P/1.1\x2010' '1\x20Switching\r\n\r\n'
does "what looks like HTTP" written write "GET\\x20/$end"
ok "is not followed" until_true 60 counted router unfollowed 1
like "as the report says" "$(log_since op=utf8guard-payload 1)" ' cause=upgrade offset=30 '
ask hang_up
rules router "${all[@]}"
does "an upgrade" connected dial client server $server4 9001
does "asked for, and octets after it that are good as HTTP" written \
	write "$upgrade" 'POST\x20/\x20HTTP/1.1\r\nContent-Length:\x202\r\n\r\n\xc0\xaf'
is "which are let through" "$(count router unfollowed)" 0
does "is agreed to after them" written answer 'HTTP/1.1\x20101\x20Switching\r\n\r\n'
ok "and they are counted, though nothing comes any more" until_true 60 counted router unfollowed 1
ask hang_up
rules router "${all[@]}"
does "an upgrade" connected dial client server $server4 9001
does "asked for" written write "$upgrade"
does "that is not agreed to" written answer 'HTTP/1.1\x20200\x20OK\r\nContent-Length:\x200\r\n\r\n'
does "what comes then" written write "GET\\x20/$end"
ask read 66
like "arrives" "$answer" '^GET.*GET.*Host'
is "and is followed" "$(count router unfollowed)" 0
ask hang_up

# Segments that no TCP would send.
rules router "${all[@]}"
does "a connection, over the wrap of sequence numbers" connected raw_open 9001 4294967290
does "a request in segments of one octet" sent raw_each "GET\\x20/%e6%97%a5$end"
does "arrives" "GET\\x20/%e6%97%a5$shown_end" raw_read 36
does "the wrong order" connected raw_open 9001 1000
log_mark
does "is sent" sent raw_put '5:%e6%97%a5'
ok "what came early is let through" until_true 60 counted router early 1
does "other octets instead" sent raw_put '5:%e6%97%a6'
ok "are refused" until_true 60 counted router differs 1
does "the beginning" sent raw_put '0:GET\x20/' '14:%c'
does "all of it arrives" 'GET\x20/%e6%97%a5%c' raw_read 16
does "other octets in its place" sent raw_put '5:%c0%af%a5' '14:%cx' '16:3%a4'
does "do not" '3%a4' raw_read 4
like "the last is reported" "$(log_since 'op=utf8guard-payload .* class=percent-malformed ' 1)" \
	" class=percent-malformed "
does "a bad escape, and others in its place" connected raw_open 9001 3000
does "before the beginning" sent raw_put '8:%af' '5:%c0' '5:%c3'
ok "are let through, and refused" until_true 60 counted router differs 2
log_mark
does "and the beginning" sent raw_put '0:GET\x20/' '0:GET\x20/' '0:POS\x20/' '0:GET\x20/%c0%af'
ok "is refused, and so is each other" until_true 60 counted router refused 5
does "nothing arrives" nothing raw_read 0
like "it is reported" "$(log_since 'op=utf8guard-payload .* class=overlong ' 1)" " len=5 "
does "a retransmission with other boundaries" connected raw_open 9001 5000
does "that the server has not seen" sent raw_put '1:ET\x20/%' '0:G' '1:ET\x20/%c' '1:ET\x20/%c3%a4'
does "arrives once" 'GET\x20/%c3%a4' raw_read 11
does "over" "done" hang_up

# Out of order, of other kinds: what came early arrives with what is before it, or keeps that
# from arriving.
out_of_order() { # PORT CLASS FIRST AHEAD BAD SHOWN
	local at
	rules router "${all[@]}"
	at=$(printf %b "$3" | wc -c)
	does "$1: a connection" connected raw_open "$1" 7000
	does "$1: in the wrong order" sent raw_put "$at:$4" "0:$3"
	does "$1: it arrives" "$6" raw_read "$(printf %b "$3$4" | wc -c)"
	is "$1: one was early" "$(count router early)" 1
	is "$1: none was lost" "$(count router ahead)" 0
	does "$1: another connection" connected raw_open "$1" 8000
	does "$1: bad octets in the wrong order" sent raw_put "$at:$5" "0:$3"
	ok "$1: are refused" until_true 60 counted router refused 1
	is "$1: as $2" "$(class router)" "$2"
	does "$1: and do not arrive" nothing raw_read 0
}
out_of_order 9003 surrogate 'DATA\r\n\xed' '\x9f\xbf\r\n' '\xa0\x80\r\n' 'DATA\x0d\x0a\xed\x9f\xbf\x0d\x0a'
out_of_order 9004 too-short '\x00\x14\x12\x34\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x02\xc3' \
	'\xa9\x00\x00\x01\x00\x01' 'a\x00\x00\x01\x00\x01' \
	'\x00\x14\x124\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00\x02\xc3\xa9\x00\x00\x01\x00\x01'
out_of_order 9005 bidi 'good\xe2\x80' '\x93' '\xae' 'good\xe2\x80\x93'

# Each kind of message that dns-labels does not follow.
rules router "forward udp dport 9000 drop scope dns-labels fail closed" \
	"forward udp dport 9001 drop scope dns-labels fail open" \
	"forward tcp dport 9000 drop stream scope dns-labels fail closed" \
	"forward tcp dport 9001 drop stream scope dns-labels fail open"
is "dns-labels, not followed: closed and open" "$(python3 "$here/labels.py" 9000 9001 9000 9001)" \
	"$(printf '%s\n' "udp 9000: none of 17" "udp, in one 9000: none of 18" \
		"udp 9001: all of them of 17" "udp, in one 9001: all of them of 18" \
		"tcp 9000: none of 25" "tcp 9001: all of them of 25")"
is "each was counted, by its rule" \
	"$(within router utf8guard net -s -j | grep -o '"unfollowed":[0-9]*' | grep -o '[0-9]*' | paste -sd ' ')" "26 26 25 25"
is "and none refused" "$(count router refused)" 0

# The rules change in the middle.
rules router "forward tcp dport 9000 drop stream"
does "begun under another rule" connected dial client server $server4 9000
does "a request" written write 'GET\x20/%c'
rules router "forward tcp dport 9000 drop stream scope http-target decode percent"
does "the rest of it" written write "0%af$end"
ok "is not followed" until_true 60 counted router unfollowed 1
does "and does not arrive" 'GET\x20/%c' read 1
does "begun under that" connected dial client server $server4 9000
does "a request cut in a character" written write "GET\\x20/$end"'GET\x20/\xc3'
rules router "forward tcp dport 9000 drop stream refuse bidi"
does "text instead" written write '\xa4more'
does "goes on" "GET\\x20/$shown_end"'GET\x20/\xc3\xa4more' read 38
does "a mistake" written write '\xc0\xae'
ok "is refused" until_true 60 counted router refused 1
does "over" "done" hang_up

readings() { awk '$1 == "utf8guard_reading" { print $2 }' /proc/slabinfo; }
diag "readings $(readings)"
does "a connection" connected dial client server $server4 9000
does "text" written write 'na\xc3'
ok "the module goes with streams alive" rmmod utf8guard_nf
is "and their memory" "$(readings)" ""
ok "and comes back" load nf

done_testing
