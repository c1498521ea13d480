#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# utf8guard scan --fix and --undo on one file system after the other: files are known again after
# their inodes have left the memory, and after a mount; one that was made since is left. Where case
# is folded, a name gets another spelling by way of a third name.
# vm: -m 1536 -p xfsprogs,btrfs-progs,dosfstools,exfatprogs,bindfs,f2fs-tools
#
# promise administrator by mistake: scan --fix and --undo change the spelling of a name also where
#   the file system takes the old and the new one for the same name; killed at any time, nothing is lost
# shown by: each has its new spelling
# shown by: killed at each rename, and undone

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
	overlay | overlay_of_two)
		mkdir -p $lower && mount -t tmpfs tmpfs $lower && mkdir -p $lower/lower $lower/other && names $lower/lower || return
		[ "$fs" = overlay ] || mount -t tmpfs tmpfs $lower/other || return
		mkdir $lower/other/upper $lower/other/work && overlay
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
	case $fs in overlay* | fuse) d=d ;; esac
	mkdir -p "$1/tree/$d/in" && echo text >"$1/tree/$d/in/"$'x\xe9' &&
		: >"$1/tree/"$'y\xe9' && : >"$1/tree/"$'e\xcc\x81' || return
	case $fs in overlay*) ln "$1/tree/"$'y\xe9' "$1/tree/"$'z\xe9' ;; esac
}
overlay() {
	mount -t overlay -o "lowerdir=$lower/lower,upperdir=$lower/other/upper,workdir=$lower/other/work" overlay $at
}

listed() { (cd $at && find . | LC_ALL=C sort); }
numbers() { (cd $at && find . -printf '%i %P\n' | LC_ALL=C sort -k 2); }
forget() { sync && echo 3 >/proc/sys/vm/drop_caches; }
fix() { rm -f /tmp/log && utf8guard scan --fix --log /tmp/log --from latin1 --form nfc $at >/dev/null; }

for fs in tmpfs ext4 xfs btrfs vfat exfat overlay overlay_of_two fuse; do
	mkdir -p $at
	ok "$fs: there is one" set_up $fs
	[[ $fs = overlay* ]] || must names $at
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
	case $fs in
	overlay*)
		must fix
		must umount $at
		must overlay
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
	! mountpoint -q $lower || umount -R $lower
done

# What differs by case or by normalization alone is there, and the same file.
apart=$'E\xcc\x81' joined=$'\xc3\xa9'
set_up_folding() {
	case $1 in
	vfat) options=utf8 volume $at 16M mkfs.vfat ;;
	exfat) volume $at 16M mkfs.exfat ;;
	ext4) volume $at 24M mkfs.ext4 -q -F -O casefold -E encoding=utf8 ;;
	f2fs) modprobe f2fs && volume $at 128M mkfs.f2fs -q -f -O casefold -C utf8 ;;
	esac && rm -rf $at/lost+found && mkdir $at/d || return
	case $1 in
	ext4 | f2fs) chattr +F $at/d ;;
	esac
}
# Anew, because what is in memory may have another spelling than what is on disk.
again() {
	local device options=defaults
	device=$(findmnt -no SOURCE $at)
	[ "$fs" != vfat ] || options=utf8
	umount $at && mount -o $options "$device" $at
}
respell() { rm -f /tmp/log && utf8guard scan --fix --log /tmp/log --form nfkc-casefold $at "$@"; }
for fs in vfat exfat ext4 f2fs; do
	ok "$fs: there is one that folds case" set_up_folding $fs || continue
	mkdir -p "$at/d/A Dir/In" && echo text >"$at/d/A Dir/B FILE" && : >"$at/d/$apart" && : >$at/d/ok
	must again
	before=$(listed)
	run utf8guard scan --fix --dry-run --form nfkc-casefold $at
	is "$fs: a dry run says what becomes of each" "$status $(LC_ALL=C sort "$tap/out")" "1 $at/d/A Dir/B FILE:0: not-normalized -> b file
$at/d/A Dir/In:0: not-normalized -> in
$at/d/A Dir:0: not-normalized -> a dir
$at/d/$apart:0: not-normalized -> $joined"
	run respell
	is "$fs: and it does" "$status $(LC_ALL=C sort "$tap/out")$err" "0 $at/d/A Dir -> a dir
$at/d/A Dir/B FILE -> b file
$at/d/A Dir/In -> in
$at/d/$apart -> $joined"
	must again
	is "$fs: each has its new spelling" "$(listed)" $'.\n./d\n./d/a dir\n./d/a dir/b file\n./d/a dir/in\n./d/ok\n./d/'$joined
	is "... and its contents" "$(cat "$at/d/a dir/b file")" text
	run utf8guard scan --undo /tmp/log
	must again
	is "$fs: ... and back" "$status $(listed)$err" "0 $before"
	bad=()
	for ((n = 1; ; n++)); do
		rm -f /tmp/log
		strace -qq -o /tmp/trace -e trace=renameat2 -e inject=renameat2:signal=KILL:when=$n \
			utf8guard scan --fix --log /tmp/log --form nfkc-casefold $at >/dev/null 2>&1
		code=$?
		utf8guard scan --undo /tmp/log >/dev/null 2>&1 || bad+=("$n: $?")
		again
		[ "$(listed)" = "$before" ] || bad+=("$n: $(listed)")
		[ $code = 137 ] || break
	done 2>/dev/null
	is "$fs: killed at each rename, and undone" "$n ${bad[*]}" "$n "
	ok "$fs: ... there were two for each respelling" [ $n -gt 6 ]
	if [ $fs = ext4 ]; then
		must ln $at/d/ok $at/d/ALSO
		must mkdir $at/plain
		must touch $at/plain/X
		must ln $at/plain/X $at/plain/x
		run respell
		is "$fs: a file with two names; in a directory that does not fold, these are two" \
			"$status $(grep -v 'A Dir\|/E' "$tap/out" | LC_ALL=C sort)" "1 $at/d/ALSO -> also
$at/plain/X:0: not-normalized: left: its new name exists"
		must utf8guard scan --undo /tmp/log
		must rm -r $at/d/ALSO $at/plain
	fi
	must respell >/dev/null
	after=$(listed)
	if [ "${loaded-}" ] || { load service && load fs && loaded=1; }; then
		must utf8guard fs replace default enforce form nfkc-casefold
		run utf8guard scan --undo /tmp/log
		must utf8guard fs replace default audit
		like "$fs: the name check refuses the old spelling" "$status $out" '^1 .*: left: '
		is "... which leaves the new one" "$(listed)" "$after"
	else
		skip 2 "no name check here"
	fi
	umount $at
done
done_testing
