#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What audit records, the tracepoint and the monitor say of a refusal; and that a flood of
# refusals, by a local user or a remote peer, does not flood the log.
#
# promise local user: he cannot hide others' refusals from the log by his own
# shown by: a flood of a user: the names of another are all told
# shown by: a packet of the host amid them is reported
# shown by: 2000 names: none is forgotten

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

load_all
report_limits 20 # as it is without lib.sh
source_limits 10
tracing=/sys/kernel/tracing
mkdir /tmp/d
mount -t tmpfs tmpfs /tmp/d
inode=$(stat -c %i /tmp/d)
utf8guard fs set default enforce
helper files.py

# An audit record says what, which octets, where and who.
log_mark
ask create '/tmp/d/caf\xc3.txt'
record=$(log_since op=utf8guard-name)
is "one refusal, one record" "$(wc -l <<<"$record")" 1
is "what it begins with" "$(grep -o 'op=.* inode=[^ ]* name=[^ ]*' <<<"$record")" \
	"op=utf8guard-name act=create outcome=refused rule=1 class=too-short offset=3 bytes=c3 scope=default fstype=tmpfs dev=tmpfs inode=$inode name=636166c32e747874"
device=$(mountpoint -d /tmp/d)
like "where it is" "$record" " name=[0-9a-f]* devno=$device path=2f "
like "whose rule it is" "$record" " ruleset=fs res=0"
unlike "no comment, no word" "$record" "comment="
is "whether it is pending" "$(grep -c ' pending=1 ' <<<"$record")" 1
like "its type" "$record" "audit: type=1316 "
pid=$(pgrep -f "python3 .*/files.py")
subject=()
# Only where a security module gives processes labels; the kernels uml and debug have none.
! cat /proc/self/attr/current >/dev/null 2>&1 || subject=('subj=[^ ]+')
for field in "pid=$pid" uid=0 gid=0 euid=0 auid=4294967295 ses=4294967295 'comm="python3"' \
	'exe="/usr/bin/python3[.0-9]*"' "${subject[@]}"; do
	like "who: $field" "$record" " $field "
done
like "how it ended" "$record" " res=0.?$"
unlike "no suppression without a flood" "$record" "suppressed="
unlike "no field that the audit tools would take for another" "$record" "hook="

# Somebody else, with an audit session of his own.
log_mark
run bash -c 'echo 1000 >/proc/self/loginuid &&
	exec setpriv --reuid 65534 --regid 65534 --clear-groups touch "$1"' bash $'/dev/shm/\xed\xa0\x80'
is "who: a user is refused" "$status" 1
record=$(log_since op=utf8guard-name)
like "who: a user" "$record" " auid=1000 uid=65534 gid=65534 euid=65534 "
like "what: a surrogate" "$record" " class=surrogate offset=0 bytes=eda080 "

# A server that acts as a client: rules ask for the client, and reports tell of both.
monitor "$tap/acting" -j fs --count 1 --timeout 300
log_mark
setpriv --euid=4242 touch $'/tmp/d/\xed\xa0\x80' 2>/dev/null
like "a server that acts as another: the audit log" "$(log_since op=utf8guard-name)" " uid=0 .* fsuid=4242 "
wait "${monitors[0]}"
monitors=()
is "and the monitor" "$(member uid <"$tap/acting") $(member fsuid <"$tap/acting")" "0 4242"

# A name is told whole: 255 octets, the fault at the end of it.
long=$(printf 'a%.0s' {1..254})
log_mark
ask create "/tmp/d/$long\\xff"
is "255 octets" "$(log_since op=utf8guard-name | grep -o 'class=.*name=[^ ]*' | sed 's/ fstype.* / /')" \
	"class=header-bits offset=254 bytes=ff scope=default name=$(printf '61%.0s' {1..254})ff"
for n in 63 64 65 128 129; do
	log_mark
	ask create "/tmp/d/${long:0:n-1}\\xff"
	is "$n octets" "$(log_since op=utf8guard-name | grep -o ' name=[^ ]*')" \
		" name=$(printf '61%.0s' $(seq $((n - 1))))ff"
done
# open() asks about a longer one before the file system says that it is too long: a record has the
# first 255 octets of it, and still says who it was.
log_mark
ask create "/tmp/d/\xfe${long:1}$(printf 'b%.0s' {1..3700})"
record=$(log_since op=utf8guard-name)
is "3954 octets" "$(grep -o 'bytes=.*name=[^ ]*' <<<"$record" | sed 's/ scope.* / /')" \
	"bytes=fe name=fe$(printf '61%.0s' {2..254})62"
like "3954 octets: who, and how it ended" "$record" " pid=$pid .* res=0"

# A rule that audits says so, and of which rule it was, in the administrator's words.
handle=$(utf8guard -j fs add subtree /tmp/d audit comment "who does this?" | sed 's/.*"handle":\([0-9]*\).*/\1/')
log_mark
ask mkdir '/tmp/d/\xff'
like "audited" "$(log_since op=utf8guard-name)" "act=mkdir outcome=audited rule=$handle .* res=1"
like "with its comment" "$(log_since op=utf8guard-name)" " ruleset=fs comment=77686f20646f657320746869733f res=1"
log_mark
ask mkdir '/tmp/d/\xff/\xfe'
like "the path of the directory" "$(log_since op=utf8guard-name)" " name=fe devno=$device path=2fff "
ask rmdir '/tmp/d/\xff/\xfe'
# Of a long path, a record has "..." and the last 128 octets; an event for the monitor has all of it.
far=/tmp/d
for _ in {1..9}; do far+=/${long:0:200}; ask mkdir "$far"; done
monitor "$tap/far" -j fs --count 1 --timeout 300
log_mark
ask create "$far/\\xff"
like "a long path" "$(log_since op=utf8guard-name)" " path=2e2e2e(61){128} .* res="
wait "${monitors[0]}"
monitors=()
is "of which the monitor has all" "$(member path <"$tap/far")" "${far#/tmp/d}"
for _ in {1..10}; do far+=/${long:0:200}; ask mkdir "$far"; done
monitor "$tap/further" -j fs --count 1 --timeout 30
(cd "$far" && touch $'\xff'"$(printf 'b%.0s' {1..4049})" 2>/dev/null)
wait "${monitors[0]}"
monitors=()
is "with a long name in it, too" "$(member path <"$tap/further")" "${far#/tmp/d}"
ask rmdir '/tmp/d/\xff'

# Changes of policy are in the audit log, with who made them.
log_mark
utf8guard fs set "$handle" enforce
utf8guard fs del "$handle"
utf8guard net add input udp dport 9000 drop
utf8guard net del "$(utf8guard net | sed 's/.*handle //')"
utf8guard net flush
changes=$(log_since op=utf8guard-config 5)
is "changes of policy" "$(grep -o 'act=[^ ]*' <<<"$changes" | tr '\n' ' ')" \
	"act=fs-rule-set act=fs-rule-del act=nf-rule-add act=nf-rule-del act=nf-flush "
like "with who made them" "$changes" 'rule='"$handle"' generation=[0-9]+ (rules=[0-9]+ )?ppid=.* uid=0 .* comm="utf8guard" .* res=1'

# The tracepoint has every one.
echo 1 >$tracing/events/utf8guard/utf8guard_refusal/enable
echo >$tracing/trace
ask symlink '/tmp/d/a\xf4\x90\x80\x80'
like "the tracepoint" "$(grep utf8guard_refusal $tracing/trace)" \
	'utf8guard_refusal: op=symlink outcome=refused rule=1 class=too-large reason=none cause=none offset=1 bytes=f4'
echo 0 >$tracing/events/utf8guard/utf8guard_refusal/enable
echo >$tracing/trace
ask symlink '/tmp/d/a\xf4\x90\x80\x80'
is "when it is on" "$(grep -c utf8guard_refusal $tracing/trace)" 0

# The monitor: both kinds, and changes, as lines and as JSON. Of packets, one that
# cannot be judged, too, which the audit log and the tracepoint tell of like the others.
utf8guard net add input udp dport 9000 drop
utf8guard net add input udp dport 9001 drop scope dns-labels fail closed
monitor "$tap/text" --count 4 --timeout 300
monitor "$tap/json" -j --count 4 --timeout 300
monitor "$tap/names" -j fs --count 2 --timeout 300
ask create '/tmp/d/new\xc0\xaeline'
printf 'a\355\240\200b' >/dev/udp/127.0.0.1/9000
echo 1 >$tracing/events/utf8guard/utf8guard_refusal/enable
log_mark
printf '\x12' >/dev/udp/127.0.0.1/9001
like "cut off: the audit log" "$(log_since op=utf8guard-payload)" \
	'act=input outcome=refused rule=[0-9]+ class=none reason=unfollowed cause=truncated offset=1 src=127.0.0.1 dst=127.0.0.1 proto=17 sport=[0-9]+ dport=9001 len=1 netns=[0-9]+ ruleset=nf res=0'
echo 0 >$tracing/events/utf8guard/utf8guard_refusal/enable
like "cut off: the tracepoint" "$(cat $tracing/trace)" \
	'op=input outcome=refused rule=[0-9]+ class=none reason=unfollowed cause=truncated offset=1 bytes='
# The monitor has several sockets, and what comes by them may be told in any order: so the change
# of rules is made only after the rest was told.
told() { # FILE EVENT N
	[ "$(grep -c "$2" "$1")" -ge "$3" ]
}
for file in text json names; do
	ok "$file: a name is told at once" until_true 60 told "$tap/$file" new 1
done
for file in text json; do
	ok "$file: so are the packets" until_true 60 told "$tap/$file" 127.0.0.1 2
done
utf8guard fs set default audit
for pid in "${monitors[@]}"; do
	ok "a monitor saw it all, and ended" wait "$pid"
done
like "the monitor: a name" "$(cat "$tap/text")" \
	'fs refused create .{0,2}new\\xC0\\xAEline.?:3: overlong: C0 AE .*in / \(inode '"$inode"'\) of tmpfs \(tmpfs, '"$device"'\).* by python3 pid [0-9]+ user root rule 1 command .{0,2}python3 .*/files.py'
like "the monitor: a packet" "$(cat "$tap/text")" \
	'net refused input udp 127.0.0.1:[0-9]+ > 127.0.0.1:9000 1: surrogate: ED A0 80 of 5 octets rule [0-9]+'
like "the monitor: a packet that is cut off" "$(cat "$tap/text")" \
	'net refused input udp 127.0.0.1:[0-9]+ > 127.0.0.1:9001: unfollowed: truncated at 1, 1 octets rule [0-9]+'
like "the monitor: a change" "$(cat "$tap/text")" 'config fs rule [0-9]+ '
cat >"$tap/check.py" <<'END'
import json, sys
events = list(map(json.loads, open(sys.argv[1], "rb")))
packet, cut = (e for e in events if e["event"] == "packet")
name, config = ({e["event"]: e for e in events}[k] for k in ("name", "config"))
print(name["op"], name["class"], name["offset"], name["bytes"], name["name"], name["fstype"], name["uid"], name["path"], name["family"], packet["family"])
print(packet["op"], packet["class"], packet["protocol"], packet["saddr"], packet["dport"], packet["length"])
print(cut["class"], cut["reason"], cut["cause"], cut["offset"], cut["dport"], cut["bytes"],
      "reason" in packet, "cause" in packet)
print(config["family"], list(map(lambda l: json.loads(l)["event"], open(sys.argv[2], "rb"))))
END
run python3 "$tap/check.py" "$tap/json" "$tap/names"
is "the monitor in JSON" "$out" "create overlong 3 C0 AE new\\xC0\\xAEline tmpfs 0 / fs nf
input surrogate udp 127.0.0.1 9000 5
none unfollowed truncated 1 9001  False False
utf8guard_fs ['name', 'config']"
run /usr/bin/python3 "$here/../../schema.py" monitor "$tap/json"
is "as the schema has it" "$out" ok

# In another PID namespace, the PID that the kernel tells is that of another process, or of none.
pid=$(pgrep -f "python3 .*/files.py")
# shellcheck disable=SC2016 # for the inner shell
unshare --pid --fork --mount-proc bash -c 'echo $(($1 - 1)) >/proc/sys/kernel/ns_last_pid
	sleep 300 &
	echo "$!" >&2
	exec "$UTF8GUARD" monitor -j fs --count 1 --timeout 300' bash "$pid" >"$tap/inner" 2>"$tap/inner.err" &
until_true 60 grep -q listening "$tap/inner.err"
if [ -e /proc/sys/kernel/ns_last_pid ]; then
	is "another PID namespace: a process with that PID" "$(head -1 "$tap/inner.err")" "$pid"
else
	skip 1 "this kernel was built without CHECKPOINT_RESTORE: no PID can be chosen"
fi
ask mkdir '/tmp/d/\xff'
wait $!
is "is not the one that made the name" "$(member pid <"$tap/inner") $(grep -c '"command"' "$tap/inner")" "$pid 0"
ask rmdir '/tmp/d/\xff'

# A flood of names: few records, and the rest is counted. A second has ten, and one was made just now.
sleep 1.1
utf8guard fs set default enforce
suppressed=$(number service suppressed) events=$(number service events) refused=$(number fs refused)
log_mark
begun=$SECONDS
ask flood /tmp/d 2000
seconds=$((SECONDS - begun + 2))
is "2000 names: all are refused" "$answer" 2000
is "and counted" $(($(number fs refused) - refused)) 2000
is "all are events" $(($(number service events) - events)) 2000
suppressed=$(($(number service suppressed) - suppressed))
records=$(log_since op=utf8guard-name $((2000 - suppressed)) | wc -l)
ok "few are reported" [ "$records" -le $((10 * seconds)) ]
ok "more than none" [ "$records" -ge 10 ]
ok "the others are suppressed" [ "$suppressed" -ge 1000 ]
is "2000 names: none is forgotten" $((records + suppressed)) 2000
unlike "nor lost in the queue of audit" "$(dmesg)" "audit_lost|backlog"
sleep 1.1
log_mark
ask create '/tmp/d/\xff'
like "the next record says how many" "$(log_since op=utf8guard-name)" " suppressed=[1-9][0-9]* res=0"
log_mark
ask create '/tmp/d/\xff'
record=$(log_since op=utf8guard-name)
like "and the one after it" "$record" " res=0"
unlike "does not" "$record" "suppressed="

# The flood of a user hides no name of another, and has its own number of suppressed ones. Nor does
# that of a container that root has made, which has user IDs of its own.
chmod 1777 /tmp/d
chmod 755 "$tap"
as_nobody() { setpriv --reuid 1000 --regid 1000 --clear-groups --inh-caps=-all unshare -Ur "$@" & }
in_container() {
	local map
	# shellcheck disable=SC2016 # for the inner shell
	unshare -U --keep-caps bash -c 'until [ "$(</proc/self/gid_map)" ]; do sleep 0.1; done
		exec setpriv --reuid 0 --regid 0 --clear-groups "$@"' bash "$@" &
	for map in uid_map gid_map; do
		until_true 60 write "0 100000 65536" "/proc/$!/$map"
	done
}
write() { echo "$1" 2>/dev/null >"$2"; }
suppresses_names() { [ $(($(number service suppressed) - suppressed)) -gt 100 ]; }
for whose in nobody container; do
	sleep 1.1
	log_mark
	suppressed=$(number service suppressed)
	[ $whose = nobody ] && how=as_nobody || how=in_container
	# shellcheck disable=SC2016 # for the inner shell
	$how bash -c '
		until [ -e "$1" ]; do : >"$2"; done' bash "$tap/enough-$whose" $'/tmp/d/flood\xff' 2>/dev/null
	ok "$whose: names flood the reports" until_true 60 suppresses_names
	for _ in 1 2 3; do
		ask create '/tmp/d/mine\xff'
		sleep 0.3
	done
	sleep 1.2
	touch "$tap/enough-$whose"
	wait $!
	is "$whose, a flood of a user: the names of another are all told" \
		"$(log_since 'name=6d696e65ff ' 3 | wc -l)" 3
	unlike "$whose: with none of his suppressed" "$(log_since 'name=6d696e65ff ' 3)" "suppressed="
	like "$whose: the user's own are" "$(log_since 'name=666c6f6f64ff ' 10)" " suppressed=[1-9][0-9]* res=0"
done

# How many records a user may have is a setting. Those that he does not get are none of a monitor
# of packets.
echo 3 >/sys/module/utf8guard/parameters/names_per_user
sleep 1.1
log_mark
monitors=()
monitor "$tap/both" --timeout 300
monitor "$tap/packets" net --timeout 300
begun=$SECONDS
ask flood /tmp/d 300
seconds=$((SECONDS - begun + 2))
records=$(log_since op=utf8guard-name 3 | wc -l)
ok "a setting: few are reported" [ "$records" -le $((3 * seconds)) ]
ok "a setting: some are" [ "$records" -ge 3 ]
ok "a monitor says how many are not" until_true 60 grep -q \
	'lost [0-9]* events: more than the kernel reports in a second, names and packets of all network namespaces' \
	"$tap/both"
is "a monitor of packets does not" "$(cat "$tap/packets")" ""
kill "${monitors[@]}"
monitors=()
echo 10 >/sys/module/utf8guard/parameters/names_per_user
sleep 1.1
ask create '/tmp/d/\xff' # tells how many were suppressed

# Changes that a user makes to rules of his own are few in the log, and those of the host are all.
sleep 1.1
log_mark
cat >"$tap/changes" <<'END'
for _ in {1..100}; do "$UTF8GUARD" net flush; done
END
setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
	unshare -Urn bash "$tap/changes" 2>/dev/null &
begun=$SECONDS
for _ in {1..10}; do utf8guard net flush; done
wait $!
seconds=$((SECONDS - begun + 2))
changes=$(log_since op=utf8guard-config 10)
is "changes of the host are all told" "$(grep -c ' uid=0 ' <<<"$changes")" 10
ok "changes by a user: few are told" [ "$(grep -c ' uid=65534 ' <<<"$changes")" -le $seconds ]
ok "and more than none" [ "$(grep -c ' uid=65534 ' <<<"$changes")" -ge 1 ]
like "they say how many were not" "$changes" ' uid=65534 .* suppressed=[1-9][0-9]* res=1'
utf8guard net add input udp dport 9000 drop
utf8guard net add input udp dport 9001 drop scope dns-labels fail closed

# A flood of packets hides no name, and is bounded itself; of those that cannot be judged, too.
dropped() { echo $(($(count - refused) + $(count - unfollowed))); }
begun() { [ "$(dropped)" != "$before" ]; }
before=$(dropped) suppressed=$(number service suppressed)
log_mark
exec 5>/dev/udp/127.0.0.1/9000 6>/dev/udp/127.0.0.1/9001
for _ in {1..500}; do
	printf '\xff' >&5
	printf '\x12' >&6
done &
until_true 60 begun
ask create '/tmp/d/amid\xff'
wait $!
exec 5>&- 6>&-
is "1000 packets: all are dropped" $(($(dropped) - before)) 1000
like "a name amid them is reported" "$(log_since op=utf8guard-name)" "name=616d6964ff "
unlike "and is suppressed by no packet" "$(log_since op=utf8guard-name)" "suppressed="
suppressed=$(($(number service suppressed) - suppressed))
records=$(log_since op=utf8guard-payload $((1000 - suppressed)))
reported=$(wc -l <<<"$records")
ok "but packets are" [ "$reported" -lt 1000 ]
is "of either kind, and none is forgotten" $((reported + suppressed)) 1000

# Nor does the flood from one address hide a packet from another, or its number of suppressed ones.
sleep 1.1
log_mark
suppressed_of_all=$(number service suppressed)
floods() { [ $(($(number service suppressed) - suppressed_of_all)) -gt 100 ]; }
exec 5>/dev/udp/127.0.0.1/9000
until [ -e "$tap/told" ]; do printf '\xff' >&5; done &
ok "packets from one address flood the reports" until_true 60 floods
printf '\xff' >/dev/udp/::1/9000
touch "$tap/told"
wait $!
exec 5>&-
flood=$(log_since 'src=127.0.0.1 ' 1)
like "a packet from another address is reported" "$(log_since 'src=::1 ' 1)" " src=::1 "
unlike "with none of the flood's suppressed" "$(log_since 'src=::1 ' 1)" "suppressed="
echo 3 >/sys/module/utf8guard/parameters/packets_per_source
sleep 1.1
log_mark
begun=$SECONDS
for _ in {1..30}; do printf '\xff' >/dev/udp/127.0.0.1/9000; done
seconds=$((SECONDS - begun + 2))
few=$(log_since 'src=127.0.0.1 ' 1 | wc -l)
ok "packets_per_source: no more than 3 a second" [ "$few" -le $((3 * seconds)) ]
ok "and more than none" [ "$few" -ge 1 ]
echo 10 >/sys/module/utf8guard/parameters/packets_per_source
records+=$'\n'$flood$'\n'$(log_since 'src=127.0.0.1 ')
suppressed=$((suppressed + $(number service suppressed) - suppressed_of_all))

# Nor does one of a user, in a network namespace of his own, hide a packet of the host.
cat >"$tap/user" <<'END'
ip link set lo up
"$UTF8GUARD" net add input udp dport 9000 audit
exec 5>/dev/udp/127.0.0.1/9000
until [ -e "$1" ]; do printf '\377' >&5; done
END
chmod 755 "$tap"
sleep 1.1
log_mark
printf '\377' >/dev/udp/127.0.0.1/9000
# A record of the flood may have told some of that number already.
records+=$'\n'$(log_since op=utf8guard-payload)
is "what was suppressed before is told" \
	"$(grep -o ' suppressed=[0-9]*' <<<"$records" | cut -d = -f 2 | paste -sd + | bc)" "$suppressed"
# Nor does the flood of a local user, from as many addresses as he likes, hide a packet from afar.
ip netns add far
ip link add near type veth peer name eth0 netns far
ip addr add 192.0.2.1/24 dev near
ip link set near up
ip -n far addr add 192.0.2.2/24 dev eth0
ip -n far link set eth0 up
far() { ip netns exec far bash -c 'printf "\xff" >/dev/udp/192.0.2.1/9000'; }
ok "a packet from afar" until_true 60 far
sleep 1.1
log_mark
before=$(number service suppressed)
many_more() { [ $(($(number service suppressed) - before)) -gt 300 ]; }
setpriv --reuid 65534 --regid 65534 --clear-groups python3 -c '
import os, socket, sys
senders = [socket.socket(type=socket.SOCK_DGRAM) for _ in range(8)]
for n, sender in enumerate(senders):
    sender.bind((f"127.0.0.{n + 2}", 0))
while not os.path.exists(sys.argv[1]):
    for sender in senders:
        sender.sendto(b"\xff", ("127.0.0.1", 9000))' "$tap/far-told" &
ok "a user floods the reports, from many addresses" until_true 60 many_more
for _ in 1 2 3; do
	far
	sleep 0.4
done
touch "$tap/far-told"
wait $!
is "packets from afar are all reported" "$(log_since 'src=192.0.2.2 ' 3 | wc -l)" 3
ip netns del far

# A flood in a network namespace of a user.
suppressed=$(number service suppressed)
log_mark
begun=$SECONDS
setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
	unshare -Urn bash "$tap/user" "$tap/enough" 2>/dev/null &
suppresses() { [ $(($(number service suppressed) - suppressed)) -gt 200 ]; }
host=$(readlink /proc/self/ns/net | tr -dc 0-9)
theirs() { log_after_mark | grep op=utf8guard-payload | grep -v " netns=$host "; }
theirs_say() { theirs | grep -q " outcome=audited .* suppressed=[1-9][0-9]* res=1"; }
ok "a user's packets flood the reports" until_true 60 suppresses
printf '\377' >/dev/udp/127.0.0.1/9000
ok "theirs say how many were not" until_true 60 theirs_say
touch "$tap/enough"
wait $!
seconds=$((SECONDS - begun + 2))
is "a packet of the host amid them is reported" "$(log_since "op=utf8guard-payload .* netns=$host " 1 | wc -l)" 1
unlike "and is suppressed by none of them" "$(log_since "netns=$host ")" "suppressed="
ok "of theirs, no more than two a second are" [ "$(theirs | wc -l)" -le $((2 * seconds)) ]

# All addresses of IPv6 that begin with the same 64 bits are one source: who has one has the others.
from_addresses() { # ADDRESS...: sends a bad datagram from each, and prints in how many seconds
	python3 -c '
import socket, sys, time
begun = time.monotonic()
for address in sys.argv[1:]:
    with socket.socket(socket.AF_INET6, socket.SOCK_DGRAM) as sender:
        sender.bind((address, 0))
        sender.sendto(b"\xff", ("::1", 9000))
print(int(time.monotonic() - begun) + 2)' "$@"
}
for n in {1..20}; do
	must ip addr add "fd00:6::$n/64" dev lo
	must ip addr add "fd00:6:0:$n::1/64" dev lo
done
echo 3 >/sys/module/utf8guard/parameters/packets_per_source
sleep 1.1
log_mark
seconds=$(from_addresses fd00:6::{1..20})
few=$(log_since 'src=fd00:6::' 1 | wc -l)
ok "addresses that share 64 bits are one source" [ "$few" -le $((3 * seconds)) ]
sleep 1.1
log_mark
from_addresses fd00:6:0:{1..20}::1 >/dev/null
is "those that do not are sources of their own" "$(log_since 'src=fd00:6:0:' 20 | wc -l)" 20
done_testing
