# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced after lib.sh by the suites that take something away while traffic.py sends and makes names.
#
#   guard_traffic                 loads the modules, with rules that refuse what is bad of its
#                                 packets and of its names in /tmp/names

# shellcheck disable=SC2154 # tests/tap.sh sets $tap
guard_traffic() {
	load_all
	ip link set lo up
	mkdir -p /tmp/names && mount -t tmpfs tmpfs /tmp/names
	cat >"$tap/rules" <<-'END'
		fs set default enforce
		net add output udp dport 7000 drop
		net add output tcp dport 7001 drop stream
	END
	ok "rules" utf8guard load "$tap/rules"
}
