#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What an administrator is told of rules for names. That the rule which explain names is the one
# that decides when a name is made, scopes.t shows.
#
# promise administrator by mistake: he is told of a rule that cannot do what it says: where names
#   are exempt, for an unknown type of file system, or covered by a mount
# shown by: a rule there is told at once
# shown by: a type that nobody knows
# shown by: what is mounted there covers it
# promise operator: explain says which rules are asked, which one decides and for whom, and what
#   becomes of a name
# shown by: a rule decides
# shown by: for a process
# shown by: for a user in it
# shown by: where the rule audits

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

if ! load service || ! load fs; then bail_out "the modules do not load"; fi
mkdir /tmp/d /tmp/cgroup
mount -t tmpfs tmpfs /tmp/d
mkdir -p /tmp/d/{point,share/a}
mount -t cgroup2 cgroup2 /tmp/cgroup
explain() { utf8guard fs show --explain "$@" | sed 's/ # handle [0-9]*//'; }
explains() { # NAME WANTED WORD...
	is "$1" "$(explain "${@:3}")" "$2"
}
judges() { # NAME STATUS WANTED WORD...: the verdict
	run utf8guard fs show --explain "${@:4}"
	is "$1" "$status $(tail -n 1 <<<"$out")" "$2 $3"
}
warns() { # NAME REGEX WORD...
	run utf8guard "${@:3}"
	like "$1" "$status $err" "^0 $2"
}

# Exempt file systems.
utf8guard fs set default enforce
explains "on proc, none decides" "fs set default enforce, exempt" /proc
judges "nor on a name" 0 "# exempt \$'\\xFF'" /proc name $'\xff'
like "in JSON" "$(utf8guard fs show --explain /proc -j)" '"decides":false.*"exempt":true'
is "and nothing is refused there" "$(mkdir /tmp/cgroup/$'\xff' 2>&1; rmdir /tmp/cgroup/$'\xff' 2>&1)" ""
warns "a rule there is told at once" '.*warning: names there are exempt' fs add subtree /proc/sys enforce
warns "one for a type, too" '.*warning: names there are exempt' fs add fstype sysfs enforce
warns "a whole file system" '.*warning: names there are exempt' fs add superblock /tmp/cgroup audit
is "and is shown so" "$(utf8guard fs | grep -c ', exempt$')" 3
warns "another one is not" '$' fs add fstype tmpfs audit
explains "which explain says, too" $'fs add subtree /proc/sys enforce, exempt\nfs set default enforce, exempt' /proc/sys/kernel

# Types of file systems.
utf8guard fs flush
warns "a type that nobody knows" '.*warning: neither the kernel nor its modules know' fs add fstype ext5 enforce
like "is shown so" "$(utf8guard fs)" 'fs add fstype ext5 enforce # handle [0-9]*, of an unknown type of file system'
warns "one whose module is not loaded is no mistake" '$' fs add fstype ocfs2 enforce
# In some kernels it is no module, and there is nothing to wait for.
built_in ocfs2 && waits='' || waits=', waiting for the module of its file system'
is "is shown so, too" "$(utf8guard fs | sed -n '/ocfs2/s/ # handle [0-9]*//p')" "fs add fstype ocfs2 enforce$waits"
warns "with a subtype" '$' fs add fstype tmpfs.any audit
utf8guard save >/tmp/saved
run utf8guard load /tmp/saved
like "a file with that is loaded, with a warning" "$status $err" '^0 .*warning: neither .* fs add fstype ext5 enforce'
run utf8guard load --strict /tmp/saved
is "but not strictly" "$status" 3

# What is mounted over a rule's directory.
utf8guard fs flush
utf8guard fs set default audit
utf8guard fs add subtree /tmp/d/point enforce
explains "a rule decides" $'fs add subtree /tmp/d/point enforce, decides\nfs set default audit' /tmp/d/point
mount -t tmpfs tmpfs /tmp/d/point
mkdir /tmp/d/point/below
like "what is mounted there covers it" "$(utf8guard fs)" 'fs add subtree /tmp/d/point enforce # handle [0-9]*, covered by the mount on /tmp/d/point'
explains "and it is not asked" $'fs set default audit, decides\nfs add subtree /tmp/d/point enforce, covered by the mount on /tmp/d/point' /tmp/d/point/below
umount /tmp/d/point
not_ok "it is not covered any more" grep -q covered <(utf8guard fs)
utf8guard fs add subtree /tmp/d enforce
mount -t tmpfs tmpfs /tmp/d/point
like "one for a directory above it does not reach it" "$(explain /tmp/d/point)" 'fs add subtree /tmp/d enforce, covered by the mount on /tmp/d/point'
umount /tmp/d/point
utf8guard fs del "$(utf8guard fs | sed -n 's|.* /tmp/d enforce # handle ||p')"

# As /tmp is a directory on a disk until Debian 12, and a tmpfs from Debian 13 on.
volume /tmp/d/disk || bail_out "no volume"
mkdir /tmp/d/disk/tmp
utf8guard fs add subtree /tmp/d/disk/tmp enforce
utf8guard save >/tmp/saved
checks() { # NAME STATUS REGEX
	run utf8guard check /tmp/saved
	like "$1" "$status $out" "^$2 UTF8GUARD $3 \\| rules=3 waiting=0 missing=0 other=0\$"
}
checks "a rule that was saved by its volume is in force" 0 "OK - .*: in force"
mount -t tmpfs tmpfs /tmp/d/disk/tmp
warns "what covers it now is told when it is loaded" \
	'.*/tmp/d/disk/tmp: warning: mounted over the directory of the rule.*: fs add subtree /tmp/d/disk/tmp volume .* enforce$' load /tmp/saved
checks "and by check" 1 "WARNING - .*: name check: 1 rule covered by a mount, see: utf8guard fs show"
warns "and when it is added" '.*/tmp/d/disk/tmp: warning: mounted over the directory of the rule' fs add \
	subtree /tmp/d/disk/tmp volume "$(sed -n 's/.* volume \([^ ]*\) .*/\1/p' /tmp/saved)" uid 1 enforce
umount /tmp/d/disk/tmp
umount /tmp/d/disk
utf8guard fs flush

mv /etc/fstab /tmp/fstab 2>/dev/null
echo "tmpfs /tmp/d/share tmpfs defaults 0 0" >/etc/fstab
warns "one that waits in fstab" '.*/tmp/d/share: warning: in /etc/fstab, but not mounted' fs add subtree /tmp/d/share/a audit
utf8guard save >/tmp/saved
warns "and is loaded" '.*/tmp/d/share: warning: in /etc/fstab, but not mounted: .*: fs add subtree /tmp/d/share/a audit' load /tmp/saved
rm /etc/fstab
mv /tmp/fstab /etc/fstab 2>/dev/null

# For whom: another process, its cgroup and its user.
utf8guard fs flush
mkdir /tmp/cgroup/guests
utf8guard fs add subtree /tmp/d cgroup /guests enforce
utf8guard fs add subtree /tmp/d uid 1000 enforce refuse control
sleep 1000 &
pid=$!
explains "for a process" $'fs add subtree /tmp/d uid 1000 enforce refuse control, not for this caller
fs add subtree /tmp/d cgroup /guests enforce, not for this caller
fs set default audit, decides' /tmp/d pid $pid
echo $pid >/tmp/cgroup/guests/cgroup.procs
like "in another cgroup" "$(explain /tmp/d pid $pid)" 'cgroup /guests enforce, decides'
like "for a cgroup" "$(explain /tmp/d cgroup /guests)" 'cgroup /guests enforce, decides'
like "for a user in it" "$(explain /tmp/d cgroup /guests uid 1000)" 'uid 1000 enforce refuse control, decides'
like "for a user" "$(explain /tmp/d uid 1000)" 'uid 1000 enforce refuse control, decides'
{ kill $pid && wait $pid; } 2>/dev/null
setpriv --reuid 1000 --clear-groups sleep 1000 &
pid=$!
is_theirs() { [ "$(stat -c %u /proc/$pid)" = 1000 ]; }
until_true 60 is_theirs
like "for another's process" "$(explain /tmp/d pid $pid)" 'uid 1000 enforce refuse control, decides'
like "whoever is said comes first" "$(explain /tmp/d pid $pid uid 7)" 'fs set default audit, decides'
{ kill $pid && wait $pid; } 2>/dev/null
run utf8guard fs show --explain /tmp/d pid 4194303
like "no such process" "$status $err" '^3 .*4194303: .*no process has this ID'
run utf8guard fs show --explain /tmp/d cgroup /nonesuch
like "no such cgroup" "$status $err" '^3 .*/nonesuch: .*no cgroup of version 2 has this path'

# A name.
judges "a good name" 0 "# passes good" /tmp/d uid 1000 name good
judges "a bad one" 1 "# refused \$'report\\xC0\\xAEexe':6: overlong: C0 AE" /tmp/d uid 1000 name $'report\xc0\xaeexe'
judges "of a class" 1 "# refused \$'a\\x01b':1: control: 01" /tmp/d uid 1000 name $'a\x01b'
judges "that another rule lets through" 0 "# passes \$'a\\x01b'" /tmp/d uid 7 name $'a\x01b'
judges "where the rule audits" 0 "# audited \$'\\xFF':0: header-bits: FF" /tmp/d uid 7 name $'\xff'
before=$(number fs checked)
utf8guard fs show --explain /tmp/d uid 1000 name $'\xff' >/dev/null
is "that is a question, and not counted" "$(number fs checked) $(number fs refused)" "$before 0"
like "in JSON" "$(utf8guard fs show --explain /tmp/d uid 1000 name $'\xff' -j)" '"decides":true,"outcome":"refused","class":"header-bits","offset":0,"length":1'
utf8guard fs add superblock /tmp/d enforce admin exempt
judges "an exempt administrator" 0 "# audited \$'\\xFF':0: header-bits: FF" /tmp/d name $'\xff'
judges "a thread of the kernel is none" 1 "# refused \$'\\xFF':0: header-bits: FF" /tmp/d pid 2 name $'\xff'
judges "and not another" 1 "# refused \$'\\xFF':0: header-bits: FF" /tmp/d uid 0 name $'\xff'
utf8guard fs flush
utf8guard fs set default off
judges "where nothing is judged" 0 "# passes \$'\\xFF'" /tmp/d name $'\xff'
run utf8guard fs show --explain /tmp/d name a/b
like "no name" "$status $err" '^2 .*a/b: not a file name'
umount /tmp/cgroup
umount /tmp/d
ok "unloads" unload utf8guard_fs utf8guard
done_testing
