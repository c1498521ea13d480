#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run an exhaustive test program, unless it has passed before:
#
#   remember.sh PROGRAM
#
# The cache remembers what has passed, by a checksum of the compiled program (which has
# the code under test and the test), of its libraries, of the processor's features and
# of UTF8GUARD_TEST_LONG and STEP. A program that has passed is skipped, and the reason says when
# it passed. With UTF8GUARD_TEST_AGAIN in the environment it runs in any case.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

program=$1
stripped=$(mktemp)
trap 'rm -f "$stripped"' EXIT
# Names of files and lines of the source are left out: they do not change what the program does.
objcopy --strip-all --remove-section .note.gnu.build-id "$program" "$stripped"
key=$({
	cat "$stripped"
	ldd "$program" | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | xargs -r cat
	grep -m 1 '^model name' /proc/cpuinfo || :
	grep -m 1 -E '^(flags|Features)' /proc/cpuinfo || :
	echo "${UTF8GUARD_TEST_LONG-} ${STEP-}"
} | sha256sum)
passed=$UTF8GUARD_CACHE/passed/${key%% *}

if [ -e "$passed" ] && [ -z "${UTF8GUARD_TEST_AGAIN-}" ]; then
	echo "1..0 # SKIP unchanged since $(cat "$passed")"
	exit
fi
status=0
"$program" | tee "$stripped" || status=$?
if [ "$status" = 0 ]; then
	mkdir -p "${passed%/*}"
	find "${passed%/*}" -type f -mtime +90 -delete
	echo "$(date +%F), when its $(grep -c '^ok ' "$stripped") checks passed" >"$passed.$$"
	mv "$passed.$$" "$passed"
fi
exit "$status"
