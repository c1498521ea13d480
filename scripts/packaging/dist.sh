#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make the archive of the source that packages are built from, and print where it is:
#
#   dist.sh DIR                  DIR/utf8guard-VERSION.tar.xz
#
# It is made of what HEAD has and of nothing else: the same commit, the same octets.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

[ $# = 1 ] || die "usage: dist.sh DIR"
mkdir -p "$1"
dir=$(readlink -f "$1") name=utf8guard-$("$here/version.sh")
cd "$here/../.."
[ -z "$(git status --porcelain)" ] || say "what is not committed is not in $name.tar.xz"
# git sorts the names, and gives all files the time of the commit.
git -c tar.umask=0022 archive --format=tar --prefix="$name/" HEAD | xz -T1 -6 >"$dir/$name.tar.xz.$$"
mv "$dir/$name.tar.xz.$$" "$dir/$name.tar.xz"
printf '%s\n' "$dir/$name.tar.xz"
