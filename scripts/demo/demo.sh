#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The demonstration, inside the machine that start.sh boots. It shows each step as
# one would type it, with its output, and checks the result.

set -u
: "${UTF8GUARD_MODULES:?runs under scripts/vm/run.sh only}"
top=$PWD work=/tmp/demo passed=0 failed=0 refusals=0
bold='' red='' plain=''
[ -z "${DEMO_COLOUR-}" ] || { bold=$'\e[1m' red=$'\e[1;31m' plain=$'\e[m'; }
mkdir "$work" || exit
# The C library's message for EILSEQ, which every program prints.
eilseq='Invalid or incomplete multibyte or wide character'

heading() { printf '\n%s%s%s\n' "$bold" "$*" "$plain"; }

# try COMMANDS: shows them and runs them in this shell. Shows their output and keeps
# it in $said, and the exit status in $status.
try() {
	printf '%s$ %s%s\n' "$bold" "$1" "$plain"
	status=0
	eval "$1" </dev/null >"$work/said" 2>&1 || status=$?
	said=$(<"$work/said")
	cat "$work/said"
	refusals=$((refusals + $(grep -cF "$eilseq" "$work/said")))
}

# After a check: was it true?
verdict() {
	# shellcheck disable=SC2319 # that is the point
	if [ $? = 0 ]; then
		passed=$((passed + 1))
		printf 'ok      %s\n' "$1"
	else
		failed=$((failed + 1))
		printf '%sFAILED  %s%s\n' "$red" "$1" "$plain"
	fi
}

has() { LC_ALL=C grep -qF -e "$1" <<<"$said"; }
soon() { # COMMAND...: true within some seconds
	local i
	for ((i = 0; i < 50; i++)); do
		"$@" && return
		sleep 0.2
	done
	return 1
}

# A step returns false only when what follows makes no sense without it.
volume() {
	heading "1. An ext4 volume, and archives, from days when names were Latin-1"
	# No udev runs here that would load it when mount looks for a loop device.
	modprobe loop
	try 'truncate -s 64M /tmp/disk && mkfs.ext4 -q /tmp/disk && mount -o loop /tmp/disk /mnt'
	mountpoint -q /mnt || return
	chmod 1777 /mnt
	cd /mnt || return
	try $'touch $\'caf\\xE9.txt\' $\'na\\xEFve.txt\''
	[ "$status" = 0 ] && [ -e $'caf\xe9.txt' ] && [ -e $'na\xefve.txt' ]
	verdict 'Linux as it comes takes any octets for a name'
	mkdir "$work/old" && cd "$work/old" || return
	echo Gruss >$'gr\xfc\xdfe.txt'
	echo senor >$'se\xf1or.txt'
	echo plain >readme.txt
	try 'zip -q /tmp/old.zip * && tar -cf /tmp/old.tar *'
	[ "$status" = 0 ] || return
	cd /mnt || return
}

load() {
	heading "2. Load the modules, and enforce UTF-8 in the names of that volume"
	try 'modprobe -a nf_conntrack nf_reject_ipv4 nf_reject_ipv6'
	# shellcheck disable=SC2016 # shown as it is
	try 'for m in utf8guard utf8guard_fs utf8guard_nf; do insmod $UTF8GUARD_MODULES/$m.ko; done'
	[ -d /sys/module/utf8guard_fs ] && [ -d /sys/module/utf8guard_nf ] || return
	try 'utf8guard fs add subtree /mnt enforce && utf8guard fs show && utf8guard net show'
	[ "$status" = 0 ] && has 'fs set default audit' && has 'fs add subtree /mnt enforce' &&
		! has 'net add'
	verdict 'loaded; outside /mnt bad names are only reported, and no packet is looked at'
	utf8guard monitor >"$work/events" 2>"$work/monitor" &
	monitor=$!
	soon grep -q listening "$work/monitor"
}

good_one_only() {
	[ "$status" != 0 ] && has "$eilseq" && [ "$(echo *)" = readme.txt ] &&
		[ "$(<readme.txt)" = plain ]
}

unpack() {
	heading "3. Unpack the old archives"
	try 'mkdir new && cd new && unzip /tmp/old.zip'
	good_one_only
	verdict 'unzip unpacks the good name, and says which were refused'
	rm -f readme.txt
	try 'tar -xf /tmp/old.tar'
	good_one_only
	verdict 'so does tar'
	cd /mnt || return
}

refused() { # NAME: it was, and there is no such file
	[ "$status" = 1 ] && has "$eilseq" && [ ! -e "$1" ]
}

make() {
	heading "4. Make files: names that no UTF-8 has, and names that it has"
	try $'touch $\'report\\xC0\\xAEexe\''
	refused $'report\xc0\xaeexe'
	verdict 'C0 AE refused: an overlong "."'
	try $'runuser -u nobody -- touch $\'x\\xED\\xA0\\x80\''
	refused $'x\xed\xa0\x80'
	verdict 'ED A0 80 refused: half a surrogate pair'
	try $'touch $\'x\\xF4\\x90\\x80\\x80\''
	refused $'x\xf4\x90\x80\x80'
	verdict 'F4 90 80 80 refused: beyond U+10FFFF'
	try 'touch Grüße.txt Ελλάδα Ленинград 日本語 العربية עברית हिन्दी 🐧 && ls -x'
	[ "$status" = 0 ] && has Grüße.txt && has Ελλάδα && has Ленинград && has 日本語 &&
		has العربية && has עברית && has हिन्दी && has 🐧
	verdict 'well-formed names pass, whatever the script'
}

old() {
	heading "5. Bad names that were there before"
	try 'ls -x *.txt'
	has $'caf\xe9.txt' && has $'na\xefve.txt'
	verdict 'they are listed'
	try $'mv -v $\'caf\\xE9.txt\' café.txt && rm -v $\'na\\xEFve.txt\''
	[ "$status" = 0 ] && [ -e café.txt ] && [ ! -e $'caf\xe9.txt' ] && [ ! -e $'na\xefve.txt' ]
	verdict 'and can be renamed and removed'
	try $'mv café.txt $\'caf\\xE9.txt\''
	refused $'caf\xe9.txt' && [ -e café.txt ]
	verdict 'but not given again'
}

web() {
	local attack seen

	heading "6. An HTTP server, and a request that hides ../ from it"
	cd "$work" && mkdir www && echo 'Grüße from the server' >www/grüße.txt
	try 'busybox httpd -f -vv -p 127.0.0.1:8080 -h www >access.log 2>&1 &'
	server=$!
	soon eval '(: </dev/tcp/127.0.0.1/8080) 2>/dev/null' || return

	# As part of the URL, curl would send it as %C0%AF.
	attack='curl -sS --max-time 3 --request-target $'\''/..\xC0\xAF../etc/passwd'\'' http://127.0.0.1:8080'
	try "$attack -o /dev/null; cat access.log"
	has $'url:/..\xc0\xaf../etc/passwd' && has response:404
	verdict 'without a rule, the server gets it and has to know what to do'
	seen=$(<access.log)
	try 'utf8guard net add input tcp dport 8080 drop && utf8guard net show'
	[ "$status" = 0 ] && has 'net add input tcp dport 8080 drop'
	verdict 'a rule for its port'
	try "$attack"
	[ "$status" = 28 ] && has 'timed out' && has '0 bytes received'
	verdict 'dropped: no answer until the client gives up'
	try 'curl -sS --max-time 30 --request-target /grüße.txt http://127.0.0.1:8080'
	[ "$status" = 0 ] && [ "$said" = 'Grüße from the server' ]
	verdict 'a request in good UTF-8 is answered'
	try 'cat access.log'
	[ "$(grep -v grüße.txt <<<"${said#"$seen"}" | grep -c url:)" = 0 ] &&
		[ "${said#"$seen"}" != "$said" ] && has url:/grüße.txt
	verdict 'of the dropped request the server saw nothing: its log goes from the first to the good one'
}

# Everything that was refused must be found again in the counters, the events and
# the audit records. Of packets there are more than requests: TCP tries again.
report() {
	local count name='op=utf8guard-name' packet='op=utf8guard-payload'

	heading "7. What was that?"
	try 'utf8guard explain C0 AE'
	[ "$status" = 0 ] && has overlong && has 'U+002E' && has 'RFC 3629'
	verdict 'the octets explained'

	heading "8. Who was refused what?"
	try 'utf8guard stats'
	count=$(sed -n 's/^# name check:.* refused \([0-9]*\),.*/\1/p' <<<"$said")
	[ "$refusals" -gt 0 ] && [ "$count" = "$refusals" ] && has 'too-short: refused' &&
		has 'overlong: refused' && has 'surrogate: refused' && has 'too-large: refused' &&
		grep -A 2 -F 'net add' <<<"$said" | grep -Eq 'overlong: refused [1-9]'
	verdict "the counters agree with the $refusals refusals of names seen above"

	# shellcheck disable=SC2016 # expanded each time
	soon eval '[ "$(grep -c "fs refused" events)" = "$refusals" ]'
	kill "$monitor" && wait "$monitor" 2>/dev/null
	try "grep touch events; grep -m 1 'net refused' events"
	[ "$(grep -c 'fs refused' events)" = "$refusals" ] &&
		grep -q 'surrogate: ED A0 80 .*ext4.* by touch pid [0-9]* user nobody' <<<"$said" &&
		grep -q 'net refused.* > 127.0.0.1:8080 .*overlong: C0 AF' <<<"$said"
	verdict 'the monitor told of each as it happened: which octets, which class, who'

	try "dmesg | grep -E 'class=surrogate|$packet' | head -n 2 | fold -s -w 100"
	dmesg >"$work/log"
	[ "$(grep -c "$name .*outcome=refused .*res=0" "$work/log")" = "$refusals" ] &&
		grep -q "$name .*class=surrogate .*bytes=eda080 .* uid=$(id -u nobody) .*comm=\"touch\"" "$work/log" &&
		grep -q "$packet .*class=overlong .*bytes=c0af .* dport=8080 " "$work/log"
	verdict 'the audit records say the same (in the kernel log, for no auditd runs here)'
}

undo() {
	heading "9. Undo"
	kill "$server" && wait "$server" 2>/dev/null
	try 'rmmod utf8guard_nf utf8guard_fs utf8guard'
	[ "$status" = 0 ] && [ ! -d /sys/module/utf8guard ]
	verdict 'unloaded'
	try $'touch $\'/mnt/caf\\xE9.txt\' && umount /mnt'
	[ "$status" = 0 ]
	verdict 'and everything is as before'
	cd "$top" || return
	try 'scripts/vm/check-log.sh <(dmesg)'
	[ "$status" = 0 ]
	verdict 'the kernel log has no warning'
}

# Octets that are not UTF-8 become \xHH on their way to the terminal.
escape() {
	perl -ne 'BEGIN { $| = 1 }
		s/\G((?:[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]
		|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]
		|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}
		|\xf4[\x80-\x8f][\x80-\xbf]{2})*)([\x80-\xff])?/
		defined $2 ? sprintf("%s\\x%02X", $1, ord $2) : $1/gex; print'
}

{
	{ volume && load && unpack && make && old && web && report && undo; } ||
		{ false; verdict 'what comes next could not be tried'; }
	printf '\n%d passed, %d failed\n' "$passed" "$failed"
	[ "$failed" = 0 ] && [ "$passed" != 0 ]
} 2>&1 | escape
exit "${PIPESTATUS[0]}"
