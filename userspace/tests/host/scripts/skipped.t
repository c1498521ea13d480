#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A check that was skipped has not passed: run.pl and promises.py count it apart. Both are run on
# a tree that is made up here.

top=$(readlink -f "$(dirname "$0")/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"

tree=$tap/tree suites=$tap/tree/userspace/tests/host/made
mkdir -p "$suites" "$tree/scripts/lint" "$tree/userspace/man"
cp -r "$top/scripts/test" "$tree/scripts"
cp "$top/scripts/lint/promises.py" "$tree/scripts/lint"
echo 'kernel 6.12 every every every 1 made up' >"$tree/scripts/test/kernels.txt"
printf '.Sh SECURITY CONSIDERATIONS\n.Sh CAVEATS\n' >"$tree/userspace/man/utf8guard.8"
suite() { # NAME LINE...
	printf '%s\n' "${@:2}" >"$tap/said"
	printf 'cat <<"END"\n%s\nEND\n' "$(cat "$tap/said")" >"$suites/$1.t"
}
suite whole "ok 1 - one" 'ok 2 - a \# SKIP in a name' "1..2"
suite in_part "ok 1 - one" "ok 2 # SKIP not here" "ok 3 - two # SKIP nor this" "1..3"
suite nothing "ok 1 # SKIP not here" "1..1"
suite not_run "1..0 # SKIP no processor"
summary() { run env -u SUITES -u RESUME "$tree/scripts/test/run.pl" host; }

summary
is "skipped checks: the run is green" "$status" 0
is "skipped checks are counted apart" "${out##*$'\n'}" "3 passed, 0 failed, 3 skipped"
like "all are checks" "$out" $'\n4 suites, 6 checks, in '
like "each suite with some is named" "$out" $'\nskipped checks:\n  host/in_part: 2 of 3\n  host/nothing: 1 of 1\n'
like "a suite that was not run is not one of them" "$out" $'\nnot run:\n  host/not_run: no processor\n'

suite broken "not ok 1 - one" "ok 2 # SKIP not here" "1..2"
summary
is "a failed check: the run is red" "$status" 1
is "failed and skipped ones" "${out##*$'\n'}" "3 passed, 1 failed, 4 skipped"

git -C "$tree" init -q && git -C "$tree" add userspace
ok "figures are taken" python3 "$tree/scripts/lint/promises.py" --figures
is "a figure has what passed, and no suite of which nothing did" \
	"$(sed '/^#/d; s/ [0-9-]*$//' "$tree/userspace/tests/figures.txt")" $'host in_part 1\nhost whole 2'
done_testing
