#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A server that sends SYN cookies keeps nothing of a SYN. A remote peer may make it begin a
# connection elsewhere than its SYN-ACK says, or once more after it has ended.
#
# promise remote peer: with SYN cookies, too, he does not choose where a stream begins
# shown by: nothing of it arrives

# shellcheck source=userspace/tests/vm/payload/streams.sh
. "$(dirname "$(readlink -f "$0")")/streams.sh"

streams
isn=100000000
rule="forward tcp dport 9000 drop stream"
within server sh -c 'echo 2 >/proc/sys/net/ipv4/tcp_syncookies'
for at in router/eth1 router/all server/eth0 server/all; do
	within "${at%/*}" sh -c "echo 1 >/proc/sys/net/ipv4/conf/${at#*/}/accept_source_route"
done

# Without a rule: that these attacks work at all.
rules router
does "no rule: a guessed cookie" '\xa9' raw_guess 9000 $((isn += 1000000)) 1 '\xc3\xa9' believes
does "no rule: a text before the beginning" '\xff\xff\xffhello' \
	raw_beside 9000 $((isn += 1000000)) 0 -3 '\xff\xff\xffhello'
does "no rule: a text after the beginning" '\xa9hello' raw_beside 9000 $((isn += 1000000)) 1460 1 '\xa9hello'
does "no rule: an acknowledgment after the beginning" '\xa9hello' \
	raw_beside 9000 $((isn += 1000000)) 1460 1 '\xc3\xa9hello' alone
for end in reset false-reset routed-reset narrow-reset fin; do
	does "no rule: a cookie that is used again after a $end" '\xa9' \
		raw_replay 9000 $((isn += 1000000)) text '\xa9' $end
done

for engine in "" " refuse bidi"; do
	rules router "$rule$engine"
	does "two SYNs${engine:+,$engine}, and the acknowledgment of the first" connected \
		raw_open 9000 $((isn += 1000000)) 1000
	does "the second is answered, too" 1000 raw_answered syn ack
	does "text by the first" sent raw_put '0:\xc0\xae'
	does "nothing of it arrives" nothing raw_read 1
	ok "it was refused as nowhere" counted router window 1

	rules router "$rule$engine"
	does "a guessed cookie${engine:+,$engine}: nothing of it arrives" nothing \
		raw_guess 9000 $((isn += 1000000)) 1 '\xc3\xa9'
	ok "it was refused as nowhere" counted router window 1

	rules router "$rule$engine"
	does "the same, and its number goes on: nothing of it arrives" nothing \
		raw_guess 9000 $((isn += 1000000)) 1 '\xc3\xa9' believes
	ok "connection tracking does not know it" counted router untracked 1

	rules router "$rule$engine"
	does "a text before the beginning${engine:+,$engine}: nothing of it arrives" nothing \
		raw_beside 9000 $((isn += 1000000)) 0 -3 '\xff\xff\xffhello'
	does "a text after the beginning${engine:+,$engine}: nothing of it arrives" nothing \
		raw_beside 9000 $((isn += 1000000)) 1460 1 '\xa9hello'
	ok "both were refused as nowhere" counted router window 2
	does "an acknowledgment after the beginning${engine:+,$engine}: the text arrives whole" '\xc3\xa9hello' \
		raw_beside 9000 $((isn += 1000000)) 1460 1 '\xc3\xa9hello' alone
	ok "the acknowledgment was refused" counted router window 3

	for end in reset false-reset narrow-reset fin; do
		rules router "$rule$engine"
		does "a cookie that is used again${engine:+,$engine}, after a $end: nothing of it arrives" \
			nothing raw_replay 9000 $((isn += 1000000)) text '\xa9' $end
		ok "it was refused as nowhere" counted router window 1
	done

	rules router "$rule$engine"
	does "a reset with a source route${engine:+,$engine}: nothing more arrives" nothing \
		raw_replay 9000 $((isn += 1000000)) text '\xa9' routed-reset
	ok "it was refused" counted router untracked 1

	rules router "$rule$engine"
	does "an honest sender" whole whole client server "$server4" 9000 300000 1
	is "nothing of it is refused" "$(count router window) $(count router refused)" "0 0"
done

done_testing
