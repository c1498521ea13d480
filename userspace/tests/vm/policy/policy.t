#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Policies of an administrator: save and load are each other's inverse, a load is all or nothing,
# on trial or locked; and what the tool says of policies, for people and for programs. Others
# change the rules meanwhile, or kill the tool.
#
# promise administrator by mistake: a file of rules takes effect as a whole or not at all, and
#   save is what load takes
# shown by: is the identity

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

helper policy.py
if ! volume /tmp/locked || ! mkdir /tmp/locked/up; then bail_out "no volume"; fi
# Nothing reads the log here, so its usual limit is set again.
echo 5 >/proc/sys/kernel/printk_ratelimit
fits() { # COMMAND WORD...: its -j is what the schema says
	utf8guard "${@:2}" >"$tap/json" 2>/dev/null
	ask schema "$1" "$tap/json"
	is "the schema: ${*:2}" "$answer" ok
}
file=$tap/policy.conf
refuses_name() { not_ok "$1" touch "$2"; }
lines() { printf '%s\n' "$@" >"$file"; }
# What is in force, and how often it was changed.
state() { utf8guard save; utf8guard show -j | grep -o '"generation":[0-9]*'; }
refuses() { # NAME STATUS REGEX COMMAND...
	local before
	before=$(state)
	run "${@:4}"
	like "$1" "$status $err" "^$2 utf8guard: $3"
	is "$1: nothing has changed" "$(state)" "$before"
}

# Exit status 4: a module that is needed is not there, and nothing is done by halves.
lines "fs flush" "net flush"
for command in save "load $file" "load -c $file" "load --loaded $file" confirm lock; do
	# shellcheck disable=SC2086 # words of a command
	run utf8guard $command
	like "$command: without the modules" "$status $err" "^4 utf8guard: utf8guard_fs is not loaded; load it with: modprobe utf8guard_fs"
done
if ! load service || ! load fs; then bail_out "the modules do not load"; fi
lines "fs set default enforce" "net flush"
run utf8guard load "$file"
like "one check is not there" "$status $err" "^4 utf8guard: utf8guard_nf is not loaded"
like "save warns of that" "$(utf8guard save 2>&1 >/dev/null)" "warning: utf8guard_nf is not loaded, so none of its rules are saved"
is "the other is as it was" "$(utf8guard save)" '# utf8guard.conf(5), as utf8guard save writes it; the last line is "# end"
fs flush
fs set default audit
# payload check: not loaded
# end'
# At boot, a module that is not there keeps no rules of the other one from being loaded.
left_out="utf8guard: utf8guard_nf is not loaded; load it with: modprobe utf8guard_nf
utf8guard: $file: the lines for the payload check are left out"
run utf8guard load --loaded -c "$file"
is "load --loaded -c: shows what would change" "$status $(grep -cE '^[-+] *fs set default (audit|enforce)' <<<"$out") $err" "4 2 $left_out"
run utf8guard load --loaded --confirm 600 "$file"
is "load --loaded: the rules of the other are loaded" "$status $out
$err" "4 the previous rules come back in 600 seconds, unless you run: utf8guard confirm fs
$left_out"
like "which is in force" "$(utf8guard save 2>/dev/null)" "fs set default enforce"
ok "and is taken back" utf8guard confirm --revert
lines "fs set default enforce" "fs set 4000000000 off" "net flush"
run utf8guard load --loaded "$file"
like "all of them, or none" "$status $err" "^3 $left_out
utf8guard: $file:2: .*4000000000"
like "none are" "$(utf8guard save 2>/dev/null)" "fs set default audit"
utf8guard save -j >"$tap/json"
is "in JSON" "$(cat "$tap/json")" '{"version":1,"fs":[{"scope":"default","mode":"audit"}],"net":null}'
# Nobody may be there to read a warning: a file with rules of the other is not replaced.
keeps() { # NAME CONTENT
	printf '%b' "$2" >/tmp/kept.conf
	run utf8guard save --file /tmp/kept.conf
	like "save --file: $1: is refused" "$status $out$err" "^4 utf8guard: /tmp/kept.conf: nothing is written, because its rules would be lost: utf8guard_nf is not loaded"
	is "... and the file is as it was" "$(ls /tmp/kept.*) $(cat /tmp/kept.conf)" "/tmp/kept.conf $(printf '%b' "$2")"
}
keeps "a rule of the other" 'fs flush\nnet flush\n \tnet add input tcp dport 1 drop'
keeps "one by a quoted word" "n'e't add input tcp dport 1 drop"
keeps "one with a mistake" "net add '"
# shellcheck disable=SC2016 # a definition of the policy
keeps "one by a definition" 'define rule = net add\n$rule input tcp dport 1 drop\n'
keeps "another file that may have some" 'include others'
keeps "JSON with a rule of the other" '{"version":1,"fs":[],"net":[{"hook":"input"}]}'
for content in '' 'fs add subtree / off\n# net add\nnet flush\n' '{"version":1,"fs":[],"net":null}' '{"net":[]}'; do
	printf '%b' "$content" >/tmp/kept.conf
	run utf8guard save --file /tmp/kept.conf
	is "save --file: nothing of the other is lost: $content" "$status $(tail -n 1 /tmp/kept.conf)" "0 # end"
done
rm /tmp/kept.conf

lines "fs set default off"
ok "a file that is not about it needs it not" utf8guard load "$file"
fits policy save -j
fits show -j
fits stats stats -j
fs_set() { utf8guard save | sed -n 's/fs set default //p'; }
is "and is in force" "$(fs_set)" off
load nf || bail_out "the payload check does not load"

# Into a file, at once or not at all.
mkdir /tmp/full && mount -t tmpfs -o size=16k tmpfs /tmp/full
run utf8guard save --file /tmp/full/policy
is "save: into a new file" "$status $out$err $(stat -c %a /tmp/full/policy)" "0  644"
ok "which is what it prints" cmp /tmp/full/policy <(utf8guard save)
chmod 600 /tmp/full/policy
ln -s policy /tmp/full/link
echo old >/tmp/full/policy
head -c 12k /dev/zero >/tmp/full/rest
run utf8guard save --file /tmp/full/link
like "save: to a full disk" "$status $out$err" "^2 utf8guard: /tmp/full/policy: No space left on device\$"
is "leaves the old file, and no other" "$(cat /tmp/full/policy) $(ls /tmp/full)" $'old link\npolicy\nrest'
rm /tmp/full/rest
run utf8guard save -j --file /tmp/full/link
is "with room, the old one is replaced" "$status $out$err $(stat -c %a /tmp/full/policy)" "0  600"
ok "where the link leads to" cmp /tmp/full/link <(utf8guard save -j)
for path in /tmp/full /tmp/full/none/x /dev/null; do
	run utf8guard save --file $path
	like "save: not into $path" "$status $err" "^2 utf8guard: $path"
done
is "nothing is left over" "$(ls /tmp/full)" $'link\npolicy'
umount /tmp/full

# The identity, for any rules.
mkdir -p /tmp/p/any /tmp/p/a /tmp/p/b "/tmp/p/a b"
# A policy names a file system by its mount point.
mount --bind /tmp/p/any /tmp/p/any
# Types of file systems and ports are random: a type may be unknown, and a rule never asked.
others() { grep -av -e 'warning: neither the kernel nor its modules know this type' -e 'warning: never asked' <<<"$err"; }
for seed in 1 2 3 4; do
	# Or the default of one policy would refuse the directories of the next.
	utf8guard fs flush
	ask make $seed /tmp/p/any "$tap/any.conf" "$tap/any.json"
	is "any policy" "$answer" ok
	run utf8guard load "$tap/any.conf"
	is "is loaded" "$status $out$(others)" "0 "
	utf8guard save >"$tap/first"
	utf8guard save -j >"$tap/first.json"
	ask same "$tap/any.json" "$tap/first.json"
	is "is in force as it was made" "$answer" ok
	run utf8guard load "$tap/first"
	is "load of what was saved" "$status $(others)" "0 "
	ok "is the identity" cmp "$tap/first" <(utf8guard save)
	utf8guard fs flush
	utf8guard net flush
	run utf8guard load -j "$tap/first.json"
	is "load -j of what save -j wrote" "$status $(others)" "0 "
	ok "is the identity, too" cmp "$tap/first" <(utf8guard save)
	utf8guard save | utf8guard load -
	ok "by a pipe" cmp "$tap/first" <(utf8guard save)
	head -n -2 "$tap/first" >"$tap/cut"
	refuses "cut off, without its last rule" 2 "-:[0-9]*: the file ends here, without the line \"# end\"" \
		sh -c "cat $tap/cut | utf8guard load -"
done
fits policy save -j
fits fs fs -j
fits net net -j
# A saved line is a line for bash, too.
utf8guard fs flush
utf8guard net flush
while IFS= read -r line; do
	[[ $line == \#* ]] || eval "utf8guard $line" || fail "bash: $line"
done <"$tap/first"
ok "pasted into a shell, line by line" cmp "$tap/first" <(utf8guard save)

# What a file includes and defines, and names that stand for numbers.
mkdir "$tap/parts"
# shellcheck disable=SC2016 # for the tool
printf '%s\n' '# lost' 'fs add $DIR uid root off comment kept' >"$tap/parts/more"
lines "fs flush" "net flush" "define DIR = subtree /tmp/p/a" "include parts/more" \
	'net add input udp dport domain drop'
run utf8guard load "$file"
is "include, define, a user and a service" "$status $err" "0 "
is "are expanded" "$(utf8guard save | grep add)" "fs add subtree /tmp/p/a uid 0 off comment kept
net add input udp dport 53 drop"
utf8guard save >"$tap/first"
ok "what they stood for is saved" utf8guard load "$tap/first"
ok "and is the same" cmp "$tap/first" <(utf8guard save)
lines "include parts/more"
echo "fs add subtree /tmp/p/a uid 0 audit" >"$tap/parts/more"
refuses "what the kernel refuses in an included file" 3 "$tap/parts/more:1: /tmp/p/a: refused by the kernel: a rule for the same" \
	utf8guard load "$file"
lines "fs flush" "net flush" "fs add subtree /tmp/p/a off"
ok "back to little" utf8guard load "$file"

# Each command by itself.
shown() { utf8guard "$1" | sed "s/ # handle.*//; s,^$1 ,,"; }
handle_of() { utf8guard "$1" | sed -n "s,.*$2.* # handle ,,p"; }
ok "add with a comment" utf8guard fs add subtree "/tmp/p/a b" audit comment "it's"
is "is shown so" "$(shown fs | tail -n 1)" "add subtree '/tmp/p/a b' audit comment \$'it\\'s'"
handle=$(handle_of fs "a b")
fits fs-change fs replace -j "$handle" subtree /tmp/p/b enforce comment new
is "replace keeps the handle" "$(utf8guard fs | tail -n 1)" \
	"fs add subtree /tmp/p/b enforce comment new # handle $handle"
ok "set keeps the comment" utf8guard fs set "$handle" off
is "and sets the mode" "$(shown fs | tail -n 1)" "add subtree /tmp/p/b off comment new"
ok "the default takes a comment" utf8guard fs replace default enforce comment -- -x
is "which is shown" "$(shown fs | head -n 1)" "replace default enforce comment -- -x"
refuses "replace by a directory that is taken" 3 "/tmp/p/a: refused by the kernel: a rule for the same location and the same callers exists already" \
	utf8guard fs replace "$handle" subtree /tmp/p/a off
refuses "replace of no rule" 3 "4711: refused by the kernel: no rule has this handle" \
	utf8guard fs replace 4711 subtree /tmp/p/a off
fits net-change net add -j input tcp dport 80 drop comment 'two words'
fits net-change net insert -j input tcp dport 81 count
handle=$(handle_of net "dport 80")
run utf8guard net insert "$handle" output ip udp any-port audit
is "insert before one" "$status $err" "0 "
ok "replace" utf8guard net replace "$handle" input tcp dport 82 drop comment other
is "the order" "$(shown net)" "add input tcp dport 81 count
add output ip udp any-port audit
add input tcp dport 82 drop comment other"
is "replace keeps the handle of a packet rule" "$(handle_of net "dport 82")" "$handle"
refuses "insert before no rule" 3 "4711: refused by the kernel: no rule has the handle to add before" \
	utf8guard net insert 4711 output tcp any-port drop

# Mistakes that only the kernel finds: the line and the word are told, and nothing is done.
lines "# first" "fs flush" "fs add subtree /tmp/p/a off" "" "fs add subtree /tmp/p/../p/a audit" "net flush" \
	"net add input ip6 tcp dport 1 saddr 10.0.0.1 drop" "fs set 4711 off" "net add input tcp dport 2 drop"
refuses "a file that the kernel refuses" 3 "$file:5: /tmp/p/../p/a: refused by the kernel: a rule for the same location and the same callers exists already \(File exists\)" \
	utf8guard load "$file"
is "every line of it is told" "$(cut -d: -f3,4 "$tap/err" | xargs)" \
	"5: /tmp/p/../p/a 7: 10.0.0.1 8: 4711"
refuses "load -c of the same" 3 "$file:5: /tmp/p/../p/a: refused" utf8guard load -c "$file"
lines "net flush" "fs flush" "fs set default maybe"
refuses "a file that the tool refuses" 2 "$file:3: maybe: unknown word; expected off, audit or enforce" utf8guard load "$file"
lines "fs flush" "net flush"
before=$(state)
run utf8guard load -c "$file"
like "load -c of a good file" "$status $out$err" "^0 --- name check, in force"
is "changes nothing" "$(state)" "$before"
: >"$tap/empty"
run utf8guard load "$tap/empty"
is "an empty file" "$status $out|$err" "0 unchanged|utf8guard: $tap/empty: warning: no line in there changes a rule"
is "changes nothing, either" "$(state)" "$before"
printf '{"net":[]}' >"$tap/json"
ok "JSON of one check" utf8guard load -j "$tap/json"
is "leaves the other alone" "$(utf8guard save | grep -c '^fs')" "$(grep -c '^fs' <<<"$before")"
is "and is all of that" "$(utf8guard net)" ""
nobody=(setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all "$UTF8GUARD")
chmod 755 "$tap"
for command in "load $file" save confirm lock; do
	# shellcheck disable=SC2086 # words of a command
	refuses "nobody: $command" 3 "(.*:[0-9]: )?refused by the kernel: Operation not permitted" "${nobody[@]}" $command
done

# What a file changes; what it does not stays.
lines "fs flush" "net flush" "fs set default off" "fs add subtree /tmp/p/a audit" "net add input tcp dport 443,80,81,8000-8080 drop" \
	"net add input udp dport 53 count"
utf8guard load "$file"
is "a set of ports" "$(shown net | head -n 1)" "add input tcp dport 80-81,443,8000-8080 drop"
utf8guard save >"$tap/first"
run utf8guard load "$tap/first"
is "load of what is in force" "$status $out$err" "0 unchanged"
run utf8guard load --confirm 600 "$tap/first"
is "on trial" "$status $out$err" "0 unchanged; nothing is waiting to be confirmed"
run utf8guard confirm
is "nothing is" "$status $out$err" "0 nothing is waiting to be confirmed: the rules in force stay"
run utf8guard diff "$tap/first"
is "diff of it" "$status $out$err" "0 "
run utf8guard load -c "$tap/first"
is "load -c of it" "$status $out$err" "0 unchanged"
# shellcheck disable=SC2016 # for the tool
lines 'define office = 198.51.100.0/25,198.51.100.128/25,10.1.0.0/16' 'define vpn = 10.0.0.0/8,192.0.2.7' \
	'net add input tcp dport 82 saddr $office,$vpn,203.0.113.0/24 daddr 10.0.0.1 drop' \
	'net add input tcp dport 82 daddr 2001:db8::/33,fd00::/8,2001:db8:8000::/33 drop' \
	'net ensure input ip6 tcp dport 82 daddr fd00::/8,2001:db8::/32 drop'
ok "sets of addresses, by their names" utf8guard load "$file"
is "networks that make up one are one" "$(shown net | grep addr)" "add input ip tcp dport 82 saddr 10.0.0.0/8,192.0.2.7,198.51.100.0/24,203.0.113.0/24 daddr 10.0.0.1 drop
add input ip6 tcp dport 82 daddr 2001:db8::/32,fd00::/8 drop"
fits net net -j
utf8guard save >"$tap/second"
utf8guard save -j >"$tap/second.json"
run utf8guard load "$tap/second"
is "load of what is in force" "$status $out$err" "0 unchanged"
run utf8guard load -j "$tap/second.json"
is "as JSON" "$status $out$err" "0 unchanged"
handle=$(handle_of net "saddr 10.0.0.0")
run utf8guard net add input tcp dport 82 saddr 10.9.0.0/16,198.51.100.7 daddr 10.0.0.1 count
like "a rule that a set leaves nothing" "$status $err" "^0 .*never asked: handle $handle before it"
run utf8guard net add input tcp dport 82 saddr 10.9.0.0/16,198.51.101.7 daddr 10.0.0.1 count
is "one that it leaves an address" "$status $err" "0 "
ok "del, in another order" utf8guard net del input tcp dport 82 saddr 203.0.113.0/24,192.0.2.7,10.0.0.0/8,198.51.100.0/24 daddr 10.0.0.1 drop
many=$(for i in {0..64}; do printf '10.0.%d.0/25,' "$i"; done)
refuses "65 networks" 2 "10.0.0.0/25,.*: more than 64 networks; write two rules" utf8guard net add input tcp dport 82 saddr "${many%,}" drop
many=${many%10.0.64*}
ok "64" utf8guard net add input tcp dport 82 saddr "${many%,}" drop
is "are shown" "$(shown net | tail -n 1)" "add input ip tcp dport 82 saddr ${many%,} drop"
utf8guard load "$tap/first"
before=$(utf8guard fs; utf8guard net)
lines "fs flush" "net flush" "fs set default off" "fs add subtree /tmp/p/b audit" "net add input udp dport 53 count" \
	"net add input tcp dport 80-81,443,8000-8080 drop" "net add input tcp dport 7 drop"
# Of two that have changed places, either might be the one that moved.
run utf8guard diff "$file"
is "diff" "$status $out$err" "1 --- name check, in force
+++ name check, $file
-fs add subtree /tmp/p/a audit
+fs add subtree /tmp/p/b audit
# name check: 1 added, 1 removed, 0 moved, 1 kept
--- payload check, in force
+++ payload check, $file
~net add input udp dport 53 count
+net add input tcp dport 7 drop
# payload check: 1 added, 0 removed, 1 moved, 1 kept"
is "changes nothing" "$(utf8guard fs; utf8guard net)" "$before"
same=$out
run utf8guard load -c "$file"
is "load -c says the same" "$status $out$err" "0 $same"
run utf8guard diff "$tap/nonesuch"
is "diff of no file" "$status" 2
handle=$(handle_of net "udp dport 53")
utf8guard load "$file"
is "what stays has its handle" "$(handle_of net "udp dport 53")" "$handle"
# shellcheck disable=SC2016 # for the tool
lines "net flush" 'define WEB = 80,443' 'net add input tcp dport $WEB drop' 'net del input tcp dport 443,80 drop' \
	'net add output tcp dport $WEB drop' 'net ensure output tcp dport 443,80 drop'
ok "a name for a set, del and ensure in a file" utf8guard load "$file"
is "are carried out" "$(utf8guard net show | sed 's/ #.*//')" "net add output tcp dport 80,443 drop"

# A rule that is found by what it says, without its handle.
handle=$(handle_of net "dport 80.443")
run utf8guard net ensure output tcp dport 80,443 drop comment other
is "ensure what is there" "$status $out$err" "0 handle $handle exists"
fits net-change net ensure -j output tcp dport 80,443 drop
run utf8guard net ensure input udp dport 9 count
is "and what is not" "$status $out$err" "0 handle $((handle + 1)) added"
refuses "ensure of one that does something else" 3 "refused by the kernel: a rule for the same packets exists already" \
	utf8guard net ensure output tcp dport 80,443 audit
refuses "del of none" 3 "refused by the kernel: no rule says this" utf8guard net del output tcp dport 80 drop
is "and the nearest is told" "$(tail -n 2 "$tap/err")" "utf8guard: the nearest is handle $handle: net add output tcp dport 80,443 drop
utf8guard: \"net show\" lists the rules"
refuses "del of one that does something else" 3 "refused by the kernel: the rule for these packets says something else" \
	utf8guard net del output tcp dport 80,443 audit
ok "del" utf8guard net del output tcp dport 80,443 drop
is "deletes it" "$(shown net)" "add input udp dport 9 count"
run utf8guard fs ensure subtree /tmp/p/b audit
like "fs ensure" "$status $out" "^0 handle [0-9]+ exists$"
mkdir /tmp/p/soon
utf8guard fs add subtree /tmp/p/soon enforce comment c
rmdir /tmp/p/soon
refuses "fs del of one that does something else" 3 "/tmp/p/soon: refused by the kernel: the rule for this location and these callers says something else" \
	utf8guard fs del subtree /tmp/p/soon audit
like "and which one is" "$(cat "$tap/err")" "the nearest is handle [0-9]+: fs add subtree /tmp/p/soon enforce comment c"
run utf8guard fs del subtree /tmp/p/soon enforce
is "fs del, though the directory is not there" "$status $out$err" "0 "
is "deletes it" "$(utf8guard fs | grep -c soon)" 0
utf8guard net flush

# Several paths in one rule.
mkdir -p /tmp/p/one /tmp/p/two "/tmp/p/a b" /tmp/p/mounted
mount -t tmpfs tmpfs /tmp/p/mounted
# shellcheck disable=SC2016 # for the tool
lines 'define trees = /tmp/p/one "/tmp/p/a b"' 'fs flush' 'fs add subtree $trees /tmp/p/mounted enforce refuse bidi' \
	'fs ensure subtree /tmp/p/mounted $trees enforce refuse bidi' 'fs add subtree /tmp/p/two $trees uid 4711 audit' \
	'fs del subtree $trees /tmp/p/two uid 4711 audit'
ok "several paths, by a name, ensure and del" utf8guard load "$file"
is "are one rule" "$(shown fs | tail -n +2)" "add subtree /tmp/p/one '/tmp/p/a b' /tmp/p/mounted enforce refuse bidi"
fits fs fs -j
handle=$(handle_of fs /tmp/p/one)
for place in one "a b" mounted; do
	refuses_name "$place is refused" "/tmp/p/$place/"$'\xff'
done
ok "what is beside is not" touch $'/tmp/p/two/\xff'
like "one counter" "$(utf8guard fs -s)" "handle $handle
    # header-bits: refused 3, audited 0"
utf8guard save >"$tap/second"
utf8guard save -j >"$tap/second.json"
run utf8guard load "$tap/second"
is "load of several paths in force" "$status $out$err" "0 unchanged"
run utf8guard load -j "$tap/second.json"
is "as JSON" "$status $out$err" "0 unchanged"
utf8guard fs flush
ok "save | load" utf8guard load "$tap/second"
is "is the same" "$(utf8guard save)" "$(cat "$tap/second")"
refuses "a path that another rule has" 3 "refused by the kernel: one of the locations has a rule for the same callers already" \
	utf8guard fs add subtree "/tmp/p/a b" audit
refuses "a path twice" 3 "/tmp/p/./two: refused by the kernel: two paths of the rule lead to the same location" \
	utf8guard fs add subtree /tmp/p/two /tmp/p/./two audit
like "explain, by the second" "$(utf8guard fs show --explain "/tmp/p/a b")" "add subtree /tmp/p/one .*decides"
umount /tmp/p/mounted
mount -t tmpfs tmpfs /tmp/p/mounted
run utf8guard follow --once
like "the third follows" "$status $out" "^0 fs add subtree /tmp/p/one '/tmp/p/a b' /tmp/p/mounted enforce refuse bidi # handle [0-9]+, found again"
refuses_name "and refuses" $'/tmp/p/mounted/\xff'
refuses_name "the second one, too" $'/tmp/p/a b/\xff'
umount /tmp/p/mounted
utf8guard fs flush
utf8guard reset

# Rules that are never asked.
utf8guard net add input tcp dport 80,443,8000-8080 saddr 10.0.0.0/8 iif 'eth*' drop
handle=$(handle_of net "dport 80")
run utf8guard net add input ip tcp dport 443,8001 saddr 10.1.0.0/16 iif eth0 count
is "it is told" "$status $err" "0 utf8guard: warning: never asked: handle $handle before it is for all its packets"
like "and shown" "$(utf8guard net | tail -n 1)" "# handle [0-9]+, never asked: handle $handle is before it$"
fits net net -j
is "in JSON" "$(utf8guard net -j | grep -o '"shadowed-by":[0-9]*')" "\"shadowed-by\":$handle"
for rule in "input ip tcp dport 443,8001 saddr 11.0.0.0/8 iif eth0 count" \
	"input ip tcp dport 442-443 saddr 10.0.0.0/8 iif eth0 count" "input ip tcp dport 443 saddr 10.0.0.0/7 iif eth0 count" \
	"input ip tcp dport 443 saddr 10.0.0.0/8 iif en0 count" "forward ip tcp dport 443 saddr 10.0.0.0/8 iif eth0 count" \
	"input ip udp dport 443 saddr 10.0.0.0/8 iif eth0 count" "input tcp dport 443,8001 iif eth0 count"; do
	# shellcheck disable=SC2086 # words of a rule
	run utf8guard net add $rule
	is "not so: $rule" "$status $err" "0 "
done
utf8guard save >"$tap/first"
run utf8guard load "$tap/first"
like "load tells it as well" "$status $err" "^0 utf8guard: warning: never asked: handle $handle .*dport 443,8001"
run utf8guard load --strict "$tap/first"
is "which is no reason to refuse it" "$status" 0
utf8guard net flush

# What the kernel answers to sixteen rules with such paths is more than a socket holds: of ext4, it says
# each path here, and the path in the file system.
long=$(printf '/%0255d' {1..15})$(printf '/%0200d' 1)
lines "fs flush"
for n in {1..20}; do
	mkdir -p "/tmp/locked/$n$long"
	echo "fs add subtree /tmp/locked/$n$long audit" >>"$file"
done
run utf8guard load "$file"
is "rules with long paths" "$status $err $(utf8guard fs | grep -c "$long")" "0  20"
utf8guard save >"$tap/long"
run utf8guard load "$tap/long"
is "load of what was saved of them" "$status $out" "0 unchanged"
utf8guard fs flush
rm -r /tmp/locked/[0-9]*

# On trial.
lines "fs flush" "net flush" "fs set default off" "net add input tcp dport 7 drop"
utf8guard load "$file"
old=$(utf8guard save)
lines "fs flush" "net flush" "fs set default enforce" "net add input tcp dport 8 drop"
new=$'fs set default enforce\nnet flush\nnet add input tcp dport 8 drop'
run utf8guard load --confirm 600 "$file"
is "load --confirm" "$status $out$err" "0 the previous rules come back in 600 seconds, unless you run: utf8guard confirm"
like "is in force" "$(utf8guard save)" "$new"
like "save warns" "$(utf8guard save 2>&1 >/dev/null)" "warning: name check: these rules are on trial.*warning: payload check: these rules are on trial"
echo kept >"$tap/kept"
run utf8guard save --file "$tap/kept"
is "save --file does not keep them" "$status $(cat "$tap/kept")" "2 kept"
like "show says that it is on trial" "$(utf8guard)" "name check.*on trial: the previous rules are back in [0-9]+ seconds, unless you run: utf8guard confirm fs.*payload check.*on trial: the previous rules are back"
fits show show -j
fits stats stats -j
refuses "no change meanwhile" 3 "refused by the kernel: .*" utf8guard fs set default off
refuses "nor a load" 3 "refused by the kernel: .*" utf8guard load "$file"
run utf8guard confirm --revert
is "confirm --revert" "$status $out$err" "0 the previous rules are back: name check, payload check"
is "brings back what was" "$(utf8guard save)" "$old"
run utf8guard confirm
is "then it is too late" "$status $err" "1 utf8guard: too late: the previous rules are back: name check, payload check"
lines "net flush" "net add input tcp dport 8 drop"
utf8guard load --confirm 600 "$file" >/dev/null
run utf8guard confirm
is "one is confirmed, of two that were on trial before" "$status $err" "0 utf8guard: warning: only the payload check:\
 the name check has its previous rules, because its last trial was not confirmed"
# Of a trial that is over, nobody is told once the rules were changed by hand.
run utf8guard confirm
is "the other one is too late" "$status $out$err" "1 nothing is waiting to be confirmed, and the rules in force stay: payload check\
utf8guard: too late: the previous rules are back: name check"
utf8guard fs ensure default uid 7 off >/dev/null
run utf8guard confirm
is "a change: it is not any more" "$status $out$err" "0 nothing is waiting to be confirmed: the rules in force stay"
lines "fs flush" "net flush" "fs set default enforce" "net add input tcp dport 9 drop"
utf8guard load --confirm 600 "$file" >/dev/null
run utf8guard confirm net
is "confirm of one check alone" "$status $out$err" "0 kept: payload check"
like "the other one is on trial" "$(utf8guard show -j | grep -o '"confirm":[0-9]*' | wc -l)" 1
run utf8guard confirm --revert fs
is "and is taken back" "$status $out$err $(fs_set)" "0 the previous rules are back: name check off"
echo "$old" >"$tap/old"
utf8guard load "$tap/old"
lines "fs flush" "net flush" "fs set default enforce" "net add input tcp dport 8 drop"
utf8guard load --confirm 600 "$file" >/dev/null
utf8guard confirm --revert
run utf8guard load --confirm 600 "$tap/old"
is "load --confirm of what is back" "$status $out$err" "0 unchanged; nothing is waiting to be confirmed"
run utf8guard confirm
is "leaves nothing to be too late for" "$status $out$err" "0 nothing is waiting to be confirmed: the rules in force stay"
run utf8guard confirm --revert
is "to be reverted, either" "$status $err" "1 utf8guard: no rules are waiting to be confirmed"
utf8guard load --confirm 600 "$file" >/dev/null
ok "confirm" utf8guard confirm
like "keeps it" "$(utf8guard save)" "$new"
unlike "it is on trial no more" "$(utf8guard)" "on trial"
new=$(utf8guard save)
printf '%s\n' "$old" >"$tap/old"
run utf8guard load --confirm 2 "$tap/old"
is "load --confirm for a short time" "$status" 0
back() { [ "$(utf8guard save)" = "$new" ]; }
ok "the rules come back by themselves" until_true 60 back
# In another network namespace, whoever is told to confirm is told where.
namespace web "a b'c"
lines "net flush" "net add input tcp dport 9 drop"
for ns in web "a b'c"; do
	[ "$ns" = web ] && word=web || word=\$\'a\ b\\\'c\'
	run utf8guard load --confirm 600 -N "$ns" "$file"
	is "$ns: load --confirm" "$status $out$err" \
		"0 the previous rules come back in 600 seconds, unless you run: utf8guard confirm -N $word net"
	told=${out##*unless you run: }
	run utf8guard show -N "$ns"
	is "$ns: show" "${out##*unless you run: }" "utf8guard confirm -N $word net"
	run utf8guard check -N "$ns" "$file"
	is "$ns: check" "$status ${out##*unless: }" "1 utf8guard confirm -N $word net"
	run utf8guard lock -N "$ns"
	is "$ns: lock" "$status ${err##*: }" \
		"3 keep them with utf8guard confirm -N $word net, or take them back with utf8guard confirm -N $word --revert net"
	run bash -c "$told"
	is "$ns: as it was told" "$status $(utf8guard net -N "$ns" | wc -l)" "0 1"
done
for ns in web "a b'c"; do ip netns del "$ns"; done

lines "fs set default audit"
utf8guard load --confirm 600 "$file" >/dev/null
ok "one check alone, on trial" utf8guard confirm
is "is confirmed" "$(fs_set)" audit

# Another changes the rules while a file is loaded, between begin and commit:
# neither check is changed, the first is taken back.
long() { # COUNT: a file that takes its time
	lines "fs set default enforce" "net flush"
	seq -f "net add output tcp dport %.0f drop" "$1" >>"$file"
}
before=$(utf8guard save)
long 1000
# It sends some 65 messages each of five times, and waits before the 30th and each 40th after that, until
# another had the time to.
strace -qq -o "$tap/trace" -e trace=sendto -e inject=sendto:delay_enter=5000000:when=30+40 \
	utf8guard load "$file" 2>"$tap/err" &
while kill -0 $! 2>/dev/null; do
	handle=$(utf8guard net add -j input udp dport 9 count 2>/dev/null | sed 's/.*"handle":\([0-9]*\).*/\1/')
	utf8guard net del "$handle" 2>/dev/null
done
wait $!
status=$? err=$(cat "$tap/err")
like "two writers: one is told" "$status $err" "^3 utf8guard: payload check: somebody else has changed the rules meanwhile; nothing was done, try again"
like "and that the other check is as before" "$err" "name check: the previous rules are back"
ok "which is true" [ "$(utf8guard save)" = "$before" ]
run utf8guard confirm
is "nothing is left on trial" "$status" 1

# Killed half-way: it sends some 130 messages, with sixteen lines each.
killed() { # N: before the Nth of its messages
	strace -qq -o "$tap/trace" -e trace=sendto -e "inject=sendto:signal=KILL:when=$1" \
		utf8guard load "$file" 2>/dev/null
	[ $? = 137 ]
} 2>/dev/null
long 2000
ok "a writer is killed half-way" killed 60
ok "and has changed nothing" [ "$(utf8guard save)" = "$before" ]

# Killed before each of its messages in turn. Before the first is confirmed, nothing has changed,
# or what has changed is on trial and can be reverted. Only before the one that confirms the
# second check is half of it left. After that one all has changed: what is sent then is for the
# audit log.
lines "fs set default enforce" "net flush" "net add output tcp dport 7 drop"
utf8guard load "$file"
after=$(utf8guard save)
printf '%s\n' "$before" | utf8guard load -
left=() n=0
while killed $((n += 1)); do
	utf8guard confirm --revert 2>/dev/null
	case $(utf8guard save) in
	"$before") left+=(nothing) ;;
	"$after") left+=(all) ;;
	*) left+=(half) ;;
	esac
	printf '%s\n' "$before" | utf8guard load -
done
ok "there are messages" [ "$n" -gt 8 ]
like "killed before one of them, and none else, it leaves half" "${left[*]}" "^(nothing )+half( all)*$"

# Ten thousand lines.
mkdir /tmp/p/many
ask many 10000 /tmp/p/many "$tap/many.conf"
is "ten thousand rules" "$answer" ok
start=$EPOCHREALTIME
run utf8guard load "$tap/many.conf"
note "loaded in $(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }') seconds, emulated"
is "are loaded" "$status $err" "0 "
start=$EPOCHREALTIME
utf8guard save >"$tap/saved"
note "saved in $(awk -v a="$start" -v b="$EPOCHREALTIME" 'BEGIN { printf "%.2f", b - a }') seconds, emulated"
is "are all there" "$(grep -c 'add' "$tap/saved")" 10000
for check in fs net; do
	ok "$check: in order" cmp <(grep "^$check add" "$tap/saved") <(grep "^$check add" "$tap/many.conf")
done
run utf8guard show
ok "show is still one screen" awk 'length > 80 || NR > 24 { exit 1 }' "$tap/out"
lines "fs flush" "net flush"
ok "and gone" utf8guard load "$file"

# For programs: metrics, with rules of any name.
mkdir -p $'/tmp/p/quote"back\\slash\nline'
utf8guard fs add subtree $'/tmp/p/quote"back\\slash\nline' enforce comment '"x\y"'
utf8guard net add input udp dport 5555 count
touch $'/tmp/p/quote"back\\slash\nline/\xff' 2>/dev/null
printf '\xc0\xae' >/dev/udp/127.0.0.1/5555
utf8guard stats --prometheus --rules >"$tap/metrics"
ask prometheus "$tap/metrics"
is "stats --prometheus: the format" "$answer" ok
if /usr/bin/python3 -c 'import prometheus_client' 2>/dev/null; then
	ok "Prometheus's own parser agrees" /usr/bin/python3 -c '
import sys
from prometheus_client.parser import text_string_to_metric_families
names = {m.name for m in text_string_to_metric_families(open(sys.argv[1], encoding="utf-8").read())}
assert {"utf8guard_info", "utf8guard_fs_checked", "utf8guard_net_rule_packets"} <= names, names' "$tap/metrics"
else
	skip 1 "no python3-prometheus-client"
fi
ask sample "$tap/metrics" utf8guard_fs_rule_refused_total
like "what a rule refused" "$answer" '\{rule="fs add subtree .*quote\\"back.*",class="header-bits"\} 1'
ask sample "$tap/metrics" utf8guard_net_rule_packets_total
like "what a rule looked at" "$answer" '\{rule="net add input udp dport 5555 count"\} 1'
ask sample "$tap/metrics" utf8guard_loaded
is "what is loaded" "$answer" '{module="utf8guard"} 1 {module="utf8guard_fs"} 1 {module="utf8guard_nf"} 1'
like "show: what was refused" "$(utf8guard)" "name check.*rules that off 0, audit 1, enforce 1.*refused 1, audited [0-9]+.*payload check.*rules that count 1, audit 0, drop 0"
for command in fs net stats; do fits $command $command -j; done

# The monitor, through a reload, and when it cannot keep up.
monitor "$tap/events" -j
utf8guard fs set default audit
touch $'/tmp/p/quote"back\\slash\nline/\xff' 2>/dev/null
printf '\xc0\xae' >/dev/udp/127.0.0.1/5555
utf8guard net flush
utf8guard net add input udp dport 5555 audit
printf '\xc0\xae' >/dev/udp/127.0.0.1/5555
saw() { [ "$(grep -cE "$1" "$tap/events")" -ge "$2" ]; }
ok "it saw a name" until_true 60 saw '"event":"name"' 1
ok "and a packet" until_true 60 saw '"event":"packet"' 1
unload utf8guard_nf utf8guard_fs utf8guard
ok "it sees them go" until_true 60 saw '"event":"module".*"loaded":false' 3
load_all
ok "and come back" until_true 60 saw '"event":"module".*"loaded":true' 3
: >"$tap/events"
utf8guard fs set default enforce
touch $'/tmp/p/\xff' 2>/dev/null
ok "what they say then is seen: a change" until_true 60 saw '"event":"config"' 1
ok "and a name" until_true 60 saw '"event":"name"' 1
# On a busy machine, 200 names take seconds.
source_limits 3
for i in {1..200}; do : >$'/tmp/p/\xff'"$i"; done 2>/dev/null
# The first report of a later second says how many there were.
told() {
	touch $'/tmp/p/\xff' 2>/dev/null
	saw '"event":"lost".*"count":[0-9]+,"reason":"more than the kernel reports' 1
}
ok "how many were too many for the kernel" until_true 60 told
source_limits 30
kill "${monitors[0]}"
wait "${monitors[0]}" 2>/dev/null
ask schema monitor "$tap/events"
is "the schema: monitor -j" "$answer" ok
# In a user namespace the monitor may not make its buffer larger; it is stopped while that fills.
default=$(cat /proc/sys/net/core/rmem_default)
echo 2304 >/proc/sys/net/core/rmem_default
: >"$tap/events.err" # what the monitor before said is not this one's word
unshare -Urn "$UTF8GUARD" monitor -j net >"$tap/events" 2>"$tap/events.err" &
monitor=$!
ok "a monitor with a small buffer" until_true 60 grep -q listening "$tap/events.err"
kill -STOP $monitor
# shellcheck disable=SC2016 # for the inner shell
nsenter -t $monitor -U -n --preserve-credentials bash -c \
	'for i in {1..30}; do "$UTF8GUARD" net add output udp dport "$i" count; done'
kill -CONT $monitor
ok "says how many it lost" until_true 60 saw '"event":"lost".*faster than they were read' 1
lost() { sed -n 's/.*"lost".*"count":\([0-9]*\).*faster.*/\1/p' "$tap/events" | paste -sd+; }
counted() { [ $(($(grep -c '"event":"config"' "$tap/events") + $(lost) + 0)) = 30 ]; }
ok "and none is missing in the sum" until_true 60 counted ||
	{ diag "the monitor:"; ps -o pid,stat,wchan:32,args $monitor; wc "$tap/events"; tail -n 5 "$tap/events" "$tap/events.err"; } >&2
kill $monitor
wait $monitor 2>/dev/null
echo "$default" >/proc/sys/net/core/rmem_default
ask schema monitor "$tap/events"
is "the schema: events that were lost" "$answer" ok

# The examples of the manual pages.
example() { "$here/../../example.sh" "$here/../../../man/$1" "$2"; }
utf8guard fs flush
mkdir -p "/srv/share/$(printf 'caf\xe9')" /tmp/p/texts
printf 'good\n' >/tmp/p/texts/a.txt
example utf8guard.conf.5 policy >"$file"
isnt "utf8guard.conf(5) has examples" "$(cat "$file")" ""
run utf8guard load "$file"
is "which load" "$status $err" "0 "
ok "the example that is installed loads" utf8guard load "$here/../../../units/utf8guard.conf"
cd /tmp/p/texts || exit
modprobe() { :; }
while IFS= read -r line; do
	[ -n "$line" ] || continue
	[ "$line" != "utf8guard monitor fs" ] || line+=" --timeout 1"
	# Rules that are in force already are not put on trial, so a load must change something.
	[[ $line != *--confirm* ]] || utf8guard fs add subtree /tmp/p off
	run eval "$line"
	# A scan may find bad names, and the rules above may refuse what its undo does.
	[[ $line != *" scan "* || $status != 1 ]] || status=0
	is "utf8guard(8): $line" "$status $err" "0 ${err%%utf8guard: [^l]*}"
done < <(example utf8guard.8 commands)

log_mark
ok "utf8guard(9): the module" insmod "$UTF8GUARD_MODULES/test/utf8guard_example.ko"
like "says what it should" "$(log_since 'utf8guard_example: ')" 'utf8guard_example: valid'
rmmod utf8guard_example
log_mark
insmod "$UTF8GUARD_MODULES/test/utf8guard_example.ko" text=$'a\xc0\xae'
like "of bad text, too" "$(log_since 'utf8guard_example: ')" 'utf8guard_example: overlong at 1'
rmmod utf8guard_example

# What is locked at the end of this test, until this kernel ends.
lines "fs flush" "net flush" "fs set default audit" "fs add subtree /tmp/locked/up enforce"
utf8guard load "$file"

# Rules of one check are on trial: the kernel does not lock these, so the others are not locked.
lines "net flush" "net add input udp dport 9 count"
utf8guard load --confirm 600 "$file" >"$tap/said"
before=$(state)
run utf8guard lock
like "lock: rules of one check are on trial" "$status $out|$err" "^3 \|utf8guard: payload check: the rules are on trial; before that ends, nothing is locked"
is "lock: the other is not locked then" "$(number fs locked) $(number net locked)" "0 0"
is "lock: nothing has changed" "$(state)" "$before"
utf8guard confirm

# Somebody puts rules on trial just before lock comes to them.
strace -qq -o "$tap/trace" -e trace=sendto -e inject=sendto:delay_enter=5000000 \
	utf8guard lock >"$tap/answer" 2>"$tap/refusal" &
locker=$!
fs_locked() { [ "$(number fs locked)" = 1 ]; }
ok "lock: it has locked one check" until_true 60 fs_locked
lines "net flush" "net add input udp dport 10 count"
ok "lock: the other has rules on trial meanwhile" utf8guard load --confirm 600 "$file"
wait $locker
is "lock: it says which is locked, and which is not" "$? $(cat "$tap/answer")|$(tail -n 1 "$tap/refusal")" \
	"3 locked until the next boot: name check|utf8guard: payload check: nothing was done"
is "lock: which is so" "$(number fs locked) $(number net locked)" "1 0"
utf8guard confirm
utf8guard net flush

# Of the helper for nft, audit can be changed before, and the audit log has it.
must load helper
log_mark
for value in 1 1 0; do must sh -c "echo $value >/sys/module/nf_conntrack_utf8/parameters/audit"; done
is "helper: audit: each change is in the log" \
	"$(log_since op=utf8guard-config 2 | grep -o 'act=[^ ]*' | paste -sd ' ')" "act=helper-audit act=helper-drop"

# Locked, until this kernel ends.
lines "fs flush" "net flush" "fs set default audit" "fs add subtree /tmp/locked/up enforce"
run utf8guard lock
is "lock says what it did" "$status $out$err" "0 locked until the next boot: name check, payload check"
echo "net add input tcp dport 1 drop" | cat "$file" - >"$tap/other"
for command in "fs flush" "fs set default off" "net add input tcp dport 1 drop" "load $tap/other"; do
	# shellcheck disable=SC2086 # words of a command
	refuses "locked: $command" 3 "refused by the kernel: the rules are locked" utf8guard $command
done
before=$(state)
run utf8guard load -c "$file"
is "locked: a file can be checked" "$status $err" "0 "
run utf8guard load "$file"
is "locked: to load what is in force is no mistake" "$status $out$err" "0 unchanged"
is "which changes nothing" "$(state)" "$before"
not_ok "no module can be unloaded" rmmod utf8guard_nf
not_ok "nor the other" rmmod utf8guard_fs
audit=/sys/module/nf_conntrack_utf8/parameters/audit
not_ok "the helper for nft cannot be told to let everything through" sh -c "echo 1 >$audit"
is "locked: it has not changed" "$(cat $audit)" N
ok "locked: the helper can be unloaded, as its manual page says" rmmod nf_conntrack_utf8
like "show says so" "$(utf8guard)" "name check.*locked: no change before the next boot.*payload check.*locked: no change"
ok "to lock again is no mistake" utf8guard lock

# The directory of a locked rule, or its file system, may go and come back.
bad=/tmp/locked/up/$'\xff'
not_ok "locked: it acts" mkdir "$bad"
rmdir /tmp/locked/up && mkdir /tmp/locked/up
not_ok "locked: on a directory that is made anew" mkdir "$bad"
device=$(awk '$2 == "/tmp/locked" { print $1 }' /proc/mounts)
echo 0 >/proc/sys/kernel/printk_ratelimit # none of the two may be missing
log_mark
umount /tmp/locked
waits() { utf8guard fs | grep -q 'waiting for its file system'; }
ok "locked: it waits for its file system" until_true 300 waits
mount "$device" /tmp/locked
not_ok "locked: and acts at once" mkdir "$bad"
acts() { ! waits; }
ok "locked: and is shown so" until_true 300 acts
like "locked: the log tells both" "$(log_since op=utf8guard-config 2)" 'rule-waits.*rule-acts'

# "lock modules" wants an answer from somebody at a terminal.
terminal() { # ANSWER: once the question is there
	{ until_true 60 grep -q 'Type "yes"' "$tap/out"; echo "$1"; } | script -qec "utf8guard lock modules" /dev/null
}
refuses "lock modules: not without a terminal" 2 ".*is not a terminal" utf8guard lock modules
run terminal no
is "lock modules: no" "$status" 1
is "lock modules: then it does nothing" "$(cat /proc/sys/kernel/modules_disabled)" 0
run terminal yes
is "lock modules: yes" "$status" 0
is "lock modules: it is set" "$(cat /proc/sys/kernel/modules_disabled)" 1
not_ok "lock modules: no unloading by force" rmmod -f utf8guard_fs
ok "lock modules: it is there" [ -d /sys/module/utf8guard_fs ]
fits show show -j
done_testing
