#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# utf8guard validate, without any module: every kind of input, and the same
# verdicts as Python's and the C library's decoders.
#
# promise whoever wrote the text: validate finds in lines what Python and iconv find, and takes
#   less than 64 MiB of memory for 300 MiB of text
# shown by: as Python and iconv judge 20000 lines
# shown by: in less than 64 MiB of memory
# promise local user: no escape sequence, ill-formed octet or bidi control in the name of a file
#   gets to the terminal
# shown by: a name that is not fit for a terminal

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"
window=65536 # of userspace/tool/text/walk.h

# Offsets beyond 4 GiB take a while: what comes of them is looked at in the end.
offset=$((4 * 1024 * 1024 * 1024 + 12345))
truncate -s "$offset" "$tap/huge" && printf '\n\xED\xA0\x80' >>"$tap/huge" &&
	"$tool" validate "$tap/huge" >"$tap/far" &
far=$!

# shellcheck disable=SC2059 # the bytes are the format
check() { # NAME BYTES OPTIONS STATUS OUTPUT: bytes and output for printf
	printf -- "$2" >"$tap/in"
	# shellcheck disable=SC2086 # several options
	run bash -c '"$0" validate "${@:2}" <"$1"' "$tool" "$tap/in" $3
	is "$1" "$status $out$err" "$4 $(printf -- "$5")"
}

check "nothing is valid" '' '' 0 ''
check "ASCII" 'hello\n' '' 0 ''
check "several scripts" 'na\xc3\xafve \xd0\x96\xe6\x97\xa5\xf0\x9f\x98\x80\n' '' 0 ''
check "NUL and controls are well-formed" 'a\0b\x1b\x7f' '' 0 ''
check "the first and last of each length" \
	'\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf\xf0\x90\x80\x80\xf4\x8f\xbf\xbf' '' 0 ''
check "overlong" 'a\xC0\xAE' '' 1 '-:1: overlong: C0 AE'
check "overlong of 3" '\xE0\x80\xAF' '' 1 '-:0: overlong: E0 80 AF'
check "overlong of 4" '\xF0\x80\x80\xAF' '' 1 '-:0: overlong: F0 80 80 AF'
check "surrogate" 'ab\xED\xA0\x80' '' 1 '-:2: surrogate: ED A0 80'
check "too large" '\xF4\x90\x80\x80' '' 1 '-:0: too-large: F4 90 80 80'
check "too large by its lead" '\xF5\x80\x80\x80' '' 1 '-:0: too-large: F5 80 80 80'
check "5 octets" '\xF8\x88\x80\x80\x80' '' 1 '-:0: header-bits: F8 88 80 80 80'
check "6 octets" '\xFC\x84\x80\x80\x80\x80' '' 1 '-:0: header-bits: FC 84 80 80 80 80'
check "FE" 'x\xFEx' '' 1 '-:1: header-bits: FE'
check "too short" '\xE2\x82x' '' 1 '-:0: too-short: E2 82'
check "too long" 'e\xCC\x81\x81' '' 1 '-:3: too-long: 81'
check "truncated" 'abc\xF0\x9F\x98' '' 1 '-:3: truncated: F0 9F 98'
check "the first only" '\xFF\n\xFF' '' 1 '-:0: header-bits: FF'
check "--all" '\xFF\n\xC0\xAF\x80' '--all' 1 \
	'-:0: header-bits: FF\n-:2: overlong: C0 AF\n-:4: too-long: 80'
check "--lines" 'ok\nx\xFF\xFE\nok\n\xED\xA0\x80' '--lines' 1 \
	'-:2:1: header-bits: FF\n-:4:0: surrogate: ED A0 80'
check "--lines --all" 'x\xFF\xFE\n\x80' '--lines --all' 1 \
	'-:1:1: header-bits: FF\n-:1:2: header-bits: FE\n-:2:0: too-long: 80'
check "a lead before the end of a line" '\xE2\n\xE2\x82\xAC' '--lines --all' 1 \
	'-:1:0: too-short: E2'
check "-j" 'a\n\xC0\xAE\xC3' '-j' 1 \
	'{"version":1,"file":"-","line":2,"offset":2,"length":1,"class":"overlong","bytes":"C0 AE","note":"full stop in disguise"}\n{"version":1,"file":"-","line":2,"offset":4,"length":1,"class":"truncated","bytes":"C3","note":null}'
check "-j --lines" 'a\nb\xC0\xAE' '-j --lines' 1 \
	'{"version":1,"file":"-","line":2,"offset":1,"length":1,"class":"overlong","bytes":"C0 AE","note":"full stop in disguise"}'
check "-j for valid text" 'fine' '-j' 0 ''
check "a pair of surrogates" '\xED\xA1\x8C\xED\xBE\xB4' '--all' 1 \
	'-:0: surrogate: ED A1 8C\n-:3: surrogate: ED BE B4'

# Files.
printf 'good\n' >"$tap/good"
printf 'b\xff' >"$tap/bad"
run "$tool" validate "$tap/good"
is "a valid file" "$status $out$err" "0 "
run "$tool" validate "$tap/good" "$tap/bad" "$tap/bad"
is "several files" "$status $out" "1 $tap/bad:1: header-bits: FF
$tap/bad:1: header-bits: FF"
mapfile -t many < <(yes "$tap/bad" | head -n 20)
run bash -c 'ulimit -n 12; "$0" validate --lines --refuse nul -s "$@"' "$tool" "${many[@]}"
like "more files than may be open" "$status $err" "^1 files 20, refused 20, unread 0:"
run "$tool" validate "$tap/none" "$tap/bad"
is "a missing file is told, and the others judged" "$status $out $err" \
	"2 $tap/bad:1: header-bits: FF utf8guard: $tap/none: No such file or directory"
run "$tool" validate "$tap"
is "a directory" "$status $err" "2 utf8guard: $tap: Is a directory; -r validates what is in it"
run bash -c '"$0" validate "$1" - <"$2"' "$tool" "$tap/good" "$tap/bad"
is "- among files" "$status $out" "1 -:1: header-bits: FF"
cp "$tap/bad" "$tap/--all" && cp "$tap/bad" "$tap/-j"
run bash -c 'cd "$1" && "$0" validate -- --all -j' "$tool" "$tap"
is "-- before files" "$status $out" "1 --all:1: header-bits: FF
-j:1: header-bits: FF"
odd=$tap/$'\e[31m\xff\xe2\x80\xae \xc3\xa9\\'
cp "$tap/bad" "$odd"
run "$tool" validate "$odd"
is "a name that is not fit for a terminal" "$status $out" \
	"1 $tap/\\x1B[31m\\xFF\\xE2\\x80\\xAE é\\\\:1: header-bits: FF"
run "$tool" validate -j "$odd"
ok "that name in JSON" python3 -c 'import json, sys; json.load(open(sys.argv[1]))' "$tap/out"
run "$tool" validate --every "$tap/bad"
like "an unknown option" "$status $err" "^2 utf8guard: --every: unknown option of validate; expected --all, --lines, --kernel,"
run bash -c '"$0" validate "$1" >/dev/full' "$tool" "$tap/bad"
is "output that cannot be written" "$status" 2

# Classes and forms, of which each line is asked by itself, and byte order marks.
nfd='e\xcc\x81' bom='\xef\xbb\xbf'
check "a class" 'a\x01b\n' '--refuse control' 1 '-:1: control: 01'
check "not asked for" 'a\x01b\n' '--refuse bidi' 0 ''
check "line feeds are no part of a line" 'a\nb\n\n' '--refuse newline,control,edge-space' 0 ''
check "carriage returns are" 'a\r\nb\r' '--refuse newline --all' 1 '-:1: newline: 0D\n-:4: newline: 0D'
check "space at the edges of a line" ' a b \n\tc\xe2\x80\xa8' '--refuse edge-space --all' 1 \
	'-:0: edge-space: 20\n-:4: edge-space: 20\n-:6: edge-space: 09\n-:8: edge-space: E2 80 A8'
check "not what is left of it after a finding" 'a\xff b\n' '--refuse edge-space --all' 1 '-:1: header-bits: FF'
check "what is ill-formed, in its place" '\x01\xff\x02\xe2\n\x03' '--refuse control --all' 1 \
	'-:0: control: 01\n-:1: header-bits: FF\n-:2: control: 02\n-:3: too-short: E2\n-:5: control: 03'
check "the first of each line" '\x01\x02\n\nab\x03\x04' '--refuse control --lines' 1 \
	'-:1:0: control: 01\n-:3:2: control: 03'
check "a line not in the form" "a\\nb$nfd $nfd" '--form nfc --all' 1 '-:3: not-normalized'
check "a line in it" 'a\n\xc3\xa9' '--form nfc' 0 ''
check "a form is of what is UTF-8" "$nfd\\xff" '--form nfc --all' 1 '-:3: header-bits: FF'
check "a mark composes with no line before" 'e\n\xcc\x81' '--form nfc' 0 ''
check "--profile" "$nfd" '--profile portable-nfc' 1 '-:0: not-normalized'
check "--profile utf8" '\x01\xe2\x80\xae' '--profile utf8' 0 ''
check "a BOM" "${bom}a" '' 0 ''
check "--bom keep" "${bom}a" '--bom keep' 0 ''
check "--bom forbid" "${bom}a" '--bom forbid' 1 '-:0: bom: EF BB BF'
check "not where it is none" "a\\n${bom}a" '--bom forbid' 0 ''
check "of two, the last counts: keep" "${bom}a" '--bom forbid --bom keep' 0 ''
check "forbid" "${bom}a" '--bom keep --bom forbid' 1 '-:0: bom: EF BB BF'
check "strip" "$bom$nfd" '--bom forbid --bom strip --refuse bom' 0 ''
check "a class that is refused stays so" "${bom}a" '--refuse bom --bom keep' 1 '-:0: bom: EF BB BF'
check "--bom require" "${bom}a" '--bom require' 0 ''
check "that there is none" "a$bom" '--bom require' 1 '-:0: bom: missing'
check "in nothing" '' '--bom require' 1 '-:0: bom: missing'
check "after it, all is judged" "$bom \\xff" '--bom require --refuse edge-space --all' 1 \
	'-:3: edge-space: 20\n-:4: header-bits: FF'
check "--bom strip" "${bom}a" '--bom strip --refuse bom,default-ignorable' 0 ''
check "it and nothing else" "$bom" '--bom strip --form nfc' 0 ''
check "no other than the first" "$bom$bom" '--bom strip --refuse default-ignorable' 1 \
	'-:3: default-ignorable: EF BB BF'
check "-s" '\xff\n\xff\xfe\xc0\x80' '-s' 1 '-:0: header-bits: FFfiles 1, refused 1, unread 0: overlong 1, header-bits 3'
run bash -c '"$0" validate -s "$1" 2>&1' "$tool" "$tap/bad"
like "-s where both are in one file" "$out" $':.*\nfiles 1, refused 1, [^\n]*$'
check "-s by lines" '\xff\n\xff\xfe' '-s --lines' 1 \
	'-:1:0: header-bits: FF\n-:2:0: header-bits: FFfiles 1, refused 1, unread 0: header-bits 3'
check "-s of what is valid" 'a' '-s --refuse safe' 0 'files 1, refused 0, unread 0'
check "an unknown class" '' '--refuse all' 2 \
	'utf8guard: all: unknown word; expected nul, control, newline, bom, bidi, noncharacter, private-use, unassigned, default-ignorable, edge-space, utf8, safe or portable-nfc'
check "an unknown profile" '' '--profile best' 2 'utf8guard: best: unknown profile; expected utf8, safe or portable-nfc'
check "--kernel and more" '' '--kernel --form nfc' 2 'utf8guard: validate: --kernel can only ask whether the text is UTF-8'
check "-r of no directory" '' '-r' 2 'utf8guard: validate: -r takes a directory'
# Of one line of 8 MiB every octet is refused: nothing of it is judged twice.
run bash -c 'head -c 8388608 /dev/zero | "$0" validate --refuse nul,edge-space -s' "$tool"
is "a long line" "$status $out $err" "1 -:0: nul: 00 files 1, refused 1, unread 0: nul 8388608"
# A line is held in memory, up to a limit: a hole costs who made it nothing.
most=$((256 * 1024 * 1024))
truncate -s 4T "$tap/sparse"
run bash -c 'ulimit -v 400000; exec "$0" validate -s --refuse control "$@"' "$tool" "$tap/bad" "$tap/sparse" "$tap/bad"
is "a line that is too long: the file is unread, and the next is judged" "$status $out $err" "2 $tap/bad:1: header-bits: FF
$tap/bad:1: header-bits: FF utf8guard: $tap/sparse: a line has more than $most octets
files 3, refused 2, unread 1: header-bits 2"
rm "$tap/sparse"
said=
for less in 0 1; do
	run bash -c '{ echo; head -c "$1" /dev/zero; echo; } | "$0" validate --bom strip' "$tool" $((most - less))
	said+="$status $err|"
done
is "the longest line, with its line feed" "$said" "2 utf8guard: -: a line has more than $most octets|0 |"

mkdir -p "$tap/tree/d/e" "$tap/shut"
printf 'x\xff' >"$tap/tree/d/e/bad"
printf 'x\x01' >"$tap/tree/d/$(printf 'na\xffme')"
printf 'x' >"$tap/tree/good"
mkfifo "$tap/tree/pipe"
ln -s "$tap/bad" "$tap/tree/link"
ln -s "$tap" "$tap/tree/d/up"
run bash -c '"$0" validate -rs --refuse control "$@" | sort' "$tool" "$tap/tree" "$tap/good"
is "-r" "$out $err" "$tap/tree/d/e/bad:1: header-bits: FF
$tap/tree/d/na\xFFme:1: control: 01 files 4, refused 2, unread 0: header-bits 1, control 1"
# Who holds a lease on a file, as a server does, is asked to give it back.
cat >"$tap/lease.py" <<'EOF'
import fcntl, os, signal, subprocess, sys
fd = os.open(sys.argv[1], os.O_RDWR)
signal.signal(signal.SIGIO, lambda *_: fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_UNLCK))
try:
    fcntl.fcntl(fd, fcntl.F_SETLEASE, fcntl.F_WRLCK)
except OSError:
    sys.exit(99)
sys.exit(subprocess.call(sys.argv[2:]))
EOF
mkdir "$tap/lent" && printf 'a\xff' >"$tap/lent/file"
run /usr/bin/python3 "$tap/lease.py" "$tap/lent/file" "$tool" validate -r "$tap/lent"
if [ "$status" = 99 ]; then
	skip 1 "no leases here"
else
	is "-r reads a file on which somebody has a lease" "$status $out $err" "1 $tap/lent/file:1: header-bits: FF "
fi

# With few descriptors, directories above are closed, for files, too.
deep=$tap/few/$(printf '%s/' {1..40})
mkdir -p "$deep" && printf 'a\xff' >"${deep}file"
run bash -c 'ulimit -n 20; exec "$@"' - "$tool" validate -r "$tap/few"
is "-r with few descriptors" "$status $out $err" "1 ${deep}file:1: header-bits: FF "

run bash -c 'exec "$0" validate -r - <"$1"' "$tool" "$tap/tree"
is "-r of standard input that is a directory" "$status $err" "2 utf8guard: -: Is a directory; -r takes its name"
run "$tool" validate -r "$tap/none" "$tap/tree/good"
is "-r of nothing" "$status $out $err" "2  utf8guard: $tap/none: No such file or directory"
run "$tool" validate ""
is "an empty word is shown" "$status $out $err" '2  utf8guard: "": No such file or directory'
run "$tool" validate -s "$tap/none" "$tap/bad"
is "what cannot be read is counted" "$status $err" "2 utf8guard: $tap/none: No such file or directory
files 2, refused 1, unread 1: header-bits 1"

# Mistakes on both sides of the end of the window, from a pipe, in large pieces and in odd ones;
# and at the end of a text that fills the window.
cat >"$tap/borders.py" <<'PY'
import json, subprocess, sys
tool, window = sys.argv[1], int(sys.argv[2])
wrong = 0
def judge(data, size):
    p = subprocess.Popen([tool, "validate", "--all"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    for i in range(0, len(data), size):
        p.stdin.write(data[i:i + size])
        p.stdin.flush()
    p.stdin.close()
    return p.stdout.read().decode()

# Each half of a surrogate pair has the note, also where it is the first to be read.
pair, note, data = b"\xed\xa0\xbd\xed\xb8\x80", "surrogate pair of CESU-8", b""
def notes(*options):
    got = subprocess.run([tool, "validate", "-j", *options], input=data, stdout=subprocess.PIPE).stdout
    return [json.loads(line)["note"] for line in got.splitlines()]
for at in range(window - 14, window + 3):
    data = b"a" * at + 2 * pair + pair[3:] + b"\n" + pair[3:]
    for options in (["--all"], ["--all", "--refuse", "nul"]):
        if notes(*options) != 4 * [note] + 2 * [None]:
            wrong += 1
            print("at", at, options, "notes", notes(*options))
data = pair + b"\n" + pair[3:] + b"\n"
if notes("--lines") != [note, note, None]:
    wrong += 1
    print("line by line", notes("--lines"))
for bad, says in ((b"\xc0\xae", "overlong: C0 AE"), (b"\xed\xa0\x80", "surrogate: ED A0 80"),
                  (b"\xfc\x84\x80\x80\x80\x80", "header-bits: FC 84 80 80 80 80"),
                  (b"\xf0\x9f\x98", "too-short: F0 9F 98"), (b"\x80", "too-long: 80"),
                  (b"\xf0\x9f\x98\x80", None), (b"\xe2\x82\xac", None)):
    for at in range(window - 8, window + 9):
        for size in (1 << 20, 4093):
            data = b"a" * at + bad + b"\n" + b"z" * 20
            want = "" if says is None else "-:%d: %s\n" % (at, says)
            got = judge(data, size)
            if got != want:
                wrong += 1
                print("at", at, "in pieces of", size, "got", repr(got), "expected", repr(want))
    got = judge(b"a" * (window - len(bad)) + bad, 1 << 20)
    want = "" if says is None else "-:%d: %s\n" % (window - len(bad), says)
    if bad == b"\xf0\x9f\x98":
        want = want.replace("too-short", "truncated")
    if got != want:
        wrong += 1
        print("at the end got", repr(got), "expected", repr(want))
sys.exit(wrong != 0)
PY
ok "the borders of the window" python3 "$tap/borders.py" "$tool" "$window"

# Any cut of any text into pieces: a slow pipe.
run bash -c 'for i in a "\xe2" "\x82" "\xac" "\xed" "\xa0" "\x80" "\n\xf0\x9f" "\x98"; do
	printf "$i"; sleep 0.02; done | "$0" validate --all --lines' "$tool"
is "octets one by one" "$out" "-:1:4: surrogate: ED A0 80
-:2:0: truncated: F0 9F 98"

# Size: more than the memory that it may use.
size=$((300 * 1024 * 1024))
run bash -c '{ head -c "$1" /dev/zero; printf "\\xC0\\xAF"; } |
	python3 -c "
import resource, subprocess, sys
status = subprocess.call(sys.argv[1:])
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(status)" "$0" validate' "$tool" "$size"
is "300 MiB from a pipe" "$status $out" "1 -:$size: overlong: C0 AF"
ok "in less than 64 MiB of memory ($err KiB)" [ "$err" -lt 65536 ]
# What no block of the disk stands for is passed over: nobody could read all of it.
holes() { run timeout 10 "$tool" validate --all "$@"; }
for most in 8000P 15T none; do truncate -s $most "$tap/sparse" 2>"$tap/err" && break; done
if [ "$most" = none ]; then
	skip 6 "no sparse files of that size here"
else
	size=$(stat -c %s "$tap/sparse")
	holes "$tap/sparse"
	is "nothing but a hole of $most" "$status $out$err" "0 "
	printf '\xff' >>"$tap/sparse"
	holes "$tap/sparse"
	is "an octet after it" "$status $out" "1 $tap/sparse:$size: header-bits: FF"
	printf '\n\xfe' >>"$tap/sparse"
	printf '\n%4093s\xff\xe2' x | dd of="$tap/sparse" conv=notrunc status=none
	holes "$tap/sparse"
	is "octets before it, the last of them incomplete" "$status $out" "1 $tap/sparse:4094: header-bits: FF
$tap/sparse:4095: too-short: E2
$tap/sparse:$size: header-bits: FF
$tap/sparse:$((size + 2)): header-bits: FE"
	run timeout 10 "$tool" validate --lines "$tap/sparse"
	is "lines" "$status $out" "1 $tap/sparse:2:4093: header-bits: FF
$tap/sparse:3:0: header-bits: FE"
	printf '\xfd' | dd of="$tap/sparse" conv=notrunc bs=1M seek=1M status=none
	run bash -c 'exec <"$1"; dd bs=1 count=5000 status=none of=/dev/null; timeout 10 "$0" validate --all' \
		"$tool" "$tap/sparse"
	is "two of them; offsets are from where it began to read" "$status $out" "1 -:$(((1 << 40) - 5000)): header-bits: FD
-:$((size - 5000)): header-bits: FF
-:$((size - 4998)): header-bits: FE"
	truncate -s "$most" "$tap/sparse"
	holes "$tap/sparse"
	is "one at the end" "$status $(tail -n 1 <<<"$out")" "1 $tap/sparse:$((1 << 40)): header-bits: FD"
	rm "$tap/sparse"
fi

# Decoders of others, on random lines with many octets from the borders of the grammar's ranges.
cat >"$tap/differ.py" <<'PY'
import ctypes, json, random, subprocess, sys
tool, path, seed = sys.argv[1], sys.argv[2], int(sys.argv[3])
random.seed(seed)
edges = [0x00, 0x2f, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf,
         0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xfb,
         0xfc, 0xfd, 0xfe, 0xff]
def scalar():
    while True:
        c = random.choice((random.randrange(0x80), random.randrange(0x800),
                           random.randrange(0x10000), random.randrange(0x110000)))
        if not 0xd800 <= c < 0xe000:
            return chr(c).encode()
def line():
    kind = random.random()
    n = random.randrange(24)
    if kind < 0.4:
        return bytes(random.choice(edges) for i in range(n))
    if kind < 0.5:
        return random.randbytes(n)
    text = bytearray(b"".join(scalar() for i in range(n)))
    if kind < 0.9 and text:
        for i in range(random.randrange(1, 3)):
            text[random.randrange(len(text))] = random.choice(edges)
    return bytes(text)
lines = [line().replace(b"\n", b"") for i in range(20000)]
open(path, "wb").write(b"\n".join(lines) + b"\n")

def announced(lead):
    return 1 if lead < 0xc0 else 2 if lead < 0xe0 else 3 if lead < 0xf0 else 4 if lead < 0xf8 \
        else 5 if lead < 0xfc else 6 if lead < 0xfe else 1
def span(text, at):
    n, want = 1, announced(text[at])
    while n < want and at + n < len(text) and 0x80 <= text[at + n] < 0xc0:
        n += 1
    return n
def python(text):
    at, found = 0, []
    while True:
        try:
            text[at:].decode()
            return found
        except UnicodeDecodeError as e:
            start = at + e.start
            at = start + span(text, start)
            found.append((start, e.end - e.start, text[start:at].hex(" ").upper()))

libc = ctypes.CDLL(None, use_errno=True)
libc.iconv_open.restype = ctypes.c_void_p
libc.iconv.restype = ctypes.c_size_t
libc.iconv.argtypes = [ctypes.c_void_p] + [ctypes.c_void_p] * 4
converter = libc.iconv_open(b"UTF-16LE", b"UTF-8")
def iconv(text):
    libc.iconv(converter, None, None, None, None)
    source = ctypes.create_string_buffer(text, len(text) + 1)
    sink = ctypes.create_string_buffer(4 * len(text) + 16)
    left, room = ctypes.c_size_t(len(text)), ctypes.c_size_t(len(sink))
    a, b = ctypes.c_void_p(ctypes.addressof(source)), ctypes.c_void_p(ctypes.addressof(sink))
    bad = libc.iconv(converter, ctypes.byref(a), ctypes.byref(left), ctypes.byref(b), ctypes.byref(room))
    return len(text) - left.value if bad == ctypes.c_size_t(-1).value else None

said = subprocess.run([tool, "validate", "--lines", "-j", path], stdout=subprocess.PIPE).stdout
tool_says = {}
for record in map(json.loads, said.splitlines()):
    tool_says.setdefault(record["line"], []).append((record["offset"], record["length"], record["bytes"]))
wrong = ill = 0
for number, text in enumerate(lines, 1):
    got, want, first = tool_says.get(number, []), python(text), iconv(text)
    ill += bool(want)
    if got != want or (got[0][0] if got else None) != first:
        wrong += 1
        if wrong < 5:
            print(text.hex(" "), "tool", got, "python", want, "iconv", first)
print(len(lines), "lines,", ill, "ill-formed")
sys.exit(wrong != 0 or not 2000 < ill < 18000)
PY
for seed in 1 "$RANDOM"; do
	ok "as Python and iconv judge 20000 lines, seed $seed" python3 "$tap/differ.py" "$tool" "$tap/lines" "$seed"
done

# Kuhn's stress file, if there is a copy beside the checkout: its lines line up
# where each malformed sequence counts as one character. (A copy may have been
# taken for Latin-1 on its way, and is valid then: that is undone first.)
cat >"$tap/kuhn.py" <<'PY'
import json, subprocess, sys
tool, source, path = sys.argv[1:]
text = open(source, "rb").read()
try:
    text = text.decode().encode("latin-1")
except UnicodeDecodeError:
    pass
open(path, "wb").write(text)
lines = text.split(b"\n")
said = subprocess.run([tool, "validate", "--lines", "-j", path], stdout=subprocess.PIPE).stdout
found = list(map(json.loads, said.splitlines()))
for f in reversed(found):
    line, at = lines[f["line"] - 1], f["offset"]
    lines[f["line"] - 1] = line[:at] + "\ufffd".encode() + line[at + len(f["bytes"].split()):]
judged = {f["line"] - 1 for f in found}
crooked = [lines[i] for i in judged if lines[i].endswith(b"|") and len(lines[i].decode()) != 79]
print(len(found), "found; not of 79 characters:", crooked)
sys.exit(len(found) < 200 or len(crooked) > 0)
PY
# Of many files, each takes the memory that the one before had.
printf 'good\n' >"$tap/good"
mapfile -t many < <(yes "$tap/good" | head -n 4000)
run bash -c 'ulimit -v 200000; exec "$@"' - "$tool" validate "${many[@]}"
is "many files" "$status $out$err" "0 "

# Texts for which the tool takes another engine than for longer ones, and longer ones.
printf 'x\xC0\xAE' >"$tap/short"
printf '%60s\xC0\xAE' x >"$tap/long"
for engine in general bmi2 avx2 avx512 avx512vbmi; do
	run env UTF8GUARD_ENGINE=$engine "$tool" validate "$tap/short" "$tap/long"
	if [[ $err = *"no such engine on this processor" ]]; then
		skip 1 "this processor has not got the engine $engine"
	else
		is "the engine $engine" "$status $out$err" \
			"1 $tap/short:1: overlong: C0 AE"$'\n'"$tap/long:60: overlong: C0 AE"
	fi
done
run env UTF8GUARD_ENGINE=$'none\e[2J' "$tool" validate "$tap/short"
is "no engine of that name, which is not printed" "$status $err" "2 UTF8GUARD_ENGINE: no such engine on this processor"

kuhn=$top/../shared/corpora/kuhn-durst/utf8_corpus_kuhn.txt
if [ -r "$kuhn" ]; then
	ok "the lines of the stress file line up" python3 "$tap/kuhn.py" "$tool" "$kuhn" "$tap/kuhn"
else
	skip 1 "no stress file beside the checkout"
fi

status=0
wait "$far" || status=$?
if [ -e "$tap/far" ]; then
	is "beyond 4 GiB" "$status $(cat "$tap/far")" "1 $tap/huge:$((offset + 1)): surrogate: ED A0 80"
else
	skip 1 "no room for a sparse file"
fi
done_testing
