#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Build a kernel that finds faults from Debian's linux-source-6.12, and print where it is,
# as kernel.sh does:
#
#   debug.sh debug      KASAN, lockdep, kmemleak, UBSAN...: debug.config beside this script
#   debug.sh kcsan      KCSAN, which finds data races: kcsan.config
#
# Both have machine.config and network.config besides. The cache keeps one for each version of the
# package, compiler and configuration. The first build took fifty minutes on two busy cores; it needs several GB of
# disk meanwhile.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"
# shellcheck source=scripts/source.sh
. "$here/../source.sh"

case $#-${1-} in
1-debug | 1-kcsan) ;;
*) die "usage: debug.sh debug|kcsan" ;;
esac

# shellcheck disable=SC2317 # called by source.sh
source_make() {
	make -s -C "$1" -j"$(nproc)" ARCH=x86_64 KBUILD_BUILD_TIMESTAMP=0 bzImage modules
}

# Puts the kernel where kernel.sh has those of Debian, and keeps what modules need of the tree.
# shellcheck disable=SC2317 # called by source.sh
source_prune() { # TREE
	local tree=$1 release headers
	release=$(make -s -C "$tree" ARCH=x86_64 kernelrelease)
	headers=$tree/usr/src/linux-headers-$release
	make -s -C "$tree" ARCH=x86_64 INSTALL_MOD_PATH="$tree/install" modules_install
	mkdir -p "$tree/install/boot" "$tree/install/usr/src"
	cp "$tree/arch/x86/boot/bzImage" "$tree/install/boot/vmlinuz-$release"
	cp "$tree/.config" "$tree/install/boot/config-$release"
	rm -f "$tree/install/lib/modules/$release"/{build,source}
	(
		cd "$tree"
		find . -depth ! -type d ! -path './install/*' \
			! -path './include/*' ! -path './scripts/*' ! -path './arch/x86/include/*' \
			! -path './tools/objtool/objtool' ! -path './arch/x86/Makefile*' \
			! -name Kbuild ! -name COPYING ! -path ./Makefile \
			! -path ./.config ! -path ./Module.symvers -delete
		find . \( -name '*.o' -o -name '*.a' -o -name '*.cmd' \) \
			! -path ./scripts/module.lds -delete
		find . -depth -type d -empty -delete
		mkdir -p "$headers"
		find . -mindepth 1 -maxdepth 1 ! -name install ! -name usr -exec mv {} "$headers" \;
		mv install/* .
		rmdir install
	)
}

source_kernel 6.12 x86_64 "$UTF8GUARD_CACHE/$1" "$here/$1.config" "$here/machine.config" "$here/network.config"
printf '%s %s\n' "$(basename "$kernel"/lib/modules/*)" "$kernel"
