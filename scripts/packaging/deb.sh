#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Build the packages of Debian from what is committed, and have lintian judge them:
#
#   deb.sh SUITE...              bookworm (12), trixie (13): into build/deb/SUITE
#
# Each is built in a root of its suite (root.sh), in which there is what debian/control
# asks for and nothing else.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../..")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

[ $# != 0 ] || die "usage: deb.sh SUITE..."
declare -A number=([bookworm]=12 [trixie]=13)
version=$("$here/version.sh")
field() { # NAME: of debian/control, on one line
	sed -n "/^$1:/,/^[^ ]/{/^$1:\|^ /p}" "$here/debian/control" | sed "s/^$1://; /^ /!d" | tr -d '\n'
}

# Puts debian/ where dpkg-source looks for it, with a changelog that names the commit.
source_package() { # DIR VERSION
	local tree=$1/utf8guard-$version archive
	archive=$("$here/dist.sh" "$1" 2>/dev/null)
	mv "$archive" "$1/utf8guard_$version.orig.tar.xz"
	tar -C "$1" -xf "$1/utf8guard_$version.orig.tar.xz"
	cp -r "$tree/scripts/packaging/debian" "$tree/debian"
	cat >"$tree/debian/changelog" <<-END
		utf8guard ($2) UNRELEASED; urgency=medium

		  * Built of $(git -C "$top" rev-parse --short=12 HEAD). What an administrator notices of it is in
		    /usr/share/doc/utf8guard/changelog.gz.

		 -- $(sed -n 's/^Maintainer: //p' "$here/debian/control")  $(git -C "$top" log -1 --format=%cD)
	END
}

build() { # SUITE VERSION
	local suite=$1 root dir=$top/build/deb/$1 log=$top/build/deb/$1/log
	mkdir -p "$top/build/deb"
	exec 9>"$top/build/deb/.$suite.lock"
	flock 9
	# A version is that of one commit: packages of it that passed lintian need not be built again.
	if [ -e "$dir/lintian" ] && ls "$dir/utf8guard_$2"_*.deb >/dev/null 2>&1; then
		printf '%s\n' "$dir"/*.deb
		return
	fi
	root=$("$here/root.sh" "$suite" "build-essential, lintian, $(field Build-Depends)")
	rm -rf "$dir"
	mkdir -p "$dir"
	source_package "$dir" "$2"
	say "building utf8guard $2 for $suite"
	# shellcheck disable=SC2016 # the shell in there expands it
	"$here/../vm/enter.sh" "$root" "$dir" -- /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
		sh -ec 'cd "$1" && dpkg-buildpackage -us -uc -J2' sh "$dir/utf8guard-$version" >"$log" 2>&1 ||
		{ tail -n 30 "$log" >&2; die "the packages for $suite cannot be built; $log"; }
	# shellcheck disable=SC2016 # the shell in there expands it
	"$here/../vm/enter.sh" "$root" "$dir" -- /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 \
		sh -ec 'cd "$1" && lintian --allow-root --fail-on error,warning *.changes' sh "$dir" \
		>"$dir/lintian.new" 2>&1 || { cat "$dir/lintian.new" >&2; die "lintian objects to the packages for $suite"; }
	mv "$dir/lintian.new" "$dir/lintian"
	rm -rf "$dir/utf8guard-$version"
	printf '%s\n' "$dir"/*.deb
}

# Packages of two suites differ, and so do their versions: those of the later one sort after the others.
for suite; do
	[ "${number[$suite]-}" ] || die "$suite: none of ${!number[*]}"
	build "$suite" "$version-1~deb${number[$suite]}u1"
done
