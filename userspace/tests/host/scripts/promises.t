#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The page of promises: which checks show one, and which figures it has. promises.py is run on a
# tree that is made up here.

top=$(readlink -f "$(dirname "$0")/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"

tree=$tap/tree page=$tap/tree/userspace/tests/PROMISES.md
mkdir -p "$tree"/{scripts/{lint,test},userspace/{man,tests/{host/made,packages}},build/test/{host,packages}}
cp "$top/scripts/lint/promises.py" "$tree/scripts/lint"
echo 'kernel 6.12 every every every 1 made up' >"$tree/scripts/test/kernels.txt"
printf '.Sh SECURITY CONSIDERATIONS\n.Sh CAVEATS\n' >"$tree/userspace/man/utf8guard.8"
git -C "$tree" init -q

promising() { # SUITE PROMISE CHECK LINE...: a suite of these lines, and what it says at its top
	printf '%s\n' '#!/bin/bash' '#' "# promise operator: $2" "# shown by: $3" "" "${@:4}" >"$tree/userspace/tests/$1.t"
	git -C "$tree" add userspace
}
promises() { run python3 "$tree/scripts/lint/promises.py" "$@"; }
row() { grep -F "| $1 |" "$page"; } # PROMISE

# shellcheck disable=SC2016 # the $1 of that suite
promising host/made/one "the lamp is lit" "it is lit" 'ok "$1: it is lit, and warm" lit'
promises
is "a check between quotation marks" "$status $out$err" "0 "
promising host/made/one "the lamp is lit" "it is lit" "check 'it is lit' lit"
promises
is "between others" "$status $out$err" "0 "
none="1 userspace/tests/host/made/one.t: there is no check called: it is lit"
for line in "# it is lit" '	# see "it is lit"' ' * "it is lit"' '// "it is lit"' "so it is lit"; do
	promising host/made/one "the lamp is lit" "it is lit" "$line" 'ok "another" true'
	promises
	is "no check: $line" "$status $out$err" "$none"
done

promising host/made/one "the lamp is lit" "it is lit" 'ok "it is lit" lit'
promising packages/two "the lamp has come" "it has come" 'ok "it has come" come'
printf 'ok 1 - it\n1..1\n' | tee "$tree"/build/test/{host/one,packages/{two_trixie,two_bookworm}}.log >"$tap/said"
promises --figures
today=$(date -u +%F)
like "figures of the host" "$(row "the lamp is lit")" "\| 1, host, $today \|$"
like "of a Debian that boots" "$(row "the lamp has come")" "\| 1, packages-bookworm, $today; 1, packages-trixie, $today \|$"
like "since when it is promised" "$(row "the lamp is lit")" "\| $today \|"

sed -i "s/$today/2026-11-02/" "$tree/userspace/tests/figures.txt"
promises
like "a figure of a day before that says nothing of it" "$(row "the lamp is lit")" "\|  \|$"
sed -i "s/$today/2026-11-01/" "$page"
promises
like "a figure of a later day" "$(row "the lamp is lit")" "\| 2026-11-01 \| .*\| 1, host, 2026-11-02 \|$"
promises --check
is "the page is what the tests say" "$status $out$err" "0 "
promising host/made/one "the lamp is lit, and warm" "it is lit" 'ok "it is lit" lit'
promises --check
is "a promise that is not on the page" "$status $out$err" "1 userspace/tests/PROMISES.md: not what the tests say; make promises"
promises
like "what it promises now has no figure yet" "$(row "the lamp is lit, and warm")" "\| $today \| .*\|  \|$"
done_testing
