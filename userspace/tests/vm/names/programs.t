#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A user's programs that carry names from elsewhere, where the name check enforces.
#
# vm: -p git,rsync,zip,unzip
#
# promise local user: tar, cp, rsync, mv and git say why where a name is refused, bring the good
#   ones beside it, and lose nothing of what is refused
# shown by: says what was wrong
# shown by: what has a good name is there
# shown by: what was refused is where it was
# shown by: git: the commit has both

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

{ load service && load fs; } || bail_out "the modules do not load"
export HOME=/tmp/home GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
mkdir -p $HOME /tmp/from /tmp/to
mount -t tmpfs tmpfs /tmp/from
mount -t tmpfs tmpfs /tmp/to
bad=$'gr\xfc\xdfe' good=grüße

# What was there before the rule: Latin-1 beside UTF-8, a directory of either.
mkdir -p /tmp/from/tree/{"$bad.d","$good.d"}
for name in "$bad" "$good" "$bad.d/within" "$good.d/within"; do
	echo "content of it" >"/tmp/from/tree/$name"
done
cd /tmp/from || exit
tar -cf tree.tar tree
python3 - <<'END'
import zipfile

# An archive as programs of old made them: octets, without the flag for UTF-8.
with zipfile.ZipFile("tree.zip", "w") as z:
    for name in "gr??e", "second":
        z.writestr(name, "content of it\n")
with open("tree.zip", "rb+") as f:
    octets = f.read().replace(b"gr??e", b"gr\xfc\xdfe")
    f.seek(0)
    f.write(octets)
END
git init -q repository
cp -a tree/. repository
git -C repository add -A
git -C repository commit -qm "names of both kinds"

ok "a rule that enforces" utf8guard fs set default enforce
# What the C library calls EILSEQ.
word="Invalid or incomplete multibyte or wide character"

# What arrived in /tmp/to/DIR of the tree.
arrives() { # NAME DIR
	is "$1: what has a good name is there" "$(cat "/tmp/to/$2/$good" "/tmp/to/$2/$good.d/within" 2>&1)" \
		"content of it"$'\n'"content of it"
	is "$1: and nothing else" "$(find "/tmp/to/$2" -mindepth 1 ! -path '*/.git*' | sort)" \
		"$(printf '%s\n' "/tmp/to/$2/$good" "/tmp/to/$2/$good.d" "/tmp/to/$2/$good.d/within" | sort)"
}
stays() { # NAME
	is "$1: what was refused is where it was" "$(cat "/tmp/from/tree/$bad" "/tmp/from/tree/$bad.d/within" 2>&1)" \
		"content of it"$'\n'"content of it"
}
tells() { # NAME STATUS COMMAND...: fails with that status, and says why
	run "${@:3}"
	is "$1: exit status" "$status" "$2"
	like "$1: says what was wrong" "$err$out" "$word"
}

mkdir /tmp/to/{tar,cp,rsync,git,zip,mv}
tells tar 2 tar -xf tree.tar -C /tmp/to/tar --strip-components 1
arrives tar tar
tells cp 1 cp -a tree/. /tmp/to/cp
arrives cp cp
stays cp
tells rsync 23 rsync -a tree/ /tmp/to/rsync
arrives rsync rsync
tells "rsync, which removes what it has sent" 23 rsync -a --remove-source-files tree/ /tmp/to/rsync
stays "rsync, which removes what it has sent"
ok "what it has sent can be put back" cp -a /tmp/to/rsync/. tree
tells mv 1 mv tree/* /tmp/to/mv
arrives mv mv
stays mv
ok "what it has moved can be put back" cp -a /tmp/to/mv/. tree
tells "git, a clone" 128 git clone -q repository /tmp/to/git/clone
# git ends at the first directory that it cannot make; what comes before that in its order is there.
tells "git, files of a commit" 128 git --git-dir repository/.git --work-tree /tmp/to/git checkout -f HEAD -- .
rm -rf /tmp/to/git/clone
arrives git git
is "git: the commit has both" "$(git -C repository -c core.quotePath=true ls-files | wc -l)" 4
run git -C repository status --short
is "git: what is there already is as it was" "$status $out" "0 "
run unzip -q tree.zip -d /tmp/to/zip
isnt "unzip: exit status" "$status" 0
is "unzip: what has a good name is there" "$(ls /tmp/to/zip)" second

# What has a bad name can be worked with, and got rid of.
ok "sed, which writes anew what is there" sed -i 's/content/text/' "tree/$bad"
is "sed: it is there" "$(cat "tree/$bad")" "text of it"
ok "sort, onto what is there" sort -o "tree/$bad" "tree/$bad"
ok "gzip reads it" gzip -c "tree/$bad"
not_ok "gzip beside it is a new name" gzip -k "tree/$bad"
ok "chmod" chmod 600 "tree/$bad"
ok "touch" touch "tree/$bad"
ok "git adds what it finds" git -C repository add -A
ok "git removes a file" git -C repository rm -q --cached "$bad"
ok "it is renamed to a good name" mv "tree/$bad" "tree/better"
ok "and a directory of them is deleted" rm -r tree
cd /
ok "all is unmounted" umount /tmp/from /tmp/to
ok "the module unloads" unload utf8guard_fs utf8guard
done_testing
