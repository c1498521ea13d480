#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Bring a peer that this Debian does not package from the one that does:
#
#   peers.sh DIRECTORY
#
# simdutf, the fastest of the validators, has come to Debian after 13. Its library is
# taken out of the package of that suite, whose signature is checked, and put into the
# directory; nothing is installed. Where it cannot be had, or does not run with the libraries
# of this machine, the benchmarks say so and go on without it.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../../scripts/cache.sh"
# shellcheck source=scripts/debian.sh
. "$here/../../scripts/debian.sh"

suite=forky directory=$1
! compgen -G "/usr/lib/*/libsimdutf.so.*" >/dev/null || exit 0
! compgen -G "$directory/libsimdutf.so.*" >/dev/null || exit 0
mkdir -p "$directory"
room=$(mktemp -d "$directory/.peers.XXXXXX")
trap 'rm -rf "$room"' EXIT
(
	debian_use $suite
	package=$(apt-cache search --names-only '^libsimdutf[0-9]+$' | sort -V | tail -n 1)
	debian_fetch "$room" "${package%% *}"
) || { say "simdutf cannot be fetched from Debian's $suite; it does not take part"; exit 0; }
cp "$room"/usr/lib/*/libsimdutf.so.*[0-9] "$directory"
