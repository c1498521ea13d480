#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A check that was skipped has not passed: run.pl and promises.py count it apart. Nor has one that is
# still to do, and a suite that is not there is complained of. Both are run on a tree that is made up here.

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
summary() { only "" host; }
only() { run env -u RESUME SUITES="$1" "$tree/scripts/test/run.pl" "${@:2}"; } # SUITES GROUP...

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

rm "$suites/broken.t"
only "nothing not_run" host
is "suites of which nothing passed: the run is red" "$status ${out##*$'\n'}" "1 0 passed, 0 failed, 1 skipped"

suite to_do "ok 1 - one" "not ok 2 - two # TODO later" "ok 3 - three # TODO too early" "1..3"
only "whole to_do" host
is "a check that is still to do: the run is red" "$status ${out##*$'\n'}" "1 3 passed, 2 failed, 0 skipped"
like "it is named" "$out" $'\n  host/to_do: failed 2 3: '
rm "$suites/to_do.t"

mkdir "$tree/userspace/tests/uml"
echo 'echo "ok 1 - one"; echo 1..1' | install /dev/stdin "$tree/userspace/tests/uml/other.t"
only "whole other" host kunit
is "each suite that is named is in one of the groups" "$status ${out##*$'\n'}" "0 3 passed, 0 failed, 0 skipped"
kept=$(ls "$tree/build/test/host")
only "whole typo hole" host kunit
is "a suite that is in none is complained of" "$((status > 0)) $out$err" "1 SUITES: no such suite in host kunit: hole typo"
is "... and the results of the last run are kept" "$(ls "$tree/build/test/host")" "$kept"
only "other" host
is "the suites of other groups are none" "$((status > 0)) $out$err" "1 SUITES: no such suite in host: other"

summary
git -C "$tree" init -q && git -C "$tree" add userspace
ok "figures are taken" python3 "$tree/scripts/lint/promises.py" --figures
is "a figure has what passed, and no suite of which nothing did" \
	"$(sed '/^#/d; s/ [0-9-]*$//' "$tree/userspace/tests/figures.txt")" $'host in_part 1\nhost whole 2'
done_testing
