#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The words of the tool: commands, flags, wrong use, exit status, and all of it
# without the modules.

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"

# One line a case: STATUS COMMAND... | what standard error says (a regex).
try() {
	local status_=$1 said=${2##* | } words
	read -ra words <<<"${2%% | *}"
	run "$tool" "${words[@]}"
	like "utf8guard ${words[*]}" "$status $err" "^$status_ utf8guard: $said"
}
usage() { try 2 "$1"; }

commands=(show validate explain compare normalize convert sanitize scan fs net save load diff check
	confirm lock follow stats reset monitor top suggest version help)
run "$tool" help
is "help lists all commands" "$(sed -n 's/^  \([a-z]\+\) \+[a-z].*/\1/p' <<<"$out" | xargs)" "${commands[*]}"
list=$out
for c in "${commands[@]}"; do
	run "$tool" help "$c"
	like "help $c" "$status $out$err" "^0 utf8guard .*$c"
done
for c in fs net; do
	is "help $c: one column for what words mean, and one for options" "$("$tool" help "$c" | awk '
		/^  -/ { kind = "option" }
		/^  [^- ]/ { kind = "word" }
		/^  / { print kind, match($0, /^    +|[^ ]  +/) ? RSTART + RLENGTH : $0 }' | sort -u)" \
		$'option 17\nword 24'
done
run "$tool" --help
is "--help" "$status $out" "0 $list"
run "$tool" -h
is "-h" "$status $out" "0 $list"
run "$tool" version
like "version" "$status $out" '^0 utf8guard [0-9]+\.[0-9]+\.[0-9]+$'
version=$out
run "$tool" --version
is "--version" "$out" "$version"
run "$tool" -j version
is "a flag before the command" "$out" "{\"version\":1,\"tool\":\"${version#* }\"}"
run "$tool" version -jp
is "flags after it" "$out" "{
  \"version\": 1,
  \"tool\": \"${version#* }\"
}"
run bash -c '"$0" help >/dev/full' "$tool"
is "output that cannot be written" "$status $err" "2 utf8guard: standard output: No space left on device"

usage 'bogus | bogus: unknown word; expected show, validate, .* version or help'
usage 'help bogus | bogus: unknown word'
usage 'version 1 | 1: unexpected word'
usage 'show me | me: unexpected word'
usage 'stats all | all: unexpected word'
usage 'reset it | it: unexpected word'
usage '-x show | -x: unknown option of show; expected -j, -p, -H, --color, -N, -h or -V'
usage 'version -s | -s: unknown option of version; expected -j'
usage 'validate -n | -n: unknown option of validate; expected --all'
usage 'fs bogus | bogus: unknown word; expected show, add, ensure, set, replace, del or flush'
usage 'fs add | fs: a word is missing after "add"; expected default, subtree, superblock or fstype'
usage 'fs add tree | tree: unknown word; expected default, subtree, superblock or fstype'
usage 'fs add subtree | fs: a word is missing after "subtree"; expected a directory'
usage 'fs add subtree /nonesuch audit | /nonesuch: No such file or directory'
usage 'fs add subtree / | fs: a word is missing after "/"; expected uid, userns, cgroup, off, audit or enforce'
usage 'fs add subtree / refuse | refuse: unknown word; expected uid, userns, cgroup, off, audit or enforce'
usage 'fs add subtree / uid x off | x: no such user; expected a user ID, two as in 1000-1999, or the name'
usage 'fs add subtree / uid 5-4 off | 5-4: the lower number comes first'
usage 'fs add subtree / uid 4294967295 off | 4294967295: no such user; expected a user ID'
usage 'fs add subtree / uid 1 uid 2 off | uid: given twice'
usage 'fs add subtree / userns /nonesuch off | /nonesuch: no such namespace'
usage 'fs add subtree / off refuse overlong | overlong: unknown word; expected nul'
usage 'fs add subtree / off refuse bidi, | "": unknown word'
usage 'fs add subtree / off profile best | best: unknown profile; expected utf8'
usage 'fs add subtree / off form nfx | nfx: unknown word; expected nfc'
usage 'fs add subtree / off form nfc form nfd | form: given twice'
usage 'fs add subtree / off onto | fs: a word is missing after "onto"; expected allow or judge'
usage 'fs add subtree / off move judge move judge | move: given twice'
usage 'fs add subtree / off comment x refuse bidi | refuse: unexpected word'
usage 'fs add fstype | fs: a word is missing after "fstype"; expected a type of file system'
usage 'fs add superblock | fs: a word is missing after "superblock"; expected a path on the file system'
usage 'fs show --explain | --explain: a word is missing; expected a directory'
usage 'fs show --explain / uid | fs: a word is missing after "uid"; expected a user ID'
usage 'fs show --explain / uid x | x: no such user; expected a user ID, or the name of a user$'
usage 'fs add subtree / userns owner x off | x: no such user; expected the user ID of an owner, or the name$'
usage 'fs show --explain / now | now: unknown word; expected uid, pid, cgroup or name'
usage 'fs show --explain / uid 1 uid 2 | uid: given twice'
usage 'fs show --explain / name a/b | a/b: not a file name'
usage 'fs add subtree / audit now | now: unexpected word'
usage 'fs set | fs: a word is missing after "set"; expected the handle'
usage 'fs set x audit | x: expected the handle of a rule'
usage 'fs set 1x audit | 1x: expected the handle'
usage 'fs set +1 audit | .1: expected the handle'
usage 'fs set 4294967296 audit | 4294967296: expected the handle'
usage 'fs set default | fs: a word is missing after "default"; expected off, audit or enforce'
usage 'fs set default audit x | x: unexpected word'
usage 'fs del | fs: a word is missing after "del"'
usage 'fs del default | default: expected the handle'
usage 'fs flush 1 | 1: unexpected word'
usage 'net add | net: a word is missing after "add"; expected input, forward or output'
usage 'net add prerouting | prerouting: unknown word; expected input, forward or output'
usage 'net add input icmp | icmp: unknown word; expected ip, ip6, tcp, udp, sctp or udplite'
usage 'net add input ip dport | dport: unknown word; expected tcp, udp, sctp or udplite'
usage 'net add input tcp | net: a word is missing after "tcp"; expected sport, dport, any-port, saddr, daddr, iif, oif, marked, direction, count, audit, drop, reject, mark or ctmark'
usage 'net add input tcp dport 1 marked x drop | x: expected a mark, as in 7 or 0x10/0xff'
usage 'net add input tcp dport 1 marked 0x100000000 drop | 0x100000000: expected a mark'
usage 'net add input tcp dport 1 marked 7x drop | 7x: expected a mark'
usage 'net add input tcp dport 1 mark | net: a word is missing after "mark"; expected a mark'
usage 'net add input tcp dport 1 mark 1/ | 1/: expected a mark'
usage 'net add input tcp dport 1 direction up drop | up: unknown word; expected original or reply'
usage 'net add input tcp dport 1 iif | net: a word is missing after "iif"; expected the name of an interface'
usage 'net add input tcp dport 1 drop scope 4 | 4: unknown word; expected payload, first, dns-labels'
usage 'net add input tcp dport 1 drop scope part | part: unknown word'
usage 'net add input tcp dport 1 drop scope first x | x: expected a number of octets'
usage 'net add input tcp dport 1 drop refuse nfc | nfc: unknown word'
usage 'net add input tcp dport 1 drop refuse portable-nfc | portable-nfc: a normal form is for names'
usage 'net add input tcp dport 1 drop allow overlong | overlong: unknown word'
usage 'net add input tcp dport 1 drop allow | net: a word is missing after "allow"; expected classes'
usage 'fs add subtree / audit refuse percent-nul | percent-nul: unknown word'
usage 'net add input tcp dport 1 drop decode url | url: unknown word; expected raw or percent'
usage 'net add input tcp dport 1 drop gate | net: a word is missing after "gate"; expected on or off'
usage 'net add input tcp dport 1 drop fail closed fail open | fail: given twice'
usage 'net add input tcp dport 1 drop dport 2 | dport: unexpected word'
usage 'net add input tcp drop | net: no ports; expected sport, dport or any-port'
usage 'net add input tcp saddr 192.0.2.1 drop | net: no ports'
usage 'net add input tcp dport drop | drop: no such service; expected a port'
usage 'net add input tcp dport 65536 drop | 65536: expected a port of 0 to 65535'
usage 'net add input tcp dport 8099-8000 drop | 8099-8000: the lower port comes first'
usage 'net add input tcp dport 80- drop | 80-: expected a port'
usage 'net add input tcp dport nonesuch drop | nonesuch: no such service; expected a port of 0 to 65535, two as in 8000-8099, or the name'
usage 'net add input udplite dport http drop | http: no such service'
usage 'net add input tcp dport 80,,443 drop | 80,,443: expected a port of 0 to 65535'
usage 'net add input tcp dport 80, drop | 80,: expected a port of 0 to 65535'
usage 'net add input tcp dport 80,99-98 drop | 80,99-98: the lower port comes first'
usage 'net add input tcp dport 80,8000:8099 drop | 80,8000:8099: a range is written 8000-8099'
# Words of other tools, and words at a wrong place.
usage 'net list | list: unknown word; expected .*; did you mean show\?'
usage 'status | status: unknown word; expected .*; did you mean show\?'
usage 'net add input tcp dport 80 deny | deny: unknown word; expected .*; did you mean drop\?'
usage 'fs set default deny | deny: unknown word; expected .*; did you mean enforce\?'
usage 'fs add subtree / audit uid root | uid: unexpected word after "audit"; it stands before off, audit or enforce'
usage 'net add input tcp any-port drop dport 80 | dport: unexpected word after "drop"; it stands before the action'
usage 'net add input tcp dport 80 saddr 10.0.0.0/8,2001:db8::/32 drop | 10.0.0.0/8,2001:db8::/32: addresses of both families; write two rules'
usage 'net add input tcp dport 80 saddr 10.0.0.0/8, drop | 10.0.0.0/8,: expected an address as 192.0.2.0/24 or 2001:db8::/32, or several'
usage 'net add input tcp dport 80 daddr 192.0.2.0/24,10.1.2.3/8 drop | 192.0.2.0/24,10.1.2.3/8: the address has bits set after its prefix; expected 10.0.0.0/8'
usage 'net add input tcp dport 80 daddr 10.0.0.0/33 drop | 10.0.0.0/33: expected an address'
usage 'net add input tcp dport 80,no-such drop | 80,no-such: no such service; expected a port'
usage "net add input tcp dport $(seq -s, 2 2 34) drop | $(seq -s, 2 2 34): more than 16 ranges of ports; write two rules"
usage 'net add input tcp dport 80:90 drop | 80:90: a range is written 80-90'
usage 'net add input tcp --dport 80 drop | --dport: is written without dashes: dport$'
usage 'net add input tcp --dport=80 drop | --dport=80: is written without dashes: dport 80$'
usage 'fs -add | -add: is written without dashes: add'
usage 'fs --bogus | --bogus: unknown option of fs'
usage 'net add input tcp dport 80 dport 81 drop | dport: given twice'
usage 'net add input tcp dport 80 refuse | refuse: unknown word'
usage 'net add input tcp dport 80 drop audit | audit: unexpected word'
usage 'net add input tcp dport 80 saddr 192.0.2.1/33 drop | 192.0.2.1/33: expected an address'
usage 'net add input tcp dport 80 saddr 2001:db8::/129 drop | 2001:db8::/129: expected an address'
usage 'net add input tcp dport 80 saddr 192.0.2 drop | 192.0.2: expected an address'
usage 'net add input tcp dport 80 saddr 192.0.2.1/ drop | 192.0.2.1/: expected an address'
usage 'net add input tcp dport 80 daddr localhost drop | localhost: expected an address'
usage 'net del | net: a word is missing after "del"'
usage 'net del 1 2 | 2: unexpected word'
usage 'normalize --form NFX | NFX: unknown word; expected nfc, nfd'
usage 'convert --from latin1 --to utf8 | latin1: is not an encoding of Unicode; use iconv.1.: iconv -f latin1 -t utf-8$'
run "$tool" convert --from $'latin1//\e[31m' --to utf8
like "nothing for a terminal" "$status $err" '^2 utf8guard: latin1//.x1B.31m: is not an encoding of Unicode; .*: iconv -f latin1//.x1B.31m -t'
usage 'convert --from bogus --to utf8 | bogus: unknown word; expected utf-8, utf-16le'
usage 'monitor all | all: unknown word; expected fs or net'
usage 'monitor --count | --count: a word is missing; expected a number of events from 1 on'
usage 'monitor --count 0 | 0: expected a number of events from 1 on'
usage 'monitor --timeout 0 | 0: expected a number of seconds from 1 on'
usage 'top --count 0 | 0: expected a number of pictures from 1 on'
usage 'monitor --timeout soon | soon: expected a number of seconds from 1 on'
run "$tool" $'\e[31m\xff'
is "an unknown word that is not fit for a terminal" "$status ${err%%;*}" \
	'2 utf8guard: \x1B[31m\xFF: unknown word'

# Without the modules: none of this loads them, and none of it needs root.
if [ -e /sys/module/utf8guard ]; then
	skip 27 "the module is loaded here"
	done_testing
	exit
fi
absent() { try 4 "$1"; }
absent 'fs show | utf8guard_fs is not loaded; load it with: modprobe utf8guard_fs'
absent 'fs | utf8guard_fs is not loaded'
absent 'fs add subtree / audit | utf8guard_fs is not loaded'
absent 'fs set default enforce | utf8guard_fs is not loaded'
absent 'fs set 1 off | utf8guard_fs is not loaded'
absent 'fs del 4294967295 | utf8guard_fs is not loaded'
absent 'fs flush | utf8guard_fs is not loaded'
absent 'net | utf8guard_nf is not loaded; load it with: modprobe utf8guard_nf'
absent 'net add input tcp dport 80 drop | utf8guard_nf is not loaded'
absent 'net add input tcp dport domain drop | utf8guard_nf is not loaded'
absent 'fs add subtree / uid root off | utf8guard_fs is not loaded'
absent 'fs add subtree / userns owner root off | utf8guard_fs is not loaded'
absent 'fs add subtree / off form NFC | utf8guard_fs is not loaded'
absent 'fs show --explain / uid root | utf8guard_fs is not loaded'
absent 'net add forward ip6 udp sport 53 daddr 2001:db8::/32 audit | utf8guard_nf is not loaded'
absent 'net add output udp any-port saddr 0.0.0.0/0 count | utf8guard_nf is not loaded'
absent 'net flush | utf8guard_nf is not loaded'
absent 'save | utf8guard_fs is not loaded'
absent 'confirm | utf8guard_fs is not loaded'
absent 'lock | utf8guard_fs is not loaded'
absent 'stats | utf8guard is not loaded; load it with: modprobe utf8guard'
absent 'reset | utf8guard_fs is not loaded'
absent 'monitor --timeout 1 | utf8guard is not loaded'
absent 'validate --kernel | utf8guard is not loaded'
run "$tool"
like "show" "$status $out $err" '^4 service +not loaded; load it with: modprobe utf8guard
name check +not loaded; load it with: modprobe utf8guard_fs
payload check +not loaded; load it with: modprobe utf8guard_nf utf8guard: utf8guard is not loaded'
run "$tool" show -j
ok "show -j" python3 -c '
import json, sys
said = json.load(open(sys.argv[1]))
assert not any(said[part]["loaded"] for part in ("service", "fs", "net"))' "$tap/out"
ok "nothing was loaded by asking" [ ! -e /sys/module/utf8guard ]
done_testing
