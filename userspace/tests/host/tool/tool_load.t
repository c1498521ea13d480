#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# utf8guard load, save, confirm and lock, as far as that goes without the
# modules: every mistake of a file is told with its file, its line, its word and
# what was expected there; a file without one gets as far as the kernel.
#
# promise administrator by mistake: every mistake of a policy file is told, with its file, its
#   line and its word
# shown by: every mistake is told
# shown by: every mistake has its file
# shown by: ${1@Q}
#
# promise administrator by mistake: a saved policy that is cut off changes nothing
# shown by: ... without it
# shown by: cut off within the last line
# shown by: ... but an error of a pipe

# shellcheck disable=SC2016 # $NAME is for the tool
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"
file=$tap/policy.conf

# A file with a line after a good one: what is said of line 2.
wrong() { # LINE REGEX
	printf '# good\n%b\n' "$1" >"$file"
	run "$tool" load -c "$file"
	like "${1@Q}" "$status $err" "^2 utf8guard: $file:2: $2"
}
right() {
	printf '%s\n' "$1" >"$file"
	run "$tool" load -c "$file"
	like "${1@Q} is read" "$status $err" "^4 utf8guard: utf8guard_(fs|nf) is not loaded"
}

wrong 'foo bar' 'foo: unknown word; expected fs, net, include or define$'
wrong 'fs' 'fs: a word is missing; expected add, ensure, set, replace, del or flush$'
wrong 'fs ad' 'ad: unknown word; expected add, ensure'
wrong 'net ad' 'ad: unknown word; expected add, ensure'
wrong 'fs show' 'show: changes nothing'
wrong 'net' 'net: a word is missing'
wrong 'net show' 'show: changes nothing'
wrong 'fs -j flush' '-j: a policy takes no options; put -- before a word like this'
wrong 'fs add subtree share enforce' 'share: expected a path from the root: a policy is loaded from any directory$'
wrong 'fs add subtree "" enforce' '"": expected a path from the root'
wrong 'fs add subtree /tmp volume ext4:12:/ enforce' 'ext4:12:/: expected TYPE:UUID:PATH of a file system$'
uuid=$(printf '%032d' 0)
wrong "fs add subtree /tmp volume ext4:$uuid$(printf '%04000d' 0 | tr 0 f):/ enforce" 'ext4:0+f+:/: expected TYPE:UUID:PATH of a file system$'
wrong "fs add subtree /tmp volume x$(printf '%031d' 0):$uuid:/ enforce" 'x0+:0+:/: expected TYPE:UUID:PATH of a file system$'
wrong 'fs add subtree / maybe' 'maybe: unknown word; expected uid, userns, cgroup, off, audit or enforce$'
wrong 'fs add subtree / off comment' 'fs: a word is missing after "comment"; expected a text of 1 to 255'
wrong "fs add subtree / off comment ''" '"": expected a text of 1 to 255'
wrong "fs add subtree / off comment a b" 'b: unexpected word after "a"$'
wrong "fs add subtree / off comment \$'a\\\\nb'" 'a\\x0Ab: expected a text of 1 to 255'
wrong "fs add subtree / off comment \$'\\\\xFF'" '\\xFF: expected a text of 1 to 255'
wrong "fs add subtree / off comment $(head -c 256 /dev/zero | tr '\0' x)" 'x+: expected a text of 1 to 255'
wrong 'fs add subtree / off comment -s' '-s: a policy takes no options; put --'
wrong 'fs set default audit comment x' 'comment: unexpected word'
wrong 'fs replace 1 tree off' 'tree: unknown word; expected default, subtree, superblock or fstype; did you mean subtree\?$'
wrong 'fs del default' 'default: expected the handle of a rule'
wrong 'net insert x' 'x: unknown word; expected input, forward or output$'
wrong 'net insert 1' 'net: a word is missing after "1"; expected input, forward or output$'
wrong 'net insert 4294967296 input tcp any-port drop' '4294967296: expected the handle'
wrong 'net replace input tcp any-port drop' 'input: expected the handle of a rule'
wrong 'net add input tcp dport 99999 drop' '99999: expected a port of 0 to 65535'
wrong 'net add input tcp drop' 'net: no ports; expected sport, dport or any-port$'
wrong 'fs add subtree /*x off' '\*x off: a shell would not take this as it is; quote it$'
wrong "fs add subtree '/ off" "'/ off: a closing ' is missing$"
wrong 'fs flush\r' 'the line ends with a carriage return, as in files of DOS \(CRLF\); remove these with: sed'
wrong 'net add input tcp --dport 80 drop' '--dport: is written without dashes: dport$'
wrong 'define X' 'expected define NAME = WORD..., with spaces around the =$'
wrong 'define X=80' 'expected define NAME = WORD'
wrong 'define X =' 'expected define NAME = WORD'
wrong 'define 1X = 2' '1X: not a name; expected letters, digits and _, no digit first$'
wrong 'fs add subtree $X off' '\$X off: nothing of this name is defined in a line before$'
wrong 'fs add subtree "$X" off' '\$X" off: stands for nothing here; write it in'
wrong 'include' 'include takes one file: include FILE$'
wrong "include ''" 'include takes one file'
wrong 'include a b' 'include takes one file'
wrong 'include nonesuch' "$tap/nonesuch: No such file or directory$"
wrong "include $file" "$file: includes itself, by this line$"
wrong 'include -' "$tap/-: No such file or directory$"
wrong 'fs \xff' 'not UTF-8 at offset 3 of the line: header-bits: FF; write octets as'
wrong '# caf\xe9' 'not UTF-8 at offset 5 of the line: truncated: E9'
wrong 'fs\0 flush' 'expected text; there is a NUL in this line$'
right ''"fs flush"
right $'define TREE = subtree "/"\ndefine STRICT = enforce profile safe\nfs add $TREE $STRICT comment \'$X\' # $NONE'
right $'define PORTS = 80,443\ndefine NETS = 10.0.0.0/8,192.168.0.0/16\nnet add input tcp dport $PORTS,8080 saddr 127.0.0.1,$NETS drop refuse nul,control'
right $'define PORT = 80\ndefine MINE = tcp dport $PORT\nnet add input $MINE drop'
right '  fs   set default enforce # why'
right "fs add subtree $'/\\x74\\155p' \"enforce\" comment 'two words'"
right 'fs add subtree / off comment -- -s'
right 'fs replace default audit comment x'
right 'fs replace 7 subtree / audit'
right "fs add subtree /tmp volume x$(printf '%030d' 0):$uuid:/ enforce"
right 'fs add default uid 0-99 userns self audit refuse safe,nul form nfc admin exempt onto judge move allow'
right 'fs replace 7 fstype fuse.sshfs cgroup /a enforce profile portable-nfc comment x'
right 'net insert input tcp dport 80 drop comment \#1'
right 'net insert 3 input ip6 udp sport 53 saddr 2001:db8::/32 audit'
right 'net replace 3 output udp any-port count'

# What a path leads to, others may decide: that keeps no other rule from being loaded, except strictly.
waits() { # PATH REASON [SCOPE]
	printf 'fs add %s %s enforce\n' "${3:-subtree}" "$1" >"$file"
	run "$tool" load -c "$file"
	like "${3:-subtree} ${1#"$tap"} waits" "$status $err" "^4 utf8guard: $file:1: ${1//\$/\\$}: warning: $2 \(the rule does nothing until it is loaded again\)
utf8guard: utf8guard_fs is not loaded"
	run "$tool" load -c --strict "$file"
	like "... and is refused strictly" "$status $err" "^2 utf8guard: $file:1: $1: $2\$"
}
quiet() { # NAME PATH [SCOPE]
	printf 'fs add %s %s enforce\n' "${3:-subtree}" "$2" >"$file"
	run "$tool" load -c --strict "$file"
	like "$1" "$status $err" "^4 utf8guard: utf8guard_fs is not loaded"
}
by_hand() { # NAME PATH REGEX
	run "$tool" fs add subtree "$2" off
	like "$1" "$status $err" "^$3"
}
not_roots='is a symbolic link that others than root may change; name what it leads to'
at=$tap/at
mkdir -p "$at/real/below" "$at/others" "$at/sticky/others"
: >"$at/file"
ln -s at "$tap/link"
ln -s loop "$at/loop"
waits /nonesuch 'No such file or directory' superblock
waits /nonesuch/../x 'No such file or directory'
waits "$at/file" 'Not a directory'
waits "$at/file/x" 'Not a directory'
waits "$at/$(printf '%0256d' 0)" 'File name too long'
wrong "fs add subtree $(printf '/x%.0s' {1..2048}) enforce" '(/x)+: File name too long$'
# Each of these was opened, to see what it is.
for _ in {1..40}; do echo "fs add subtree $at/file enforce"; done >"$file"
run bash -c 'ulimit -n 30; exec "$0" load -c "$1"' "$tool" "$file"
is "forty files are forty warnings" "$(grep -c 'file: warning: Not a directory' <<<"$err")" 40
waits "$at" 'no file system is mounted there, and a policy names one by its mount point' superblock
quiet "a super block by its mount point" /proc superblock
quiet "and that of the root" / superblock
quiet "a directory, however it is spelt" "$at//real/./below/../below/"
if [ "$(id -u)" = 0 ]; then
	chown -h 1000 "$at/others" "$at/sticky/others"
	chmod 1777 "$at/sticky"
	ln -s / "$at/others/link"
	ln -s / "$at/sticky/link"
	ln -s / "$at/sticky/his"
	ln -s real "$at/his"
	mkdir "$at/others/roots" "$at/free"
	ln -s / "$at/others/roots/link"
	ln -s / "$at/free/link"
	ln -s his "$at/through"
	chmod 775 "$at/free"
	chown -h 1000 "$at/his" "$at/sticky/his"
	quiet "root's link" "$tap/link/real"
	quiet "root's link in a sticky directory" "$at/sticky/link"
	quiet "what others own is no link" "$at/others/roots"
	waits "$at/loop" 'Too many levels of symbolic links'
	waits "$at/his" "$at/his $not_roots"
	waits "$at/his/below" "$at/his $not_roots"
	waits "$tap/link/his/none" "$at/his $not_roots"
	waits "$at/through" "$at/his $not_roots"
	waits "$at/sticky/his" "$at/sticky/his $not_roots"
	waits "$at/others/link" "$at/others/link $not_roots"
	waits "$at/others/roots/link" "$at/others/roots/link $not_roots"
	waits "$at/free/link" "$at/free/link $not_roots"
	deep=$tap/deep$(printf '/a%.0s' {1..1900})
	mkdir -p "$deep"
	ln -s "$deep" "$deep/l"
	quiet "a long path with many links is walked in time" "$deep$(printf '/l%.0s' {1..36})"
	by_hand "by hand it is refused" "$at/his/below" "2 utf8guard: $at/his/below: $at/his $not_roots\$"
	by_hand "root's is not" "$tap/link/real" "4 utf8guard: utf8guard_fs is not loaded"
	run "$tool" fs del subtree "$at/his" off
	like "what waits for such a path can be deleted" "$status $err" "^4 utf8guard: $at/his: warning: $at/his $not_roots
utf8guard: utf8guard_fs is not loaded"
	run "$tool" fs show --explain "$at/his"
	like "and a question about it be asked" "$status $err" "^4 utf8guard: utf8guard_fs is not loaded"
else
	skip 26 "needs root, to give links away"
fi
by_hand "by hand, a path may be relative" . "4 utf8guard: utf8guard_fs is not loaded"

printf 'fs flush\nfs x\n\nnet y\nfs flush z\n' >"$file"
run "$tool" load "$file"
is "every mistake is told" "$(cut -d: -f3 "$tap/err" | xargs)" "2 4 5"
printf 'define X = 1\ndefine X = 2\nnet add input tcp dport $X drop $Y\nnet add input tcp dport $X/2 drop\n' >"$file"
run "$tool" load "$file"
is "what is defined, and used" "$status $err" "2 utf8guard: $file:2: X: is defined already
utf8guard: $file:3: \$Y: nothing of this name is defined in a line before
utf8guard: $file:4: \$X/2 drop: a definition stands for whole words, or for what is between commas"
{ echo 'define A0 = x x x x'; for i in 1 2 3 4 5 6 7; do echo "define A$i = \$A$((i - 1)) \$A$((i - 1)) \$A$((i - 1)) \$A$((i - 1))"; done; } >"$file"
run "$tool" load "$file"
like "definitions of definitions" "$status $err" "^2 utf8guard: $file:6: .A4: too many words for a line"

wrong 'net add input tcp dport 80,$X drop' '\$X drop: nothing of this name is defined in a line before$'
wrong 'net add input tcp dport $X$X drop' '\$X\$X drop: nothing of this name'
printf 'define A = 80,443\ndefine B = $A,8000-8080\nnet add input tcp dport 22,$B,9000 saddr $A drop\ndefine C = x y\nnet add input tcp dport 1,$C drop\n' >"$file"
run "$tool" load "$file"
is "lists of lists" "$status $err" "2 utf8guard: $file:3: 80,443: expected an address as 192.0.2.0/24 or 2001:db8::/32, or several with commas between
utf8guard: $file:5: \$C drop: several words cannot be part of a list"
{ echo 'define A0 = 1,2,3,4'; for i in 1 2 3 4 5 6 7 8; do echo "define A$i = \$A$((i - 1)),\$A$((i - 1)),\$A$((i - 1)),\$A$((i - 1)),"; done; } >"$file"
run "$tool" load "$file"
like "lists of lists without end" "$status $err" "^2 utf8guard: $file:[78]: .A[56],?.*: too long a list"

# Files within files: their own names and lines, and what they define.
mkdir "$tap/parts"
printf 'define PORT = 80\ninclude parts/one\ninclude parts/two\nfs y\nfs add $TREE audit\n' >"$file"
printf 'net add input tcp dport $PORT drop\nfs x\ndefine TREE = subtree /\ninclude two\n' >"$tap/parts/one"
printf '\nnet z\n' >"$tap/parts/two"
run "$tool" load "$file"
is "every mistake has its file" "$status $(sed "s,^utf8guard: $tap/,,; s/: unk.*//" "$tap/err" | xargs)" \
	"2 parts/one:2: x parts/two:2: z parts/two:2: z policy.conf:4: y"
run bash -c 'cd "$1" && "$0" load -c - <policy.conf 2>&1' "$tool" "$tap"
like "from standard input, by the working directory" "$out" "parts/one:2: x: .*-:4: y: "
printf 'include parts/one\n' >"$file"
printf 'include ./two\n' >"$tap/parts/one"
ln -s ../policy.conf "$tap/parts/again"
printf 'include again\n' >"$tap/parts/two"
run "$tool" load "$file"
is "a cycle, by another name" "$status $err" "2 utf8guard: $tap/parts/./two:1: $tap/parts/./again: includes itself, by this line"
for ((i = 0; i < 20; i++)); do echo "include d$((i + 1))" >"$tap/d$i"; done
run "$tool" load "$tap/d0"
is "too deep" "$status $err" "2 utf8guard: $tap/d16:1: $tap/d17: includes are nested more than 16 deep"
echo >"$tap/parts/two"
for ((i = 0; i < 300; i++)); do echo "include parts/two"; done >"$file"
run "$tool" load "$file"
like "too many" "$status $err" "^2 utf8guard: $file:257: $tap/parts/two: more than 256 files are included"
# What was read, or only looked at, is closed: neither takes a descriptor until the policy is loaded.
{
	for ((i = 0; i < 100; i++)); do echo "include parts/two"; done
	for ((i = 0; i < 100; i++)); do echo "fs add subtree $tap/none$i volume ext4:$uuid:/ audit"; done
	echo "fs add subtree / audit"
} >"$file"
# shellcheck disable=SC2016 # for the shell in there
run bash -c 'ulimit -n 64; exec "$0" load -c "$1"' "$tool" "$file"
is "many files, and many file systems that are not there" "$status $err" "4 utf8guard: utf8guard_fs is not loaded; load it with: modprobe utf8guard_fs"
printf 'include parts\n' >"$file"
run "$tool" load "$file"
is "a directory" "$status $err" "2 utf8guard: $file:1: $tap/parts: Is a directory"
printf '\xef\xbb\xbf# x\r\n' >"$tap/parts/two"
printf 'include parts/two\n' >"$file"
run "$tool" load "$file"
like "a BOM of a file" "$status $err" "^2 utf8guard: $tap/parts/two:1: the file begins with a byte order mark"

printf '\xef\xbb\xbffs flush\r\nfs x\r\nfs flush\r\n' >"$file"
run "$tool" load -c "$file"
is "a BOM and CRLF are told once" "$status $err" "2 utf8guard: $file:1: the file begins with a byte order mark (EF BB BF); save it as UTF-8 without BOM
utf8guard: $file:1: the line ends with a carriage return, as in files of DOS (CRLF); remove these with: sed -i 's/\\r\$//' FILE
utf8guard: $file:2: x: unknown word; expected add, ensure, set, replace, del or flush"
printf '\xef\xbb\xbf{"fs":[]}' >"$file"
run "$tool" load -j -c "$file"
is "a BOM before JSON" "$status $err" "2 utf8guard: $file:1: the file begins with a byte order mark (EF BB BF); save it as UTF-8 without BOM"
printf 'fs flush\r' >"$file"
run "$tool" load -c "$file"
like "a CR at the end of the file" "$status $err" "^2 utf8guard: $file:1: the line ends with a carriage return"
: >"$file"
run "$tool" load "$file"
is "an empty file changes nothing" "$status $out|$err" "0 unchanged|utf8guard: $file: warning: no line in there changes a rule"
printf '# all of it\n\n' >"$file"
for words in -c "--confirm 9"; do
	# shellcheck disable=SC2086 # several words
	run "$tool" load $words "$file"
	like "nor do comments: load $words" "$status $out|$err" "^0 unchanged.*\|.*: warning: no line in there changes a rule$"
done

# A file that was cut off is not taken for a whole one.
saved='# utf8guard.conf(5), as utf8guard save writes it; the last line is "# end"'
saved() { # LINE...: with what is in front
	printf '%s\n' "$saved" "$@" >"$file"
}
cut_off() { # NAME LINE
	run "$tool" load -c "$file"
	is "$1" "$status $err" "2 utf8guard: $file:$2: the file ends here, without the line \"# end\", which utf8guard save writes last: the rest is missing"
}
whole() { # NAME
	run "$tool" load -c "$file"
	like "$1" "$status $err" "^4 utf8guard: utf8guard_fs is not loaded"
}
saved "fs flush" "fs set default enforce" "net flush" "# end"
whole "a saved file, with its last line"
sed -i '$d' "$file"
cut_off "... without it" 4
saved "fs flush" "# ended"
cut_off "... with another one" 3
saved
cut_off "nothing but the first line" 1
saved "fs flush" "# end" "fs set default enforce"
whole "somebody has added a line at the end"
{ cat "$file"; echo "$saved"; echo "fs flush"; } >"$tap/two"
mv "$tap/two" "$file"
cut_off "two files in one, and the second is cut off" 6
saved "fs flush"
printf '# en' >>"$file"
run "$tool" load -c "$file"
is "cut off within the last line" "$status $err" "2 utf8guard: $file:3: warning: the last line has no line feed; it may have been cut off
utf8guard: $file:3: the file ends here, without the line \"# end\", which utf8guard save writes last: the rest is missing"
printf '# utf8guard.conf(5), as utf8guard save writes it\nfs flush\n' >"$file"
whole "a file that an earlier checkout saved has no such line"
saved "fs flush"
mv "$file" "$tap/parts/saved"
printf 'include parts/saved\nfs flush\n' >"$file"
run "$tool" load -c "$file"
like "a file that is included is cut off" "$status $err" "^2 utf8guard: $tap/parts/saved:2: the file ends here"

printf 'fs flush\nfs set default enforce' >"$file"
run "$tool" load -c "$file"
like "no line feed at the end: a warning" "$status $err" "^4 utf8guard: $file:2: warning: the last line has no line feed; it may have been cut off
utf8guard: utf8guard_fs is not loaded"
run bash -c '"$0" load -c - <"$1"' "$tool" "$file"
like "... of a file as standard input, too" "$status $err" "^4 utf8guard: -:2: warning: the last line has no line feed"
run bash -c 'cat "$1" | "$0" load -c -' "$tool" "$file"
is "... but an error of a pipe" "$status $err" "2 utf8guard: -:2: the last line has no line feed; it may have been cut off"
for pipe in /dev/stdin /dev/fd/0; do
	run bash -c 'cat "$1" | "$0" load -c "$2"' "$tool" "$file" $pipe
	is "... also as $pipe" "$status $err" "2 utf8guard: $pipe:2: the last line has no line feed; it may have been cut off"
done
# A user of LDAP, say: he is known when the file is tried, and not at boot.
cat >"$tap/shim.c" <<'END'
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Of the namespaces of all processes. */
int stat(const char *path, struct stat *st)
{
	if (!getenv("USERNS_ERROR") || !strstr(path, "/ns/user"))
		return fstatat(AT_FDCWD, path, st, 0);
	errno = atoi(getenv("USERNS_ERROR"));
	return -1;
}

struct passwd *getpwnam(const char *name)
{
	static struct passwd root = { .pw_name = "root" }, away = { .pw_name = "away", .pw_uid = 4242 };

	return !strcmp(name, "root") ? &root : !strcmp(name, "away") ? &away : NULL;
}
END
cc -shared -fPIC -o "$tap/shim.so" "$tap/shim.c"
printf 'fs add subtree / uid root audit\nfs add subtree / userns owner away audit\nfs add subtree / uid 4243 audit\n' >"$file"
run env LD_PRELOAD="$tap/shim.so" "$tool" load -c "$file"
like "a user whom this host does not know by itself: a warning" "$status $err" "^4 utf8guard: $file:2: away: warning: not in /etc/passwd; at boot, before the network, nobody knows this user, and nothing of the file is loaded: write 4242
utf8guard: utf8guard_fs is not loaded"
run env LD_PRELOAD="$tap/shim.so" "$tool" -c fs add subtree / uid away audit
unlike "... of a file alone" "$status $err" passwd

# A user namespace by its number. Whether anybody is in it may be known, or not.
userns() { # ERRNO WORDS
	local rest="; the line is left out
utf8guard: utf8guard_fs is not loaded"
	printf 'fs add subtree / userns 1 off\nfs flush\n' >"$file"
	USERNS_ERROR=$1 run env LD_PRELOAD="$tap/shim.so" "$tool" load -c "$file"
	like "a user namespace, ${2%%,*}: a warning" "$status $err" "^4 utf8guard: $file:1: 1: warning: $2$rest"
	USERNS_ERROR=$1 run env LD_PRELOAD="$tap/shim.so" "$tool" load -c --strict "$file"
	like "... and an error with --strict" "$status $err" "^2 utf8guard: $file:1: 1: $2; expected self, owner, "
}
userns 2 "no such namespace, or nobody is in it"
userns 13 "not all processes may be looked at, so whether one is in it is unknown \(CAP_SYS_PTRACE\)"
: >"$file"
run "$tool" load "$tap/none"
is "a file that is not there" "$status $err" "2 utf8guard: $tap/none: No such file or directory"
run bash -c 'echo "fs maybe" | "$0" load -' "$tool"
like "standard input" "$status $err" "^2 utf8guard: -:1: maybe: unknown word"
run "$tool" load
like "no file" "$status $err" "^2 utf8guard: load: a word is missing; expected a file, or - for standard input"
run "$tool" load --confirm 0 "$file"
is "no time to confirm" "$status $err" "2 utf8guard: 0: expected a number of seconds from 1 to 86400"
run "$tool" load --confirm 86401 "$file"
like "more than a day" "$status $err" "^2 utf8guard: 86401: expected a number of seconds"
run "$tool" load "$file" more
like "two files" "$status $err" "^2 utf8guard: more: unexpected word"
run "$tool" show -c
like "-c is for load" "$status $err" "^2 utf8guard: -c: unknown option of show; expected -j, -p, -H, --color, -N, -h or -V"

if [ ! -e /sys/module/utf8guard ]; then
	printf 'fs flush\nnet flush\n' >"$file"
	run "$tool" load --loaded "$file"
	is "with --loaded, where no module is there" "$status $out$err" "4 utf8guard: utf8guard_fs is not loaded; load it with: modprobe utf8guard_fs
utf8guard: $file: the lines for the name check are left out
utf8guard: utf8guard_nf is not loaded; load it with: modprobe utf8guard_nf
utf8guard: $file: the lines for the payload check are left out"
else
	skip 1 "the module is loaded here"
fi

# What is taken for a policy by mistake, or never ends, does not take all memory.
# shellcheck disable=SC2016 # for the shell in there
# A plugin of Nagios says its word on standard output.
for words in "check -N gone $tap/policy" "check $tap/policy x" "check --no-such $tap/policy"; do
	# shellcheck disable=SC2086 # words
	run "$tool" $words
	like "$words" "$status $out" "^3 UTF8GUARD UNKNOWN - "
done
: >"$tap/a|b"
run "$tool" check "$tap/a|b"
like "check: what follows a | would be for graphs" "$out" '^UTF8GUARD [A-Z]* - [^|]*a\\x7Cb: '
printf 'fs del subtree /gone audit\nfs add subtree /nonesuch audit\n' >"$file"
run "$tool" check "$file"
is "check: no warning of what is not there, also after a line that deletes" "$err" ""

for words in "load -c" diff check "load -j -c"; do
	run timeout 60 bash -c 'ulimit -v 700000; yes "# x" | "$0" $1 -' "$tool" "$words"
	like "$words: a pipe without end" "$out$err" "utf8guard: -: too large: it goes on after 134217728 octets\$"
done
# mutants.py limits what a file may have.
(ulimit -S -f unlimited; truncate -s 20G "$tap/huge")
printf 'fs flush\ninclude huge\n' >"$file"
# shellcheck disable=SC2016 # for the shell in there
run timeout 60 bash -c 'ulimit -v 700000; exec "$0" load -c "$1"' "$tool" "$file"
is "a huge file that is included" "$status $err" "2 utf8guard: $file:2: $tap/huge: too large: it goes on after 134217706 octets"
# shellcheck disable=SC2016 # for the shell in there
run timeout 60 bash -c 'ulimit -v 900000; yes "fs flush" | head -n 1100000 | "$0" load -c -' "$tool"
is "more lines than any policy has" "$status $err" "2 utf8guard: -:1048577: there are more than 1048576 lines that change rules"

# On a terminal lock asks; without one it does as it is told.
if command -v script >/dev/null && [ ! -e /sys/module/utf8guard ]; then
	{ echo no; sleep 1; } | script -qec "'$tool' lock" /dev/null >"$tap/typed"
	# The terminal echoes what is typed, before or after the question.
	like "no" "$(tr -d '\r' <"$tap/typed")" 'Type "yes" to do that: (no
)?utf8guard: nothing was locked$'
	{ echo yes; sleep 1; } | script -qec "'$tool' lock" /dev/null >"$tap/typed"
	like "yes" "$(tr -d '\r' <"$tap/typed")" 'Type "yes" to do that: (yes
)?utf8guard: utf8guard_fs is not loaded'
else
	skip 2 "no script(1), or the module is loaded here"
fi

json() { # TEXT STATUS REGEX
	printf '%s' "$1" >"$file"
	run "$tool" load -j -c "$file"
	like "${1@Q}" "$status $err" "^$2 utf8guard: $3"
}
json '{"fs":[' 2 "$file:1: the JSON ends too early; a bracket or a quotation mark is open, near column 7$"
json $'{\n"fs":[]\n"net":[]}' 2 "$file:3: not JSON, near column 5$"
json '{"net":[{"hook":"input","protocol":"tcp","dport-range":[{"from":1,"to":2,"x":3}],"action":"drop"}]}' 2 "$file:net\[0\]: dport-range: "
json '{"net":[{"hook":"input","protocol":"tcp","any-port":true,"saddr-network":[{"addr":"10.0.0.0"}],"action":"drop"}]}' 2 "$file:net\[0\]: saddr-network: "
json '{"fs":[{"scope":"subtree","path":"/","mode":"off","location":[{"pth":"/usr"}]}]}' 2 "$file:fs\[0\]: location: "
json '{"fs":[{"scope":"subtree","path":"/","mode":"off","location":[{}]}]}' 2 "$file:fs\[0\]: \"\": unknown word"
json '{"fs":[{"scope":"default","mode":"off","location":[{"path":"/usr"}]}]}' 2 "$file:fs\[0\]: location: unexpected word"
json '{"fs":[],"fs":[]}' 2 "$file:1: a member occurs twice, near"
json '{"fs":[]} x' 2 "$file:1: there is more after the end of the JSON, near"
json $'{"fs":"\xff"}' 2 "$file:1: not UTF-8, near"
json '{"fs":[{"path":"\u0000"}]}' 2 "$file:1: a NUL cannot be in a text of a rule, near"
json '[]' 2 "$file: expected an object with fs and net"
json '{"a\u001b[2J":[]}' 2 "$file: a.x1B.2J: unknown member; expected fs or net"
json '{"nets":[]}' 2 "$file: nets: unknown member; expected fs or net"
json '{"version":2,"net":[]}' 2 "$file: version: expected 1, of the JSON that this tool knows"
json '{"version":"1","net":[]}' 2 "$file: version: expected 1"
json '{"version":1,"net":[]}' 4 "utf8guard_nf is not loaded"
json '{"net":{}}' 2 "$file: net: expected an array of rules"
json '{"net":[1]}' 2 "$file:net\[0\]: expected an object"
json '{"net":[{"dprt":1}]}' 2 "$file:net\[0\]: dprt: not an attribute of a rule"
json '{"net":[{"hook":"input","protocol":"tcp","dport-min":"80","dport-max":"80","action":"drop"}]}' \
	2 "$file:net\[0\]: dport-min: not an attribute of a rule, or its value has another type"
json '{"net":[{"hook":"input","protocol":"tcp","dport-min":80,"action":"drop"}]}' 2 "$file:net\[0\]: \"\": expected a port"
json '{"net":[{"hook":"input","protocol":"tcp","any-port":false,"action":"drop"}]}' 2 "$file:net\[0\]: any-port: not an attr"
json '{"net":[{"hook":"input","protocol":"tcp","any-port":true,"saddr-prefix":8,"action":"drop"}]}' \
	2 "$file:net\[0\]: /8: expected an address"
json '{"net":[{"protocol":"tcp","any-port":true,"action":"drop"}]}' 2 "$file:net\[0\]: \"\": unknown word; expected input"
json '{"fs":[{"scope":"default","mode":"off","path":"/tmp"}]}' 2 "$file:fs\[0\]: /tmp: unexpected word"
json '{"fs":[{"scope":"subtree","mode":"off","path":"/\\q"}]}' 2 "$file:fs\[0\]: a text with a wrong escape"
json '{"fs":[{"scope":"subtree","mode":"off","path":"/"},{"scope":"file","mode":"off","path":"/"}]}' \
	2 "$file:fs\[1\]: file: unknown word; expected default, subtree, superblock or fstype"
json '{"fs":[{"scope":"subtree","mode":"off","path":"\\x2F"}],"net":null}' 4 "utf8guard_fs is not loaded"
json '{"net":[]}' 4 "utf8guard_nf is not loaded"
printf '{}' >"$file"
run "$tool" load -j "$file"
is "an empty object" "$status $out|$err" "0 unchanged|utf8guard: $file: warning: no line in there changes a rule"
done_testing
