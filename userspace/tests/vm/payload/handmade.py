#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A rule with the match utf8 that no iptables makes: handmade.py FAMILY CLASSES FLAGS

It is put at the end of INPUT of iptables-nft, or for the family ip6 of ip6tables-nft; it says that it is
for TCP, but is for every protocol, and counts. Prints "taken", or the name of the errno.
"""
import errno
import socket
import struct
import sys

from genetlink import NLA_F_NESTED, NLM_F_ACK, NLM_F_REQUEST, attribute

NETLINK_NETFILTER = 12
NFNL_MSG_BATCH_BEGIN, NFNL_MSG_BATCH_END, NFNL_SUBSYS_NFTABLES = 0x10, 0x11, 10
NFT_MSG_NEWRULE, NLM_F_CREATE, NLM_F_APPEND = 6, 0x400, 0x800
NFTA_RULE_TABLE, NFTA_RULE_CHAIN, NFTA_RULE_EXPRESSIONS, NFTA_RULE_COMPAT = 1, 2, 4, 5
NFTA_LIST_ELEM, NFTA_EXPR_NAME, NFTA_EXPR_DATA = 1, 1, 2
NFTA_MATCH_NAME, NFTA_MATCH_REV, NFTA_MATCH_INFO = 1, 2, 3
NFTA_RULE_COMPAT_PROTO, NFTA_RULE_COMPAT_FLAGS = 1, 2


def number(kind, value):
    return attribute(kind, struct.pack(">I", value))


def nest(kind, *inside):
    return attribute(kind | NLA_F_NESTED, b"".join(inside))


def message(kind, flags, family, resource, body=b""):
    data = struct.pack(">BBH", family, 0, resource) + body
    return struct.pack("=IHHII", 16 + len(data), kind, NLM_F_REQUEST | flags, 0, 0) + data


def expression(name, *data):
    return nest(NFTA_LIST_ELEM, attribute(NFTA_EXPR_NAME, name), nest(NFTA_EXPR_DATA, *data))


def add(family, classes, flags):
    family = {"ip": 2, "ip6": 10}[family]
    info = struct.pack("=II", int(classes, 0), int(flags, 0))
    rule = (attribute(NFTA_RULE_TABLE, b"filter\0") + attribute(NFTA_RULE_CHAIN, b"INPUT\0") +
            nest(NFTA_RULE_EXPRESSIONS,
                 expression(b"match\0", attribute(NFTA_MATCH_NAME, b"utf8\0"),
                            number(NFTA_MATCH_REV, 0), attribute(NFTA_MATCH_INFO, info)),
                 expression(b"counter\0")) +
            nest(NFTA_RULE_COMPAT, number(NFTA_RULE_COMPAT_PROTO, socket.IPPROTO_TCP),
                 number(NFTA_RULE_COMPAT_FLAGS, 0)))
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_NETFILTER) as s:
        s.send(message(NFNL_MSG_BATCH_BEGIN, 0, 0, NFNL_SUBSYS_NFTABLES) +
               message(NFNL_SUBSYS_NFTABLES << 8 | NFT_MSG_NEWRULE,
                       NLM_F_ACK | NLM_F_CREATE | NLM_F_APPEND, family, 0, rule) +
               message(NFNL_MSG_BATCH_END, 0, 0, NFNL_SUBSYS_NFTABLES))
        return -struct.unpack_from("=i", s.recv(65536), 16)[0]


error = add(*sys.argv[1:])
print(errno.errorcode[error] if error else "taken")
