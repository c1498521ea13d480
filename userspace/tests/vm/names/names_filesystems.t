#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The name check, one file system after the other: a local user makes all that can be made there,
# which gets a good name or none; and what the manual says to go unseen does.
# vm: -m 1536 -p xfsprogs,btrfs-progs,dosfstools,bindfs,ocfs2-tools
#
# promise local user: on none of these file systems does he make a name that a rule refuses
# shown by: a bad name is refused

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

# A clone of a file system has its UUID, and so its rules. Where btrfs has both mounted at a time, it
# has a UUID of its own making for the second; it is not to show.
mount_clones() { # NAME...
	local name
	for name in "$@"; do
		mkdir -p "/tmp/$name" && mount -o loop "$tap/$name" "/tmp/$name" || return
	done
}
if [ -e /sys/fs/btrfs/features/temp_fsid ]; then
	must truncate -s 128M "$tap/origin" && must mkfs.btrfs -q -M "$tap/origin" >&2 && must cp "$tap/origin" "$tap/clone"
	ok "btrfs: a file system and its clone are mounted" mount_clones origin clone
	is "btrfs: one of them has another UUID for itself" "$(grep -c 1 < <(cat /sys/fs/btrfs/*-*/temp_fsid))" 1
	default off
	handle=$(rule /tmp/clone enforce)
	like "btrfs: a rule for the clone has the UUID on disk" "$(utf8guard save)" \
		"subtree /tmp/.* volume btrfs:$(blkid -s UUID -o value "$tap/clone" | tr -d - | tr a-f A-F): "
	does "btrfs: it is for the clone" EILSEQ create '/tmp/clone/\xff'
	does "btrfs: and for the origin" EILSEQ create '/tmp/origin/\xff'
	must umount /tmp/origin /tmp/clone
	ok "btrfs: they are mounted the other way round" mount_clones clone origin
	does "btrfs: it is for the clone still" EILSEQ create '/tmp/clone/\xff'
	does "btrfs: and for the origin still" EILSEQ create '/tmp/origin/\xff'
	utf8guard fs del "$handle"
	does "btrfs: nothing else refuses that" ok create '/tmp/origin/\xff'
	default enforce
fi

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
