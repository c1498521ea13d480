#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Who may ask what of the name check, by raw netlink: a line for each operation and caller. And
who may lock the payload check.

Each operation is asked for in a way that would succeed, by callers who lack a privilege, and
changes nothing; and then by one who has all. Operations are those of the header: one that is
not asked for here fails a test.
"""
import ctypes
import errno
import os
import struct
import sys

from genetlink import Family, constants
from netns import CLONE_NEWUSER, libc, unshare

CAP_NET_ADMIN, CAP_MAC_ADMIN = 12, 33

# In an order that leaves all as it was, but for the lock, which ends it.
OPERATIONS = [
    ("status-get", {}), ("status-reset", {}),
    ("rule-get", {"handle": 1}), ("rule-get", None),
    ("rule-explain", {"path": "/tmp"}), ("rule-find", {"handle": 1, "fd": 0}),
    ("rule-add", {"scope": 3, "mode": 1, "fstype": "ramfs"}),
    ("rule-set", {"handle": 2, "mode": 0}),
    ("rule-replace", {"handle": 2, "scope": 3, "mode": 1, "fstype": "devtmpfs"}),
    ("rule-del", {"handle": 2}),
    ("begin", {}), ("commit", {}), ("abort", {}), ("confirm", {}), ("revert", {}),
    ("flush", {}), ("lock", {}),
]
# What those who may get instead of "ok": no commit is there to be confirmed, no rule to be found.
OUTCOMES = {"rule-find": "EINVAL", "confirm": "EALREADY", "revert": "ENOENT"}


def set_caps(mask):
    header = struct.pack("Ii", 0x20080522, 0)
    words = [mask & 0xffffffff, mask >> 32]
    data = b"".join(struct.pack("III", word, word, 0) for word in words)
    if libc.capset(header, data):
        raise OSError(ctypes.get_errno(), "capset")


def own_root():
    unshare(CLONE_NEWUSER)


def as_user():
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)


def ask(family, operation, request):
    if request is not None:
        return family.do(operation, **request)
    try:
        family.dump(operation)
        return "ok"
    except OSError as e:
        return errno.errorcode[e.errno]


# What each of them does before the socket is opened, and after.
CALLERS = {
    "nothing": (as_user, None),
    "CAP_NET_ADMIN alone": (lambda: set_caps(1 << CAP_NET_ADMIN), None),
    "CAP_MAC_ADMIN alone": (lambda: set_caps(1 << CAP_MAC_ADMIN), None),
    "all but CAP_MAC_ADMIN": (lambda: set_caps(EVERY_NOW & ~(1 << CAP_MAC_ADMIN)), None),
    "root of a user namespace": (own_root, None),
    "a socket of root's": (None, as_user),
    "a socket of root's, CAP_NET_ADMIN alone": (None, lambda: set_caps(1 << CAP_NET_ADMIN)),
    "root, a socket of nobody's": (lambda: os.setresuid(65534, 65534, 0), lambda: os.setresuid(0, 0, 0)),
}


def effective():
    with open("/proc/self/status", encoding="ascii") as f:
        return next(int(line.split()[1], 16) for line in f if line.startswith("CapEff"))


EVERY_NOW = effective()


def in_child(function):
    """What the function returns in a child, which loses its privileges alone."""
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(reader)
        try:
            text = function()
        except OSError as e:
            text = f"{e}"
        os.write(writer, text.encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as f:
        text = f.read().decode()
    os.waitpid(pid, 0)
    return text


def outcome_of(caller, operation, request, name="utf8guard_fs"):
    before, after = CALLERS[caller]

    def run():
        if before:
            before()
        family = Family(name)
        if after:
            after()
        return ask(family, operation, request)
    return in_child(run)


def listening(caller):
    def run():
        before = CALLERS[caller][0]
        before()
        try:
            Family("utf8guard_fs").listen()
        except OSError as e:
            return errno.errorcode[e.errno]
        return "ok"
    return in_child(run)


def main():
    root = Family("utf8guard_fs")
    known = {name for name, _ in OPERATIONS} | {"changed"}
    unknown = [word[4:].lower().replace("_", "-") for word in constants("utf8guard_fs")
               if word.startswith("CMD_")]
    unknown = sorted(set(unknown) - known - {"max"} - {w for w in unknown if w.startswith("-")})
    print("every operation is asked for", " ".join(unknown), "", sep="\t")
    root.do("rule-add", scope=3, mode=1, fstype="tmpfs")
    root.do("status-get")
    state = {k: root.reply[k] for k in ("generation", "rules", "locked") if k in root.reply}
    for caller in CALLERS:
        for operation, request in OPERATIONS:
            way = "do" if request is not None else "dump"
            print(f"{caller}: {operation}, {way}", outcome_of(caller, operation, request), "EPERM",
                  sep="\t")
        root.do("status-get")
        now = {k: root.reply[k] for k in state}
        print(f"{caller}: nothing changed", now, state, sep="\t")
    # Listeners are not asked for CAP_MAC_ADMIN; the manual says so.
    for caller, wanted in (("nothing", "EPERM"), ("CAP_MAC_ADMIN alone", "EPERM"),
                           ("root of a user namespace", "EPERM"), ("CAP_NET_ADMIN alone", "ok")):
        print(f"{caller}: to be told of changes", listening(caller), wanted, sep="\t")
    rule = max(r["handle"] for r in root.dump("rule-get"))
    for operation, request in OPERATIONS:
        if request and request.get("handle") == 2:
            request = dict(request, handle=rule)
        way = "do" if request is not None else "dump"
        print(f"root: {operation}, {way}", ask(root, operation, request),
              OUTCOMES.get(operation, "ok"), sep="\t")
        if operation == "commit":
            root.do("begin")  # for abort
    print("root: the rules are locked", ask(root, "flush", {}), "EPERM", sep="\t")
    for caller in CALLERS:
        print(f"{caller}: lock of the payload check", outcome_of(caller, "lock", {}, "utf8guard_nf"),
              "EPERM", sep="\t")
    packets = Family("utf8guard_nf")
    print("root: these rules are not locked yet", ask(packets, "flush", {}), "ok", sep="\t")
    print("root: lock of the payload check", ask(packets, "lock", {}), "ok", sep="\t")
    print("done", "", "", sep="\t")
    sys.stdout.flush()


main()
