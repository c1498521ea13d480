#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each fuzz target on the inputs that are kept for it, those that failed once among them, and
# on some that are made of these: the same in every run. ../../fuzz/README.md has the targets.
#
# promise whoever wrote the text: no text, policy, answer of a kernel or log breaks a parser: fuzz
#   targets, with sanitizers
# shown by: $target

top=$(readlink -f "$(dirname "$(readlink -f "$0")")/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"
fuzz=$top/userspace/tests/fuzz

# How many inputs are made: as many as take half a second to a second.
made() { # TARGET
	case $1 in
	connections | streams | names | replies) echo 10000 ;;
	*) echo 20000 ;;
	esac
}

# A made-up member or word is only refused. So those that the sources know, and the words for them, are in
# the inputs or in the dictionary.
knows() { # TARGET FILE...: of userspace/tool
	local target=$1 word missing=() edge='(^|[^a-z0-9-]|\\x22)' words
	shift
	words=$(cd "$top/userspace/tool" && sed '/^\s*\(\/\?\*\|#\)/d' "$@" | grep -oE '"[a-z][a-z0-9-]*[a-z0-9]"' | tr -d '"' | sort -u)
	for word in $words; do
		grep -qraE "$edge$word([^a-z0-9-]|$)" "$fuzz/corpus/$target" "$fuzz/dictionaries/$target" ||
			missing+=("$word")
	done
	is "$target knows the words of $*" "${words:+words}: ${missing[*]}" "words: "
}
knows journal scan/record.c status/event_line.c status/audit_record.c
knows policy policy/{fs,net}_rule.c policy/policy_{text,json}.c policy/rule_line.c

# A target says at its end how many inputs it was run on: one that has ended before is no success.
replayed() { # TARGET MADE INPUTS...
	local said
	said=$("$top/build/fuzz/replay/$1" -n "$2" -d "$fuzz/dictionaries/$1" "${@:3}") || return
	[[ $said = *[1-9]*" inputs, $2 made of them" ]]
}

mkdir -p "$top/build/fuzz/found"
for file in "$fuzz"/*.c; do
	target=$(basename "$file" .c)
	[ "$target" != replay ] || continue
	inputs=()
	for dir in "$fuzz/corpus/$target" "$fuzz/regressions/$target"; do
		[ ! -d "$dir" ] || inputs+=("$dir")
	done
	export FUZZ_FOUND=$top/build/fuzz/found/$target-replay
	ok "$target" replayed "$target" "$(made "$target")" "${inputs[@]}"
done
done_testing
