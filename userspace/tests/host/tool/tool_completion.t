#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# zsh and fish offer what bash does: their completions ask that of bash. What bash
# offers is in tool_docs.t.

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
completion=$top/userspace/completion

# shellcheck source=userspace/completion/utf8guard
. "$completion/utf8guard"
answer() { _utf8guard_answer "$@" | paste -sd ' '; }
is "words" "$(answer fs add "")" "words subtree superblock fstype default"
is "a value after =" "$(answer scan / --form=nfk)" "words --form=nfkc --form=nfkd --form=nfkc-casefold"
is "a value after a space" "$(answer scan / --form nfk)" "words nfkc nfkd nfkc-casefold"
is "a user" "$(answer fs add default uid roo)" "words root"
mkdir "$tap/a b"
is "files" "$(answer fs add subtree "$tap/a")" "files $tap/a b"
is "another path" "$(answer fs add subtree /tmp "$tap/a")" "files $tap/a b"
is "or what follows" "$(answer fs add subtree /tmp a)" "words audit"
is "nothing" "$(answer version x)" "words"

# A container that was given an interface may have named it before it left.
# shellcheck disable=SC2016 # not for this shell
ls() { printf '%s\n' lo '$(:>$tap/ran)' '`:>$tap/ran`' 'a;b' wlan0; }
is "an interface whose name is a command" "$(answer net add input tcp iif "")" "words lo wlan0"
not_ok "is not run" [ -e "$tap/ran" ]
unset -f ls

# What is typed, of which the last word is completed, and what is offered for it.
lines=("fs add |subtree superblock fstype default" "net |show add ensure insert replace del flush"
	"scan / --form nfk|nfkc nfkd nfkc-casefold" "scan --form=nfk|--form=nfkc --form=nfkd --form=nfkc-casefold"
	"monitor |fs net" "version x|")

if command -v zsh >/dev/null; then
	sed "s,@COMPLETION@,$completion/utf8guard," "$completion/utf8guard.zsh.in" >"$tap/_utf8guard"
	ok "zsh takes its file" zsh -n "$tap/_utf8guard"
	is "and knows what it is for" "$(head -n 1 "$tap/_utf8guard")" "#compdef utf8guard"
	# zsh's own compadd would need a terminal; this one shows what it is given.
	cat >"$tap/ask.zsh" <<-'END'
	compadd() { while [[ $1 != -- ]]; do [[ $1 != / ]] || slash=/; shift; done; shift; print -rn -- "${(j: :)@}${slash-}"; }
	words=("${@:2}") CURRENT=$#words
	_it() { . $1; }
	_it $1
	END
	zsh_offers() { zsh -f "$tap/ask.zsh" "$tap/_utf8guard" utf8guard "$@"; }
	for line in "${lines[@]}"; do
		read -ra words <<<"${line%|*}"
		[[ ${line%|*} != *' ' ]] || words+=("")
		is "zsh: ${line%|*}" "$(zsh_offers "${words[@]}")" "${line#*|}"
	done
	is "zsh: a directory, quoted" "$(zsh_offers fs add subtree "$tap/a\\ ")" "$tap/a b/"
else
	skip $((${#lines[@]} + 3)) "no zsh"
fi

if command -v fish >/dev/null; then
	sed "s,@COMPLETION@,$completion/utf8guard," "$completion/utf8guard.fish.in" >"$tap/utf8guard.fish"
	ok "fish takes its file" fish --no-execute "$tap/utf8guard.fish"
	fish_offers() {
		HOME=$tap fish --no-config -c "source '$tap/utf8guard.fish'; complete -C'utf8guard $1'" | cut -f 1 | sort
	}
	for line in "${lines[@]}"; do
		is "fish: ${line%|*}" "$(fish_offers "${line%|*}" | paste -sd ' ')" \
			"$(tr ' ' '\n' <<<"${line#*|}" | grep . | sort | paste -sd ' ')"
	done
	is "fish: a directory, quoted" "$(fish_offers "fs add subtree $tap/a\\\\ ")" "$tap/a b/"
else
	skip $((${#lines[@]} + 2)) "no fish"
fi
done_testing
