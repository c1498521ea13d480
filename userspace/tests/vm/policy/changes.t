#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What monitor says when an administrator changes the rules.
#
# promise operator: monitor tells each rule that is changed, and how; of very many at once the
#   first sixteen at most, and how many more there are
# shown by: a load
# shown by: 65,535 rules at once, lines
# shown by: long rules: fewer of them
# shown by: nothing was lost

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

load_all
mkdir -p /tmp/d "/tmp/a b"
monitor "$tap/text"
monitor "$tap/json" -j

seen=0
# said prints the lines since the last call, without their times, and waits for N of them.
lines() { [ "$(wc -l <"$tap/text")" -ge "$1" ]; }
said() { # N
	until_true 60 lines $((seen + $1))
	tail -n "+$((seen + 1))" "$tap/text" | sed 's/^[^ ]* [^ ]* //'
}
tells() { # NAME WANTED COMMAND...: it tells these lines, and no other
	"${@:3}" >"$tap/command" 2>&1
	is "$1" "$(said "$(grep -c . <<<"$2")")" "$2"
	seen=$(wc -l <"$tap/text")
}
generation() { utf8guard show -j | sed -n "s/.*\"$1\":{[^}]*\"generation\":\([0-9]*\).*/\1/p"; }

tells "a rule" "config fs rule 2 added: fs add subtree /tmp/d enforce" \
	utf8guard fs add subtree /tmp/d enforce
tells "its mode" "config fs rule 2 set: fs add subtree /tmp/d audit" utf8guard fs set 2 audit
tells "another in its place" "config fs rule 2 replaced: fs add subtree '/tmp/a b' off" \
	utf8guard fs replace 2 subtree "/tmp/a b" off
tells "the default" "config fs rule 1 set: fs set default off" utf8guard fs set default off
tells "none any more" "config fs rule 2 deleted: fs add subtree '/tmp/a b' off" utf8guard fs del 2
tells "a rule for packets" \
	"config net rule 1 added: net add input tcp dport 80 drop fail closed stream strict comment 'two words'" \
	utf8guard net add input tcp dport 80 drop stream comment "two words"
tells "one before it" "config net rule 2 added: net add output udp dport 53 count" \
	utf8guard net insert output udp dport 53 count
tells "what is refused changes nothing" "" utf8guard net add input tcp dport 80 count
tells "flush" "config net flushed, rules 0: added 0, replaced 0, deleted 2, generation 3
config net rule 2 deleted: net add output udp dport 53 count
config net rule 1 deleted: net add input tcp dport 80 drop fail closed stream strict comment 'two words'" \
	utf8guard net flush

# A load is one change.
utf8guard net add input tcp dport 1 count
utf8guard net add input tcp dport 2 count
until_true 60 lines $((seen + 2))
seen=$((seen + 2))
printf '%s\n' "net del 3" "net replace 4 input tcp dport 2 drop" "net add input tcp dport 3 count" \
	"net add input tcp dport 4 count" >"$tap/policy"
tells "a load" "config net loaded, rules 3: added 2, replaced 1, deleted 1, generation 6
config net rule 3 deleted: net add input tcp dport 1 count
config net rule 4 replaced: net add input tcp dport 2 drop
config net rule 5 added: net add input tcp dport 3 count
config net rule 6 added: net add input tcp dport 4 count" utf8guard load "$tap/policy"
printf '%s\n' "net add input udp dport 5 count" "net add input udp dport 6 count" >"$tap/policy"
tells "on trial" "config net loaded, rules 5: added 2, replaced 0, deleted 0, on trial for 300 seconds, generation 7
config net rule 7 added: net add input udp dport 5 count
config net rule 8 added: net add input udp dport 6 count" utf8guard load --confirm 300 "$tap/policy"
tells "confirmed" "config net confirmed, rules 5 stay, generation 7" utf8guard confirm
utf8guard load --confirm 300 - <<<"net flush"
until_true 60 lines $((seen + 6))
seen=$((seen + 6))
tells "reverted" "config net reverted, rules 5 as before, generation 9" utf8guard confirm --revert
# What a transaction adds and takes away again was never there.
printf '%s\n' "net flush" "net flush" >"$tap/policy"
tells "all of them" "config net loaded, rules 0: added 0, replaced 0, deleted 5, generation 10
$(for n in "4: tcp 2 drop" "5: tcp 3 count" "6: tcp 4 count" "7: udp 5 count" "8: udp 6 count"; do
	read -r handle protocol port action <<<"$n"
	echo "config net rule ${handle%:} deleted: net add input $protocol dport $port $action"
done)" utf8guard load "$tap/policy"
tells "a load that changes nothing" "" utf8guard load "$tap/policy"

# As many rules as there may be: no more lines than of seventeen.
busybox seq 65535 | sed 's/.*/net add output udp dport & count/' >"$tap/policy"
utf8guard load "$tap/policy"
until_true 120 lines $((seen + 18))
is "65,535 rules at once, lines" "$(($(wc -l <"$tap/text") - seen))" 18
like "how many" "$(tail -n +$((seen + 1)) "$tap/text")" \
	'config net loaded, rules 65535: added 65535, replaced 0, deleted 0, generation 11
.* config net rule [0-9]+ added: net add output udp dport 1 count
.*and 65519 rules more, which are not told one by one$'
seen=$(wc -l <"$tap/text")
utf8guard net flush
until_true 120 lines $((seen + 18))
like "and away again" "$(tail -n +$((seen + 1)) "$tap/text")" \
	'config net flushed, rules 0: added 0, replaced 0, deleted 65535, generation 12
.*and 65519 rules more, which are not told one by one$'
seen=$(wc -l <"$tap/text")

# If rules are so long that they do not fit into one message, fewer of them are described.
long=$(printf 'x%.0s' {1..200})
path=/tmp
for _ in {1..18}; do path+=/$long; done
mkdir -p "$path"
for i in {0..13}; do echo "fs add subtree $path uid $i audit"; done >"$tap/policy"
utf8guard load "$tap/policy" || fail "long paths"
until_true 60 grep -q 'config fs and' "$tap/text"
like "long rules: fewer of them" "$(tail -n +$((seen + 1)) "$tap/text" | sed "s,$long,,g")" \
	'config fs loaded, rules 15: added 14, .*rule [0-9]+ added.* config fs and ([1-9]|1[0-3]) rules more'

# Where both checks are changed, each is on trial until both are.
seen=$(wc -l <"$tap/text")
printf '%s\n' "fs set default audit" "net add output udp dport 7 count" | utf8guard load - || fail "both"
both_stay() { [ "$(tail -n +$((seen + 1)) "$tap/text" | grep -c ' stay, ')" = 2 ]; }
ok "a load of both checks is confirmed" until_true 60 both_stay
is "and was on trial for a minute" \
	"$(tail -n +$((seen + 1)) "$tap/text" | grep -o 'config .* loaded\|on trial for .* seconds')" \
	"$(printf '%s\n' "config fs loaded" "on trial for 60 seconds" "config net loaded" "on trial for 60 seconds")"

until_true 60 grep -q '"added":14' "$tap/json"
kill "${monitors[@]}"
run /usr/bin/python3 "$here/../../schema.py" monitor "$tap/json"
is "as the schema has it" "$out" ok
is "nothing was lost" "$(grep -c '"lost"' "$tap/json")" 0
done_testing
