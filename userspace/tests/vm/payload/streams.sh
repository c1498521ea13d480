# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by the suites about streams: what disturbs the wires between the network
# namespaces of lib.sh, where streams.py makes the connections.
#
#   streams                   the modules, the network, and streams.py with its own TCP
#   build                     the network, with the address of the TCP of streams.py
#   each_end COMMAND...       with NS and DEVICE after it, for all ends of wires:
#                             offload_at on|off, disturb_at, calm_at
#   delay_at NS DEVICE NETEM  what netem does at one of them

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../lib.sh"
modprobe sch_netem

build() {
	network
	ip -n router neigh replace 10.0.1.7 lladdr "$(mac client eth0)" dev eth1
}

streams() {
	if ! load service || ! load nf; then bail_out "the modules do not load"; fi
	build
	helper streams.py
	does "raw frames" on raw_on "$(mac router eth1)" "$(mac client eth0)"
}

each_end() { # COMMAND...: with NS and DEVICE after it
	local at
	for at in "client eth0" "router eth1" "router eth2" "server eth0"; do
		# shellcheck disable=SC2086 # a namespace and a device
		"$@" $at
	done
}
offload_at() { must within "$2" ethtool -K "$3" tso "$1" gso "$1" gro "$1"; }
disturb_at() { must tc -n "$1" qdisc replace dev "$2" root netem limit 10000 delay 2ms 2ms loss 1% duplicate 2%; }
delay_at() { must tc -n "$1" qdisc replace dev "$2" root netem limit 20000 "${@:3}"; }
calm_at() { must tc -n "$1" qdisc del dev "$2" root; }
