#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The payload check for existing firewalls, as an administrator uses it by their own programs: the
# match of iptables and ip6tables, with both back ends, and the helper for nft.
#
# promise remote peer: what a rule of iptables, ip6tables or nft's helper drops does not arrive,
#   and good text does
# shown by: good UTF-8 is delivered
# shown by: C0 AE is dropped
# shown by: fragments: bad in a later one
# promise administrator by mistake: whatever set of classes a rule has, what iptables saves of it
#   restores as the same
# shown by: restores that
# shown by: and saves the same
# promise operator: the module of a front end does not unload under a rule that uses it
# shown by: the module is in use
# shown by: nft: the helper is in use
# promise administrator by mistake: without the module, the firewall stays in force if the rules that
#   need it are kept as the manual pages say
# shown by: absent: the firewall is in force all the same
# shown by: nft: absent: the firewall is in force all the same

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

top=$(readlink -f "$here/../../../..")
extensions=$(pkg-config --variable=xtlibdir xtables 2>/dev/null) || :
[ -e "$top/build/libxt_utf8.so" ] || skip_all "built without libxtables-dev"
for program in iptables-legacy iptables-nft nft; do
	command -v $program >/dev/null || skip_all "no $program"
done
export XTABLES_LIBDIR=$top/build:$extensions

if ! load service || ! load nf || ! load xt; then
	bail_out "the modules do not load"
fi
# Helpers of a program, as conntrackd has them, for all that ours is for.
cat >"$tap/helpers.py" <<'END'
import socket, struct
from genetlink import NLM_F_ACK, NLM_F_REQUEST, attribute
NETLINK_NETFILTER, NFNL_MSG_CTHELPER_NEW, NLM_F_CREATE = 12, 9 << 8, 0x400
NAME, TUPLE, POLICY, PRIV_DATA_LEN = 1, 2, 4, 5
TUPLE_L3PROTONUM, TUPLE_L4PROTONUM = 1, 2
POLICY_SET_NUM, POLICY_SET1 = 1, 2
POLICY_NAME, POLICY_EXPECT_MAX, POLICY_EXPECT_TIMEOUT = 1, 2, 3
s = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_NETFILTER)
number = lambda kind, value: attribute(kind, struct.pack(">I", value))
policy = attribute(POLICY_NAME, b"rpc\0") + number(POLICY_EXPECT_MAX, 1) + number(POLICY_EXPECT_TIMEOUT, 60)
for family in socket.AF_INET, socket.AF_INET6:
    for protocol in socket.IPPROTO_TCP, socket.IPPROTO_UDP:
        body = bytes(4) + attribute(NAME, b"rpc\0") + attribute(
            TUPLE, attribute(TUPLE_L3PROTONUM, struct.pack(">H", family)) +
            attribute(TUPLE_L4PROTONUM, bytes([protocol]))) + attribute(
            POLICY, number(POLICY_SET_NUM, 1) + attribute(POLICY_SET1, policy)) + number(PRIV_DATA_LEN, 0)
        s.send(struct.pack("=IHHII", 16 + len(body), NFNL_MSG_CTHELPER_NEW,
                           NLM_F_REQUEST | NLM_F_ACK | NLM_F_CREATE, 0, 0) + body)
        error, = struct.unpack_from("=i", s.recv(65536), 16)
        assert not error, error
END
if modprobe nfnetlink_cthelper; then
	must python3 "$tap/helpers.py"
fi
ok "nft: the helper loads, whatever helpers programs have" load helper
modprobe veth

# client -- server, where the rules are; "-" is the namespace of this program.
namespace client server
ip -n client link add eth0 type veth peer name eth0 netns server
for ns in client:1 server:2; do
	ip -n ${ns%:*} addr add 10.0.0.${ns#*:}/24 dev eth0
	ip -n ${ns%:*} addr add fd00::${ns#*:}/64 dev eth0 nodad
	ip -n ${ns%:*} link set eth0 up
done

at() { within "$@"; }
does() { # NAME WANTED WORD...
	ask "${@:3}"
	is "$1" "$answer" "$2"
}
good='na\xc3\xafve \xe6\x97\xa5\xe6\x9c\xac \xf0\x9f\x90\xa7' bad='a/..\xc0\xaf..' dot='\xc0\xae'
helper packets.py
manual() { # PAGE SCRIPT: what sed makes of its manual page
	sed -n "$2" "$top/userspace/man/$1.8"
}
examples() { # PAGE: of its manual page
	manual "$1" '/^\.Sh EXAMPLES/,/^\.Sh [^E]/{/^\.Bd -literal/,/^\.Ed/{//!p}}'
}
# A firewall in one file and rules that need the module in another one: the second command, as the
# manual page has it for a unit of systemd.
apart() { # PAGE
	local command
	command=$(manual "$1" 's,^ExecStart=-/usr/sbin/,,p')
	at server bash -c "${command/iptables/$ipt}" 2>"$tap/why"
}

server() { # PROGRAM: the address for its family
	[[ $1 = ip6* ]] && echo fd00::2 || echo 10.0.0.2
}
# The rules of the chain INPUT there, instead of those before.
ipt=iptables-nft
rules() { # RULE...
	local rule
	at server $ipt -F INPUT
	for rule; do
		# shellcheck disable=SC2086 # words of a rule
		must at server $ipt -A INPUT $rule
	done
}
# Packets counted by the rules of a chain, separated by spaces.
counts() { # [TABLE [CHAIN]]
	at server $ipt -t "${1:-filter}" -vnxL "${2:-INPUT}" | awk 'NR > 2 { print $1 }' | paste -sd ' '
}
unreadable_alone() { [ "$(counts)" = "0 0 1" ]; }

for ipt in iptables-legacy iptables-nft ip6tables-legacy ip6tables-nft; do
	to=$(server $ipt)
	# One class a rule, and a count; each datagram is seen by all of them.
	rules "-p udp --dport 9000 -m utf8" "-p udp -m utf8 ! --utf8-class ill-formed,valid" \
		"-p udp -m utf8 --utf8-class overlong -j DROP" "-p udp -m utf8 --utf8-class truncated -j DROP"
	does "$ipt: good UTF-8 is delivered" delivered udp client server "$to" 9000 "$good"
	does "$ipt: C0 AE is dropped" dropped udp client server "$to" 9000 "$dot"
	does "$ipt: a datagram that ends in a character is dropped" dropped \
		udp client server "$to" 9000 'caf\xc3'
	does "$ipt: what is of another class is delivered" delivered udp client server "$to" 9000 '\xed\xa0\x80'
	is "$ipt: each was counted where it belongs" "$(counts)" "3 0 1 1"

	rules "-p tcp --dport 9000 -m utf8 -j DROP"
	does "$ipt: tcp: good UTF-8 is delivered" delivered tcp client server "$to" 9000 delivered "$good"
	does "$ipt: tcp: C0 AE is dropped" dropped tcp client server "$to" 9000 dropped "$good" "$dot"
	does "$ipt: tcp: a character split by segments is delivered" delivered \
		tcp client server "$to" 9000 delivered 'a\xf0' '\x9f\x90' '\xa7b'
	does "$ipt: tcp: another port is not looked at" delivered tcp client server "$to" 9001 delivered "$bad"
	rules "-p tcp -m utf8 --utf8-class split -j DROP"
	does "$ipt: split: a whole character is delivered" delivered tcp client server "$to" 9000 delivered "$good"
	does "$ipt: split: ill-formed text is, too" delivered tcp client server "$to" 9000 delivered "$bad"
	does "$ipt: split: a character that is split is dropped" dropped tcp client server "$to" 9000 dropped 'a\xf0'
	rules "-p tcp -m utf8 ! --utf8-class valid,split -j DROP"
	does "$ipt: not valid: a connection can be made" delivered tcp client server "$to" 9000 delivered "$good" 'a\xf0'
	does "$ipt: not valid: ill-formed text is dropped" dropped tcp client server "$to" 9000 dropped "$bad"

	# A header of TCP that is longer than the packet: where the payload is, nobody knows.
	rules "-p tcp -m utf8" "-p tcp -m utf8 --utf8-class valid,split" "-p tcp -m utf8 --utf8-class unreadable -j DROP"
	does "$ipt: a header longer than its packet is sent" sent raw client "$to" 6 '4*\x00+8*\x00+\xf0+7*\x00'
	ok "$ipt: it is unreadable, and nothing else" until_true 60 unreadable_alone

	# The table raw. While there is a rule with it, the match has fragments put together before that
	# table; nothing else does so here.
	tables=(at server "$ipt" -t raw)
	fragment=(-f)
	[[ $ipt != ip6* ]] || fragment=(-m frag --fragid 0:4294967295)
	"${tables[@]}" -A PREROUTING "${fragment[@]}"
	"${tables[@]}" -A PREROUTING -p udp --dport 9000 -m utf8 -j DROP
	rules
	does "$ipt: fragments: good" delivered udp client server "$to" 9000 '1+1000*\xe6\x97\xa5'
	does "$ipt: fragments: bad in a later one" dropped udp client server "$to" 9000 '1500*a+\xc0\xaf+1500*b'
	is "$ipt: fragments: none was seen by raw's PREROUTING" "$(counts raw PREROUTING)" "0 1"
	"${tables[@]}" -D PREROUTING 2
	"${tables[@]}" -Z
	does "$ipt: fragments: without the match, bad is delivered" delivered \
		udp client server "$to" 9000 '1500*a+\xc0\xaf+1500*b'
	like "$ipt: fragments: and they are seen again" "$(counts raw PREROUTING)" '^[1-9][0-9]*$'
	"${tables[@]}" -F
	rules
done

# A tunnel whose packets come in fragments, and what comes out of it, too: a list in a list.
tunnel() { # NS NUMBER OTHER
	ip -n "$1" link add vx type vxlan id 1 local "10.0.0.$2" remote "10.0.0.$3" dstport 4789 &&
		ip -n "$1" addr add "10.9.0.$2/32" dev vx &&
		ip -n "$1" link set vx mtu 1500 up &&
		# Locked, or the kernel makes the fragments fit from the second datagram on.
		ip -n "$1" route add "10.9.0.$3/32" dev vx mtu lock 1500
}
tunnels=
if modprobe vxlan 2>/dev/null; then
	tunnels=yes
	must tunnel client 1 2
	must tunnel server 2 1
	ipt=iptables-nft
	rules "-p udp --dport 9000 -m utf8 --utf8-class unreadable" \
		"-p udp --dport 9000 -m utf8 ! --utf8-class valid,unreadable -j DROP"
	does "fragments in fragments: good" delivered udp client server 10.9.0.2 9000 '1+1000*\xe6\x97\xa5'
	does "fragments in fragments: bad" delivered udp client server 10.9.0.2 9000 '1450*a+\xc0\xaf+1500*b'
	is "fragments in fragments: neither could be read" "$(counts)" "2 0"
	rules
else
	skip 3 "this kernel has no vxlan"
fi

# What a host sends to itself, where connections are tracked. IPv6 fragments belong to their
# connection when they arrive, so nobody puts them together before INPUT.
must ip -n server link set lo mtu 1500
good_fragments='1+1000*\xe6\x97\xa5' bad_fragments='1500*a+\xc0\xaf+1500*b'
tracked="-m conntrack --ctstate INVALID" dropping="-p udp --dport 9000 -m utf8 -j DROP"
for ipt in iptables-legacy iptables-nft; do
	rules "$tracked" "$dropping"
	does "$ipt: own fragments: INPUT sees the whole" dropped udp server server 10.0.0.2 9000 "$bad_fragments"
	rules
done
for ipt in ip6tables-legacy ip6tables-nft; do
	rules "$tracked" "$dropping"
	does "$ipt: own fragments: bad in a later one passes INPUT" delivered \
		udp server server fd00::2 9000 "$bad_fragments"
	does "$ipt: own fragments: to a group, too" delivered group server eth0 ff02::1234 9000 "$bad_fragments"
	# shellcheck disable=SC2086 # words of a rule
	must at server $ipt -A OUTPUT $dropping
	does "$ipt: own fragments: good passes OUTPUT" delivered udp server server fd00::2 9000 "$good_fragments"
	does "$ipt: own fragments: bad is refused by OUTPUT" refused udp server server fd00::2 9000 "$bad_fragments"
	does "$ipt: own fragments: to a group, too, by OUTPUT" refused group server eth0 ff02::1234 9000 "$bad_fragments"
	must at server $ipt -F OUTPUT
	rules "$tracked"
	must at server utf8guard net add input udp dport 9000 drop
	does "$ipt: own fragments: a rule of utf8guard for input sees the whole" dropped \
		udp server server fd00::2 9000 "$bad_fragments"
	does "$ipt: own fragments: to a group, too, for input" dropped group server eth0 ff02::1234 9000 "$bad_fragments"
	must at server utf8guard net flush
	rules
done

# What is typed is what is saved, and what is saved can be restored: every set of
# classes, inverted or not. ill-formed stands for all seven of its classes.
cat >"$tap/sets.py" <<'END'
import itertools, random, sys
sets = ["valid", "split", "unreadable"]
seven = ["overlong", "surrogate", "too-large", "header-bits", "too-short", "too-long", "truncated"]
typed, saved = [open(f, "w") for f in sys.argv[1:]]
for chosen in itertools.product([False, True], repeat=10):
    words = [w for w, c in zip(sets + seven, chosen) if c]
    if not words:
        continue
    short = list(words)
    if all(chosen[3:]):
        short = ["ill-formed"] + words[:-7]
        words = random.choice([words, list(short), short + random.choices(seven)])
    for no in ("", "! "):
        if no and short == ["ill-formed"] + sets:
            continue
        random.shuffle(words)
        protocol = random.choice(["tcp", "udp"])
        option = f" {no}--utf8-class "
        print(f"-A INPUT -p {protocol} -m utf8{option}{','.join(words)}", file=typed)
        whole = "" if not no and short == ["ill-formed"] else option + ",".join(short)
        print(f"-A INPUT -p {protocol} -m utf8{whole}", file=saved)
END
python3 "$tap/sets.py" "$tap/typed" "$tap/wanted"
is "there are 2045 ways to say it" "$(wc -l <"$tap/typed")" 2045
{ echo '*filter' && cat "$tap/typed" && echo COMMIT; } >"$tap/rules"
for ipt in iptables-legacy iptables-nft ip6tables-legacy ip6tables-nft; do
	ok "$ipt: restores them all" at server $ipt-restore "$tap/rules"
	at server $ipt-save -t filter >"$tap/saved" 2>/dev/null
	grep '^-A' "$tap/saved" | sed 's/ *$//' >"$tap/got"
	ok "$ipt: saves each in one way" diff "$tap/wanted" "$tap/got"
	ok "$ipt: restores that" at server $ipt-restore "$tap/saved"
	at server $ipt-save -t filter 2>/dev/null | grep '^-A' | sed 's/ *$//' >"$tap/again"
	ok "$ipt: and saves the same" cmp "$tap/got" "$tap/again"
	rules
done

# Options, the help, and what is refused.
for ipt in iptables-legacy ip6tables-nft; do
	run $ipt -m utf8 -h
	is "$ipt: help" "$status" 0
	like "$ipt: help names the option" "$out" '\[!\] --utf8-class class\[,class\.\.\.\]'
	for class in ill-formed valid split unreadable overlong surrogate too-large header-bits \
		too-short too-long truncated; do
		like "$ipt: help lists $class" "$out" "[ ]$class"
	done
	rules "-p udp -m utf8 ! --utf8-class split,overlong"
	like "$ipt: list" "$(at server $ipt -L INPUT 2>/dev/null)" 'udp.* ! utf8 split,overlong'
	ok "$ipt: -C finds it, in whatever order" \
		at server $ipt -C INPUT -p udp -m utf8 ! --utf8-class overlong,split
	not_ok "$ipt: and not another one" at server $ipt -C INPUT -p udp -m utf8 --utf8-class overlong,split
	ok "$ipt: -D deletes it" at server $ipt -D INPUT -p udp -m utf8 ! --utf8-class split,overlong
	is "$ipt: it is gone" "$(counts)" ""
	ok "$ipt: a rule that was saved when split was called cut is taken" \
		at server $ipt -A INPUT -p tcp -m utf8 --utf8-class cut
	ok "$ipt: and it is split" at server $ipt -D INPUT -p tcp -m utf8 --utf8-class split
done
sed -n 's/^\.It Cm //p' "$top/userspace/man/xt_utf8.8" >"$tap/paged"
iptables-translate -m utf8 -h | sed -n '/classes:/,$p' | sed 1d | xargs -n 1 |
	grep -vx ill-formed >"$tap/helped"
is "the manual page has the classes of the help" "$(sort "$tap/paged")" "$(sort "$tap/helped")"
while read -r line; do
	ok "example: $line" at server bash -c "$line"
done < <(examples xt_utf8)
is "there were examples" "$(at server iptables -S 2>/dev/null | grep -c -- '-m utf8')" 4
for ipt in iptables ip6tables; do at server $ipt -F; done

refuses() { # STATUS REGEX WORD...: the program's reason
	run at server $ipt -A INPUT "${@:3}"
	is "$ipt ${*:3}: status" "$status" "$1"
	like "$ipt ${*:3}: why" "$err" "$2"
}
for ipt in iptables-legacy iptables-nft; do
	refuses 2 'utf8: "bad" is not a class; -m utf8 -h' -p tcp -m utf8 --utf8-class overlong,bad
	refuses 2 'utf8: "" is not a class' -p tcp -m utf8 --utf8-class ''
	refuses 2 'utf8: "" is not a class' -p tcp -m utf8 --utf8-class overlong,
	refuses 2 'utf8: "Split" is not a class' -p tcp -m utf8 --utf8-class Split
	refuses 2 'utf8-class.* only .*once' -p tcp -m utf8 --utf8-class split --utf8-class valid
	refuses 2 'requires an argument' -p tcp -m utf8 --utf8-class
	[ $ipt = iptables-nft ] && code=4 || code=1
	for words in "" "-p icmp" "! -p tcp"; do
		log_mark
		# shellcheck disable=SC2086 # words of a rule
		refuses "$code" 'Invalid argument' $words -m utf8
		like "$ipt $words: the kernel's log tells" "$(log_since xt_utf8)" \
			'xt_utf8: the rule must be for -p tcp or for -p udp'
	done
	log_mark
	refuses "$code" 'Invalid argument' -p tcp -m utf8 ! --utf8-class ill-formed,unreadable,valid,split
	like "$ipt: none of all: the kernel's log tells" "$(log_since xt_utf8)" \
		'xt_utf8: the negation of all classes matches no packet'
	is "$ipt: no rule came of all that" "$(counts)" ""
done
# Rules that no iptables makes.
handmade() { # WORD...: "taken", or why not
	at server env "PYTHONPATH=$PYTHONPATH" python3 "$here/handmade.py" "$@"
}
log_mark
for family in ip ip6; do
	is "handmade, $family: no class" "$(handmade $family 0 0)" EINVAL
	is "handmade, $family: none of no class" "$(handmade $family 0 1)" EINVAL
done
is "handmade: the kernel's log tells each time" "$(log_since 'xt_utf8: no class' 4 | grep -c .)" 4
# One that says it is for TCP sees SCTP, too; it must not make one piece of what came in fragments.
sctp='12*a+\x00\x03\x0b\xb8+12*\x00+2984*b' # a DATA chunk of 3000 octets
for ipt in iptables-nft ip6tables-nft; do
	rules
	[[ $ipt = ip6* ]] && family=ip6 || family=ip
	is "$ipt: handmade: a rule for every protocol is taken" "$(handmade "$family" 0x80000000 0)" taken
	does "$ipt: handmade: SCTP is sent in fragments" sent raw client "$(server $ipt)" 132 "$sctp"
	seen() { [ "$(counts)" = 1 ]; }
	ok "$ipt: handmade: it is unreadable" until_true 20 seen
	rules
done
for ipt in iptables ip6tables; do
	like "$ipt-translate leaves it alone" "$($ipt-translate -A INPUT -p tcp -m utf8 -j DROP)" \
		'^nft # -A INPUT -p tcp -m utf8 -j DROP'
	like "$ipt-translate leaves out a negation" \
		"$($ipt-translate -A INPUT -p tcp -m utf8 ! --utf8-class valid -j DROP)" \
		'^nft # -A INPUT -p tcp -m utf8 +--utf8-class valid -j DROP'
done

# Fragments that nobody puts together, for the table is before defragmentation.
if built_in iptable_raw; then
	skip 4 "the table raw is part of this kernel, and is where it was told to be at boot"
else
	rmmod iptable_raw ip6table_raw
	modprobe iptable_raw raw_before_defrag=1 && modprobe ip6table_raw raw_before_defrag=1
	for ipt in iptables-legacy ip6tables-legacy; do
		at server $ipt -t raw -A PREROUTING -p udp -m utf8 --utf8-class unreadable
		at server $ipt -t raw -A PREROUTING -p udp -m utf8
		does "$ipt: before defragmentation: bad is sent" delivered \
			udp client server "$(server $ipt)" 9000 '1500*a+\xc0\xaf+1500*b'
		is "$ipt: before defragmentation: three fragments are unreadable" "$(counts raw PREROUTING)" "3 0"
		at server $ipt -t raw -F
	done
fi

# The root of a user namespace, in a network namespace of its own.
cat >"$tap/inside" <<'END'
export XTABLES_LOCKFILE=$(mktemp)
ip link set lo up
$1 -A OUTPUT -p udp -m utf8 -j DROP && $1 -S OUTPUT | tail -n 1
printf 'good' >/dev/udp/127.0.0.1/9000 && printf '\xc0\xae' >/dev/udp/127.0.0.1/9001
END
chmod 755 "$tap"
for ipt in iptables-legacy iptables-nft; do
	run setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all \
		unshare -Urn bash "$tap/inside" $ipt
	is "$ipt: whoever is root in a namespace of his own" "${out% }" \
		"-A OUTPUT -p udp -m utf8 -j DROP"
	like "$ipt: has what is bad dropped there, and only that" "$err" '^[^:]*: line 4: printf: write error: Operation not permitted$'
done

# A module is not unloaded under a rule.
unused() { # MODULE: nobody has it any more
	[ "$(cat "/sys/module/$1/refcnt")" = 0 ]
}
for ipt in iptables-legacy ip6tables-nft; do
	rules "-p tcp -m utf8"
	run rmmod xt_utf8
	is "$ipt: the module is in use" "$status" 1
	like "$ipt: and says so" "$err" 'in use'
	rules
	ok "$ipt: without a rule, it is not" until_true 60 unused xt_utf8
done
ok "it unloads" rmmod xt_utf8
run at server iptables-nft -A INPUT -p tcp -m utf8
isnt "then there is no such match" "$status" 0

# A host that boots without the module, and one that boots with it.
mkdir -p /etc/iptables
{ printf '*filter\n:INPUT DROP [0:0]\n' && manual xt_utf8 '/^:utf8/{p;n;p;q}' && echo COMMIT; } >"$tap/firewall"
manual xt_utf8 '/^\*filter/,/^COMMIT/p' >/etc/iptables/utf8.v4
sed '/^COMMIT/d' "$tap/firewall" | cat - <(grep -v '^[*:]' /etc/iptables/utf8.v4) >"$tap/together"
no_firewall() {
	at server $ipt -P INPUT ACCEPT
	at server $ipt -F
	at server $ipt -X
}
for ipt in iptables-legacy iptables-nft; do
	not_ok "$ipt: absent: a firewall in the same file is refused" at server $ipt-restore "$tap/together"
	like "$ipt: absent: nothing of it is loaded" "$(at server $ipt -S INPUT)" '^-P INPUT ACCEPT$'
	must at server $ipt-restore "$tap/firewall"
	not_ok "$ipt: absent: rules in a file of their own are refused" apart xt_utf8
	is "$ipt: absent: the firewall is in force all the same" "$(at server $ipt -S INPUT | paste -sd ,)" \
		"-P INPUT DROP,-A INPUT -j utf8"
	no_firewall
done
ok "it loads again" load xt
for ipt in iptables-legacy iptables-nft; do
	must at server $ipt-restore "$tap/firewall"
	ok "$ipt: present: rules in a file of their own are loaded" apart xt_utf8
	ok "$ipt: present: and once more" apart xt_utf8
	is "$ipt: present: they are there once" "$(at server $ipt -S utf8 2>/dev/null | sed 's/ *$//' | paste -sd ,)" \
		"-N utf8,-A utf8 -p tcp -m tcp --dport 80 -m utf8 -j DROP"
	no_firewall
done

# The helper, by the example of its manual page: for connections to port 9000, of TCP and of UDP.
examples nf_conntrack_utf8 >"$tap/nft"
dropped() { # packets that conntrack dropped in the server's namespace, on all processors
	local n sum=0
	# shellcheck disable=SC2016 # the program's own
	for n in $(at server awk 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "drop") c = i; next }
		{ print $c }' /proc/net/stat/nf_conntrack); do sum=$((sum + 16#$n)); done
	echo $sum
}
ok "nft: the helper can be had" at server nft -f "$tap/nft"
like "nft: and is listed" "$(at server nft list ruleset)" 'type "utf8" protocol tcp'
for to in 10.0.0.2 fd00::2; do
	log_mark
	before=$(dropped)
	does "nft: udp to $to: good UTF-8 is delivered" delivered udp client server $to 9000 "$good"
	does "nft: udp to $to: C0 AE is dropped" dropped udp client server $to 9000 "$dot"
	is "nft: udp to $to: and counted" "$(($(dropped) - before))" 1
	like "nft: udp to $to: and reported" "$(log_since op=utf8guard-payload)" \
		"act=helper outcome=refused rule=0 class=overlong offset=0 bytes=c0ae src=[^ ]* dst=$to proto=17"
	does "nft: udp to $to: the port beside it is not looked at" delivered udp client server $to 9001 "$dot"
	does "nft: tcp to $to: good UTF-8 is delivered" delivered tcp client server $to 9000 delivered "$good"
	does "nft: tcp to $to: C0 AE is dropped" dropped tcp client server $to 9000 dropped "$good" "$dot"
	does "nft: tcp to $to: a character that is split is delivered" delivered \
		tcp client server $to 9000 delivered 'a\xf0' '\x9f\x90' '\xa7b'
	does "nft: tcp to $to: a good reply is delivered" delivered reply client server $to 9000 delivered "$good"
	does "nft: tcp to $to: a bad one is dropped" dropped reply client server $to 9000 dropped "$bad"
	does "nft: tcp to $to: the port beside it is not looked at" delivered \
		tcp client server $to 9001 delivered "$bad"
done
does "nft: fragments: good" delivered udp client server fd00::2 9000 "$good_fragments"
does "nft: fragments: bad in a later one" dropped udp client server fd00::2 9000 "$bad_fragments"
for to in 10.0.0.2 fd00::2; do
	does "nft: own udp to $to: good fragments" delivered udp server server $to 9000 "$good_fragments"
	does "nft: own udp to $to: bad in a later one" refused udp server server $to 9000 "$bad_fragments"
	does "nft: own tcp to $to: good" delivered tcp server server $to 9000 delivered "$good"
	does "nft: own tcp to $to: bad" dropped tcp server server $to 9000 dropped "$good" "$bad"
done
does "nft: own udp to a group" delivered group server eth0 ff02::1234 9000 "$good"
does "nft: own udp to a group: good fragments" delivered group server eth0 ff02::1234 9000 "$good_fragments"
does "nft: own udp to a group: bad in a later one" refused group server eth0 ff02::1234 9000 "$bad_fragments"
if [ "$tunnels" ]; then
	does "nft: fragments in fragments: good" delivered udp client server 10.9.0.2 9000 '1+1000*\xe6\x97\xa5'
	does "nft: fragments in fragments: bad" dropped udp client server 10.9.0.2 9000 '1450*a+\xc0\xaf+1500*b'
else
	skip 2 "this kernel has no vxlan"
fi
# The manual page has a rule against headers that the receiver reads in another way.
does "nft: destination options: delivered" delivered options client server fd00::2 9000 "$good"
rule=$(manual nf_conntrack_utf8 's/^\.Ql \(exthdr .* drop\).*/\1/p')
must at server nft -f - <<<"table inet options {
	chain prerouting { type filter hook prerouting priority filter; $rule; }; }"
does "nft: destination options: dropped by the rule of the page" dropped \
	options client server fd00::2 9000 "$good"
must at server nft delete table inet options
# A header that says something else than it did when connection tracking looked at it.
must insmod "$UTF8GUARD_MODULES/test/utf8guard_fog.ko" port=9000 hook=4 packets=1
log_mark
does "nft: what cannot be read is refused" refused udp server client 10.0.0.1 9000 abc
like "nft: and reported" "$(log_since op=utf8guard-payload)" \
	"act=helper outcome=refused rule=0 class=none reason=unreadable src=10.0.0.2 dst=10.0.0.1 proto=17 sport=[0-9]+ dport=9000 "
must rmmod utf8guard_fog
counted=/sys/module/nf_conntrack_utf8/parameters/counted
like "nft: all of it is counted" "$(cat $counted)" \
	'^packets [1-9][0-9]* octets [1-9][0-9]* split [1-9][0-9]* unreadable [1-9][0-9]* ill-formed [1-9][0-9]*$'

parameter=/sys/module/nf_conntrack_utf8/parameters/audit
is "nft: it drops unless told otherwise" "$(cat $parameter)" N
echo 1 >$parameter
log_mark
before=$(number service events)
does "nft: audit: bad is delivered" delivered udp server server 10.0.0.2 9000 "$bad"
is "nft: audit: and looked at twice, when it was sent and when it was received" \
	$(($(number service events) - before)) 2
like "nft: audit: and reported" "$(log_since op=utf8guard-payload)" 'act=helper outcome=audited'
echo 0 >$parameter
does "nft: its sender is told" refused udp server server 10.0.0.2 9000 "$bad"

run rmmod nf_conntrack_utf8
is "nft: the helper is in use" "$status" 1
like "nft: and says so" "$err" 'in use'
ok "nft: its rules can be deleted" at server nft flush ruleset
ok "nft: then it is not" until_true 60 unused nf_conntrack_utf8
ok "nft: it unloads under connections that have it" rmmod nf_conntrack_utf8
does "nft: which are not looked at any more" delivered udp client server 10.0.0.2 9000 "$dot"
run at server nft -f "$tap/nft"
isnt "nft: then it cannot be had" "$status" 0

# As above, for nft.
cp "$tap/nft" /etc/nftables-utf8.conf
cat >"$tap/firewall" <<'END'
flush ruleset
table inet filter {
	chain input {
		type filter hook input priority filter; policy drop;
	}
}
END
tables() { at server nft list tables | paste -sd ,; }
not_ok "nft: absent: a firewall in the same file is refused" at server bash -c "cat '$tap/firewall' '$tap/nft' | nft -f -"
is "nft: absent: nothing of it is loaded" "$(tables)" ""
must at server nft -f "$tap/firewall"
not_ok "nft: absent: rules in a file of their own are refused" apart nf_conntrack_utf8
is "nft: absent: the firewall is in force all the same" "$(tables)" "table inet filter"
ok "nft: it loads again" load helper
for when in "at boot" "at a reload"; do
	must at server nft -f "$tap/firewall"
	ok "nft: present: rules in a file of their own are loaded $when" apart nf_conntrack_utf8
	is "nft: present: beside the firewall, once" "$(tables) $(at server nft list ruleset | grep -c 'dport 9000')" \
		"table inet filter,table inet guard 4"
done
is "nft: the service starts and reloads by the same command" "$(manual nf_conntrack_utf8 's/^ExecReload=//p')" \
	"$(manual nf_conntrack_utf8 's/^ExecStart=//p')"
must at server nft flush ruleset

# Namespaces go with all of it in use, and with connections that have it.
is "8 namespaces with a helper, a match and streams" "$(python3 "$here/flows.py" guards 8)" 8

# A namespace takes its rules with it.
at server nft -f "$tap/nft"
for ipt in iptables-legacy iptables-nft ip6tables-legacy ip6tables-nft; do
	rules "-p tcp -m utf8 -j DROP"
done
not_ok "with rules in it, nothing unloads" rmmod utf8guard_nf
for ns in client server; do ip netns del $ns; done
for module in xt_utf8 nf_conntrack_utf8; do
	ok "the namespace lets go of $module" until_true 60 unused $module
	ok "$module unloads" rmmod $module
done
ok "and so does what they stand on" rmmod utf8guard_nf utf8guard
done_testing
