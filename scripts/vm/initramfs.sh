#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make the initramfs with which a kernel reaches the host's root, and print
# where it is:  initramfs.sh RELEASE DIR [ROOT]   (the two words of kernel.sh)
#
# Prints FILES IMAGE: what carries the host's files, 9p, virtiofs (the cloud flavours have no
# 9p) or hostfs (User-Mode Linux), and the initramfs.
#
# It holds busybox, the init beside this script, and the few modules of RELEASE
# that are needed to mount the root, in loading order. It is kept in the cache by
# release and by a hash of all that is in it. ROOT is the root of a guest of another
# architecture, which has a busybox for that.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

[ $# = 2 ] || [ $# = 3 ] || die "usage: initramfs.sh RELEASE DIR [ROOT]"
release=$1 dir=$2 root=${3-}
has() { PATH=$PATH:/usr/sbin:/sbin modprobe -C /dev/null -d "$dir" -S "$release" --show-depends "$1" >/dev/null 2>&1; }
if [ -x "$dir/linux" ]; then
	files=hostfs wanted=() # all of it is built in
elif has 9p; then
	files=9p wanted=(virtio_pci virtio_console 9pnet_virtio 9p overlay)
else
	files=virtiofs wanted=(virtio_pci virtio_console virtiofs overlay)
fi
applets='sh mount umount mkdir mkfifo chmod cp ln insmod hostname ifconfig switch_root sleep poweroff'
busybox=${root%/}/usr/bin/busybox
[ -n "${root%/}" ] || busybox=$(command -v busybox) || die "no busybox: install the package busybox-static"

# The wanted modules, dependencies first, each once. What is
# built in needs none.
list() {
	local m lines
	for m in ${wanted[@]+"${wanted[@]}"}; do
		lines=$(modprobe -C /dev/null -d "$dir" -S "$release" --show-depends "$m" 2>/dev/null) ||
			die "Linux $release has no module $m; without it the host's files cannot be reached"
		printf '%s\n' "$lines"
	done | sed -n 's/^insmod \(.*[^ ]\) *$/\1/p' | awk '!seen[$0]++'
}

PATH=$PATH:/usr/sbin:/sbin
found=$(list)
modules=()
[ -z "$found" ] || mapfile -t modules <<<"$found"
key=$(cat "$0" "$here/init" "$busybox" ${modules[@]+"${modules[@]}"} | sha256sum | cut -c 1-16)
image=$UTF8GUARD_CACHE/initramfs/$release-$key.cpio
if [ ! -f "$image" ]; then
	mkdir -p "${image%/*}"
	tree=$(mktemp -d "${image%/*}/.new.XXXXXX")
	trap 'rm -rf "$tree"' EXIT
	mkdir -p "$tree/root/bin" "$tree/root/modules"
	cp "$here/init" "$tree/root/init"
	cp "$busybox" "$tree/root/bin/busybox"
	for applet in $applets; do
		ln -s busybox "$tree/root/bin/$applet"
	done
	chmod 755 "$tree/root/init" "$tree/root/bin/busybox"
	ldd "$busybox" >/dev/null 2>&1 && die "busybox is not static: install busybox-static"
	for file in ${modules[@]+"${modules[@]}"}; do
		name=${file##*/} name=${name%.ko*}.ko
		case $file in
		*.xz) xz -dc "$file" ;;
		*.zst) zstd -qdc "$file" ;;
		*.gz) gzip -dc "$file" ;;
		*) cat "$file" ;;
		esac >"$tree/root/modules/$name"
		echo "$name" >>"$tree/root/modules/list"
	done
	touch "$tree/root/modules/list"
	(cd "$tree/root" && find . | cpio --quiet -o -H newc -R 0:0) >"$tree/image"
	mv "$tree/image" "$image"
	find "${image%/*}" -maxdepth 1 -name '*.cpio' -mtime +30 -delete
fi
printf '%s %s\n' "$files" "$image"
