#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What the name check costs: instructions to create, close and unlink a file on
# tmpfs, in user space and in the kernel, by what is loaded and enforced. Runs
# inside, where a tick is an instruction:  run.sh -c -- names.sh PROGRAM
# Two runs differ by some 20 instructions, a tenth of a percent.

set -euo pipefail
program=$1 dir=/tmp/bench
ascii='quarterly-report-2026.txt' cjk='四半期報告書二千'
# What rules for other directories refuse: the rule for this one has to be found.
minded=$'quarterly-report-\ue000.txt'
load() { insmod "$UTF8GUARD_MODULES/$1.ko"; }

mkdir $dir
mount -t tmpfs tmpfs $dir
declare -A unloaded
many() { # RULES: each for a directory of its own
	local i
	utf8guard fs flush
	for ((i = 0; i < $1; i++)); do echo "$dir/rules/$i"; done | xargs mkdir -p
	for ((i = 0; i < $1; i++)); do
		echo "fs add subtree $dir/rules/$i enforce refuse private-use"
	done | utf8guard load -
	printf '%s\t%d\n' "$1 rules" "$("$program" $dir "$minded")"
}
line() { # TITLE
	local name count text="$1"
	for name in "$ascii" "$cjk"; do
		count=$("$program" $dir "$name")
		: "${unloaded[$name]:=$count}"
		text+=$(awk -v n="$count" -v of="${unloaded[$name]}" \
			'BEGIN { printf "\t%d\t%+.2f %%", n, (n - of) * 100 / of }')
	done
	printf '%s\n' "$text"
}
{
	printf '%s\tASCII\t\tCJK\t\n' "$KERNEL"
	line "not loaded"
	load utf8guard
	load utf8guard_fs
	utf8guard fs set default off
	line "loaded, off"
	utf8guard fs set default audit
	line "auditing"
	utf8guard fs set default enforce
	line "enforcing"
	utf8guard fs add subtree $dir enforce >/dev/null
	line "and a subtree rule"
	utf8guard fs flush
	utf8guard fs replace default enforce form nfc
	line "enforcing NFC"
	utf8guard fs replace default enforce profile portable-nfc
	line "profile portable-nfc"
} | column -t -s "$(printf '\t')"
printf '\n%s\n' "for a name that each of so many rules for directories beside would refuse:"
{ many 10; many 10000; } | column -t -s "$(printf '\t')"
