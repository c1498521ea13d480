#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run the kernel's own build for modules:
#
#   kbuild.sh KDIR ARG...        is make -C KDIR ARG...
#
# Modules must be built by the compiler that built their kernel, and the kernel headers of a
# later Debian contain programs that this machine may not be able to run. Where either is so,
# make runs in a root of the suite of that kernel (vm/ground.sh), which sees this checkout and
# the cache. For a kernel of another architecture that is a compiler which runs here and
# compiles for there.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
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
package=$compiler target=
if grep -qsx 'override ARCH = arm64' "$kdir/.kernelvariables" && [ "$(uname -m)" != aarch64 ]; then
	target=aarch64-linux-gnu- package=$compiler-aarch64-linux-gnu
	set -- "CROSS_COMPILE=$target" "$@"
fi

here_runs() {
	command -v "$target$compiler" >/dev/null &&
		! ldd "$kdir/scripts/mod/modpost" 2>&1 | grep -q 'not found'
}
if [ -z "$suite" ] || [ -z "$compiler" ] || here_runs; then
	exec "$make" -C "$kdir" "$@"
fi

# Debian renamed these packages when its time stamps got 64 bits.
[ "$suite" = bookworm ] && libraries=(libelf1 libssl3) || libraries=(libelf1t64 libssl3t64)
root=$("$here/vm/ground.sh" "$suite" "$package" make perl python3-minimal libpython3-stdlib \
	mawk coreutils dash bash sed grep findutils diffutils xz-utils kmod pahole "${libraries[@]}")
exec "$here/vm/make.sh" "$root" -C "$kdir" "$@"
