#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Build a User-Mode Linux kernel with KUnit from Debian's linux-source-7.3, and
# print where it is. (6.12 runs no program on a processor with AMX, whose state is larger
# than it has room for.)
#
#   build.sh [FRAGMENT...]      configured by kunit/.kunitconfig, and more
#
# Prints DIR: DIR/linux is the kernel, DIR is a KDIR for modules (ARCH=um), and has
# lib/modules and usr/src/linux-headers-RELEASE as kernel.sh has those of Debian. It
# is kept in the cache, one a package version, compiler and configuration. The
# first time takes minutes, and 1 GB of disk meanwhile.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"
# shellcheck source=scripts/source.sh
. "$here/../source.sh"

# shellcheck disable=SC2317 # called by source.sh
source_make() {
	make -s -C "$1" -j"$(nproc)" ARCH=um KBUILD_BUILD_TIMESTAMP=0 linux modules
}

# Keeps the kernel, and what `make M=` needs, as distributions package headers.
# shellcheck disable=SC2317 # called by source.sh
source_prune() { # TREE
	(
		cd "$1"
		release=$(cat include/config/kernel.release)
		mkdir -p "usr/src" "lib/modules/$release"
		ln -s ../.. "usr/src/linux-headers-$release"
		cp modules.builtin "lib/modules/$release"
		: >"lib/modules/$release/modules.order"
		/sbin/depmod -b . "$release"
		strip -g linux
		# KASAN of User-Mode Linux keeps the redzones of a module's variables when it is unloaded:
		# it would report the next module at that address.
		sed -i 's/asan-globals=1/asan-globals=0/' scripts/Makefile.kasan
		find . -depth ! -type d \
			! -path './include/*' ! -path './scripts/*' \
			! -path './arch/um/include/*' ! -path './arch/um/scripts/*' \
			! -path './arch/x86/include/*' ! -path './arch/x86/um/*.h' \
			! -name 'Makefile*' ! -name Kbuild ! -name COPYING \
			! -path ./.config ! -path ./Module.symvers ! -path './lib/modules/*' ! -path './usr/src/*' ! -path ./linux -delete
		find . \( -name '*.o' -o -name '*.a' -o -name '*.cmd' \) \
			! -path ./scripts/module.lds -delete
		rm -rf arch/[!ux]* arch/xtensa scripts/dtc scripts/kconfig \
			include/dt-bindings include/linux/mlx5 include/sound
		find drivers fs net sound lib kernel mm crypto block security samples \
			tools rust Documentation -name 'Makefile*' -delete
		find . -depth -type d -empty -delete
		mkdir -p arch/um/include/generated/uapi # empty, but searched
	)
}

source_kernel 7.3 um "$UTF8GUARD_CACHE/uml" "$here/../../kunit/.kunitconfig" "$@"
# shellcheck disable=SC2154 # by source_kernel
printf '%s\n' "$kernel"
