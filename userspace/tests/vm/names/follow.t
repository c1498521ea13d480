#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rules for file systems that are other ones after each mount, tmpfs and FUSE: "utf8guard follow"
# moves them to the next one at their path, locked ones too, and to nothing else. A local user
# mounts other things there, and replaces directories on the way.
# It waits while the module is not loaded.
# vm: -p bindfs
#
# promise local user: rules are not carried elsewhere by what he mounts, nor kept from following by
#   a tmpfs that he holds
# shown by: rule-find: another type of file system is not taken
# shown by: a user keeps it

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
# shellcheck source=userspace/tests/vm/names/names.sh
. "$here/names.sh"

m=/tmp/m
mkdir -p $m/t $m/u $m/f $m/bound $m/s /tmp/below
load service || bail_out "the module does not load"
modprobe fuse
[ -e /dev/fuse ] || mknod /dev/fuse c 10 229
chmod 666 /dev/fuse
helper files.py
# The directories are on a tmpfs, too: it must never be taken for what was mounted on them.
mount -t tmpfs tmpfs $m
mkdir -p $m/t $m/u $m/f $m/bound $m/s
# Whoever follows holds what is mounted for a moment after each change of mounts.
umount() { until_true 60 command umount "$@"; }
handle_of() { utf8guard fs | sed -n "s,^fs add [a-z]* $1 .*# handle \([0-9]*\).*,\1,p"; }
refuses() { ask unlink "$2/\\xff"; does "$1: refused" EILSEQ create "$2/\\xff"; }
passes() { ask unlink "$2/\\xff"; does "$1: not refused" ok create "$2/\\xff"; }
waiting() { utf8guard stats --prometheus | sed -n 's/^utf8guard_fs_rules_waiting //p'; }
found() { grep -q "^fs add .* $1 .*, found again\$" "$tap/followed"; }
refused_there() { ask unlink "$1/\\xff"; ask create "$1/\\xff"; [ "$answer" = EILSEQ ]; }

# As after the installation of a package, which starts whoever follows and loads no module.
says() { [ "$(grep -cx "utf8guard: $2" "$tap/waiting")" = "$1" ]; }
follows_again() { # NAME
	default off
	mount -t tmpfs tmpfs $m/t
	rule $m/t enforce >"$tap/handle"
	umount $m/t
	mount -t tmpfs tmpfs $m/t
	ok "$1: a rule that is added now is followed" until_true 60 refused_there $m/t
	umount $m/t
}
run utf8guard follow --once
is "without the module, a single look fails" "$status" 4
utf8guard follow >/dev/null 2>"$tap/waiting" &
follower=$!
ok "whoever follows waits for it" until_true 60 says 1 "waiting for utf8guard_fs"
for n in 1 2; do
	load fs || bail_out "the module does not load"
	ok "$n: it is loaded: he follows" until_true 60 says "$n" following
	follows_again "$n"
	# He may have just asked it for its rules.
	ok "$n: it can be unloaded" until_true 60 rmmod utf8guard_fs
	ok "$n: he waits again" until_true 60 says $((n + 1)) "waiting for utf8guard_fs"
	mount -t tmpfs tmpfs $m/t
	umount $m/t
done
# Less than he can notice.
load fs && until_true 60 says 3 following && until_true 60 rmmod utf8guard_fs && load fs
follows_again "unloaded and loaded at once"
kill $follower
wait $follower
is "he ends by SIGTERM" "$?" $((128 + 15))
is "and said nothing else" "$(grep -vxE 'utf8guard: (following|waiting for utf8guard_fs)' "$tap/waiting")" \
	"utf8guard: utf8guard_fs is not loaded; load it with: modprobe utf8guard_fs"
must utf8guard fs flush
default off

mount -t tmpfs tmpfs $m/t
mkdir $m/t/d
t=$(rule $m/t enforce)
d=$(rule $m/t/d enforce)
refuses "tmpfs" $m/t
# Nobody follows yet.
umount $m/t
mount -t tmpfs tmpfs $m/t
mkdir $m/t/d
passes "mounted again" $m/t
ok "a look at the mounts" utf8guard follow --once
is "the handle is the same" "$(handle_of $m/t)" "$t"
refuses "after a look" $m/t
refuses "and below it" $m/t/d
utf8guard -s fs >"$tap/rules"
like "the counters go on" "$(grep -A1 "^fs add subtree $m/t enforce" "$tap/rules")" 'refused 2'
log_mark

utf8guard follow >"$tap/followed" 2>"$tap/following" &
follower=$!
at_exit "kill $follower"
ok "it follows" until_true 60 grep -q following "$tap/following"
for n in 1 2 3; do
	: >"$tap/followed"
	umount $m/t
	mount -t tmpfs tmpfs $m/t
	ok "$n: followed" until_true 60 refused_there $m/t
	ok "$n: that is said" until_true 60 found $m/t
done
like "and in the log" "$(log_since "act=fs-rule-found rule=$t")" 'res=1'
passes "its directory is not there" $m
ok "a rule for a directory that is not there follows, too" until_true 60 found $m/t/d
mkdir $m/t/d
like "and is there with the directory" "$(utf8guard fs show --explain $m/t/d)" "subtree $m/t/d "
refuses "in it" $m/t/d

# Whoever puts something else there keeps no rule but that one from following.
rmdir $m/t/d
touch $m/t/d
mount -t tmpfs tmpfs $m/u
rule $m/u enforce >"$tap/handle"
umount $m/u
mount -t tmpfs tmpfs $m/u
ok "a file in the place of a directory: the next rule follows" until_true 60 refused_there $m/u
# Nor does the administrator, who makes a rule anew before the old one has followed.
kill -STOP $follower
umount $m/u
mount -t tmpfs tmpfs $m/u
again=$(rule $m/u enforce)
kill -CONT $follower
umount $m/t
mount -t tmpfs tmpfs $m/t
ok "two rules for one location: others follow" until_true 60 refused_there $m/t
# The rule that cannot follow is tried again, so he is asleep only for a moment.
sleep 1
ok "he goes on" kill -0 $follower
# Mounts that change all the time do not keep him from saying why.
lines=$(wc -l <"$tap/following")
mkdir $m/busy
( while sleep 1; do mount -t tmpfs tmpfs $m/busy && umount $m/busy; done ) &
busy=$!
says_why() { [ "$(wc -l <"$tap/following")" -gt "$lines" ]; }
ok "mounts change all the time: he says why a rule waits" until_true 150 says_why
like "... and which one" "$(tail -n +$((lines + 1)) "$tap/following")" "^utf8guard: handle [0-9]+, $m/u: refused by the kernel: "
kill $busy
wait $busy 2>/dev/null
umount -q $m/busy
utf8guard fs del "$again"
ok "one deleted, the other follows by itself" until_true 120 refused_there $m/u
umount $m/u
utf8guard fs del "$(<"$tap/handle")"
utf8guard fs del "$d"

# Where the old one is still mounted, the rule is for that, too. The policy says the path alone.
policy=$(utf8guard save)
mount --bind $m/t $m/bound
umount $m/t
mount -t tmpfs tmpfs $m/t
ok "still bound: it follows" until_true 60 refused_there $m/t
refuses "still bound: and stays" $m/bound
is "still bound: the policy is the same" "$(utf8guard save)" "$policy"
unlike "still bound: and the rule does not wait" "$(utf8guard fs)" "subtree $m/t .*\(waiting\|not mounted\)"
bound=$(rule $m/bound audit)
passes "another rule for what is bound comes first" $m/bound
utf8guard fs del "$bound"
refuses "with that deleted, it is this one again" $m/bound
# So does each rule that is for it by its words: of the file system, or of other callers.
bound=$(utf8guard -j fs add superblock $m/bound audit | sed 's/.*"handle":\([0-9]*\).*/\1/')
passes "a rule for its super block comes first" $m/bound
is "so --explain says" "$(utf8guard fs show --explain $m/bound | grep -o 'fs add .* decides' | cut -d' ' -f3-5)" \
	"superblock $m/bound audit"
utf8guard fs del "$bound"
umount $m/t
umount $m/bound
t_waits() { utf8guard fs | grep -q "subtree $m/t .*waiting for its file system"; }
ok "both are gone: it waits" until_true 120 t_waits
# Anybody can copy all mounts into a namespace of his own, and keep them there.
mount -t tmpfs tmpfs $m/t
ok "mounted again" until_true 60 refused_there $m/t
setpriv --reuid 1000 --regid 1000 --clear-groups unshare -Urm sleep 600 &
his=$!
in_his_own() { grep -q " $1 " /proc/$his/mountinfo && ! [ /proc/$his/ns/mnt -ef /proc/self/ns/mnt ]; }
ok "a user keeps it" until_true 60 in_his_own $m/t
umount $m/t
mount -t tmpfs tmpfs $m/t
ok "a user keeps it: the rule follows" until_true 60 refused_there $m/t
refuses "a user keeps it: and stays" /proc/$his/root$m/t
# What was mounted over it gone, it is at the path again.
kill -KILL $his
wait $his
mount -t tmpfs tmpfs $m/t
ok "mounted over it: the rule follows" until_true 60 refused_there $m/t
umount $m/t
refuses "the mount over it gone" $m/t
# He can do that as often as he likes.
for n in {1..18}; do
	mkdir -p $m/kept/"$n"
	mount --bind $m/t $m/kept/"$n"
	umount $m/t
	mount -t tmpfs tmpfs $m/t
	until_true 60 refused_there $m/t || break
done
is "he has kept many: it follows" "$n" 18
refuses "he has kept many: and stays with the last" $m/kept/18
refuses "he has kept many: with sixteen" $m/kept/3
passes "he has kept many: and with no more" $m/kept/2
for n in {1..18}; do umount $m/kept/"$n"; done

# A rule moves to nothing of another type, to no other directory, and not to what was mounted on.
umount $m/t
touch $m/touched
passes "the directory below" $m/t
volume $m/t
passes "another type" $m/t
umount $m/t
mount --bind $m/u $m/t
passes "another directory of a tmpfs" $m/t
umount $m/t
mount -t tmpfs tmpfs $m/t
ok "the right one, after all that" until_true 60 refused_there $m/t

# Whoever may write to a directory on the way cannot carry a rule elsewhere.
umount $m/t
rm -r $m/t
mkdir /tmp/elsewhere
mount -t tmpfs tmpfs /tmp/elsewhere
ln -s /tmp/elsewhere $m/t
utf8guard follow --once
passes "a symbolic link in its place" /tmp/elsewhere
rm $m/t
mkdir $m/t
mount -t tmpfs tmpfs $m/t
ok "a directory again" until_true 60 refused_there $m/t

# A super block is found by its mount point.
must utf8guard fs flush
default off
mount -t tmpfs tmpfs $m/s
must utf8guard fs add superblock $m/s enforce
umount $m/s
utf8guard follow --once
passes "super block: what it was mounted on" $m/s
mount -t tmpfs tmpfs $m/s
ok "super block: followed" until_true 60 refused_there $m/s

# FUSE has no UUID, and its device number may be another's.
bindfs /tmp/below $m/f
must utf8guard fs add subtree $m/f enforce
refuses "FUSE" $m/f
unlike "FUSE: mounted" "$(utf8guard fs)" 'not mounted'
is "FUSE: no rule waits" "$(waiting)" 0
umount $m/f
# The kernel does not look for what has no UUID, so this comes from the mounts, and at once.
like "FUSE: unmounted: a note says so" "$(utf8guard fs)" \
	"fs add subtree $m/f enforce # handle [0-9]*, not mounted here"
like "FUSE: and --explain" "$(utf8guard fs show --explain $m/f)" \
	"fs add subtree $m/f enforce.*, not mounted here"
like "FUSE: and JSON" "$(utf8guard -j fs)" '"unmounted":true'
unlike "FUSE: and no policy" "$(utf8guard -j save; utf8guard save)" 'mounted'
is "FUSE: a metric counts it" "$(waiting)" 1
mount -t tmpfs tmpfs $m/u
bindfs /tmp/below $m/f
ok "FUSE: followed to another device" until_true 60 refused_there $m/f
unlike "FUSE: that is mounted" "$(utf8guard fs)" 'not mounted'

# A user mounts in a namespace of his own until he has the device number of what is gone.
device=$(stat -c %d $m/f)
umount $m/f
mkdir -m 777 $m/his
# shellcheck disable=SC2016 # the shell in there expands it
setpriv --reuid 1000 --regid 1000 --clear-groups unshare -Urmpf --kill-child bash -c '
for ((i = 0; i < 100; i++)); do
	mkdir "$1/$i" && bindfs "$1" "$1/$i"
	[ "$(stat -c %d "$1/$i")" != "$2" ] || { echo taken && exec sleep 600; }
done' bash $m/his "$device" >"$tap/his" 2>&1 &
his=$!
ok "FUSE: a user takes its device number" until_true 60 grep -q taken "$tap/his"
bindfs /tmp/below $m/f
ok "FUSE: the rule follows what the host mounts" until_true 60 refused_there $m/f
# His namespace has all mounts, too, and would keep them.
kill -KILL $his
wait $his

# The kernel moves a rule only to what it is for, whatever the message (rule-find) says.
python3 "$here/find.py" "$(handle_of $m/f)" $m/u >"$tap/find"
is "rule-find: another type of file system is not taken" "$(<"$tap/find")" ENOENT
bindfs /tmp/below $m/bound
python3 "$here/find.py" "$(handle_of $m/f)" $m/bound >"$tap/find"
is "nor another one while it is there, if that has no UUID" "$(<"$tap/find")" EBUSY
umount $m/bound
python3 "$here/find.py" 999 $m/u >"$tap/find"
is "no such rule" "$(<"$tap/find")" ENOENT
python3 "$here/find.py" 1 $m/u >"$tap/find"
is "the default has no place" "$(<"$tap/find")" EINVAL
setpriv --reuid 1000 --regid 1000 --clear-groups python3 "$here/find.py" 1 $m/u >"$tap/find"
is "nobody else may ask" "$(<"$tap/find")" EPERM
generation=$(number fs generation)
python3 "$here/find.py" "$(handle_of $m/s)" $m/s >"$tap/find"
is "what is there already is no change" "$(<"$tap/find") $(number fs generation)" "ok $generation"

# There is no UUID, and the mount of another file system of the type goes on for ever, as on a disk
# that has died.
mkdir -p $m/disk $m/dead $m/v $m/w /tmp/cgroup
truncate -s 4M /tmp/below/disk /tmp/disk /tmp/elsewhere/{other,lasting}
must mke2fs -q -t ext4 -U clear /tmp/below/disk
must mke2fs -q -t ext4 -U clear /tmp/disk
bindfs -f /tmp/below $m/dead >/dev/null 2>&1 &
server=$!
until_true 60 mountpoint -q $m/dead
modprobe -a loop ext4
must mount -t ext4 -o loop /tmp/disk $m/v
must utf8guard fs add subtree $m/v enforce
# As long as somebody keeps it, the disk is the same whenever it is mounted.
setpriv --reuid 1000 --regid 1000 --clear-groups unshare -Urm sleep 600 &
his=$!
ok "a disk: a user keeps it" until_true 60 in_his_own $m/v
disk=$(findmnt -no SOURCE $m/v)
umount $m/v
passes "a disk: what it was mounted on" $m/v
must mount "$disk" $m/v
refuses "a disk: mounted again" $m/v
kill -KILL $his
wait $his
# The kernel looks by itself for what has a UUID, and for cgroups.
must mke2fs -q -t ext4 /tmp/elsewhere/lasting
must mount -t ext4 -o loop /tmp/elsewhere/lasting $m/w
must utf8guard fs add subtree $m/w enforce
must mount -t cgroup2 cgroup2 /tmp/cgroup
mkdir /tmp/cgroup/late
must utf8guard fs add fstype none cgroup /late audit
dead=$(losetup -f --show $m/dead/disk)
umount $m/v
# The next mount is of another device, which is made now: losetup asks for all that exist.
must losetup -f /tmp/elsewhere/other
again=$(losetup -f --show /tmp/disk)
kill -STOP $server
python3 -c 'import ctypes, sys; ctypes.CDLL(None).mount(*map(str.encode, sys.argv[1:]), 0, None)' \
	"$dead" $m/disk ext4 &
# It reads the super block then, which is locked.
ok "a dead disk: its mount hangs" until_true 60 grep -q ext4_fill_super /proc/$!/stack
must mount -t ext4 "$again" $m/v
run timeout 60 utf8guard follow --once
is "a dead disk: a look ends, for now" "$status" 1
ok "a dead disk: another family of netlink can come" timeout 20 modprobe psample
ok "a dead disk: and rules be listed" timeout 20 utf8guard fs
log_mark
rmdir /tmp/cgroup/late
waits() { log_after_mark | grep -aq rule-waits; }
if ok "a dead disk: the log tells of other rules" until_true 120 waits; then
	run timeout 60 rmmod utf8guard_fs
	like "a dead disk: the module is in use" "$status $err" '^1 .*in use'
fi
unlike "a dead disk: no rule is said to wait" "$(utf8guard fs)" "subtree $m/w .*waiting for its file system"
passes "a dead disk" $m/v
kill -CONT $server
ok "it answers: it follows by itself" until_true 120 refused_there $m/v

# An automount: nobody is asked to mount anything.
automount() {
	python3 -c '
import ctypes, os, sys
os.setsid()
asked, ask = os.pipe()
options = f"fd={ask},pgrp={os.getpgrp()},minproto=5,maxproto=5,direct"
ctypes.CDLL(None).mount(b"test", sys.argv[1].encode(), b"autofs", 0, options.encode())
os.read(asked, 1)
print("asked", flush=True)
os.read(asked, 1 << 16)' "$1" >"$tap/asked" &
	at_exit "kill $!"
	until_true 60 grep -q " $1 autofs " /proc/mounts
}
modprobe autofs4
mkdir $m/a
mount -t tmpfs tmpfs $m/a
must utf8guard fs add subtree $m/a enforce
umount $m/a
ok "an automount is there" automount $m/a
run utf8guard follow --once
is "an automount: a look ends at once" "$status" 0
echo "fs ensure subtree $m/a/d volume ext4:01234567-89ab-cdef-0123-456789abcdef:d off" >"$tap/volume"
run timeout 60 utf8guard load "$tap/volume"
like "an automount: so does loading a rule for what is mounted there" "$status $err" "^0 .*waits for its file system"
echo "fs ensure superblock $m/a off" >"$tap/bare"
run timeout 60 utf8guard load "$tap/bare"
like "an automount: a rule for its super block waits" "$status $err" "^0 .*$m/a: warning: no file system is mounted there"
is "an automount: nobody was asked to mount" "$(cat "$tap/asked")" ""
timeout 1 ls $m/a/d 2>/dev/null
ok "an automount: ls asks" until_true 60 grep -q asked "$tap/asked"
must utf8guard fs del "$(utf8guard fs | sed -n "s,^fs add superblock $m/a off # handle \([0-9]*\).*,\1,p")"
must utf8guard fs del subtree $m/a/d volume ext4:01234567-89ab-cdef-0123-456789abcdef:d off

# He says of which rule the server is silent.
mkdir -p $m/silent /tmp/below/d
bindfs -f /tmp/below $m/silent >/dev/null 2>&1 &
server=$!
ok "a server" until_true 60 mountpoint -q $m/silent
must utf8guard fs add subtree $m/silent/d enforce
union() { # N PLACE LOWER
	mkdir -p /tmp/union/"$1"/{upper,work} && mount -t overlay -o \
		"lowerdir=$3,upperdir=/tmp/union/$1/upper,workdir=/tmp/union/$1/work" overlay "$2"
}
# The directories are on what has extended attributes, so that each overlay has a UUID of its own.
mkdir -p $m/o $m/hangs /tmp/union
mount -t tmpfs tmpfs /tmp/union
mkdir /tmp/union/lower
must union 1 $m/o /tmp/union/lower
must utf8guard fs add subtree $m/o enforce
umount $m/o
kill -STOP $server
# What a user mounts on a server of his own may take for ever to be mounted, and be of the same type.
union hangs $m/hangs $m/silent &
hangs=$!
mount_hangs() { grep -q ovl_fill_super /proc/[0-9]*/stack 2>/dev/null; }
must until_true 60 mount_hangs
must union 2 $m/o /tmp/union/lower
# Until 6.6 an overlay had no UUID.
if utf8guard -j fs show | grep -q "\"path\":\"$m/o\".*\"uuid\""; then
	ok "a mount hangs: a rule for the same type follows" until_true 60 refused_there $m/o
else
	skip 1 "an overlay has no UUID here"
fi
must utf8guard fs del "$(handle_of $m/o)"
umount $m/o
waits="utf8guard: handle $(handle_of $m/silent/d), $m/silent/d: it waits: what is mounted there does not answer"
says_silent() { utf8guard follow --once 2>&1 | grep -Fqx "$waits"; }
ok "a silent server: he says which rule waits" until_true 60 says_silent
kill -KILL $server
wait $server
wait $hangs
mountpoint -q $m/hangs && umount $m/hangs
umount -l $m/silent
must utf8guard fs del "$(handle_of $m/silent/d)"

# On trial, and locked.
utf8guard save >"$tap/policy"
echo "fs add subtree /etc off" >>"$tap/policy"
utf8guard load --confirm 600 "$tap/policy" >/dev/null
umount $m/s
mount -t tmpfs tmpfs $m/s
waits=$(handle_of $m/s)
run utf8guard follow --once
like "on trial: not yet, and he says which rule" "$status $err" "^1 utf8guard: handle $waits, $m/s: refused by the kernel: "
passes "on trial" $m/s
must utf8guard confirm
ok "once confirmed it follows by itself" until_true 60 refused_there $m/s
# Nobody looks at a rule that is not in force while it is not, and no mount tells when it is again.
utf8guard save | grep -v " $m/s " >"$tap/policy"
must utf8guard load --confirm 600 "$tap/policy"
umount $m/s
mount -t tmpfs tmpfs $m/s
passes "on trial without the rule" $m/s
sleep 2
must utf8guard confirm --revert
ok "reverted: it follows by itself" until_true 60 refused_there $m/s
waits_again() {
	local before
	before=$(grep ^voluntary "/proc/$follower/status")
	sleep 2
	[ "$(grep ^voluntary "/proc/$follower/status")" = "$before" ]
}
ok "and whoever follows waits for the next change" until_true 60 waits_again
echo yes | utf8guard lock >/dev/null || fail "it is not locked"
run utf8guard fs del "$(handle_of $m/s)"
like "locked: nothing can be changed" "$status $err" "^3 .*locked"
umount $m/s
mount -t tmpfs tmpfs $m/s
ok "locked: it follows" until_true 60 refused_there $m/s
mount -t tmpfs tmpfs $m/bound
python3 "$here/find.py" "$(handle_of $m/s)" $m/bound >"$tap/find"
refuses "locked: nobody takes it away, $(<"$tap/find")" $m/s
umount $m/s
unshare -Um python3 "$here/find.py" "$(handle_of $m/s)" $m/bound >"$tap/find"
is "locked: nor from a namespace of his own" "$(<"$tap/find")" EPERM
is "no name was missed" "$(number fs missed)" 0
done_testing
