# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced after lib.sh by the suites that attach BPF programs, of bpf.py.
#
#   bpf_begin                     starts it; its programs are there until the suite ends
#   bpf WORD...                   a line for it; prints its answer, and fails if that is an error

# shellcheck disable=SC2154 # tests/tap.sh sets $tap, lib.sh $vm
bpf_begin() {
	mkfifo "$tap"/bpf.{in,out}
	python3 "$vm/bpf.py" <"$tap/bpf.in" >"$tap/bpf.out" 2>&1 &
	exec {bpf_in}>"$tap/bpf.in" {bpf_out}<"$tap/bpf.out"
	echo 1 >/proc/sys/kernel/bpf_stats_enabled
}
bpf() {
	local IFS=$'\t' answer
	printf '%s\n' "$*" >&"$bpf_in"
	IFS= read -r -t 60 answer <&"$bpf_out"
	echo "$answer"
	[[ $answer =~ ^(ok|[0-9]+)$ ]]
}
