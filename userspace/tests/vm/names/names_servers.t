#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The name check and the kernel's own servers: nfsd, by versions 3 and 4, and
# ksmbd, with real clients. A server is a thread of the kernel; it answers a bad
# name with EINVAL, for it knows no EILSEQ, and the kernel warns of nothing.
# vm: -p nfs-kernel-server,ksmbd-tools,smbclient
#
#   client: /tmp/nfs3, /tmp/nfs4, smbclient -- lo -- nfsd, ksmbd: /tmp/export
#
# Client and server are one kernel: only what is below /tmp/export is enforced.
#
# promise client of a server: names by NFS and SMB are judged like a user's
# shown by: a bad name is refused
# shown by: ksmbd: none of these is made, the others renamed away and deleted
# promise client of a server: however many users he says that he is, he keeps no refusal of others
#   from being reported
# shown by: many users of a client: it is told of

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
# shellcheck source=userspace/tests/vm/names/names.sh
. "$here/names.sh"

ways=(create open creat file mkdir rename fifo device socket bind symlink link
	ring-create ring-mkdir ring-symlink ring-link ring-rename)
volume /tmp/export || bail_out "no ext4 volume"
mkdir /tmp/nfs3 /tmp/nfs4 /tmp/export/smb
chmod 777 /tmp/export/smb

helper files.py
ok "nfsd serves" start_nfs || bail_out "no nfsd"
for dir in /tmp/nfs3 /tmp/nfs4; do
	open_to "${dir##*/}" $dir "${ways[@]}"
done
if ! load service || ! load fs; then bail_out "the modules do not load"; fi
default off
export_rule=$(rule /tmp/export enforce)
for dir in /tmp/nfs3 /tmp/nfs4; do
	# The client of NFS 4.1 takes the first EINVAL for a fault of its own, and
	# asks again in another way.
	[ $dir = /tmp/nfs4 ] && again=1 || again=0
	errno=EINVAL covers "${dir##*/}" $dir "${ways[@]}"
done
# There are thirty records a second: a fast machine has just made as many.
sleep 1
log_mark
does "nfs4: the server's refusal" EINVAL mkdir '/tmp/nfs4/caf\xe9'
like "is told as the server's" "$(log_since op=utf8guard-name)" 'act=mkdir outcome=refused .*comm="?nfsd'
utf8guard fs del "$export_rule"
does "nfs3: where nothing is enforced, a bad name is made" ok create '/tmp/nfs3/\xff'
does "nfs4: and shown, and used" ok append '/tmp/nfs4/\xff' text
export_rule=$(rule /tmp/export enforce)
does "nfs4: an existing bad name is still used" text read '/tmp/nfs4/\xff'
does "nfs3: renamed away" ok rename '/tmp/nfs3/\xff' /tmp/nfs3/good
does "nfs4: and deleted" ok unlink /tmp/nfs4/good

# A client renames an open file away before it gives its name to another, which is new to the server then.
replaced() { # VERSION
	local client=/tmp/$1/onto.$1 server=/tmp/export/onto.$1
	utf8guard fs del "$export_rule"
	ask mkdir "$server"
	for name in '\xff' first second; do ask create "$server/$name"; done
	export_rule=$(rule /tmp/export enforce)
	does "$1: a rename onto a bad name that is there" ok rename "$client/first" "$client/\xff"
	exec 8<"$client"/$'\xff'
	does "$1: one that the client has open is new, as documented" EINVAL \
		rename "$client/second" "$client/\xff"
	ask names "$server"
	like "$1: it has become another" "$answer" '^\.nfs[0-9a-f]+ second$'
	exec 8<&-
	only_second() { ask names "$server" && [ "$answer" = second ]; }
	ok "$1: and goes when it is closed" until_true 60 only_second
}
replaced nfs3
replaced nfs4
default enforce
does "the client's own kernel is asked first" EILSEQ mkdir '/tmp/nfs4/\xff'
default off

# A client is no administrator, whatever the server's thread may do.
utf8guard fs del "$export_rule"
chmod 777 /tmp/export
must utf8guard fs add subtree /tmp/export enforce admin exempt
for dir in /tmp/nfs3 /tmp/nfs4; do
	like "${dir##*/}: admin exempt: a user of a client" \
		"$(setpriv --reuid 1000 --clear-groups touch $dir/$'a\xff' 2>&1)" 'Invalid argument'
done
does "admin exempt: root of the server" ok create '/tmp/export/\xff'
does "nfs3: admin exempt: root of a client" EINVAL create '/tmp/nfs3/b\xff'
does "and his name goes" ok unlink '/tmp/export/\xff'
utf8guard fs del subtree /tmp/export enforce admin exempt
export_rule=$(rule /tmp/export enforce)

# A client says itself which user it is: however many, they take 10 reports a second of the 30.
source_limits 10
sleep 2
log_mark
seconds=$(python3 - <<-'END'
	import os, time
	began = time.monotonic()
	for uid in range(2000, 2100):
	    os.seteuid(uid)
	    try:
	        os.mkdir(b"/tmp/nfs3/\xff")
	    except OSError:
	        pass
	    os.seteuid(0)
	print(int(time.monotonic() - began) + 2)
END
)
does "many users of a client: the host's own" EILSEQ mkdir '/tmp/export/\xfe'
like "many users of a client: it is told of" "$(log_since 'op=utf8guard-name.*name=fe')" 'outcome=refused'
told=$(log_after_mark | grep -ac 'op=utf8guard-name .*comm="nfsd"')
ok "many users of a client: $told are told of, in $seconds seconds" \
	[ "$told" -ge 1 -a "$told" -le $((10 * seconds)) ]
source_limits 30

# If a server does not answer, the tool waits no longer than five seconds.
for dir in /tmp/nfs3 /tmp/nfs4; do
	must nft add table ip dead '{ chain silent {
		type filter hook input priority 0; tcp dport 2049 drop; }; }'
	run utf8guard fs add subtree $dir/never-looked-up enforce
	like "${dir##*/}: silent: a rule is refused" "$err" "^utf8guard: .*$dir/never-looked-up: no answer within five seconds"
	like "${dir##*/}: silent: other rules are shown" "$(timeout 60 utf8guard fs)" \
		'fs add subtree /tmp/export enforce '
	must nft delete table ip dead
	does "${dir##*/}: it answers again" ok mkdir "$dir/answered"
	ok "${dir##*/}: and a rule is taken" utf8guard fs add subtree $dir/answered audit
	must utf8guard fs del "$(utf8guard fs | sed -n "s|^fs add subtree $dir/answered audit # handle \([0-9]*\).*|\1|p")"
	must rmdir $dir/answered
done

# SMB carries code points: nothing ill-formed comes by it, unless the server has
# to take them for Latin-1, as ksmbd does when it has no nls_utf8.
smb() { # COMMAND: what the client says of it
	until_true 60 answered "$1"
	printf '%s\n' "$said"
}
# ksmbd waits two seconds for its daemon in user space. If that is late, it refuses the client,
# which has done nothing then.
answered() {
	said=$(smbclient -N -g -m SMB3 //127.0.0.1/share -c "$1" 2>&1)
	[[ $said = *BAD_NETWORK_NAME* || ! $said =~ (session\ setup|tree\ connect)\ failed ]]
}
start_smb() { # with "map to guest", any name of a user will do
	modprobe ksmbd || return
	cat >"$tap/ksmbd.conf" <<-END
		[global]
		map to guest = bad user
		[share]
		path = /tmp/export/smb
		guest ok = yes
		read only = no
	END
	: >"$tap/users"
	# The options of Debian 13's ksmbd-tools have other letters.
	if ksmbd.mountd --help 2>&1 | grep -q -e '-C CONF'; then
		ksmbd.mountd -C "$tap/ksmbd.conf" -P "$tap/users"
	else
		ksmbd.mountd -c "$tap/ksmbd.conf" -u "$tap/users"
	fi && until_true 60 listens
}
listens() { ss -Htln 'sport = :445' | grep -q .; }

names() { (cd /tmp/export/smb && echo *) | iconv -f "${1-utf8}"; }
three='mkdir café; put /etc/hostname thé; rename plain pâté'
smb_in_latin1() {
	smb "$three" >/dev/null
	[ ! -e "/tmp/export/smb/café" ] || { skip 5 "nls_utf8 is part of this kernel"; return; }
	is "ksmbd: nothing is enforced: names in Latin-1 are made" "$(names latin1)" "café pâté thé"
	smb 'rmdir café; rm thé; rename pâté plain' >/dev/null
	export_rule=$(rule /tmp/export enforce)
	refused=$(number fs refused)
	run smb "$three"
	is "ksmbd: none of these is made, the others renamed away and deleted" "$(names)" plain
	is "ksmbd: three are counted" $(($(number fs refused) - refused)) 3
	like "ksmbd: the client is told" "$out" "NT_STATUS_INVALID_PARAMETER making remote directory .*café"
	is "ksmbd: each time" "$(grep -c NT_STATUS_ <<<"$out")" 3
	utf8guard fs del "$export_rule"
}
smb_in_utf8() {
	rm -rf /tmp/export/smb/*
	touch /tmp/export/smb/plain
	export_rule=$(rule /tmp/export enforce)
	refused=$(number fs refused) checked=$(number fs checked)
	run smb "$three"
	is "ksmbd: good names are made" "$(names)" "café pâté thé"
	ok "ksmbd: after they were looked at" [ $(($(number fs checked) - checked)) -ge 3 ]
	is "ksmbd: nothing is counted" "$(number fs refused)" "$refused"
}

touch /tmp/export/smb/plain
echo 'install nls_utf8 /bin/false' >/etc/modprobe.d/no-utf8.conf
rmmod nls_utf8 2>/dev/null
ok "ksmbd serves" start_smb
utf8guard fs del "$export_rule"
if [[ $KERNEL = 6.1.* && $(smb ls) = *BAD_NETWORK_NAME* ]]; then
	skip 8 "this ksmbd does not understand ksmbd-tools before 3.5.2"
else
	smb_in_latin1
	rm /etc/modprobe.d/no-utf8.conf
	modprobe nls_utf8
	smb_in_utf8
fi

is "no name was missed" "$(number fs missed)" 0
done_testing
