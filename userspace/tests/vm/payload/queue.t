#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rules for streams beside a program that looks at each packet in user space (NFQUEUE), as
# Suricata and Snort do. The kernel queues the first packet of a connection only while nobody but
# that packet has its conntrack.
#
# promise administrator by mistake: a queue of netfilter after a rule for streams gets every packet
#   that the rule lets through
# shown by: a connection
# shown by: arrives
# shown by: it was queued

# shellcheck source=userspace/tests/vm/payload/streams.sh
. "$(dirname "$(readlink -f "$0")")/streams.sh"

modprobe -q nft_queue || skip_all "this kernel has no NFQUEUE"
streams
isn=100000000
early=/sys/module/utf8guard_nf/parameters/pick_up_seconds

after_ours() { # NS HOOK RULE: a rule of nft, after the hook of utf8guard
	within "$1" nft -f - <<-RULES || fail "no rule of nft"
		table ip inspect { chain $2 { type filter hook $2 priority 0; $3; }; }
	RULES
}
queue() { # NS HOOK [SECONDS [MATCH]]
	after_ours "$1" "$2" "${4-meta l4proto tcp} queue num 0"
	: >"$tap/queue"
	# shellcheck disable=SC2086 # no word at all
	ip netns exec "$1" python3 "$here/queue.py" 0 ${3-} >"$tap/queue" 2>&1 &
	queue=$!
	ok "a queue" until_true 60 grep -q ^listening "$tap/queue"
	# shellcheck disable=SC2034 # for queued()
	seen=0
}
queued() { # is there one more than before?
	local before=$seen
	seen=$(tr -cd . <"$tap/queue" | wc -c)
	[ "$seen" -gt "$before" ]
}
no_queue() { # NS
	ok "the queue was there until now" kill $queue || diag "$(cat "$tap/queue")"
	wait $queue 2>/dev/null
	within "$1" nft delete table ip inspect
}
# Linux 6.1 warns if a hook goes while a packet is in a queue: it does not find its hook again.
idle() { [ "$(within "$1" cat /proc/net/netfilter/nfnetlink_queue | awk '{ print $3 }')" = 0 ]; }
change() { # NS RULE...
	until_true 60 idle "$1"
	rules "$@"
}
talk() { # NAME NS: text, then a character that does not end well
	does "$1: a connection" connected dial client server $server4 9000
	ok "$1: it was queued" queued
	does "$1: text in pieces" written write 'na\xc3' '\xafve\xe0'
	does "$1: arrives" 'na\xc3\xafve\xe0' read 7
	is "$1: followed from the beginning" "$(count "$2" resync) $(count "$2" refused)" "0 0"
	does "$1: what does not end it" written write '\x80\xaf'
	ok "$1: is refused" until_true 60 counted "$2" refused 1
	does "$1: over" "done" hang_up
}

# At each hook, for plain rules and for those that read in order.
echo 0 >$early
for at in "router forward" "server input" "client output"; do
	read -r ns hook <<<"$at"
	queue "$ns" "$hook"
	for engine in "" " gate on"; do
		change "$ns" "$hook tcp dport 9000 drop stream$engine"
		talk "$hook$engine" "$ns"
	done
	change "$ns"
	no_queue "$ns"
done

# What a SYN carries is judged, and is part of the stream after it.
queue router forward
must within server sh -c 'echo 0x602 >/proc/sys/net/ipv4/tcp_fastopen'
rules router "forward tcp dport 9000 drop stream"
does "a SYN with text" "acknowledged 5" raw_fast 9000 $((isn += 1000000)) 'ab\xe6\x97\xa5'
ok "it was queued" queued
does "half a character after it" sent raw_put '5:A\xe0'
does "arrives" 'ab\xe6\x97\xa5A\xe0' raw_read 7
does "what does not end it well" sent raw_put '7:\x80\xafA'
ok "is refused" until_true 60 counted router refused 1
does "a SYN with text that is refused" sent raw_flood 9000 1 $server4 '\xc0\xae'
ok "is counted" until_true 60 counted router refused 2
is "nothing was picked up" "$(count router resync)" 0

# A connection that is made to be forgotten, and first seen in its middle again.
change router "forward tcp dport 9000 drop stream"
within router sh -c 'echo 1 >/proc/sys/net/netfilter/nf_conntrack_tcp_timeout_close'
does "a connection" connected raw_open 9000 $((isn += 1000000))
does "half a character" sent raw_put '0:ab\xe0'
does "arrives" 'ab\xe0' raw_read 3
does "octets ahead are acknowledged, and reset" sent raw_say 'A@1003:' 'R@1003:'
sleep 2.5
does "an acknowledgment" sent raw_say 'A@3:'
ok "it was queued" until_true 60 queued
does "later, what does not end it well" sent raw_put '3:\x80\xafA'
ok "is refused" until_true 60 counted router resync 1
does "nothing arrives" nothing raw_read 0
no_queue router

# The same while a segment of it is in a queue before ours.
queue router prerouting 8 "tcp flags psh"
change router "forward tcp dport 9000 drop stream"
does "a connection" connected raw_open 9000 $((isn += 1000000))
does "half a character" sent raw_put '0:ab\xe0'
does "arrives" 'ab\xe0' raw_read 3
does "what does not end it well" sent raw_put '3:\x80\xafA'
does "octets ahead are acknowledged, and reset" sent raw_say 'A@1003:' 'R@1003:'
sleep 2.5
does "an acknowledgment" sent raw_say 'A@3:'
ok "is refused, after the queue" until_true 60 counted router resync 1
is "nothing was picked up" "$(count router picked-up)" 0
does "nothing arrives" nothing raw_read 0
no_queue router

# A program that takes its time with each packet, while others come.
queue router forward 0.05
change router "forward tcp dport 9000 drop stream"
for n in 1 2 3; do
	does "slowly, $n: text arrives" whole whole client server $server4 9000 3000 $n
done
is "nothing was picked up in the middle" "$(count router resync)" 0
no_queue router

# Many SYNs that nobody lets through leave nothing that is taken for another connection.
rules router "forward tcp dport 9000 drop stream"
after_ours router forward "tcp dport 9000 ip saddr 10.0.1.100 drop"
does "SYNs with text, all dropped" sent raw_flood 9000 3000 10.0.2.99 abc
for n in 1 2 3 4 5; do
	does "a connection after that" connected dial client server $server4 9000
	does "text" written write 'na\xc3' '\xafve'
	does "arrives" 'na\xc3\xafve' read 6
	does "over" "done" hang_up
done
is "followed from the beginning" "$(count router resync) $(count router refused)" "0 0"
done_testing
