#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The tool against the kernel, as an administrator uses it, and somebody without privileges: what
# it shows, in words and in JSON, what the kernel refuses and how that is told, and that nothing
# changes then.
#
# promise local user: without privilege, or as root of another user namespace, he changes no rule
#   of the host
# shown by: nobody: $command
# shown by: root of another user namespace
# shown by: in this network namespace
# shown by: nothing has changed
# promise administrator by mistake: what the tool or the kernel refuses is told with the reason,
#   and changes nothing
# shown by: a directory with a rule
# shown by: a port out of range
# shown by: nothing has changed

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

helper json_of.py
# What python makes of the JSON of a command: STEPS into it, "a.0.b"; "*" is
# each of a list, "#" its length.
json() { # STEPS COMMAND...
	"${@:2}" >"$tap/json" 2>"$tap/json.err"
	ask "$tap/json" "$1"
}
has() { # NAME STEPS WANTED COMMAND...
	json "$2" "${@:4}"
	is "$1" "$answer" "$3"
}
# A command that fails: with that status, with those words, changing nothing.
state() { utf8guard show -j | grep -o '"\(generation\|rules\|default\)":[^,}]*'; }
refuses() { # NAME STATUS REGEX COMMAND...
	run "${@:4}"
	like "$1" "$status $err" "^$2 utf8guard: $3"
	is "$1: nothing on standard output" "$out" ""
	is "$1: nothing has changed" "$(state)" "$known"
}

# Nothing reads the log here, and a record of each of five hundred changes would only slow this down.
echo 5 >/proc/sys/kernel/printk_ratelimit

# Without the modules.
for command in show stats fs net "fs add subtree /tmp enforce" "net add input tcp dport 1 drop" \
	reset monitor "validate --kernel /etc/hostname"; do
	# shellcheck disable=SC2086 # words of a command
	run utf8guard $command
	like "$command: without the modules" "$status $err" "^4 utf8guard: utf8guard(_fs|_nf)? is not loaded; load it with: modprobe"
done
run utf8guard validate /etc/hostname
is "validate needs none" "$status" 0
load service || bail_out "the service does not load"
run utf8guard fs
like "the service alone is not enough" "$status $err" "^4 utf8guard: utf8guard_fs is not loaded"
run utf8guard
like "show says what is not there" "$status $out" "^0 .*name check +not loaded; load it with: modprobe utf8guard_fs"
if ! load fs || ! load nf; then bail_out "the checks do not load"; fi

# What is shown.
is "fs" "$(utf8guard fs)" "fs set default audit # handle 1"
is "net" "$(utf8guard net)" ""
version=$(utf8guard version | cut -d ' ' -f 2)
has "show -j: the version" service.version "$version" utf8guard -j
has "show -j: of the tool" tool "$version" utf8guard show -j
has "show -j: loaded" fs.loaded true utf8guard show -j
has "show -j: the default" fs.default audit utf8guard show -j
has "show -j: no warnings" 'warnings.#' 0 utf8guard show -j
like "show" "$(utf8guard show)" "service +version $version.*name check +default audit, rules 1, generation 0.*payload check +rules 0, generation 0"
has "stats -j" fs.rules.0.scope default utf8guard stats -j
has "stats -j: net" net.status.generation 0 utf8guard stats -j
like "stats" "$(utf8guard stats)" "# service: events.*# name check: generation 0.*fs set default audit.*# payload check:"

# Rules as they are shown are the commands that make them.
mkdir -p "/tmp/d/a b" /tmp/d/$'caf\xc3\xa9' /tmp/d/$'\xff'
cd /tmp/d || exit
for line in "fs add subtree /tmp/d enforce" "net add input ip tcp dport 80 drop" \
	"net add forward ip6 udp sport 1000-2000 saddr 2001:db8::/32 daddr 2001:db8::1 audit" \
	"net add output udp any-port count" "net add input ip tcp sport 0 dport 65535 saddr 0.0.0.0/0 drop"; do
	# shellcheck disable=SC2086 # words of a command
	ok "$line" utf8guard $line
	is "is shown as that" "$(utf8guard "${line%% *}" | tail -n 1 | sed 's/ # handle.*//')" "$line"
done
has "net -j" 'rules.*.action' 'drop audit count drop' utf8guard net -j
has "net -j: ports" rules.1.sport-min 1000 utf8guard net -j
has "net -j: addresses" rules.1.saddr 2001:db8:: utf8guard net -j
has "add -j: the rule with its handle" path "/tmp/d/a b" utf8guard -j fs add subtree "a b" off
has "add -j: a relative path, and one that is not UTF-8" path '/tmp/d/\xFF' \
	utf8guard -j fs add subtree $'\xff' off
like "fs shows it quoted" "$(utf8guard fs)" 'fs add subtree .*/tmp/d/\\xFF.* off # handle'
handle=$(utf8guard -j fs add subtree $'caf\xc3\xa9' off | sed 's/.*"handle":\([0-9]*\).*/\1/')
has "set -j" mode audit utf8guard -j fs set "$handle" audit
has "handles are not used twice" 'rules.*.handle' "1 2 3 4 $handle" utf8guard fs -j
ok "del" utf8guard fs del "$handle"
has "the others stay" 'rules.*.mode' "audit enforce off off" utf8guard fs -j

# What the kernel refuses, with its reason and the word at fault.
known=$(state)
refuses "a directory with a rule" 3 "/tmp/d: refused by the kernel: a rule for the same location and the same callers exists already \(File exists\)" \
	utf8guard fs add subtree /tmp/d off
refuses "the same by another path" 3 "/tmp/d/../d: refused by the kernel: a rule for the same location and the same callers exists already" \
	utf8guard fs add subtree /tmp/d/../d off
: >/tmp/file
refuses "a file" 2 "/tmp/file: Not a directory" \
	utf8guard fs add subtree /tmp/file off
refuses "a path that is not there" 2 "/tmp/none: No such file or directory" utf8guard fs add subtree /tmp/none off
refuses "fs set of an unknown handle" 3 "4711: refused by the kernel: no rule has this handle \(No such file or directory\)" \
	utf8guard fs set 4711 off
refuses "fs del of an unknown handle" 3 "4711: refused by the kernel: no rule has this handle" utf8guard fs del 4711
refuses "fs del of the default" 3 "1: refused by the kernel: the default rule cannot be deleted, only changed \(Operation not permitted\)" \
	utf8guard fs del 1
refuses "net del of an unknown handle" 3 "4711: refused by the kernel: no rule has this handle" utf8guard net del 4711
refuses "a rule twice" 3 "refused by the kernel: a rule for the same packets exists already \(File exists\)" \
	utf8guard net add input ip tcp dport 80 drop
refuses "and with another action" 3 "refused by the kernel: a rule for the same packets exists already" \
	utf8guard net add input ip tcp dport 80 count
refuses "bits after the prefix" 2 "10.1.2.3/8: the address has bits set after its prefix; expected 10.0.0.0/8" \
	utf8guard net add input tcp dport 1 saddr 10.1.2.3/8 drop
refuses "the address is of the other family" 3 "::1: refused by the kernel: the address is of the other family" \
	utf8guard net add input ip tcp dport 1 saddr ::1 drop
refuses "a port and any-port" 3 "any-port: refused by the kernel: a rule takes ports or any-port, not both" \
	utf8guard net add input tcp dport 1 any-port drop
refuses "all ports without any-port" 3 "refused by the kernel: the rule has no port; say any-port" \
	utf8guard net add input tcp dport 0-65535 drop

# What the tool refuses itself.
refuses "a port out of range" 2 "65536: expected a port" utf8guard net add input tcp dport 65536 drop
refuses "a range the wrong way round" 2 "90-80: the lower port comes first" utf8guard net add input tcp dport 90-80 drop
refuses "no ports" 2 "net: no ports" utf8guard net add input tcp drop
refuses "a prefix that is too long" 2 "10.0.0.0/33: expected an address" utf8guard net add input tcp dport 1 saddr 10.0.0.0/33 drop
refuses "an unknown hook" 2 "prerouting: " utf8guard net add prerouting tcp dport 1 drop
refuses "an unknown mode" 2 "maybe: " utf8guard fs set default maybe
refuses "a word too many" 2 "please: unexpected word" utf8guard fs flush please
refuses "a word missing" 2 ".*" utf8guard fs add subtree
refuses "no handle" 2 "all: expected the handle of a rule" utf8guard fs del all
refuses "an unknown command" 2 "frobnicate: " utf8guard frobnicate
refuses "an unknown flag" 2 "-z: unknown option; utf8guard --help lists the commands" utf8guard -z

# Who may.
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all)
for command in "fs" "fs flush" "fs set default enforce" "net" "net flush" "reset"; do
	# shellcheck disable=SC2086 # words of a command
	refuses "nobody: $command" 3 "refused by the kernel: Operation not permitted; this needs CAP_" \
		"${nobody[@]}" "$UTF8GUARD" $command
done
run "${nobody[@]}" "$UTF8GUARD" show
like "nobody: show says what it may" "$status $out" "^3 .*service +version $version.*loaded; you are not permitted to ask it"
printf 'a\377' >/tmp/file
run "${nobody[@]}" "$UTF8GUARD" validate --kernel /tmp/file
like "nobody: the kernel judges text for all" "$status $out" "^1 /tmp/file:1: header-bits: FF"
refuses "CAP_NET_ADMIN is not enough for names" 3 "refused by the kernel: .*CAP_MAC_ADMIN" \
	setpriv --bounding-set=-mac_admin --inh-caps=-mac_admin "$UTF8GUARD" fs set default enforce
ok "but it is for packets" setpriv --bounding-set=-mac_admin --inh-caps=-mac_admin "$UTF8GUARD" net flush
known=$(state)
refuses "root of another user namespace" 3 "refused by the kernel: " unshare -Ur "$UTF8GUARD" fs set default enforce
refuses "in this network namespace" 3 "refused by the kernel: " unshare -Ur "$UTF8GUARD" net add input udp dport 5 drop

# The codec in the kernel and the one in the tool say the same.
count=0
mkdir /tmp/vectors
cd /tmp/vectors || exit
while read -r class bytes; do
	count=$((count + 1))
	# shellcheck disable=SC2059 # the bytes are the format
	printf "good$bytes" >"$class.$count"
done <<'END'
overlong \xc0\x80
overlong \xc0\xae
overlong \xc0\xaf
overlong \xc1\xbf
overlong \xe0\x80\xaf
overlong \xe0\x9f\xbf
overlong \xf0\x80\x80\xaf
overlong \xf0\x8f\xbf\xbf
surrogate \xed\xa0\x80
surrogate \xed\xbf\xbf
surrogate \xed\xa1\x8c\xed\xbe\xb4
too-large \xf4\x90\x80\x80
too-large \xf5\x80\x80\x80
too-large \xf7\xbf\xbf\xbf
header-bits \xf8\x88\x80\x80\x80
header-bits \xfc\x84\x80\x80\x80\x80
header-bits \xfe
header-bits \xff
too-short \xc3x
too-short \xe6\x97x
too-short \xf0\x9f\x90x
too-short \xc3\xc3\xa9
too-long \x80
too-long \xbf\xbf
truncated \xc3
truncated \xe6
truncated \xe6\x97
truncated \xf0\x9f\x90
truncated \xe0\xa0
END
utf8guard validate -j -- * >"$tap/tool"
is "the tool refuses the vectors" $? 1
utf8guard validate -j --kernel -- * >"$tap/kernel"
is "so does the kernel" $? 1
ok "they say the same in JSON" cmp "$tap/tool" "$tap/kernel"
is "of each class, the first of each file" \
	"$(utf8guard validate --kernel -- * | awk -F'[.:]' '{ gsub(" ", "", $4); print ($1 == $4 && $3 == 4) ? "ok" : $0 }' | sort | uniq -c | xargs)" \
	"$count ok"
printf 'na\xc3\xafve \xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\n' >/tmp/good
ok "the kernel takes good text" utf8guard validate --kernel /tmp/good
head -c 32768 /dev/zero | tr '\0' a >/tmp/large
ok "as much as it says" utf8guard validate --kernel /tmp/large
echo >>/tmp/large
run utf8guard validate --kernel /tmp/large
like "and no more" "$status $err" "^2 .*the kernel takes at most 32768 octets"

# Many rules come in many messages, whole and in order.
utf8guard fs flush
utf8guard net flush
mkdir -p /tmp/many
is "500 rules of each kind are added" "$(python3 "$here/rules.py" /tmp/many 500)" "500 500"
first=$(utf8guard fs | sed -n '2s/.*handle //p')
has "fs lists them all, in order" 'rules.*.handle' "1 $(seq -s ' ' "$first" $((first + 499)))" utf8guard fs -j
has "net lists them all, in order" 'rules.*.dport-min' "$(seq -s ' ' 500)" utf8guard net -j
has "with the counters too" 'net.rules.#' 500 utf8guard stats -j
is "in words too" "$(utf8guard fs | wc -l) $(utf8guard net | wc -l)" "501 500"
ok "flush takes them all away" utf8guard fs flush
ok "of both" utf8guard net flush
is "but for the default" "$(utf8guard fs; utf8guard net)" "fs set default audit # handle 1"
ok "reset" utf8guard reset
for call in 1 2; do # one for each check
	run strace -qq -o /dev/null -e trace=socket -e inject=socket:error=EMFILE:when=$call "$UTF8GUARD" reset
	is "reset: one of the checks cannot be asked: $call" "$status $err" "4 utf8guard: netlink: Too many open files"
done

# Another network namespace has rules of its own.
must namespace other
elsewhere="loaded, but does not serve this network namespace"
ok "with -N: a rule of another network namespace" utf8guard -N other net add input udp dport 9000 count
ok "... which has a file" utf8guard net add input udp dport 9001 count --netns=/run/netns/other
is "... is there" "$(utf8guard net -N other | sed 's/ #.*//')" \
	$'net add input udp dport 9000 count\nnet add input udp dport 9001 count'
is "... and not here" "$(utf8guard net)" ""
utf8guard save -N other >/tmp/other.conf 2>/tmp/other.said
is "with -N: save has no rules for names" "$(grep '^fs\|^# name' /tmp/other.conf)" "# name check: $elsewhere"
is "with -N: and says why" "$(cat /tmp/other.said)" "utf8guard: warning: utf8guard_fs is $elsewhere, so none of its rules are saved"
echo "fs set default audit" >/tmp/names.conf
run utf8guard save -N other --file /tmp/names.conf
is "with -N: save --file keeps them" "$status $err" "4 utf8guard: /tmp/names.conf: nothing is written, because its rules would be lost: utf8guard_fs is $elsewhere"
run utf8guard check -N other /tmp/names.conf
is "with -N: check" "$status $out" "2 UTF8GUARD CRITICAL - /tmp/names.conf: name check: utf8guard_fs is $elsewhere"
ok "with -N: flush" utf8guard net flush -N other
ok "with -N: load" utf8guard load /tmp/other.conf -N other
has "with -N: stats" 'net.rules.#' 2 utf8guard stats -j -N other
ok "with -N: lock" utf8guard lock -N other
run utf8guard -N other net flush
like "... which holds there" "$status $err" "^3 .*locked"
ok "... and not here" utf8guard net flush
run utf8guard -N other fs
like "with -N: names are of the first one alone" "$status $err" "^2 .*-N: unknown option of fs"
run setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all utf8guard -N other net
like "with -N: without privilege" "$status $err" "^2 .*other: entering a network namespace needs CAP_SYS_ADMIN"
must ip netns del other

# Options at each place, where they make a difference.
table ../../places.py "$UTF8GUARD" kernel /tmp/places
done_testing
