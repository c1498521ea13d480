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
load() { insmod "$UTF8GUARD_MODULES/$1.ko"; }

mkdir $dir
mount -t tmpfs tmpfs $dir
declare -A unloaded
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
	utf8guard fs add subtree /tmp enforce >/dev/null
	line "and a subtree rule"
} | column -t -s "$(printf '\t')"
