#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Print how fast this host's time stamp counter runs, in kHz:  tsc.sh
# Prints nothing where there is none. tsc.c says what it is for. The result is kept in
# the cache until the host boots again.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

[ "$(uname -m)" = x86_64 ] || exit 0
kept=$UTF8GUARD_CACHE/tsc-$(cat /proc/sys/kernel/random/boot_id)
if [ ! -s "$kept" ]; then
	mkdir -p "$UTF8GUARD_CACHE"
	new=$(mktemp -d "$UTF8GUARD_CACHE/.tsc.XXXXXX")
	trap 'rm -rf "$new"' EXIT
	gcc -O2 -o "$new/tsc" "$here/tsc.c"
	"$new/tsc" >"$new/khz"
	mv "$new/khz" "$kept"
	find "$UTF8GUARD_CACHE" -maxdepth 1 -name 'tsc-*' ! -path "$kept" -delete
fi
cat "$kept"
