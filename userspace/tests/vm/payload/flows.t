#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The connections that rules for streams follow: how many, in whose namespaces,
# what memory they take, what if there is none, and that nothing of them is left.
# vm: -m 1536
#
# promise root of a user namespace: his connections take no more than their share, and leave
#   nothing when he goes
# shown by: users get half of them, of which a user leaves as much as he has
# shown by: beside more than half of them in the host, a user gets as many
# shown by: nothing holds connection tracking
# promise remote peer: a flood of SYNs takes no place from connections
# shown by: no SYN alone has a place
# shown by: no connection is lost in the flood

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

if ! load service || ! load nf; then bail_out "the modules do not load"; fi
network
ip -n router neigh replace 10.0.1.7 lladdr "$(mac client eth0)" dev eth1
parameters=/sys/module/utf8guard_nf/parameters
helper streams.py
does "raw frames" on raw_on "$(mac router eth1)" "$(mac client eth0)"

flows() { within "$1" utf8guard show -j | sed -n 's/.*"flows":\([0-9]*\).*/\1/p'; }
flows_are() { test "$(flows "$1")" "$2" "$3"; }
streams_in_memory() { awk '$1 == "utf8guard_stream" { print $2 }' /proc/slabinfo; }
# Each processor keeps some free ones in its own cache.
streams_gone() { [ "$(streams_in_memory)" -lt 2000 ]; }
slab() { awk '$1 == "Slab:" { print $2 }' /proc/meminfo; }
python() { python3 "$here/flows.py" "$@"; }

# That many connections, one rule that fails open, and one that does not. A kernel that finds faults
# does not make more of them within ten minutes.
many=100000 outlasting=2000
[[ ! $KERNEL =~ -(debug|kcsan)$ ]] || { many=10000 outlasting=200; }
echo $many >$parameters/max_flows
within router sh -c 'echo 200000 >/proc/sys/net/netfilter/nf_conntrack_max' 2>/dev/null ||
	echo 200000 >/proc/sys/net/netfilter/nf_conntrack_max
# Or the first are forgotten on a slow host before the last are sent.
within router sh -c 'echo 3600 >/proc/sys/net/netfilter/nf_conntrack_tcp_timeout_syn_sent'
rules router "forward tcp dport 9000 drop stream" "forward tcp dport 9001 drop stream fail open"
before=$(slab)
does "$many connections" sent raw_flood 9000 $many 10.0.2.99
ok "are followed" until_true 300 flows_are router -eq $many
is "none was too many" "$(count router full)" 0
diag "streams in memory: $(streams_in_memory), $(awk '$1 == "utf8guard_stream" { print $4 }' /proc/slabinfo) octets each;" \
	"all slabs with connection tracking: $((($(slab) - before) * 1024 / many)) octets a connection"
does "one more, closed" connected dial client server $server4 9000
does "text" written write good
ok "is refused" until_true 60 counted router full 1
does "over" "done" hang_up
does "one more, open" connected dial client server $server4 9001
does "text" written write good 'na\xc3\xafve' 'bad\xc0\xae'
does "each packet is judged alone" 'goodna\xc3\xafve' read 10
ok "and the bad one refused" until_true 60 counted router refused 1
does "over" "done" hang_up
is "there are not more of them" "$(flows router)" $many
if modprobe nf_conntrack_netlink && [ "$(nsenter --net=/run/netns/router python3 "$here/flows.py" end)" = 0 ]; then
	ok "when they have ended, none is followed" until_true 300 flows_are router -eq 0
	does "and there is room" connected dial client server $server4 9000
	does "text" written write 'na\xc3' '\xafve\xe0' '\x80\xaf'
	does "is judged as a stream" 'na\xc3\xafve\xe0' read 7
	does "over" "done" hang_up
else
	skip 5 "no nf_conntrack_netlink"
fi
tracked() { within router cat /proc/sys/net/netfilter/nf_conntrack_count; }
# SYNs that are dropped must not take the places of connection tracking either.
rules router "forward tcp dport 9002,9003 drop stream"
within router iptables -A FORWARD -p tcp --dport 9003 -j DROP || fail "no rule of iptables"
none_is_held() { # NAME PORT TEXT
	local before
	before=$(tracked)
	does "$1" sent raw_flood "$2" 3000 10.0.2.99 "$3"
	is "$1: connection tracking holds none" $((($(tracked) - before) / 50)) 0
}
none_is_held "SYNs whose payload is refused" 9002 '\xc0\xae'
is "each of them was" "$(count router refused)" 3000
none_is_held "SYNs that a firewall drops" 9003 ""
none_is_held "with payload" 9003 good
# A flood of SYNs without payload: none of them takes the place of an honest connection.
rules router "forward tcp dport 9000 drop stream"
echo 64 >$parameters/max_flows
# As many as there are at most, however long it takes here.
echo 120000 >$parameters/max_handshakes
printf '%s\t%s\t%s\nraw_flood\t9000\t120000\t10.0.2.99\t\n' raw_on "$(mac router eth1)" "$(mac client eth0)" |
	timeout 300 python3 "$here/streams.py" >"$tap/flood" 2>&1 &
flood=$!
flooded() { [ "$(tracked)" -gt 1000 ]; }
ok "a flood of SYNs" until_true 60 flooded
sent=$(tracked) begun=$SECONDS honest=0
for n in {1..50}; do
	ask whole client server $server4 9000 2000 "$n"
	if [ "$answer" = whole ]; then
		honest=$((honest + 1))
	else
		diag "connection $n: $answer"
	fi
	sleep 0.1
done
sent=$(($(tracked) - sent)) took=$((SECONDS - begun))
kill "$flood" 2>/dev/null
wait "$flood" 2>/dev/null
diag "$honest connections and $sent SYNs in $took seconds"
is "no connection is lost in the flood" "$honest" 50
ok "while there were more SYNs than places" test "$sent" -gt 1000
is "none was too many" "$(count router full)" 0
ok "and no SYN alone has a place" flows_are router -le 60
echo $many >$parameters/max_flows
echo 65536 >$parameters/max_handshakes
does "5,000 more" sent raw_flood 9000 5000 10.0.2.99
ok "are followed" until_true 60 flows_are router -ge 5000
for ns in client router server; do ip netns del $ns; done
ok "they go with the namespace" until_true 300 streams_gone
diag "streams in memory: $(streams_in_memory)"

# All namespaces together. "-" is the namespace of the suite, which the host's own root has.
echo 65536 >$parameters/max_flows
ip link set lo up
mkfifo "$tap/a" "$tap/b" "$tap/c"
chmod 755 "$tap"
crowd() { # FIFO N COMMAND...: so many connections, for as long as the FIFO is open
	"${@:3}" python3 "$here/flows.py" hold "$2" <"$1" >"$1.out" 2>&1 &
	crowd=$!
}
answered() { [ -s "$1.out" ]; }
rule='net add output tcp dport 9000 drop stream'
users() { unshare --user --map-root-user --net sh -c "ip link set lo up; utf8guard $rule; exec \"\$@\"" sh "$@"; }
echo 20 >$parameters/max_flows_total
# shellcheck disable=SC2086 # words of a rule
utf8guard $rule
crowd "$tap/a" 30 users
user=$crowd
exec {a}>"$tap/a"
until_true 60 answered "$tap/a"
is "users get half of them, of which a user leaves as much as he has" "$(cat "$tap/a.out")" 5
another_user() { setpriv --reuid 65534 --regid 65534 --clear-groups bash -c "rule='$rule'; $(declare -f users)"'; users "$@"' bash "$@"; }
crowd "$tap/c" 30 another_user
another=$crowd
exec {c}>"$tap/c"
until_true 60 answered "$tap/c"
is "so does another one" "$(cat "$tap/c.out")" 3
crowd "$tap/b" 30
exec {b}>"$tap/b"
until_true 60 answered "$tap/b"
is "and the host gets all that is left" "$(cat "$tap/b.out")" 12
is "which are followed" "$(flows -)" 12
ok "those too many are counted" counted - full 18
exec {b}>&- {c}>&-
wait "$crowd" "$another"
if [ "$(python end)" = 0 ]; then
	ok "when they have ended, none is followed" until_true 60 flows_are - -eq 0
else
	skip 1 "no nf_conntrack_netlink"
	utf8guard net flush
	# shellcheck disable=SC2086 # words of a rule
	utf8guard $rule
fi
exec {a}>&-
wait "$user"
free() { # N: that many can be followed
	: >"$tap/b.out"
	crowd "$tap/b" 30
	exec {b}>"$tap/b"
	until_true 60 answered "$tap/b"
	exec {b}>&-
	wait "$crowd"
	utf8guard net flush
	# shellcheck disable=SC2086 # words of a rule
	utf8guard $rule
	[ "$(cat "$tap/b.out")" = "$1" ]
}
ok "with the user's namespace, his places come back" until_true 60 free 20
# What the host has is nothing of what users get.
: >"$tap/a.out"
: >"$tap/b.out"
crowd "$tap/b" 12
exec {b}>"$tap/b"
until_true 60 answered "$tap/b"
host=$crowd
crowd "$tap/a" 30 users
exec {a}>"$tap/a"
until_true 60 answered "$tap/a"
is "beside more than half of them in the host, a user gets as many" "$(cat "$tap/b.out" "$tap/a.out" | paste -sd ' ')" "12 5"
exec {a}>&- {b}>&-
wait "$crowd" "$host"
utf8guard net flush

# Connections outlast the rules, and go on while there are none. When there are rules again, each of
# them is picked up in the middle. An old flow that was left would refuse its connection for good,
# from the second octet on; one was left by chance, now and then, so this is done many times.
echo 262144 >$parameters/max_flows_total
ulimit -n 8192
# shellcheck disable=SC2086 # words of a rule
utf8guard $rule
# Not another coproc: bash has one at a time.
mkfifo "$tap/in" "$tap/out"
python outlast $outlasting <"$tap/in" >"$tap/out" 2>&1 &
outlast=$!
exec {outlast_in}>"$tap/in" {outlast_out}<"$tap/out"
go_on() { # prints on how many connections an octet arrives
	local number
	echo >&"$outlast_in"
	read -r -t 120 number <&"$outlast_out"
	echo "$number"
}
is "$outlasting connections" "$(go_on)" $outlasting
for _ in {1..30}; do
	flows - >>"$tap/followed"
	utf8guard net flush
	flows - >>"$tap/left"
	go_on >>"$tap/unfollowed"
	# shellcheck disable=SC2086 # words of a rule
	utf8guard $rule
	{ go_on; go_on; } >>"$tap/again"
done
is "all are followed" "$(sort -u "$tap/followed")" $outlasting
is "none is after the rules, each of 30 times" "$(sort -u "$tap/left")" 0
is "all go on without rules" "$(sort -u "$tap/unfollowed")" $outlasting
is "and with rules again" "$(sort -u "$tap/again")" $outlasting
exec {outlast_in}>&- {outlast_out}<&-
wait "$outlast"
utf8guard net flush

# Namespaces come and go, with all that can be in them. A stream that is left would be
# in the log, of slab objects that remain, when the module goes.
echo 262144 >$parameters/max_flows_total
is "80 namespaces of users, with rules and connections" "$(python churn 80)" 80
echo 20 >$parameters/max_flows_total
# shellcheck disable=SC2086 # words of a rule
utf8guard $rule
ok "lose no place" until_true 300 free 20
utf8guard net flush
echo 262144 >$parameters/max_flows_total

# No memory: the fail policy decides. What is dropped, its sender sends again.
if [[ $KERNEL = *-uml ]]; then
	skip 13 "no kprobes: that module is not built for this kernel"
else
	ok "a module that makes allocations fail" insmod "$UTF8GUARD_MODULES/test/utf8guard_famine.ko"
	for how in "fail closed" "fail open" "gate on fail closed" "gate on fail open"; do
		utf8guard net flush
		# shellcheck disable=SC2086 # words of a rule
		utf8guard $rule $how
		# With fail open, the SYN was let through without a flow: the first octets need one, too.
		[[ $how = *open ]] && nth=2 || nth=1
		is "$how: none for a flow, none for what follows it; it is judged in the end" "$(python famine "$nth")" "True True True True"
		is "$how: that is counted" "$(count - full)" 2
		is "$how: picked up in the middle, where something was let through" "$(count - resync)" \
			"$([[ $how = *"fail open" ]] && echo 1 || echo 0)"
	done
	rmmod utf8guard_famine
fi
fail=/sys/kernel/debug/failslab
if [ -d $fail ] && [ -e /sys/kernel/slab/utf8guard_stream/failslab ]; then
	network
	rules router "forward tcp dport 9000 drop stream" "forward tcp dport 9001 drop stream gate on"
	echo 0 >$fail/verbose
	echo 1 >$fail/cache-filter
	# The first stream for certain, once; then all by chance. That of another connection may be the first.
	echo 100 >$fail/probability
	echo 1 >/sys/kernel/slab/utf8guard_stream/failslab
	one_failed() {
		echo 1 >$fail/times
		ask whole client server $server4 9000 30000 9
		[ "$answer" = whole ] && [ "$(count router full)" -gt 0 ]
	}
	ok "failslab, one allocation fails: that is counted, and text arrives" until_true 60 one_failed
	echo 30 >$fail/probability
	echo -1 >$fail/times
	caches=(utf8guard_stream utf8guard_reading kmalloc-128 kmalloc-192 kmalloc-256)
	for cache in "${caches[@]}"; do echo 1 >"/sys/kernel/slab/$cache/failslab"; done
	for n in 1 2 3 4 5 6 7 8; do
		does "failslab, stream $n: text arrives" whole whole client server $server4 $((9000 + n % 2)) 30000 $n
	done
	for cache in "${caches[@]}"; do echo 0 >"/sys/kernel/slab/$cache/failslab"; done
	echo 0 >$fail/probability
	diag "full: $(count router full)"
	is "failslab: nothing was refused" "$(count router refused)" 0
	for ns in client router server; do ip netns del $ns; done
else
	skip 10 "no failslab"
fi

utf8guard net flush
ok "the module unloads" until_true 60 rmmod utf8guard_nf
unload_tracking() { rmmod nf_conntrack_netlink nf_conntrack 2>/dev/null; [ ! -d /sys/module/nf_conntrack ]; }
if [ -d /sys/module/nf_conntrack/holders ]; then
	ok "and nothing holds connection tracking" until_true 60 unload_tracking
else
	skip 1 "built in"
fi
done_testing
