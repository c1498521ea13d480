#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The manual page and the completion say what the tool says of itself.

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"
man=$top/userspace/man/utf8guard.8
mapfile -t commands < <("$tool" help | sed -n 's/^  \([a-z]\+\) .*/\1/p')

if command -v groff >/dev/null; then
	groff -ww -mandoc -Tutf8 "$man" >"$tap/page" 2>"$tap/warnings"
	is "groff does not warn" "$(cat "$tap/warnings")" ""
	for page in xt_utf8 nf_conntrack_utf8; do
		groff -ww -mandoc -Tutf8 "$top/userspace/man/$page.8" 2>&1 >"$tap/page" | cat >"$tap/warnings"
		is "nor of $page" "$(cat "$tap/warnings")" ""
	done
	# One line a form: lower case, no spaces, as help's first paragraph.
	squeezed() { tr "[:upper:]" "[:lower:]" | tr -d ' '; }
	groff -rLL=200n -mandoc -Tascii -P-cbou "$man" |
		sed -n '/^SYNOPSIS/,/^DESCRIPTION/s/^ \+\(utf8guard\)/\1/p' | squeezed >"$tap/synopsis"
	for c in "${commands[@]}"; do "$tool" help "$c" | sed '/^$/,$d'; done | squeezed >"$tap/help"
	is "the synopsis is what help says" "$(cat "$tap/synopsis")" "$(cat "$tap/help")"
else
	skip 4 "no groff"
fi

# shellcheck source=userspace/completion/utf8guard
. "$top/userspace/completion/utf8guard"
utf8guard() { "$tool" "$@"; }
offers() { # WORD...: what completes the last one
	COMP_WORDS=(utf8guard "$@") COMP_CWORD=$#
	_utf8guard
	echo "${COMPREPLY[@]}"
}
is "completion offers every command" "$(offers "" | sed 's/ -.*//')" "${commands[*]}"
is "a beginning" "$(offers st)" "stats"
is "behind a flag" "$(offers -j ve)" "version"
is "fs" "$(offers fs "")" "show add set del flush -j -p -s"
is "fs add" "$(offers fs add "")" "subtree"
mkdir "$tap/a b"
is "fs add subtree, a directory with a space" "$(offers fs add subtree "$tap/a")" "$tap/a b"
is "its mode" "$(offers fs add subtree / "")" "off audit enforce"
is "net add" "$(offers net add "")" "input forward output"
is "its protocol" "$(offers net add input "")" "ip ip6 tcp udp"
is "its selectors" "$(offers net add input ip tcp dport 80 "")" \
	"sport dport any-port saddr daddr count audit drop"
is "no word for a port" "$(offers net add input tcp dport "")" ""
is "validate's options" "$(offers validate --)" "--all --lines --kernel --"
is "normalize's options" "$(offers normalize --)" "--form --check --kernel --"
is "convert's options" "$(offers convert --)" "--from --to --bom --"
is "an encoding" "$(offers convert --from utf-16)" "utf-16le utf-16be utf-16"
is "none that is not written" "$(offers convert --to c)" ""
is "sanitize's options" "$(offers sanitize --)" "--replace --skip --"
is "scan's options" "$(offers scan -)" \
	"--form --refuse --mounts --quiet --fix --from --replace --log --dry-run --undo -0 -j -p --"
known=$("$tool" scan --what 2>&1 | grep -oE -- '--[a-z-]+' | grep -v what | tr '\n' ' ')
is "which are those it knows" "$(offers scan --) " "$known-- "
is "a profile" "$(offers scan --refuse port)" "portable-nfc"
is "a character set" "$(offers scan --from EUC-JP-)" "EUC-JP-MS"
is "a log" "$(offers scan --log "$tap/a")" "$tap/a b"
is "a form" "$(offers scan --form nfk)" "nfkc nfkd nfkc-casefold"
is "monitor" "$(offers monitor --c)" "--count"
done_testing
