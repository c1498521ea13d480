#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make a root of another suite of Debian, in which its programs run on this
# machine, and print where it is:
#
#   ground.sh SUITE NAME...
#
# It holds the packages and what they need, unpacked: none of their scripts runs,
# and nothing in it is set up but what a compiler asks for. It is kept in the
# cache until the suite has newer packages.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"
# shellcheck source=scripts/debian.sh
. "$here/../debian.sh"

[ $# -ge 2 ] || die "usage: ground.sh SUITE NAME..."
suite=$1
shift
kept=$UTF8GUARD_CACHE/ground
mkdir -p "$kept"
debian_use "$suite"

# The same answer as the last time while the lists are the same ones: it takes a second.
wanted() {
	local answer
	answer=$kept/.wanted-$(sha256sum <<<"$suite $*" | cut -c 1-16)
	[ "$answer" -nt "$UTF8GUARD_CACHE/suite/$suite/.fetched" ] ||
		apt-get -qq -s --no-install-recommends install "$@" |
		sed -n 's/^Inst \([^ ]*\) .*(\([^ ]*\) .*/\1=\2/p' >"$answer"
	[ -s "$answer" ] && cat "$answer"
}

unpack() { # DIR NAME=VERSION...
	local tmp link
	tmp=$(mktemp -d "$kept/.new.XXXXXX")
	# shellcheck disable=SC2064 # expand now
	trap "rm -rf '$tmp'" EXIT
	for link in bin lib lib64 sbin; do
		mkdir -p "$tmp/usr/$link"
		ln -s "usr/$link" "$tmp/$link"
	done
	mkdir -p "$tmp"/{proc,dev,tmp}
	say "fetching ${*:2}"
	debian_fetch "$tmp" "${@:2}"
	# What the scripts of packages would have set up.
	[ -e "$tmp/usr/bin/awk" ] || ln -s mawk "$tmp/usr/bin/awk"
	mv "$tmp" "$1"
	trap - EXIT
}

list=$(wanted "$@") || die "apt-get cannot have $* of $suite"
dir=$kept/$suite-$(sha256sum <<<"$* $list" | cut -c 1-16)
exec 9>"$kept/.lock"
flock 9
# Left by a run that was killed: nobody else is here.
rm -rf "$kept"/.new.*
# shellcheck disable=SC2086 # a list of words
[ -d "$dir" ] || unpack "$dir" $list
printf '%s\n' "$dir"
