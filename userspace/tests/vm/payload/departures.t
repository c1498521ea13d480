#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Queues of a device after a rule for streams: a sender has a say in when his packets leave them, and
# in which order. A rule forgets a segment after two seconds; so no other one may overtake it by more.
#
# promise remote peer: in fq and fq_codel, no segment overtakes another of its connection for so long
#   that the first is forgotten
# shown by: it went before them

# shellcheck source=userspace/tests/vm/payload/streams.sh
. "$(dirname "$(readlink -f "$0")")/streams.sh"

modprobe -q sch_fq || skip_all "this kernel has no fq"
streams
isn=100000000
connection() { # NAME [RULE...]: a new one, of which nothing has been sent
	rules router "forward tcp dport 9000 drop stream ${*:2}"
	does "$1: a connection" connected raw_open 9000 $((isn += 1000000))
}
first() { # NAME COMMAND...: a segment that is to be overtaken
	does "$1: a segment" sent "${@:2}"
	sleep 2.5
}
second() { # NAME COMMAND...: what is to overtake it, and ends otherwise than the first goes on
	does "$1: others in its place" sent "${@:2}"
	does "$1: it went before them" 'a\xe1\x80\xaebc' raw_read 6
}
slowly() { # QDISC...: below a limit of rate, so that eight kilobytes take a second
	must tc -n router qdisc replace dev eth2 root handle 1: tbf rate 64kbit burst 1540 limit 1mb
	must tc -n router qdisc replace dev eth2 parent 1: "$@"
}

# Who sends a packet says when it is to leave, and fq keeps it until then, while others overtake it.
must tc -n router qdisc replace dev eth2 root fq
for how in "monotonic" "tai" "monotonic gate on"; do
	read -r clock engine <<<"$how"
	connection "$how" "$engine"
	first "$how, to be sent later" raw_later 9 "$clock" 'a\xe1\x80\xaebc'
	second "$how" raw_put '0:a\xe0'
done
rules router "forward tcp dport 9000 drop stream"
does "a SYN" "acknowledged 0" raw_half 9000 $((isn += 1000000))
does "an acknowledgment that is to be sent later" sent raw_later 9 monotonic ''
sleep 1.5
does "it has arrived" accepted raw_accept

# fq has 1024 flows for all that is forwarded, and a packet that waits holds its flow, while what comes
# when all flows wait goes at once. So do datagrams that no rule is for.
connection "after datagrams"
does "datagrams of all flows that are to be sent later" sent raw_datagrams 9.5 5000
first "after datagrams" raw_later 0.5 monotonic 'a\xe1\x80\xaebc'
second "after datagrams" raw_put '0:a\xe0'
must tc -n router qdisc del dev eth2 root

# In a flow, fq has first what is to be sent first.
connection "in one flow"
slowly fq
filling=$(printf '%01000d' 0)
# shellcheck disable=SC2046 # forty words
does "forty segments of it, ahead" sent raw_put $(printf "2000:$filling %.0s" {1..40})
first "in one flow" raw_put '0:a\xe1\x80\xaebc'
second "in one flow, to be sent long ago" raw_later =1 monotonic 'a\xe0'
must tc -n router qdisc del dev eth2 root

# Who sends IPv6 says by the flow label which packets are a flow. fq_codel drops none by its time here.
must ip -n router neigh replace fd00:1::7 lladdr "$(mac client eth0)" dev eth1
does "raw frames of IPv6" on raw_on "$(mac router eth1)" "$(mac client eth0)" 6
for qdisc in "fq" "fq_codel target 30s interval 60s"; do
	if ! modprobe -q "sch_${qdisc%% *}"; then
		skip 7 "this kernel has no $qdisc"
		continue
	fi
	connection "$qdisc"
	# shellcheck disable=SC2086 # words
	slowly $qdisc
	does "$qdisc: a flow label" set raw_label 1
	does "$qdisc: forty segments that are taken for that flow" sent raw_crowd 40 1200
	first "$qdisc" raw_put '0:a\xe1\x80\xaebc'
	does "$qdisc: another flow label" set raw_label 2
	second "$qdisc" raw_put '0:a\xe0'
	must tc -n router qdisc del dev eth2 root
done

# etf drops a packet without a time, ARP's, too. What the host itself sends by CLOCK_TAI, its own root has allowed.
if modprobe -q sch_etf; then
	must ip -n client neigh replace 10.0.1.254 lladdr "$(mac router eth1)" dev eth0
	must tc -n client qdisc replace dev eth0 root etf clockid CLOCK_TAI delta 4000000
	rules client "input tcp dport 9000 audit stream" "output tcp dport 9000 audit stream"
	does "a datagram for etf" text datagram_at 0.1 client $server4
	must tc -n client qdisc del dev eth0 root
else
	skip 1 "this kernel has no etf"
fi
done_testing
