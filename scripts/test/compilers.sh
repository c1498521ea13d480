#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Compile tool and host tests with compilers of several suites of Debian, where a warning
# is an error, and run two tests of the codec: TAP.
#
#   compilers.sh [COMPILER:SUITE...]      all that are known
#
# Each compiler is unpacked in a root of its suite (vm/ground.sh) and not installed. Modules
# are built by the compiler that their kernel's headers name, see kbuild.sh.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../..")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

[ $# != 0 ] || set -- gcc-12:bookworm gcc-13:trixie gcc-14:trixie clang-19:trixie gcc-15:forky gcc-16:sid
echo "1..$#"
status=0 number=0
for pair; do
	number=$((number + 1)) compiler=${pair%:*} suite=${pair#*:}
	build=$top/build/compilers/$compiler log=$top/build/compilers/$compiler.log
	rm -rf "$build"
	mkdir -p "$build"
	# The sanitizers of clang are a package of their own.
	sanitizers=()
	case $compiler in clang-*) sanitizers=("libclang-rt-${compiler#clang-}-dev") ;; esac
	if { root=$("$here/../vm/ground.sh" "$suite" "$compiler" ${sanitizers[@]+"${sanitizers[@]}"} make libc6-dev libmnl-dev libjansson-dev \
			libunistring-dev libxtables-dev pkgconf coreutils dash bash sed grep findutils) &&
		"$here/../vm/make.sh" "$root" -s -j"$(nproc)" -C "$top/userspace" CC="$compiler" BUILD="$build" \
			CFLAGS='-O2 -g -Werror' tools tests &&
		"$here/../vm/enter.sh" "$root" "$top" -- /usr/bin/env LC_ALL=C.UTF-8 "$build/tests/engines" &&
		"$here/../vm/enter.sh" "$root" "$top" -- /usr/bin/env LC_ALL=C.UTF-8 "$build/tests/abnf"
	} >"$log" 2>&1; then
		echo "ok $number - $compiler of $suite"
	else
		status=1
		echo "not ok $number - $compiler of $suite: $log"
		tail -n 20 "$log" | sed 's/^/# /'
	fi
done
exit "$status"
