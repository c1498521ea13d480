#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# utf8guard scan --fix and --undo on one file system after the other: files are known again after
# their inodes have left the memory, and after a mount; one that was made since is left.
# vm: -p xfsprogs,btrfs-progs,dosfstools,exfatprogs,bindfs

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

at=/tmp/at
lower=/tmp/lower
# Octets are Latin-1 to them: any name can be made.
declare -A with=([vfat]='utf8=0,iocharset=iso8859-1' [exfat]='iocharset=iso8859-1')

set_up() { # NAME
	case $1 in
	tmpfs) mkdir -p $at && mount -t tmpfs tmpfs $at ;;
	ext4) volume $at ;;
	xfs) volume $at 300M mkfs.xfs -q ;;
	btrfs) volume $at 128M mkfs.btrfs -q -M ;;
	vfat) options=${with[vfat]} volume $at 16M mkfs.vfat ;;
	exfat) options=${with[exfat]} volume $at 16M mkfs.exfat ;;
	overlay)
		mkdir -p $lower && mount -t tmpfs tmpfs $lower && mkdir $lower/{lower,upper,work} && names $lower/lower &&
			mount -t overlay -o "lowerdir=$lower/lower,upperdir=$lower/upper,workdir=$lower/work" overlay $at
		;;
	fuse)
		modprobe fuse
		[ -e /dev/fuse ] || mknod /dev/fuse c 10 229
		mkdir -p $lower && bindfs $lower $at
		;;
	esac
}

# A lower directory of overlay cannot be renamed, and with bindfs no directory.
names() { # DIR
	local d=$'d\xe9'
	case $fs in overlay | fuse) d=d ;; esac
	mkdir -p "$1/tree/$d/in" && echo text >"$1/tree/$d/in/"$'x\xe9' &&
		: >"$1/tree/"$'y\xe9' && : >"$1/tree/"$'e\xcc\x81'
}

listed() { (cd $at && find . | LC_ALL=C sort); }
numbers() { (cd $at && find . -printf '%i %P\n' | LC_ALL=C sort -k 2); }
forget() { sync && echo 3 >/proc/sys/vm/drop_caches; }
fix() { rm -f /tmp/log && utf8guard scan --fix --log /tmp/log --from latin1 --form nfc $at >/dev/null; }

for fs in tmpfs ext4 xfs btrfs vfat exfat overlay fuse; do
	mkdir -p $at
	ok "$fs: there is one" set_up $fs
	[ $fs = overlay ] || must names $at
	before=$(listed)
	ok "$fs: names are mended" fix
	mended=$(listed)
	isnt "... all of them" "$mended" "$before"
	numbers >/tmp/numbers
	forget
	case $fs in
	vfat | exfat) isnt "$fs: the numbers change when memory is short" "$(numbers)" "$(cat /tmp/numbers)" ;;
	esac
	run utf8guard scan --undo /tmp/log
	is "$fs: ... and back" "$status $(listed)$err" "0 $before"
	case $fs in
	ext4 | xfs | btrfs | vfat | exfat)
		must fix
		device=$(findmnt -no SOURCE $at)
		must umount $at
		must mount ${with[$fs]:+-o "${with[$fs]}"} "$device" $at
		run utf8guard scan --undo /tmp/log
		is "$fs: ... after it was mounted again, too" "$status $(listed)$err" "0 $before"
		;;
	esac
	# As soon as a file is gone, ext4 gives its number to another one.
	case $fs in
	ext4 | vfat | exfat)
		must fix
		new=$at/tree/$'y\xc3\xa9'
		born=$(stat -c %w "$new") number=$(stat -c %i "$new")
		until [ "$(stat -c %w "$new")" != "$born" ]; do
			rm "$new"
			sleep 0.02
			: >"$new"
		done
		[ $fs != ext4 ] || is "$fs: another file has its number" "$(stat -c %i "$new")" "$number"
		run utf8guard scan --undo /tmp/log
		like "$fs: a file that was made since is left" "$status $out" '^1 .*yé: left: gone, or another file by now'
		;;
	esac
	umount $at
	mountpoint -q $lower && umount $lower
done
done_testing
