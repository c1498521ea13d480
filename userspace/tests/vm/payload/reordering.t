#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Streams that are read in order, where the network reorders and loses segments before they come
# to the rules; and the copies of what comes early, which have limits and are given back.
# vm: -m 1024
#
# promise remote peer: by many connections he takes no more memory for copies than there may be,
#   and what comes in order arrives meanwhile; copies that are too many are taken away after thirty
#   seconds
# shown by: eight connections: a copy for each
# shown by: it arrives
# shown by: where they are too many, they are taken away after thirty seconds
# promise operator: where the network reorders or loses segments, all of a good stream arrives,
#   and nothing is dropped for coming early
# shown by: all arrives
# shown by: none was dropped for coming early
# shown by: nothing was refused

# shellcheck source=userspace/tests/vm/payload/streams.sh
. "$(dirname "$(readlink -f "$0")")/streams.sh"

if ! load service || ! load nf; then bail_out "the modules do not load"; fi
build
no_copies() { [ "$(status copies)" = 0 ]; }

# What copies take, and how it is given back.
parameters=/sys/module/utf8guard_nf/parameters
copies_are() { [ "$(status copies)" = "$1" ]; }
helper streams.py
does "raw frames" on raw_on "$(mac router eth1)" "$(mac client eth0)"
rules router "forward tcp dport 9000 drop stream decode percent"
is "none are there" "$(status copies) of $(status copies-max)" "0 of 67108864"
does "a connection" connected raw_open 9000 1000
does "half of a character" sent raw_put '3:%a4' '9:%a4' '6:%c3'
ok "takes a copy, and what adjoins it goes into it or takes another" until_true 60 copies_are 4096
does "what is missing" sent raw_put '0:%c3'
does "arrives with it" '%c3%a4%c3%a4' raw_read 12
ok "and they are given back" until_true 60 copies_are 0
does "another" connected raw_open 9000 3000
does "half of a character" sent raw_put '3:%a4'
ok "takes a copy" until_true 60 copies_are 2048
rules router "forward tcp dport 9000 drop stream decode percent refuse nul"
does "what is missing, by other rules" sent raw_put '0:%ed'
ok "is refused" until_true 60 counted router refused 1
does "what fits" sent raw_put '0:%c3'
does "arrives" '%c3%a4' raw_read 6
does "another" connected raw_open 9000 5000
does "half of a character" sent raw_put '3:%a4'
ok "takes a copy" until_true 60 copies_are 2048
within router utf8guard net flush
ok "without rules, there are none" until_true 60 copies_are 0
rules router "forward tcp dport 9000 drop stream decode percent" \
	"forward tcp dport 9001 audit stream decode percent"
echo 0 >$parameters/max_copies_flow
does "where there may be none" connected raw_open 9000 7000
does "half of a character" sent raw_put '3:%a4'
ok "is as if it were lost" until_true 60 counted router ahead 1
is "which is counted" "$(status copies-refused)" 1
does "in order" sent raw_put '0:%c3' '3:%a4'
does "it arrives" '%c3%a4' raw_read 6
echo 2048 >$parameters/max_copies_flow
does "where all is let through" connected raw_open 9001 9000
does "a bad one in the wrong order" sent raw_put '3:%af' '0:%c0'
does "arrives" '%c0%af' raw_read 6
ok "and is reported" until_true 60 counted router audited 1
within router utf8guard reset
is "the counters are reset" "$(status copies-refused)" 0
does "over" "done" hang_up

# A client who fills the memory of a namespace by many connections takes the copies from others,
# who still get through what is in order; and he does not have that memory for long.
rules router "forward tcp dport 9000 drop stream decode percent"
echo 16 >$parameters/max_copies
for one in 1 2 3 4 5 6 7 8; do
	ask raw_more 9000 $((20000 + 1000 * one))
	ask raw_put '3:%a4' '103:%a4'
done
ok "eight connections: a copy for each" until_true 60 copies_are 16384
ok "and no more" until_true 60 counted router ahead 8
does "the next" connected raw_more 9000 30000
does "half of a character" sent raw_put '3:%a4'
ok "has none" until_true 60 counted router ahead 9
does "in order" sent raw_put '0:%c3' '3:%a4'
does "it arrives" '%c3%a4' raw_read 6
echo 20 >$parameters/max_copies
does "with more memory, another" connected raw_more 9000 31000
does "has a copy" sent raw_put '3:%a4'
ok "as well" until_true 60 copies_are 18432
echo 0 >$parameters/max_copies
ok "where they are too many, they are taken away after thirty seconds" until_true 60 copies_are 0
given_up_are() { [ "$(status copies-given-up)" = "$1" ]; }
ok "which is counted" until_true 60 given_up_are 9
does "what is missing" sent raw_put '0:%c3'
ok "is refused then: there is no telling what comes after it" until_true 60 counted router full 1
is "nothing was let through with a copy but these" "$(count router early)" 9
within router utf8guard reset
is "the counter of copies that were taken away is reset, too" "$(status copies-given-up)" 0
echo 65536 >$parameters/max_copies
does "over" "done" hang_up

rules router "forward tcp dport 9000 drop" \
	"forward tcp dport 9001 drop stream refuse nul" \
	"forward tcp dport 9002 drop stream scope http-headers" \
	"forward tcp dport 9003 drop stream scope smtp-line"
# How fast that is, userspace/bench/reordering.sh tells. What made it slow was that what
# came early was dropped: the receiver never said that something was missing before it.
disturbed() { # OFFLOADS NETEM...
	local port what before asked=0 name="offloads $1, ${*:2}"
	each_end offload_at "$1"
	delay_at client eth0 "${@:2}"
	before=$(count router early)
	while read -r port _ _ _ _ what; do
		is "$name: $port: all arrives" "$what" whole
		asked=$((asked + 1))
	done < <(python3 "$here/reordering.py" 1000000 5 9000:plain 9001:ascii 9001:plain 9002:http 9003:smtp)
	is "$name: each of the five was asked about" "$asked" 5
	ok "$name: segments came early, and were let through" \
		test "$(count router early)" -gt "$before"
	is "$name: none was dropped for coming early" "$(count router ahead)" 0
	ok "$name: no copy is left" until_true 60 no_copies
}
for offloads in on off; do
	disturbed $offloads loss 1%
	disturbed $offloads delay 10ms 1ms
done
each_end offload_at on
calm_at client eth0
is "nothing was refused" "$(count router refused)" 0
is "nor anything not followed" "$(count router unfollowed)" 0

# With the namespace, and with the module, they go.
rules router "forward tcp dport 9000 drop stream decode percent"
does "a connection" connected raw_open 9000 11000
does "half of a character" sent raw_put '3:%a4'
ok "takes a copy" until_true 60 copies_are 2048
does "over" "done" hang_up
for ns in client router server; do ip netns del $ns; done
held() { awk '$1 == "utf8guard_copy" { print $2 }' /proc/slabinfo; }
diag "copies in memory: $(held)"
ok "the module goes, and leaves nothing" until_true 60 rmmod utf8guard_nf
is "no warning of it" "$(dmesg | grep -c 'utf8guard_copy\|memory.c')" 0

done_testing
