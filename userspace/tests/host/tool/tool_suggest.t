#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# suggest: a policy that refuses the bad that was seen, and none of the good.
#
# promise administrator by mistake: a policy that suggest makes refuses nothing that he marked as
#   good
# shown by: none of them would be refused
# shown by: packets: who is good comes first

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"

# A file system that is mounted here, at its root: paths of events are within it.
read -r device point < <(awk '$4 == "/" && $5 ~ /^\/[a-z\/]+$/ { print $3, $5; exit }' /proc/self/mountinfo)
[ -n "$point" ] || skip_all "no file system is mounted at its root"
major=${device%:*} minor=${device#*:}
name() { # PATH UID CLASS
	printf '{"version":1,"event":"name","outcome":"audited","op":"create","rule":1,"class":"%s","bytes":"FF","suppressed":0,"name":"x","uid":%s,"comm":"cp","path":"%s","major":%s,"minor":%s}\n' \
		"$3" "$2" "$1" "$major" "$minor"
}
packet() { # SADDR PORT CLASS SUPPRESSED
	printf '{"version":1,"event":"packet","outcome":"audited","op":"input","rule":1,"class":"%s","bytes":"FF","suppressed":%s,"protocol":"tcp","saddr":"%s","dport":%s}\n' \
		"$3" "$4" "$1" "$2"
}
rules() { grep -v -e '^#' -e '^$' "$tap/out"; }

{ name /share/a 1000 overlong; name /share/b/c 1000 bidi; } >"$tap/events"
run "$tool" suggest "$tap/events"
is "one rule, for what all the bad is below" "$status $(rules)" "0 fs add subtree $point/share enforce refuse bidi"
like "with its reasons" "$out" "# 2 seen below $point/share: overlong, bidi"
like "it is played" "$out" "refuses 2 of 2 bad, 0 of 0 good"
like "it says that nothing was changed" "$out" "Nothing was changed"
like "... and whether it knows the rules in force" "$out" "# (Handles are those of now|The rules in force are not known)"
unlike "there is a rule for all of it" "$out" "No rule for"
run bash -c '{ head -1 "$1"; echo; tail -1 "$1"; } | "$0" suggest -' "$tool" "$tap/events"
like "an empty line is not the end" "$status $out" "^0 .*refuses 2 of 2 bad"

{ name /share/old/x 1000 header-bits; name /share/a 1001 truncated; } >>"$tap/events"
run "$tool" suggest --good "$point/share/old/" --good user=1001 "$tap/events"
is "a directory and a user are good" "$(rules)" "fs add subtree $point/share enforce refuse bidi
fs add subtree $point/share/old audit refuse bidi
fs add subtree $point/share uid 1001 audit refuse bidi"
like "none of them would be refused" "$out" "refuses 2 of 2 bad, 0 of 2 good"
unlike "each mark is for something" "$out" "fits nothing"
run "$tool" suggest --good "$point/share/old" --good "$point/share/old/x" --good "$point/shares/a"$'\n' --good user=1002 --good user=1001 \
	--good from=192.0.2.1 "$tap/events"
is "those that are for nothing are told" "$status $(grep fits "$tap/out")" "0 # --good $point/shares/a\x0A fits nothing that was read.
# --good user=1002 fits nothing that was read.
# --good from=192.0.2.1 fits nothing that was read."

# What was refused has a rule already. Another one there could demand less than that.
{ name /share/a 1000 bidi; name /other/b 1001 overlong; packet 192.0.2.1 80 overlong 0; } | sed 's/audited/refused/' >"$tap/events"
run "$tool" suggest --good user=1001 "$tap/events"
is "what was refused makes no rule" "$status $(rules)" "1 "
like "it is told" "$out" "refuses 0 of 0 bad, 0 of 0 good.*# No rule for 3 that were refused already; 1 of them are marked as good"
unlike "and the mark is for it" "$out" "fits nothing"
{ name /share/b 1000 overlong; name /share/b 1000 overlong | sed 's/audited/refused/'; } >>"$tap/events"
run "$tool" suggest "$tap/events"
is "what was audited there does" "$status $(rules)" "0 fs add subtree $point/share/b enforce"
like "and is counted apart" "$out" "refuses 1 of 1 bad, 0 of 0 good.*# No rule for 4 that"

# A server acts for its clients with other user IDs than its own: rules ask for these.
{ name /share/a 0 overlong; name /share/b 0 overlong | sed 's/"uid":0/&,"fsuid":1001/'; } >"$tap/events"
run "$tool" suggest --good user=1001 "$tap/events"
like "the user as whom a server acts is good" "$out" "uid 1001 audit.*refuses 1 of 1 bad, 0 of 1 good"
run "$tool" suggest --good user=0 "$tap/events"
like "the server itself is another one" "$out" "uid 0 audit.*refuses 1 of 1 bad, 0 of 1 good"

{ packet 192.0.2.1 80 overlong 3; packet 2001:db8::1 80 surrogate 0; packet 192.0.2.1 25 nul 0; } >"$tap/events"
run bash -c '"$0" suggest --good from=2001:db8::1 - <"$1"' "$tool" "$tap/events"
is "packets: who is good comes first" "$(rules)" "net add input ip6 tcp dport 80 saddr 2001:db8::1 count
net add input tcp dport 80 drop
net add input ip6 tcp dport 25 saddr 2001:db8::1 count
net add input tcp dport 25 drop refuse nul"
like "what would come of it" "$out" "refuses 2 of 2 bad, 0 of 1 good"
run bash -c '"$0" suggest --good from=2001:DB8:0:0::1 --good from=2001:db8::1 - <"$1"' "$tool" "$tap/events"
like "packets: however the address is spelt" "$out" "refuses 2 of 2 bad, 0 of 1 good"
is "... and twice is once" "$(rules | sort | uniq -d)" ""
like "what was not told" "$out" "The kernel told nothing of 3 others"
cp "$tap/out" "$tap/policy"
run "$tool" load -c "$tap/policy"
like "load takes each line of it, as far as it can without the modules" "$status $err" "^4 utf8guard: utf8guard_nf is not loaded"

{ name /a 0 not-normalized; packet 192.0.2.1 80 percent-double 0; } >"$tap/events"
run "$tool" suggest "$tap/events"
like "what takes more than a class" "$status $out" "^1 .*No rule for 2: a form, percent encoding"
name /a 0 overlong | sed "s/\"major\":$major/\"major\":4095/" >"$tap/events"
run "$tool" suggest "$tap/events"
like "a file system that is not here" "$status $out" "^1 .*No rule for 1: their file systems are not mounted"

# A log of any length: what rules cannot tell apart is counted, and not kept.
name /share/a 1001 overlong | awk '{ for (i = 0; i < 50000; i++) { line = $0; sub(/"x"/, "\"x" i "\"", line); print line } }' >"$tap/many"
run bash -c 'ulimit -v 20000; exec "$0" suggest --good user=1002 "$1"' "$tool" "$tap/many"
like "fifty thousand of one kind" "$status $out" "^0 .*# 50000 seen below $point/share/a: overlong.*refuses 50000 of 50000 bad"

# A file system that is mounted in two locations, by another of its directories in each, as btrfs is
# on / and /home. No rule for what both are below would be for that file system.
cat >"$tap/mounts.sh" <<'END'
cd "$1" && mkdir -p whole a b && mount -t tmpfs none whole && mkdir -p whole/x/d whole/y/d &&
	mount --bind whole/x a && mount --bind whole/y b || exit 77
eval "$3" || exit 77
device=$(awk -v point="$1/a" '$5 == point { print $3 }' /proc/self/mountinfo)
sed "s/\"major\":[0-9]*,\"minor\":[0-9]*/\"major\":${device%:*},\"minor\":${device#*:}/" events |
	"$2" suggest "${@:4}" -
END
{ name /x/d 1 overlong; name /y/d 1 overlong; name /x/e 1 overlong; } >"$tap/events"
mounted() { # COMMANDS [OPTION...]
	run unshare -m bash "$tap/mounts.sh" "$tap" "$tool" "$@"
}
mounted "umount -l whole"
# unshare(1) cannot keep mounts to itself where / is no mount point, as in a chroot.
if [ "$status" = 77 ] || ! unshare -m true 2>/dev/null; then
	skip 23 "mounts take root, and / to be a mount point"
else
	is "a rule for each mount of a file system" "$status $(rules)" "0 fs add subtree $tap/a enforce
fs add subtree $tap/b/d enforce"
	like "and both are played" "$out" "refuses 3 of 3 bad"
	mounted : --good "$tap/a/e"
	is "what is good there is mounted here, too" "$status $(rules)" "0 fs add subtree $tap/whole enforce
fs add subtree $tap/a/e audit"
	like "and none of it is refused" "$out" "refuses 2 of 2 bad, 0 of 1 good"
	mounted "umount -l whole && mount -t tmpfs none b/d"
	is "none for what another mount covers" "$status $(rules)" "0 fs add subtree $tap/a enforce"
	like "and it is told" "$out" "refuses 2 of 3 bad.*No rule for 1: their file systems are not mounted here"
	# A directory may be marked by any of its paths; a link leads to where the events are.
	name /x/d/sub 0 header-bits >"$tap/events"
	for spelled in d d/ /d ./d/. nothing/../d link; do
		mounted "ln -s d whole/x/link; mkdir whole/x/d/sub" --good "$tap/whole/x/$spelled"
		like "a mark: $spelled" "$status $out" "refuses 0 of 0 bad, 0 of 1 good"
	done
	name /x/e 1 overlong >"$tap/events"
	mounted : --good "$tap/whole/x/d" --good "$tap/whole/x/./d/" --good user=0 --good user=root
	is "marks that are the same are one" "$(rules | sort | uniq -c | awk '{ print $1 }' | sort -u) $(rules | wc -l)" "1 2"
	mounted : --good "$tap/whole/x/e/s" --good "$tap/a/e/s"
	is "... also by two mounts" "$(rules | grep -c audit)" 1
	# No rule can be for a directory that is deeper.
	name "$(printf '/d%.0s' {1..70})" 0 header-bits >"$tap/events"
	mounted :
	is "a rule for a deep directory is for one above it" "$(rules)" "fs add subtree $tap/whole$(printf '/d%.0s' {1..63}) enforce"
	like "... which it is in" "$out" "refuses 1 of 1 bad"
	mounted "mkdir -p whole$(printf '/d%.0s' {1..66}) && umount -l a b && mount --bind whole$(printf '/d%.0s' {1..66}) a && umount -l whole"
	is "none where only a deeper one is mounted" "$status $(rules)" "1 "
	like "and it says why" "$out" "No rule for 1: their directory is more than 63 deep, and none above it is mounted here"
	unlike "not that there is no room" "$out" "there is room"
	{ name /x/d 1 overlong; name /y/d 1 overlong; name /x/e 1 overlong; } >"$tap/events"
	# What is mounted at the end counts: a pipe may be read for days.
	export -f name
	mkdir "$tap"/{one,two}
	# shellcheck disable=SC2016 # the shell in there expands it
	two_file_systems() { # [OPTION...]
		run unshare -m bash -c 'seen() {
				mkdir -p "$1/$2" && mount -t tmpfs tmpfs "$1/$2" && device=$(stat -c %d "$1/$2")
				major=$((device >> 8 & 0xfff)) minor=$((device & 0xff | device >> 12 & 0xfff00))
				name "${path-/d}" 1 overlong
			}
			{ seen "$1" one; sleep 0.5; seen "$1" "${second-two}"; } | { sleep 0.2; exec "$2" suggest "${@:3}" -; }' bash "$tap" "$tool" "$@"
	}
	two_file_systems
	is "what is mounted after the first event" "$status $(rules)" "0 fs add subtree $tap/one/d enforce
fs add subtree $tap/two/d enforce"
	two_file_systems --good "$tap/two/d"
	is "the same path on another file system is good" "$status $(rules)" "0 fs add subtree $tap/one/d enforce"
	like "and is not refused" "$out" "refuses 1 of 1 bad, 0 of 1 good"
	path=/ second=one/sub two_file_systems --good "$tap/one/sub/old"
	is "a file system below another one: what is good there is so once" "$status $(rules)" "0 fs add subtree $tap/one enforce
fs add subtree $tap/one/sub enforce
fs add subtree $tap/one/sub/old audit"
fi

# The same from the audit log, whose records reports.t checks.
cat >"$tap/audit.log" <<END
type=KERNEL_OTHER msg=audit(1790000000.123:45): op=utf8guard-name act=create outcome=audited rule=2 class=overlong offset=1 bytes=c0ae scope=2 fstype=tmpfs dev=tmpfs inode=2 name=61c0ae devno=$device path=2f7372762f6120c3a9 pid=7 uid=1000 auid=1000 ses=1 ruleset=fs res=1
type=SYSCALL msg=audit(1790000000.123:45): arch=c000003e syscall=257
type=KERNEL_OTHER msg=audit(1790000000.125:46): op=utf8guard-payload act=input outcome=audited rule=1 class=surrogate offset=0 bytes=eda080 src=192.0.2.1 dst=192.0.2.2 proto=17 sport=4 dport=514 len=3 netns=4026531840 ruleset=nf suppressed=2 res=1
END
run "$tool" suggest "$tap/audit.log"
is "of the audit log" "$(rules)" "fs add subtree '$point/srv/a é' enforce
net add input udp dport 514 drop"
like "and all of it" "$out" "refuses 2 of 2 bad, 0 of 0 good.*nothing of 2 others"

sed -n 's/ uid=1000 .* ruleset/ auid=7 uid=0 gid=0 euid=1000 suid=0 fsuid=1000 egid=0 ruleset/p' "$tap/audit.log" >"$tap/acting.log"
run "$tool" suggest --good user=1000 "$tap/acting.log"
like "and the user as whom a server acts" "$out" "refuses 0 of 0 bad, 0 of 1 good"

# Of a long path, the log has the end after "...". Whoever made the path chose where that begins.
{
	sed 's| path=2f7372762f6120c3a9 | path=2e2e2e2f7372762f78 |' "$tap/audit.log" | head -1
	sed 's| path=2f7372762f6120c3a9 | path=2e2e2e78 |' "$tap/audit.log" | head -1
} >"$tap/cut.log"
run "$tool" suggest "$tap/cut.log"
is "no rule for the end of a path that was cut" "$status $(rules)" "1 "
like "and it says why" "$out" "No rule for 2: .*, the log has only the end of their paths"

packet 192.0.2.1 80 overlong 0 | sed s/input/helper/ >"$tap/events"
run "$tool" suggest "$tap/events"
is "none for what nft gave to the helper" "$status $(rules)" "1 "
like "it says so" "$out" "No rule for 1: .*or nft judged them"

# A user may choose the label of his process. What is in it is no field, and no record.
record="type=KERNEL_OTHER msg=audit(1790000000.123:45): op=utf8guard-name act=create outcome=audited rule=2"
record+=" class=overlong offset=1 bytes=c0ae scope=2 fstype=tmpfs dev=tmpfs inode=2 name=61c0ae devno=$device"
forged='a reason=stream netns=1 path=2f7372762f7a suppressed=4000000000 res=1'
{
	echo "$record path=2f7372762f79 ppid=6 pid=7 uid=1000 comm=\"touch\" subj=$forged ruleset=fs suppressed=3 res=1"
	echo "$record path=2f7372762f79 ppid=6 pid=7 uid=1000 comm=\"touch\" subj=$forged ruleset=fs res=1"
	echo "type=SYSCALL msg=audit(1790000000.123:45): arch=c000003e uid=1000 subj=a ${record#*: } path=2f res=1"
} >"$tap/label.log"
run "$tool" suggest "$tap/label.log"
is "a label with fields in it" "$status $(rules)" "0 fs add subtree $point/srv/y enforce"
like "a label that looks like a record" "$out" "refuses 2 of 2 bad"
like "what the kernel says after the label" "$out" "The kernel told nothing of 3 others"
echo "$record ppid=6 pid=7 uid=1000 comm=\"touch\" subj=a path=2f7372762f7a ruleset=fs res=1" >"$tap/label.log"
run "$tool" suggest "$tap/label.log"
is "a label with a path, where the kernel wrote none" "$status $(rules)" "1 "

# Each log puts something else before a record.
of_kernel="audit: type=1316 ${record#*msg=}"
read_as() { # TITLE LINE
	printf '%s path=2f7372762f79 ppid=6 ruleset=fs res=1\n' "$2" >"$tap/log"
	run "$tool" suggest "$tap/log"
	is "$1" "$status $(rules)" "0 fs add subtree $point/srv/y enforce"
}
read_as "audit.log of several hosts" "node=web1.example $record"
read_as "the kernel's log" "$of_kernel"
read_as "/dev/kmsg" "5,1200,3456789,-;$of_kernel"
read_as "/dev/kmsg, with the caller" "5,1200,3456789,-,caller=T1;$of_kernel"
read_as "dmesg" "[   12.345678] $of_kernel"
read_as "dmesg -T" "[Thu Nov 26 21:22:06 2026] $of_kernel"
read_as "dmesg -r" "<5>[   12.345678] $of_kernel"
read_as "journalctl -k" "Nov 26 21:22:06 web1 kernel: $of_kernel"
read_as "the file of rsyslog" "2026-11-26T21:22:06.123456+01:00 web1 kernel: [   12.345678] $of_kernel"

# Users write into logs, too: a path that an overlay is to be mounted from, a table of nft, the
# name of a user of ssh. The kernel and the servers put their own words before that.
forged() { # TITLE LINE
	printf '%s path=2f7372762f79 ppid=6 ruleset=fs res=1\n' "$2" >"$tap/log"
	run "$tool" suggest "$tap/log"
	is "no record: $1" "$status $(rules)" "1 "
	like "no record: $1: played" "$out" "refuses 0 of 0 bad, 0 of 0 good"
}
fields=${record#*: }
overlay="overlayfs: failed to resolve '/x"
forged "a message of the kernel" "5,1200,3456789,-;$overlay $fields"
forged "with the beginning of one" "5,1200,3456789,-;$overlay;$of_kernel"
forged "with that of the journal" "Nov 26 21:22:06 web1 kernel: $overlay kernel: $of_kernel"
forged "with that of dmesg" "[   12.345678] $overlay [   12.345678] $of_kernel"
forged "with that of auditd" "[   12.345678] $overlay $record"
forged "a table of nft" "type=NETFILTER_CFG msg=audit(1790000000.123:45): table=x $fields"
forged "a table with a record" "type=NETFILTER_CFG msg=audit(1790000000.123:45): table=x $record"
forged "a table in the kernel's log" "audit: type=1325 audit(1790000000.123:45): table=x $of_kernel"
forged "a server's line" "Nov 26 21:22:06 web1 sshd[7]: Invalid user x kernel: $of_kernel"
forged "something after the time" "type=KERNEL_OTHER msg=audit(1790000000.123:45): table=x $fields"
forged "no record of these" "type=KERNEL_OTHER msg=audit(1790000000.123:45): op=utf8guard-config act=fs-rule-set"

# What is no word of the modules, and no address, is not read.
sed 's/ act=input / act=\x1b[31m /; s/ src=192.0.2.1 / src=\x1b[31m /' "$tap/audit.log" >"$tap/log"
run "$tool" suggest "$tap/log"
unlike "nothing for a terminal" "$out$err" $'\e'

# Nor is what monitor -j would not have written.
{
	packet 192.0.2.1 80 overlong 0 | sed 's/"tcp"/"tcp dport 1 count\\nfs flush #"/'
	packet 192.0.2.1 80 overlong 0 | sed 's/"tcp"/"any-port"/'
	packet 192.0.2.1 80 overlong 0 | sed 's/"input"/"input tcp"/'
	packet '192.0.2.1 count' 80 overlong 0
	packet 192.0.2.1 80 overlong 0 | sed 's/"packet"/"name"/'
	name /share/a 0 overlong | sed 's/"cp"/"cp\\u001b[31m"/'
	name /share/a 0 overlong | sed 's/"x"/"\\u202ex"/'
	for number in uid major minor rule suppressed; do
		for forged in -1 4294967296 1.5 '"x"' '"1"' null; do
			name /share/a 0 overlong | sed "s/\"$number\":[0-9]*/\"$number\":$forged/"
		done
	done
	for forged in -1 65536 1.0 '"80"' '[80]'; do packet 192.0.2.1 "$forged" overlong 0; done
	packet 192.0.2.1 80 overlong 0 | sed 's/,"dport":80//'
	for forged in -1 1x '' 1.5; do
		name /share/a 0 overlong | sed "s/\"version\":1/&,\"inode\":\"$forged\"/"
		name /share/a 0 overlong | sed "s/\"version\":1/&,\"time\":\"$forged\"/"
	done
	for forged in prerouting create fs; do packet 192.0.2.1 80 overlong 0 | sed "s/\"input\"/\"$forged\"/"; done
	for forged in input unlink helper; do name /share/a 0 overlong | sed "s/\"create\"/\"$forged\"/"; done
	packet 192.0.2.1 80 overlong 0 | sed 's/"dport"/"daddr":"192.0.2",&/'
	for forged in /share/../a /./share /share/. /.. share/a '' '/share/\\x2e\\x2e/a' '/a\\x00' '/a\\y'; do
		name "$forged" 0 overlong
	done
} >"$tap/forged"
forged=$(wc -l <"$tap/forged")
run "$tool" suggest "$tap/forged"
is "no rule of forged events, as of top" "$status $out $err" "2  utf8guard: $tap/forged: $forged lines were not understood"
{ cat "$tap/forged"; name /share/a 0 overlong; } >"$tap/mixed"
run "$tool" suggest "$tap/mixed"
is "the others count" "$status $(rules)$err" "0 fs add subtree $point/share/a enforce"
like "and the forged ones are counted" "$out" "# $forged lines were not understood"
# All that it can write is.
{
	for attempt in create mkdir mknod symlink link rename subvolume; do
		name /.../..a/b..\\\\\\\\/a. 0 overlong | sed "s/\"create\"/\"$attempt\"/; s/\"version\":1/&,\"time\":\"18446744073709551615\",\"inode\":\"2\"/"
	done
	name / 4294967295 overlong | sed 's/,"path":[^,]*//'
	for hook in input forward output helper; do
		packet 2001:db8::1 65535 overlong 4294967295 | sed "s/\"input\"/\"$hook\"/; s/\"dport\"/\"daddr\":\"2001:db8::2\",\"sport\":0,&/"
	done
} >"$tap/events"
run "$tool" suggest "$tap/events"
like "what it can write is" "$status $err $out" "^0  .*refuses 10 of 12 bad"
unlike "all of it" "$out" "not understood"
name /share/a 0 overlong | /usr/bin/python3 -m json.tool >"$tap/pretty"
run "$tool" suggest "$tap/pretty"
is "not a line an event" "$status $out $err" "2  utf8guard: $tap/pretty: 1 lines were not understood"

# There is room for 256 rules.
for port in {1..256} {1..10}; do packet 192.0.2.1 "$port" overlong 0; done >"$tap/ports"
run "$tool" suggest "$tap/ports"
is "256 rules" "$status $(rules | wc -l) $err" "0 256 "
{ cat "$tap/ports"; packet 192.0.2.1 300 overlong 0; packet 192.0.2.1 301 nul 0; packet 192.0.2.1 301 nul 0; } >"$tap/more"
run "$tool" suggest "$tap/more"
is "more are not suggested, which is told" "$status $(rules | wc -l) $err" \
	"1 256 utf8guard: suggest: there is room for 256 rules; none was made for 3 that were seen"
like "in the policy, too" "$out" "refuses 266 of 269 bad.*# No rule for 3: there is room for 256 rules."

run "$tool" suggest --good srv "$tap/events"
like "no mark" "$status $err" "^2 utf8guard: srv: expected /DIRECTORY, user=NAME or from=ADDRESS"
run "$tool" suggest --good user=nobody-of-that-name "$tap/events"
like "no user" "$status $err" "^2 utf8guard: user=nobody-of-that-name: expected"
for user in -5 ' 7' +7 7x 4294967295 18446744073709551617; do
	run "$tool" suggest --good "user=$user" "$tap/events"
	like "no user: $user" "$status $err" "^2 utf8guard: user=.*: expected"
done
mapfile -t many < <(seq -f '--good=user=%g' 63)
run "$tool" suggest "${many[@]}" --good user=7 "$tap/events"
is "as many users as one location has room for" "$err $(rules | grep -c ' uid ')" " 63"
run "$tool" suggest "${many[@]}" --good user=64 "$tap/events"
is "one more" "$status $out $err" \
	"2  utf8guard: user=64: too many users: one location may have 63 rules for some, and one for all others"
mapfile -t many < <(seq -f '--good=/srv/%g' 256)
run "$tool" suggest "${many[@]}" "$tap/events"
is "as many marks as are taken" "$err" ""
run "$tool" suggest "${many[@]}" --good /srv/more "$tap/events"
like "one more" "$status $err" "^2 utf8guard: /srv/more: too many"
run "$tool" suggest "$tap/none"
like "no file" "$status $err" "^2 utf8guard: $tap/none: No such file"
run "$tool" suggest "$tap"
is "a directory is no log" "$status $err" "2 utf8guard: $tap: Is a directory"
run "$tool" suggest /dev/null
like "nothing was seen" "$status $out" "^1 .*refuses 0 of 0 bad"

# A file by mistake, or a pipe that never ends, does not take all memory; nor does a user who makes
# up directories.
# shellcheck disable=SC2016 # for the shell in there
run timeout 60 bash -c 'ulimit -v 300000; { echo; tr "\0" x </dev/zero; } | "$0" suggest -' "$tool"
is "a line without end" "$status $out$err" "2 utf8guard: -: line 2 has more than 1048576 octets"
long=$(printf 'x%.0s' {1..4000})
name "/share/NUMBER$long" 1000 bidi >"$tap/events"
# shellcheck disable=SC2016 # for the shell in there
run timeout 100 bash -c 'ulimit -v 400000
	awk -v "line=$(cat "$1")" "BEGIN { for (i = 0; i < 30000; i++) { copy = line; sub(/NUMBER/, i, copy); print copy } }" |
	"$0" suggest -' "$tool" "$tap/events"
like "more directories than there is room for" "$status $out|$err" "^1 .*refuses [0-9]+ of [0-9]+ bad.*
# [0-9]+ others were not kept: there is room for 64 MiB of paths.*utf8guard: suggest: there is room for 64 MiB of paths; [0-9]+ that were seen were not kept\$"

packet 192.0.2.1 99999 overlong 0 >"$tap/events"
run "$tool" suggest "$tap/events"
unlike "a port that is none is not monitor's" "$out" "dport 99999"
done_testing
