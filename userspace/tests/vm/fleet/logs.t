#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Who was refused today? An operator asks the real auditd, ausearch and aureport; or rsyslog and
# journald, where there is no auditd.
# vm: -p auditd,rsyslog,apparmor
#
# promise operator: by the manual's commands for auditd, rsyslog and journald he finds whose name
#   and which packet was refused
# shown by: ausearch: who was refused today
# shown by: rsyslog: both refusals are in a file of their own
# shown by: journald: finds them
# shown by: journald: the name, too

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
top=$(readlink -f "$here/../../../..")

journal=/lib/systemd/systemd-journald
[ -x "$journal" ] || skip_all "no systemd"

load_all
mkdir -p /tmp/d
mount -t tmpfs tmpfs /tmp/d
chmod 1777 /tmp/d
utf8guard fs set default enforce
utf8guard net add input udp dport 9000 drop comment 'the résumé service'
# What the manual says, as it stands there.
example() { # NAME
	sed -n "/^\.\\\\\" example: $1\$/,/^\.Ed/p" "$top/userspace/man/utf8guard.8" | sed '/^\./d; s/\\e/\\/g'
}
refuse() {
	bash -c 'echo 65534 >/proc/self/loginuid && exec setpriv --reuid 65534 --regid 65534 --clear-groups touch "$1"' \
		bash $'/tmp/d/report\xc0\xaeexe' 2>/dev/null
	printf 'a\355\240\200b' >/dev/udp/127.0.0.1/9000
}
written() { [ "$(grep -ac "$2" "$1")" -ge "$3" ]; }

# rsyslog, as it reads the kernel's log.
example rsyslog >"$tap/rules"
isnt "rsyslog: there is an example" "$(cat "$tap/rules")" ""
mkdir -p /var/spool/rsyslog
{
	echo 'module(load="imklog") module(load="imuxsock")'
	cat "$tap/rules"
	echo '*.* /var/log/rest'
} >"$tap/rsyslog.conf"
ok "rsyslog: takes it" rsyslogd -N1 -f "$tap/rsyslog.conf"
rsyslogd -n -f "$tap/rsyslog.conf" -i "$tap/rsyslog.pid" >"$tap/rsyslogd" 2>&1 &
rsyslog=$!
until_true 60 test -s "$tap/rsyslog.pid"
# What a user writes is not the kernel's, and the rule does not hide it.
forged='audit: type=1316 audit(1.1:1): op=utf8guard-name act=create outcome=refused name=forged'
logger -t kernel "$forged"
ok "rsyslog: what looks like one goes where it went" until_true 60 written /var/log/rest 'name=forged' 1
# Two directories, because 6.1 does not look at one alone.
mount -t overlay -o "lowerdir=/x ${forged##*: }:/x" overlay /tmp/d 2>/dev/null
ok "rsyslog: so does what the kernel quotes" until_true 60 written /var/log/rest 'name=forged' 2
refuse
ok "rsyslog: both refusals are in a file of their own" until_true 60 written /var/log/utf8guard.log 'op=utf8guard' 2
unlike "rsyslog: and nothing else" "$(grep -av 'op=utf8guard' /var/log/utf8guard.log)" .
unlike "rsyslog: nor what looks like one" "$(cat /var/log/utf8guard.log)" 'name=forged'
kill $rsyslog; wait $rsyslog

# journald, by a line of the manual. It reads the kernel's log, too.
mkdir -p /run/systemd/journal /run/log/journal
echo 0123456789abcdef0123456789abcdef >/etc/machine-id
"$journal" >"$tap/journald" 2>&1 &
journald=$!
example journald >"$tap/line"
isnt "journald: there is an example" "$(cat "$tap/line")" ""
today() { bash "$tap/line" >"$tap/found" 2>&1; grep -aq 'op=utf8guard-payload' "$tap/found"; }
ok "journald: finds them" until_true 60 today
ok "journald: the name, too" grep -aq 'op=utf8guard-name act=create outcome=refused .*name=7265706f7274c0ae657865 .*uid=65534' "$tap/found"
unlike "journald: and not what the kernel quotes" "$(cat "$tap/found")" 'name=forged'
kill $journald; wait $journald 2>/dev/null

# auditd. ausearch interprets each field as what it is, and none as something else.
mkdir -p /var/log/audit
auditd -n >"$tap/auditd" 2>&1 &
auditd=$!
audits() { [ "$(auditctl -s | awk '$1 == "pid" { print $2 }')" = "$auditd" ]; }
ok "auditd runs" until_true 60 audits
printf 'fs flush\nnet flush\nfs set default enforce\nnet add input udp dport 9000 drop\n' | utf8guard load - >/dev/null
refuse
utf8guard fs set default audit
ok "it has both" until_true 60 written /var/log/audit/audit.log 'op=utf8guard-\(name\|payload\)' 2
ok "and the change after them" until_true 60 written /var/log/audit/audit.log 'act=fs-rule-set' 1
# Names that are audited, but look like more: in words, as a line of their own, and as another user's.
named() { setpriv --reuid "$1" --regid "$1" --clear-groups touch "/tmp/d/$2"; }
looks="type=KERNEL_OTHER msg=audit(1.1:1) : op=utf8guard-name act=create outcome=refused "
named 65534 $'\xff '"$looks"
named 65534 $'\xff\n'"$looks"
named 0 $'\xff uid=65534 uid=nobody '
ok "and names that look like more" until_true 60 written /var/log/audit/audit.log 'outcome=audited' 3
example ausearch-user >"$tap/line"
run bash "$tap/line"
is "ausearch: whose names they were" "$(grep -c op=utf8guard-name <<<"$out")" 3
example ausearch >"$tap/line"
isnt "ausearch: there is an example" "$(cat "$tap/line")" ""
run bash "$tap/line"
name=$(grep -a op=utf8guard-name <<<"$out") packet=$(grep -a op=utf8guard-payload <<<"$out")
is "ausearch: who was refused today" "$(grep -ac op=utf8guard <<<"$out")" 2
# More of them, for the system call, would be more in a second than audit queues.
records() { # TEXT: how many the event has that the last record with it is of
	grep -acF "$(grep -a "$1" /var/log/audit/audit.log | tail -n 1 | grep -o 'audit([0-9.:]*)')" /var/log/audit/audit.log
}
is "a refused name is one record" "$(records op=utf8guard-name)" 1
must setpriv --reuid 65534 --regid 65534 --clear-groups unshare -Urn utf8guard net add input udp dport 7 count
ok "a change in a namespace of a user's" until_true 60 written /var/log/audit/audit.log act=nf-rule-add 1
is "a change in a namespace of a user's is one record" "$(records act=nf-rule-add)" 1
for field in act=create outcome=refused class=overlong offset=6 bytes=c0ae scope=default fstype=tmpfs path=/ \
	"devno=$(mountpoint -d /tmp/d)" "inode=$(stat -c %i /tmp/d)" ruleset=fs uid=nobody comm=touch res=no; do
	like "ausearch -i: a name: $field" "$name" " $field "
done
like "ausearch -i: the name itself" "$name" $' name=report\xc0\xaeexe '
for field in act=input src=127.0.0.1 dst=127.0.0.1 proto=udp dport=9000 class=surrogate bytes=eda080 ruleset=nf res=no; do
	like "ausearch -i: a packet: $field" "$packet" " $field "
done
run ausearch -i -m KERNEL_OTHER
unlike "ausearch -i: nothing is taken for what it is not" "$out" 'unknown'
like "ausearch -i: a change" "$out" 'op=utf8guard-config act=fs-rule-set rule=1 .*uid=root .*res=yes'
like "ausearch: a change, by the user" "$(ausearch --uid 0 -m KERNEL_OTHER)" 'act=fs-rule-set'
run ausearch -i -m USER_MAC_POLICY_LOAD
like "which policy was loaded" "$out" "op=utf8guard-policy ruleset=nf checksum=$(utf8guard show -j | member net.checksum) rules=1 .*res=success"
like "aureport lists the loads" "$(aureport --mac -i)" 'USER_MAC_POLICY_LOAD'
like "aureport counts what was refused, and changes" "$(aureport --event --summary -i)" '[0-9]+ +KERNEL_OTHER'
utf8guard net replace "$(utf8guard net | sed -n 's,.* # handle ,,p')" input udp dport 9000 audit
printf 'a\355\240\200b' >/dev/udp/127.0.0.1/9000
ok "a packet that is audited is in it" until_true 60 written /var/log/audit/audit.log 'act=input outcome=audited' 1
ausearch --raw -m KERNEL_OTHER | utf8guard suggest - >"$tap/suggested"
like "suggest reads it, and replaces the rule in force" "$(cat "$tap/suggested")" \
	'net replace [0-9]+ input udp dport 9000 drop'
ok "which load takes" utf8guard load -c "$tap/suggested"
like "and makes no rule for what was refused" "$(cat "$tap/suggested")" '# No rule for 2 that were refused already'

# auditd drops a record of more than 8970 octets. A user hides nothing by a long name, the path of his
# program, which counts twice where it has spaces, or the label of his process: a profile of AppArmor's
# in complain mode lets him add names to it.
far=/tmp/d; part="a b$(printf 'c%.0s' {1..197})"
for _ in {1..19}; do far+="/$part"; done
mkdir -p "$far"
cp "$(type -P touch)" "$far/$part"
chmod 1777 "/tmp/d/$part"
utf8guard fs set default enforce
long="/tmp/d/$part/$(printf 'b%.0s' {1..254})"$'\xff'
# shellcheck disable=SC2016 # expanded by the bash that has the labels
labelled() { # LABEL...: touches $long as one who takes these labels in turn
	setpriv --reuid 65534 --regid 65534 --clear-groups bash -c '
		for label; do printf "changeprofile $label" >/proc/self/attr/current || exit; done
		exec touch "$0"' "$long" "$@"
}
seen() { # TITLE COMMAND...: refused, and in audit.log?
	local title=$1 refused before
	refused=$(number fs refused)
	before=$(grep -ac 'offset=254 bytes=ff' /var/log/audit/audit.log)
	"${@:2}" 2>/dev/null
	is "$title: refused" $(($(number fs refused) - refused)) 1
	ok "$title: in audit.log" until_true 60 written /var/log/audit/audit.log 'offset=254 bytes=ff' $((before + 1))
}
seen "a long path" setpriv --reuid 65534 --regid 65534 --clear-groups "$far/$part" "$long"
run ausearch -i -m KERNEL_OTHER
like "a long path: its end" "$(grep -a 'offset=254 bytes=ff' <<<"$out")" " exe=\.\.\./($part/){3}$part "
if grep -qs Y /sys/module/apparmor/parameters/enabled; then
	echo 'profile complaining flags=(complain) { }' >"$tap/profile"
	ok "AppArmor takes a profile" apparmor_parser -r "$tap/profile"
	seen "a label" labelled complaining
	like "a label: all of it" "$(grep -a 'offset=254 bytes=ff' /var/log/audit/audit.log)" ' subj=complaining//null-[^ ]*/touch '
	like "a label: ausearch has it" "$(ausearch --raw -m KERNEL_OTHER)" ' subj=complaining//null-[^ ]*/touch '
	seen "a long label" labelled complaining "$(printf 'p%.0s' {1..900})"{1..10}
	like "a long label: a word for it" "$(grep -a 'offset=254 bytes=ff' /var/log/audit/audit.log)" ' subj=<too_long> '

	# AppArmor adds no record because somebody listens whose own profile is in complain mode. It keeps in
	# mind what it said last on each processor, so there are two of these.
	listener() { # PROFILE
		echo "profile $1 flags=(complain) { }" | apparmor_parser -r
		# shellcheck disable=SC2016 # for the inner shell
		bash -c 'echo "changeprofile $0" >/proc/self/attr/current && exec utf8guard monitor fs' "$1" \
			>"$tap/$1" 2>"$tap/$1.err" &
		monitors+=($!)
		ok "$1 listens" until_true 60 grep -q listening "$tap/$1.err"
	}
	listener somebody
	listener somebody_else
	like "with that label" "$(cat "/proc/${monitors[0]}/attr/current")" '^somebody//null-[^ ]*/utf8guard '
	before=$(wc -l </var/log/audit/audit.log)
	setpriv --reuid 65534 --regid 65534 --clear-groups touch $'/tmp/d/overheard\xff' 2>/dev/null
	for profile in somebody somebody_else; do
		ok "$profile hears of a name" until_true 60 grep -q overheard "$tap/$profile"
	done
	ok "which is in audit.log" until_true 60 written /var/log/audit/audit.log 'name=6f7665726865617264ff ' 1
	unlike "with no record of AppArmor" "$(tail -n "+$((before + 1))" /var/log/audit/audit.log | grep -a 'comm="touch"')" 'capname='
	utf8guard fs set default audit
	for profile in somebody somebody_else; do
		ok "$profile hears of a change" until_true 60 grep -q 'config fs' "$tap/$profile"
	done
	# It skips an event to which AppArmor adds a record.
	is "ausearch finds every change" "$(ausearch --raw -m KERNEL_OTHER | grep -ac act=fs-rule-set)" \
		"$(grep -ac act=fs-rule-set /var/log/audit/audit.log)"
	kill "${monitors[@]}"
	monitors=()
else
	skip 18 "this kernel has no AppArmor"
fi
kill $auditd; wait $auditd 2>/dev/null
done_testing
