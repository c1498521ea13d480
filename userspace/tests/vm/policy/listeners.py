#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Who hears of changes of rules for packets in network namespaces of a user: a line for each.

He made a user namespace, and in that another one; each has a network namespace. Whoever listens
opens the socket; root of the host has it join the group, so that each message has to ask.
"""
import ctypes
import os
import socket
import subprocess
import time

from genetlink import NETLINK_ADD_MEMBERSHIP, NETLINK_GENERIC, SOL_NETLINK, Family
from netns import libc

USER, OTHER = 65534, 65533
EVERYWHERE, NOWHERE = {"outer", "inner"}, set()
# Who, of which user namespace (of the host's), with which user ID of the host; what he hears.
LISTENERS = [
    ("root of the host", None, 0, EVERYWHERE),
    ("the user, who owns the outer namespace", None, USER, EVERYWHERE),
    ("another user", None, OTHER, NOWHERE),
    ("root of the outer namespace", "outer", 0, EVERYWHERE),
    ("root of the inner namespace", "inner", 0, {"inner"}),
]
makers = {}


def make(name, *command):
    """Namespaces of the user, which are there while that process is."""
    makers[name] = subprocess.Popen(["setpriv", "--reuid", str(USER), "--regid", str(USER),
                                     "--clear-groups", "--inh-caps=-all", *command, "sleep", "inf"])
    comm = f"/proc/{makers[name].pid}/comm"
    while open(comm, encoding="ascii").read() != "sleep\n":
        time.sleep(0.1)


def enter(name, kind):
    with open(f"/proc/{makers[name].pid}/ns/{kind}", "rb") as f:
        if libc.setns(f.fileno(), 0):
            raise OSError(ctypes.get_errno(), "setns")


def opened(net, user, uid):
    """A socket in that network namespace, opened by such a listener."""
    ours, theirs = socket.socketpair()
    if not os.fork():
        enter(net, "net")
        if user:
            enter(user, "user")
        elif uid:
            os.setresuid(uid, uid, uid)
        listener = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW | socket.SOCK_NONBLOCK,
                                 NETLINK_GENERIC)
        listener.bind((0, 0))
        socket.send_fds(theirs, [b"."], [listener.fileno()])
        os._exit(0)
    theirs.close()
    fds = socket.recv_fds(ours, 1, 1)[1]
    os.wait()
    return socket.socket(fileno=fds[0])


def hears(listener):
    try:
        return bool(listener.recv(1 << 16))
    except BlockingIOError:
        return False


def main():
    release = os.uname().release.split(".")
    chooses = (int(release[0]), int(release[1])) >= (6, 8)
    make("outer", "unshare", "-Urn")
    make("inner", "nsenter", "-U", "-n", "-t", str(makers["outer"].pid), "--preserve-credentials",
         "unshare", "-Urn")
    for net in makers:
        enter(net, "net")
        packets = Family("utf8guard_nf")
        for who, user, uid, where in LISTENERS:
            listener = opened(net, user, uid)
            listener.setsockopt(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, packets.groups[0])
            packets.do("flush")
            # Before 6.8, each member of a group gets each message.
            print(f"{net} namespace: {who}", hears(listener), net in where or not chooses, sep="\t")
            listener.close()
    for maker in makers.values():
        maker.kill()
    print("done", "", "", sep="\t")


main()
