#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Streams that are first seen in their middle: of connections that are older than the rule, and of
# those that a remote peer has made connection tracking forget.
#
# promise remote peer: later than pick_up_seconds after there are rules for streams, a connection
#   that he makes connection tracking forget is not picked up in its middle, unless the rule fails
#   open
# shown by: what does not end it well
# shown by: nothing was picked up
# shown by: nothing arrives
# promise operator: a connection that is older than the rule goes on, is reported as picked up,
#   and followed from then on
# shown by: and is picked up
# shown by: and reported
# shown by: it is followed from now on

# shellcheck source=userspace/tests/vm/payload/streams.sh
. "$(dirname "$(readlink -f "$0")")/streams.sh"

streams
isn=100000000
rule="forward tcp dport 9000 drop stream"
early=/sys/module/utf8guard_nf/parameters/pick_up_seconds
reported() { like "and reported" "$(log_since "op=utf8guard-payload .* reason=$1 ")" " outcome=$2 "; }

half() { # RULE: a connection in the middle of a character
	does "a connection${1:+,$1}" connected raw_open 9000 $((isn += 1000000))
	does "half a character" sent raw_put '0:ab\xe0'
	does "arrives" 'ab\xe0' raw_read 3
	does "and is acknowledged" 3 raw_answered ack
}
# A reset that connection tracking takes and the server does not, in a namespace where a closed
# connection is forgotten after a second.
forget() {
	within router sh -c 'echo 1 >/proc/sys/net/netfilter/nf_conntrack_tcp_timeout_close'
	does "octets ahead are acknowledged, and reset" sent raw_say 'A@1003:' 'R@1003:'
	sleep 2.5
}

# Connections that are older than the rule. First, connection tracking has not seen them; then,
# it has, for another rule had turned it on.
for engine in "" " refuse bidi"; do
	rules router
	half "$engine"
	log_mark
	rules router "$rule$engine comment older"
	does "the rest of it, with the first rule" sent raw_put '3:\xa0\x80A'
	does "arrives" '\xa0\x80A' raw_read 3
	is "and is picked up" "$(count router resync) $(count router picked-up)" "1 1"
	reported picked-up audited
	like "as of a rule of the payload check, with its comment" "$(log_since reason=picked-up)" \
		" ruleset=nf comment=6f6c646572 "
	does "it is followed from now on" 6 raw_answered ack
	does "what is refused" sent raw_put '6:\xc0\xae'
	ok "is counted" until_true 60 counted router refused 1
	does "and is acknowledged by another" sent raw_forge 8
	does "once more, as if the server had it" sent raw_put '6:\xc0\xae'
	ok "is refused, for there is a gap" until_true 60 counted router resync 2
	reported resync refused
	is "nothing was picked up" "$(count router picked-up)" 1
	does "nothing arrives" nothing raw_read 0
	echo 0 >$early
	rules router "forward tcp dport 9001 drop stream"
	half "$engine"
	log_mark
	rules router "$rule$engine"
	does "the rest of it, with another rule" sent raw_put '3:\xa0\x80A'
	does "arrives" '\xa0\x80A' raw_read 3
	is "and is picked up" "$(count router resync) $(count router picked-up)" "1 1"
	reported picked-up audited
	echo 120 >$early
done

# Connection tracking has seen the SYN of the caller, and perhaps no rule is for that. Who is called
# sends octets before his answer, which the caller does not take yet; and then again.
for match in "sport 20000-29999" any-port; do
	for seconds in 120 0; do
		echo $seconds >$early
		for engine in "" " refuse bidi"; do
			rules router "forward tcp $match drop stream$engine"
			does "$match, pick_up_seconds $seconds: a server${engine:+,$engine}" called \
				raw_called $((isn += 1000000))
			does "the end of a character, before the answer" sent raw_put '0:\xa5A'
			ok "is not taken for the middle" until_true 60 counted router resync 1
			does "the answer" sent raw_say 'SA@-1:'
			does "the end, again" sent raw_put '0:\xa5A'
			ok "is refused where the stream begins" until_true 60 counted router refused 1
			does "text" sent raw_put '0:aA'
			does "arrives" aA raw_read 2
			is "nothing was picked up" "$(count router picked-up)" 0
		done
	done
done
echo 120 >$early

# What is missing here has reached the receiver by another way: it acknowledges the end of what
# came early.
for engine in "" " refuse bidi"; do
	rules router "$rule$engine"
	does "a connection${engine:+,$engine}" connected raw_open 9000 $((isn += 1000000))
	does "what comes early" sent raw_put '3:abc'
	ok "is let through" until_true 60 counted router packets 1
	does "and acknowledged, by another" sent raw_forge 6
	does "what is next" sent raw_put '6:d'
	ok "is refused, for there is a gap" until_true 60 counted router resync 1
	is "nothing was picked up" "$(count router picked-up)" 0
done

# Connections that began under the rule, as far as anybody knows, and were forgotten; whichever end
# speaks first after that.
echo 0 >$early
for engine in "" " refuse bidi"; do
	for first in client server; do
		rules router "$rule$engine"
		half "$engine"
		forget
		log_mark
		if [ $first = server ]; then
			does "the server speaks" told raw_tell hello
			does "and is heard" 3 raw_answered ack
		fi
		does "what does not end it well" sent raw_put '3:\x80\xafA'
		ok "is refused" until_true 60 counted router resync 1
		reported resync refused
		does "and again" sent raw_put '3:\x80\xafA'
		ok "is refused" until_true 60 counted router resync 2
		does "nor does an end help, before more" sent raw_say 'FA@1003:' 'AP@3:\x80\xafA'
		ok "which is refused" until_true 60 counted router resync 3
		does "nothing arrives" nothing raw_read 0
		is "nothing was picked up" "$(count router picked-up)" 0
	done
	rules router "$rule$engine fail open"
	half "$engine"
	forget
	does "fail open: the rest of it" sent raw_put '3:\xa0\x80A'
	does "arrives" '\xa0\x80A' raw_read 3
	is "and is picked up" "$(count router resync) $(count router picked-up)" "1 1"
done
# A SYN-ACK of the client, where the server has spoken first: connection tracking lets it go by
# and the server does not take what it carries, so that begins nothing.
for engine in "" " refuse bidi"; do
	rules router "$rule$engine"
	half "$engine"
	forget
	does "the server speaks" told raw_tell hello
	does "and is heard" 3 raw_answered ack
	does "a SYN-ACK with half another character" sent raw_say 'SA@1:\xe6'
	ok "is refused" until_true 60 counted router window 1
	does "what would end that one" sent raw_put '3:\x97\xa5A'
	ok "is refused" until_true 60 counted router resync 1
	does "nothing arrives" nothing raw_read 0
done
rules router "$rule"
does "another connection" connected dial client server "$server4" 9000
does "text" written write 'na\xc3' '\xafve'
does "arrives" 'na\xc3\xafve' read 6
is "and is followed from the beginning" "$(count router resync)" 0
does "over" "done" hang_up

# A rule for what the server sends comes when its connection is followed for what the client sends.
echo 0 >$early
rules router "forward tcp dport 9005 drop stream"
ip netns exec server python3 - <<-'END' &
	import socket
	with socket.create_server(("", 9005)) as door:
	    end = door.accept()[0]
	end.sendall(b"220 hello\n")
	while some := end.recv(100):
	    end.sendall(b"250 " + some)
END
ip netns exec client python3 - "$server4" >"$tap/later" <<-'END' &
	import os, socket, sys, time
	for attempt in range(600):
	    try:
	        end = socket.create_connection((sys.argv[1], 9005))
	        break
	    except OSError:
	        time.sleep(0.1)
	end.settimeout(10)
	lines = end.makefile("rw", newline="\n")
	def ask(word):
	    lines.write(word + "\n")
	    lines.flush()
	    return lines.readline().strip()
	print(lines.readline().strip(), ask("one"), flush=True)
	while not os.path.exists("/tmp/later"):
	    time.sleep(0.1)
	try:
	    print(ask("two"), ask("three"), flush=True)
	except OSError as error:
	    print(error, flush=True)
END
ok "a conversation" until_true 60 grep -q "220 hello 250 one" "$tap/later"
must within router utf8guard net add forward tcp sport 9005 drop stream # rules() would flush the first
touch /tmp/later
ok "goes on under a rule for the other end" until_true 60 grep -q "250 two 250 three" "$tap/later"

done_testing
