#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The name check on real file systems: a local user tries every way to make a name, with every
# class of error; what must go on working does, the right rule decides, and some is exempt.
#
# promise local user: where a rule enforces, he makes no name that it refuses
# shown by: refused: $class
# shown by: refused: 255 octets, the last alone
# promise administrator by mistake: names that exist can be listed, used, renamed away and
#   deleted, whatever the policy
# shown by: a bad name is listed
# shown by: rename away
# shown by: nothing more, nothing less is there

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
# shellcheck source=userspace/tests/vm/names/names.sh
. "$here/names.sh"

if ! load service || ! load fs; then bail_out "the modules do not load"; fi
mkdir /tmp/tmpfs
mount -t tmpfs tmpfs /tmp/tmpfs
volume /tmp/ext4 || bail_out "no ext4 volume"
rmdir /tmp/ext4/lost+found
helper files.py

# A name of each class, some in the middle of good text; those of RFC 3629.
declare -A bad=(
	[overlong]='a\xc0\xae' ["overlong, three octets"]='\xe0\x80\xaf' [surrogate]='\xed\xa0\x80'
	[CESU-8]='\xed\xa1\x8c\xed\xbe\xb4' ["too large"]='\xf4\x90\x80\x80'
	["header bits"]='\xf8\x88\x80\x80\x80' ["never used"]='\xff' ["too short"]='caf\xc3.txt'
	["too long"]='x\x80y' [truncated]='caf\xc3' [Latin-1]='na\xefve r\xe9sum\xe9.txt'
	["Shift JIS"]='\x83e\x83X\x83g' [KOI8-R]='\xd0\xd2\xc9\xd7\xc5\xd4'
)
good=(
	'plain.txt' 'na\xc3\xafve' '\xe6\x97\xa5\xe6\x9c\xac\xe8\xaa\x9e'
	'\xd0\xbf\xd1\x80\xd0\xb8\xd0\xb2\xd0\xb5\xd1\x82'
	'\xd8\xb3\xd9\x84\xd8\xa7\xd9\x85' '\xf0\x9f\x90\xa7' '\xf4\x8f\xbf\xbf'
	'\xed\x9f\xbf' '\xee\x80\x80' '\xc2\x80' '\xef\xbf\xbf' 'e\xcc\x81' '\xef\xbb\xbfbom' '\x01'
)
long=$(printf '\\xc3\\xa9%.0s' {1..127})

# After loading, the default rule audits: everything is let through, and what is bad is told.
audited=$(number fs audited) checked=$(number fs checked)
log_mark
does "after loading a bad name is let through" "all ok" make /tmp/ext4 'a\xc0\xae'
is "but counted, in each of the ways" $(($(number fs audited) - audited)) 14
ok "as names that were looked at, too" [ $(($(number fs checked) - checked)) -ge 14 ]
for op in create mkdir mknod symlink link rename; do
	like "and reported: $op" "$(log_since "op=utf8guard-name act=$op " 1)" \
		"act=$op outcome=audited .*class=overlong offset=1 bytes=c0ae .*name=61c0ae "
done

default off
audited=$(number fs audited)
does "off: let through" "all ok" make /tmp/ext4 'a\xc0\xae'
is "and not counted" "$(number fs audited)" "$audited"

# Existing bad names, made while nobody objects.
for dir in /tmp/ext4 /tmp/tmpfs; do
	ask mkdir "$dir/\\xe9old"
	ask create "$dir/\\xe9old/file"
	for name in 1 2 3 4 5 6 7; do ask create "$dir/\\xe9$name"; done
	is "$dir has bad names" "$answer" ok
done

default enforce
for dir in /tmp/ext4 /tmp/tmpfs; do
	fs=${dir##*/}
	for class in "${!bad[@]}"; do
		does "$fs: refused: $class" "all EILSEQ" make "$dir" "${bad[$class]}"
	done
	for name in "${good[@]}"; do
		does "$fs: accepted: $name" "all ok" make "$dir" "$name"
	done
	# Without bind: a socket's address is shorter than a name may be.
	ways=(create mkdir fifo symlink link rename tmpfile)
	does "$fs: accepted: 254 octets" "all ok" make "$dir" "$long" "${ways[@]}"
	does "$fs: refused: 255 octets, the last alone" "all EILSEQ" make "$dir" "$long\\xc3" "${ways[@]}"

	# Whatever is there already can be used, and got rid of.
	does "$fs: a bad name is listed" '\xe91 \xe92 \xe93 \xe94 \xe95 \xe96 \xe97 \xe9old' names "$dir"
	does "$fs: stat" ok stat "$dir/\\xe91"
	does "$fs: open with O_CREAT" ok open "$dir/\\xe91"
	does "$fs: write" ok append "$dir/\\xe91" text
	does "$fs: read" text read "$dir/\\xe91"
	does "$fs: truncate" ok truncate "$dir/\\xe91"
	does "$fs: chmod" ok chmod "$dir/\\xe91"
	does "$fs: chown" ok chown "$dir/\\xe91"
	does "$fs: utime" ok utime "$dir/\\xe91"
	does "$fs: a good name for the same file" ok link "$dir/\\xe91" "$dir/good1"
	does "$fs: rename away" ok rename "$dir/\\xe92" "$dir/good2"
	does "$fs: unlink" ok unlink "$dir/\\xe91"
	does "$fs: a good name below a bad one" ok create "$dir/\\xe9old/new"
	does "$fs: a bad name below a bad one" EILSEQ create "$dir/\\xe9old/\\xff"
	does "$fs: rename a directory away" ok rename "$dir/\\xe9old" "$dir/old"
	does "$fs: rename a directory to a bad name" EILSEQ rename "$dir/old" "$dir/\\xe9old"
	does "$fs: rename bad to bad" EILSEQ rename "$dir/\\xe93" "$dir/\\xe98"
	ask create "$dir/onto"
	does "$fs: rename good onto bad makes no name" ok rename "$dir/onto" "$dir/\\xe97"
	does "$fs: rename bad onto itself" ok rename "$dir/\\xe93" "$dir/\\xe93"
	does "$fs: exchange bad with good" ok exchange "$dir/\\xe93" "$dir/good2"
	does "$fs: exchange good with bad" ok exchange "$dir/good2" "$dir/\\xe93"
	does "$fs: exchange bad with bad" ok exchange "$dir/\\xe93" "$dir/\\xe94"
	does "$fs: nothing more, nothing less is there" \
		'good1 good2 old \xe93 \xe94 \xe95 \xe96 \xe97' names "$dir"
done

# Which rule decides: the nearest, whatever the default and the order.
d=/tmp/ext4
mkdir -p $d/a/b/c $d/z
default audit
a=$(rule $d/a enforce)
does "a subtree that enforces" EILSEQ create "$d/a/\\xff"
does "and below it" EILSEQ create "$d/a/b/c/\\xff"
does "not beside it" ok create "$d/z/\\xff"
does "nor above it" ok create "$d/\\xff"
does "nor its own name" ok rename "$d/a" "$d/a\\xff"
ask rename "$d/a\\xff" "$d/a"
b=$(rule $d/a/b off)
does "the nearer rule wins: off" ok create "$d/a/b/c/\\xff"
does "and the farther one is still there" EILSEQ create "$d/a/\\xff"
rule $d/a/b/c enforce >/dev/null
does "a third in the second" EILSEQ create "$d/a/b/c/\\xfe"
default enforce
does "the nearer rule wins over an enforcing default" ok create "$d/a/b/\\xff"
does "into the subtree that is off" ok rename "$d/a/b/\\xff" "$d/a/b/\\xfe"
does "out of it" EILSEQ rename "$d/a/b/\\xfe" "$d/\\xfe"
default audit

# Rules stay at their paths, whatever becomes of the directories.
mv $d/a/b $d/z/b
does "a rule does not follow its directory" ok create "$d/z/b/c/\\xfd"
mkdir $d/a/b
does "it is for the next of that name" ok create "$d/a/b/\\xff"
mkdir $d/a/b/c
does "as is the one below it" EILSEQ create "$d/a/b/c/\\xff"
rmdir $d/a/b/c
is "nor does it go with its directory" "$(number fs rules)" 4
mkdir $d/a/b/c
does "and is there for the next" EILSEQ create "$d/a/b/c/\\xff"
mkdir /tmp/second
mount -t tmpfs tmpfs /tmp/second
second=$(rule /tmp/second enforce)
does "a rule for a whole file system" EILSEQ create "/tmp/second/\\xff"
ok "does not hold up umount" umount /tmp/second
waits() { utf8guard fs | grep -q "handle $second, waiting for its file system"; }
ok "and waits for it" until_true 300 waits
echo 3 >/proc/sys/vm/drop_caches
does "memory pressure does not take rules away" EILSEQ create "$d/a/\\xff"
mount -t tmpfs tmpfs $d/a/b
does "another file system inside is not the subtree's" ok create "$d/a/b/\\xff"
umount $d/a/b
ok "a rule is deleted" utf8guard fs del "$b"
ok "and another" utf8guard fs del "$a"
does "and decides no more" ok create "$d/a/\\xff"
ok "flush goes back to one rule that audits" utf8guard fs flush
is "with nothing else" "$(utf8guard fs)" "fs set default audit # handle 1"

# File systems that are exempt: no rule is asked.
default enforce
exempt=$(number fs exempt)
for dir in /sys/fs/cgroup /sys/kernel/tracing/instances /sys/fs/bpf; do
	does "exempt: $dir" ok mkdir "$dir/u\\xff"
	ask rmdir "$dir/u\\xff"
done
if modprobe configfs && modprobe null_blk nr_devices=0; then
	mkdir -p /sys/kernel/config
	mountpoint -q /sys/kernel/config || mount -t configfs configfs /sys/kernel/config
	does "exempt: configfs" ok mkdir '/sys/kernel/config/nullb/u\xff'
	ask rmdir '/sys/kernel/config/nullb/u\xff'
else
	skip 1 "no configfs with something in it"
fi
# automount(8) makes a directory for each key that somebody looks up, to mount on it. Its process
# group is that of whoever mounts the autofs, so it is this suite.
mkfifo "$tap/asked"
exec {asked}<>"$tap/asked"
mkdir /tmp/auto
if modprobe -q autofs4 || grep -q autofs /proc/filesystems; then
	mount -t autofs -o "fd=$asked,minproto=5,maxproto=5,indirect" test /tmp/auto
	does "exempt: autofs" ok mkdir '/tmp/auto/u\xff'
	ask rmdir '/tmp/auto/u\xff'
	umount /tmp/auto
else
	skip 1 "this kernel has no autofs"
fi
exec {asked}>&-
does "proc answers for itself" ENOENT create '/proc/\xff'
does "so does sysfs" EACCES create '/sys/\xff'
ok "and all that is counted" [ "$(($(number fs exempt) - exempt))" -ge 6 ]
refused=$(number fs refused)
does "a file system that is not exempt" EILSEQ mkdir '/dev/shm/\xff'
is "is counted too" $(($(number fs refused) - refused)) 1

# An overlay works in its layers with bad names that are there below.
overlay() { # UPPER-FILE-SYSTEM
	local upper=/tmp/$1 o=/tmp/overlay
	default off
	mkdir -p /tmp/lower $o "$upper/upper" "$upper/work"
	for name in 1 2 3 4 5 6 7 8; do ask create "/tmp/lower/\\xe9$name"; done
	ask mkdir '/tmp/lower/\xe9d'
	ask create '/tmp/lower/\xe9d/\xe9'
	mount -t overlay -o "lowerdir=/tmp/lower,upperdir=$upper/upper,workdir=$upper/work" overlay $o
	default enforce
	does "overlay on $1: a bad name is listed" '\xe91 \xe92 \xe93 \xe94 \xe95 \xe96 \xe97 \xe98 \xe9d' names $o
	does "overlay on $1: chmod" ok chmod "$o/\\xe91"
	does "overlay on $1: write" ok append "$o/\\xe92" text
	does "overlay on $1: it was written" text read "$o/\\xe92"
	does "overlay on $1: below a bad name" ok append "$o/\\xe9d/\\xe9" text
	does "overlay on $1: unlink" ok unlink "$o/\\xe93"
	does "overlay on $1: unlink what was copied up" ok unlink "$o/\\xe91"
	does "overlay on $1: rename away" ok rename "$o/\\xe94" "$o/good"
	does "overlay on $1: rename onto what was there" ok rename "$o/good" "$o/good2"
	does "overlay on $1: link to a good name" ok link "$o/\\xe95" "$o/linked"
	does "overlay on $1: open with O_CREAT" ok open "$o/\\xe96"
	does "overlay on $1: a new bad name" "all EILSEQ" make $o '\xff' \
		create open file mkdir fifo device socket bind symlink link rename noreplace
	does "overlay on $1: over a whiteout" EILSEQ create "$o/\\xe93"
	ask create "$o/onto"
	does "overlay on $1: rename onto a bad name" ok rename "$o/onto" "$o/\\xe97"
	does "overlay on $1: a good name" "all ok" make $o 'na\xc3\xafve' \
		create open file mkdir fifo device socket bind symlink link rename noreplace
	does "overlay on $1: nothing more, nothing less" \
		'good2 linked \xe92 \xe95 \xe96 \xe97 \xe98 \xe9d' names $o
	does "overlay on $1: nobody else may use its layers for that" EILSEQ \
		create "$upper/upper/\\xff"
	does "overlay on $1: nor with others' credentials" "all EILSEQ" \
		make "$upper/upper" '\xff' ring-personality
	umount $o
	rm -r "$upper/upper" "$upper/work"
}
overlay tmpfs
overlay ext4

# Where bad names are refused, scan mends them, but undo does not bring them back.
mkdir /tmp/old
default audit
ask create '/tmp/old/\xe9'
default enforce
ok "scan mends under an enforcing rule" \
	utf8guard scan --fix --from latin1 --log /tmp/old.log /tmp/old
run utf8guard scan --undo /tmp/old.log
is "undo would make a bad name" "$status" 1
like "and says why not" "$out" '^/tmp/old/é: left: Invalid or incomplete multibyte'
does "nothing is lost" '\xc3\xa9' names /tmp/old
default audit
ok "where that is audited, it does" utf8guard scan --undo /tmp/old.log
does "as it was" '\xe9' names /tmp/old

is "no name was missed" "$(number fs missed)" 0
done_testing
