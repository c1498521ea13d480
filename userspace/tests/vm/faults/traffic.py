# SPDX-License-Identifier: GPL-2.0
"""Processes that make names and send packets while the helper of a suite does something else.

    with Traffic(directory) as traffic: ...     names in that directory, if one is given, and
                                                packets of this host to itself; all end with it
    traffic.ended()                             the numbers of processes that have ended, which none
                                                does unless a call fails with an errno that is not
                                                in EXPECTED
    traffic.count()                             how many calls each has made
    counts()                                    how many names and packets the modules have looked at
    start(acts)                                 a process that goes through what that yields, for as long as
                                                this one is there, and tells what goes wrong: its PID
"""
import ctypes
import errno
import mmap
import os
import random
import signal
import socket
import struct
import sys
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from genetlink import Family  # noqa: E402

GOOD, BAD = "grüße".encode(), b"gr\xc0\xae"
UDP_PORT, TCP_PORT = 7000, 7001
# By a rule; by a socket whose peer has gone; by names that another process made or removed.
EXPECTED = {errno.EILSEQ, errno.EPERM, errno.ECONNREFUSED, errno.ECONNRESET, errno.EPIPE, errno.EEXIST,
            errno.ENOENT, errno.ENOBUFS, errno.EAGAIN, errno.ETIMEDOUT, errno.EISDIR, errno.ENOTDIR, errno.ENOTEMPTY}


def datagrams(odds):
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as door, \
            socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        door.bind(("127.0.0.1", 0))
        door.setblocking(False)
        while True:
            yield lambda: s.sendto(odds.choice((GOOD, BAD)), ("127.0.0.1", UDP_PORT))
            yield lambda: s.sendto(GOOD, door.getsockname())
            yield lambda: door.recv(100)


def connections(odds):
    door = socket.create_server(("127.0.0.1", TCP_PORT), reuse_port=True)
    door.settimeout(0.05)

    def one():
        with socket.socket() as client:
            client.settimeout(0.05)
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            client.connect(("127.0.0.1", TCP_PORT))
            with door.accept()[0] as server:
                server.settimeout(0.05)
                for _ in range(odds.randrange(1, 5)):
                    client.send(odds.choice((GOOD, GOOD, BAD, GOOD[:3], GOOD[3:])))
                server.recv(100)
    while True:
        yield one


def names(odds, directory):
    def path():
        return directory + b"/" + odds.choice((GOOD, BAD, b"a", b"b", b"\xff")) + b"%d" % odds.randrange(8)

    def create():
        os.close(os.open(path(), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    acts = (create, create, lambda: os.mkdir(path()), lambda: os.rename(path(), path()),
            lambda: os.unlink(path()), lambda: os.rmdir(path()), lambda: os.symlink(b"x", path()),
            lambda: os.link(path(), path()))
    while True:
        yield odds.choice(acts)


def counts():
    """Names and packets that were looked at: they only grow."""
    fs, nf = Family("utf8guard_fs"), Family("utf8guard_nf")
    fs.do("status-get")
    found = [fs.reply["checked"], sum(rule["packets"] for rule in nf.dump("rule-get"))]
    fs.close()
    nf.close()
    return found


def start(acts):
    parent = os.getpid()
    pid = os.fork()
    if pid:
        return pid
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)
    try:
        for _ in acts:
            if os.getppid() != parent:
                break
    except BaseException:   # whatever it is, it is told
        traceback.print_exc()
    os._exit(1)


class Traffic:
    def __init__(self, directory=None):
        kinds = [datagrams, datagrams, connections]
        if directory:
            kinds += [lambda odds: names(odds, directory.encode())] * 2
        self.counters = mmap.mmap(-1, 8 * len(kinds))
        self.pids = {start(self.act(number, kind)): number for number, kind in enumerate(kinds)}

    def act(self, number, kind):
        for done, one in enumerate(kind(random.Random(number))):
            struct.pack_into("Q", self.counters, 8 * number, done)
            try:
                one()
            except OSError as error:
                if not isinstance(error, TimeoutError) and error.errno not in EXPECTED:
                    raise
            yield

    def count(self):
        return [number for number, in struct.iter_unpack("Q", self.counters[:8 * len(self.pids)])]

    def ended(self):
        return [number for pid, number in self.pids.items() if os.waitpid(pid, os.WNOHANG)[0]]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for pid in self.pids:
            try:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
            except (ProcessLookupError, ChildProcessError):
                pass
