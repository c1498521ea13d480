#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# utf8guard normalize, without any module.
#
# promise whoever wrote the text: the tool makes of long texts the forms that Python makes
# shown by: octets, as Python has it

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"

# shellcheck disable=SC2059 # the bytes are the format
check() { # NAME BYTES OPTIONS STATUS OUTPUT: bytes and output for printf
	printf -- "$2" >"$tap/in"
	# shellcheck disable=SC2086 # several options
	run bash -c '"$0" normalize "${@:2}" <"$1"' "$tool" "$tap/in" $3
	is "$1" "$status $out$err" "$4 $(printf -- "$5")"
}

check "nothing" '' '--form nfc' 0 ''
check "nfc" 'cafe\xcc\x81\n' '--form nfc' 0 'caf\xc3\xa9'
check "nfd" 'caf\xc3\xa9' '--form nfd' 0 'cafe\xcc\x81'
check "nfkc" '\xef\xac\x81' '--form nfkc' 0 'fi'
check "nfkd" '\xc2\xbd' '--form nfkd' 0 '1\xe2\x81\x842'
check "nfkc-casefold" 'STRA\xc3\x9fE' '--form nfkc-casefold' 0 'strasse'
check "standard input by name" 'e\xcc\x81' '--form nfc -' 0 '\xc3\xa9'
check "the last form counts" 'e\xcc\x81' '--form nfd --form nfc' 0 '\xc3\xa9'
check "ill-formed" 'ab\xc0\xae' '--form nfc' 1 'utf8guard: -:2: overlong: C0 AE'
check "ill-formed at the end" 'ab\xe2\x82' '--form nfkd' 1 'utf8guard: -:2: truncated: E2 82'
check "--check: yes" 'caf\xc3\xa9' '--check --form nfc' 0 ''
check "--check: no" 'cafe\xcc\x81' '--form nfc --check' 1 '-:3: not-normalized'
check "--check: perhaps, and it is" 'q\xcc\x81' '--check --form nfc' 0 ''
check "--check: marks in the wrong order" 'aq\xcc\x81\xcc\xa3' '--check --form nfd' 1 \
	'-:4: not-normalized'
check "--check: ill-formed" 'a\xff' '--check --form nfc' 1 'utf8guard: -:1: header-bits: FF'

printf 'a\0e\xcc\x81' >"$tap/--name"
cd "$tap" || exit
run "$tool" normalize --form nfc -- --name
printf 'a\0\xc3\xa9' >wanted
ok "NUL is a character; a file after --" cmp out wanted
run "$tool" normalize --form nfc --check -- --name
is "and its name" "$status $out" "1 --name:2: not-normalized"
run "$tool" normalize --form nfc none
is "no file" "$status $err" "2 utf8guard: none: No such file or directory"
run "$tool" normalize --form nfc .
like "a directory" "$status $err" "^2 utf8guard: .: Is a directory"
run "$tool" normalize --check in
like "no form" "$status $err" "^2 utf8guard: --form nfc\|nfd\|nfkc\|nfkd\|nfkc-casefold is missing"
run "$tool" normalize --form
like "no name of a form" "$status $err" "^2 utf8guard: --form: a word is missing; expected nfc, "
run "$tool" normalize --form utf8 in
like "no such form" "$status $err" "^2 utf8guard: utf8: unknown word; expected nfc, "
run "$tool" normalize --form nfc --kernal in
like "no such option" "$status $err" "^2 utf8guard: --kernal: unknown option of normalize; expected --form, .*; did you mean --kernel\?"
run "$tool" normalize --form nfc in in
like "one file" "$status $err" "^2 utf8guard: in: unexpected word"
run bash -c '"$0" normalize --form nfc wanted >/dev/full' "$tool"
like "output that fails" "$status $err" "^2 utf8guard: standard output: No space left"
if [ ! -d /sys/module/utf8guard ]; then
	run "$tool" normalize --form nfc --kernel in
	like "--kernel without the module" "$status $err" "^4 utf8guard: (utf8guard is not loaded|netlink: )"
fi

# A text longer than any buffer, compared with Python, of characters that its older Unicode has.
python3 - long <<'END'
import random, sys, unicodedata
chars = "aeiou \n\u0301\u0323\u0308éộ가각ᄀ\u1161\u11a8ﬁ½Ａ日本かガ\u3099Жй\U0001d15e"
random.seed(1)
text = "".join(random.choices(chars, k=300000))
open(sys.argv[1], "w", newline="").write(text)
for form in "NFC", "NFD", "NFKC", "NFKD":
    open(sys.argv[1] + "." + form.lower(), "w", newline="").write(unicodedata.normalize(form, text))
END
for form in nfc nfd nfkc nfkd; do
	"$tool" normalize --form $form long >got
	ok "$form of $(wc -c <long) octets, as Python has it" cmp got long.$form
	ok "and it passes --check" "$tool" normalize --form $form --check long.$form
done
done_testing
