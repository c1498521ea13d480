#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Build a User-Mode Linux kernel with KUnit from Debian's linux-source-6.12, and
# print where it is.
#
#   build.sh [FRAGMENT...]      configured by kunit/.kunitconfig, and more
#
# Prints DIR: DIR/linux is the kernel, DIR is a KDIR for modules (ARCH=um). It
# is kept in the cache, one a package version, compiler and configuration. The
# first time takes minutes, and 1 GB of disk meanwhile.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

package=linux-source-6.12
tarball=/usr/src/$package.tar.xz
fragments=("$here/../../kunit/.kunitconfig" "$@")
kernels=$UTF8GUARD_CACHE/uml

[ -r "$tarball" ] || die "$tarball is not there: apt-get install $package"
for tool in gcc make flex bison bc xz; do
	command -v $tool >/dev/null ||
		die "$tool is not there: apt-get install gcc make flex bison bc xz-utils"
done

# All that the result depends on; this script decides what is kept.
version=$(dpkg-query -W -f '${Version}' $package 2>/dev/null) ||
	version=$(stat -c %Y "$tarball")
key=$({ grep -hv '^[[:space:]]*#' "${fragments[@]}" "$0"; gcc -v 2>&1; } | sha256sum)
dir=$kernels/$version-${key:0:12}

# Most of what UML never compiles; Kconfig and make still want their files there.
unpack() {
	tar -x -f "$tarball" -C "$1" --strip-components 1 -I 'xz -T0' \
		--exclude '*/Documentation/*/*' --exclude '*/tools/testing' \
		--exclude '*/arch/[!ux]*/*.[chS]' --exclude '*.dts' --exclude '*.dtsi' \
		--exclude '*/drivers/net/*/*.[ch]' --exclude '*/sound/*/*.[ch]' \
		--exclude '*/drivers/gpu/*.[ch]' --exclude '*/drivers/media/*.[ch]' \
		--exclude '*/drivers/scsi/*.[ch]' --exclude '*/drivers/staging/*.[ch]' \
		--exclude '*/drivers/infiniband/*.[ch]' --exclude '*/drivers/iio/*.[ch]'
}

# A symbol that kconfig drops in silence would silently not be tested with.
configure() {
	local line
	cat "${fragments[@]}" >"$1/fragment"
	make -s -C "$1" ARCH=um KCONFIG_ALLCONFIG="$1/fragment" allnoconfig >&2
	while read -r line; do
		[[ $line != CONFIG_* ]] || grep -qxF "$line" "$1/.config" ||
			die "$line: this kernel will not have it"
	done <"$1/fragment"
}

# What `make M=` needs and the kernel, as distributions package headers.
prune() {
	(
		cd "$1"
		strip -g linux
		find . -depth ! -type d \
			! -path './include/*' ! -path './scripts/*' \
			! -path './arch/um/include/*' ! -path './arch/um/scripts/*' \
			! -path './arch/x86/include/*' ! -path './arch/x86/um/*.h' \
			! -name 'Makefile*' ! -name Kbuild ! -name COPYING \
			! -path ./.config ! -path ./Module.symvers ! -path ./linux -delete
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

build() {
	local tmp
	tmp=$(mktemp -d "$kernels/.new.XXXXXX")
	# shellcheck disable=SC2064 # expand now
	trap "rm -rf '$tmp'" EXIT
	say "building User-Mode Linux $version: minutes, once; log in $kernels/build.log"
	unpack "$tmp"
	configure "$tmp"
	make -s -C "$tmp" -j"$(nproc)" ARCH=um KBUILD_BUILD_TIMESTAMP=0 \
		linux modules >"$kernels/build.log" 2>&1 </dev/null ||
		{ tail -n 20 "$kernels/build.log" >&2; die "the kernel does not build"; }
	prune "$tmp"
	mv "$tmp" "$dir"
	trap - EXIT
}

mkdir -p "$kernels"
exec 9>"$kernels/.lock"
flock 9
# Left by a build that was killed: nobody else is here.
rm -rf "$kernels"/.new.*
[ -x "$dir/linux" ] || build
printf '%s\n' "$dir"
