#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The name check on the subvolumes and snapshots of btrfs, which ioctls make: a local user tries
# each of these ioctls, whichever module was loaded first, and as either comes and goes.
# vm: -m 1536 -p btrfs-progs
#
# promise local user: he makes no subvolume or snapshot of btrfs with a name that a rule refuses
# shown by: subvolumes are covered
# shown by: a user makes no bad snapshot

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
# shellcheck source=userspace/tests/vm/names/names.sh
. "$here/names.sh"

ioctls=(subvolume subvolume-v2 snapshot snapshot-v2)
b=/tmp/b
set_up() { volume $b 128M mkfs.btrfs -q -M && losetup -j "$(echo "$tap"/volume.*)" | cut -d : -f 1 >"$tap/device"; }
mount_again() { mount -t btrfs "$(<"$tap/device")" $b; }
coverage() { utf8guard show -j | sed -n 's/.*"subvolumes":"\([a-z]*\)".*/\1/p'; }
attached() { grep -c '^btrfs_mksubvol .* I' /sys/kernel/tracing/enabled_functions; }
as_user() { setpriv --reuid 1000 --regid 1000 --clear-groups "$@"; }

helper files.py
ok "there is a volume" set_up
open_to btrfs $b "${ioctls[@]}"
ok "the service loads" load service
ok "the name check loads where btrfs is in use" load fs
is "subvolumes are covered" "$(coverage)" covered
like "and that is shown" "$(utf8guard)" 'subvolumes: covered'
like "and no metric says otherwise" "$(utf8guard stats --prometheus)" 'fs_subvolumes_uncovered 0'
is "one function is attached to" "$(attached)" 1

default enforce
for ioctl in "${ioctls[@]}"; do
	covers "$ioctl" $b "$ioctl"
done
ask mkdir $b/d
covers "in a directory" $b/d "${ioctls[@]}"
must btrfs subvolume create $b/sub
covers "in a subvolume" $b/sub "${ioctls[@]}"
must btrfs subvolume create $b/there
does "a name that is there" "all EEXIST but there" make $b there subvolume
long=$(printf '\\xff%.0s' {1..256})
for ioctl in "${ioctls[@]}"; do
	before=$(number fs checked)
	does "$ioctl: a name that is too long" ENAMETOOLONG make $b "$long" "$ioctl"
	# One name is checked: that of the file .source, which files.py makes.
	is "$ioctl: nobody is asked for that" "$(number fs checked)" $((before + 1))
	ask unlink $b/.source
done
log_mark
run btrfs subvolume create $b/$'caf\xe9'
like "the tool of btrfs is told" "$status $err" "^1 .*Invalid or incomplete"
log_since "op=utf8guard-name act=subvolume " >"$tap/line"
like "the log says what" "$(<"$tap/line")" "act=subvolume outcome=refused .*class=truncated offset=3 bytes=e9 "
like "and where" "$(<"$tap/line")" "scope=default fstype=btrfs .*name=636166e9 .*path=2f .*uid=0 .*res=0"

# Which rule decides.
rule=$(rule $b/d audit)
audited=$(number fs audited)
does "audit: they are made" "all ok" make $b/d "$ill_formed" "${ioctls[@]}"
is "and counted" $(($(number fs audited) - audited)) 4
utf8guard fs del "$rule"
rule=$(rule $b/d off)
does "off: they are made" "all ok" make $b/d "$ill_formed" "${ioctls[@]}"
does "but not beside" "all EILSEQ" make $b "$ill_formed" "${ioctls[@]}"
utf8guard fs del "$rule"
must utf8guard fs add subtree $b/d enforce admin exempt
does "exempt: an administrator makes them" "all ok" make $b/d "$ill_formed" "${ioctls[@]}"
chown 1000 $b/d $b/origin
run as_user btrfs subvolume create $b/d/$'caf\xe9'
like "exempt: a user makes no bad subvolume" "$status $err" "^1 .*Invalid or incomplete"
run as_user btrfs subvolume snapshot $b/origin $b/d/$'caf\xe9'
like "exempt: a user makes no bad snapshot" "$status $err" "^1 .*Invalid or incomplete"
ok "a user makes a subvolume with a good name" as_user btrfs subvolume create $b/d/$'caf\xc3\xa9'
ok "and a snapshot" as_user btrfs subvolume snapshot $b/origin $b/d/$'caf\xc3\xa92'
must utf8guard fs flush
default enforce
must utf8guard fs add superblock $b audit comment "the volume"
does "a rule for the super block" "all ok" make $b "$ill_formed" "${ioctls[@]}"
must utf8guard fs flush

# utf8guard_fs is unloaded and loaded while btrfs is in use.
while [ ! -e $b/stop ]; do
	btrfs subvolume create $b/busy && btrfs subvolume create $b/$'busy\xff'
	rmdir $b/busy $b/$'busy\xff'
done >/dev/null 2>&1 &
failed=0
for _ in {1..10}; do
	{ rmmod utf8guard_fs && load fs && utf8guard fs set default enforce; } || failed=$((failed + 1))
done
touch $b/stop
wait $!
rm $b/stop
is "unloaded and loaded ten times as subvolumes are made" $failed 0
covers "after that" $b "${ioctls[@]}"
ok "it unloads" rmmod utf8guard_fs
is "nothing is attached to" "$(attached)" 0
does "bad names are made again" "all ok" make $b "$ill_formed" "${ioctls[@]}"

# In some kernels, btrfs is no module.
if [ ! -e /sys/module/btrfs ]; then
	ok "it loads again" load fs
	is "subvolumes are covered again" "$(coverage)" covered
	is "no name of those was missed" "$(number fs missed)" 0
	ok "and unloads again" unload utf8guard_fs utf8guard
	done_testing
	exit
fi

# btrfs is unloaded and loaded; whoever loads it may see no /sys.
load fs
default enforce
for n in 1 2 3; do
	must umount $b
	ok "$n: btrfs unloads" rmmod btrfs
	is "$n: there are no subvolumes" "$(coverage)" absent
	is "$n: nothing is attached to" "$(attached)" 0
	case $n in
	1) ok "btrfs loads with its file system" mount_again ;;
	2) ok "btrfs loads by itself" modprobe btrfs && must mount_again ;;
	3) ok "btrfs loads where no /sys is seen" unshare -m sh -c 'umount -l /sys && modprobe btrfs' && must mount_again ;;
	esac
	is "$n: subvolumes are covered" "$(coverage)" covered
	covers "$n: as they were" $b "${ioctls[@]}"
done
rmmod utf8guard_fs
umount $b
rmmod btrfs
load fs
is "loaded first, without btrfs: there are none" "$(coverage)" absent
default enforce
ok "then btrfs" mount_again
covers "loaded first" $b "${ioctls[@]}"
rmmod utf8guard_fs
ok "it loads where no /sys is seen" unshare -m sh -c "umount -l /sys && insmod $UTF8GUARD_MODULES/utf8guard_fs.ko"
is "and covers subvolumes" "$(coverage)" covered

# If the function of btrfs cannot be attached to, the module loads and says so.
uncovered() { # NAME WHY
	is "$1: subvolumes are not covered" "$(coverage)" uncovered
	like "$1: that is said" "$(utf8guard)" "warning .*subvolumes of btrfs are not judged: $2"
	like "$1: in the log, too" "$(log_since 'subvolumes of btrfs')" "are not judged: $2"
	like "$1: and in a metric" "$(utf8guard stats --prometheus)" 'fs_subvolumes_uncovered 1'
	default enforce
	does "$1: they are made as they like" "all ok" make $b "$ill_formed" "${ioctls[@]}"
	does "$1: nothing else is" "all EILSEQ" make $b "$ill_formed"
}
rmmod utf8guard_fs
insmod "$UTF8GUARD_MODULES/test/utf8guard_rival.ko" symbol=btrfs_mksubvol
log_mark
ok "taken: it loads" load fs
uncovered taken ".*livepatch"
rmmod utf8guard_rival
umount $b
rmmod btrfs
mount_again
is "taken: covered when btrfs comes anew" "$(coverage)" covered
umount $b
rmmod btrfs
log_mark
# What is mounted over /sys/kernel/btf is not believed: only the kernel's own file has the types of
# btrfs.
mkdir /tmp/btf
mount -t tmpfs tmpfs /tmp/btf
cp /sys/kernel/btf/vmlinux /tmp/btf/btrfs
mount --bind /tmp/btf /sys/kernel/btf
ok "no types: btrfs loads" mount_again
uncovered "no types" "its types .* cannot be read"
umount /sys/kernel/btf

is "no name was missed" "$(number fs missed)" 0
ok "all unload" unload utf8guard_fs utf8guard
ok "and btrfs after them" umount $b
ok "as a module" rmmod btrfs
done_testing
