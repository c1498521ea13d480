#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a rule for names refuses and spares when a local user makes names: text classes, normalization
# forms, names that exist, administrators, and what an overlay makes in its upper layer.
#
# promise root of a user namespace: his CAP_MAC_ADMIN is not the one that a rule exempts, and an
#   overlay that he mounts is no way around a rule
# shown by: nor one who is root in his own namespace
# shown by: overlay: one that is mounted in a user namespace is no way around

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

if ! load service || ! load fs; then bail_out "the modules do not load"; fi
mkdir /tmp/d /tmp/other
mount -t tmpfs tmpfs /tmp/d
helper files.py
does() { # NAME WANTED WORD...
	ask "${@:3}"
	is "$1" "$answer" "$2"
}
rule() { # WORD...: the one rule for /tmp/d
	utf8guard fs flush
	must utf8guard fs add subtree /tmp/d "$@"
}

# A name of each class, and where it is at fault; and one that is none of it.
while read -r class name offset bytes good; do
	rule enforce
	does "$class: no ill-formed text" ok create "/tmp/d/$name"
	ask unlink "/tmp/d/$name"
	rule enforce refuse "$class"
	log_mark
	does "$class: refused" "all EILSEQ" make /tmp/d "$name" create mkdir symlink link rename
	like "$class: where" "$(log_since "op=utf8guard-name act=create")" \
		" class=$class offset=$offset bytes=$bytes scope=subtree "
	does "$class: another name" ok create "/tmp/d/$good"
	ask unlink "/tmp/d/$good"
	does "$class: ill-formed text, too" EILSEQ create '/tmp/d/\xff'
done <<'NAMES'
control abcdefgh\x1b[m 8 1b abcdefgh~[m
control a\x7f 1 7f a
control a\xc2\x85x\xc2\x80 4 c280 a\xc2\x85
newline two\nlines 3 0a two-lines
newline a\xe2\x80\xa8 1 e280a8 a\xe2\x80\xa7
bom \xef\xbb\xbfa 0 efbbbf a\xef\xbb\xbf
bidi file\xe2\x80\xaetxt.exe 4 e280ae file.txt.exe
bidi a\xe2\x81\xa6 1 e281a6 a\xe2\x81\xa5
noncharacter \xf4\x8f\xbf\xbf 0 f48fbfbf \xf4\x8f\xbf\xbd
private-use a\xee\x80\x80 1 ee8080 a
unassigned a\xcd\xb8 1 cdb8 a\xcd\xb7
default-ignorable a\xe2\x80\x8bb 1 e2808b a\xe2\x80\x8ab
edge-space x\xe3\x80\x80 1 e38080 x\xe3\x80\x80y
NAMES
rule enforce refuse edge-space
does "edge-space: a space in front" EILSEQ create '/tmp/d/ a'
does "edge-space: a space after" EILSEQ create '/tmp/d/a '
does "edge-space: spaces inside" ok create '/tmp/d/a b  c'
rule enforce refuse control,bidi
does "two classes: the one" EILSEQ create '/tmp/d/a\x01'
does "two classes: the other" EILSEQ create '/tmp/d/a\xe2\x80\xae'
does "two classes: neither" ok create '/tmp/d/c '
rule audit refuse control
log_mark
does "audited: let through" ok create '/tmp/d/\x01'
like "audited: told" "$(log_since "op=utf8guard-name")" \
	'outcome=audited .* class=control offset=0 bytes=01 scope=subtree '
is "counted by class" "$(utf8guard -j fs show | member rules.1.count.0.class)" control

# Normalization: names that the forms tell apart, and where each is not in it.
declare -A not=(
	[nfc]='cafe\xcc\x81 3' [nfd]='caf\xc3\xa9 3' [nfkc]='a\xef\xac\x81 1' [nfkd]='\xef\xac\x81 0'
	[nfkc-casefold]='aB 1')
declare -A in=(
	[nfc]='caf\xc3\xa9' [nfd]='cafe\xcc\x81' [nfkc]='caf\xc3\xa9' [nfkd]='fi' [nfkc-casefold]='ab')
for form in nfc nfd nfkc nfkd nfkc-casefold; do
	rule enforce form $form
	log_mark
	does "$form: refused" EILSEQ create "/tmp/d/${not[$form]% *}"
	like "$form: where" "$(log_since op=utf8guard-name)" \
		" class=not-normalized offset=${not[$form]##* } "
	does "$form: in it" ok create "/tmp/d/${in[$form]}"
	ask unlink "/tmp/d/${in[$form]}"
done
rule enforce form nfc
does "nfc: marks in a wrong order" EILSEQ create '/tmp/d/q\xcc\x87\xcc\xa3'
does "nfc: a singleton" EILSEQ create '/tmp/d/\xe2\x84\xab'
does "nfc: 255 octets of marks" ok create "/tmp/d/q$(printf '\\xcc\\x80%.0s' {1..127})"

# Each rule has its own constraints: what one refuses, another one may let through.
mkdir /tmp/d/sub
utf8guard fs add subtree /tmp/d/sub enforce refuse control
does "a nearer rule with another demand" ok create '/tmp/d/sub/e\xcc\x81'
does "which is its own" EILSEQ create '/tmp/d/sub/\x01'
does "and not the farther one's" ok create '/tmp/d/\x02'

# Names that exist.
rule off
for name in bad1 bad2 bad3; do ask create "/tmp/d/$name\\xff"; done
mkdir -p /tmp/d/from /tmp/d/to
ask create '/tmp/d/from/moved\xff'
rule enforce
ask create /tmp/d/good
does "onto a name that exists: allowed" ok rename /tmp/d/good '/tmp/d/bad1\xff'
does "a move: judged" EILSEQ rename '/tmp/d/from/moved\xff' '/tmp/d/to/moved\xff'
does "an exchange: allowed" ok exchange '/tmp/d/bad2\xff' '/tmp/d/from/moved\xff'
rule enforce onto judge move allow
ask create /tmp/d/good
does "onto judge" EILSEQ rename /tmp/d/good '/tmp/d/bad1\xff'
does "move allow" ok rename '/tmp/d/from/moved\xff' '/tmp/d/to/moved\xff'
does "move allow: another name" EILSEQ rename '/tmp/d/to/moved\xff' '/tmp/d/from/more\xff'
does "move allow: a link is none" EILSEQ link '/tmp/d/to/moved\xff' '/tmp/d/from/moved\xff'
does "an exchange: still" ok exchange '/tmp/d/bad2\xff' '/tmp/d/to/moved\xff'
does "rename away: still" ok rename '/tmp/d/bad2\xff' /tmp/d/good2
rule enforce onto allow move judge
does "the words of what is so anyhow" ok rename /tmp/d/good '/tmp/d/bad1\xff'

# Administrators.
as_user() { setpriv --reuid 1000 --regid 1000 --clear-groups "$@" 2>&1; }
chmod 1777 /tmp/d
rule enforce admin exempt
log_mark
does "an administrator is exempt" ok create '/tmp/d/admin\xff'
like "and told of" "$(log_since op=utf8guard-name)" \
	'outcome=audited .* class=header-bits .* exempt=admin'
like "a user is not" "$(as_user touch $'/tmp/d/user\xff')" 'Invalid or incomplete multibyte'
like "nor one who is root in his own namespace" \
	"$(as_user unshare -Ur touch $'/tmp/d/user\xff')" 'Invalid or incomplete multibyte'
rule enforce
does "without the words, nobody is" EILSEQ create '/tmp/d/admin2\xff'

# What an overlay makes is judged where it is mounted, and where its layer is.
utf8guard fs flush
mkdir -p /tmp/d/upper /tmp/d/work /tmp/other/lower /tmp/other/o
for n in 1 2 3 4 5 6 7; do ask create "/tmp/other/lower/\\xe9$n"; done
ask mkdir '/tmp/other/lower/\xe9d'
o=/tmp/other/o
mount -t overlay -o lowerdir=/tmp/other/lower,upperdir=/tmp/d/upper,workdir=/tmp/d/work overlay $o
rule enforce
does "overlay: a new name is judged by the rule of the upper layer" "all EILSEQ" \
	make $o 'new\xff' create open file mkdir fifo device socket bind symlink link rename noreplace
does "overlay: a good one" "all ok" \
	make $o 'good' create open file mkdir fifo device socket bind symlink link rename noreplace
does "overlay: chmod copies up" ok chmod "$o/\\xe91"
does "overlay: write copies up" ok append "$o/\\xe92" text
does "overlay: unlink makes a whiteout" ok unlink "$o/\\xe93"
does "overlay: rename away" ok rename "$o/\\xe94" "$o/renamed"
does "overlay: link to a good name" ok link "$o/\\xe95" "$o/linked"
does "overlay: a directory copied up" ok create "$o/\\xe9d/good"
does "overlay: a new name in it" EILSEQ create "$o/\\xe9d/\\xff"
does "overlay: a name put back over a whiteout" ok create "$o/\\xe93"
does "overlay: one in the upper layer renamed" EILSEQ rename "$o/renamed" "$o/\\xff"
does "overlay: nothing more, nothing less" \
	'linked renamed \xe91 \xe92 \xe93 \xe95 \xe96 \xe97 \xe9d' names $o
chmod 1777 $o
rule enforce admin exempt
like "overlay: its mounter's privilege is not its user's" "$(as_user touch $o/$'user\xff')" \
	'Invalid or incomplete'
does "overlay: an administrator has his own" ok create "$o/admin\\xff"
utf8guard fs flush
utf8guard fs add superblock /tmp/d enforce
does "overlay: a rule for the super block" EILSEQ create "$o/\\xff"
utf8guard fs flush
utf8guard fs add fstype tmpfs enforce
does "overlay: the type of the layer is not its own" ok create "$o/\\xff"
umount $o
rm -r /tmp/d/upper /tmp/d/work
mkdir /tmp/d/upper /tmp/d/work
rule enforce
# shellcheck disable=SC2016 # for the inner shell
inside=$(unshare -Urm bash -c '
	mount -t overlay -o userxattr,lowerdir=/tmp/other/lower,upperdir=/tmp/d/upper,workdir=/tmp/d/work \
		overlay /tmp/other/o && touch /tmp/other/o/good && touch $'"'/tmp/other/o/new\\xff'" 2>&1)
like "overlay: one that is mounted in a user namespace is no way around" "$inside" 'Invalid or incomplete'
ok "while it works" [ -e /tmp/d/upper/good ]
is "no name was missed" "$(number fs missed)" 0
cd /
ok "unmounted" umount /tmp/d
ok "unloads" unload utf8guard_fs utf8guard
done_testing
