#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Options of the tool: each means the same at each place and in each spelling; what
# is wrong is named; and nothing is renamed unless all of the words make sense.
#
# promise administrator by mistake: scan --fix renames nothing and writes no log unless all of its
#   words make sense and all of its directories are there
# shown by: nothing is renamed, and there is no log
# shown by: a directory that is not there, the last

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"
cd "$tap" || exit

# What a mistake must not change: names, and a log.
fresh() { rm -rf tree other log -- *-run; mkdir tree other; touch $'tree/\xe9' $'other/\xe8'; }
state() { find . -mindepth 1 ! -path ./said ! -path ./out ! -path ./err | LC_ALL=C sort; }
fresh
untouched=$(state)
spares() { # NAME STATUS REGEX WORD...: of scan --fix --log log --from latin1
	local env=()
	fresh
	[[ $1 != POSIXLY* ]] || env=(env POSIXLY_CORRECT=1)
	run "${env[@]}" "$tool" scan "${@:4}"
	like "$1" "$status $err" "^$2 .*$3"
	is "$1: nothing is renamed, and there is no log" "$(state)" "$untouched"
}
fix=(--fix --log log --from latin1)
spares "--dry-run after the directory" 2 "scan: --dry-run writes no log" "${fix[@]}" tree --dry-run
spares "POSIXLY_CORRECT, too" 2 "scan: --dry-run writes no log" "${fix[@]}" tree --dry-run
spares "shortened" 2 "scan: --dry-run writes no log" "${fix[@]}" tree --dry
spares "--dry-run in the place of a log" 2 "--dry-run: looks like an option, and --log needs a value; .* --log=--dry-run" \
	--fix --from latin1 --log --dry-run tree
spares "-- in the place of a log" 2 "--: looks like an option, and --log needs a value" --fix --from latin1 --log -- tree
spares "a dry run, the directory first" 1 "" tree --fix --from latin1 other --dry-run
like "... says what would be done" "$out" '-> (é|è).*-> (é|è)'
spares "--dry-run misspelt" 2 "--dryrun: unknown option of scan; .*; did you mean --dry-run\\?" "${fix[@]}" tree --dryrun
spares "with one dash" 2 "-dry-run: unknown option -d of scan; .*; did you mean --dry-run\\?" "${fix[@]}" tree -dry-run
spares "with a value" 2 "--dry-run=yes: --dry-run takes no value" "${fix[@]}" tree --dry-run=yes
spares "-n, as others call it" 2 "-n: unknown option of scan" "${fix[@]}" tree -n
spares "a directory that is not there, the last" 2 "none: No such file or directory.*scan: nothing was renamed" "${fix[@]}" tree none
spares "... the first" 2 "none: No such file or directory.*nothing was renamed" "${fix[@]}" none tree
spares "... between, with a dry run" 2 "none: No such file or directory" --fix --dry-run --from latin1 tree none other
is "... which says nothing of the others" "$out" ""
spares "a file" 2 "tap.*: Not a directory.*nothing was renamed" "${fix[@]}" tree "$here/../../tap.sh"
spares "no name" 2 "\"\": No such file or directory.*nothing was renamed" "${fix[@]}" tree ""
spares "what looks like an option after --" 2 "--dry-run: No such file or directory.*nothing was renamed" \
	"${fix[@]}" -- tree --dry-run
spares "two that are not there are both named" 2 "none: No such.*no: No such" "${fix[@]}" none tree no
spares "--help" 0 "" "${fix[@]}" tree --help
like "... is that of scan" "$out" "^utf8guard scan "
spares "--version" 0 "" "${fix[@]}" tree -V
spares "a character set without a name" 2 '"": unknown character set' --fix --log log --from= tree
spares "--undo and a directory" 2 "--undo takes a log" --undo log tree

# A directory that goes away while the other one is read.
fresh
cat >shim.c <<'END'
#include <dirent.h>
#include <dlfcn.h>
#include <stdlib.h>

int closedir(DIR *directory)
{
	int (*real)(DIR *) = dlsym(RTLD_NEXT, "closedir");

	unsetenv("LD_PRELOAD");
	if (system("mv o away"))
		abort();
	return real(directory);
}
END
cc -shared -fPIC -D_GNU_SOURCE -o shim.so shim.c -ldl
# The longest path comes first.
mv other o
run env LD_PRELOAD="$tap/shim.so" "$tool" scan "${fix[@]}" tree o
like "a directory that goes away meanwhile" "$status $err" "^2 .*o: No such file or directory.*nothing was renamed"
is "... and nothing was" "$(ls -b tree) $([ -e log ] || echo no log)" '\351 no log'
rm -rf away shim.*

# Words that are right, wherever they stand.
fresh
run "$tool" scan tree --fix other --from=latin1 --log log
is "options among the directories" "$status $(find tree other -type f | LC_ALL=C sort | xargs)" "0 other/è tree/é"
fresh
mkdir ./--dry-run
touch $'./--dry-run/\xe9'
run "$tool" scan "${fix[@]}" -- --dry-run
is "a directory that is called so" "$status $(ls ./--dry-run)" "0 é"
fresh
run "$tool" scan --fix --from latin1 --log=--dry-run tree
is "a log that is called so" "$status $(ls tree) $(ls ./--dry-run)" "0 é ./--dry-run"
fresh

# One line a case: STATUS WORDS... | what standard error says, a regex.
says() {
	local said=${2##* | } words
	read -ra words <<<"${2%% | *}"
	run "$tool" "${words[@]}"
	like "utf8guard ${words[*]}" "$status $err" "^$1 utf8guard: $said"
}
says 2 'validte x | validte: unknown word; expected show, .* or help; did you mean validate\?'
says 2 'hlep | hlep: unknown word; .*; did you mean help\?'
says 2 'help sacn | sacn: unknown word; .*; did you mean scan\?'
says 2 'SCAN tree | SCAN: unknown word; .*; did you mean scan\?'
says 2 'fs delete 1 | delete: unknown word; .*; did you mean del\?'
says 2 'net isnert | isnert: unknown word; .*; did you mean insert\?'
says 2 'normalize --form NFCC | NFCC: unknown word; .*; did you mean nfc\?'
says 2 '--scan tree | --scan: unknown option; utf8guard --help lists the commands; did you mean scan\?'
says 2 '--bogus | --bogus: unknown option; utf8guard --help lists the commands$'
says 2 '-q tree | -q: unknown option; utf8guard --help'
says 2 '--bogus scan tree | --bogus: unknown option of scan; expected --form, .*; other words have no dash in front, or stand after --'
says 2 'scan --jsno tree | --jsno: unknown option of scan; .*; did you mean --json\?'
says 2 'scan -J tree | -J: unknown option of scan; .*; did you mean -j\?'
says 2 'scan -j0x tree | -j0x: unknown option -x of scan'
says 2 'scan --f nfc tree | --f: may mean --form, --fix or --from; write more of it'
says 2 'scan --re tree | --re: may mean --refuse or --replace; write more of it'
says 2 '--c 1 monitor | --c: may mean --color, --check, --confirm or --count; write more of it'
says 2 'scan -=x tree | -=x: unknown option'
says 2 'scan --=x tree | --=x: unknown option'
says 2 'scan --form tree | tree: unknown word; expected nfc'
says 2 'scan tree --form | --form: a word is missing; expected nfc, nfd, nfkc, nfkd or nfkc-casefold'
says 2 'scan tree --refuse | --refuse: a word is missing; expected classes'
says 2 'scan tree --log | --log: a word is missing; expected a file'
says 2 'load x --confirm | --confirm: a word is missing; expected a number of seconds'
says 2 'load x --confirm=0 | 0: expected a number of seconds from 1 to 86400'
says 2 'monitor --count=-1 | -1: expected a number of events'
says 2 'monitor --count -1 | -1: looks like an option, and --count needs a value'
says 2 'stats --rules | stats: --rules needs --prometheus'
says 2 'stats -j --prometheus | stats: --prometheus and -j cannot be combined'
says 2 'fs add --explain / | add: unknown word; expected uid, pid, cgroup or name'
says 2 'fs -- --explain / | --explain: unknown word; expected show'
says 2 'net add input tcp --dport 80 drop | --dport: is written without dashes: dport'
says 2 'lock --dry-run | --dry-run: unknown option of lock; expected -N, -h or -V'
says 2 'net -N nope | nope: there is no such network namespace; see: ip netns'
says 2 'net --netns=/etc/passwd | /etc/passwd: not a network namespace'
says 2 'save -N | --netns: a word is missing; expected the name of a network namespace'
says 2 'fs -N x | -N: unknown option of fs'
says 2 'validate -- --all | --all: No such file'
says 2 '-- --help | --help: unknown word'
says 2 'explain C0 -- -AE | -AE: expected bytes'
run "$tool" -- version
like "a command after --" "$status $out" "^0 utf8guard [0-9]"
run "$tool" $'--\e[31m\xff' show
like "an option that is not fit for a terminal" "$status $err" '^2 utf8guard: --\\x1B\[31m\\xFF: unknown option of show'
run "$tool" $'-\xc3\xa9' show
like "a letter that is none" "$status $err" '^2 utf8guard: -é: unknown option of show; '

# Help, of each command in each way, and nothing else is done.
mapfile -t commands < <("$tool" help | sed -n 's/^  \([a-z]\+\) .*/\1/p')
for c in "${commands[@]}"; do
	want=$("$tool" help "$c")
	ways="$("$tool" "$c" -h)$("$tool" -h "$c")$("$tool" "$c" --help)$("$tool" "$c" --he a b c)"
	is "help of $c" "$ways" "$want$want$want$want"
	for option in $("$tool" "$c" --~ 2>&1 | grep -oE -- '-[a-zA-Z0]\b|--[a-z-]+' | grep -vE '^(-p|-h|-V|--)$'); do
		like "help of $c names $option" "$want" "[^a-z]${option}[^a-z]"
	done
done
is "--help alone" "$("$tool" --help)" "$("$tool" help)"
is "-h alone" "$("$tool" -h)" "$("$tool" help)"

# Words of rules may begin with a minus: after "--" they are no options.
printf '%s\n' 'net add input tcp dport 1 iif -- -eth0 drop comment -x' >policy
run "$tool" load -c policy
unlike "a policy with words that begin with a minus" "$err" "option|unexpected"
printf '%s\n' 'net add input tcp dport 1 iif -eth0 drop' >policy
run "$tool" load -c policy
is "not without --" "$status $err" "2 utf8guard: policy:1: -eth0: a policy takes no options; put -- before a word like this"
printf '{"net":[{"hook":"input","protocol":"tcp","any-port":true,"action":"drop","iif":"-eth0","comment":"--"}]}' >policy
run "$tool" load -j -c policy
unlike "JSON with such words" "$err" "option|unexpected|expected"
for words in "add input tcp dport 80 drop comment -- -x" "add input tcp dport 80 iif -- -x drop comment --y" \
	"-- add input tcp dport 80 drop" "add -- input tcp dport 80 drop"; do
	# shellcheck disable=SC2086 # words of a command
	run "$tool" net $words
	unlike "net $words" "$status $err" "^2|option|unexpected"
done
printf '%s\n' 'fs flush -h' >policy
run "$tool" load -c policy
like "a policy asks for no help" "$status $err" "^2 .*policy:1: -h: a policy takes no options"

# Each option of each command, at each place.
while IFS=$'\t' read -r name got wanted; do last=$name
	case $name in
	\#*) note "${name#\# }" ;;
	*) is "$name" "$got" "$wanted" ;;
	esac
done < <(/usr/bin/python3 "$here/../../places.py" "$tool" host "$tap/places" 2>&1)
is "the places are complete" "$last" "done"
done_testing
