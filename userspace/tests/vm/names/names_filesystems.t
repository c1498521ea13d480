#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The name check, one file system after the other: a local user makes all that can be made there,
# which gets a good name or none; and what the manual says to go unseen does.
# vm: -m 1536 -p xfsprogs,btrfs-progs,dosfstools,bindfs,ocfs2-tools
#
# promise local user: on none of these file systems does he make a name that a rule refuses
# shown by: no name was missed

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
# shellcheck source=userspace/tests/vm/names/names.sh
. "$here/names.sh"

# What every file system can do, and then what most can.
few=(create open creat file mkdir rename ring-create ring-mkdir ring-rename)
most=("${few[@]}" fifo device socket bind symlink link ring-symlink ring-link)
all=("${most[@]}" tmpfile noreplace whiteout)
declare -A ways=(
	[tmpfs]="${all[*]}" [ext4]="${all[*]}" [xfs]="${all[*]}" [btrfs]="${all[*]} subvolume snapshot"
	[overlay]="${most[*]} noreplace" [vfat]="${few[*]} noreplace" [fuse]="${most[*]}"
)
order=(tmpfs ext4 xfs btrfs overlay vfat fuse)
at=/tmp/at

# Each is mounted on $at/NAME, or says why not.
set_up() { # NAME
	mkdir -p "$at/$1" "/tmp/below/$1"
	case $1 in
	tmpfs) mount -t tmpfs tmpfs "$at/$1" ;;
	ext4) volume "$at/$1" ;;
	xfs) volume "$at/$1" 300M mkfs.xfs -q ;;
	btrfs) volume "$at/$1" 128M mkfs.btrfs -q -M ;;
	# Octets are Latin-1 to it: any name can be made.
	vfat) options=utf8=0,iocharset=iso8859-1 volume "$at/$1" 16M mkfs.vfat ;;
	overlay)
		mkdir /tmp/below/{lower,upper,work}
		mount -t overlay -o "lowerdir=/tmp/below/lower,upperdir=/tmp/below/upper,workdir=/tmp/below/work" \
			overlay "$at/$1"
		;;
	fuse)
		modprobe fuse
		[ -e /dev/fuse ] || mknod /dev/fuse c 10 229
		bindfs "/tmp/below/$1" "$at/$1"
		;;
	esac
}

helper files.py
for fs in "${order[@]}"; do
	ok "$fs: there is one" set_up "$fs"
	# shellcheck disable=SC2086 # words
	open_to "$fs" "$at/$fs" ${ways[$fs]}
done
if ! load service || ! load fs; then bail_out "the modules do not load"; fi
default off
for fs in "${order[@]}"; do
	handle=$(rule "$at/$fs" enforce)
	# shellcheck disable=SC2086 # words
	covers "$fs" "$at/$fs" ${ways[$fs]}
	does "$fs: the rule is for this file system" ok create '/tmp/\xff'
	ask unlink '/tmp/\xff'
	utf8guard fs del "$handle"
done
default enforce

# Some names vfat refuses itself, with its own errno.
does "vfat: a name it cannot hold" EINVAL create "$at/vfat/a:b"
# Dots at the end it leaves out.
must utf8guard fs replace default enforce refuse edge-space
does "vfat: a name with white space at its end" EILSEQ create "$at/vfat/a\\xc2\\xa0"
does "vfat: with a dot after it, it goes unseen, as documented" ok create "$at/vfat/a\\xc2\\xa0."
does "vfat: and is at the end" 'a\xc2\xa0' names "$at/vfat"
does "vfat: but not a space" EINVAL create "$at/vfat/a ."
must utf8guard fs replace default enforce

does "btrfs: inside a subvolume it is seen" EILSEQ create "$at/btrfs/origin/\\xff"
does "btrfs: a subvolume is not renamed to a bad name" EILSEQ rename "$at/btrfs/origin" "$at/btrfs/\\xff"

# What no hook is called for.
unseen() { # NAME COMMAND...
	local before
	before=$(number fs checked)
	ok "$1: made by ioctl, it goes unseen, as documented" "${@:2}"
	is "$1: nobody asked" "$(number fs checked)" "$before"
}
if volume $at/ocfs2 64M mkfs.ocfs2 -q -M local --fs-features=refcount,local -N 1; then
	covers ocfs2 $at/ocfs2 create mkdir symlink link rename
	ask create $at/ocfs2/file
	unseen "ocfs2 reflink" python3 "$here/reflink.py" "$at/ocfs2/file" $at/ocfs2/$'\xff'
else
	fail "ocfs2: there is one"
fi

is "no name was missed" "$(number fs missed)" 0
done_testing
