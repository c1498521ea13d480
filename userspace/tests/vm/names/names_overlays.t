#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The name check and overlays. If a user mounts one in a user namespace of his own, over a lower
# layer full of bad names, its upper layer is a directory like any other. Of one that the host
# mounts, what is exempt is counted and told.
# vm: -p bindfs
#
# promise root of a user namespace: an overlay of his brings no bad name past a rule: its upper
#   layer is a directory like any other
# shown by: nothing is exempt
# shown by: nothing bad got into the upper layer
# shown by: a race: no bad name is made

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
# shellcheck source=userspace/tests/vm/names/names.sh
. "$here/names.sh"

if ! load service || ! load fs; then bail_out "the modules do not load"; fi
modprobe -a overlay fuse || bail_out "no overlays"
[ -e /dev/fuse ] || mknod /dev/fuse c 10 229
chmod 666 /dev/fuse
helper files.py
as_user() { setpriv --reuid 1000 --regid 1000 --clear-groups "$@"; }
volume /tmp/ext4 64M mkfs.ext4 -q -F -N 16384 || bail_out "no ext4 volume"
mkdir /tmp/own /tmp/o /tmp/fuse
mount -t tmpfs -o size=16M,mode=1777 tmpfs /tmp/own
chown 1000:1000 /tmp/o /tmp/fuse

# The lower layer: all the user's own, with names that the rules below refuse.
default off
mkdir /tmp/own/lower
for n in 1 2 3 4 5 6; do
	ask append "/tmp/own/lower/\\xe9$n" text
	ask append "/tmp/own/lower/bell\\x07$n" text
done
for n in d e; do
	ask mkdir "/tmp/own/lower/\\xe9$n"
	ask mkdir "/tmp/own/lower/bell\\x07$n"
done
chown -R 1000:1000 /tmp/own/lower

# Empty layers to write to; a rule for the directory above them stays.
fresh() {
	rm -rf /tmp/ext4/layers/*
	mkdir -p /tmp/ext4/layers/{upper,work} && chown 1000:1000 /tmp/ext4/layers/*
}
mkdir /tmp/ext4/layers

# What files.py answers, by lines, in an overlay of the user's in his own namespace.
private() { # tmpfs|fuse
	# shellcheck disable=SC2016 # for the inner shell
	as_user unshare -Urm bash -c '
		lower=/tmp/own/lower
		[ "$1" != fuse ] || { bindfs -r "$lower" /tmp/fuse && lower=/tmp/fuse; } || exit
		mount -t overlay -o "userxattr,lowerdir=$lower,upperdir=/tmp/ext4/layers/upper,workdir=/tmp/ext4/layers/work" \
			overlay /tmp/o && python3 "$2"' bash "$1" "$vm/files.py"
}

# What is tried with bad names: lines for files.py, in which %s stands for what a name begins with.
tried=(
	"chmod	/tmp/o/%s1" "append	/tmp/o/%s2	more" "open	/tmp/o/%s3" "unlink	/tmp/o/%s4"
	"rename	/tmp/o/%s5	/tmp/o/renamed" "link	/tmp/o/%s6	/tmp/o/linked"
	"create	/tmp/o/%sd/good" "rmdir	/tmp/o/%se"
)
in_private() { # NAME LOWER BEGINNING WANTED
	local answers=() i n=${#tried[@]}
	fresh
	# shellcheck disable=SC2059 # the words have the format
	readarray -t answers < <({
		for word in "${tried[@]}"; do printf "${word//\\/\\\\}\n" "${3//\\/\\}"; done
		printf 'read\t/tmp/o/%s2\n' "$3"
		printf 'create\t/tmp/o/%snew\n' "$3"
		printf 'make\t/tmp/o\tgood\tcreate\tmkdir\tsymlink\tlink\trename\n'
		printf 'names\t/tmp/ext4/layers/upper\n'
	} | private "$2" 2>&1)
	for ((i = 0; i < n; i++)); do
		is "$1: ${tried[i]%%$'\t'*}" "${answers[i]-}" "$4"
	done
	like "$1: it can be read" "${answers[n]-}" '^text'
	is "$1: a new one" "${answers[n + 1]-}" "$4"
	is "$1: good names" "${answers[n + 2]-}" "all ok"
	left=${answers[n + 3]-}
	[ "$4" = ok ] || is "$1: nothing bad got into the upper layer" "$left" ok
}

scoped() { # RULE...: nothing else is asked
	utf8guard fs flush
	default off
	for line; do
		# shellcheck disable=SC2086 # words
		utf8guard fs add $line || diag "no rule: $line"
	done
}
judged=$(number fs userns-overlay) exempt=$(number fs exempt)
scoped "subtree /tmp/ext4/layers enforce"
in_private "subtree" tmpfs '\xe9' EILSEQ
scoped "subtree /tmp/ext4/layers enforce profile safe"
in_private "subtree, profile safe" tmpfs 'bell\x07' EILSEQ
in_private "a lower layer on FUSE" fuse '\xe9' EILSEQ
scoped "superblock /tmp/ext4 enforce"
in_private "superblock" tmpfs '\xe9' EILSEQ
scoped "fstype ext4 enforce"
in_private "fstype" tmpfs '\xe9' EILSEQ
scoped "fstype ext4 uid 1000 enforce"
in_private "fstype, for the user" tmpfs '\xe9' EILSEQ
scoped "fstype overlay off" "fstype tmpfs off"
default enforce
in_private "the default, overlays off" tmpfs '\xe9' EILSEQ
ok "they are counted" [ "$(($(number fs userns-overlay) - judged))" -ge 63 ]
is "nothing is exempt" "$(number fs exempt)" "$exempt"

# Where the rule audits, copies are let through and told of; where it is off, only let through.
default audit
audited=$(number fs audited)
log_mark
in_private "audited" tmpfs '\xe9' ok
like "audited: the names are there" "$left" '\\xe91 \\xe92 \\xe93 \\xe94'
ok "audited: and counted" [ "$(($(number fs audited) - audited))" -ge 8 ]
record=$(log_since 'op=utf8guard-name' 8)
like "audited: copies are told of" "$record" "act=(rename|link) outcome=audited rule=1 .* fstype=ext4 .*name=e931 .* uid=1000 "
unlike "audited: as names of anybody's" "$record" "exempt="
scoped "subtree /tmp/ext4/layers off"
default enforce
utf8guard fs add fstype overlay off
in_private "a subtree that is off" tmpfs '\xe9' ok

# Overlays of the host: their own work is exempt, counted, and told of once each.
utf8guard fs flush
mount_host() { # NAME [OPTIONS]
	mkdir -p "/tmp/ext4/$1/upper" "/tmp/ext4/$1/work" "/tmp/$1"
	mount -t overlay -o "lowerdir=/tmp/own/lower,upperdir=/tmp/ext4/$1/upper,workdir=/tmp/ext4/$1/work$2" \
		overlay "/tmp/$1"
}
ok "the host mounts one" mount_host first
ok "and another" mount_host second
default enforce
exempt=$(number fs exempt-overlay) refused=$(number fs refused) judged=$(number fs userns-overlay)
log_mark
does "host: a name is copied up" ok chmod '/tmp/first/\xe91'
like "host: the first is told of" "$(log_since op=utf8guard-name)" \
	'outcome=audited rule=1 .*scope=default fstype=ext4 .*name=e931 .*exempt=overlay .* res=1'
ok "host: it is counted" [ "$(number fs exempt-overlay)" -gt "$exempt" ]
log_mark
does "host: another" ok chmod '/tmp/first/\xe92'
does "host: a whiteout" ok unlink '/tmp/first/\xe93'
ok "host: they are not told of" [ -z "$(log_since op=utf8guard-name)" ]
ok "host: but counted" [ "$(number fs exempt-overlay)" -ge $((exempt + 3)) ]
log_mark
does "host: in another overlay" ok chmod '/tmp/second/\xe91'
like "host: the first is told of" "$(log_since op=utf8guard-name)" 'name=e931 .*exempt=overlay'
is "host: nothing was refused" "$(number fs refused)" "$refused"
is "host: nothing is judged as a user's" "$(number fs userns-overlay)" "$judged"
umount /tmp/second
rm -r /tmp/ext4/second
ok "a third, where a rule is off" mount_host third
scoped
log_mark
does "off: a name is copied up" ok chmod '/tmp/third/\xe91'
ok "off: nobody is told" [ -z "$(log_since op=utf8guard-name)" ]
like "show tells the numbers" "$(utf8guard show)" 'overlays: exempt [1-9][0-9]*, judged in user namespaces [1-9]'
like "so does Prometheus" "$(utf8guard stats --prometheus)" 'utf8guard_fs_exempt_overlay_total [1-9]'

# "fstype overlay off" on a host with containers: names are free in what the host mounted.
scoped "fstype overlay off"
default enforce
does "host: overlays off: a new bad name" ok create '/tmp/first/\xff'
does "host: overlays off: not beside the layer" EILSEQ create '/tmp/ext4/\xff'
# A rule for the location of the layer is asked, however deep the file is that is renamed.
utf8guard fs add subtree /tmp/ext4/first enforce
does "host: a rule for the layer" EILSEQ create '/tmp/first/\xfe'
does "host: a directory deeper than the walk upwards" ok deep /tmp/first/deep 4200 leaf
does "host: a name out of it is new" EILSEQ undeep /tmp/first/deep 4200 leaf '/tmp/first/\xfd'
does "host: a good one" ok undeep /tmp/first/deep 4200 leaf /tmp/first/leaf
# A user's own overlay inside the upper directory of the host's makes no layer of what is his.
his=/tmp/ext4/first/upper/his
mkdir -m 1777 /tmp/first/his
as_user mkdir /tmp/first/his/{up,work,merged}
as_user touch /tmp/first/his/up/{plain,other}
as_user unshare -Urm sh -c "mount -t overlay -o userxattr,lowerdir=/tmp/own/lower,upperdir=$his/up,workdir=$his/work overlay $his/merged &&
	echo mounted && exec sleep 600" >"$tap/his" 2>&1 &
ok "a user mounts one inside" until_true 60 grep -q mounted "$tap/his"
exempt=$(number fs exempt-overlay)
does "host: a name out of it is new" EILSEQ rename /tmp/first/his/up/plain '/tmp/first/his/\xfc'
is "host: and not exempt" "$(number fs exempt-overlay)" "$exempt"
kill $!
does "host: a good one, out of it" ok rename /tmp/first/his/up/other /tmp/first/his/other

# Nor does one above the upper directories of the host's: he need not be allowed to write to his upper directory.
mkdir -p /tmp/ext4/{above,late/upper,beside/work}
chown 1000:1000 /tmp/ext4/beside/work
options=userxattr,lowerdir=/tmp/own/lower,workdir=/tmp/ext4/beside/work,upperdir=
marks() { # DIRECTORY: until spares
	touch /tmp/own/hold
	as_user unshare -Urm sh -c "mount -t overlay -o $options$1 overlay /tmp/o && echo mounted
		while [ -e /tmp/own/hold ]; do sleep 0.2; done" >"$tap/marks" 2>&1 &
	marker=$!
	until_true 60 grep -q mounted "$tap/marks"
}
spares() { rm /tmp/own/hold && wait "$marker"; }
ok "above: the host mounts one" mount_host above/one
ok "above: and another" mount_host above/two
utf8guard fs add subtree /tmp/ext4/above enforce
touch /tmp/above/one/{a,b}
ok "above: a user mounts one" marks /tmp/ext4/above
exempt=$(number fs exempt-overlay)
log_mark
does "above: a name is copied up" ok chmod '/tmp/above/one/\xe91'
like "above: it is told of" "$(log_since op=utf8guard-name)" 'name=e931 .*exempt=overlay'
does "above: another is renamed" ok rename '/tmp/above/one/\xe92' /tmp/above/one/renamed
does "above: a whiteout" ok unlink '/tmp/above/one/\xe93'
does "above: and over it, again" ok create '/tmp/above/one/\xe93'
log_mark
does "above: in another overlay" ok chmod '/tmp/above/two/\xe91'
like "above: its first is told of" "$(log_since op=utf8guard-name)" 'name=e931 .*exempt=overlay'
ok "above: all are exempt" [ "$(number fs exempt-overlay)" -ge $((exempt + 5)) ]
exempt=$(number fs exempt-overlay)
does "above: a new name" EILSEQ create '/tmp/above/one/\xff'
does "above: one by a rename" EILSEQ rename /tmp/above/one/a '/tmp/above/one/\xff'
does "above: one by a link" EILSEQ link /tmp/above/one/a '/tmp/above/one/\xff'
is "above: new names are not exempt" "$(number fs exempt-overlay)" "$exempt"
spares

# One of the host inside the upper directory of another.
ok "inside: the host mounts one" mount_host above/one/upper/inside
does "inside: a name is copied up" ok chmod '/tmp/above/one/upper/inside/\xe91'
does "inside: a new name" EILSEQ create '/tmp/above/one/upper/inside/\xff'

# He mounts and unmounts while he renames.
exempt=$(number fs exempt-overlay)
touch /tmp/own/hold
as_user unshare -Urm python3 -c '
import ctypes, os, sys
libc = ctypes.CDLL(None)
while os.path.exists("/tmp/own/hold"):
    libc.mount(b"overlay", b"/tmp/o", b"overlay", 0, sys.argv[1].encode())
    libc.umount2(b"/tmp/o", 0)
' ${options}/tmp/ext4/above &
marker=$!
# shellcheck disable=SC2028 # files.py reads the escapes
rename=$(printf 'rename\t/tmp/above/one/b\t/tmp/above/one/\\xfe')
is "a race: no bad name is made" "$(yes "$rename" | timeout 8 python3 "$vm/files.py" | sort -u)" EILSEQ
is "a race: nor exempt" "$(number fs exempt-overlay)" "$exempt"
spares

# The upper directory itself: the mark is his, and goes with his overlay.
ok "the same: a user mounts one" marks /tmp/ext4/late/upper
ok "the same: then the host" mount_host late
utf8guard fs add subtree /tmp/ext4/late enforce
spares
does "the same: a name is copied up" ok chmod '/tmp/late/\xe91'
does "the same: a whiteout" ok unlink '/tmp/late/\xe93'
does "the same: a new name" EILSEQ create '/tmp/late/\xff'

# A directory takes the place of a whiteout by an exchange, of which the overlay makes a rename onto.
utf8guard fs flush
utf8guard fs add fstype overlay off
utf8guard fs add subtree /tmp/ext4/first enforce onto judge
mkdir /tmp/first/{one,two}
does "host: a directory onto a whiteout" EILSEQ rename /tmp/first/one '/tmp/first/\xe93'
utf8guard fs del subtree /tmp/ext4/first enforce onto judge
utf8guard fs add subtree /tmp/ext4/first enforce
exempt=$(number fs exempt-overlay)
does "host: where a rename onto a name is not judged" ok rename /tmp/first/one '/tmp/first/\xe93'
is "host: it is exempt, and counted" "$(number fs exempt-overlay)" $((exempt + 1))
does "host: another whiteout" ok unlink '/tmp/first/\xe92'
exempt=$(number fs exempt-overlay)
does "host: a file" ok create /tmp/first/file
does "host: onto the whiteout" ok rename /tmp/first/file '/tmp/first/\xe92'
is "host: is counted, too" "$(number fs exempt-overlay)" $((exempt + 1))
does "host: a file over it, of the same name" ok create /tmp/first/file
does "host: onto a name that is there" ok rename /tmp/first/file '/tmp/first/\xe92'
is "host: is nothing new" "$(number fs exempt-overlay)" $((exempt + 1))
does "host: a user's own exchange" ok exchange /tmp/first/two '/tmp/first/\xe93'
utf8guard fs del subtree /tmp/ext4/first enforce
utf8guard fs add subtree /tmp/ext4/first enforce onto judge
does "host: it makes no name, so \"onto judge\" does not judge it" ok exchange /tmp/first/two '/tmp/first/\xe93'
does "host: nor the other way round" ok exchange '/tmp/first/\xe93' /tmp/first/two

# A file with several names is copied up into an index, and linked from there to each of its names.
default off
ask append /tmp/own/lower/one text
for name in '\xe97' '\xe98' linked; do
	ask link /tmp/own/lower/one "/tmp/own/lower/$name"
done
ok "a fourth, with an index" mount_host fourth ,index=on
default enforce
utf8guard fs add subtree /tmp/ext4/fourth enforce
exempt=$(number fs exempt-overlay)
does "index: a name is copied up" ok chmod '/tmp/fourth/\xe97'
does "index: and another of the same file" ok chmod '/tmp/fourth/\xe98'
ok "index: both are exempt" [ "$(number fs exempt-overlay)" -ge $((exempt + 2)) ]
exempt=$(number fs exempt-overlay)
does "index: a new name of it" EILSEQ link /tmp/fourth/linked '/tmp/fourth/\xfb'
does "index: a good one" ok link /tmp/fourth/linked /tmp/fourth/another
is "index: new names are not exempt" "$(number fs exempt-overlay)" "$exempt"
is "no name was missed" "$(number fs missed)" 0
done_testing
