#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run a command in a fresh clone of this checkout, on a Debian that has nothing
# but apt, make, git and ca-certificates:
#
#   clean-room.sh [-b DIR] [SUITE] COMMAND [ARG...]
#
#   clean-room.sh make demo             on Debian 12, bookworm
#   clean-room.sh trixie make demo      on Debian 13
#   clean-room.sh bash                  to look around
#
# SUITE is bookworm (12) or trixie (13). -b DIR mounts a directory of the host at
# the same path, read-only; any number of times. UCD, CI and the addresses of proxies are
# passed on to the command.
#
# The root (bootstrap.sh) is unpacked anew for each run. The command sees the project's cache and
# the packages that earlier runs downloaded, and nothing else of this machine.
# Only what is committed is in the clone. The logs of the builds and of the
# guests are copied to build/room/SUITE. The exit status is the command's.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/..")
# shellcheck source=scripts/cache.sh
. "$here/cache.sh"
# shellcheck source=scripts/debian.sh
. "$here/debian.sh"
usage() { say "usage: clean-room.sh [-b DIR] [SUITE] COMMAND [ARG...]"; exit 2; }

visible=()
while [ "${1-}" = -b ]; do
	[ -d "${2-}" ] || usage
	visible+=("$(readlink -f "$2")")
	shift 2
done
suite=bookworm
case ${1-} in
bookworm | trixie) suite=$1; shift ;;
12) suite=bookworm; shift ;;
13) suite=trixie; shift ;;
esac
[ $# != 0 ] || usage

[ "$(id -u)" = 0 ] || die "only root can run a command in a root of its own; nothing was run"
"$here/deps.sh" room
unshare --mount --pid --fork true 2>/dev/null ||
	die "this process may not make namespaces (is this a container?); nothing was run"

kept=$UTF8GUARD_CACHE/room
mkdir -p "$kept/archives-$suite/partial" "$top/build"
root=$(mktemp -d "$kept/.$suite.XXXXXX")

# shellcheck disable=SC2317 # called by the trap
finish() {
	local logs=$top/build/room/$suite built=$root/root/utf8guard/build
	rm -rf "$logs"
	if [ -d "$built" ]; then
		mkdir -p "$logs"
		cp -r "$built"/*.log "$built"/vm "$built"/summary "$logs" 2>/dev/null || :
	fi
	rm -rf --one-file-system "$root"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# A run that was killed leaves its root behind. No run takes longer than a day.
find "$kept" -maxdepth 1 -name '.*.??????' -mtime +1 -exec rm -rf --one-file-system {} +

base=$("$here/bootstrap.sh" "$suite") || die "nothing was run"
tar -C "$root" -xf "$base"
cp /etc/resolv.conf "$root/etc/resolv.conf"
apt-config dump 2>/dev/null | grep -i '^Acquire::.*proxy' >"$root/etc/apt/apt.conf.d/90proxy" || :
[ -z "$(git -C "$top" status --porcelain)" ] || say "what is not committed is not in the clone"
git -c advice.detachedHead=false clone -q --no-hardlinks "$top" "$root/root/utf8guard" ||
	die "git cannot clone $top; nothing was run"

# Runs in namespaces of its own: its mounts and processes go when it ends.
enter() { # ROOT CACHE ARCHIVES VISIBLE... -- COMMAND...
	local root=$1 cache=$2 archives=$3 node dir
	shift 3
	mount --make-rprivate /
	mount -t proc proc "$root/proc"
	mount -t sysfs -o ro sysfs "$root/sys"
	mount -t tmpfs -o mode=755 tmpfs "$root/dev"
	for node in null zero full random urandom tty net/tun; do
		[ -e "/dev/$node" ] || continue
		mkdir -p "$(dirname "$root/dev/$node")"
		: >"$root/dev/$node"
		mount --bind "/dev/$node" "$root/dev/$node"
	done
	mkdir "$root/dev/pts" "$root/dev/shm"
	mount -t devpts -o newinstance,mode=620,ptmxmode=666,gid=5 devpts "$root/dev/pts"
	ln -s pts/ptmx "$root/dev/ptmx"
	mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
	ln -s /proc/self/fd "$root/dev/fd"
	for node in 0:stdin 1:stdout 2:stderr; do
		ln -s "/proc/self/fd/${node%:*}" "$root/dev/${node#*:}"
	done
	mkdir -p "$root$cache"
	mount --bind "$cache" "$root$cache"
	mount --bind "$archives" "$root/var/cache/apt/archives"
	while [ "$1" != -- ]; do
		dir=$1
		shift
		mkdir -p "$root$dir"
		mount --bind "$dir" "$root$dir"
		mount -o remount,bind,ro "$root$dir"
	done
	shift
	# shellcheck disable=SC2016 # the shell in there expands it
	exec chroot "$root" /bin/sh -c 'cd /root/utf8guard && exec "$@"' sh "$@"
}
export -f enter

words=(HOME=/root PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
	LANG=C.UTF-8 TERM="${TERM:-dumb}" XDG_CACHE_HOME="${UTF8GUARD_CACHE%/*}")
for name in CI UCD http_proxy https_proxy no_proxy; do
	[ -z "${!name-}" ] || words+=("$name=${!name}")
done
# shellcheck disable=SC2016 # the bash in there expands it
unshare --mount --pid --fork --kill-child --ipc --uts bash -ec 'enter "$@"' bash \
	"$root" "$UTF8GUARD_CACHE" "$kept/archives-$suite" ${visible[@]+"${visible[@]}"} -- \
	env -i "${words[@]}" "$@"
