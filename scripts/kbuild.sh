#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run the kernel's own build for modules:
#
#   kbuild.sh KDIR ARG...        is make -C KDIR ARG...
#
# Modules want the compiler that built their kernel, and the headers of a later
# Debian bring programs that this machine cannot run. For a kernel of kernel.sh
# where either is missing here, make runs in a root of that kernel's suite
# (vm/ground.sh), which sees this checkout and the cache.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/..")
# shellcheck source=scripts/cache.sh
. "$here/cache.sh"

[ $# -ge 2 ] || die "usage: kbuild.sh KDIR ARG..."
kdir=$1
shift
make=${MAKE:-make}
# A process of this machine, in whose tree the kernel is beside the headers.
[ ! -x "$kdir/linux" ] || set -- ARCH=um "$@"
suite=$(cat "${kdir%/usr/src/*}/suite" 2>/dev/null) || suite=
compiler=$(grep -o 'gcc-[0-9]*' "$kdir/.kernelvariables" 2>/dev/null | head -n 1) || compiler=

here_runs() {
	command -v "$compiler" >/dev/null &&
		! ldd "$kdir/scripts/mod/modpost" 2>&1 | grep -q 'not found'
}
if [ -z "$suite" ] || [ -z "$compiler" ] || here_runs; then
	exec "$make" -C "$kdir" "$@"
fi

root=$("$here/vm/ground.sh" "$suite" "$compiler" make perl python3-minimal libpython3-stdlib \
	mawk coreutils dash bash sed grep findutils diffutils xz-utils kmod pahole \
	libelf1t64 libssl3t64)

# Runs in a mount namespace of its own: its mounts go when it ends.
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
# Below a chroot, as in clean-room.sh, / is no mount whose propagation could change.
unshare "${may[@]}" true 2>/dev/null || may+=(--propagation unchanged)
unshare "${may[@]}" true 2>/dev/null ||
	die "Linux of $suite wants $compiler, which is not here, and this process may not make namespaces to use that of $suite"
# shellcheck disable=SC2016 # the bash in there expands it
exec unshare "${may[@]}" bash -ec 'enter "$@"' bash \
	"$root" "$top" "$UTF8GUARD_CACHE" -- \
	/usr/bin/env PATH=/usr/sbin:/usr/bin LC_ALL=C MAKEFLAGS="${MAKEFLAGS-}" MFLAGS="${MFLAGS-}" make -C "$kdir" "$@"
