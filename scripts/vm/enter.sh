#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run a command in a root of another Debian (ground.sh), in which some directories of
# this machine are mounted at the same paths:
#
#   enter.sh ROOT DIR... -- COMMAND...
#
# For root, or for a user who may make user namespaces. The mounts go when the command ends.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

enter() { # ROOT DIR... -- COMMAND...
	local root=$1 dir
	shift
	mount -t tmpfs tmpfs "$root/tmp"
	for dir in /proc /dev; do
		mount --rbind "$dir" "$root$dir"
	done
	while [ "$1" != -- ]; do
		mkdir -p "$root$1"
		mount --bind "$1" "$root$1"
		shift
	done
	shift
	exec chroot "$root" "$@"
}
export -f enter
may=(--mount)
[ "$(id -u)" = 0 ] || may+=(--map-root-user)
# In a chroot, as in clean-room.sh, / is no mount whose propagation could change.
unshare "${may[@]}" true 2>/dev/null || may+=(--propagation unchanged)
unshare "${may[@]}" true 2>/dev/null ||
	die "this process may not make namespaces, which programs of another Debian need"
# shellcheck disable=SC2016 # the bash in there expands it
exec unshare "${may[@]}" bash -ec 'enter "$@"' bash "$@"
