#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# utf8guard scan: which names it finds, in every way of saying so.
#
# promise local user: scan finds a bad name below 5000 directories in 20 MB of memory, and needs
#   no more for 40,000 names in a directory
# shown by: 5000 levels
# shown by: in 20 MB, with a small stack
# shown by: 40,000 names in 20 MB

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"
cd "$tap" || exit

apart=$'cafe\xcc\x81'
mkdir -p $'tree/clean/caf\xc3\xa9' $'tree/bad\xff/under' 'tree/with space'
touch tree/clean/plain $'tree/clean/\xd0\x96.txt' $'tree/bad\xff/under/\xc0\xae' \
	"tree/with space/$apart" $'tree/clean/a\nb' $'tree/clean/\xe2\x80\xaeexe.txt' \
	$'tree/clean/\xef\xac\x81le'
ln -s .. tree/clean/up
ln -s nowhere $'tree/clean/link\xe9x'

scan() { # NAME OPTIONS STATUS LINES: the lines sorted, for readdir() gives no order
	# shellcheck disable=SC2086 # options
	run "$tool" scan $2 tree
	is "$1" "$status $(LC_ALL=C sort "$tap/out")$err" "$3 $(printf '%s' "$4" | LC_ALL=C sort)"
}
ill='tree/bad\xFF:3: header-bits: FF
tree/bad\xFF/under/\xC0\xAE:0: overlong: C0 AE
tree/clean/link\xE9x:4: too-short: E9'

scan "not UTF-8" "" 1 "$ill"
scan "--form nfc" "--form nfc" 1 "$ill
tree/with space/$apart:3: not-normalized"
scan "--form nfd" "--form nfd" 1 "$ill
tree/clean/café:3: not-normalized"
scan "--form nfkc" "--form nfkc" 1 "$ill
tree/clean/ﬁle:0: not-normalized
tree/with space/$apart:3: not-normalized"
scan "--refuse" "--refuse newline,bidi" 1 "$ill
tree/clean/\\xE2\\x80\\xAEexe.txt:0: bidi: E2 80 AE
tree/clean/a\\x0Ab:1: newline: 0A"
run "$tool" scan tree/clean/$'caf\xc3\xa9' tree/'with space'
is "nothing found" "$status $out$err" "0 "
run "$tool" scan tree/'with space'/ --form nfc
is "an option after the directory" "$status $out" "1 tree/with space/$apart:3: not-normalized"
run "$tool" scan --form nfc -- tree/'with space'/
is "a slash after the directory" "$status $out" "1 tree/with space/$apart:3: not-normalized"

run "$tool" scan -0 tree
is "-0" "$(tr '\0' '\n' <"$tap/out" | LC_ALL=C sort)" \
	$'tree/bad\xff\ntree/bad\xff/under/\xc0\xae\ntree/clean/link\xe9x'
run "$tool" scan -j --form nfc tree/'with space'
is "-j" "$status $out" '1 {"version":1,"path":"tree/with space/'$apart'","offset":3,"length":0,"class":"not-normalized","bytes":"","note":null,"form":"café"}'
run "$tool" scan -j tree/$'bad\xff'
is "-j: ill-formed" "$out" '{"version":1,"path":"tree/bad\\xFF/under/\\xC0\\xAE","offset":0,"length":1,"class":"overlong","bytes":"C0 AE","note":"full stop in disguise","form":null}'

run "$tool" scan -s --refuse newline,bidi tree/clean
is "-s" "$status $err" "1 names $(find tree/clean -mindepth 1 -printf x | wc -c), refused 3, renamed 0: too-short 1, newline 1, bidi 1"
run bash -c '"$0" scan -s --refuse newline,bidi tree/clean 2>&1' "$tool"
like "-s where both are in one file" "$out" $':.*\nnames [0-9]+, refused 3, [^\n]*$'
run "$tool" scan -s tree/'with space'
is "-s of what is good" "$status $out $err" "0  names 1, refused 0, renamed 0"
run "$tool" scan -0 -j tree
is "-0 and -j" "$status $err" "2 utf8guard: scan: -0 and -j cannot be combined"
run "$tool" scan
like "no directory" "$status $err" "^2 utf8guard: scan: a word is missing; expected a directory"
run "$tool" scan --form nfx tree
like "no form" "$status $err" "^2 utf8guard: nfx: unknown word; expected nfc, "
run "$tool" scan --refuse bidi,what tree
like "no class" "$status $err" "^2 utf8guard: what: unknown word; expected nul, .*edge-space"
run "$tool" scan --refuse overlong tree
like "no text class" "$status $err" "^2 utf8guard: overlong: unknown word"
run "$tool" scan --frm tree
like "no option" "$status $err" "^2 utf8guard: --frm: unknown option of scan; expected --form, --refuse, .* or -V; did you mean --form\?"
run "$tool" scan tree/none tree
like "one that is not there, and then the others" "$status $out $err" \
	"^2 .*overlong: C0 AE.* utf8guard: tree/none: No such file or directory"
run "$tool" scan tree/clean/plain
like "a file" "$status $err" "^2 utf8guard: tree/clean/plain: Not a directory"
run bash -c '"$0" scan tree >/dev/full' "$tool"
like "output that fails" "$status $err" "^2 utf8guard: standard output: No space left"

# Profiles, which are what the manual page says of them.
mkdir profiles
python3 - <<'EOF'
import os
os.chdir(b"profiles")
for name in (b"control\x01", b"new\nline", b"bidi\xe2\x80\xae", b"noncharacter\xef\xbf\xbe", b" edge",
             b"private\xee\x80\x80", b"unassigned\xf0\x9f\xbf\xbf"[:-1] + b"\x80", b"unassigned\xcd\xb8",
             b"ignorable\xc2\xad", b"\xef\xbb\xbfbom", b"nfd e\xcc\x81", b"ill\xff"):
    open(name, "w")
EOF
classes() { "$tool" scan "$@" profiles | sed 's/.*:[0-9]*: //; s/:.*//' | LC_ALL=C sort | tr '\n' ' '; }
is "utf8" "$(classes --refuse utf8)" "header-bits "
is "safe" "$(classes --refuse safe)" "bidi control edge-space header-bits newline noncharacter "
is "portable-nfc" "$(classes --refuse portable-nfc)" \
	"bidi control edge-space header-bits newline noncharacter not-normalized unassigned unassigned "
is "a profile and a class" "$(classes --refuse utf8,private-use,bidi)" "bidi header-bits private-use "
is "the form that is said counts, before" "$(classes --form nfd --refuse portable-nfc | grep -c not-norm)" 0
is "... and after" "$(classes --refuse portable-nfc --form nfd | grep -c not-norm)" 0

# Deep: far more levels than are open at once, longer than PATH_MAX, with
# siblings on the way to go on with and a finding at the bottom.
nest() { # LEVELS: from here
	python3 -c '
import os, sys
for i in range(int(sys.argv[1])):
    for sibling in "0", "1", "x", "y":
        if i % 100 == 99:
            os.mkdir(sibling)
    os.mkdir("d" * 20)
    os.chdir("d" * 20)
open(b"\xff", "w")' "$1"
}
mkdir deep
(cd deep && nest 5000)
run "$tool" scan deep
like "5000 levels" "$status $out" '^1 \.\.\.(/d{20}){195}/\\xFF:0: header-bits: FF$'
run bash -c 'ulimit -n 12; "$0" scan deep' "$tool"
like "with few file descriptors" "$status $out" '^1 \.\.\.(/d{20}){195}/\\xFF:0: header-bits: FF$'
run bash -c 'ulimit -v 20000; ulimit -s 256; "$0" scan deep' "$tool"
like "in 20 MB, with a small stack" "$status $out" '^1 \.\.\.(/d{20}){195}/\\xFF:0: header-bits: FF$'
rm -rf deep

# A level that was closed is taken up at a position, which says nothing once its entries have changed.
# What is found at the bottom fills the pipe, so the command is down there until somebody reads.
mkdir deep
(cd deep && nest 100 && python3 -c '
import os
for i in range(100):
    os.chdir("d" * 20)
for i in range(3000):
    open(b"\xff%d" % i, "w")')
sleep 0.1
level=deep/$(printf 'd%.0s' {1..20})
while_below() { # "SUBCOMMAND" COMMAND...: while the first findings wait to be read
	local subcommand=$1
	shift
	# shellcheck disable=SC2086 # words on purpose
	{ "$tool" $subcommand deep 2>"$tap/err"; echo $? >"$tap/status"; } | { read -r _; "$@"; cat; } | wc -l >"$tap/count"
	status=$(cat "$tap/status") err=$(cat "$tap/err") count=$(cat "$tap/count")
}
while_below scan true
is "3001 names at the bottom" "$status $count $err" "1 3000 "
while_below scan touch "$level/new"
is "a directory above was changed meanwhile" "$status $count $err" \
	"2 3000 utf8guard: $level: changed meanwhile: part of it may not have been looked at"
while_below scan touch -d 2001-02-03 "$level"
like "whatever its time is said to be" "$status $err" "^2 .*: changed meanwhile"
sleep 0.1
while_below scan touch deep/new
is "the root is open all the time" "$status $err" "1 "
rm -rf deep

# It waits where the next change of a directory could have the time of the last one; but not long,
# where that is so of all, nor where the clock was set back.
cat >shim.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *now)
{
	*now = (struct timespec){ .tv_sec = atoll(getenv("SECONDS_NOW")), .tv_nsec = atoll(getenv("REST_NOW")) };
	return 0;
}
int nanosleep(const struct timespec *time, struct timespec *left)
{
	FILE *file = fopen("waits", "a");

	fputs("waited\n", file);
	fclose(file);
	return 0;
}
END
cc -shared -fPIC -o shim.so shim.c
# Again, until the busy machine has made all of them within a unit of the tool's clock.
python3 -c '
import os
import shutil
span = 15_000_000
while span >= 15_000_000:
    shutil.rmtree("many", ignore_errors=True)
    os.mkdir("many")
    for i in range(30):
        os.mkdir("many/%d" % i)
    span = os.stat("many").st_ctime_ns - os.stat("many/0").st_ctime_ns'
waits() { # SECONDS NANOSECONDS: what the clock says all the time
	: >waits
	SECONDS_NOW=$1 REST_NOW=$2 run env LD_PRELOAD="$PWD/shim.so" "$tool" scan many
	grep -c . waits
}
IFS=. read -r seconds rest < <(stat -c %.Z many)
is "directories that were all changed just now: not more than 25 waits" "$(waits "$seconds" "$((10#$rest))")" 25
is "a clock that was set back: none" "$(waits "$((seconds - 86400))" 0)" 0
is "a clock that goes right: none" "$(waits "$((seconds + 10))" 0)" 0
rm -rf many shim.* waits

# A path that no system call takes is cut: output grows with the number of names, not with their
# number times the depth.
mkdir deep
python3 - <<'EOF'
import os
os.chdir("deep")
for i in range(400):
    os.mkdir(b"\xff" * 255)
    os.chdir(b"\xff" * 255)
EOF
names=()
for _ in {1..16}; do names+=("$(printf '\\xFF%.0s' {1..255})"); done
run "$tool" scan deep
is "400 levels of bad names: each is printed" "$status $(wc -l <"$tap/out")$err" "1 400"
ok "... in at most 20,000 octets each" [ "$(wc -c <"$tap/out")" -lt $((400 * 20000)) ]
is "... the path of the deepest cut at a slash" "$(head -n 1 "$tap/out")" \
	"...$(printf '/%s' "${names[@]}"):0: header-bits: FF"
is "... those up to PATH_MAX whole" "$(tail -n 15 "$tap/out" | grep -c ^deep/)" 15
is "... all others cut" "$(grep -c '^\.\.\./' "$tap/out")" 385
run "$tool" scan -j deep
is "-j: as many octets" "$status $(($(wc -c <"$tap/out") < 400 * 30000))$err" "1 1"
is "... it says what is cut" "$(grep -c '"path":"\.\.\./[^"]*","path-cut":true,' "$tap/out")" 385
is "... and of no other" "$(grep -c path-cut "$tap/out")" 385
run "$tool" scan -0 deep
is "-0: nothing cut is a path that a system call takes" "$status $(python3 -c '
import sys
cut = [path for path in open(sys.argv[1], "rb").read().split(b"\0") if path.startswith(b"...")]
print(len(cut), min(map(len, cut)) >= 4096, max(map(len, cut)) < 4096 + 256 + 3)' "$tap/out")" "1 385 True True"
run "$tool" scan --fix --dry-run --from latin1 deep
is "--fix: each name, and as many octets" \
	"$(wc -l <"$tap/out") $(($(wc -c <"$tap/out") < 400 * 20000))" "400 1"
# What is in files there, by validate; a shell cannot say their paths.
python3 -c '
import os
os.chdir("deep")
for level in range(400):
    with open("bad", "wb") as file:
        file.write(b"\xff")
    if level < 399:
        os.chdir(b"\xff" * 255)'
run "$tool" validate -r deep
is "validate -r: each file, and as many octets" \
	"$(wc -l <"$tap/out") $(($(wc -c <"$tap/out") < 400 * 20000))$err" "400 1"
run "$tool" validate -r -j deep
is "... it says what is cut" "$(grep -c '"file":"\.\.\./[^"]*","file-cut":true,' "$tap/out") $(grep -c file-cut "$tap/out")" \
	"384 384"
rm -rf deep

# File systems that are mounted below the directory.
# shellcheck disable=SC2016 # for the shell in there
mounts='mkdir m m/here m/other; mount -t tmpfs tmpfs m/other; mkdir m/other/in; mount --bind m m/here || exit 9
	: >m/$(printf "\377"); : >m/other/in/$(printf "\376")'
if unshare -rm true 2>/dev/null; then
	run unshare -rm bash -c "$mounts; \"\$0\" scan m" "$tool"
	is "it stays on the mount" "$status $out$err" '1 m/\xFF:0: header-bits: FF'
	run unshare -rm bash -c "rm -rf m; $mounts; \"\$0\" scan --mounts m | LC_ALL=C sort" "$tool"
	is "--mounts, and nothing twice" "$out|$err" 'm/\xFF:0: header-bits: FF
m/other/in/\xFE:0: header-bits: FE|utf8guard: m/here: this directory contains itself'
else
	skip 2 "no mount namespace"
fi

# Without --mounts, nobody asks what is mounted below the directory. A server of FUSE that answers
# nothing would have scan wait for it; one of another user, who alone may look at it, would end
# scan with 2.
# shellcheck disable=SC2016 # for the shell in there
served='rm -rf f; mkdir -p "f/$1"; : >f/$(printf "\377"); exec 9<>/dev/fuse || exit 9
	mount -i -t fuse -o fd=9,rootmode=40000,user_id="$2",group_id=0 none "f/$1" || exit 9
	timeout -s KILL 5 "$0" scan $3 f'
if unshare -rm bash -c 'exec 9<>/dev/fuse &&
		mount -i -t fuse -o fd=9,rootmode=40000,user_id=0,group_id=0 none .' 2>/dev/null; then
	run unshare -rm bash -c "$served" "$tool" served 0
	is "it does not wait for a server below" "$status $out$err" '1 f/\xFF:0: header-bits: FF'
	run unshare -rm bash -c "$served" "$tool" served 0 --mounts
	is "... which is so dead that --mounts waits for it" "$status" 137
	run unshare -rm bash -c "$served" "$tool" $'\xe9' 0 "--fix --dry-run --from latin1"
	is "--fix does not wait for it either" "$status $(LC_ALL=C sort "$tap/out")$err" \
		'1 f/\xE9:0: truncated: E9: left: something is mounted there
f/\xFF:0: header-bits: FF -> ÿ'
else
	skip 3 "no FUSE in a user namespace"
fi
if unshare -m bash -c 'exec 9<>/dev/fuse' 2>/dev/null; then
	run unshare -m bash -c "$served" "$tool" served 12345
	is "it does not look at what another user's server has mounted" "$status $out$err" \
		'1 f/\xFF:0: header-bits: FF'
	run unshare -m bash -c "$served" "$tool" served 12345 --mounts
	is "... which --mounts may not see" "$status $out|$err" \
		'2 f/\xFF:0: header-bits: FF|utf8guard: f/served: Permission denied'
else
	skip 2 "no FUSE"
fi

# Memory does not grow with what there is to read.
mkdir many
python3 -c '
for i in range(40000):
    open("many/%0100d" % i, "w").close()'
run bash -c 'ulimit -v 20000; "$0" scan --form nfkc many' "$tool"
is "40,000 names in 20 MB" "$status $out$err" "0 "

# Progress goes to a terminal, and only there.
if command -v script >/dev/null; then
	TERM=xterm script -qec "'$tool' scan many" /dev/null </dev/null >"$tap/typed" 2>&1
	like "progress, and after it what came of it all" "$(cat -v "$tap/typed" | sed 's/\^@//g')" \
		'^([0-9]+ names, [0-9]+ a second, 0 found(, at most [0-9]+:[0-9]{2}:[0-9]{2} left)?\^M\^\[\[K)+names 40000, refused 0, renamed 0\^M$'
	# As a slow disk: each line takes the one before away.
	if strace -qq -o /dev/null true 2>/dev/null; then
		TERM=xterm script -qec "strace -qq -o '$tap/calls' -e inject=getdents64:delay_enter=300000:when=2..4 '$tool' scan many" \
			/dev/null </dev/null >"$tap/typed" 2>&1
		like "progress, again and again" "$(cat -v "$tap/typed" | sed 's/\^@//g')" \
			'^([0-9]+ names, [0-9]+ a second, 0 found(, at most [0-9]+:[0-9]{2}:[0-9]{2} left)?\^M\^\[\[K){3,}names 40000, refused 0, renamed 0\^M$'
	else
		skip 1 "strace(1) is not there, or may not trace"
	fi
	TERM=xterm script -qec "'$tool' scan --quiet many" /dev/null </dev/null >"$tap/typed" 2>&1
	is "--quiet" "$(cat -v "$tap/typed" | tr -d '^@')" ""
else
	skip 3 "no script(1)"
fi
done_testing
