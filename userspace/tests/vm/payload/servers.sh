# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by the suites with real servers, which servers.py helps.
#
#   tallied                   sets $answer to what the rules of the router have counted since
#                             the last time
#   counts NAME WANTED        a test: that
#   sends_once on|off         the client's TCP sends nothing again within twenty seconds: a guest
#                             that stalls acknowledges late, and what is sent again is counted
#                             again where it is not followed
#   none_left NS PORT         ends connections there that a reset ended at the client alone: new
#                             rules would see only how these end. A test: none is left

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/../lib.sh"

# Without "ahead" and "early": on a busy host segments overtake others, and are sent again. counts
# looks at them if they are wanted.
tallied() {
	ask tally
	answer=$(sed -E 's/\b(ahead|early) [0-9]+ ?//g; s/ $//' <<<"$answer")
	answer=${answer:-nothing}
}
counts() {
	if [[ $2 = *early* ]]; then ask tally; else tallied; fi
	is "$1" "$answer" "$2"
}

sends_once() {
	local probe=3 wait=()
	[ "$1" = off ] || probe=0 wait=(rto_min 20s)
	within client sh -c "echo $probe >/proc/sys/net/ipv4/tcp_early_retrans"
	ip -n client route change default via 10.0.1.254 ${wait[@]+"${wait[@]}"}
}

none_left() {
	within "$1" ss -K "sport = :$2" >/dev/null
	is "no connection is left" "$(within "$1" ss -Htn state established "sport = :$2")" ""
}
