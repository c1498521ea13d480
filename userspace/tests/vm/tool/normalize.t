#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The normaliser as a module of a stock kernel: by "normalize --kernel", and by the netlink command
# that this uses.
#
# promise whoever wrote the text: on a stock kernel the normaliser makes the forms that
#   NormalizationTest.txt has, all of it, and of ill-formed text none
# shown by: every column of every line
# shown by: ill-formed: class and offset

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
# shellcheck source=userspace/tests/tap.sh
. "$here/../../tap.sh"
: "${UTF8GUARD_MODULES:?for a stock kernel: scripts/vm/suite.sh FILE.t}"

check() { # NAME BYTES OPTIONS STATUS OUTPUT: bytes and output for printf
	# shellcheck disable=SC2059 # the bytes are the format
	printf "$2" >"$tap/in"
	# shellcheck disable=SC2086 # words of a command
	run utf8guard normalize $3 "$tap/in"
	# shellcheck disable=SC2059 # the bytes are the format
	is "$1" "$status $out$err" "$4 $(printf "$5")"
}

check "without the module" 'a' '--kernel --form nfc' 4 \
	'utf8guard: utf8guard is not loaded; load it with: modprobe utf8guard'
insmod "$UTF8GUARD_MODULES/utf8guard.ko" || bail_out "the module does not load"
check "nfc" 'cafe\xcc\x81' '--kernel --form nfc' 0 'caf\xc3\xa9'
check "nfd" 'caf\xc3\xa9' '--kernel --form nfd' 0 'cafe\xcc\x81'
check "nfkc" '\xef\xac\x81' '--kernel --form nfkc' 0 'fi'
check "nfkd" '\xc2\xbd' '--kernel --form nfkd' 0 '1\xe2\x81\x842'
check "nfkc-casefold" 'STRA\xc3\x9fE' '--kernel --form nfkc-casefold' 0 'strasse'
check "NUL is a character" 'a\0e\xcc\x81' '--kernel --form nfc' 0 'a\xc3\xa9'
check "nothing" '' '--kernel --form nfc' 0 ''
check "--check: yes" 'caf\xc3\xa9' '--kernel --check --form nfc' 0 ''
check "--check: no" 'cafe\xcc\x81' '--kernel --check --form nfc' 1 "$tap/in:3: not-normalized"
check "--check: perhaps, and it is" 'q\xcc\x81' '--kernel --check --form nfc' 0 ''
check "ill-formed" 'ab\xc0\xae' '--kernel --form nfc' 1 "utf8guard: $tap/in:2: overlong: C0 AE"
check "--check: ill-formed" 'ab\xed\xa0\x80' '--kernel --check --form nfd' 1 \
	"utf8guard: $tap/in:2: surrogate: ED A0 80"
head -c 32768 /dev/zero >"$tap/long"
run utf8guard normalize --kernel --form nfd "$tap/long"
is "the longest text" "$status $(wc -c <"$tap/out")" "0 32768"
echo >>"$tap/long"
run utf8guard normalize --kernel --form nfd "$tap/long"
is "one octet more" "$status $err" "2 utf8guard: $tap/long: the kernel takes at most 32768 octets at once"
for _ in {1..2000}; do printf '\xef\xb7\xba'; done >"$tap/long"
run utf8guard normalize --kernel --form nfkd "$tap/long"
is "a form longer than a reply" "$status $err$out" \
	"3 utf8guard: the form has 66000 octets; the kernel sends at most 65531 at once"
run setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
	"$UTF8GUARD" normalize --kernel --form nfkc /etc/hostname
is "anyone may ask" "$status $(cmp "$tap/out" /etc/hostname)" "0 "

conformance() { # FILE VERSION
	local number name
	# shellcheck disable=SC2034 # the number is of another count
	while read -r verdict number name; do
		case $verdict in
		ok) pass "${name#- }" ;;
		not) fail "${name#* - }" ;;
		*) note "$verdict $number $name" ;;
		esac
	done < <(python3 "$here/normalization.py" "$@" 2>&1 || echo "not ok - normalization.py ends well")
}
version=$(utf8guard -j | sed -n 's/.*"unicode":"\([0-9.]*\)".*/\1/p')
for file in "${UCD:-../shared/ucd/$version}/NormalizationTest.txt" \
	/usr/share/unicode/NormalizationTest.txt{,.bz2}; do
	if [ -r "$file" ]; then
		conformance "$file" "$version"
		break
	fi
done
[ -r "$file" ] || skip 1 "NormalizationTest.txt is not there: set UCD, or install unicode-data"
ok "the module goes" rmmod utf8guard
done_testing
