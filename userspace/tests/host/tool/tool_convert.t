#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# utf8guard convert and sanitize: encodings, byte order marks, what is refused,
# and the same answers as iconv and Python give.
#
# promise whoever wrote the text: the tool converts as iconv does, and mends as Python does, so
#   that nothing ill-formed is left
# shown by: $encoding as iconv
# shown by: noise as Python
# shown by: of which nothing is ill-formed

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"

hex() { od -An -v -tx1 | tr -d ' \n'; }
# NAME INPUT WANTED WORD...: printf's octets in, hexadecimal out
gives() {
	local got
	got=$(printf '%b' "$2" | "$tool" "${@:4}" 2>&1 | hex)
	is "$1" "$got" "$3"
}
# NAME INPUT WANTED WORD...: exit status 1, only this complaint, nothing written
refuses() {
	local status=0
	printf '%b' "$2" | "$tool" "${@:4}" >"$tap/out" 2>"$tap/err" || status=$?
	is "$1" "$status $(hex <"$tap/out") $(cat "$tap/err")" "1  utf8guard: $3"
}
convert() { "$1" "$2" "$3" "$4" convert --from "$5" --to "$6" "${@:7}"; }

text='a\xd1\x8f\xe2\x82\xac\xf0\x9f\x98\x80'
convert gives "to UTF-16LE" "$text" 61004f04ac203dd800de utf-8 utf-16le
convert gives "to UTF-16BE" "$text" 0061044f20acd83dde00 utf-8 utf-16be
convert gives "to UTF-32LE" "$text" 610000004f040000ac20000000f60100 utf-8 utf-32le
convert gives "to UTF-32BE" "$text" 000000610000044f000020ac0001f600 utf-8 utf-32be
convert gives "to itself" "$text" 61d18fe282acf09f9880 utf-8 utf-8
convert gives "nothing" "" "" utf-16le utf-8
convert gives "CESU-8" '\xed\xa0\xbd\xed\xb8\x80' f09f9880 cesu-8 utf-8
convert gives "modified UTF-8" '\xc0\x80' 00 modified-utf-8 utf-8

bom='\xff\xfea\x00'
convert gives "a byte order mark is kept" "$bom" efbbbf61 utf-16le utf-8
convert gives "or stripped" "$bom" 61 utf-16le utf-8 --bom strip
convert gives "or required" "$bom" efbbbf61 utf-16le utf-8 --bom require
convert gives "UTF-16, as its mark says" "$bom" 61 utf-16 utf-8 --bom strip
convert gives "the other way round" '\xfe\xff\x00a' efbbbf61 utf-16 utf-8
convert gives "no mark: big-endian" '\x00a' 61 utf-16 utf-8
convert gives "UTF-32, as its mark says" '\xff\xfe\x00\x00a\x00\x00\x00' 61 utf-32 utf-8 --bom strip
convert refuses "UTF-16 with no mark" '\x00a' "-: does not begin with a byte order mark" \
	utf-16 utf-8 --bom require
convert gives "there is none to strip" 'a\x00' 61 utf-16le utf-8 --bom strip
convert refuses "there is none" 'a\x00' "-: does not begin with a byte order mark" \
	utf-16le utf-8 --bom require

convert refuses "an overlong slash" 'ab\xc0\xaf' "-:2: overlong: C0 AF" utf-8 utf-16le
convert refuses "half a pair" 'a\x00\x3d\xd8b\x00' "-:2: surrogate: 3D D8" utf-16le utf-8
convert refuses "the other half" '\xde\x00' "-:0: surrogate: DE 00" utf-16be utf-8
convert refuses "an odd octet" 'a\x00b' "-:2: truncated: 62" utf-16le utf-8
convert refuses "U+110000" '\x00\x11\x00\x00' "-:0: too-large: 00 11 00 00" utf-32be utf-8
convert refuses "four octets of CESU-8" '\xf0\x9f\x98\x80' "-:0: header-bits: F0" cesu-8 utf-8
convert refuses "a surrogate of UTF-8" '\xed\xa0\xbd\xed\xb8\x80' \
	"-:0: surrogate: ED A0 BD" utf-8 utf-16le

printf 'caf\xc3\xa9' >"$tap/-- name"
run "$tool" convert --from utf-8 --to utf-16be -- "$tap/-- name"
is "a file" "$status $(hex <"$tap/out")" "0 00630061006600e9"
run "$tool" convert --from utf-8 --to utf-8 "$tap/none"
is "no file" "$status $err" "2 utf8guard: $tap/none: No such file or directory"
run "$tool" convert --from utf-8
is "to what?" "$status $err" "2 utf8guard: --to ENCODING is missing"
run "$tool" convert --from latin1 --to utf-8
like "no encoding of Unicode" "$status $err" '^2 .*latin1'
run "$tool" convert --from utf-8 --to cesu-8
like "CESU-8 is not written" "$status $err" '^2 .*cesu-8'
run "$tool" convert --form utf-8
like "an unknown option" "$status $err" '^2 .*--form.*--from'
run bash -c 'printf "\xc3\xa9" | "$0" convert --from UTF8 --to Utf-16BE' "$tool"
is "names of charsets have no case" "$status $(od -An -tx1 "$tap/out") $err" "0  00 e9 "
run "$tool" convert --from utf-8 --to utf-8 a b
like "one file" "$status $err" '^2 .*unexpected word'

# 1 MB of every plane, by iconv and back
/usr/bin/python3 - >"$tap/all" <<'PYTHON'
import sys
sys.stdout.buffer.write("".join(
    chr(c) for c in range(0x110000) if not 0xd800 <= c < 0xe000 and c % 5 < 2).encode())
PYTHON
for encoding in UTF-16LE UTF-16BE UTF-32LE UTF-32BE; do
	"$tool" convert --from utf-8 --to ${encoding,,} "$tap/all" >"$tap/ours"
	iconv -f UTF-8 -t $encoding "$tap/all" >"$tap/theirs"
	ok "$encoding as iconv" cmp "$tap/ours" "$tap/theirs"
	"$tool" convert --from ${encoding,,} --to utf-8 "$tap/theirs" >"$tap/back"
	ok "$encoding and back" cmp "$tap/back" "$tap/all"
done

gives "sanitize, a maximal subpart at a time" 'a\xf0\x9f\x98b\xc0\xaf' \
	61efbfbd62efbfbdefbfbd sanitize
gives "replace, in so many words" '\xff' efbfbd sanitize --replace
gives "skip" 'a\xf0\x9f\x98b\xc0\xaf' 6162 sanitize --skip
gives "nothing to do" "$text" 61d18fe282acf09f9880 sanitize
gives "no text" '' '' sanitize -
run "$tool" sanitize --skip --replace
like "not both" "$status $err" '^2 .*--replace and --skip cannot be combined'
run "$tool" sanitize --drop
like "neither" "$status $err" '^2 .*--drop'
run "$tool" sanitize "$tap"
like "a directory" "$status $err" '^2 utf8guard: .*: Is a directory'
run "$tool" sanitize --skip -- "$tap/-- name"
is "of a file" "$status $(hex <"$tap/out")" "0 636166c3a9"

head -c 300000 /dev/urandom >"$tap/noise"
"$tool" sanitize "$tap/noise" >"$tap/ours"
/usr/bin/python3 -c 'import sys
sys.stdout.buffer.write(sys.stdin.buffer.read().decode(errors="replace").encode())' \
	<"$tap/noise" >"$tap/theirs"
ok "noise as Python" cmp "$tap/ours" "$tap/theirs"
ok "of which nothing is ill-formed" "$tool" validate "$tap/ours"
done_testing
