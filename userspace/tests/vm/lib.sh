# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by the suites of these folders, which scripts/vm/suite.sh runs in a machine on a
# stock kernel. It sources tests/tap.sh, and has what several suites need.
#
#   load MODULE [PARAMETER...]          loads a module, after those of the kernel that it needs:
#                                       service, fs, nf, xt (for iptables) or helper (for nft)
#   load_all                            loads service, fs and nf, or ends the suite
#   built_in NAME                       that module is part of this kernel, and cannot be unloaded
#   unload NAME...                      unloads those of these modules that are loaded
#   must COMMAND [ARG...]               does what the next tests rest on: a failed test if it
#                                       fails, nothing if it succeeds
#   user NAME                           a system user, as the scripts of a package would make:
#                                       those of the guest's own packages do not run
#   program FILE.py                     the path of that helper
#   helper FILE.py [ARG...]             starts a helper in python, once: starting
#                                       python for each question takes a second
#   ask WORD...                         a question to it; $answer is its answer
#   does NAME WANTED WORD...            a test: the answer to that is this
#   table FILE.py [ARG...]              runs a helper; each line that it prints is a test: NAME,
#                                       what came and what was wanted, by tabs; "# TEXT" is a
#                                       note, and the last line is "done". "${by[@]}" is a
#                                       command that starts it, as another user for example
#   namespace NS...                     network namespaces, with lo up and no wait for addresses
#   network                             namespaces client -- router -- server, wired by
#                                       veth; the server has $server4 and $server6
#   within NS COMMAND...                runs it in one of them; "-" is the suite's own
#   wires HELPER.py                     starts that helper, which has packet sockets at both sides
#                                       of the router
#   mac NS DEVICE                       the MAC address of that device
#   rules NS RULE...                    replaces the rules for packets of that namespace;
#                                       quoted as in a file of rules
#   count NS NAME                       that counter, summed up over the namespace's rules
#   class NS                            the class of the last refusal, of the last rule that has one
#   counted NS NAME N                   has that counter come to N? For until_true
#   volume DIR [SIZE MKFS...]           a small file system, mounted there with $options: ext4,
#                                       or what that command makes
#   until_true SECONDS COMMAND...       tries again until it succeeds
#   monitor FILE WORD...                starts "utf8guard monitor" in the background and waits until
#                                       it listens; it writes into FILE and FILE.err, and its
#                                       process is the last of "${monitors[@]}"
#   member JSON-PATH                    that member of the JSON on standard input ("0.handle")
#   number service|fs|net NAME          a number of "utf8guard show"
#   status NAME [NS]                    a number of what "utf8guard show" says there of the payload
#                                       check; without NS, in the router
#   log_mark                            from here on, log_since looks at the kernel's log
#   log_since REGEX [N]                 the lines that match; waits for one, or for N at
#                                       least, and then until no more come

# shellcheck disable=SC2034 # for the programs
here=$(dirname "$(readlink -f "$0")")
vm=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=userspace/tests/tap.sh
. "$vm/../tap.sh"
# Helpers share modules that are here.
export PYTHONPATH=$vm
: "${UTF8GUARD_MODULES:?for a stock kernel: scripts/vm/suite.sh FILE.t}"
# Without an audit daemon, audit records go to the kernel's log, by default ten in five seconds.
echo 0 >/proc/sys/kernel/printk_ratelimit

declare -A utf8guard_module=([service]=utf8guard [fs]=utf8guard_fs [nf]=utf8guard_nf
	[xt]=xt_utf8 [helper]=nf_conntrack_utf8)

load() {
	# insmod, unlike modprobe, does not load what a module needs.
	case $1 in
	nf) modprobe -a nf_conntrack nf_reject_ipv4 nf_reject_ipv6 ;;
	xt) modprobe x_tables ;;
	helper) modprobe nf_conntrack ;;
	esac || return
	insmod "$UTF8GUARD_MODULES/${utf8guard_module[$1]}.ko" "${@:2}" || return
	# A suite is one user, and sends from one address: the limits must not take its records.
	# reports.t tests them.
	[ "$1" != service ] || { report_limits 30 && source_limits 30; }
}

report_limits() { # RECORDS: a second, of all names, and of all packets
	echo "$1" >/sys/module/utf8guard/parameters/names_per_second
	echo "$1" >/sys/module/utf8guard/parameters/packets_per_second
}

source_limits() { # RECORDS: a second, of one user and from one address
	echo "$1" >/sys/module/utf8guard/parameters/names_per_user
	echo "$1" >/sys/module/utf8guard/parameters/packets_per_source
}

built_in() { grep -q "/${1}\.ko\$" "/lib/modules/$KERNEL/modules.builtin"; }

load_all() {
	{ load service && load fs && load nf; } || bail_out "the modules do not load"
}

unload() {
	local name
	for name; do
		[ ! -d "/sys/module/$name" ] || rmmod "$name" || return
	done
}

# Beside the suite, or in another of these folders.
program() {
	local path
	for path in "$here/$1" "$vm"/{,names/,payload/,policy/,tool/}"$1"; do
		[ ! -e "$path" ] || break
	done
	echo "$path"
}

helper() {
	coproc HELPER { exec python3 "$(program "$1")" "${@:2}" 2>&1; }
	# bash unsets HELPER when the helper ends; these copies of its descriptors stay.
	exec {helper_in}>&"${HELPER[1]}" {helper_out}<&"${HELPER[0]}"
}

must() {
	"$@" >"$tap/must" 2>&1 && return
	fail "$*: the next tests rest on it"
	sed 's/^/#   /' "$tap/must" >&2
	return 1
}

user() {
	id "$1" >/dev/null 2>&1 ||
		useradd --system --no-create-home --shell /usr/sbin/nologin "$1"
}

# Words must not have tabs or newlines; bytes are written as \xHH. It waits for ten minutes,
# because a kernel with KASAN and lockdep takes minutes for what others do in seconds.
ask() {
	local IFS=$'\t'
	answer=
	printf '%s\n' "$*" >&"$helper_in" && IFS= read -r -t 600 answer <&"$helper_out" ||
		answer="no answer within ten minutes"
}

does() {
	ask "${@:3}"
	is "$1" "$answer" "$2"
}

by=()
table() {
	local line name got wanted last=
	while IFS= read -r line; do
		last=${line%%$'\t'*}
		case $line in
		done | done$'\t'*) ;;
		*$'\t'*)
			IFS=$'\t' read -r name got wanted <<<"$line"
			is "$name" "$got" "$wanted"
			;;
		*) note "${line#\# }" ;; # a traceback, too
		esac
	done < <(${by[@]+"${by[@]}"} python3 "$(program "$1")" "${@:2}" 2>&1)
	is "$* is complete" "$last" "done"
}

server4=10.0.2.1 server6=fd00:2::1
namespace() {
	local ns
	for ns; do
		ip netns add "$ns"
		ip -n "$ns" link set lo up
		# No duplicate address detection, or IPv6 takes seconds to come up.
		within "$ns" sh -c 'echo 0 >/proc/sys/net/ipv6/conf/default/accept_dad'
	done
}
network() {
	modprobe veth
	namespace client router server
	within router sh -c 'echo 1 >/proc/sys/net/ipv4/ip_forward
		echo 1 >/proc/sys/net/ipv6/conf/all/forwarding'
	wire 1 client
	wire 2 server
}
wire() { # NUMBER NS: NS has address 1, the router 254
	ip -n "$2" link add eth0 type veth peer name "eth$1" netns router
	ip -n "$2" addr add "10.0.$1.1/24" dev eth0
	ip -n "$2" addr add "fd00:$1::1/64" dev eth0 nodad
	ip -n "$2" link set eth0 up
	ip -n router addr add "10.0.$1.254/24" dev "eth$1"
	ip -n router addr add "fd00:$1::254/64" dev "eth$1" nodad
	ip -n router link set "eth$1" up
	ip -n "$2" route add default via "10.0.$1.254"
	ip -n "$2" route add default via "fd00:$1::254"
}
# Programs that are called thousands of times are busybox's, which start in half the time. They
# get each command with its whole path: of a bare "ip" or "tc", busybox would run its own.
declare -A program_of=([utf8guard]=$(type -P utf8guard))
within() {
	[ "$1" != - ] || { "${@:2}"; return; }
	[ "${program_of[$2]-}" ] || program_of[$2]=$(type -P "$2") || return 127
	busybox nsenter --net="/run/netns/$1" "${program_of[$2]}" "${@:3}"
}
wires() {
	local address
	helper "$1"
	does "wires" laid wires "$(mac router eth1)" "$(mac client eth0)"
	# After this, the server's addresses are in the router's neighbour table.
	for address in $server4 $server6; do
		does "$address can be reached" delivered udp client server "$address" 9000 hello
	done
}
mac() { ip -n "$1" -br link show dev "$2" | awk '{ print $3 }'; }

# All of them in one load: starting the tool for each takes longer than what is tested. A rule
# that a load finds in force already keeps its counters and streams; so if one of them was there
# before, all are flushed first.
declare -A rules_in=()
rules() {
	local rule
	for rule in "${@:2}"; do
		[[ ${rules_in[$1]-} != *$'\n'"$rule"$'\n'* ]] || { within "$1" utf8guard net flush && break; }
	done
	rules_in[$1]=$'\n'$(printf '%s\n' "${@:2}")$'\n'
	{ echo "net flush" && { [ $# = 1 ] || printf 'net add %s\n' "${@:2}"; }; } |
		within "$1" utf8guard load - >/dev/null || fail "$1: a rule of these is refused: ${*:2}"
}
count() {
	within "$1" utf8guard net -s -j | busybox awk -v RS='[,{]' -v key="\"$2\":" '
		index($0, key) == 1 { value = substr($0, length(key) + 1); gsub(/"/, "", value); n += value } END { print n + 0 }'
}
class() {
	within "$1" utf8guard net -s -j |
		busybox awk -v RS='[,{]' -F '"' '$2 == "class" { last = $4 } END { print last }'
}
counted() { [ "$(count "$1" "$2")" -ge "$3" ]; }

volume() {
	local image device make=("${@:3}")
	[ $# != 1 ] || make=(mkfs.ext4 -q -F -N 4096)
	# Without udev, nothing loads the module or makes /dev/loop-control.
	image=$(mktemp "$tap/volume.XXXXXX") && truncate -s "${2:-24M}" "$image" &&
		modprobe loop && device=$(losetup -f --show "$image") &&
		"${make[@]}" "$device" >&2 && mkdir -p "$1" || return
	mount ${options:+-o "$options"} "$device" "$1"
}

until_true() {
	local end=$((SECONDS + $1))
	until "${@:2}"; do
		[ "$SECONDS" -lt "$end" ] || return 1
		sleep 0.1
	done
}

monitors=()
monitor() {
	utf8guard monitor "${@:2}" >>"$1" 2>"$1.err" &
	monitors+=($!)
	until_true 60 grep -q listening "$1.err" || fail "the monitor does not listen: $(cat "$1.err")"
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
		busybox sed -n 's/.*"'"$1"'":{\([^}]*\)}.*/,\1/; s/.*,"'"$2"'":\([0-9]*\).*/\1/p'
}
status() {
	within "${2:-router}" utf8guard show -j | sed -n "s/.*\"$1\": *\([0-9]*\).*/\1/p"
}

log_marks=0
log_mark() { echo "$0: mark $((log_marks += 1))." >/dev/kmsg; }
log_after_mark() {
	dmesg | busybox awk -v mark=": mark $log_marks." '
		index($0, mark) { n = 0 }
		{ line[n++] = $0 }
		END { for (i = 0; i < n; i++) print line[i] }'
}
# Records get to the log some time after the call, in order. Without N, a line may never come:
# wait for ten seconds. With N, that many will come: wait for up to a minute.
log_since() {
	local found='' before least=${2-1} end=$((SECONDS + 10))
	[ $# = 1 ] || end=$((SECONDS + 60))
	while [ $SECONDS -lt $end ]; do
		before=$found
		found=$(log_after_mark | grep -aE -- "$1")
		[ "$found" != "$before" ] || [ "$(grep -ac . <<<"$found")" -lt "$least" ] || break
		sleep 0.1
	done
	[ -n "$found" ] && printf '%s\n' "$found"
}
