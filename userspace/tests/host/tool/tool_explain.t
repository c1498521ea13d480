#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# utf8guard explain: the ways to write bytes, and what is said about them.

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"

run "$tool" explain C0 AE
is "an overlong full stop, whole" "$status $out" "0 C0 AE: overlong
  C0  110 00000  lead of 2 octets
  AE  10 101110  continuation
  pretends to be U+002E '.': full stop in disguise
  RFC 3629 section 1: C0 and C1 never appear: what they begin fits into 1 octet
  elsewhere: decoders that only add up the bits take it for that; a virus attacked web servers so in 2001 (RFC 3629 section 10)
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
LC_ALL=C run "$tool" explain E282AC
like "in a locale without it, too" "$out" "^E2 82 AC: well-formed, U\+20AC '€'"
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
  RFC 3629 section 4: after E0 comes A0..BF"
first "overlong of 4" F08080AF "F0 80 80 AF: overlong
.*RFC 3629 section 4: after F0 comes 90..BF"
first "CESU-8" EDA18CEDBEB4 'ED A1 8C: surrogate
.*pretends to be U\+D84C: surrogate pair of CESU-8
.*
.*elsewhere: half of U\+233B4 to CESU-8.*
ED BE B4: surrogate
.*surrogate pair of CESU-8
.*elsewhere: half of U\+233B4'
first "too large" F4908080 'F4 90 80 80: too-large
.*U\+110000
  RFC 3629 section 4: after F4 comes 80..8F'
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
assert one["character"]["classes"] == [], one
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

for words in C XY 'C0 A' '%' '\x' 0x 'C0 0xA' U+ U+80000000 U+20zz hello 100% $'\e[31m' --; do
	run "$tool" explain "$words"
	is "not bytes: $(printf %q "$words")" "$status $out" "2 "
done
unlike "the complaint is fit for a terminal" "$("$tool" explain $'\e[31m' 2>&1)" $'\e'
run "$tool" explain
is "nothing at all" "$status $err" "2 utf8guard: explain: a word is missing; expected bytes as C0 AE, \xC0\xAE, 0xC0 or %C0%AE"
for words in '' ' ' 'C0:' '--text:'; do
	run "$tool" explain ${words:+${words%%:*}} "${words##*:}"
	like "a word of nothing, of <$words>" "$status $out $err" '^2  utf8guard: .*: there is nothing in it; expected bytes as C0 AE'
done
run "$tool" explain C0 AE
is "what is ill-formed is explained, which is no failure" "$status" 0

# Code points and text.
said() { # NAME WORD REGEX
	run "$tool" explain "$2"
	like "$1" "$status $out" "^0 $3"
}
said "a code point" U+202E 'E2 80 AE: .*
  RIGHT-TO-LEFT OVERRIDE, Format, in General Punctuation, invisible
  classes: bidi, default-ignorable
  refused by profile safe$'
said "one that NFC has none of" U+212B '.*
  decomposed \(NFD\): U\+0041 U\+030A
  refused by profile portable-nfc$'
said "a space" U+0020 '.*
  classes: edge-space
  refused by profile safe, at the beginning and the end$'
said "several" 'U+0061,u+e9 U+10FFFF' '61: .*C3 A9: .*F4 8F BF BF: '
said "a surrogate" U+D800 'ED A0 80: surrogate'
said "one too many" U+110000 'F4 90 80 80: too-large'
said "the last of RFC 2044" U+7FFFFFFF 'FD BF BF BF BF BF: header-bits'
ok "each width begins and ends where Python has it" python3 -c '
import subprocess, sys
ends = [0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xffff, 0x10000, 0x10ffff]
said = subprocess.run([sys.argv[1], "explain", *("U+%04X" % c for c in ends)], stdout=subprocess.PIPE, text=True).stdout
heads = [line.split(":")[0] for line in said.splitlines() if ": well-formed, " in line]
assert heads == [chr(c).encode().hex(" ").upper() for c in ends], heads
' "$tool"
said "text" é 'C3 A9: well-formed, U\+00E9 .é.
.*
  LATIN SMALL LETTER E WITH ACUTE, Lowercase Letter, in Latin-1 Supplement
  decomposed \(NFD\): U\+0065 U\+0301$'
said "text with octets" 'é%C0\xAE.' 'C3 A9: .*C0 AE: overlong.*2E: well-formed'
said "a ligature" ﬁ '.*
  decomposed for compatibility \(NFKD\): U\+0066 U\+0069$'
said "the byte order mark" U+FEFF '.*byte order mark.*RFC 3629 section 6'
said "the Korean mess" U+3400 '.*Korean mess.*RFC 3629 section 5'
run "$tool" explain --text 'C0 AE'
like "ASCII as text" "$status $out" "^0 43: .*30: .*20: .*41: .*45: "
run "$tool" explain -- -C0
is "an octet with a minus is none" "$status" 2
run "$tool" explain +AGE-
like "UTF-7 is text" "$status $out" "^0 2B: .*could be UTF-7: a$"
run "$tool" explain +AG-
is "two octets of base64 are no character" "$status" 2
run "$tool" explain 00+AGE
is "what is not is none" "$status" 2
for mark in "UTF-1=F7 64 4C" "GB18030=84 31 95 33" "SCSU=0E FE FF" "BOCU-1=FB EE 28" "UTF-EBCDIC=DD 73 66 73"; do
	run "$tool" explain "${mark#*=}"
	like "the mark of ${mark%=*}" "$out" "could be ${mark%=*}: begins with its byte order mark"
done
like "disguised by the high bits of what follows" "$("$tool" explain C1 1C)" "elsewhere: C1 1C is '.' to those"
like "and of three octets" "$("$tool" explain E0 40 2E)" "elsewhere: E0 40 2E is '\.' to those"
unlike "a lead and a letter that add up to none" "$("$tool" explain C0 41)" "to those that do not look"
like "not said of what pretends as it is" "$("$tool" explain C0 AE)" "elsewhere: decoders that only add up"

# Files.
printf 'caf\xe9' >"$tap/latin"
run "$tool" explain --file "$tap/latin"
like "a file" "$status $out" "^0 63: .*E9: "
is "standard input" "$("$tool" explain - <"$tap/latin")" "$out"
is "the same" "$("$tool" explain --file - <"$tap/latin")" "$out"
run "$tool" explain --file "$tap/none"
like "no such file" "$status $err" "^2 utf8guard: $tap/none: No such file"
run "$tool" explain --file "$tap/latin" C0
is "a file and words" "$status" 2
: >"$tap/empty"
run "$tool" explain --file "$tap/empty"
is "an empty one" "$status $out" "0 "
{ yes 'good text' | head -n 1000; printf '\xC0\xAE\u202e'; yes $'\xC0\xAE' | head -n 100; } >"$tap/long"
run "$tool" explain --file "$tap/long"
is "of a long one what is remarkable, each once" "$(grep -c '^[0-9A-F][0-9A-F][ :]' <<<"$out")" 2
like "and how much is left out" "$out" "
10[0-9]* more sequences: "
unlike "none for their number" "$out" "not explained"
# 64 kinds are explained. What is of another is not said to be plain.
python3 -c '
import sys
sys.stdout.buffer.write(b"plain " * 100 + b"".join(b"\xee\x80%c" % c for c in range(0x80, 0xc0)) + 3 * b"\xc0\xae" + b"\xee\x80\x80")
' >"$tap/kinds"
run "$tool" explain --file "$tap/kinds"
is "64 kinds are explained" "$(grep -c '^[0-9A-F][0-9A-F][ :]' <<<"$out")" 64
like "what was explained, or is plain" "$out" "
601 more sequences: explained above, or well-formed and of no class
"
like "and what is neither" "$out" "
3 more sequences: not explained, for 64 different ones were$"
run "$tool" explain -j --file "$tap/kinds"
is "JSON tells of that, too" "$(grep -c unexplained <<<"$out") $(sed -n 65p <<<"$out")" '1 {"version":1,"unexplained":3}'
head -c 3000000 /dev/urandom >"$tap/random"
run timeout 20 "$tool" explain --file "$tap/random"
is "a long one of random octets ends" "$status" 0

# Other encodings, as Python encodes them.
ok "guesses name the encoding, and what is said in it" python3 -c '
import json, subprocess, sys
def guesses(octets):
    said = subprocess.run([sys.argv[1], "explain", "-j", "--file", "-"], input=octets, stdout=subprocess.PIPE, check=True).stdout
    return {d["guess"]: d["text"] for d in map(json.loads, said.splitlines()) if "guess" in d}
german, chinese, russian, smile = "Grüße aus Köln", "统一码联盟", "Привет", "ok 😀 ok"
for octets, name, text in (
    (german.encode("utf-16"), "UTF-16", german), (german.encode("utf-16-be"), "UTF-16", german),
    (german.encode("utf-16-le"), "UTF-16LE", german), (german.encode("utf-32"), "UTF-32", german),
    (german.encode("utf-32-le"), "UTF-32LE", german), (german.encode("latin-1"), "ISO 8859-1", german),
    ("„so“".encode("cp1252"), "Windows-1252", "„so“"), (chinese.encode("gb18030"), "GB18030", chinese),
    (german.encode("utf-7"), "UTF-7", german), (german.encode().decode("latin-1").encode(), "UTF-8 encoded twice", german),
    (smile.encode("utf-16", "surrogatepass")[2:], "UTF-16LE", smile),
    (b"ok \xed\xa0\xbd\xed\xb8\x80 ok", "CESU-8", smile), (b"a\xc0\x80bc", "modified UTF-8", "a\\x00bc"),
):
    found = guesses(octets)
    assert name is None or found.get(name) == text, (octets, name, found)
for text in (german, chinese, russian, "plain ASCII", "1 + 1 = 2", "a+bcd", "a+-b", "100 %"):
    assert not guesses(text.encode()), (text, guesses(text.encode()))

# Of a longer text, the first 4096 octets are looked at, which may end within a character.
for text, coding, name in (
    (german, "utf-16-le", "UTF-16LE"), (smile, "utf-16-le", "UTF-16LE"), (smile, "utf-32-le", "UTF-32LE"),
    (german, "latin-1", "ISO 8859-1"), (chinese, "gb18030", "GB18030"), ("😀", "utf-8", None),
    (russian, "utf-8", None), ("€uro „so“ 😀", "twice", "UTF-8 encoded twice"), ("ok 😀", "cesu-8", "CESU-8"),
):
    for before in range(13):
        whole = "a" * before + 1500 * text
        if coding == "twice":
            octets = "".join(bytes((b,)).decode("cp1252", "ignore") or chr(b) for b in whole.encode()).encode()
        elif coding == "cesu-8":
            octets = whole.replace("😀", "\ud83d\ude00").encode("utf-8", "surrogatepass")
        else:
            octets = whole.encode(coding)
        found = guesses(octets)
        if name is None and coding == "utf-8":
            assert not found, (text, before, found)
        elif name:
            assert whole.startswith(found.get(name, "no").replace("\\\\", "\\")), (text, coding, before, found)
assert "GB18030" not in guesses(russian.encode("gb18030"))
assert "GB18030" not in guesses("Müller".encode("latin-1"))

# UTF-1, by the arithmetic of its definition.
def utf_1(c):
    digit = lambda z: z + 0x21 if z < 0x5e else z + 0x42 if z < 0xbe else z - 0xbe if z < 0xdf else z - 0x60
    if c < 0xa0: return bytes([c])
    if c < 0x100: return bytes([0xa0, c])
    if c < 0x4016: return bytes([0xa1 + (c - 0x100) // 190, digit((c - 0x100) % 190)])
    y = c - 0x4016
    return bytes([0xf6 + y // 190**2, digit(y // 190 % 190), digit(y % 190)])
for text in (russian, "Львів", "ελληνικά", "日本語です", "한국어 글"):
    octets = b"".join(utf_1(ord(c)) for c in text)
    assert guesses(octets).get("UTF-1") == text, (text, octets, guesses(octets))
' "$tool"

ok "names and categories as Python has them" python3 -c '
import json, subprocess, sys, unicodedata
codes = [c for c in (*range(0x20, 0x30000, 37), 0x16d63, 0xffff, 0x50000) if not 0xd800 <= c < 0xe000]
said = subprocess.run([sys.argv[1], "explain", "-j", *("U+%04X" % c for c in codes)], stdout=subprocess.PIPE, check=True).stdout
for c, line in zip(codes, said.splitlines()):
    d = json.loads(line)["character"]
    known = "name" in d and not d["name"].startswith(("VARIATION", "CJK COMP"))
    # libunistring 1.0 calls the final consonant NJ of Hangul NI.
    known = known and not d["name"].startswith("HANGUL SYLLABLE")
    assert not known or d["name"] == unicodedata.name(chr(c), d["name"]), (hex(c), d)
    # libunistring may be of an older Unicode than the codec.
    assert d.get("category") != "Unassigned" or {"unassigned", "noncharacter"} & set(d["classes"]), (hex(c), d)
    nfd = " ".join("U+%04X" % ord(x) for x in unicodedata.normalize("NFD", chr(c)))
    if unicodedata.category(chr(c)) != "Cn":
        assert d.get("nfd", "U+%04X" % c) == nfd, (hex(c), d, nfd)
' "$tool"

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
