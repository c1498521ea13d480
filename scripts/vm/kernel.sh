#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Fetch a stock Debian kernel, image and headers, and print where it is.
#
#   kernel.sh 6.1 | 6.12            newest package of that series
#   kernel.sh 6.1-cloud             the same, another flavour
#   kernel.sh 6.12.117+deb12-amd64  exactly that one
#   kernel.sh debug                 none of theirs, but what debug.sh builds
#
# Prints one line "RELEASE DIR": DIR/boot/vmlinuz-RELEASE, DIR/lib/modules/RELEASE
# and DIR/usr/src/linux-headers-RELEASE (usable as KDIR) exist. Packages are
# unpacked below the cache and never installed: the host's /boot, its boot
# loader and its package database stay as they are.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

[ $# = 1 ] || die "usage: kernel.sh SERIES|RELEASE|debug"
[ "$1" != debug ] || exec "$here/debug.sh"
kernels=$UTF8GUARD_CACHE/kernel
arch=$(dpkg --print-architecture)

# The release that a name stands for, asked of the package lists.
resolve() {
	local series=${1%-*} flavour=${1#*-} meta
	[ "$flavour" = "$1" ] && flavour= || flavour=$flavour-
	case $series in
	6.1) meta=linux-image-$flavour$arch ;;
	*.*.*) printf '%s\n' "$1"; return ;;
	*) meta=linux-image-$series-$flavour$arch ;;
	esac
	apt-cache depends "$meta" 2>/dev/null |
		sed -n 's/.*Depends: linux-image-\(.*\)/\1/p' | sort -V | tail -n 1
}

# The same, without asking apt, which takes a second, while its lists are those of
# the last time.
remembered() {
	local answer=$kernels/.newest-$1 new
	if [ "$answer" -nt /var/lib/apt/lists ]; then
		cat "$answer"
		return
	fi
	new=$(mktemp "$answer.XXXXXX")
	resolve "$1" >"$new"
	if [ -s "$new" ]; then
		mv "$new" "$answer" && cat "$answer"
	else
		rm "$new"
	fi
}

# The newest release of that name that an earlier run left in the cache.
cached() {
	local d
	for d in "$kernels/${1%%-*}"[.-]*; do
		[ -d "$d/boot" ] && basename "$d"
	done | sort -V | tail -n 1
}

unpack() {
	local release=$1 tmp common
	tmp=$(mktemp -d "$kernels/.new.XXXXXX")
	# shellcheck disable=SC2064 # expand now
	trap "rm -rf '$tmp'" EXIT
	common=$(apt-cache depends "linux-headers-$release" |
		sed -n 's/.*Depends: \(linux-headers-.*-common.*\|linux-kbuild-.*\)/\1/p')
	say "fetching linux-image-$release and its headers"
	# shellcheck disable=SC2086 # a list of packages
	(cd "$tmp" && apt-get -qq -o APT::Sandbox::User=root download \
		"linux-image-$release" "linux-headers-$release" $common >&2) ||
		die_fetching "linux-image-$release"
	for deb in "$tmp"/*.deb; do
		dpkg-deb -x "$deb" "$tmp" 2>/dev/null || die_unpacking "linux-image-$release" "$kernels"
		rm "$deb"
	done
	# The headers' makefile names an absolute path; they must work from here.
	sed -i "s|^include /usr/src/|include $kernels/$release/usr/src/|" \
		"$tmp/usr/src/linux-headers-$release/Makefile"
	grep -q "^include $kernels/" "$tmp/usr/src/linux-headers-$release/Makefile" ||
		die "linux-headers-$release: unknown layout"
	/sbin/depmod -b "$tmp" "$release"
	mv "$tmp" "$kernels/$release"
	trap - EXIT
}

mkdir -p "$kernels"
release=$(remembered "$1") || :
[ -n "$release" ] || { apt-get -qq update >&2 || :; release=$(remembered "$1") || :; }
[ -n "$release" ] || release=$(cached "$1") || :
[ -n "$release" ] || die "$1: no such kernel in Debian's package lists or the cache"

exec 9>"$kernels/.lock"
flock 9
# Left by a run that was killed: nobody else is here.
rm -rf "$kernels"/.new.*
[ -d "$kernels/$release" ] || unpack "$release"
printf '%s %s\n' "$release" "$kernels/$release"
