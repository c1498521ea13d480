#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# utf8guard check compares a policy file with what is in force, which an administrator or somebody
# else may have changed.
#
# promise operator: check says, by one line and its exit status, whether the policy of a file is
#   in force, and what differs
# shown by: all is there
# shown by: a rule too many
# shown by: a rule is gone
# shown by: it stands after another
# shown by: one check on trial hides nothing of the other
# promise local user: he cannot have check say that a policy is not in force by what he puts where a
#   path leads
# shown by: a file of his
# shown by: a link of his

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

mkdir -p /tmp/a /tmp/b
policy=/etc/utf8guard.conf
cat >$policy <<'END'
fs flush
net flush
fs set default audit
fs add subtree /tmp/a enforce
fs add subtree /tmp/b cgroup /later.slice enforce comment 'waits'
net add input tcp dport 81 drop
net add input udp any-port audit
END

# NAME STATUS REGEX WORD...: it says one line, and that in it; with numbers, for all was compared.
says() {
	run utf8guard check "${@:4}"
	is "$1: exit status" "$status" "$2"
	like "$1: what it says" "$out" \
		"^UTF8GUARD $3 \| rules=[0-9]+ waiting=[0-9]+ missing=[0-9]+ other=[0-9]+$"
}
# The same where not all was compared: no number would be true.
cannot() {
	run utf8guard check "${@:4}"
	is "$1: exit status" "$status" "$2"
	like "$1: what it says, without numbers" "$out" "^UTF8GUARD ${3}[^|]*$"
}
numbers() { echo "${out#*| }"; }

cannot "nothing is loaded" 2 "CRITICAL - $policy: name check: utf8guard_fs is not loaded; payload check: utf8guard_nf is not loaded"
if ! load service || ! load fs; then bail_out "the modules do not load"; fi
cannot "a module is missing" 2 "CRITICAL - $policy: payload check: utf8guard_nf is not loaded"
load nf || bail_out "the module does not load"
says "no rule is there" 2 "CRITICAL - $policy: name check: 2 rules of the file not in force; payload check: 2 rules of the file not in force"
is "how many" "$(numbers)" "rules=5 waiting=1 missing=4 other=0"
ok "load" utf8guard load $policy
generation=$(number fs generation)
says "all is there" 0 "OK - $policy: in force"
is "and one rule waits" "$(numbers)" "rules=5 waiting=1 missing=0 other=0"
says "--strict" 1 "WARNING - $policy: name check: 1 rule waits for what is not there" --strict
is "to look changes nothing" "$(number fs generation)" "$generation"

# One rule more, one less, another order, another word.
handle=$(utf8guard -j fs ensure fstype vfat off | member handle)
says "a rule too many" 2 "CRITICAL - $policy: name check: 1 rule in force that the file does not have there"
utf8guard fs del "$handle"
utf8guard fs set default enforce
says "the default is another" 2 "CRITICAL - $policy: name check: 1 rule of the file not in force; name check: 1 rule in .*"
utf8guard fs set default audit
first=$(utf8guard net | sed -n 's/.*dport 81.* handle //p')
utf8guard net del "$first"
says "a rule is gone" 2 "CRITICAL - $policy: payload check: 1 rule of the file not in force"
utf8guard net add input tcp dport 81 drop
says "it stands after another" 2 "CRITICAL - $policy: payload check: 1 rule in force that the file does not have there"
ok "load again" utf8guard load $policy
says "all is there again" 0 "OK - .*"

# Policies that are in force, and need a look all the same.
echo "net add input udp dport 53 drop" >>$policy
ok "a rule that is never asked" utf8guard load --confirm 600 $policy
cannot "on trial" 1 "WARNING - $policy: payload check: rules are on trial, back in [0-9]+ seconds, unless: utf8guard confirm net"
utf8guard fs set default enforce
cannot "one check on trial hides nothing of the other" 2 "CRITICAL - $policy: payload check: rules are on trial, back in [0-9]+ seconds, unless: utf8guard confirm net; name check: 1 rule of the file not in force; name check: 1 rule in .*"
utf8guard fs set default audit
utf8guard confirm
says "never asked" 1 "WARNING - $policy: payload check: 1 rule can never act, see: utf8guard net show"
sed -i '$d' $policy
echo "fs add subtree /tmp/a userns 1 off" >>$policy
utf8guard load $policy 2>/dev/null
says "a namespace that is not there" 1 "WARNING - $policy: 1 line of the file for namespaces that are not there"
sed -i '$d' $policy

# A namespace that a user made. Who may not look at his processes does not know whose the rule in force is.
setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all unshare -U sleep infinity &
user=$!
his() { stat -Lc %i /proc/$user/ns/user; }
made_it() { [ "$(his)" != "$(stat -Lc %i /proc/self/ns/user)" ]; }
until_true 60 made_it
blind=(setpriv --bounding-set=-sys_ptrace --inh-caps=-sys_ptrace "$UTF8GUARD")
echo "fs add subtree /tmp/a userns $(his) off" >>$policy
ok "a namespace of a user" utf8guard load $policy
says "a namespace of a user" 0 "OK - $policy: in force"
run "${blind[@]}" check $policy
is "... that may not be looked for" "$status $out" \
	"3 UTF8GUARD UNKNOWN - $policy: 1 line of the file for namespaces that may not be looked for (CAP_SYS_PTRACE)"
like "... load says that, too" "$("${blind[@]}" load -c $policy 2>&1)" \
	"warning: not all processes may be looked at, .*\(CAP_SYS_PTRACE\); the line is left out"
run "${blind[@]}" load -c --strict $policy
like "... and fails with --strict" "$status $err" "^2 .*: not all processes may be looked at, "
utf8guard net flush
run "${blind[@]}" check $policy
like "... what is missing for sure is told" "$status $out" "^2 UTF8GUARD CRITICAL - .*payload check: 2 rules of the file not in force"
{ kill $user && wait $user; } 2>/dev/null
sed -i '$d' $policy
utf8guard load $policy
echo "# nothing" >"$tap/nothing"
says "a file that says nothing" 1 "WARNING - .*nothing: the file says nothing" "$tap/nothing"

# Files of which check cannot say whether they are in force.
cannot "no such file" 3 "UNKNOWN - /nowhere: the file cannot be read, or has mistakes" /nowhere
echo "fs set default enforced" >"$tap/mistake"
cannot "a mistake" 3 "UNKNOWN - .*mistake: the file cannot be read, or has mistakes" "$tap/mistake"
like "and which it is" "$err" "mistake:1: enforced: "
printf 'net flush\nnet add input tcp dport 80 drop scope dns-labels decode percent\n' >"$tap/refused"
cannot "what the kernel refuses" 2 "CRITICAL - .*refused: payload check: lines of the file are refused" "$tap/refused"
like "and why" "$err" "refused:2: .*refused by the kernel"
run setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all "$UTF8GUARD" check $policy
is "who may not ask" "$status" 3
like "is told so" "$out" "^UTF8GUARD UNKNOWN - .*you are not permitted to ask it"
run utf8guard check --nonsense
is "a wrong word is nothing about the policy" "$status" 3
for to in "/dev/full" "&-"; do
	run eval "utf8guard check >$to"
	like "nor is output that fails: >$to" "$status $err" '^3 utf8guard: standard output: '
done

# A file that flushes nothing says nothing of other rules, nor, unless it names it, of the default.
printf 'fs add subtree /tmp/a enforce\nnet ensure input udp any-port audit\n' >"$tap/some"
utf8guard fs set default enforce
says "a file of some rules" 0 "OK - .*some: in force" "$tap/some"
echo "fs set default audit" >>"$tap/some"
says "that names the default" 2 "CRITICAL - .*some: name check: 1 rule of the file not in force" "$tap/some"
utf8guard fs set default audit
ok "save" sh -c "utf8guard save >'$tap/saved' && utf8guard save -j >'$tap/saved.json'"
says "what save wrote" 0 "OK - .*saved: in force" "$tap/saved"
says "and as JSON" 0 "OK - .*json: in force" -j "$tap/saved.json"

# Others than the administrator keep a path from being looked up: the rule for it is in force.
his=/tmp/his/share
he() { setpriv --reuid 1000 --regid 1000 --clear-groups "$@"; }
mkdir -p $his && chown -R 1000:1000 /tmp/his
printf 'fs flush\nfs add subtree %s enforce comment his\n' $his >"$tap/his"
utf8guard load "$tap/his"
stays() { # NAME
	says "$1: it is in force" 1 "WARNING - .*his: name check: the path of 1 rule in force cannot be looked up" "$tap/his"
	is "$1: it does not wait" "$(numbers)" "rules=2 waiting=0 missing=0 other=0"
}
says "a directory of a user's" 0 "OK - .*" "$tap/his"
he mv $his $his.old
says "it is gone, and may come back" 0 "OK - .*" "$tap/his"
he touch $his
stays "a file of his"
he ln -sf / $his
stays "a link of his"
handle=$(utf8guard fs | sed -n "s,.* $his .* handle ,,p")
utf8guard fs set "$handle" audit
says "another mode" 2 "CRITICAL - .*: name check: 1 rule of the file not in force; name check: 1 rule in force that the file does not have there" "$tap/his"
utf8guard fs del "$handle"
says "it is not there at all" 2 "CRITICAL - .*: name check: 1 rule of the file not in force" "$tap/his"
utf8guard load "$tap/his" 2>/dev/null
says "it was loaded so" 0 "OK - .*" "$tap/his"
is "and waits" "$(numbers)" "rules=2 waiting=1 missing=0 other=0"

# A module that was told at boot to refuse nothing.
unload utf8guard_fs
load fs enforce=0
utf8guard load $policy
says "enforce=0" 2 "CRITICAL - $policy: name check: utf8guard_fs.enforce=0 on the kernel's command line, nothing is refused"
sed -i '/enforce/d' $policy
utf8guard load $policy
says "where the file refuses nothing, it does not matter" 0 "OK - .*"

# Locked rules are compared like others, though no load can change them.
utf8guard lock
says "locked" 0 "OK - $policy: in force"
echo "fs add fstype vfat off" >>$policy
says "locked, and the file is another" 2 "CRITICAL - $policy: name check: 1 rule of the file not in force"
run utf8guard diff $policy
is "diff: locked, too" "$status" 1
like "diff: shows what would come" "$out" '\+fs add fstype vfat off'
run utf8guard load $policy
is "load: does not" "$status" 3
like "load: says why" "$err" "the rules are locked until the next boot"
is "and the rules are there" "$(utf8guard fs | wc -l)" 1
done_testing
