#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# utf8guard compare: in which way two texts are the same, and where they part.

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$here/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"

first() { # NAME STATUS LINE A B
	run "$tool" compare -- "$4" "$5"
	like "$1" "$status $out" "^$2 $3"
}
first "nothing and nothing" 0 equal "" ""
first "the same octets" 0 equal café café
first "composed and decomposed" 0 "canonically equivalent" café $'cafe\u0301'
first "marks in another order" 0 "canonically equivalent" $'q\u0307\u0323' $'q\u0323\u0307'
first "a ligature" 0 "compatibility equivalent" $'\ufb01n' fin
first "case" 0 "the same by NFKC_Casefold" Straße STRASSE
first "what is ignorable" 0 "the same by NFKC_Casefold" $'a\u00adb' ab
first "what looks alike" 1 different $'p\u0430ypal' paypal
first "one goes on" 1 different cafés café
first "with a minus" 1 different -a -b

run "$tool" compare $'caf\u00e9!' $'cafe\u0301!'
is "where they part" "$out" "canonically equivalent: the same in NFC and in NFD
they part at offset 3, after 3 characters:
  the first: U+00E9 LATIN SMALL LETTER E WITH ACUTE
  the second: U+0065 LATIN SMALL LETTER E"
run "$tool" compare $'\u3042\u3044' $'\u3042\u3046'
like "not inside a character" "$out" "offset 3, after 1 characters"
run "$tool" compare $'\u1c89' a
like "a character of a later Unicode than libunistring knows" "$out" "the first: U\+1C89 ([A-Z]|of a later Unicode)"
run "$tool" compare ab abc
like "at an end" "$out" "offset 2, after 2 characters:
  the first: ends here
  the second: U\+0063 LATIN SMALL LETTER C$"

for pair in $'a\xff a' $'a a\xc0\xae'; do
	# shellcheck disable=SC2086 # two words
	run "$tool" compare $pair
	like "ill-formed: $(printf %q "$pair")" "$status $out$err" "^2 utf8guard: the (first|second):1: "
done
for words in "" a "a b c"; do
	# shellcheck disable=SC2086 # words
	run "$tool" compare $words
	is "wrong words: $words" "$status" 2
done

printf 'caf\xc3\xa9\n' >"$tap/one"
printf 'cafe\xcc\x81\n' >"$tap/two"
run "$tool" compare --files "$tap/one" "$tap/two"
like "files" "$status $out" "^0 canonically equivalent.*offset 3.*
  $tap/one: U\+00E9"
like "standard input" "$("$tool" compare --files - "$tap/two" <"$tap/one")" "^canonically equivalent"
run bash -c 'printf abc | "$0" compare --files - -' "$tool"
is "standard input, twice" "$status $out $err" "2  utf8guard: compare: only one of the files can be -"
is "as texts they are the same" "$("$tool" compare -- - -)" equal
run "$tool" compare --files "$tap/none" "$tap/two"
like "no such file" "$status $err" "^2 utf8guard: $tap/none: "

ok "as Python has it, of each relation" python3 -c '
import json, random, subprocess, sys, unicodedata
random.seed(7)
pieces = ["a", "A", "é", "e\u0301", "ﬁ", "fi", "Å", "\u212b", "ß", "ss", "\u1e9b\u0323", "가", "\u1100\u1161", "1", "①", "ａ"]
counts = {}
for _ in range(400):
    a = "".join(random.choices(pieces, k=random.randint(1, 3)))
    b = a
    if random.random() < .9:
        at = random.randrange(len(a))
        b = a[:at] + random.choice(pieces) + a[at + 1:] if random.random() < .3 else \
            unicodedata.normalize(random.choice(["NFC", "NFD", "NFKC", "NFKD"]), a)
        b = random.choice([b, b, b.upper(), b.casefold()])
    said = json.loads(subprocess.run([sys.argv[1], "compare", "-j", "--", a, b], stdout=subprocess.PIPE).stdout)
    def same(form): return unicodedata.normalize(form, a) == unicodedata.normalize(form, b)
    def folded(s):
        for _ in range(3): s = unicodedata.normalize("NFKC", s.casefold())
        return s
    wanted = "equal" if a == b else "canonical" if same("NFD") else "compatible" if same("NFKD") else \
             "caseless" if folded(a) == folded(b) else "different"
    assert said["relation"] == wanted, (a, b, said, wanted)
    counts[wanted] = counts.get(wanted, 0) + 1
    if a != b:
        i = next((i for i, (x, y) in enumerate(zip(a, b)) if x != y), min(len(a), len(b)))
        assert said["offset"] == len(a[:i].encode()), (a, b, said)
        assert said["a"] == ("U+%04X" % ord(a[i]) if i < len(a) else None), (a, b, said)
assert len(counts) == 5, counts
' "$tool"
done_testing
