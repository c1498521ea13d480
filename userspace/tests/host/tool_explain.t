#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# utf8guard explain: the ways to write bytes, and what is said about them.

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"

run "$tool" explain C0 AE
is "an overlong full stop, whole" "$status $out" "0 C0 AE: overlong
  C0  110 00000  lead of 2 octets
  AE  10 101110  continuation
  pretends to be U+002E '.': full stop in disguise
  RFC 3629 section 1: C0 and C1 never appear, for all they lead to fits into 1 octet
  elsewhere: those that only add up the bits take it for that: so a virus got into web servers in 2001 (RFC 3629 section 10)
  where errors are replaced (WHATWG): 2 U+FFFD"
whole=$out
for words in C0AE '\xC0\xAE' '0xC0 0xAE' 0xc0ae %C0%AE '%c0 %ae' c0,ae C0:AE 'C0	AE'; do
	run "$tool" explain "$words"
	is "written as $words" "$out" "$whole"
done
run "$tool" explain 0xC0 '\xAE'
is "in two words" "$out" "$whole"

first() { # NAME BYTES LINE...
	run "$tool" explain "$2"
	like "$1" "$out" "^$3"
}
first "a letter" 41 "41: well-formed, U\+0041 'A'"
first "a euro" E282AC "E2 82 AC: well-formed, U\+20AC '€'"
first "the last code point" F48FBFBF "F4 8F BF BF: well-formed, U\+10FFFF"
first "NUL is not sent to the terminal" 00 "00: well-formed, U\+0000
"
first "nor is an override" E280AE "E2 80 AE: well-formed, U\+202E
"
first "nor a C1 control" C29B "C2 9B: well-formed, U\+009B
"
first "modified UTF-8" C080 'C0 80: overlong
.*
.*
  pretends to be U\+0000: NUL of modified UTF-8'
first "overlong of 3" E080AF "E0 80 AF: overlong
.*pretends to be U\+002F '/': solidus in disguise
  RFC 3629 section 4: behind E0 comes A0..BF"
first "overlong of 4" F08080AF "F0 80 80 AF: overlong
.*RFC 3629 section 4: behind F0 comes 90..BF"
first "CESU-8" EDA18CEDBEB4 'ED A1 8C: surrogate
.*pretends to be U\+D84C: surrogate pair of CESU-8
.*
.*elsewhere: half of U\+233B4 to CESU-8.*
ED BE B4: surrogate
.*surrogate pair of CESU-8
.*elsewhere: half of U\+233B4'
first "too large" F4908080 'F4 90 80 80: too-large
.*U\+110000
  RFC 3629 section 4: behind F4 comes 80..8F'
first "too large by its lead" F5808080 'F5 80 80 80: too-large
.*U\+140000
  RFC 3629 section 1'
first "5 octets" F888808080 'F8 88 80 80 80: header-bits
  F8  111110 00  lead of 5 octets in RFC 2044.*U\+200000: 5-octet form'
first "6 octets" FDBFBFBFBFBF 'FD BF BF BF BF BF: header-bits
.*U\+7FFFFFFF: 6-octet form'
first "FF" FF 'FF: header-bits
  FF  11111111   of no use in any UTF-8
  begins nothing'
first "a stray continuation" 80 '80: too-long
  80  10 000000  continuation
  continues nothing'
first "cut short" E28241 "E2 82: too-short
.*has 2 of 3 octets.*
41: well-formed"
first "Latin-1" E941 "E9: too-short
.*elsewhere: 'é' to ISO 8859-1"
first "no-break space is not shown" A041 'A0: too-long
.*section 4: [^
]*
  where errors'
first "UTF-16" FFFE ".*byte order mark of UTF-16"
first "too large, elsewhere" F4908080 ".*elsewhere: Perl.*4 U\+FFFD"
first "half of what RFC 2279 had" F888 'F8 88: header-bits
.*section 1: [^
]*
  where errors are replaced \(WHATWG\): 2 U\+FFFD'
first "at the end" F09F98 "F0 9F 98: truncated
.*has 3 of 4 octets"

run "$tool" explain -j 2f C0AF
ok "JSON is JSON" python3 -c '
import json, sys
one, two = map(json.loads, open(sys.argv[1]))
assert one["class"] == "none" and one["code-point"] == "U+002F" and one["offset"] == 0
assert two["class"] == "overlong" and two["offset"] == 1 and two["bytes"] == "C0 AF"
assert two["note"] == "solidus in disguise" and two["octets"][1]["bits"] == "10 101111"
' "$tap/out"

ok "as many U+FFFD as Python makes of it" python3 -c '
import json, subprocess, sys
for octets in (b"\xc0\xae", b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"\xe2\x82",
               b"\xf0\x9f\x98A", b"\xfc\x84\x80\x80\x80\x80", b"\xe9A"):
    said = subprocess.run([sys.argv[1], "explain", "-j", octets.hex()], stdout=subprocess.PIPE).stdout
    count = sum(json.loads(line).get("replaced", 0) for line in said.splitlines())
    assert count == octets.decode(errors="replace").count("\ufffd"), octets
' "$tool"

for words in C XY 'C0 A' '%' '\x' 0x 'C0 0xA' $'\e[31m' -- -; do
	run "$tool" explain "$words"
	is "not bytes: $(printf %q "$words")" "$status $out" "2 "
done
unlike "the complaint is fit for a terminal" "$("$tool" explain $'\e[31m' 2>&1)" $'\e'
run "$tool" explain
is "nothing at all" "$status $err" "2 utf8guard: explain: a word is missing; expected bytes as C0 AE, \xC0\xAE, 0xC0 or %C0%AE"

# Each sequence of two octets: what is explained as well-formed is, to Python too.
ok "well-formed as Python has it" python3 -c '
import json, subprocess, sys
pairs = [bytes((a, b)) for a in range(0x80, 256) for b in (0x2f, 0x7f, 0x80, 0x8f, 0x90, 0xa0, 0xbf, 0xc0, 0xff)]
said = subprocess.run([sys.argv[1], "explain", "-j", b" ".join(pairs).hex()],
                      stdout=subprocess.PIPE, check=True).stdout
text = b" ".join(pairs)
good = "".join(chr(int(r["code-point"][2:], 16)) for r in map(json.loads, said.splitlines()) if r["class"] == "none")
assert good == text.decode(errors="ignore"), (good, text)
' "$tool"
done_testing
