# SPDX-License-Identifier: GPL-2.0
"""Network namespaces, for helpers of suites: sockets in those of lib.sh, and new ones.

A namespace is a name of "ip netns", or "-" for the one that the program was started in.
"""
import ctypes
import fcntl
import os
import socket
import struct

CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
libc = ctypes.CDLL(None, use_errno=True)
own = os.open("/proc/self/ns/net", os.O_RDONLY)


def enter(ns):
    """From now on, what the program makes is in that namespace."""
    fd = own if ns == "-" else os.open(f"/run/netns/{ns}", os.O_RDONLY)
    if libc.setns(fd, CLONE_NEWNET):
        raise OSError(ctypes.get_errno(), "setns")
    if fd != own:
        os.close(fd)


def inside(ns, what):
    """What the function returns when it is called in that namespace."""
    enter(ns)
    try:
        return what()
    finally:
        enter("-")


def socket_in(ns, *kind):
    """A socket stays in the namespace that it was made in."""
    return inside(ns, lambda: socket.socket(*kind))


def unshare(flags):
    """New namespaces for this process: CLONE_NEWNET, CLONE_NEWUSER, or both."""
    if libc.unshare(flags):
        raise OSError(ctypes.get_errno(), "unshare")


def loopback_up():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        fcntl.ioctl(s, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", IFF_UP))


def family_of(address):
    return socket.AF_INET6 if ":" in address else socket.AF_INET


def close_at_once(s):
    """Makes close() send a reset, or the kernel would retransmit for minutes what a rule drops."""
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
