#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make a root of another suite of Debian, in which its programs run on this
# machine, or of another architecture, for a guest, and print where it is:
#
#   ground.sh SUITE[:ARCHITECTURE] NAME...
#
# It holds the packages and their dependencies, unpacked. None of their scripts runs;
# only what a compiler or a guest needs is set up. It is kept in the cache until the
# suite has newer packages.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"
# shellcheck source=scripts/debian.sh
. "$here/../debian.sh"

[ $# -ge 2 ] || die "usage: ground.sh SUITE[:ARCHITECTURE] NAME..."
ground=${1/:/-} suite=${1%:*} architecture=$(debian_architecture)
[ "$suite" = "$1" ] || architecture=${1#*:}
shift
kept=$UTF8GUARD_CACHE/ground
mkdir -p "$kept"
debian_use "$suite" "$architecture"

# While the package lists are the same, gives the answer of the last time: asking takes a second.
wanted() {
	local answer new
	answer=$kept/.wanted-$(sha256sum <<<"$ground $*" | cut -c 1-16)
	if [ ! "$answer" -nt "$(debian_lists "$suite" "$architecture")/.fetched" ]; then
		# Another run that asks the same finds all of it, or nothing.
		new=$(mktemp "$answer.XXXXXX")
		apt-get -qq -s --no-install-recommends install "$@" |
			sed -n 's/^Inst \([^ ]*\) .*(\([^ ]*\) .*/\1=\2/p' >"$new"
		[ -s "$new" ] || { rm "$new"; return 1; }
		mv "$new" "$answer"
	fi
	cat "$answer"
}

# What the scripts of packages would have set up.
set_up() { # DIR
	local file name
	[ -e "$1/usr/bin/awk" ] || ln -s mawk "$1/usr/bin/awk"
	for file in passwd group; do
		[ ! -e "$1/usr/share/base-passwd/$file.master" ] ||
			cp "$1/usr/share/base-passwd/$file.master" "$1/etc/$file"
	done
	if [ -e "$1/etc/passwd" ]; then
		mkdir -p "$1/mnt" "$1/srv" "$1/opt"
		# Suites add users in the guest, and useradd wants all of these files.
		touch "$1/etc/shadow" "$1/etc/gshadow" "$1/etc/subuid" "$1/etc/subgid"
		printf '%s localhost\n' 127.0.0.1 ::1 >"$1/etc/hosts"
		# runuser and su ask PAM, which permits all.
		mkdir -p "$1/etc/pam.d"
		for name in auth account password session; do
			printf '%s required pam_permit.so\n' "$name" >"$1/etc/pam.d/common-$name"
		done
		cp "$1/etc/pam.d/common-session" "$1/etc/pam.d/common-session-noninteractive"
	fi
	# The links of update-alternatives.
	for name in iptables iptables-save iptables-restore ip6tables ip6tables-save ip6tables-restore; do
		[ ! -e "$1/usr/sbin/$name-nft" ] || ln -sf "$name-nft" "$1/usr/sbin/$name"
	done
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
	set_up "$tmp"
	mv "$tmp" "$1"
	trap - EXIT
}

# What set_up() does is part of the name of a guest's root: it is made anew if that changes.
made=
[ "$architecture" = "$(debian_architecture)" ] || made=$(declare -f set_up)
list=$(wanted "$@") || die "apt-get cannot resolve $* in $suite"
dir=$kept/$ground-$(sha256sum <<<"$* $list$made" | cut -c 1-16)
exec 9>"$kept/.lock"
flock 9
# Left by a run that was killed: nobody else is here.
rm -rf "$kept"/.new.*
# shellcheck disable=SC2086 # a list of words
[ -d "$dir" ] || unpack "$dir" $list
printf '%s\n' "$dir"
