# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by the test programs of this folder, which run on a stock kernel in
# scripts/vm: tests/tap.sh, and what several of them need.
#
#   load MODULE [PARAMETER...]          a module, and what it takes to load it: service,
#                                       fs, nf, xt (for iptables), helper (for nft)
#   load_all                            the three of them, or the program ends
#   unload NAME...                      modules by name, those that are loaded
#   helper FILE.py [ARG...]             starts a helper in python, once: starting
#                                       python for each question takes a second
#   ask WORD...                         a question to it; $answer is its answer
#   volume DIR                          a small ext4 file system, mounted there
#   until_true SECONDS COMMAND...       tries again until it succeeds
#   member JSON-PATH                    of the JSON on standard input ("0.handle")
#   number service|fs|net NAME          a number of "utf8guard show"
#   log_mark                            what the kernel's log says from now on...
#   log_since REGEX                     ...the lines of it that match; waits for one

# shellcheck disable=SC2034 # for the programs
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=userspace/tests/tap.sh
. "$here/../tap.sh"
: "${UTF8GUARD_MODULES:?for a stock kernel: scripts/vm/suite.sh FILE.t}"
# Without an audit daemon, records go to the kernel's log, ten in five seconds.
echo 0 >/proc/sys/kernel/printk_ratelimit

declare -A utf8guard_module=([service]=utf8guard [fs]=utf8guard_fs [nf]=utf8guard_nf
	[xt]=xt_utf8 [helper]=nf_conntrack_utf8)

load() {
	# What insmod, unlike modprobe, does not load along with it.
	case $1 in
	nf) modprobe -a nf_conntrack nf_reject_ipv4 nf_reject_ipv6 ;;
	xt) modprobe x_tables ;;
	helper) modprobe nf_conntrack ;;
	esac || return
	insmod "$UTF8GUARD_MODULES/${utf8guard_module[$1]}.ko" "${@:2}"
}

load_all() {
	{ load service && load fs && load nf; } || bail_out "the modules do not load"
}

unload() {
	local name
	for name; do
		[ ! -d "/sys/module/$name" ] || rmmod "$name" || return
	done
}

helper() {
	coproc HELPER { exec python3 "$here/$1" "${@:2}" 2>&1; }
	# Gone as soon as the program closes it.
	exec {helper_in}>&"${HELPER[1]}" {helper_out}<&"${HELPER[0]}"
}

# Words must not hold tabs or newlines; bytes are written as \xHH.
ask() {
	local IFS=$'\t'
	answer=
	printf '%s\n' "$*" >&"$helper_in" && IFS= read -r -t 60 answer <&"$helper_out" ||
		answer="no answer within 60 seconds"
}

volume() {
	local image
	image=$(mktemp "$tap/volume.XXXXXX") && truncate -s 24M "$image" &&
		mkfs.ext4 -q -F -N 4096 "$image" && mkdir -p "$1" || return
	# Without udev, nothing loads the module or makes /dev/loop-control.
	modprobe loop && mount "$(losetup -f --show "$image")" "$1"
}

until_true() {
	local end=$((SECONDS + $1))
	until "${@:2}"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}

member() {
	python3 -c '
import json, sys
value = json.load(sys.stdin)
for step in sys.argv[1].split("."):
    value = value[int(step) if isinstance(value, list) else step]
print(json.dumps(value) if isinstance(value, (dict, list)) else value)' "$1"
}

# Of the flat objects of "show -j", without the price of starting python.
number() {
	utf8guard show -j |
		sed -n 's/.*"'"$1"'":{\([^}]*\)}.*/,\1/; s/.*,"'"$2"'":\([0-9]*\).*/\1/p'
}

log_marks=0
log_mark() { echo "$0: mark $((log_marks += 1))." >/dev/kmsg; }
log_after_mark() { dmesg | tac | sed "/: mark $log_marks\\.\$/q" | tac; }
# Records get to the log some time after the call: wait for one, and for no more.
log_since() {
	local count before=0 end=$((SECONDS + 10))
	while [ $SECONDS -lt $end ]; do
		count=$(log_after_mark | grep -acE -- "$1")
		[ "$count" = 0 ] || [ "$count" != "$before" ] || break
		before=$count
		sleep 0.1
	done
	log_after_mark | grep -aE -- "$1"
}
