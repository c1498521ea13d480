#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What a policy is for may be moved, removed or replaced at any moment, also after the tool has opened
# it and before the kernel hears of it. A user does so to directories on the path of a rule, to one
# that is mounted elsewhere, and to the process in a user namespace.
#
# promise local user: by what he moves while a policy is loaded, he puts no rule on another directory
#   than its words
# shown by: moved meanwhile: the rule is where its words say
# shown by: moved all the time: a rule is where its words say
# shown by: through .. from a mount
# promise local user: nor does he have a whole policy refused by what he moves or removes, or by a
#   process that he ends
# shown by: removed meanwhile: the file is loaded
# shown by: removed all the time: each time, the file is loaded
# shown by: what is mounted there is
# shown by: the process ends meanwhile: the file is loaded

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

if ! load service || ! load fs || ! load nf; then bail_out "the modules do not load"; fi
helper files.py
top=/tmp/top
volume $top || bail_out "no ext4 volume"
his=$top/his
mkdir $his && chown 1000:1000 $his
he() { setpriv --reuid 1000 --regid 1000 --clear-groups "$@"; }

# A file that is parsed as far as a pipe: what he does then comes after the tool has opened the path.
mkfifo /tmp/rest
loads() { # LINE COMMAND...: the line and one for packets, the command between opening and loading
	printf 'fs flush\nnet flush\n%s\nnet add input udp dport 514 audit\ninclude /tmp/rest\n' "$1" >/tmp/conf
	utf8guard load /tmp/conf >/dev/null 2>"$tap/said" &
	local loader=$!
	exec 8>/tmp/rest
	"${@:2}"
	exec 8>&-
	wait $loader
	status=$?
	said=$(cat "$tap/said")
	rules=$(utf8guard fs | sed '1d; s/ # handle [0-9]*//')
	packets=$(utf8guard net | grep -c 'dport 514')
}
saved() { utf8guard save | sed -n 's/^fs add .* volume ext4:[^:]*:\([^ ]*\) .*/\1/p'; }

swap() { he mv $his/d $his/moved && he mkdir $his/d; }
he mkdir $his/d
loads "fs add subtree $his/d enforce" swap
is "moved meanwhile: the file is loaded" "$status $packets $said" "0 1 "
is "moved meanwhile: the rule is where its words say" "$rules $(saved)" \
	"fs add subtree $his/d enforce /his/d"
does "moved meanwhile: it acts there" EILSEQ create "$his/d/\\xff"
does "moved meanwhile: and not on what was moved" ok create "$his/moved/\\xff"

replace() { he rmdir $his/d && he mkdir $his/d; }
loads "fs add subtree $his/d enforce" replace
is "removed meanwhile: the file is loaded" "$status $packets $rules $said" \
	"0 1 fs add subtree $his/d enforce "
does "removed meanwhile: the rule acts on the next one" EILSEQ create "$his/d/\\xff"

# The same, all the time. There is always a d.
rm -r $his && mkdir $his && chown 1000:1000 $his
he mkdir $his/d
always() { # WHAT: from the loop on, he exchanges d with another one, which he removes or leaves there
	setpriv --reuid 1000 --regid 1000 --clear-groups python3 - "$1" $his <<-'END' &
		import ctypes, os, sys
		libc = ctypes.CDLL(None)
		os.chdir(sys.argv[2])
		while True:
		    try:
		        os.mkdir("t")
		    except FileExistsError:
		        pass
		    libc.renameat2(-100, b"t", -100, b"d", 2)
		    if sys.argv[1] == "remove":
		        os.rmdir("t")
	END
	looper=$!
}
printf '%s\n' "fs flush" "net flush" "fs add subtree $his/d enforce" "net add input udp dport 514 audit" >/tmp/conf
round() { # what load and check say, and where the rule is
	utf8guard load /tmp/conf >/dev/null 2>"$tap/said"
	echo "load $?"
	utf8guard check /tmp/conf >/dev/null 2>&1
	echo "check $?"
	saved
}
always remove
is "removed all the time: each time, the file is loaded" \
	"$(for ((i = 0; i < 20; i++)); do round; done | sort | uniq -c | xargs)" "20 /his/d 20 check 0 20 load 0"
{ kill $looper && wait $looper; } 2>/dev/null
always leave
is "moved all the time: a rule is where its words say" \
	"$(for ((i = 0; i < 20; i++)); do round; done | sort | uniq -c | xargs)" "20 /his/d 20 check 0 20 load 0"
{ kill $looper && wait $looper; } 2>/dev/null

# A path may lead up again, also out of a mount.
utf8guard fs flush
mkdir -p $top/m $top/other && mount -t tmpfs tmpfs $top/m && mkdir $top/m/x
ok "through .. from a mount" utf8guard fs add subtree $top/m/x/../../other enforce
is "it is the directory there" "$(utf8guard fs | sed '1d; s/ # .*//') $(saved)" "fs add subtree $top/other enforce /other"
ok "through .. within a mount" utf8guard fs add subtree $top/m/x/../x audit
is "it is that of the mount" "$(utf8guard fs | grep -c "^fs add subtree $top/m/x audit # handle [0-9]*\$")" 1
umount $top/m

# What is mounted may be a directory of his.
mkdir /tmp/bound
removes() { he rmdir $his/src; }
deeper() { he mkdir -p "$his$deep" && he mv $his/src "$his$deep"; }
deep=$(printf '/d%.0s' {1..70})
waits="fs add subtree /tmp/bound enforce, waiting for its file system"
warning="utf8guard: /tmp/conf:3: /tmp/bound: warning: what is mounted there was removed, or moved too far down (the rule does nothing until it is loaded again)"
binds() { # NAME WHAT
	he mkdir -p $his/src
	mount --bind $his/src /tmp/bound
	loads "fs add subtree /tmp/bound enforce" "$2"
	is "what is mounted there is $1: the file is loaded" "$status $packets $rules" "0 1 $waits"
	is "$1: with a warning" "$(head -n 1 <<<"$said")" "$warning"
	printf '%s\n' "fs flush" "net flush" "fs add subtree /tmp/bound enforce" "net add input udp dport 514 audit" >/tmp/conf
	run utf8guard load /tmp/conf
	is "$1: so it is later" "$status" 0
	run utf8guard check /tmp/conf
	isnt "$1: check agrees" "$status" 2
	not_ok "$1: strictly, it is refused" utf8guard load --strict /tmp/conf
	umount /tmp/bound
}
binds removed removes
binds "moved too far down" deeper
deep=$(printf '/e%.0s' {1..64})
printf 'fs flush\nfs add subtree /tmp%s enforce\n' "$deep" >/tmp/deep.conf
run utf8guard load /tmp/deep.conf
like "what is said too far down is refused" "$status $err" "^3 .*refused by the kernel: the path is more than 63 directories below"

# A process that is in the user namespace of a rule.
unshare -U sleep 1000 &
process=$!
elsewhere() { [ "$(readlink /proc/$process/ns/user)" != "$(readlink /proc/self/ns/user)" ]; }
until_true 60 elsewhere
number=$(stat -Lc %i /proc/$process/ns/user)
ends() { { kill $process && wait $process; } 2>/dev/null; }
loads "fs add fstype d userns $number audit" ends
is "the process ends meanwhile: the file is loaded" "$status $packets $rules" "0 1 "
like "the process ends meanwhile: that line is left out" "$said" \
	"^utf8guard: /tmp/conf:3: $number: warning: no such namespace, or nobody is in it; the line is left out\$"
done_testing
