# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by the suites with real servers, which servers.py helps.
#
#   tallied                   sets $answer to what the rules of the router have counted since
#                             the last time
#   counts NAME WANTED        a test: that
#   none_left NS PORT         a test: connections there that a reset ended for their senders
#                             only are ended, too, or new rules would see no more of them
#                             than how they end

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/lib.sh"

# On a busy host segments overtake others, and are sent again: of no concern, unless asked.
tallied() {
	ask tally
	answer=$(sed -E 's/\bahead [0-9]+ ?//; s/ $//' <<<"$answer")
	answer=${answer:-nothing}
}
counts() {
	if [[ $2 = *ahead* ]]; then ask tally; else tallied; fi
	is "$1" "$answer" "$2"
}

none_left() {
	within "$1" ss -K "sport = :$2" >/dev/null
	is "no connection is left" "$(within "$1" ss -Htn state established "sport = :$2")" ""
}
