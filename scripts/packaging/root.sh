#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make a root of a suite of Debian with packages installed, as apt installs them, and
# print where it is:
#
#   root.sh SUITE DEPENDENCIES     as in a control file: "gcc, libmnl-dev (>= 1)"
#
# It is kept in the cache as long as what bootstrap.sh makes, a week. Only root can run this.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

[ $# = 2 ] || die "usage: root.sh SUITE DEPENDENCIES"
[ "$(id -u)" = 0 ] || die "only root can make a root of its own"
suite=$1 wanted=$(tr -s ' \n' ' ' <<<"$2")
base=$("$here/../bootstrap.sh" "$suite")
kept=$UTF8GUARD_CACHE/root
archives=$kept/archives-$suite
mkdir -p "$archives/partial"
root=$kept/$suite-$(sha256sum <<<"$wanted" | cut -c 1-16)
exec 9>"$root.lock"
flock 9
if [ -d "$root" ] && [ "$root" -nt "$base" ]; then
	printf '%s\n' "$root"
	exit
fi

# Two runs of apt must not use the same archives at once: the second one would fail.
exec 8>"$archives/.lock"
flock 8
new=$(mktemp -d "$kept/.new.XXXXXX") log=$root.log
trap 'rm -rf --one-file-system "$new"' EXIT
find "$kept" -maxdepth 1 -name '.new.*' -mtime +1 -exec rm -rf --one-file-system {} +
say "installing into a root of $suite: $wanted"
tar -C "$new" -xf "$base"
cp /etc/resolv.conf "$new/etc/resolv.conf"
apt-config dump 2>/dev/null | grep -i '^Acquire::.*proxy' >"$new/etc/apt/apt.conf.d/90proxy" || :
# No package that is installed starts a service.
printf '#!/bin/sh\nexit 101\n' >"$new/usr/sbin/policy-rc.d"
chmod +x "$new/usr/sbin/policy-rc.d"
apt=(apt-get -q -y -o Dir::Cache::Archives="$archives" -o APT::Keep-Downloaded-Packages=true
	-o APT::Sandbox::User=root -o Binary::apt-get::APT::Keep-Downloaded-Packages=true)
# shellcheck disable=SC2016 # the shell in there expands it
"$here/../vm/enter.sh" "$new" "$archives" -- /usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin \
	DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 wanted="$wanted" sh -ec '
		"$@" update
		"$@" --no-install-recommends satisfy "$wanted"' sh "${apt[@]}" >"$log" 2>&1 ||
	{ tail -n 20 "$log" >&2; die "apt-get cannot have these of $suite"; }
rm -rf --one-file-system "$root"
touch "$new"
mv "$new" "$root"
trap - EXIT
printf '%s\n' "$root"
