# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by the suites about streams: three network namespaces, what disturbs the
# wires between them, and streams.py, which makes the connections.
#
#   build                     client -- router -- server
#   within NS COMMAND...      runs it there
#   rules NS RULE...          in the place of those that were there
#   does NAME WANTED WORD...  asks streams.py
#   count NS NAME             a counter, summed up over the rules
#   class NS                  of the last refusal counted
#   each_end COMMAND...       with NS and DEVICE behind it, for all ends of wires:
#                             offload_at on|off, disturb_at, calm_at

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/lib.sh"
modprobe -a veth sch_netem

# client -- router -- server
build() {
	local ns
	for ns in client router server; do
		ip netns add $ns
		ip -n $ns link set lo up
		# No duplicate address detection, or IPv6 takes seconds to come up.
		within $ns sh -c 'echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad'
	done
	within router sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward
		echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'
	wire 1 client
	wire 2 server
	ip -n router neigh replace 10.0.1.7 lladdr "$(mac client eth0)" dev eth1
}
within() { nsenter --net="/run/netns/$1" "${@:2}"; }
wire() { # NUMBER NS: NS has address 1, the router 254
	ip -n "$2" link add eth0 type veth peer name "eth$1" netns router
	ip -n "$2" addr add "10.0.$1.1/24" dev eth0
	ip -n "$2" addr add "fd00:$1::1/64" dev eth0 nodad
	ip -n "$2" link set eth0 up
	ip -n router addr add "10.0.$1.254/24" dev "eth$1"
	ip -n router addr add "fd00:$1::254/64" dev "eth$1" nodad
	ip -n router link set "eth$1" up
	ip -n "$2" route add default via "10.0.$1.254"
	ip -n "$2" route add default via "fd00:$1::254"
}
mac() { ip -n "$1" -br link show dev "$2" | awk '{ print $3 }'; }
# shellcheck disable=SC2034 # for the suites
server4=10.0.2.1 server6=fd00:2::1

rules() { # NS RULE...: in the place of those that were there
	local rule
	within "$1" utf8guard net flush
	for rule in "${@:2}"; do
		# shellcheck disable=SC2086 # words of a rule
		within "$1" utf8guard net add $rule || diag "$1: net add $rule: failed"
	done
}
does() { # NAME WANTED WORD...
	ask "${@:3}"
	is "$1" "$answer" "$2"
}
count() { # NS NAME: the sum over the rules
	within "$1" utf8guard net -s -j | grep -o "\"$2\":[0-9]*" |
		awk -F: '{ n += $2 } END { print n + 0 }'
}
class() { # NS: of the last refusal counted
	within "$1" utf8guard net -s -j | grep -o '"class":"[^"]*"' | tail -n 1 | cut -d '"' -f 4
}
counted() { [ "$(count "$1" "$2")" -ge "$3" ]; }

each_end() { # COMMAND...: with NS and DEVICE behind it
	local at
	for at in "client eth0" "router eth1" "router eth2" "server eth0"; do
		# shellcheck disable=SC2086 # a namespace and a device
		"$@" $at
	done
}
offload_at() { within "$2" ethtool -K "$3" tso "$1" gso "$1" gro "$1" >/dev/null; }
disturb_at() { tc -n "$1" qdisc replace dev "$2" root netem limit 10000 delay 2ms 2ms loss 1% duplicate 2%; }
calm_at() { tc -n "$1" qdisc del dev "$2" root; }
