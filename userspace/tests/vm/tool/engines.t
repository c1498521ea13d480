#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each engine that the processor has, on a stock kernel, as the kernel's own dispatch calls it:
# general registers for what is short, vectors between kernel_fpu_begin() and kernel_fpu_end() (on
# arm64, kernel_neon_begin() and kernel_neon_end()) for what is long.
#
# promise whoever wrote the text: on a stock kernel each engine that the processor has judges as
#   the tool does, which refuses at the place where Python's decoder does
# shown by: texts judged as by the tool: class, place and octets
# shown by: the tool and Python refuse

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

mkdir /tmp/texts /tmp/answers
cd /tmp/texts || exit
python3 "$here/engines.py" >/tmp/answers/python
utf8guard validate -- * >/tmp/answers/tool
cut -d ' ' -f 1 /tmp/answers/tool >/tmp/answers/places
count=$(find . -type f | wc -l)
ok "the tool and Python refuse $(wc -l </tmp/answers/python) of $count texts, each at the same place" \
	cmp /tmp/answers/python /tmp/answers/places
utf8guard validate -j -- *7 >/tmp/answers/tool.json

# What Linux says of the processor, as the engines ask for it.
has() { grep -m 1 -E '^(flags|Features)' /proc/cpuinfo | grep -qw -- "$1"; }
declare -A needs=([avx512vbmi]='avx512f avx512bw avx512vbmi' [avx512]='avx512f avx512bw' [avx2]='avx avx2' [bmi2]=bmi2 [neon]=asimd [general]='')
best=
for engine in avx512vbmi avx512 avx2 bmi2 neon general; do
	missing=
	for flag in ${needs[$engine]}; do
		has "$flag" || missing+=" $flag"
	done
	if [ "$missing" ]; then
		log_mark
		not_ok "$engine: refused, for want of$missing" load service "engine=$engine"
		like "$engine: and that is said" "$(log_since "engine=$engine")" "no such engine"
		continue
	fi
	best=${best:-$engine}
	ok "$engine: the module takes it" load service "engine=$engine"
	like "$engine: show names it" "$(utf8guard show)" ", engine $engine"
	is "$engine: the parameter can be read" "$(cat /sys/module/utf8guard/parameters/engine)" "$engine"
	utf8guard validate --kernel -- * >/tmp/answers/kernel
	is "$engine: some are refused" $? 1
	ok "$engine: $count texts judged as by the tool: class, place and octets" \
		cmp /tmp/answers/tool /tmp/answers/kernel
	utf8guard validate -j --kernel -- *7 >/tmp/answers/kernel.json
	ok "$engine: all mistakes of a tenth of them, one after another" \
		cmp /tmp/answers/tool.json /tmp/answers/kernel.json
	ok "$engine: the module goes" unload utf8guard
done

ok "no engine named: loads" load service
like "the best is chosen: $best" "$(utf8guard show)" ", engine $best"

# What one processor sends, the other receives in softirqs. These interrupt the engine there while it
# judges texts for a process, and call it for the packets.
if [ "$(nproc)" -gt 1 ]; then
	mapfile -t long < <(find . -type f -size +2k -name '*3' -printf '%P\n' | sort | head -n 300)
	utf8guard validate -- "${long[@]}" >/tmp/answers/long
	ip link set lo up
	echo 2 >/sys/class/net/lo/queues/rx-0/rps_cpus
	ok "packets: the module loads" load nf
	must utf8guard net add input udp dport 9000 drop gate off
	coproc packets { taskset -c 0 python3 "$here/engines_packets.py"; }
	read -r said <&"${packets[0]}" # a slow start must not outlast the rounds
	is "packets: they are under way" "$said" "started"
	for ((round = 1; round <= 5; round++)); do
		taskset -c 1 utf8guard validate --kernel -- "${long[@]}" >/tmp/answers/interrupted
		ok "packets, round $round: ${#long[@]} long texts judged as by the tool" \
			cmp /tmp/answers/long /tmp/answers/interrupted
	done
	echo >&"${packets[1]}"
	read -r said <&"${packets[0]}"
	note "packets: $said"
	like "packets: well-formed ones came, none of the others" "$said" '^sent [0-9]+ came [1-9][0-9]+ wrong 0$'
	refused=$(count - refused)
	ok "packets: $refused were refused" test "$refused" -gt 100
	unload utf8guard_nf
else
	skip 9 "packets in between: one processor"
fi
unload utf8guard
log_mark
not_ok "an engine that there is not" load service engine=mmx
like "is named" "$(log_since 'engine=mmx')" "engine=mmx: this processor has no such engine"
not_ok "nothing is left behind" test -d /sys/module/utf8guard
done_testing
