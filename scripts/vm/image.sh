#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Print the file that QEMU boots for a kernel:  image.sh RELEASE DIR
#
# A bzImage takes up to five seconds of emulation to unpack itself. So the host
# unpacks it once, and keeps the ELF kernel in the cache. QEMU enters that by its
# PVH note. (Such a kernel runs where it was linked, without KASLR.) A kernel
# without that note, or packed in an unknown way, is booted as it is.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

[ $# = 2 ] || die "usage: image.sh RELEASE DIR"
packed=$2/boot/vmlinuz-$1
[ -r "$packed" ] || die "$packed: cannot be read"

number() { od -An -v -t "u$2" -j "$1" -N "$2" "$packed" | tr -d ' '; }

# The boot protocol's header (Documentation/arch/x86/boot.rst) says where the
# packed kernel lies. All but gzip have its unpacked size appended.
unpack() {
	local start length magic
	start=$((($(number 0x1f1 1) + 1) * 512 + $(number 0x248 4)))
	length=$(number 0x24c 4)
	payload() { tail -c +$((start + 1)) "$packed" | head -c "$1"; }
	magic=$(od -An -t x1 -j "$start" -N 4 "$packed" | tr -d ' ')
	case $magic in
	fd377a58) xz -dc < <(payload $((length - 4))) ;;
	28b52ffd) zstd -qdc < <(payload $((length - 4))) ;;
	1f8b*) gzip -dc < <(payload "$length") ;;
	*) return 1 ;;
	esac
}

if ! grep -qsx CONFIG_PVH=y "$2/boot/config-$1"; then
	printf '%s\n' "$packed"
	exit
fi
key=$(stat -c '%n %s %Y' "$packed" | sha256sum | cut -c 1-16)
image=$UTF8GUARD_CACHE/vmlinux/$1-$key
if [ ! -f "$image" ]; then
	mkdir -p "${image%/*}"
	new=$(mktemp "$image.XXXXXX")
	trap 'rm -f "$new"' EXIT
	if unpack 2>/dev/null >"$new" && [ "$(head -c 4 "$new")" = $'\177ELF' ]; then
		mv "$new" "$image"
		find "${image%/*}" -maxdepth 1 -type f -mtime +30 -delete
	else
		image=$packed
	fi
fi
printf '%s\n' "$image"
