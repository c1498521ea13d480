#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Messages of every shape to all families: netlink_storm.py WHO MESSAGES SEED

Raw ones, and good ones that are changed: any command, flags and version, attributes of any
number, length and content, one in another. Commands that lock the rules for good are left out.
Prints NAME, what came and what was wanted, by tabs; "done" in the end.
"""
import errno
import os
import random
import socket
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from genetlink import NLMSG_ERROR, Family, attribute, encode  # noqa: E402

who, count, seed = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
odds = random.Random(seed)
AT_ONCE = 50
answered = {}
TEXTS = (b"\0", b"lo\0", b"a" * 300, b"comment\0", b"\xc0\xae\0", b"/\0", b"tmpfs\0", b"input")


def families():
    found = []
    for name in ("utf8guard", "utf8guard_nf", "utf8guard_fs"):
        try:
            family = Family(name)
        except OSError as error:
            if error.errno != errno.ENOENT:
                raise
            continue
        family.locks = {number for word, number in family.c.items() if word.startswith("CMD_LOCK")}
        if who == "root":
            family.listen()
        family.socket.setblocking(False)
        found.append(family)
    return found


def content(depth):
    what = odds.randrange(9)
    if what < 4:
        value = odds.choice((0, 1, 2, 3, 6, 17, 80, 255, 65535, 1 << 31, (1 << 32) - 1))
        return struct.pack("<Q", value)[:(1, 2, 4, 8)[what]]
    if what == 4:
        return odds.choice(TEXTS)
    if what == 5 and depth:
        return b"".join(some(depth - 1, 4) for _ in range(odds.randrange(4)))
    if what == 6:
        return b""
    return odds.randbytes(odds.choice((1, 2, 3, 4, 16, 40)))


def some(depth, most):
    kind = odds.randrange(most) | (0x8000 if odds.randrange(4) == 0 else 0)
    made = bytearray(attribute(kind, content(depth)))
    if odds.randrange(40) == 0:
        struct.pack_into("H", made, 0, odds.choice((0, 1, 3, 5, len(made) + 8, 65535)))
    return bytes(made)


def rule(family):
    """What may well be a rule."""
    if family.name == "utf8guard_fs":
        scope = odds.choice((2, 3, 3))
        values = {"scope": scope, "mode": odds.randrange(4), "refuse": odds.getrandbits(24),
                  "form": odds.randrange(4), "uid-min": odds.randrange(9), "uid-max": odds.randrange(9, 20), "handle": odds.randrange(1, 40),
                  "fstype": odds.choice((b"tmpfs\0", b"ext4\0", b"none-such\0")), "may-wait": b"",
                  "cgroup": b"/none\0", "comment": b"x\0"}
        must = ("scope", "mode", "fstype") if scope == 3 else ("scope", "mode")
    else:
        values = {"hook": odds.randrange(3), "protocol": odds.choice((6, 6, 17, 132)), "action": odds.randrange(5),
                  "dport-min": odds.randrange(1, 60), "dport-max": odds.randrange(60, 99),
                  "family": odds.choice((2, 10)), "sport-min": odds.randrange(1, 60), "stream": odds.randrange(2), "scope": odds.randrange(7),
                  "decode": odds.randrange(2), "fail": odds.randrange(2), "refuse": odds.getrandbits(24),
                  "comment": b"x\0", "handle": odds.randrange(1, 40), "iif": b"lo\0"}
        must = "hook", "protocol", "action", "dport-min"
    return [attribute(kind, encode(name, values[name])) for kind, name in family.names("rule").items()
            if name in values and (name in must or odds.randrange(6) == 0)]


def sensible(family):
    """A request as the tool would make it, more or less."""
    commands = {name[4:]: number for name, number in family.c.items()
                if name.startswith("CMD_") and number not in family.locks}
    name = odds.choice(sorted(commands) + (["RULE_ADD"] * 12 + ["BEGIN", "COMMIT"] if family.locks else []))
    if name == "FLUSH" and odds.randrange(10):
        name = "RULE_ADD"
    request = []
    if name in ("RULE_ADD", "RULE_REPLACE", "RULE_SET", "RULE_INSERT", "RULE_EXPLAIN"):
        request = rule(family)
    elif name in ("VALIDATE", "NORMALIZE", "REFUSAL"):
        request = [attribute(1, odds.choice(TEXTS)), attribute(9, struct.pack("I", odds.randrange(6)))]
    elif name in ("RULE_DEL", "RULE_GET"):
        request = [attribute(1, struct.pack("I", odds.randrange(40)))]
    return commands.get(name, 1), request


def message(family):
    command, request = odds.randrange(24), [some(2, 70) for _ in range(odds.randrange(10))]
    by_the_book = odds.randrange(3) > 0
    if by_the_book:
        command, request = sensible(family)
    if by_the_book and odds.randrange(4) == 0:
        request.insert(odds.randrange(len(request) + 1), some(2, 70))
    if command in family.locks:
        command = 0
    version, reserved, flags = 1, 0, 5
    if not by_the_book or odds.randrange(10) == 0:
        version, reserved = odds.choice((1, 1, 1, 0, 2, 255)), odds.choice((0, 0, 0xffff))
        flags = 1 | odds.choice((0, 4, 4, 0x300, 0x304, 0x10, 0xf00, 0xffff))
    body = struct.pack("BBH", command, version, reserved) + b"".join(request)
    body += bytes(-len(body) % 4)
    made = bytearray(struct.pack("IHHII", 16 + len(body), family.id, flags, 1, 0) + body)
    if odds.randrange(20) == 0:
        for _ in range(3):
            made[odds.randrange(17, len(made))] = odds.randrange(256)
    return bytes(made)


def datagram(family):
    """Some messages, the last of which may have a wrong length: the kernel reads none after that."""
    made = [message(family) for _ in range(AT_ONCE)]
    if odds.randrange(2):
        made[-1] = struct.pack("I", odds.choice((0, 15, 16, 17, 19, 20, 24, len(made[-1]) + 4, 1 << 31))) + made[-1][4:]
    return b"".join(made)


def drain(family):
    try:
        while True:
            data = family.socket.recv(1 << 16)
            kind, = struct.unpack_from("H", data, 4)
            error = -struct.unpack_from("i", data, 16)[0] if kind == NLMSG_ERROR else None
            what = "replies" if error is None else errno.errorcode[error] if error else "done"
            answered[what] = answered.get(what, 0) + 1
    except BlockingIOError:
        pass
    except OSError as error:
        if error.errno != errno.ENOBUFS:
            raise


def storm():
    sockets, sent = families(), 0
    while sent < count:
        family = odds.choice(sockets)
        try:
            family.socket.send(datagram(family))
            sent += AT_ONCE
        except OSError as error:
            if error.errno not in (errno.ENOBUFS, errno.EAGAIN, errno.ENOMEM, errno.EMSGSIZE):
                raise
        drain(family)
        # With whatever transaction is open in it.
        if odds.randrange(200) == 0:
            family.socket.close()
            sockets = families()
    for family in sockets:
        family.socket.close()
    return sent


print(f"{who}: messages sent\t{storm() >= count}\tTrue", flush=True)
print(f"# {who}: {answered}")
if who == "root":
    # Messages of which none does anything are no test.
    print(f"{who}: one in twenty does what it asks for\t{answered['done'] > count / 20}\tTrue")
answers = {}
for one in families():
    one.socket.settimeout(30)
    answers[one.name] = one.transact(one.c.get("CMD_INFO_GET", 1), [])[0] in (0, errno.EPERM)
print(f"{who}: all families answer\t{all(answers.values())}\tTrue")
print("done\t\t")
