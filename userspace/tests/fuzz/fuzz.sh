#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run fuzz targets:
#
#   fuzz.sh run SECONDS [TARGET...]   by libFuzzer; what it learns stays in build/fuzz/corpus.
#                                     KIND=unwatched: without sanitizers; MAX_LEN: octets of an
#                                     input; if not given, 4096 for engines, 512 for normalize,
#                                     convert and names, and 1024 for the others
#   fuzz.sh coverage [TARGET...]      what of the code the committed inputs run, by file
#   fuzz.sh keep TARGET               a small part of build/fuzz/corpus/TARGET that runs as
#                                     much becomes corpus/TARGET, to be committed
#
# An input that fails is left in build/fuzz/found; once the fault is mended, it belongs to
# regressions/TARGET, with a name that says what it was.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../..")
# shellcheck source=scripts/cache.sh
. "$top/scripts/cache.sh"
out=$top/build/fuzz kind=${KIND:-libfuzzer}

# Prints the targets that are named; if none are, all that are built.
targets() { # KIND [TARGET...]
	local file kind=$1
	shift
	[ $# = 0 ] || { printf '%s\n' "$@"; return; }
	for file in "$here"/*.c; do
		file=$(basename "$file" .c)
		[ "$file" = replay ] || echo "$file"
	done | while read -r file; do
		[ ! -x "$out/$kind/$file" ] || echo "$file"
	done
}

inputs() { # TARGET: where they are
	local dir
	for dir in "$here/corpus/$1" "$here/regressions/$1"; do
		[ ! -d "$dir" ] || echo "$dir"
	done
}

# Prints the options for the length of inputs. Engines judge up to 256 octets at a time with vectors, and
# 1536 without, in loops that shorter texts do not run. So inputs of the codec may be longer from the
# first on.
lengths() { # TARGET
	case $1 in
	engines) echo "-max_len=${MAX_LEN:-4096}" -len_control=0 ;;
	normalize | convert | names) echo "-max_len=${MAX_LEN:-512}" -len_control=0 ;;
	*) echo "-max_len=${MAX_LEN:-1024}" ;;
	esac
}

fuzz() { # SECONDS TARGET
	local target=$2 log=$out/$2.log status=0 seeds lengths
	read -ra lengths < <(lengths "$target")
	mapfile -t seeds < <(inputs "$target")
	mkdir -p "$out/corpus/$target" "$out/found"
	"$out/$kind/$target" -max_total_time="$1" "${lengths[@]}" -timeout=20 -print_final_stats=1 \
		-dict="$here/dictionaries/$target" -artifact_prefix="$out/found/$target-" \
		"$out/corpus/$target" "${seeds[@]}" >"$log" 2>&1 || status=$?
	printf '%-12s %12s executions, %s, commit %s, %s%s\n' "$target" \
		"$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" \
		"$kind" "$(git -C "$top" rev-parse --short HEAD)" "$(date -I)" \
		"$([ $status = 0 ] || echo ": FAILED; see $log")"
	return $status
}

coverage() {
	local target seeds binaries=()
	rm -rf "$out/profiles"
	for target; do
		mapfile -t seeds < <(inputs "$target")
		LLVM_PROFILE_FILE=$out/profiles/$target "$out/coverage/$target" "${seeds[@]}" >/dev/null
		binaries+=(-object "$out/coverage/$target")
	done
	llvm-profdata merge -o "$out/profile" "$out"/profiles/*
	# The first one goes without -object, or llvm-cov takes a source for it.
	llvm-cov report "${binaries[@]:1}" -instr-profile="$out/profile" \
		"$top/kernel" "$top/userspace/tool" "$top/userspace/codec"
}

command=${1-}
shift || :
case $command in
run)
	seconds=${1:?SECONDS}
	shift
	failed=0
	while read -r target; do
		fuzz "$seconds" "$target" || failed=1
	done < <(targets "$kind" "$@")
	exit $failed
	;;
coverage)
	mapfile -t all < <(targets coverage "$@")
	coverage "${all[@]}"
	;;
keep)
	target=${1:?TARGET}
	rm -rf "$out/kept"
	mkdir -p "$out/kept" "$here/corpus/$target"
	mapfile -t seeds < <(inputs "$target")
	"$out/libfuzzer/$target" -set_cover_merge=1 -use_counters=0 -max_len=4096 "$out/kept" "${seeds[@]}" "$out/corpus/$target" 2>/dev/null
	rm -rf "$here/corpus/$target"
	mv "$out/kept" "$here/corpus/$target"
	;;
*) die "usage: fuzz.sh run SECONDS [TARGET...] | coverage [TARGET...] | keep TARGET" ;;
esac
