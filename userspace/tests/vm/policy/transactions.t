#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Transactions on the rules of both families: what others see, which of several writers wins,
# what is left of a writer that dies, confirmation, locks.
#
# PARTS="race many" runs only these, to see one of them fail.
#
# promise administrator by mistake: a transaction takes effect as a whole or not at all, even if
#   its writer dies half way or memory runs out; a policy on trial that nobody confirms is taken back
# shown by: killed half way: nothing has changed
# shown by: starved: {name}: then nothing has changed
# shown by: not confirmed: the old rules are back
# promise root of a user namespace: he cannot keep other users of netlink waiting by what he asks for
# shown by: {where}: two changes in one datagram
# shown by: {where}: all rules twice
# shown by: crowd: some are refused
# promise administrator by mistake: rules that he has locked stay, and so do their modules
# shown by: locked: the rules are there
# shown by: a locked name check does not unload
# shown by: nor does a locked payload check

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

part() { # PART fs|nf [ARG...]
	[[ " ${PARTS-$1} " != *" $1 "* ]] || table transactions.py "$@"
}

load_all
ip link set lo up
mkdir -p /tmp/rules
mount -t tmpfs tmpfs /tmp/rules
for kind in fs nf; do
	for name in visibility order comments limits killed confirm counters reload equal mixture race \
		dropped; do
		part $name $kind
	done
done
part interrupted fs
part gone fs
part reaped fs
part locations fs
part ports nf
part datagrams nf host
by=(unshare --user --map-root-user --net)
part datagrams nf users
part crowd nf
by=()
part networks nf
ok "a module that makes allocations fail" insmod "$UTF8GUARD_MODULES/test/utf8guard_famine.ko"
for kind in fs nf; do
	part famine $kind
done
rmmod utf8guard_famine
part many fs 2000
part many nf 10000
part full nf

# A hook of netfilter that is full: it takes 1024 functions. tracked sends a datagram, and prints
# how many connections are tracked then.
tracked() {
	echo >/dev/udp/127.0.0.1/9
	cat /proc/sys/net/netfilter/nf_conntrack_count
}
for place in forward input; do
	{
		echo "add table ip many"
		seq -f "add chain ip many c%.0f { type filter hook $place priority 10; }" 1024
	} | nft -f - || bail_out "no $place hook is full"
	run utf8guard net add forward ip tcp dport 80 drop stream
	[ $place = forward ] && what="register the netfilter hook" || what="turn on connection tracking"
	is "$place is full: a rule for streams" "$status $err" \
		"3 utf8guard: refused by the kernel: cannot $what (Argument list too long)"
	nft delete table ip many
	is "and nothing is tracked for it" "$(tracked)" 0
done
ok "where there is room, there is one" utf8guard net add forward ip tcp dport 80 drop stream
is "for which there is tracking" "$(tracked)" 1
utf8guard net flush

# In namespaces of its own: what is left open goes with them.
by=(unshare --user --map-root-user --net)
part namespace nf

# Nothing holds a namespace whose processes have gone: its end of a link goes, and the other end with it.
must ip netns add left
must ip link add here type veth peer name eth0 netns left
by=(ip netns exec left)
part left nf
must ip netns del left
ok "a namespace with a transaction goes" until_true 60 [ ! -e /sys/class/net/here ]

for kind in fs nf; do
	by=(unshare --user --map-root-user)
	part powerless $kind
	by=(setpriv --reuid 65534 --regid 65534 --clear-groups)
	part powerless $kind
done
by=()

log_mark
python3 "$here/transactions.py" hold fs >/tmp/held &
until_true 60 grep -q held /tmp/held
like "a commit is one record" "$(log_since utf8guard-config)" \
	"act=fs-commit rule=0 generation=[0-9]+ rules=[0-9]+ confirm=600 .* res=1"
ok "the file system of the rules can be unmounted, whatever waits" umount /tmp/rules
ok "the name check unloads, whatever waits" unload utf8guard_fs
kill $!
python3 "$here/transactions.py" hold nf >/tmp/held &
until_true 60 grep -q held /tmp/held
ok "so does the payload check" unload utf8guard_nf
kill $!
ok "and the service" unload utf8guard

# At the end, for there is no way back.
load_all
for kind in fs nf; do
	part lock $kind
done
if [ -z "${PARTS+part of it}" ]; then
	not_ok "a locked name check does not unload" rmmod utf8guard_fs
	not_ok "nor does a locked payload check" rmmod utf8guard_nf
fi
done_testing
