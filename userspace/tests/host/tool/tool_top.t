#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# top of what monitor has written: as lines, and on a terminal, with its keys.
# What happens now takes the modules: tests/vm/tool/top.t.

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"

name() { # COMM NAME BYTES CLASS
	printf '{"version":1,"event":"name","time":"1790000000123456789","outcome":"refused","op":"create","rule":2,"class":"%s","note":null,"offset":0,"bytes":"%s","suppressed":0,"name":"%s","device":"tmpfs","fstype":"tmpfs","inode":"2","pid":1,"uid":4242,"comm":"%s","path":"/","major":%s,"minor":%s,"family":"fs"}\n' \
		"$4" "$3" "$2" "$1" "$major" "$minor"
}
# The rule that lets a refusal pass is for a file system that is mounted here, at its root.
read -r device point < <(awk '$4 == "/" && $5 ~ /^\/[a-z\/]*$/ { print $3, $5; exit }' /proc/self/mountinfo)
major=${device%:*} minor=${device#*:}
{
	for _ in {1..3}; do name cp 'a\\xC0\\xAE' "C0 AE" overlong; done
	name tar 'b\\xFF' FF header-bits | sed 's/"uid":4242/"uid":0,"fsuid":4242,"command":"tar xf a.tar"/'
	echo '{"version":1,"event":"packet","time":"1790000001123456789","outcome":"audited","op":"input","rule":7,"class":"surrogate","note":null,"offset":0,"bytes":"ED A0 80","suppressed":4,"protocol":"tcp","saddr":"192.0.2.9","daddr":"192.0.2.1","sport":4000,"dport":80,"length":12,"family":"nf"}'
	echo '{"version":1,"event":"config","time":"1","family":"utf8guard_fs","generation":1}'
	echo 'no JSON at all'
} >"$tap/events"

# A path of PATH_MAX octets, shown as four each, is a location of its own, and said whole.
long=$(printf '/%s' "$(printf '\\\\xFF%.0s' {1..200})"{,,,,,} "$(printf '日%.0s' {1..85})"{,,,})
event=$(name cp x FF header-bits)
for last in one two; do echo "${event/'"/"'/"\"$long/$last\""}"; done >"$tap/long"
run "$tool" top -b --file "$tap/long"
is "long paths" "$status $(grep -c '^  *1  *1  *0  .*日/\(one\|two\) of tmpfs$' "$tap/out")" "0 2"
ok "... are well-formed" "$tool" validate "$tap/out"

# So is a process, whatever the file calls it; of two that begin alike, each.
long=x$(printf '日%.0s' {1..100})
for last in one two; do name "$long$last" x FF header-bits; done >"$tap/long"
run "$tool" top -b --file "$tap/long"
is "long names of processes" "$status $(grep -c '^  *1  *1  *0  x日.*日\(one\|two\) uid 4242$' "$tap/out")" "0 2"
ok "... are well-formed, too" "$tool" validate "$tap/out"

run "$tool" top -b --file "$tap/events"
is "a batch" "$status $err" "0 utf8guard: $tap/events: 1 lines were not understood"
like "how many" "$out" '^refused 4/s, audited 1/s, events not sent 4
'
like "by rule" "$out" 'RULE
        4         4         0  fs 2
        1         0         1  net 7
'
like "by class" "$out" 'CLASS
        3         3         0  overlong
        1         1         0  header-bits
        1         0         1  surrogate
'
like "by process or sender" "$out" 'PROCESS OR SENDER
        3         3         0  cp uid 4242
        1         0         1  192.0.2.9
        1         1         0  tar uid 0 as uid 4242
'
like "by location" "$out" 'LOCATION
        4         4         0  / of tmpfs
        1         0         1  input tcp 192.0.2.1 port 80
'
like "the last ones" "$out" 'THE LAST REFUSALS
[^
]*net audited input tcp 192.0.2.9:4000 > 192.0.2.1:80 0: surrogate: ED A0 80 of 12 octets rule 7'
like "who it was, and as whom" "$out" ' by tar pid 1 user root as uid 4242 rule 2 command .tar xf a.tar.'
# Names of users may come from a server.
printf 'root:x:0:0::/:/bin/sh\nm\e[31m\u202e\\x:x:4242:0::/:/bin/sh\n' >"$tap/passwd"
if unshare -rm mount --bind "$tap/passwd" /etc/passwd 2>/dev/null; then
	# shellcheck disable=SC2016 # for the shell in there
	run unshare -rm bash -c 'mount --bind "$1" /etc/passwd && exec "$2" top -b --file "$3"' - "$tap/passwd" "$tool" "$tap/events"
	like "the name of a user is no escape sequence" "$out" ' by cp pid 1 user m\\x1B\[31m\\xE2\\x80\\xAE\\\\x rule 2'
	unlike "nor anything else for a terminal" "$out" $'\e'
else
	skip 2 "no mount namespace"
fi
# Another process may have the PID by now.
is "no process is asked for its command line" "$(grep -c ' command ' "$tap/out")" 1
run "$tool" top -b --file "$tap/none"
like "no such file" "$status $err" "^2 utf8guard: $tap/none: No such file or directory"
run "$tool" top -b --file "$tap"
is "what cannot be read" "$status $out $err" "2  utf8guard: $tap: Is a directory"
run bash -c '"$0" top --file - <"$1"' "$tool" "$tap/events"
like "without a terminal it is a batch, too" "$status $out" '^0 refused 4/s'
# What monitor would not have written is not shown.
sed -n '4s/"comm":"tar"/"comm":"tar\\u001b[31m"/p; 4s/"class":"header-bits"/"class":"\\u001b[31m"/p' "$tap/events" >"$tap/forged"
sed -n 1p "$tap/events" | cat - "$tap/forged" >"$tap/mixed"
run "$tool" top -b --file "$tap/mixed"
is "nothing for a terminal" "$status $(grep -c $'\e' "$tap/out") $err" "0 0 utf8guard: $tap/mixed: 2 lines were not understood"
like "and the rest is" "$out" '^refused 1/s,'
/usr/bin/python3 -m json.tool <(sed -n 1p "$tap/events") >"$tap/pretty" 2>/dev/null || printf '{\n}\n' >"$tap/pretty"
run "$tool" top -b --file "$tap/pretty"
like "a file that monitor -j did not write" "$status $out $err" "^2  utf8guard: $tap/pretty: [0-9]+ lines were not understood$"
# 300 locations: there is room for 256, and those with the most stay.
for i in {1..300}; do
	sed -n 1p "$tap/events" | sed "s,\"path\":\"/\",\"path\":\"/$i\","
done >"$tap/many"
sed -n 1p "$tap/events" | sed 's,"path":"/","path":"/most",;p;p' >"$tap/most"
cat "$tap/most" "$tap/many" >"$tap/all"
run "$tool" top -b --file "$tap/all"
like "the most stays" "$out" 'LOCATION
        3         3         0  /most of tmpfs
'

screens=27
if ! command -v tmux >/dev/null; then
	skip $screens "no tmux"
elif ! ldd "$tool" | grep -q ncurses; then
	skip $screens "built without ncurses"
else
	# A server of its own, which no configuration of this machine reaches.
	t() { TMUX='' tmux -S "$tap/socket" -f /dev/null "$@"; }
	at_exit "tmux -S $tap/socket kill-server 2>/dev/null"
	has() { t capture-pane -p -t top >"$tap/screen" && grep -qE -- "$1" "$tap/screen"; }
	shows() { # NAME REGEX
		local i
		for ((i = 0; i < 100; i++)); do
			has "$2" && break
			sleep 0.1
		done
		like "$1" "$(cat "$tap/screen")" "$2"
	}
	# A server ends with its last session. One that is about to end would take the next, and end.
	LC_ALL=C.UTF-8 t new-session -d -s kept "sleep 600"
	LC_ALL=C.UTF-8 t new-session -d -s top -x 80 -y 24 "env -u NO_COLOR LC_ALL=C.UTF-8 '$tool' top --file '$tap/events'; echo ended \$?; sleep 60"
	shows "a screen" 'utf8guard top   refused'
	shows "the board of rules" 'A SECOND\^.*RULE'
	shows "a rule" ' 4 +0  fs 2'
	is "no line is longer than the terminal" "$(awk 'length > 80' "$tap/screen")" ""
	is "all is in its lines" "$(wc -l <"$tap/screen")" 24
	shows "the last refusal is chosen" '> audited surrogate ED A0 80 192.0.2.9'
	t capture-pane -e -p -t top | tr -d '\n' >"$tap/screen"
	like "only the title is bold" "$(cat "$tap/screen")" $'^\e\\[1mutf8guard top[^\e]*\e\\[0?m[^q]*q quit'
	t send-keys -t top c
	shows "classes" ' 3 +0  overlong'
	t send-keys -t top p
	shows "processes" 'PROCESS OR SENDER'
	t send-keys -t top l s
	shows "locations, by all so far" 'A SECOND +REFUSED +AUDITED +LOCATION'
	t send-keys -t top Space
	shows "paused" 'PAUSED'
	t send-keys -t top j
	shows "another one is chosen" '> refused header-bits FF tar /b\\xFF'
	t send-keys -t top Up
	shows "the last one, by an arrow" '> audited surrogate ED A0 80 192.0.2.9'
	t send-keys -t top Down
	shows "and the other one" '> refused header-bits FF tar /b\\xFF'
	t send-keys -t top e
	shows "it is explained" 'FF: header-bits'
	t send-keys -t top Enter
	shows "and back" 'THE LAST REFUSALS'
	t send-keys -t top x
	shows "the rule that lets it pass" "utf8guard fs add subtree $point uid 4242 audit"
	t send-keys -t top no Enter
	shows "is not added without a yes" 'nothing was added'
	t send-keys -t top Enter
	shows "and back again" 'THE LAST REFUSALS'
	t send-keys -t top q
	shows "the end" 'ended 0'
	# More of them than there is room for, and longer ones.
	for ((i = 10; i < 30; i++)); do
		printf -v path '%s/%0200d' $i 0
		sed -n 1p "$tap/events" | sed "s,\"path\":\"/\",\"path\":\"/$path\","
	done >"$tap/long"
	t kill-session -t top
	LC_ALL=C.UTF-8 t new-session -d -s top -x 80 -y 24 "env -u NO_COLOR LC_ALL=C.UTF-8 '$tool' top --file '$tap/long'; sleep 60"
	shows "long ones" '> refused overlong C0 AE cp /29/'
	is "a line is as long as the terminal" "$(awk 'length == 80' "$tap/screen" | grep -c '> refused')" 1
	t send-keys -t top j j j j j j j
	shows "what is chosen is on the screen" '> refused overlong C0 AE cp /22/'
	in_colours() { # SETTING [OPTION...]: is a refusal red, with that in the environment?
		t kill-session -t top
		LC_ALL=C.UTF-8 t new-session -d -s top -x 80 -y 24 \
			"env -u NO_COLOR LC_ALL=C.UTF-8 $1 '$tool' top --file '$tap/events' ${*:2}; sleep 60"
		for ((i = 0; i < 100; i++)); do
			has 'refused header-bits' && break
			sleep 0.1
		done
		t capture-pane -e -p -t top | grep -q $'\e\\[31m'
	}
	ok "in colours" in_colours _=
	not_ok "NO_COLOR" in_colours NO_COLOR=1
	ok "an empty NO_COLOR says nothing" in_colours NO_COLOR=
	ok "always is always" in_colours NO_COLOR=1 --color=always
fi

# shellcheck disable=SC2016 # for the shell in there
run timeout 60 bash -c 'ulimit -v 300000; tr "\0" x </dev/zero | "$0" top -b --file -' "$tool"
like "a line without end" "$status $err" "^2 utf8guard: -: line 1 has more than 1048576 octets\$"
done_testing
