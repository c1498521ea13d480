#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Fetch Debian packages for the guest alone, with those dependencies that the host
# lacks, and print the directory that holds their files:
#
#   packages.sh NAME...
#
# They are unpacked below the cache and not installed: no server of theirs is
# ever started on the host, and none of their scripts runs.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

[ $# != 0 ] || die "usage: packages.sh NAME..."
command -v apt-get >/dev/null || die "this is not Debian; cannot fetch $*"
kept=$UTF8GUARD_CACHE/packages

# A line each: NAME=VERSION. The same answer as the last time, while this machine has the same
# packages and the same lists: apt-get takes a second of processor time for it.
wanted() {
	local answer
	answer=$kept/.wanted-$({ echo "$*" && cat /var/lib/dpkg/status && stat -c %y /var/lib/apt/lists; } |
		sha256sum | cut -c 1-16)
	if [ ! -e "$answer" ]; then
		apt-get -qq -s --no-install-recommends install "$@" |
			sed -n 's/^Inst \([^ ]*\) .*(\([^ ]*\) .*/\1=\2/p' >"$answer.$$" || { rm "$answer.$$"; return 1; }
		mv "$answer.$$" "$answer"
	fi
	cat "$answer"
}

# Debian's /bin, /lib and /sbin are links into /usr; a directory would hide them.
merge_usr() { # TREE
	local d
	for d in bin lib lib64 sbin; do
		[ ! -d "$1/$d" ] || { mkdir -p "$1/usr/$d" && cp -a "$1/$d/." "$1/usr/$d" && rm -r "${1:?}/$d"; }
	done
}

unpack() { # DIR NAME=VERSION...
	local tmp deb
	tmp=$(mktemp -d "$kept/.new.XXXXXX")
	# shellcheck disable=SC2064 # expand now
	trap "rm -rf '$tmp'" EXIT
	mkdir "$tmp/root"
	say "fetching ${*:2}"
	[ $# = 1 ] || (cd "$tmp" && apt-get -qq -o APT::Sandbox::User=root download "${@:2}" >&2) ||
		die_fetching "${*:2}"
	for deb in "$tmp"/*.deb; do
		[ ! -e "$deb" ] || dpkg-deb -x "$deb" "$tmp/root" 2>/dev/null ||
			die_unpacking "${deb##*/}" "$kept"
	done
	merge_usr "$tmp/root"
	mv "$tmp/root" "$1"
}

mkdir -p "$kept"
list=$(wanted "$@") || { apt-get -qq update >&2 || :; list=$(wanted "$@"); } ||
	die "apt-get cannot resolve $*"
dir=$kept/$(sha256sum <<<"$* $list" | cut -c 1-16)
exec 9>"$kept/.lock"
flock 9
# Left by a run that was killed: nobody else is here.
rm -rf "$kept"/.new.*
# shellcheck disable=SC2086 # a list of words
[ -d "$dir" ] || unpack "$dir" $list
printf '%s\n' "$dir"
