#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What an administrator sees of rules at a terminal is a table; what a pipe gets is lines for load.

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

load_all
mkdir -p /tmp/d
utf8guard fs add subtree /tmp/d enforce
utf8guard fs add subtree /tmp/d uid 4242 audit
for i in {1..1200}; do printf '%b' "/tmp/d/\\xff$i\\0"; done >/tmp/names
xargs -0 touch </tmp/names 2>/dev/null
utf8guard net add input udp dport 9 drop
printf '\xc0\xae' >/dev/udp/127.0.0.1/9

screen() { TERM=xterm script -qec "utf8guard $*" /dev/null </dev/null | tr -d '\r' | sed 's/\x1b\[[0-9]*m//g'; }
is "fs, on a terminal" "$(screen fs)" "HANDLE  RULE
     1  fs set default audit
     2  fs add subtree /tmp/d enforce
     3  fs add subtree /tmp/d uid 4242 audit"
is "fs -s" "$(screen fs -s)" "HANDLE  REFUSED  AUDITED  RULE
     1        0        0  fs set default audit
     2     1200        0  fs add subtree /tmp/d enforce
    # header-bits: refused 1200, audited 0
     3        0        0  fs add subtree /tmp/d uid 4242 audit"
like "fs -s -H" "$(screen fs -s -H)" "     2    1.20k        0  fs add subtree /tmp/d enforce"
like "net -s" "$(screen net -s)" "HANDLE  REFUSED  AUDITED  RULE
     1        1        0  net add input udp dport 9 drop
    # packets 1, octets 2, split 0"
like "stats -H" "$(utf8guard stats -H)" "name check: .*refused 1.20k"
like "show -H" "$(utf8guard show -H)" "refused 1.20k, audited 0"
is "a pipe gets what load takes" "$(utf8guard fs | tail -n 2)" "fs add subtree /tmp/d enforce # handle 2
fs add subtree /tmp/d uid 4242 audit # handle 3"
like "red is what was refused" "$(TERM=xterm script -qec 'utf8guard fs -s' /dev/null </dev/null)" $'\e\\[31m     1200\e\\[0m'
monitor "$tap/said" --color=always --count 1 --timeout 300
touch $'/tmp/d/\xff' 2>/dev/null
wait "${monitors[0]}"
like "so it is in the monitor" "$(cat "$tap/said")" \
	$'fs \e\\[31mrefused\e\\[0m create'
done_testing
