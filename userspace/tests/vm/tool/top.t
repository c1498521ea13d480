#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What top shows an administrator of what happens now, and what that costs among ten thousand
# rules; and what suggest makes of the counters of the rules in force.
#
# promise local user: without privilege he is told nothing by top or by suggest
# shown by: nobody may
# promise administrator by mistake: suggest changes nothing by itself, and under the policy that
#   it suggests what he marked as good goes on
# shown by: nothing was changed
# shown by: the good is not
# shown by: nor is that of the user
# promise administrator by mistake: under a policy that suggest makes of a file, what he has not
#   marked as good is refused where a rule in force refused it
# shown by: ... so that the other one is refused there still
# shown by: ... and all is refused there that was before
# shown by: ... and nothing is let through there that was refused
# promise operator: top shows what is refused or audited now, one rule of ten thousand, and none
#   of the others
# shown by: one of ten thousand
# shown by: and none of the others

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

load_all
mkdir -p /tmp/d
utf8guard fs add subtree /tmp/d enforce
busybox seq 10000 | sed 's/.*/net add input udp dport & count/' >/tmp/rules
utf8guard load /tmp/rules

# "top -b" prints the rules that have something to tell: at first none, then one.
run utf8guard top -b --count 2
is "nothing has happened" "$status $err" "0 "
is "twice" "$(grep -c ^refused "$tap/out")" 2
like "so there is nothing to show" "$out" '^refused 0/s, audited 0/s, events not sent 0'
unlike "no rule" "$out" RULE

utf8guard top -b >"$tap/top" 2>"$tap/top.err" &
top=$!
ok "top begins" until_true 60 test -s "$tap/top"
for i in {1..20}; do touch $'/tmp/d/bad\xc0\xae'"$i" 2>/dev/null; done
for i in {1..30}; do printf '\xed\xa0\x80' >/dev/udp/127.0.0.1/7777; done
# In one screen or in several: a machine may be slow.
shows() { grep -qE ' 20 +0  touch' "$tap/top" && grep -qE ' 0 +30  surrogate' "$tap/top"; }
ok "and shows all of that" until_true 120 shows
kill $top
wait $top 2>/dev/null
is "and complains of nothing" "$(cat "$tap/top.err")" ""
like "a rule for names, with its line" "$(cat "$tap/top")" ' 20 +0  fs 2: fs add subtree /tmp/d enforce'
like "one of ten thousand" "$(cat "$tap/top")" ' 0 +30  net [0-9]+: net add input udp dport 7777 count'
is "and none of the others" "$(grep -c 'dport' "$tap/top")" "$(grep -c 'dport 7777 ' "$tap/top")"
like "its class, of counters alone" "$(cat "$tap/top")" ' 0 +30  surrogate'
like "the process" "$(cat "$tap/top")" ' 20 +0  touch uid 0'
like "where" "$(cat "$tap/top")" ' 20 +0  .*/d of '
like "the last refusal, with its bytes" "$(cat "$tap/top")" 'fs refused create .{0,2}bad\\xC0\\xAE20.*overlong: C0 AE'
# What was counted before top was started is in no rate.
run utf8guard top -b --count 1
like "what is over is no rate" "$out" '^refused 0/s, audited 0/s'

# The command line is asked for once, for later another process may have the PID.
utf8guard top -b >"$tap/held" 2>/dev/null &
top=$!
until_true 60 test -s "$tap/held"
bash -c ': >"$1"; sleep 300; :' bash $'/tmp/d/held\xff' 2>/dev/null &
holder=$!
lines() { grep -c ' command .*bash -c ' "$tap/held"; }
told() { [ "$(lines)" -gt "$1" ]; }
ok "the command line of a process" until_true 60 told 0
kill $holder
wait $holder 2>/dev/null
ended=$(lines)
ok "is still shown when it has ended" until_true 60 told $((ended + 2))
kill $top
wait $top 2>/dev/null

# How much processor time top takes, in hundredths of a second; a note for people to read.
utf8guard top -b --count 60 >/dev/null &
top=$!
used() { busybox awk '{ print $14, $15 }' "/proc/$top/stat"; }
sleep 5
before=$(used)
sleep 20
note "with 10,000 rules: user and system, in hundredths of a second: after 5 s $before, after 25 s $(used)"
kill $top
wait $top 2>/dev/null

# The rule that would let a refusal pass is for the directory of the refusal, even if whoever was
# refused has put a link in its place meanwhile.
mkdir -p /tmp/d/his
touch $'/tmp/d/his/\xff' 2>/dev/null
if command -v tmux >/dev/null; then
	t() { TMUX='' tmux -S "$tap/socket" -f /dev/null "$@"; }
	at_exit "tmux -S $tap/socket kill-server 2>/dev/null"
	screen() { t capture-pane -p -t top 2>/dev/null | grep -qE -- "$1"; }
	t new-session -d -s top -x 80 -y 24 "TERM=screen LC_ALL=C.UTF-8 '$UTF8GUARD' top"
	ok "a screen" until_true 60 screen 'A SECOND'
	touch $'/tmp/d/his/\xff' 2>/dev/null
	ok "the refusal" until_true 60 screen '> refused.*his'
	rmdir /tmp/d/his
	ln -s / /tmp/d/his
	t send-keys -t top x
	ok "the rule that would let it pass" until_true 60 screen 'subtree /tmp/d/his uid 0 audit'
	t send-keys -t top yes Enter
	ok "would be for another location by now" until_true 60 screen 'a link on the way leads to another location'
	unlike "and is not added" "$(utf8guard fs)" 'subtree / '
	t kill-server
	rm /tmp/d/his
else
	skip 5 "no tmux"
fi

# Without privileges it says so.
run setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all "$UTF8GUARD" top -b --count 1
like "nobody may" "$status $err" "^3 utf8guard: .*not permitted"

# What the rules have audited, as rules that refuse it.
utf8guard fs flush
utf8guard net flush
mkdir -p /tmp/d/{old,own} /tmp/e /tmp/f
chmod 1777 /tmp/d
utf8guard load - <<'END'
fs add subtree /tmp/d audit refuse bidi
fs add subtree /tmp/d/own audit
fs add subtree /tmp/e enforce
fs add subtree /tmp/f audit
net add input udp dport 53,7777 audit
net add input ip udp dport 78 saddr 127.0.0.0/8 count
net add input udp dport 79 audit comment chat
END
touch $'/tmp/\xff'
touch $'/tmp/d/a\u202e' $'/tmp/d/old/\xff' $'/tmp/d/\xc0\xae'
touch $'/tmp/e/\xff' 2>/dev/null
for port in 7777 7777 78; do printf '\xed\xa0\x80' >/dev/udp/127.0.0.1/$port; done
handle_of() { utf8guard "$1" | sed -n "s,.*$2.* # handle ,,p"; }
d=$(handle_of fs '/tmp/d ') web=$(handle_of net 7777)
suggested() { grep -v -e '^#' -e '^$' "$tap/out"; }
run utf8guard suggest
is "each rule that audits and has counted something, as one that refuses" "$status $(suggested)" "0 fs set default enforce
fs set $d enforce
net replace $web input udp dport 53,7777 drop
net replace $(handle_of net "dport 78") input ip udp dport 78 saddr 127.0.0.0/8 drop"
like "with how many there were" "$out" "# 3 audited by handle $d \(overlong 1, (bidi 1, header-bits 1|header-bits 1, bidi 1)\):
#   fs add subtree /tmp/d "
like "the last of them, by the kernel's log" "$out" "#   overlong: C0 AE, create .*xC0.xAE.* in .*/d by user root"
like "and of packets" "$out" "#   surrogate: ED.* from 127.0.0.1 to port 7777"
like "what has counted nothing" "$out" "counted nothing: 3; "
cp "$tap/out" "$tap/policy"
before=$(utf8guard save)
like "load shows what it would change" "$(utf8guard load -c "$tap/policy")" "fs add subtree /tmp/d enforce refuse bidi"
run utf8guard suggest --good /tmp/d/old --good /tmp/d/own --good user=4242 --good from=127.0.0.1
is "what is marked as good goes on" "$status $(suggested)" "0 fs add subtree /tmp/d/old audit refuse bidi
fs add default uid 4242 audit
fs set default enforce
fs add subtree /tmp/d uid 4242 audit refuse bidi
fs set $d enforce
net insert $web input ip udp dport 53,7777 saddr 127.0.0.1 count
net replace $web input udp dport 53,7777 drop"
like "... by the rule that it has" "$out" "# marked as good: it has a rule of its own, handle $(handle_of fs /tmp/d/own), which stays"
mkdir /tmp/g
mount --bind /tmp/d/old /tmp/g
is "and what is good by another mount" "$(utf8guard suggest --good /tmp/g --good /tmp/d/old | grep '^fs add subtree .*audit')" \
	"fs add subtree /tmp/g audit refuse bidi"
umount /tmp/g
like "a rule with senders of its own stays" "$out" "# It stays as it is: it is for some senders alone, and 127.0.0.1 is marked as good"
is "nothing was changed" "$(utf8guard save)" "$before"
cp "$tap/out" "$tap/policy"
ok "load takes it" utf8guard load "$tap/policy"
touch $'/tmp/d/\xc0\xaf' 2>/dev/null
is "the bad is refused" "$?" 1
ok "the good is not" touch $'/tmp/d/old/\xfe'
ok "nor is that of the user" setpriv --reuid 4242 --clear-groups touch $'/tmp/d/mine\xfe'
run utf8guard suggest --good /tmp --good from=127.0.0.1
like "where all is good, nothing is suggested" "$status $out" "^1 .*It stays as it is: /tmp is marked as good"
# The log has the last 128 octets of a path. Here they begin with a slash, as a whole path does.
cut=/srv/$(printf 'x%.0s' {1..123})
mkdir -p "/tmp/f/a$cut"
touch "/tmp/f/a$cut"/$'\xff'
run utf8guard suggest
like "the end of a path is not shown as a path" "$out" " in \.\.\.$cut \(the beginning of the path is not in the log\) by user root"
mkdir /tmp/h /tmp/i
utf8guard fs add subtree /tmp/h /tmp/i audit
touch $'/tmp/i/\xff'
run utf8guard suggest --good /tmp/h
like "no other rule can be for one of the locations of a rule" "$out" "# It stays as it is: /tmp/h is marked as good"
ok "... so load takes it" utf8guard load -c "$tap/out"

# By a file, where rules for the same are in force.
utf8guard monitor -j --count 2 --timeout 60 >"$tap/events" 2>"$tap/monitor" &
monitor=$!
ok "monitor listens" until_true 60 grep -q listening "$tap/monitor"
touch $'/tmp/f/\xff'
printf '\xed\xa0\x80' >/dev/udp/127.0.0.1/79
wait $monitor
run utf8guard suggest --good from=127.0.0.2 --good user=4242 "$tap/events"
chat=$(handle_of net 'dport 79')
is "by a file: rules in force for the same are replaced" "$status $(suggested)" \
	"0 fs replace $(handle_of fs '/tmp/f ') subtree /tmp/f enforce
fs add subtree /tmp/f uid 4242 audit
net insert $chat input ip udp dport 79 saddr 127.0.0.2 count
net replace $chat input udp dport 79 drop comment chat"
like "... which is said" "$out" "# it replaces rule $chat, which is for the same"
cp "$tap/out" "$tap/policy"
ok "... and load takes it" utf8guard load "$tap/policy"
event_of() { # COMMAND...: it is in $tap/events
	utf8guard monitor -j --count 1 --timeout 60 fs >"$tap/events" 2>"$tap/monitor" &
	monitor=$!
	until_true 60 grep -q listening "$tap/monitor"
	"$@" 2>"$tap/err"
	wait $monitor
}
load_suggested() { cp "$tap/out" "$tap/policy" && utf8guard load "$tap/policy"; }
# What marks nobody has set are for goes on as it was.
utf8guard fs set default audit
utf8guard fs set "$(handle_of fs /tmp/i)" enforce
event_of touch $'/tmp/\xfd'
run utf8guard suggest --good /tmp/h "$tap/events"
is "a rule in force with other locations than the good one stays" "$status $(suggested)" "0 fs add subtree /tmp enforce"
like "... which is said" "$out" "# marked as good: it has a rule with other locations, handle $(handle_of fs /tmp/i), which stays:
#   fs add subtree /tmp/h /tmp/i enforce"
ok "... load takes it" load_suggested
event_of touch $'/tmp/i/\xfe'
like "... so that the other one is refused there still" "$(cat "$tap/events" "$tap/err")" '"outcome":"refused".*Invalid or incomplete'
utf8guard fs del "$(handle_of fs '/tmp ')"
utf8guard fs set "$(handle_of fs /tmp/i)" audit
event_of touch $'/tmp/h/\xff'
run utf8guard suggest "$tap/events"
is "... also where the bad is at one of its locations" "$status $(suggested)" "1 "
like "... which is said, and played" "$out" "# it has a rule with other locations, .* refuses 0 of 1 bad"
# What is refused already, and by a rule that demands more, stays so.
mkdir /tmp/j
utf8guard fs replace default enforce refuse bidi form nfc onto judge
event_of touch $'/tmp/j/\xc0\xae'
run utf8guard suggest --good /tmp/j "$tap/events"
like "what was refused already is told" "$status $out" "^1 .*# No rule for 1 that were refused already; 1 of them are marked as good"
run utf8guard suggest "$tap/events"
is "... and makes no rule" "$status $(suggested)" "1 "
ok "... load takes it" load_suggested
run touch $'/tmp/j/\u202e'
like "... and all is refused there that was before" "$err" "Invalid or incomplete"
utf8guard fs add subtree /tmp/j audit
event_of touch $'/tmp/j/\xc0\xae'
utf8guard fs del "$(handle_of fs /tmp/j)"
utf8guard fs add subtree /tmp uid 4243 enforce refuse control
utf8guard fs add subtree /tmp/j uid 4244 enforce refuse control
run utf8guard suggest --good user=4242 "$tap/events"
is "a new rule refuses what the one that decided there does, too" "$status $(suggested)" \
	"0 fs add subtree /tmp/j enforce refuse bidi form nfc onto judge
fs add subtree /tmp/j uid 4242 audit refuse bidi form nfc onto judge"
like "... which is said" "$out" "# it refuses what rule 1 does, too, which is not asked there any more"
is "... and which others are not asked any more" "$(grep -A 1 'for its callers' "$tap/out")" \
	"# rule $(handle_of fs 'default uid 4242') is not asked there any more for its callers:
#   fs add default uid 4242 audit
# rule $(handle_of fs 4243) is not asked there any more for its callers:
#   fs add subtree /tmp uid 4243 enforce refuse control"
ok "... load takes it" load_suggested
run touch $'/tmp/j/\u202e'
like "... and nothing is let through there that was refused" "$err" "Invalid or incomplete"
mkdir /tmp/k
mount -t tmpfs tmpfs /tmp/k
mkdir /tmp/k/x
utf8guard fs add subtree /tmp/k/x audit
event_of touch $'/tmp/k/x/\xff'
utf8guard fs del "$(handle_of fs /tmp/k/x)"
for scope in "default enforce" "fstype tmpfs" "superblock /tmp/k" "subtree /tmp/k"; do
	# shellcheck disable=SC2086 # two words
	[ "$scope" = "default enforce" ] || utf8guard fs add $scope enforce refuse control
	run utf8guard suggest "$tap/events"
	like "... the nearest of these: $scope" "$out" "# it refuses what rule $(handle_of fs "$scope") does, too"
done
utf8guard fs set "$(handle_of fs 'subtree /tmp/k')" audit
is "... and no more than that one" "$(utf8guard suggest "$tap/events" | grep ^fs)" "fs add subtree /tmp/k/x enforce"
run setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all "$UTF8GUARD" suggest
like "nobody may" "$status $err" "^3 utf8guard: .*not permitted"

# When the modules are replaced, as for an update, top goes on.
utf8guard top -b >"$tap/top" 2>"$tap/top.err" &
top=$!
ok "top begins again" until_true 60 test -s "$tap/top"
unload utf8guard_nf utf8guard_fs utf8guard
load_all
touch $'/tmp/after\xff'
ok "after the modules were replaced: the process of a name is shown" until_true 60 grep -qE ' 0 +1  touch uid 0' "$tap/top"
kill $top
wait $top 2>/dev/null
is "... and nothing is complained of" "$(cat "$tap/top.err")" ""
done_testing
