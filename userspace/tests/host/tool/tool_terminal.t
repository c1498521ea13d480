#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Colour where a terminal wants it, and nowhere else. What the rules look like on
# one takes the modules: tests/vm/tool/terminal.t.

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"
[ ! -e /sys/module/utf8guard ] || skip_all "the modules are loaded"
escape=$'\e'

run "$tool" show
unlike "none in a pipe" "$out" "$escape"
run env NO_COLOR=1 "$tool" show --color=always
like "always is always" "$out" "$escape\[33mnot loaded.*$escape\[0m"
run "$tool" show --color always -j
unlike "but never in JSON" "$out" "$escape"
run "$tool" show --color=sometimes
like "no other word" "$status $err" "^2 utf8guard: sometimes: unknown word; expected auto, always or never"
run "$tool" scan --color=always "$tap"
like "nor for what has none" "$status $err" "^2 utf8guard: --color=always: unknown option of scan"

if command -v script >/dev/null; then
	screen() { # VARIABLE=VALUE... -- WORD...
		local set=()
		while [ "$1" != -- ]; do set+=("$1") && shift; done
		env -u NO_COLOR TERM=xterm "${set[@]}" script -qec "'$tool' ${*:2}" /dev/null </dev/null
	}
	like "on a terminal" "$(screen -- show)" "$escape\[33mnot loaded"
	unlike "NO_COLOR" "$(screen NO_COLOR=1 -- show)" "$escape"
	like "an empty NO_COLOR says nothing" "$(screen NO_COLOR= -- show)" "$escape\[33m"
	unlike "a terminal that has none" "$(screen TERM=dumb -- show)" "$escape"
	unlike "never" "$(screen -- show --color=never)" "$escape"
else
	skip 5 "no script(1)"
fi
done_testing
