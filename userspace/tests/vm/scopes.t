#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Which rule for names decides: scopes, callers and their precedence; what
# becomes of rules whose places or callers go; and what is no rule.

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/lib.sh"

part() { table scopes.py "$@"; }
does() { # NAME WANTED WORD...
	ask "${@:3}"
	is "$1" "$answer" "$2"
}
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
part who
part wrong
part precedence "${SEED:-1}" 40

# A super block: gone with it, without holding it up.
helper files.py
utf8guard fs flush
ok "a rule for a super block" utf8guard fs add superblock /tmp/other/. enforce
does "is in force" EILSEQ create '/tmp/other/\xff'
ok "is shown as it was said" grep -q '^fs add superblock /tmp/other enforce' <(utf8guard fs)
ok "does not hold up umount" umount /tmp/other
ok "and goes with it" until_true 300 has_rules 1
mount -t tmpfs tmpfs /tmp/other
does "the next one there has no rule" ok create '/tmp/other/\xff'

# The inode of a rule's directory is put out of memory, as far as that can be.
d=/tmp/ext4
mkdir -p $d/a/b $d/c
utf8guard fs add subtree $d/a enforce
cd / && echo 3 >/proc/sys/vm/drop_caches
mkdir /tmp/pressure
for ((i = 0; i < 3000; i++)); do echo "$d/c/$i"; done | xargs touch
echo 3 >/proc/sys/vm/drop_caches
does "a rule survives memory pressure" EILSEQ create "$d/a/b/\\xff"
mv $d/a $d/c/a
does "and its directory's new place" EILSEQ create "$d/c/a/b/\\xff"
mkdir $d/a
does "but is not where it was" ok create "$d/a/\\xff"
rm -r $d/c/a
ok "and goes with the directory" until_true 300 has_rules 1

# What is shown can be said; explain shows what decides.
utf8guard fs flush
lines='fs add subtree /tmp/places/tree uid 1000-1999 enforce refuse control,bidi form nfc admin exempt onto judge move allow comment why
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
ok "all of them go with their super block" until_true 300 has_rules 1
ok "unloads" unload utf8guard_fs utf8guard
done_testing
