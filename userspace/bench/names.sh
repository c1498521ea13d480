#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the name check costs: instructions to create, close and unlink a file on
# tmpfs, in user space and in the kernel, by what is loaded and enforced. Runs
# inside, where a tick is an instruction:  run.sh -c -- names.sh PROGRAM
# TSV, each line a name with what is loaded, and in percent what that adds. Two runs
# differ by some 20 instructions, a tenth of a percent.

set -euo pipefail
program=$1 dir=/tmp/bench
ascii='quarterly-report-2026.txt' cjk='四半期報告書二千'
# Kana and an ideograph, and another script, in 24 and 25 octets.
kana='サンタクルーズ島' russian='Отчёт квартал'
# What rules for other directories refuse: the rule for this one has to be found.
minded=$'quarterly-report-\ue000.txt'
load() { insmod "$UTF8GUARD_MODULES/$1.ko"; }

mkdir $dir
mount -t tmpfs tmpfs $dir
printf 'kernel\tname\trules\tinstructions\tmore than not loaded\n'
declare -A unloaded
line() { # RULES TITLE NAME
	local count
	count=$("$program" $dir "$3")
	: "${unloaded[$2]:=$count}"
	awk -v n="$count" -v of="${unloaded[$2]}" -v line="$KERNEL	$2	$1	$count" \
		'BEGIN { printf "%s\t%.2f\n", line, (n - of) * 100 / of }'
}
lines() { # RULES
	line "$1" ASCII "$ascii"
	line "$1" CJK "$cjk"
	line "$1" kana "$kana"
	line "$1" Russian "$russian"
}
lines "not loaded"
line "not loaded" minded "$minded"
load utf8guard
load utf8guard_fs
utf8guard fs set default off
lines "loaded, off"
utf8guard fs set default audit
lines auditing
utf8guard fs set default enforce
lines enforcing
utf8guard fs add subtree $dir enforce >/dev/null
lines "and a subtree rule"
utf8guard fs flush
utf8guard fs replace default enforce form nfc
lines "enforcing NFC"
utf8guard fs replace default enforce profile portable-nfc
lines "profile portable-nfc"

# For a name that each of so many rules for directories beside would refuse.
for count in 10 100 1000 10000; do
	utf8guard fs flush
	for ((i = 0; i < count; i++)); do echo "$dir/rules/$i"; done | xargs mkdir -p
	for ((i = 0; i < count; i++)); do
		echo "fs add subtree $dir/rules/$i enforce refuse private-use"
	done | utf8guard load - >/dev/null
	line "$count rules" minded "$minded"
done
