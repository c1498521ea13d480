#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make a root of a suite of Debian that has nothing but apt, make, git and
# ca-certificates, pack it into an archive, and print the archive's path:
#
#   bootstrap.sh bookworm|trixie
#
# It is made by debootstrap, and kept in the cache for a week.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/cache.sh"
# shellcheck source=scripts/debian.sh
. "$here/debian.sh"

[ $# = 1 ] || die "usage: bootstrap.sh SUITE"
suite=$1 kept=$UTF8GUARD_CACHE/room
mkdir -p "$kept"
base=$kept/$suite.tar
exec 9>"$kept/.$suite.lock"
flock 9
new=$(mktemp -d "$kept/.$suite.XXXXXX")
trap 'rm -rf --one-file-system "$new"' EXIT

bootstrap() {
	local tree=$new/root
	say "making a root of Debian's $suite"
	debootstrap --variant=minbase --include=make,git,ca-certificates \
		"$suite" "$tree" "$debian_mirror" >"$new/log" 2>&1 || return
	printf 'deb %s %s main\n' "$debian_mirror" "$suite" "$debian_mirror" "$suite-updates" \
		"$debian_mirror-security" "$suite-security" >"$tree/etc/apt/sources.list"
	rm -f "$tree"/var/cache/apt/archives/*.deb
	tar -C "$tree" -cf "$new/tar" . && mv "$new/tar" "$base"
}
if [ -z "$(find "$base" -mtime -7 2>/dev/null)" ] && ! bootstrap; then
	tail -n 20 "$new/log" "$new/root/debootstrap/debootstrap.log" >&2 2>/dev/null || :
	[ -e "$base" ] || die "cannot make a root of $suite from $debian_mirror"
	say "no new root of $suite can be made; the one of $(date -r "$base" +%F) is used"
fi
printf '%s\n' "$base"
