#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Compile what is in userspace for another architecture, into build/ARCHITECTURE:
#
#   tools.sh ARCHITECTURE TARGET...      arm64; what userspace/Makefile has: tools, tests
#
# The compiler is that of Debian 13 for it, unpacked in a root of its own (vm/ground.sh); headers
# and libraries are those of the guest's root (vm/guest.sh).

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/..")
# shellcheck source=scripts/cache.sh
. "$here/cache.sh"

[ $# -ge 2 ] || die "usage: tools.sh ARCHITECTURE TARGET..."
architecture=$1
shift
case $architecture in
arm64) machine=aarch64-linux-gnu ;;
*) die "$architecture: unknown architecture; expected arm64" ;;
esac
guest=$("$here/vm/guest.sh" "$architecture")
root=$("$here/vm/ground.sh" trixie "gcc-14-$machine" make pkgconf dash bash coreutils sed grep mawk)
export PKG_CONFIG_LIBDIR=$guest/usr/lib/$machine/pkgconfig:$guest/usr/share/pkgconfig PKG_CONFIG_SYSROOT_DIR=$guest
exec "$here/vm/make.sh" "$root" -C "$top/userspace" BUILD="$top/build/$architecture" \
	CC="$machine-gcc-14 --sysroot=$guest" "$@"
