#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The name check on file systems that find a name by another spelling of it. A rename onto
# that takes the new spelling, and is judged, or keeps the old one, and makes no new name.
# And file systems that store another name than was judged: whoever makes a rule is told.
# vm: -m 1536 -p exfatprogs,f2fs-tools,dosfstools
#
# promise local user: on a file system that finds a name by another spelling, a rename onto that
#   gives no name a spelling that a rule refuses; nor does an exchange, or a rename that leaves a
#   whiteout
# shown by: onto another spelling, where that would be refused
# shown by: affs: with another spelling, where that would be refused
# shown by: affs: the other way round
# shown by: a whiteout by another spelling, where that would be refused
# shown by: this spelling is left
# shown by: a new name is refused
# promise local user: a directory is under its rule by its short name, too
# shown by: by its short name
# shown by: a rule that got the short name
# promise local user: nor is a directory hidden from its rule because it was opened while its name
#   was encrypted, or because the root folds case
# shown by: opened without the key
# shown by: the root folds case
# promise administrator by mistake: he is warned of a rule for a file system that stores another
#   name than was judged
# shown by: another character set
# shown by: short names

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
# shellcheck source=userspace/tests/vm/names/names.sh
. "$here/names.sh"

if ! load service || ! load fs; then bail_out "the modules do not load"; fi
helper files.py
at=/tmp/at
mkdir $at

set_up() { # NAME: on $at/NAME, case folded in $at/NAME/d
	case $1 in
	exfat) modprobe exfat && volume $at/exfat 16M mkfs.exfat ;;
	vfat) volume $at/vfat 16M mkfs.vfat ;;
	ext4) volume $at/ext4 24M mkfs.ext4 -q -F -O casefold -E encoding=utf8 ;;
	f2fs) modprobe f2fs && volume $at/f2fs 128M mkfs.f2fs -q -f -O casefold -C utf8 ;;
	esac && mkdir "$at/$1/d" || return
	case $1 in
	ext4 | f2fs) chattr +F "$at/$1/d" ;;
	esac
}
# Mounts it anew, for what is in memory may have another spelling than what is on disk.
again() {
	local device options=defaults
	device=$(findmnt -no SOURCE "$at/$1")
	[ "$1" != plain ] || options=iocharset=utf8
	umount "$at/$1" && mount -o "$options" "$device" "$at/$1"
}
# Two files whose dentries are not in memory: else a lookup by another spelling would find one, and
# the hook would be asked about the spelling that this one has.
two_names() {
	rm -f "$at/$1"/d/*
	ask create "$at/$1/d/a long name"
	ask create "$at/$1/d/another name"
	again "$1"
}
spelling() { # NAME WHICH-IS-LEFT WHAT-BECOMES-OF-A-RENAME
	local d=$at/$1/d
	default off
	ok "$1: there is one" set_up "$1" || return
	two_names "$1"
	does "$1: a rename onto another spelling" ok rename "$d/another name" "$d/A LONG NAME"
	ok "$1: mounted again" again "$1"
	is "$1: this spelling is left" "$(ls "$d")" "$2"
	utf8guard fs replace default enforce form nfkc-casefold
	two_names "$1"
	does "$1: onto another spelling, where that would be refused" "$3" \
		rename "$d/another name" "$d/A LONG NAME"
	two_names "$1"
	does "$1: onto the spelling that is there" ok rename "$d/another name" "$d/a long name"
	two_names "$1"
	does "$1: it is opened by another spelling" ok open "$d/A LONG NAME"
	does "$1: a new name is refused" EILSEQ create "$d/A New NAME"
	utf8guard fs replace default enforce form nfkc-casefold move allow
	two_names "$1"
	does "$1: moved by another spelling, where moves are allowed" EILSEQ \
		rename "$d/A LONG NAME" "$at/$1/A LONG NAME"
	utf8guard fs replace default audit
}
spelling exfat 'A LONG NAME' EILSEQ
spelling vfat 'a long name' ok
spelling ext4 'a long name' ok
spelling f2fs 'a long name' ok

# A rename may leave a whiteout, which gets the old name: on f2fs, by the spelling that found it.
left_behind() { # NAME WHICH-IS-LEFT WHAT-BECOMES-OF-A-RENAME
	local d=$at/$1/d
	two_names "$1"
	does "$1: a whiteout by another spelling" ok whiteout "$d/A LONG NAME" "$d/moved"
	ok "$1: whiteout: mounted again" again "$1"
	is "$1: whiteout: this spelling is left" "$(ls "$d")" "$2"$'\nanother name\nmoved'
	must utf8guard fs replace default enforce form nfkc-casefold onto judge
	two_names "$1"
	does "$1: a whiteout by another spelling, where that would be refused" "$3" \
		whiteout "$d/A LONG NAME" "$d/moved"
	two_names "$1"
	does "$1: by the spelling that is there" ok whiteout "$d/a long name" "$d/moved"
	# Ill-formed names have one spelling, and one that is there can be renamed away.
	default off
	two_names "$1"
	ask create "$d/caf\\xe9"
	ask create "$at/$1/An Old NAME"
	again "$1"
	default enforce
	does "$1: a whiteout for an ill-formed name that is there" ok whiteout "$d/caf\\xe9" "$d/moved"
	does "$1: whiteout: where case is not folded, a name has one spelling" ok \
		whiteout "$at/$1/An Old NAME" "$d/other"
	must utf8guard fs replace default audit
}
left_behind ext4 'a long name' ok
left_behind f2fs 'A LONG NAME' EILSEQ

# AFFS stores both spellings by which an exchange has found its names. It takes the octets of UTF-8
# for Latin-1, so that it finds an é by octets that are ill-formed.
two_to_exchange() {
	default off
	ask create "$at/affs/\\xc3\\xa9"
	ask create "$at/affs/plain"
	again affs
	default enforce
}
if modprobe affs 2>/dev/null; then
	ok "affs: there is one" volume $at/affs 1M python3 "$here/affs.py"
	two_to_exchange
	default audit
	does "affs: an exchange with another spelling" ok exchange $at/affs/plain "$at/affs/\\xe3\\xa9"
	again affs
	does "affs: this spelling is left" "plain \\xe3\\xa9" names $at/affs
	ask unlink "$at/affs/\\xe3\\xa9"
	two_to_exchange
	does "affs: with another spelling, where that would be refused" EILSEQ \
		exchange $at/affs/plain "$at/affs/\\xe3\\xa9"
	again affs
	does "affs: the other way round" EILSEQ exchange "$at/affs/\\xe3\\xa9" $at/affs/plain
	again affs
	does "affs: with the spelling that is there" ok exchange $at/affs/plain "$at/affs/\\xc3\\xa9"
	# A name that was looked up before it was there is made by that spelling.
	does "affs: nobody has made this name" ENOENT stat "$at/affs/\\xe3\\xaa"
	does "affs: nor can anybody by another spelling, as documented" EILSEQ create "$at/affs/\\xc3\\xaa"
	again affs
	does "affs: until the kernel forgets the first one" ok create "$at/affs/\\xc3\\xaa"
else
	skip 9 "this kernel has no affs"
fi

# A dentry has the name by which its directory was first looked up, which may be the short one.
utf8guard fs flush
d="$at/vfat/a long directory"
mkdir "$d" "$at/vfat/other"
utf8guard fs add subtree "$d" enforce refuse private-use
bad='\xee\x80\x80'
does "the directory of a rule" EILSEQ create "$d/$bad"
for short in ALONGD~1 alongd~1; do
	again vfat
	does "by its short name, $short" EILSEQ create "$at/vfat/$short/$bad"
	does "by its long one after that" EILSEQ create "$d/$bad"
done
does "a directory beside it" ok create "$at/vfat/other/$bad"
utf8guard fs flush
does "without the rule" ok create "$at/vfat/ALONGD~1/$bad"
# Somebody else may have made the name of the dentry a short one. A rule has the name that was said.
again vfat
exec 9<"$at/vfat/ALONGD~1"
run utf8guard fs add subtree "$d" enforce refuse private-use
exec 9<&-
is "open by its short name: a rule is added" "$status $err" "0 "
unlike "open by its short name: the rule has the name that was said" "$(utf8guard save)" ALONGD
utf8guard fs flush
utf8guard fs add subtree "$at/vfat/ALONGD~1" enforce refuse private-use
again vfat
does "a rule that got the short name" EILSEQ create "$d/a$bad"
does "a rule that got the short name: by that" EILSEQ create "$at/vfat/ALONGD~1/a$bad"
does "a rule that got the short name: at the root" ok create "$at/vfat/a$bad"
utf8guard fs flush
mkdir "$d/x" "$d/y"
again vfat
utf8guard fs add subtree "$d/x" enforce refuse private-use
again vfat
utf8guard fs add subtree "$at/vfat/ALONGD~1/y" enforce refuse private-use
again vfat
does "two rules: below the long name" EILSEQ create "$d/y/$bad"
again vfat
does "two rules: below the short name" EILSEQ create "$at/vfat/ALONGD~1/x/$bad"
utf8guard fs flush
by_short_name() { # VOLUME NAME SHORT-NAME
	local d=$at/$1/$2
	mkdir "$d" "$at/$1/beside"
	utf8guard fs add subtree "$d" enforce refuse private-use
	again "$1"
	does "$1: by its short name, $3" EILSEQ create "$at/$1/$3/$bad"
	again "$1"
	does "$1: and dots after it" EILSEQ create "$at/$1/$3...../$bad"
	does "$1: by its long one after that, $2" EILSEQ create "$d/$bad"
	does "$1: beside $2" ok create "$at/$1/beside/$bad"
	utf8guard fs flush
	rm -r "$d" "$at/$1/beside"
}
# Eight characters of more octets, and names that are their own short names but for case.
by_short_name vfat 'one more long directory' ONEMOR~1
by_short_name vfat größenübersicht GRÖßEN~1
by_short_name vfat 'äöüäöü lang' ÄÖÜÄÖÜ~1
by_short_name vfat grüße GRÜßE
# A root that folds case has no comparison of names of its own before Linux 6.9.
utf8guard fs flush
ok "ext4, whose root folds case" volume $at/root 24M mkfs.ext4 -q -F -O casefold -E encoding=utf8
rmdir $at/root/lost+found && chattr +F $at/root && mkdir $at/root/share
utf8guard fs add subtree $at/root/share enforce refuse private-use
again root
does "the root folds case: by another spelling" EILSEQ create "$at/root/SHARE/$bad"
does "the root folds case: by its own after that" EILSEQ create "$at/root/share/$bad"
does "the root folds case: a good name" ok create "$at/root/SHARE/good"

# A directory that is opened without the key keeps the name that it has without it.
utf8guard fs flush
e=$at/encrypted/e
ok "ext4 that encrypts" volume $at/encrypted 32M mkfs.ext4 -q -F -O encrypt
mkdir $e
ok "an encrypted directory" python3 "$here/encrypted.py" policy $e
mkdir $e/share $e/beside
number_of() { stat -c %i "$1"; }
share=$(number_of $e/share) beside=$(number_of $e/beside)
utf8guard fs add subtree $e/share enforce refuse private-use
again encrypted
exec 7<"$(find $e -inum "$share")" 8<"$(find $e -inum "$beside")"
does "opened without the key: then nothing is made" ENOKEY create "/proc/$$/fd/7/good"
ok "opened without the key: which is added" python3 "$here/encrypted.py" key $at/encrypted
does "opened without the key: a bad name" EILSEQ create "/proc/$$/fd/7/$bad"
does "opened without the key: a good name" ok create "/proc/$$/fd/7/good"
does "opened without the key: beside it, the strictest rule decides" EILSEQ create "/proc/$$/fd/8/$bad"
does "by its own name" EILSEQ create "$e/share/$bad"
does "beside it, by its own name" ok create "$e/beside/$bad"
exec 7<&- 8<&-

# Where characters are not folded.
options=iocharset=utf8 volume $at/plain 16M mkfs.vfat
by_short_name plain Upload UPLOAD

# Whoever makes a rule for a file system that changes names after they were judged is told so.
warned() { utf8guard fs add "$@" audit 2>&1; }
options=utf8=0,iocharset=iso8859-1 volume $at/latin1 16M mkfs.vfat
like "another character set" "$(warned subtree $at/latin1)" \
	'^utf8guard: warning: /tmp/at/latin1: vfat takes names for iso8859-1, by iocharset'
options=uni_xlate,iocharset=utf8 volume $at/escapes 16M mkfs.vfat
like "escapes" "$(utf8guard fs add superblock $at/escapes enforce refuse bidi 2>&1)" \
	'^utf8guard: warning: /tmp/at/escapes: vfat takes ":" and four digits for a character, by uni_xlate'
does "a character" EILSEQ create "$at/escapes/a\xe2\x80\xaeb"
does "written as an escape, it goes unseen, as documented" ok create "$at/escapes/a:202eb"
does "and is there" 'a\xe2\x80\xaeb' names $at/escapes
like "of a path within" "$(warned superblock $at/latin1/)" 'warning: /tmp/at/latin1: vfat'
like "of the type" "$(warned fstype vfat)" 'warning: /tmp/at/latin1: vfat'
unlike "not of one in UTF-8" "$(utf8guard fs; warned subtree $at/vfat/d)" 'warning'
unlike "nor of others" "$(warned subtree $at/ext4/d; warned fstype ext4)" 'warning'
mkdir "$at/two words"
device=$(findmnt -no SOURCE $at/latin1)
umount $at/latin1
if modprobe msdos 2>/dev/null; then
	must mount -t msdos "$device" "$at/two words"
	like "short names" "$(warned subtree "$at/two words")" 'warning: /tmp/at/two words: msdos cuts names'
else
	skip 1 "this kernel has no msdos"
fi
is "no name was missed" "$(number fs missed)" 0
done_testing
