# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced after lib.sh by the suites of the name check.
#
#   default MODE                  the mode of the default rule
#   rule DIR MODE                 the handle of a new subtree rule
#   open_to NAME DIR WAY...       with nothing loaded, a bad name can be made there
#                                 in each of the ways: it is not the file system,
#                                 nor the test, that refuses it later
#   covers NAME DIR WAY...        where a rule enforces, a bad name is refused and counted in
#                                 each of the ways, and a good one is made and not counted;
#                                 the errno is $errno, and $again refusals more are counted
#   start_nfs                     nfsd serves /tmp/export, which is mounted on /tmp/nfs3 and /tmp/nfs4

# The first is ill-formed, but made of letters for a file system that takes octets for Latin-1.
ill_formed='caf\xe9' well_formed='caf\xc3\xa9'

default() { must utf8guard fs set default "$1"; }
rule() { utf8guard -j fs add subtree "$1" "$2" | sed 's/.*"handle":\([0-9]*\).*/\1/'; }
open_to() { does "$1: nothing is loaded: a bad name is made" "all ok" make "$2" "$ill_formed" "${@:3}"; }
covers() {
	local before wanted=$(($# - 2 + ${again:-0}))
	before=$(number fs refused)
	does "$1: a bad name is refused" "all ${errno:-EILSEQ}" make "$2" "$ill_formed" "${@:3}"
	is "$1: each time that is counted" $(($(number fs refused) - before)) $wanted
	does "$1: a good name is made" "all ok" make "$2" "$well_formed" "${@:3}"
	is "$1: that is not counted" $(($(number fs refused) - before)) $wanted
}
start_nfs() {
	# rpcbind gives up its privileges to this user.
	user _rpc || return
	mkdir -p /run/rpcbind /run/sendsigs.omit.d /var/lib/nfs
	# As the scripts of the package leave them, without which exportfs of Debian 13 fails.
	touch /var/lib/nfs/etab /var/lib/nfs/rmtab
	modprobe -a nfs nfsd nfsv3 nfsv4
	mount -t nfsd nfsd /proc/fs/nfsd || return
	# Short times for the lease and for grace, or the first open waits for clients that come back.
	echo 10 >/proc/fs/nfsd/nfsv4leasetime
	echo 10 >/proc/fs/nfsd/nfsv4gracetime
	echo '/tmp/export 127.0.0.1(rw,no_root_squash,insecure,fsid=0)' >/etc/exports
	rpcbind && exportfs -a && rpc.mountd && rpc.nfsd 2 || return
	echo Y >/proc/fs/nfsd/v4_end_grace
	timeout 60 mount -t nfs -o vers=3,nolock,proto=tcp 127.0.0.1:/tmp/export /tmp/nfs3 &&
		timeout 60 mount -t nfs -o vers=4.2,proto=tcp 127.0.0.1:/ /tmp/nfs4
}
