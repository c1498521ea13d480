#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Many rules, past the tool, which starts anew for each: rules.py DIR COUNT.

Adds a rule for each of COUNT new directories 1, 2, ... in DIR, and for each of
the ports of these numbers. Prints how many of both the kernel has taken.
"""
import os
import re
import socket
import struct
import sys

NETLINK_GENERIC, GENL_ID_CTRL, CTRL_CMD_GETFAMILY = 16, 16, 3
CTRL_ATTR_FAMILY_ID, CTRL_ATTR_FAMILY_NAME = 1, 2
NLM_F_REQUEST, NLM_F_ACK, NLMSG_ERROR = 1, 4, 2
top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")


def constants(family):
    """The enumerations of a uapi header."""
    found, value = {}, 0
    with open(f"{top}/include/uapi/linux/{family}.h", encoding="ascii") as f:
        for line in f:
            if line.startswith("enum"):
                value = 0
            match = re.match(r"\t(UTF8GUARD_\w+)(?: = (\d+))?,", line)
            if match:
                value = int(match[2] or value)
                found[match[1]] = value
                value += 1
    return found


def attribute(kind, data):
    return struct.pack("HH", 4 + len(data), kind) + data + bytes(-len(data) % 4)


def u32(value):
    return struct.pack("I", value)


def transact(s, kind, command, attributes, flags=NLM_F_ACK):
    """The errno, and the attributes of the reply."""
    body = struct.pack("BBH", command, 1, 0) + b"".join(attributes)
    s.send(struct.pack("IHHII", 16 + len(body), kind, NLM_F_REQUEST | flags, 1, 0) + body)
    reply = b""
    while True:
        data = s.recv(65536)
        while data:
            length, what = struct.unpack_from("IH", data)
            if what == NLMSG_ERROR:
                return -struct.unpack_from("i", data, 16)[0], reply
            reply, data = data[20:length], data[(length + 3) & ~3:]


def family_id(s, name):
    error, reply = transact(s, GENL_ID_CTRL, CTRL_CMD_GETFAMILY,
                            [attribute(CTRL_ATTR_FAMILY_NAME, name.encode() + b"\0")])
    while not error and reply:
        length, kind = struct.unpack_from("HH", reply)
        if kind == CTRL_ATTR_FAMILY_ID:
            return struct.unpack_from("H", reply, 4)[0]
        reply = reply[(length + 3) & ~3:]
    raise OSError(error, name)


directory, count = sys.argv[1], int(sys.argv[2])
c = constants("utf8guard_fs") | constants("utf8guard_nf")
netlink = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC)
netlink.settimeout(60)
fs, nf = family_id(netlink, "utf8guard_fs"), family_id(netlink, "utf8guard_nf")
done = {"fs": 0, "nf": 0}
for n in range(1, count + 1):
    path = f"{directory}/{n}"
    os.mkdir(path)
    done["fs"] += not transact(netlink, fs, c["UTF8GUARD_FS_CMD_RULE_ADD"], [
        attribute(c["UTF8GUARD_FS_A_RULE_SCOPE"], u32(c["UTF8GUARD_FS_SCOPE_SUBTREE"])),
        attribute(c["UTF8GUARD_FS_A_RULE_MODE"], u32(c["UTF8GUARD_FS_MODE_ENFORCE"])),
        attribute(c["UTF8GUARD_FS_A_RULE_PATH"], path.encode() + b"\0")])[0]
    done["nf"] += not transact(netlink, nf, c["UTF8GUARD_NF_CMD_RULE_ADD"], [
        attribute(c["UTF8GUARD_NF_A_RULE_HOOK"], u32(c["UTF8GUARD_NF_HOOK_INPUT"])),
        attribute(c["UTF8GUARD_NF_A_RULE_ACTION"], u32(c["UTF8GUARD_NF_ACTION_DROP"])),
        attribute(c["UTF8GUARD_NF_A_RULE_PROTOCOL"], bytes([socket.IPPROTO_TCP])),
        attribute(c["UTF8GUARD_NF_A_RULE_DPORT_MIN"], struct.pack("H", n))])[0]
print(done["fs"], done["nf"])
