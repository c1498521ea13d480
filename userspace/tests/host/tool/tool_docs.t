#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The manual page and the completion say what the tool says of itself.

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"
man=$top/userspace/man/utf8guard.8
mapfile -t commands < <("$tool" help | sed -n 's/^  \([a-z]\+\) .*/\1/p')

mapfile -t pages < <(ls "$top"/userspace/man/*.[0-9])
if command -v groff >/dev/null; then
	for page in "${pages[@]}"; do
		groff -ww -mandoc -Tutf8 "$page" >"$tap/page" 2>"$tap/warnings"
		is "${page##*/}: groff does not warn" "$(cat "$tap/warnings")" ""
	done
	# The forms of each command, one a line, from the page and from the first paragraph of help:
	# both in lower case and without spaces.
	squeezed() { tr "[:upper:]" "[:lower:]" | tr -d ' '; }
	groff -rLL=200n -mandoc -Tascii -P-cbou "$man" |
		sed -n '/^SYNOPSIS/,/^DESCRIPTION/s/^ \+\(utf8guard\)/\1/p' | squeezed >"$tap/synopsis"
	for c in "${commands[@]}"; do "$tool" help "$c" | sed '/^$/,$d'; done |
		sed -e ':a;N;$!ba;s,\n  \+,,g' | squeezed >"$tap/help"
	is "the synopsis is what help says" "$(cat "$tap/synopsis")" "$(cat "$tap/help")"
	# The functions that a module may call, as the headers declare them.
	groff -rLL=400n -mandoc -Tascii -P-cbou "$top/userspace/man/utf8guard.9" |
		sed -n '/^SYNOPSIS/,/^DESCRIPTION/p' | tr -d ' \n' | grep -o 'utf8guard_[a-z0-9_]*([^;]*;' |
		sort >"$tap/page"
	grep -hv '^typedef' "$top"/include/linux/utf8guard{,_normalize}.h |
		sed -e ':a;N;$!ba' -e 's,/\*\([^*]\|\*[^/]\)*\*/,,g' |
		tr -d ' \t\n' | grep -o 'utf8guard_[a-z0-9_]*([^;{]*);' | sort >"$tap/headers"
	is "utf8guard(9) has every function of the headers" "$(cat "$tap/page")" "$(cat "$tap/headers")"
	isnt "there are some" "$(cat "$tap/headers")" ""
	# The page shows the example that another test builds and runs, word by word.
	words() { tr -s ' \t\n' ' ' | sed 's/^ //; s/ $//'; }
	"$here/../../example.sh" "$top/userspace/man/utf8guard.9" module | words >"$tap/example"
	groff -rLL=120n -mandoc -Tutf8 -P-cbou "$top/userspace/man/utf8guard.9" |
		sed -n '/#define pr_fmt/,/MODULE_IMPORT_NS/p' | words >"$tap/page"
	is "utf8guard(9): the module that is built is the one that is shown" \
		"$(cat "$tap/page")" "$(cat "$tap/example")"
	isnt "there is one" "$(cat "$tap/example")" ""
else
	skip $((${#pages[@]} + 5)) "no groff"
fi

# Without the scope, the ID and the flags of each message are taken for text.
dns_rules() { grep -rhE "^[ #]*(utf8guard )?net .*port 53 " "$top"/userspace/{man,units,fleet}; }
isnt "there are examples for DNS" "$(dns_rules)" ""
is "each has its scope" "$(dns_rules | grep -v ' scope dns-labels$')" ""

# Who confirms at once has tried nothing: a host that cannot be reached any more keeps the rules.
is "nobody is told to confirm in the same breath" "$(grep -rE 'confirm.*(&&|;) *utf8guard confirm' "$top/README.md" \
	"$top"/userspace/{man,units,fleet})" ""

# shellcheck source=userspace/completion/utf8guard
. "$top/userspace/completion/utf8guard"
utf8guard() { "$tool" "$@"; }
offers() { # WORD...: what completes the last one
	COMP_WORDS=(utf8guard "$@") COMP_CWORD=$#
	_utf8guard
	echo "${COMPREPLY[@]}"
}
is "completion offers every command" "$(offers "")" "${commands[*]}"
is "a beginning" "$(offers st)" "stats"
is "after an option" "$(offers -j ve)" "version"
is "after one with a value" "$(offers --form nfc sc)" "scan"
is "fs" "$(offers fs "")" "show add ensure set replace del flush"
is "fs ensure" "$(offers fs ensure "")" "subtree superblock fstype default"
is "fs del by what a rule says" "$(offers fs del s)" "subtree superblock"
is "and its rest" "$(offers fs del default uid 5 e)" "enforce"
is "fs add" "$(offers fs add "")" "subtree superblock fstype default"
is "fs show" "$(offers fs show --e)" "--explain"
is "then for whom, and what" "$(offers fs show --explain / "")" "uid pid cgroup name"
is "a user" "$(offers fs show --explain / uid roo)" "root"
is "a user of a rule" "$(offers fs add default uid roo)" "root"
is "an interface" "$(offers net add output udp oif l)" "lo"
is "when colours are wanted" "$(offers show --color a)" "auto always"
is "then the rest" "$(offers fs show --explain / uid 7 "")" "uid pid cgroup name"
is "a class" "$(offers fs add subtree / audit refuse e)" "edge-space"
is "what a rule refuses" "$(offers fs add default uid 5 enforce "")" \
	"profile refuse form admin onto move comment"
is "a choice" "$(offers fs add default uid 5 enforce onto "")" "judge allow"
mkdir "$tap/a b"
is "fs add subtree, a directory with a space" "$(offers fs add subtree "$tap/a")" "$tap/a b"
is "fs show --explain" "$(offers fs show --explain "$tap/a")" "$tap/a b"
is "its mode" "$(offers fs add subtree / "")" "uid userns cgroup off audit enforce"
is "then a comment" "$(offers fs add subtree / audit c)" "comment"
is "whose text nobody knows" "$(offers fs add subtree / audit comment "")" ""
is "fs set of the default" "$(offers fs set default "")" "off audit enforce"
is "and nothing after it" "$(offers fs set default off "")" ""
is "fs replace by a handle" "$(offers fs replace 12 "")" "subtree superblock fstype default"
is "its mode, too" "$(offers fs replace 12 subtree / o)" "off"
is "fs replace of the default" "$(offers fs replace default "")" "off audit enforce"
is "its comment" "$(offers fs replace default off c)" "comment"
is "net" "$(offers net "")" "show add ensure insert replace del flush"
is "net ensure" "$(offers net ensure input t)" "tcp"
is "net del by what a rule says" "$(offers net del o)" "output"
is "and its rest" "$(offers net del output udp any-port dr)" "drop"
is "net insert" "$(offers net insert "")" "input forward output"
is "net insert by a handle" "$(offers net insert 12 "")" "input forward output"
is "net replace, its hook" "$(offers net replace 12 out)" "output"
is "net replace, its protocol" "$(offers net replace 12 output ip "")" "tcp udp sctp udplite"
is "net insert, its matches" "$(offers net insert output udp any-port "")" \
	"sport dport any-port saddr daddr iif oif marked direction count audit drop reject mark ctmark"
is "what is after the action" "$(offers net insert output udp any-port drop "")" \
	"refuse allow scope decode gate fail stream comment"
is "and after a mark" "$(offers net insert output udp any-port ctmark 1 "")" \
	"refuse allow scope decode gate fail stream comment"
is "a direction" "$(offers net add output udp direction "")" "original reply"
is "a scope" "$(offers net add output udp any-port drop scope "")" \
	"payload first dns-labels http-target http-headers smtp-line smtp-headers"
is "a class" "$(offers net add output udp any-port drop refuse bi)" "bidi"
is "one that may be allowed" "$(offers net add output udp any-port drop allow percent-d)" "percent-double"
is "net del takes no rule" "$(offers net del 12 "")" ""
is "load, a file" "$(offers load -c "$tap/a")" "$tap/a b"
is "check, a file" "$(offers check "$tap/a")" "$tap/a b"
is "compare, files" "$(offers compare --files "$tap/a")" "$tap/a b"
is "diff, a file" "$(offers diff "$tap/a")" "$tap/a b"
is "confirm" "$(offers confirm --r)" "--revert"
is "for one of the checks" "$(offers confirm "")" "fs net"
is "also with an option" "$(offers confirm --revert n)" "net"
is "and no more than one" "$(offers confirm fs "")" ""
is "stats" "$(offers stats --pro)" "--prometheus"
is "net add" "$(offers net add "")" "input forward output"
is "its protocol" "$(offers net add input "")" "ip ip6 tcp udp sctp udplite"
is "its matches" "$(offers net add input ip tcp dport 80 "")" \
	"sport dport any-port saddr daddr iif oif marked direction count audit drop reject mark ctmark"
is "no word for a port" "$(offers net add input tcp dport "")" ""
is "an encoding" "$(offers convert --from utf-16)" "utf-16le utf-16be utf-16"
is "none that is not written" "$(offers convert --to c)" ""
manual=$(sed -E 's/(Fl|,) -/\1 --/g' "$man")
for c in "${commands[@]}"; do
	# All options that a command knows are offered, and it takes all that are offered.
	mapfile -t known < <("$tool" "$c" --~ 2>&1 | grep -oE -- ' (-[a-zA-Z0]|--[a-z-]+)\b' | tr -d ' ')
	lacks='' strange=''
	for option in "${known[@]}"; do
		[[ " $(offers "$c" -) " == *" $option "* ]] || lacks+=" $option"
	done
	for option in $(offers "$c" - | sed 's/ --$//'); do
		"$tool" "$c" "$option" --~ 2>&1 | grep -q -e '~: unknown' -e '~: looks like' || strange+=" $option"
	done
	is "the options of $c" "${#known[@]}$lacks$strange" "${#known[@]}"
	# One that has a letter may be in the list of help alone, by its name.
	unsaid=''
	for option in $(offers "$c" -- | sed 's/ --$//'); do
		for where in "$manual" "$("$tool" help; "$tool" help "$c")"; do
			grep -qwF -e "$option" <<<"$where" || unsaid+=" $option"
		done
	done
	is "... are in the manual and in help, by their long names" "$unsaid" ""
	isnt "... of which there are some" "${#known[@]}" 0
done
is "an option after the directories" "$(offers scan / --dry)" "--dry-run"
is "none after --" "$(offers scan -- --dry)" ""
is "the value after =" "$(offers scan / --form = nfk)" "nfkc nfkd nfkc-casefold"
is "what validate makes of a mark" "$(offers validate --bom f)" "forbid"
is "a summary of scan" "$(offers scan --su)" "--summary"
is "a profile of validate" "$(offers validate --profile s)" "safe"
is "nothing yet after =" "$(offers convert --bom =)" "keep strip require"
is "a directory after an option with a value" "$(offers scan --form nfc "$tap/a")" "$tap/a b"
is "the words of a rule, options among them" "$(offers fs -j add --stats default -p uid 5 enforce onto "")" "judge allow"
is "a profile" "$(offers scan --refuse port)" "portable-nfc"
is "a character set" "$(offers scan --from EUC-JP-)" "EUC-JP-MS"
is "a log" "$(offers scan --log "$tap/a")" "$tap/a b"
is "a form" "$(offers scan --form nfk)" "nfkc nfkd nfkc-casefold"
is "monitor" "$(offers monitor --cou)" "--count"
done_testing
