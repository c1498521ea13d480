#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Which functions never run in the tests that need no emulator? Counted by gcov, and compared with
# never.txt beside this script, which gives a reason for each of them.
#
#   coverage.sh [STEP...]
#
#   STEP   only these of: host, the tests of this machine; uml, the KUnit suites and those of the
#          payload in User-Mode Linux; compare (coverage.py), which prints the result
#
# SUITES="packets streams" are the only ones of uml to run; what others have counted before stays.
# Everything is kept below build/coverage. A test that fails is named, and what it has run counts.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../..")
# shellcheck source=scripts/cache.sh
. "$here/../../cache.sh"
export here top build=$top/build/coverage
# The suites of the payload that are run in User-Mode Linux, with a tool that does not count: it
# would write two hundred files at each end, which takes too long there.
suites='packets streams scoped_streams selectors frontends starved'
# Tests of the host that take minutes, for code that shorter ones reach. Of others, a few texts are
# enough: STEP, STREAMS and the like.
exhaustive=' avx512 avx512vbmi bounds huge stream validation_peers normalization_peers '

build() { # NAME COMMAND...
	"${@:2}" >"$build/log/$1.build" 2>&1 </dev/null ||
		{ tail "$build/log/$1.build" >&2; die "$1: this does not build: $build/log/$1.build"; }
}

# shellcheck disable=SC2317 # by xargs
on_host() { # TEST
	local name=${1##*/} how=()
	[ "${1%.t}" = "$1" ] || how=(bash)
	env STEP=1001 STREAMS=1000 CONNECTIONS=1000 UTF8GUARD="$build/utf8guard" \
		timeout 600 ${how[@]+"${how[@]}"} "$1" >"$build/log/$name" 2>&1 </dev/null ||
		echo "$name failed: $build/log/$name" >&2
}

# What the tool counts, as files that whoever runs it may write: else it complains, and tests look
# at that. An empty one is no count.
make_counters() {
	local note
	(cd "$build" && find user pic -name '*.gcno') | while read -r note; do
		install -D -m 666 /dev/null "$build/${note%gcno}gcda"
	done
}

# shellcheck disable=SC2317 # by xargs
in_uml() { # NAME FILE-OR-DIRECTORY
	local own=(-t 900)
	rm -rf "$build/guest/kernel/$1"
	[ ! -f "$2" ] || read -ra own < <(sed -n '1,20s/^# vm: /-t 900 /p' "$2"; echo -t 900)
	[ "$1" != kunit ] || own+=(-a 'kunit.enable=1 kunit.autorun=1')
	scripts/vm/run.sh -k "$kernel" -l "$build/log/$1.kernel" -o "$build/guest" "${own[@]}" \
		-e UTF8GUARD_MODULES="$modules" \
		-- bash "$here/guest.sh" "$1" "$2" >"$build/log/$1.uml" 2>&1 ||
		echo "$1 failed in User-Mode Linux: $build/log/$1.uml" >&2
}
export -f on_host in_uml

host() {
	local test
	build host make -s -C userspace "-j$(nproc)" BUILD="$build" tools tests CFLAGS='-O1 -g --coverage'
	find "$build" -path "$build/guest" -prune -o -name '*.gcda' -exec rm {} +
	make_counters
	for test in "$build"/tests/* userspace/tests/host/tool/*.t; do
		[ ! -f "$test" ] || [ ! -x "$test" ] || [[ $exhaustive = *" ${test##*/} "* ]] || echo "$test"
	done | xargs -P "$(nproc)" -I '{}' bash -c 'on_host {}'
}

uml() {
	local release found kbuild suite
	found=$(scripts/vm/kernel.sh uml)
	read -r release kernel <<<"$found"
	kbuild=$build/kbuild/$release modules=$build/modules/$release
	export kernel modules
	build tools make -s -C userspace "-j$(nproc)" tools
	build modules make -s modules test-modules "KDIR=$kernel/usr/src/linux-headers-$release" \
		BUILD="$build" GCOV_PROFILE=y
	cp -au kunit "$kbuild"
	build kunit make -s -C "$kernel" ARCH=um "-j$(nproc)" GCOV_PROFILE=y M="$kbuild/kunit" \
		KBUILD_EXTRA_SYMBOLS="$kbuild/Module.symvers" modules
	[ -n "${SUITES-}" ] || rm -rf "$build/guest"
	mkdir -p "$build/guest"
	for suite in kunit $suites; do
		[ -z "${SUITES-}" ] || [[ " $SUITES " = *" $suite "* ]] || continue
		if [ "$suite" = kunit ]; then echo "kunit $kbuild/kunit"; else echo "$suite" userspace/tests/vm/*/"$suite.t"; fi
	done | xargs -P "$(nproc)" -I '{}' bash -c 'in_uml {}'
}

compare() { "$here/coverage.py" "$build"; }

cd "$top"
mkdir -p "$build/log"
[ $# != 0 ] || set -- host uml compare
for step; do
	case $step in
	host | uml | compare) "$step" ;;
	*) die "usage: coverage.sh [host | uml | compare]..." ;;
	esac
done
