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

# What is promised may go on, in lines that are indented by spaces.
rest() { # LINE: the second one of a promise
	promising host/made/one "the lamp is lit"$'\n'"$1" "it is lit" 'ok "it is lit" lit'
	promises
}
rest "#   and warm"
is "a promise of two lines" "$status $out$err" "0 "
like "both are on the page" "$(row "the lamp is lit and warm")" .
for line in $'#\tand warm' "# and warm" "#"; do
	rest "$line"
	is "no line of a promise: ${line//$'\t'/\\t}" "$status $out$err" \
		"1 userspace/tests/host/made/one.t: neither more of the promise nor a check that shows it: $line"
done

promising host/made/one "the lamp is lit" "it is lit" 'ok "it is lit" lit'
promising packages/two "the lamp has come" "it has come" 'ok "it has come" come'
printf 'ok 1 - it\n1..1\n' | tee "$tree"/build/test/{host/one,packages/{two_trixie,two_bookworm}}.log >"$tap/said"
touch "$tree"/build/test/{host/one,packages/{two_trixie,two_bookworm}}.log.green
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

# What failed, ended too early, or was not run.
line() { printf 'host one %s %s' "$1" "$today"; } # CHECKS: of figures.txt
figures() { sed '/^host/!d' "$tree/userspace/tests/figures.txt"; }
log() { # LINE...: of the suite, which exited with 0
	printf '%s\n' "$@" >"$tree/build/test/host/one.log"
	touch "$tree/build/test/host/one.log.green"
	promises --figures
}
log "ok 1 - it" "ok 2 - more" "1..2"
is "a run that is green has a figure" "$(figures)" "$(line 2)"
log "1..0 # SKIP no lamp"
is "one that was skipped leaves that of the run before" "$(figures)" "$(line 2)"
log "ok 1 - it # SKIP no lamp" "1..1"
is "so does one all of whose checks were skipped" "$(figures)" "$(line 2)"
log "ok 1 - it" "not ok 2 - more" "1..2"
is "one that failed has no figure" "$(figures)" ""
like "on the page, either" "$(row "the lamp is lit, and warm")" "\|  \|$"
log "ok 1 - it" "1..1"
log "ok 1 - it"
is "one that ended early has none" "$(figures)" ""
log "ok 1 - it" "1..1"
rm "$tree/build/test/host/one.log.green"
promises --figures
is "nor has one that failed by its exit status, as of a guest whose kernel complained" "$(figures)" ""

mkdir "$tree/userspace/tests/fuzz"
printf '%s\n' "/*" " * promise operator: no octets break the lamp" " * shown by: lamp" " */" >"$tree/userspace/tests/fuzz/lamp.c"
printf '%s\n' "| target | executions | date |" "|---|---|---|" "| \`lamp\` | 12,345 | $today | 2bef633 | |" \
	>"$tree/userspace/tests/fuzz/README.md"
git -C "$tree" add userspace
promises
like "a fuzz target has how many inputs were run" "$(row "no octets break the lamp")" "\| 12,345 inputs, make fuzz, $today \|$"
printf '%s\n' "| \`lamp\` | 1,000,000; 55 with \`MAX_LEN=4096\`; 600 | 2026-11-02 | 2bef633; 504505f | |" \
	"| \`lamps\` | 7 | $today | 2bef633 | |" >>"$tree/userspace/tests/fuzz/README.md"
promises
like "of several rows and runs, the sum, and the last day" "$(row "no octets break the lamp")" \
	"\| 1,013,000 inputs, make fuzz, $today \|$"
promising host/made/lamp "the lamp is a target, too" "it is lit" 'ok "it is lit" lit'
promises
like "a suite of the same name has not" "$(row "the lamp is a target, too")" "\|  \|$"
done_testing
