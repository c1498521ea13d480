#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Which rule for names decides: scopes, callers and their precedence, compared with a model; what
# becomes of rules whose directories, file systems or callers go; and which requests for rules are
# refused. An administrator makes the rules; file systems come late, or do not answer.
# vm: -p dosfstools
#
# promise operator: which rule for names decides is what a model of their precedence says, for
#   random rules, callers and directories, and explain names that rule
# shown by: precedence: as the model has it
# shown by: precedence: enough was decided, either way
# promise local user: where case is folded, no rule is hidden by another that spells a directory
#   above both differently
# shown by: two rules for
# promise operator: a rule for a directory or a file system that is not there acts as soon as it
#   is
# shown by: waits: there now
# shown by: acts on it at once
# shown by: until there is one
# promise local user: a server of FUSE that does not answer holds up neither the tool nor others
#   who use netlink
# shown by: for want of an answer
# shown by: meanwhile netlink serves others
# shown by: meanwhile another family is registered
# promise root of a user namespace: an overlay to which he gives the UUID of a file system with a
#   rule is not taken for that
# shown by: an overlay with the UUID of a rule is not meant
# promise administrator by mistake: a rule for an overlay of a user's is for no other overlay with
#   its UUID, and a path into his mount namespace is not taken for one of the host
# shown by: the host's with the same UUID is not
# shown by: a path in his mount namespace is not taken for one of the host
# promise local user: no name that he makes for a directory is taken for that of a rule which it only
#   begins with
# shown by: and not one whose name goes on
# promise local user: he moves no rule of a policy by a symbolic link, and keeps no other rule from
#   being loaded by what he puts where a path leads
# shown by: a link of his: no rule moves
# shown by: a file of his in its place
# shown by: a link to the directory of another rule
# shown by: a server of his that has died
# shown by: a link of a server of a user's
# promise administrator by mistake: a rule for a file system that is not mounted yet is not for the
#   one that has its mount point
# shown by: not mounted: it is not for what has the mount point
# promise administrator by mistake: a request that makes no rule is refused with the reason, and
#   changes nothing
# shown by: wrong: nothing has changed

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

part() { table scopes.py "$@"; }
has_rules() { [ "$(number fs rules)" = "$1" ]; }

if ! load service || ! load fs; then bail_out "the modules do not load"; fi
mkdir /tmp/places /tmp/other /tmp/bound /tmp/cgroup
mount -t tmpfs tmpfs /tmp/places
mount -t tmpfs tmpfs /tmp/other
volume /tmp/ext4 || bail_out "no ext4 volume"
mkdir -p /tmp/places/tree/a
: >/tmp/places/file
mount --bind /tmp/places/tree /tmp/bound
mount -t cgroup2 cgroup2 /tmp/cgroup

part scopes
part waits
part who
part wrong
part precedence "${SEED:-1}" 40

# A rule for a super block stays when that goes, and does not hold up umount.
helper files.py
utf8guard fs flush
ok "a rule for a super block" utf8guard fs add superblock /tmp/other/. enforce
does "is in force" EILSEQ create '/tmp/other/\xff'
ok "is shown as it was said" grep -q '^fs add superblock /tmp/other enforce' <(utf8guard fs)
ok "does not hold up umount" umount /tmp/other
waits() { [ "$(utf8guard fs | grep -c 'waiting for its file system')" = "$1" ]; }
ok "and waits for it" until_true 300 waits 1
like "which the log tells" "$(log_since op=utf8guard-config)" rule-waits
mount -t tmpfs tmpfs /tmp/other
does "the next one there is another" ok create '/tmp/other/\xff'

# The inode of a rule's directory is evicted from memory, as far as a test can do that.
d=/tmp/ext4
mkdir -p $d/a/b $d/c
utf8guard fs add subtree $d/a enforce
utf8guard save >/tmp/saved
cd / && echo 3 >/proc/sys/vm/drop_caches
mkdir /tmp/pressure
for ((i = 0; i < 3000; i++)); do echo "$d/c/$i"; done | xargs touch
echo 3 >/proc/sys/vm/drop_caches
does "a rule survives memory pressure" EILSEQ create "$d/a/b/\\xff"
mv $d/a $d/c/a
does "stays where it was said" ok create "$d/c/a/b/\\xff"
mkdir $d/a
does "also for another directory there" EILSEQ create "$d/a/\\xff"
rm -r $d/a $d/c/a
ok "and without any" has_rules 3
mkdir -p $d/a/b
does "until there is one" EILSEQ create "$d/a/b/\\xff"

# The file system goes, and comes back: by its UUID, which is saved.
like "saved with its UUID" "$(cat /tmp/saved)" "fs add subtree $d/a volume ext4:[0-9A-F]{32}:/a enforce"
device=$(awk -v d=$d '$2 == d { print $1 }' /proc/mounts)
umount $d
ok "waits for its file system" until_true 300 waits 2
mount "$device" $d
does "acts on it at once" EILSEQ create "$d/a/b/\\xff"
ok "and is shown so" until_true 300 waits 1
umount $d
utf8guard fs flush
warned=$(utf8guard load /tmp/saved 2>&1)
is "loaded before its file system" "$?" 0
like "with a warning" "$warned" "warning: waits for its file system: fs add subtree $d/a"
fails() { ! "$@" >/tmp/said 2>&1; }
ok "strictly, it is refused" fails utf8guard load --strict /tmp/saved
mount "$device" $d
does "and acts on it, too" EILSEQ create "$d/a/b/\\xff"
printf 'fs flush\nfs add subtree %s enforce\n' $d/not/yet >/tmp/early
warned=$(utf8guard load /tmp/early 2>&1)
is "loaded before its directory" "$?" 0
like "with a warning, too" "$warned" "early:2: .*warning: no such directory yet"
ok "strictly, that is refused" fails utf8guard load --strict /tmp/early
mkdir -p $d/not/yet
does "and acts on it" EILSEQ create "$d/not/yet/\\xff"
printf 'fs flush\nfs add fstype a cgroup /nonesuch audit\nfs add fstype b userns 7 audit\nfs add fstype c off\n' >/tmp/who
ok "for nobody: the rest is loaded" utf8guard load /tmp/who
is "and no more" "$(utf8guard fs | sed 's/ # .*//')" $'fs set default audit\nfs add fstype a cgroup /nonesuch audit\nfs add fstype c off'
like "one waits for its cgroup" "$(utf8guard fs)" 'cgroup /nonesuch audit # handle [0-9]*, waiting for its cgroup'
# Later kernels count no references of the initial user namespace, which must not pass for gone.
ok "one for the user namespace of the host" utf8guard fs add fstype d userns /proc/1/ns/user audit
log_mark
mkdir /tmp/cgroup/nonesuch
found() { ! utf8guard fs | grep -q 'waiting for its cgroup'; }
ok "until that is there" until_true 300 found
like "which the log tells" "$(log_since op=utf8guard-config)" rule-acts
like "and the other one stays" "$(utf8guard fs)" "fstype d userns $(stat -Lc %i /proc/1/ns/user) audit"
unlike "which is not gone" "$(utf8guard fs)" gone
rmdir /tmp/cgroup/nonesuch
ok "strictly, nothing is" fails utf8guard load --strict /tmp/who
unshare -U sleep 1000 &
elsewhere() { [ "$(readlink /proc/$!/ns/user)" != "$(readlink /proc/self/ns/user)" ]; }
until_true 60 elsewhere
ok "a user namespace of a process" until_true 60 utf8guard fs add fstype d userns /proc/$!/ns/user off
like "is saved as a comment" "$(utf8guard save 2>/dev/null)" '# fs add fstype d userns [0-9]* off'
kill $!

# The log is told of so many rules one after the other, as audit queues 64 records by default.
{ echo "fs flush"; for n in {1..100}; do mkdir "$d/$n" && echo "fs add subtree $d/$n audit"; done; } >/tmp/many
ok "a hundred rules on a file system" utf8guard load /tmp/many
tells() { [ "$(log_since op=utf8guard-config | grep -c "$1")" = 100 ]; }
log_mark
umount $d
ok "the log says that each waits" until_true 300 tells rule-waits
mount "$device" $d
ok "and that each acts again" until_true 300 tells rule-acts
is "no record is lost" "$(log_since 'audit_lost|backlog' 0)" ""
rm -r $d/{1..100}

# What a path leads to, others decide.
his=/tmp/places/his/share tree=/tmp/places/tree
mkdir -p $his && chown -R 1000:1000 /tmp/places/his
he() { setpriv --reuid 1000 --regid 1000 --clear-groups "$@"; }
printf 'fs flush\nfs add subtree %s off\nfs add subtree %s enforce\n' $his $tree >/tmp/his.conf
loads() { # NAME REGEX: a warning for the first rule, which waits, and the second one acts
	run utf8guard load /tmp/his.conf
	like "$1" "$status $err" "^0 utf8guard: /tmp/his.conf:2: $his: warning: $2 "
	is "$1: that one waits" "$(utf8guard fs | sed 's/ # handle [0-9]*//')" "fs set default audit
fs add subtree $his off, waiting for its file system
fs add subtree $tree enforce"
	run utf8guard check /tmp/his.conf
	like "$1: check agrees" "$status $out" "^0 .*in force \\| rules=3 waiting=1 "
	does "$1: and the other acts" EILSEQ create "$tree/\\xff"
	ok "$1: strictly, it is refused" fails utf8guard load --strict /tmp/his.conf
}
run utf8guard load /tmp/his.conf
is "a directory of a user's" "$status $err" "0 "
he rmdir $his
he ln -s / $his
loads "a link of his: no rule moves" "$his is a symbolic link that others than root may change; name what it leads to"
run utf8guard fs add subtree $his/tmp off
like "a link of his: typed by hand, it is refused" "$status $err" "^2 utf8guard: $his/tmp: $his is a symbolic link"
he ln -sfn $tree $his
loads "a link to the directory of another rule" "$his is a symbolic link"
he rm $his
he touch $his
loads "a file of his in its place" "Not a directory"
ok "it is deleted by its words" utf8guard fs del subtree $his off
rm -r /tmp/places/his
ln -s tree /tmp/places/roots
ok "root's link" utf8guard fs add subtree /tmp/places/roots uid 7 audit
like "is followed" "$(utf8guard fs)" "fs add subtree $tree uid 7 audit"
rm /tmp/places/roots

# A file system without a UUID that lasts is saved by its mount point.
utf8guard fs flush
mnt=/tmp/places/mnt
mkdir -p $mnt ${mnt}2
mount -t tmpfs tmpfs $mnt
mkdir $mnt/below
mkdir -p /tmp/unnamed
must mount -t tmpfs "" /tmp/unnamed
mkdir /tmp/unnamed/below
ok "a super block whose mount has no source" utf8guard fs add superblock /tmp/unnamed/below off
is "is saved by its mount point, too" "$(utf8guard save | grep superblock)" "fs add superblock /tmp/unnamed off"
utf8guard fs flush
umount /tmp/unnamed
ok "a super block by a directory on it" utf8guard fs add superblock $mnt/below enforce
utf8guard save >/tmp/saved
is "is saved by its mount point" "$(grep add /tmp/saved)" "fs add superblock $mnt enforce"
run utf8guard load /tmp/saved
is "and loaded so" "$status $out$err" "0 unchanged"
umount $mnt
sed -i "s,^fs add.*,&\nfs add superblock ${mnt}2 audit," /tmp/saved
run utf8guard load /tmp/saved
like "not mounted: two rules are loaded" "$status $err" "^0 .*$mnt: warning: no file system is mounted there.*
.*${mnt}2: warning: no file system is mounted there"
is "not mounted: they wait" "$(utf8guard fs | grep -c 'superblock.*waiting')" 2
does "not mounted: it is not for what has the mount point" ok create '/tmp/places/\xff'
ok "not mounted: strictly, it is refused" fails utf8guard load --strict /tmp/saved
mount -t tmpfs tmpfs $mnt
run utf8guard load /tmp/saved
does "mounted, and loaded again" EILSEQ create "$mnt/\\xff"
umount $mnt

# Where case is folded, the dentry of a directory has the spelling of whoever looked it up first.
d=/tmp/fold
volume $d 24M mkfs.ext4 -q -F -O casefold -E encoding=utf8 || bail_out "no volume that folds case"
mkdir $d/a && chattr +F $d/a && mkdir $d/a/Share $d/a/Shared
device=$(awk -v d=$d '$2 == d { print $1 }' /proc/mounts)
utf8guard fs add subtree $d/a/Share enforce
does "a directory that folds case" EILSEQ create "$d/a/Share/\\xff"
umount $d && mount "$device" $d
does "however it is spelt first" EILSEQ create "$d/a/SHARE/\\xff"
does "and not beside it" ok create "$d/a/shared/\\xff"
utf8guard fs flush
mkdir $d/a/Other
for ((i = 0; i < 1025; i++)); do echo "fs add subtree $d/a/place$i audit"; done >/tmp/spellings
echo "fs add subtree $d/a/place0/below enforce" >>/tmp/spellings
ok "more spellings than are compared" utf8guard load /tmp/spellings
does "the strictest rule decides" EILSEQ create "$d/a/Other/\\xff"
mkdir $d/a/place7
does "but not where it is spelt as in a rule" ok create "$d/a/place7/\\xff"

# Rules may spell a directory above them differently, whatever is in memory when they are made.
utf8guard fs flush
mkdir $d/a/Share/x $d/a/Share/y $d/a/straße $d/a/straße/x $d/a/straße/y
anew() { umount $d && mount "$device" $d; }
two_rules() { # DIRECTORY ANOTHER-SPELLING
	anew
	utf8guard fs add subtree "$d/a/$1/x" enforce
	anew
	exec 9<"$d/a/$1"
	utf8guard fs add subtree "$d/a/$2/y" enforce
	exec 9<&-
	is "two rules for $1: by both spellings" \
		"$(utf8guard save | grep -c -e ":/a/$1/x enforce" -e ":/a/$2/y enforce")" 2
	for spelling in "$1" "$2"; do
		for below in x y; do
			anew
			does "two rules for $1: $spelling/$below" EILSEQ create "$d/a/$spelling/$below/\\xff"
		done
	done
	does "two rules for $1: beside it" ok create "$d/a/Shared/$1\\xff"
	utf8guard fs flush
}
two_rules Share SHARE
two_rules straße STRASSE
lines() { printf 'fs %s\n' flush "$@" >/tmp/spellings; }
lines "add subtree $d/a/New enforce" "add subtree $d/a/NEW/sub off"
ok "two rules for a directory yet to come" utf8guard load /tmp/spellings
mkdir -p $d/a/NEW/other
does "which neither hides from the other" EILSEQ create "$d/a/NEW/other/\\xff"
mkdir -p $d/plain/New $d/plain/NEW
lines "add subtree $d/plain/New enforce" "add subtree $d/plain/NEW off"
ok "two directories where case is not folded" utf8guard load /tmp/spellings
does "two directories: the one" EILSEQ create "$d/plain/New/\\xff"
does "two directories: the other" ok create "$d/plain/NEW/\\xff"

# A name may have more than 255 octets: vfat counts units of UTF-16, and FUSE takes 1,024 octets.
# None is that of a rule which it only begins with.
utf8guard fs flush
d=/tmp/long
options=utf8 volume $d 16M mkfs.vfat || bail_out "no vfat"
long=$(printf '%.0s\xe4\xb8\x80' {1..85})
mkdir "$d/$long" "$d/$long-other"
utf8guard fs add subtree $d enforce refuse private-use
utf8guard fs add subtree "$d/$long" off
does "a directory with a name of 255 octets" ok create "$d/$long/\\xee\\x80\\x80"
does "and not one whose name goes on" EILSEQ create "$d/$long-other/\\xee\\x80\\x80"
umount $d

# An overlay of a user's own has any UUID that he likes.
utf8guard fs flush
d=/tmp/fold
utf8guard fs add superblock $d enforce
uuid=$(utf8guard save | sed -n "s|^fs add superblock $d volume ext4:\([0-9A-F]*\):.*|\1|p")
mkdir -p /tmp/ext4/own/{lower,upper,work,on}
python3 -c 'import os, sys; os.setxattr("/tmp/ext4/own/upper", "user.overlay.uuid", bytes.fromhex(sys.argv[1]))' "$uuid"
# shellcheck disable=SC2016 # for the shell inside
ok "an overlay with the UUID of a rule is not meant" unshare -Urm sh -c '
	cd /tmp/ext4/own
	mount -t overlay -o userxattr,lowerdir=lower,upperdir=upper,workdir=work own on
	echo >"on/$(printf "\377")"'
does "as the file system is" EILSEQ create "$d/\\xff"
umount $d

# Nor is the overlay of the host meant by a rule for a user's with the same UUID; nor one of his by a
# rule for the other.
own=/tmp/ext4/own
mkdir -p /tmp/ext4/host/{lower,upper,work,on} $own/{upper2,work2,on2}
if mount -t overlay -o "lowerdir=/tmp/ext4/host/lower,upperdir=/tmp/ext4/host/upper,workdir=/tmp/ext4/host/work,uuid=on" \
	host /tmp/ext4/host/on 2>/dev/null; then
	python3 - <<-'END'
		import os
		uuid = os.getxattr("/tmp/ext4/host/upper", "trusted.overlay.uuid")
		for upper in "upper", "upper2":
		    os.setxattr("/tmp/ext4/own/" + upper, "user.overlay.uuid", uuid)
	END
	# shellcheck disable=SC2016 # for the shell inside
	unshare -Urm sh -c '
		cd /tmp/ext4/own
		mount -t overlay -o userxattr,lowerdir=lower,upperdir=upper,workdir=work own on
		mount -t overlay -o userxattr,lowerdir=lower,upperdir=upper2,workdir=work2 own on2
		touch mounted
		exec sleep 1000' &
	until_true 60 test -e $own/mounted
	utf8guard fs replace default enforce
	utf8guard fs add superblock /tmp/ext4 off # where his overlay makes the name in turn
	like "a path in his mount namespace is not taken for one of the host" \
		"$(utf8guard fs add superblock /proc/$!/root$own/on off 2>&1)" "another mount namespace"
	ok "a rule for a user's overlay" nsenter -t $! -m utf8guard fs add superblock $own/on off
	ok "one for another of his" nsenter -t $! -m utf8guard fs add superblock $own/on2 audit
	does "a user's overlay is meant" ok create "/proc/$!/root$own/on/\\xfe"
	does "the host's with the same UUID is not" EILSEQ create "/tmp/ext4/host/on/\\xff"
	kill $!
	umount /tmp/ext4/host/on
	utf8guard fs flush
else
	skip 5 "overlays of this kernel have no UUID"
fi

# A type that nobody knows is not asked for again and again.
modprobe=$(cat /proc/sys/kernel/modprobe)
# shellcheck disable=SC2016 # for the program
printf '#!/bin/sh\necho "$@" >>/tmp/probes\nexit 1\n' >/tmp/modprobe && chmod +x /tmp/modprobe
echo /tmp/modprobe >/proc/sys/kernel/modprobe
unknown() { utf8guard fs add subtree /tmp volume "nosuchfs:0123456789abcdef0123456789abcdef:/$1" audit; }
unknown 1
ok "a type of file system is looked for" until_true 60 grep -q fs-nosuchfs /tmp/probes
# Nor is it for rules that come later.
for i in {2..6}; do unknown "$i"; done
sleep 25
is "once, as long as no module is loaded" "$(grep -c fs-nosuchfs /tmp/probes)" 1
echo "$modprobe" >/proc/sys/kernel/modprobe
utf8guard fs flush

# A server of FUSE that does not answer holds up neither the tool nor the kernel.
modprobe fuse
mkdir /tmp/dead
python3 -c '
import ctypes, os, time
fd = os.open("/dev/fuse", os.O_RDWR)
words = b"fd=%d,rootmode=40000,user_id=0,group_id=0" % fd
ctypes.CDLL(None).mount(b"dead", b"/tmp/dead", b"fuse", 0, words)
time.sleep(1000)' &
server=$!
ok "a mount without a server" until_true 60 grep -q /tmp/dead /proc/mounts
ok "a rule for it is refused" fails utf8guard fs add subtree /tmp/dead/x enforce
like "for want of an answer" "$(cat /tmp/said)" '/tmp/dead/x: no answer within five seconds'
ok "while the server still says nothing" kill -0 $server
ok "meanwhile netlink serves others" utf8guard fs
printf 'fs add subtree /tmp/dead/%s enforce\n' x y >/tmp/late
echo 'fs add fstype c off' >>/tmp/late
warned=$(utf8guard load /tmp/late 2>&1)
is "in a file, the others are loaded" "$?" 0
like "with a warning" "$warned" "late:1: .*/tmp/dead/x: warning: no answer.*late:2: .*/tmp/dead/y: warning: no answer"
is "those that have none wait" "$(utf8guard fs | grep -c 'dead.*waiting')" 2
ok "strictly, it is refused" fails utf8guard load --strict /tmp/late
ln -s /tmp/dead/x /tmp/places/link
printf 'fs add subtree /tmp/places/%s off\n' link tree >/tmp/link.conf
run utf8guard load /tmp/link.conf
like "a link to it" "$status $err" "^0 utf8guard: /tmp/link.conf:1: /tmp/places/link: warning: no answer"
unlike "and none to others on its mount" "$err" "link.conf:2:"
like "which are loaded" "$(utf8guard fs)" "subtree /tmp/places/tree off # handle [0-9]*\$"
rm /tmp/places/link
ok "nor does it answer who asks for its rules" fails utf8guard fs show --explain /tmp/dead/x
like "and is told so" "$(cat /tmp/said)" '/tmp/dead/x: no answer within five seconds'
# Were the path looked up under the locks of generic netlink, no family could be registered.
{ echo "fs flush" && cat /tmp/late; } | utf8guard load - 2>/dev/null && echo >/tmp/loaded &
modprobe psample &
utf8guard fs >/tmp/asked &
registered() { grep -q '^psample .* Live ' /proc/modules; }
ok "meanwhile another family is registered" until_true 60 registered
ok "and this one asked" until_true 60 test -s /tmp/asked
ok "and the rules are loaded" until_true 60 test -e /tmp/loaded
{ kill $server && wait $server; } 2>/dev/null
{ echo "fs flush" && cat /tmp/late; } >/tmp/died
run utf8guard load /tmp/died
like "a server of his that has died" "$status $err" "^0 .*died:2: .*/tmp/dead/x: warning: (Transport endpoint is not connected|Connection refused)"
is "its rules wait, and the other is loaded" "$(utf8guard fs | grep -c -e 'dead.*waiting' -e 'fstype c off')" 3
umount -l /tmp/dead
# One that takes requests and never answers: not even a signal ends who waits for it.
python3 "$(program fuse_silent.py)" /tmp/dead &
server=$!
ok "a mount with a server that never answers" until_true 60 grep -q /tmp/dead /proc/mounts
volume /tmp/other
timeout 60 sh -c 'cd /tmp/other && utf8guard fs add subtree . /tmp/dead/x enforce 2>&1 | cat' >/tmp/said
is "who reads what the tool says comes to its end" "$?" 0
like "which is why the rule is refused" "$(cat /tmp/said)" '/tmp/dead/x: no answer within five seconds'
ok "while something waits for that server" pgrep -x utf8guard
fails utf8guard fs add subtree /tmp/dead/y enforce
one_waits() { [ "$(pgrep -xc utf8guard)" = 1 ]; }
ok "and no more, whoever asks once more" until_true 20 one_waits
ok "and keeps no other file system" umount /tmp/other
umount -l /tmp/dead
mount -t tmpfs tmpfs /tmp/dead
ok "nor what is mounted there next" utf8guard fs add subtree /tmp/dead uid 12 off
umount /tmp/dead
{ kill $server && wait $server; } 2>/dev/null
# What the server of a user says of owners and modes makes no link root's.
links_by() { # UID
	python3 "$here/fuse_link.py" /tmp/dead "$1" &
	server=$!
	until_true 60 grep -q '^his /tmp/dead ' /proc/mounts
	run utf8guard fs add subtree /tmp/dead/link uid 7 off
	{ kill $server && wait $server; } 2>/dev/null
	umount -l /tmp/dead
}
links_by 1000
like "a link of a server of a user's" "$status $err" "^2 utf8guard: /tmp/dead/link: /tmp/dead/link is a symbolic link"
links_by 0
is "a link of a server of root's" "$status $err" "0 "
# Nor does what is on a disk of his, which he need not have written here.
volume /tmp/stick 2>/dev/null
ln -s / /tmp/stick/link
stick=$(findmnt -no SOURCE /tmp/stick)
run utf8guard fs add subtree /tmp/stick/link uid 8 off
is "a link on a disk that root mounted" "$status $err" "0 "
for how in uhelper=udisks2 user=nobody; do
	umount /tmp/stick
	mount -o "$how" "$stick" /tmp/stick
	run utf8guard fs add subtree /tmp/stick/link uid 9 off
	like "a link on a disk of a user's: $how" "$status $err" "^2 utf8guard: /tmp/stick/link: /tmp/stick/link is a symbolic link"
done
umount /tmp/stick
mount -o user "$stick" /tmp/stick
run utf8guard fs add subtree /tmp/stick/link uid 10 off
is "a link on a disk that users may mount, and root has" "$status $err" "0 "
cp /etc/fstab /tmp/fstab
for how in users owner group; do
	cp /tmp/fstab /etc/fstab
	echo "$stick /tmp/stick auto noauto,$how 0 0" >>/etc/fstab
	run utf8guard fs add subtree /tmp/stick/link uid 11 off
	like "a link on a disk of anybody's: $how" "$status $err" "^2 utf8guard: /tmp/stick/link: /tmp/stick/link is a symbolic link"
done
cp /tmp/fstab /etc/fstab
ok "one that is said is refused" fails utf8guard fs add subtree /nonesuch/here enforce

# What is shown can be given to the tool again; explain shows what decides.
utf8guard fs flush
lines='fs add subtree /tmp/places/tree userns owner 1000 enforce
fs add subtree /tmp/places/tree uid 1000-1999 enforce refuse control,bidi form nfc admin exempt onto judge move allow comment why
fs add subtree /tmp/places/tree cgroup / audit
fs add superblock /tmp/places uid 5 off
fs add fstype fuse.sshfs enforce refuse control,newline,bidi,noncharacter,edge-space
fs add default uid 0-99 audit'
while read -r line; do
	# shellcheck disable=SC2086 # words, all of them plain
	ok "taken: $line" utf8guard $line
done <<<"$lines"
is "shown as they were said" "$(utf8guard fs | sed '1d; s/ # handle.*//')" "$lines"
utf8guard fs replace default audit refuse safe form nfc comment 'the first'
utf8guard save >/tmp/saved
utf8guard load /tmp/saved
is "save and load is the identity" "$(utf8guard save)" "$(cat /tmp/saved)"
utf8guard save -j >/tmp/saved.json
utf8guard load -j /tmp/saved.json
is "in JSON, too" "$(utf8guard save)" "$(cat /tmp/saved)"
is "explain: for a user" "$(utf8guard fs show --explain /tmp/places/tree uid 5 | sed 's/ # handle [0-9]*//')" \
	'fs add subtree /tmp/places/tree uid 1000-1999 enforce refuse control,bidi form nfc admin exempt onto judge move allow comment why, not for this caller
fs add subtree /tmp/places/tree userns owner 1000 enforce, not for this caller
fs add subtree /tmp/places/tree cgroup / audit, decides
fs add superblock /tmp/places uid 5 off
fs add default uid 0-99 audit
fs replace default audit refuse control,newline,bidi,noncharacter,edge-space form nfc comment '\''the first'\'
ok "a profile" utf8guard fs add subtree /tmp/bound audit profile portable-nfc
like "is its classes" "$(utf8guard fs)" \
	'/tmp/bound audit refuse control,newline,bidi,noncharacter,unassigned,edge-space form nfc'
ok "a user namespace by file" utf8guard fs add fstype xfs userns /proc/1/ns/user audit
like "is shown by its number" "$(utf8guard fs)" "fstype xfs userns $(stat -Lc %i /proc/1/ns/user) audit"

cd /
utf8guard fs flush
part many 10000
mkdir /tmp/places/many5/below
does "one of many" EILSEQ create '/tmp/places/many5/below/\x01'
does "none of many" ok create '/tmp/places/tree/\x01'
for dir in /tmp/bound /tmp/places /tmp/ext4 /tmp/cgroup; do
	ok "unmounted: $dir" umount $dir
done
ok "all of them wait for their file system" until_true 300 waits 10000
ok "unloads" unload utf8guard_fs utf8guard
done_testing
