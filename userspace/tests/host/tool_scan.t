#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# utf8guard scan: which names it finds, in every way of saying so.

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../tap.sh"
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
is "options come first" "$status $err" "2 utf8guard: --form: No such file or directory
utf8guard: nfc: No such file or directory"
run "$tool" scan --form nfc -- tree/'with space'/
is "a slash behind the directory" "$status $out" "1 tree/with space/$apart:3: not-normalized"

run "$tool" scan -0 tree
is "-0" "$(tr '\0' '\n' <"$tap/out" | LC_ALL=C sort)" \
	$'tree/bad\xff\ntree/bad\xff/under/\xc0\xae\ntree/clean/link\xe9x'
run "$tool" scan -j --form nfc tree/'with space'
is "-j" "$status $out" '1 {"path":"tree/with space/'$apart'","offset":3,"length":0,"class":"not-normalized","bytes":"","note":null,"form":"café"}'
run "$tool" scan -j tree/$'bad\xff'
is "-j: ill-formed" "$out" '{"path":"tree/bad\\xFF/under/\\xC0\\xAE","offset":0,"length":1,"class":"overlong","bytes":"C0 AE","note":"full stop in disguise","form":null}'

run "$tool" scan -0 -j tree
is "-0 and -j" "$status $err" "2 utf8guard: scan: -0 and -j exclude each other"
run "$tool" scan
like "no directory" "$status $err" "^2 utf8guard: scan: a word is missing; expected a directory"
run "$tool" scan --form nfx tree
like "no form" "$status $err" "^2 utf8guard: nfx: unknown word; expected nfc, "
run "$tool" scan --refuse bidi,what tree
like "no class" "$status $err" "^2 utf8guard: what: unknown word; expected nul, .*edge-space"
run "$tool" scan --refuse overlong tree
like "no text class" "$status $err" "^2 utf8guard: overlong: unknown word"
run "$tool" scan --frm tree
like "no option" "$status $err" "^2 utf8guard: --frm: unknown word; expected --form or --refuse"
run "$tool" scan tree/none tree
like "one that is not there, and then the others" "$status $out $err" \
	"^2 .*overlong: C0 AE.* utf8guard: tree/none: No such file or directory"
run "$tool" scan tree/clean/plain
like "a file" "$status $err" "^2 utf8guard: tree/clean/plain: Not a directory"
run bash -c '"$0" scan tree >/dev/full' "$tool"
like "output that fails" "$status $err" "^2 utf8guard: standard output: No space left"

# Deep, with a finding at the bottom; then deeper than is looked into.
nest() { # LEVELS: from here
	python3 -c '
import os, sys
for i in range(int(sys.argv[1])):
    os.mkdir("d" * 20)
    os.chdir("d" * 20)
open(b"\xff", "w")' "$1"
}
mkdir deep deeper
(cd deep && nest 900)
(cd deeper && nest 1000)
run "$tool" scan deep
like "900 levels, longer than PATH_MAX" "$status $out" '^1 deep(/d{20}){900}/\\xFF:0: header-bits: FF$'
run bash -c 'ulimit -n 64; "$0" scan deeper' "$tool"
like "out of file descriptors" "$status $err" '^2 utf8guard: deeper.*: Too many open files$'
run "$tool" scan deeper
like "1000 levels" "$status $err" '^2 utf8guard: deeper.*: too deep to be looked into$'
python3 -c '
import os, shutil
for top in "deep", "deeper":
    os.chdir(top)
    shutil.rmtree("d" * 20)
    os.chdir("..")' 2>/dev/null || rm -rf deep deeper

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
	like "no newline of the progress is left" "$(cat -v "$tap/typed")" '^(\^M\^\[\[K([0-9]+ names, 0 found)?)+(\^@)?$'
else
	skip 1 "no script(1)"
fi
done_testing
