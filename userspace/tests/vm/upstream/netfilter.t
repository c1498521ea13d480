#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The kernel's own tests of netfilter (tools/testing/selftests/net/netfilter of Debian's
# linux-source-6.12), without rules of ours and with rules that are asked about every packet: what
# passes without must pass with them. What fails or is skipped without them shows nothing, and is
# skipped here with the reason.
#
# vm: -t 3000 -p conntrack,socat,iperf3,jq,tcpdump,ncat,ipvsadm,iputils-ping
#
#   audit    each packet alone, at each hook: what is not UTF-8 is reported and let through
#   drop     TCP as streams that are read in order, of which the targets of requests by HTTP are
#            judged, the octets of UDP from the 65000th on, all of SCTP: these tests have no such
#            text that is not UTF-8, so nothing may be dropped
#
# Rules are of one network namespace, and these tests make their own: netns/ip and netns/unshare,
# which they call in place of the real ones, load the rules there.
#
# Some of these tests depend on time, so each may be tried three times. SCRIPTS="nft_nat rpath"
# are the only ones to run.
#
# promise operator: with rules for every packet, netfilter does what it does without them
# shown by: what passes without rules passes
# shown by: packets were judged
# shown by: and none of them was refused

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

selftests=$PWD/build/upstream/selftests/tools/testing/selftests/net
[ -e "$selftests/netfilter/lib.sh" ] || skip_all "the kernel's selftests are not there: make test-upstream fetches them"

# What takes minutes in User-Mode Linux, or needs what no Debian has.
declare -A left_out=(
	[nft_flowtable]="it takes more than two minutes"
	[nft_tproxy_tcp]="it takes more than two minutes"
	[nft_zones_many]="it takes more than two minutes"
	[nft_concat_range]="it tests sets of nft, for minutes"
	[nft_nat]="nobody has tried it here yet"
	[nft_nat_zones]="nobody has tried it here yet"
	[nft_queue]="nobody has tried it here yet"
	[nft_tproxy_udp]="nobody has tried it here yet"
	[nft_concat_range_perf]="it measures, and tests nothing"
	[nf_conntrack_packetdrill]="Debian has no packetdrill"
	[lib]="it is no test"
)

{ load service && load nf; } || bail_out "the modules do not load"
for hook in input forward output; do
	printf "net add $hook %s any-port audit gate off\n" tcp udp sctp >>"$tap/audit"
	printf "net add $hook %s\n" "tcp any-port drop stream scope http-target fail open" \
		"udp any-port drop scope 65000:16" "sctp any-port drop gate off" >>"$tap/drop"
done
for rules in audit drop; do
	ok "rules for $rules" utf8guard load -c "$tap/$rules"
done

# These tests write beside themselves.
cp -rL "$selftests" /tmp/net
cd /tmp/net/netfilter || bail_out "no copy of the tests"
export PATH=$here/netns:$PATH KSFT_MACHINE_SLOW=yes RULES COUNTERS

attempt() { # SCRIPT PASS: its status, and what it said in $tap/SCRIPT.PASS
	RULES=
	[ "$2" = without ] || RULES=$tap/$2
	COUNTERS=$tap/$2.counters
	timeout -k 10 120 bash "./$1.sh" >"$tap/$1.$2" 2>&1 </dev/null
	status=$?
	[ -z "$RULES" ] || utf8guard net flush
	echo "exit status $status" >>"$tap/$1.$2"
	note "$1, $2: status $status at $SECONDS s"
}

# The lines that say that something passed, without names and numbers that each run makes anew.
passed() { # FILE
	grep -aE '^(PASS|OK|ok)\b|: (ok|OK|PASS)|\[ *OK *\]|^exit status 0' "$1" |
		sed -E 's/-[A-Za-z0-9]{6,8}\b//g; s/[0-9.]+/N/g' | sort -u
}
lost() { # SCRIPT PASS
	comm -23 <(passed "$tap/$1.without") <(passed "$tap/$1.$2")
}

scripts=${SCRIPTS:-$(for script in *.sh; do echo "${script%.sh}"; done)}
for script in $scripts; do
	if [ "${left_out[$script]-}" ]; then
		skip 1 "$script: ${left_out[$script]}"
		continue
	fi
	attempt "$script" without
	if [ -z "$(passed "$tap/$script.without")" ]; then
		skip 1 "$script: without rules, too: $(grep -v '^exit status' "$tap/$script.without" | tail -n 1)"
		continue
	fi
	for pass in audit drop; do
		for _ in 1 2 3; do
			attempt "$script" $pass
			[ -n "$(lost "$script" $pass)" ] || break
		done
		is "$script, $pass: what passes without rules passes" "$(lost "$script" $pass)" "" ||
			sed 's/^/#   /' "$tap/$script.$pass" >&2
	done
done
# COUNTERS of all namespaces, as they were when they went.
counter() { # PASS PROTOCOL NAME
	jq -s --arg protocol "$2" --arg name "$3" '[.[] | .. | objects | select(.protocol? == $protocol) |
		.. | objects | .[$name]? | values | tonumber] | add // 0' "$tap/$1.counters"
}
for pass in audit drop; do
	unlike "$pass: every namespace had its rules" "$(cat "$tap/$pass.counters")" "no rules"
	# A few of the scripts need not use all of these.
	[ -z "${SCRIPTS-}" ] || continue
	for protocol in tcp udp sctp; do
		like "$pass: packets were judged, $protocol" "$(counter $pass $protocol packets)" '^[1-9][0-9]*$'
	done
done
is "drop: and none of them was refused" "$(for protocol in tcp udp sctp; do counter drop $protocol refused; done)" $'0\n0\n0'
[ -z "${VM_OUT-}" ] || cp "$tap"/*.counters "$VM_OUT"
done_testing
