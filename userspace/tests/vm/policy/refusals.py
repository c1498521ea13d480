#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Requests for rules of the payload check that the kernel refuses, for selectors.t.

The tool makes few of them. Prints NAME, what came and what was wanted, by tabs;
"done" in the end.
"""
import glob
import re
import socket
import struct

from genetlink import NF, Family, top

GOOD = {"hook": NF["HOOK_INPUT"], "protocol": socket.IPPROTO_UDP, "action": NF["ACTION_DROP"],
        "dport_min": 4711}
IP4 = {"family": socket.AF_INET}
TCP, SCTP = {"protocol": socket.IPPROTO_TCP}, {"protocol": socket.IPPROTO_SCTP}
STREAM = {**TCP, "stream": NF["STREAM_STRICT"]}
MARK = {"action": NF["ACTION_MARK"]}
PART = {"scope": NF["SCOPE_PART"]}
DNS, HTTP = {"scope": NF["SCOPE_DNS_LABELS"]}, {"scope": NF["SCOPE_HTTP_TARGET"]}
SMTP = {"scope": NF["SCOPE_SMTP_LINE"]}
PERCENT = {"decode": NF["DECODE_PERCENT"]}
CLOSED = {"fail": NF["FAIL_CLOSED"]}
CONTROL, NUL, BOM, EDGE_SPACE, DOUBLE, NONE = 1 << 9, 1 << 8, 1 << 11, 1 << 17, 1 << 20, 1 << 31

# Attributes that differ from GOOD, None for one that is left out; the attribute that the kernel
# blames, if any; and what it says.
WRONG = [
    ({"hook": None}, None, "the hook is missing"),
    ({"protocol": None}, None, "the protocol is missing"),
    ({"protocol": socket.IPPROTO_ICMP}, "protocol",
     "the protocol must be TCP, UDP, SCTP or UDP-Lite"),
    ({"family": socket.AF_UNIX}, "family", "the family must be IPv4 or IPv6"),
    ({"dport_min": None, "dport_max": 9}, "dport-max",
     "the lowest port of the range is missing"),
    ({"sport_max": 9}, "sport-max", "the lowest port of the range is missing"),
    ({"dport_max": 4710}, "dport-min", "the range of ports is empty"),
    ({"sport_min": 9, "sport_max": 8}, "sport-min", "the range of ports is empty"),
    ({"dport_range": [struct.pack("HHHxx", 6, 1, 80)]}, "dport-range",
     "ports are one range or a set of them, not both"),
    ({"dport_min": None}, None, "the rule has no port; say any-port if it is for all of them"),
    ({"any_port": True}, "any-port", "a rule takes ports or any-port, not both"),
    ({"saddr_prefix": 8}, "saddr-prefix", "a prefix length needs an address"),
    ({**IP4, "daddr_prefix": 8}, "daddr-prefix", "a prefix length needs an address"),
    ({"saddr": b"\x7f\0\0\1"}, "saddr", "a rule with an address needs a family"),
    ({**IP4, "daddr": bytes(16)}, "daddr", "the address is of the other family"),
    ({**IP4, "saddr": bytes(4), "saddr_prefix": 33}, "saddr-prefix",
     "the prefix is longer than the address"),
    ({"family": socket.AF_INET6, "daddr": bytes(16), "daddr_prefix": 129}, "daddr-prefix",
     "the prefix is longer than the address"),
    ({**IP4, "saddr": b"\x7f\0\0\1", "saddr_prefix": 31}, "saddr",
     "the address has bits set after its prefix"),
    ({**IP4, "saddr": bytes(4), "saddr_network": [struct.pack("HH", 8, 1) + bytes(4)]}, "saddr-network",
     "addresses are one network or a set of them, not both"),
    ({"iif": "*"}, "iif", "the name of the interface is empty"),
    ({"iif": "abcdefghijklmnop"}, "iif", "the name of the interface is too long"),
    ({"hook": NF["HOOK_OUTPUT"], "iif": "lo"}, "iif",
     "packets of the hook output have no input interface"),
    ({"oif": "lo"}, "oif", "packets of the hook input have no output interface"),
    ({"mark_mask": 1}, "mark-mask", "a mask needs a mark"),
    ({"mark": 0, "mark_mask": 0}, "mark-mask", "the mask has no bits"),
    ({"mark": 2, "mark_mask": 1}, "mark", "the mark has bits set outside its mask"),
    ({"offset": 1}, "offset", "only the scope part takes an offset and a length"),
    ({**DNS, "length": 1}, "length", "only the scope part takes an offset and a length"),
    ({**STREAM, **HTTP, "length": 1}, "length", "only the scope part takes an offset and a length"),
    ({**SCTP, **PART, "length": 1}, "scope",
     "the scope part needs UDP or a stream of TCP"),
    ({**PART, "offset": 1}, None, "the length of the part is missing"),
    ({**PART, "offset": 65535, "length": 1}, "offset",
     "the offset is beyond the end of any datagram"),
    ({**PART, "length": 65536}, "length", "the part is longer than any datagram"),
    ({**TCP, **DNS}, "scope", "the scope dns-labels needs UDP or a stream of TCP"),
    ({**TCP, **HTTP}, "scope", "this scope needs a stream of TCP"),
    ({**STREAM, **SMTP, "decode": NF["DECODE_PERCENT"]}, "decode",
     "this scope has no percent encoding"),
    *(({**kind, "decode": NF["DECODE_PERCENT"]}, "decode",
       "decode percent needs UDP or a stream of TCP: a packet alone may split an escape")
      for kind in (TCP, SCTP)),
    ({"gated": True, "ungated": True}, "gated", "the text gate cannot be both on and off"),
    *(({**kind, "gated": True}, "gated", "only the scope payload has a text gate")
      for kind in ({**PART, "length": 9}, DNS, {**STREAM, **PART, "length": 9},
                   {**STREAM, **DNS}, {**STREAM, **HTTP}, {**STREAM, **SMTP})),
    ({"refuse": NONE}, "refuse", "the mask has a bit that is no text class"),
    *(({kind: DOUBLE}, kind, "the classes of percent encoding need decode percent")
      for kind in ("refuse", "allow")),
    ({**PERCENT, "allow": NUL}, "allow", "only the classes of percent encoding can be allowed"),
    ({**PERCENT, "allow": DOUBLE, "refuse": DOUBLE}, "allow",
     "a class cannot be both refused and allowed"),
    ({"refuse": EDGE_SPACE}, "refuse", "edge-space is for names, not for payload"),
    ({**TCP, "refuse": BOM}, "refuse", "bom needs UDP: it is refused at the beginning of a datagram"),
    ({"refuse": NUL}, "refuse", "the text gate takes NUL for binary: turn the gate off to refuse NUL"),
    ({**STREAM, "gated": True, "refuse": CONTROL}, "refuse",
     "TLS and gzip begin with controls: turn the gate off to refuse controls in a stream"),
    ({"action": None}, None, "the action is missing"),
    ({"action": NF["ACTION_COUNT"], **CLOSED}, "fail",
     "a rule that lets everything through cannot fail closed"),
    ({"set_mark": 1}, "set-mark", "only the actions mark and ctmark set a mark"),
    ({"set_mask": 1}, "set-mask", "only the actions mark and ctmark set a mark"),
    (MARK, None, "the mark to be set is missing"),
    ({**MARK, "set_mark": 0, "set_mask": 0}, "set-mask", "the mask has no bits"),
    ({"action": NF["ACTION_CTMARK"], "set_mark": 2, "set_mask": 1}, "set-mark",
     "the mark has bits set outside its mask"),
    ({"stream": NF["STREAM_STRICT"]}, "stream", "only TCP has streams"),
    ({"comment": b"\xc0\xae\0"}, "comment", "the comment is not valid UTF-8"),
]
# Netlink itself refuses these, by the family's policy of attributes.
RANGES = [
    ({"hook": 3}, "hook", "integer out of range"),
    ({"action": 6}, "action", "integer out of range"),
    ({"scope": 7}, "scope", "integer out of range"),
    ({**PART, "length": 0}, "length", "integer out of range"),
    ({"decode": 2}, "decode", "integer out of range"),
    ({"fail": 2}, "fail", "integer out of range"),
    ({**TCP, "stream": 2}, "stream", "integer out of range"),
    ({"direction": 2}, "direction", "integer out of range"),
]
nf = Family("utf8guard_nf")


def check(name, got, wanted):
    print(f"{name}\t{got}\t{wanted}", flush=True)


def state():
    nf.do("status-get")
    return nf.reply["generation"], nf.dump("rule-get")


def refused(command, wrong, wanted, **more):
    request = {name: value for name, value in {**GOOD, **wrong}.items() if value is not None}
    got = nf.do(command, **more, **request)
    check(f"{command} with {wrong}", (got, nf.culprit, nf.message), wanted)


def said():
    """Each message with which the sources refuse a rule."""
    for name in glob.glob(f"{top}/kernel/nf/rule/*.c"):
        with open(name, encoding="ascii") as f:
            yield from re.findall(r'nf_refuse\([^;"]*"([^"]*)"', f.read())


nf.do("flush")
check("a good rule", nf.do("rule-add", **GOOD), "ok")
handle, before = nf.reply["handle"], state()
for wrong, culprit, message in WRONG:
    refused("rule-add", wrong, ("EINVAL", culprit, message))
    refused("rule-replace", wrong, ("EINVAL", culprit, message), handle=handle)
for wrong, culprit, message in RANGES:
    refused("rule-add", wrong, ("ERANGE", culprit, message))
refused("rule-replace", {}, ("EINVAL", None, "the handle of a rule is missing"))
for command in "rule-del", "rule-get":
    check(f"{command} without handle", (nf.do(command), nf.message),
          ("EINVAL", "the handle of a rule is missing"))
check("what the kernel can say of a rule, and was not asked for",
      sorted(set(said()) - {message for _, _, message in WRONG}), [])
check("nothing has changed", state() == before, True)
check("the good rule goes", nf.do("rule-del", handle=handle), "ok")
print("done", flush=True)
