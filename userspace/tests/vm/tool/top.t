#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# top of what happens now, and what it costs among ten thousand rules.

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

load_all
mkdir -p /tmp/d
utf8guard fs add subtree /tmp/d enforce
busybox seq 10000 | sed 's/.*/net add input udp dport & count/' >/tmp/rules
utf8guard load /tmp/rules

# A dump of what had something to tell: none yet, then the one.
run utf8guard top -b --count 1
is "nothing has happened" "$status $err" "0 "
like "so there is nothing to show" "$out" '^refused 0/s, audited 0/s, events not sent 0'
unlike "no rule" "$out" RULE

utf8guard top -b --count 8 >"$tap/top" 2>"$tap/top.err" &
top=$!
sleep 2
for i in {1..20}; do touch $'/tmp/d/bad\xc0\xae'"$i" 2>/dev/null; done
for i in {1..30}; do printf '\xed\xa0\x80' >/dev/udp/127.0.0.1/7777; done
wait $top
is "top ends" "$? $(cat "$tap/top.err")" "0 "
like "a rule for names, with its line" "$(cat "$tap/top")" ' 20 +0  fs 2: fs add subtree /tmp/d enforce'
like "one of ten thousand" "$(cat "$tap/top")" ' 0 +30  net [0-9]+: net add input udp dport 7777 count'
is "and none of the others" "$(grep -c 'dport' "$tap/top")" "$(grep -c 'dport 7777 ' "$tap/top")"
like "its class, of counters alone" "$(cat "$tap/top")" ' 0 +30  surrogate'
like "the process" "$(cat "$tap/top")" ' 20 +0  touch uid 0'
like "where" "$(cat "$tap/top")" ' 20 +0  .*/d of '
like "the last refusal, with its bytes" "$(cat "$tap/top")" 'fs refused create .{0,2}bad\\xC0\\xAE20.*overlong: C0 AE'
# What was counted before it was begun is no rate of now.
run utf8guard top -b --count 1
like "what is over is no rate" "$out" '^refused 0/s, audited 0/s'

# How long it has been computing, in hundredths of a second; for people to read.
utf8guard top -b --count 60 >/dev/null &
top=$!
used() { busybox awk '{ print $14, $15 }' "/proc/$top/stat"; }
sleep 5
before=$(used)
sleep 20
note "with 10,000 rules: user and system, in hundredths of a second: after 5 s $before, after 25 s $(used)"
kill $top
wait $top 2>/dev/null

# Locked out of the rules, it says so.
run setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all "$UTF8GUARD" top -b --count 1
like "nobody may" "$status $err" "^3 utf8guard: .*not permitted"
done_testing
