#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How fast streams that are read in order are, where the network reorders and loses
# segments before they come to the rules, beside a rule that judges packets alone:
#
#   run.sh -- reordering.sh [SIZE [ROUNDS]]       1,000,000 octets, 5 rounds
#
# TSV: what disturbs, port and text, median of the seconds, median of what that is of
# the seconds of packets judged alone in the same round (goal: 2.0 at most), segments
# sent again in all rounds, time-outs among the reasons, whether all arrived. Emulated: the
# ratios count, and those only on a host that has nothing else to do. A rule that keeps what
# comes early from the receiver shows in the time-outs, whatever else the host does.

set -u
# shellcheck source=userspace/tests/vm/payload/streams.sh
. "$(dirname "$(readlink -f "$0")")/../tests/vm/payload/streams.sh"
load_all
build
rules router "forward tcp dport 9000 drop" \
	"forward tcp dport 9001 drop stream refuse nul" \
	"forward tcp dport 9002 drop stream scope http-headers" \
	"forward tcp dport 9003 drop stream scope smtp-line"

measure() { # WHAT DISTURBS
	python3 "$(program reordering.py)" "${size:-1000000}" "${rounds:-5}" \
		9000:plain 9001:ascii 9001:plain 9002:http 9003:smtp |
		sed "s/^/$1	/; s/\([^	]\) /\1	/g"
}

size=${1-} rounds=${2-}
for offloads in on off; do
	each_end offload_at $offloads
	measure "offloads $offloads"
	for netem in "loss 1%" "delay 10ms 1ms"; do
		# shellcheck disable=SC2086 # words
		delay_at client eth0 $netem
		measure "offloads $offloads, $netem"
	done
	calm_at client eth0
done
done_testing >/dev/null
