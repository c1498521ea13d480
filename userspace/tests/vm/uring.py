# SPDX-License-Identifier: GPL-2.0
"""Calls of the file system by io_uring, one at a time, without a library."""
import ctypes
import mmap
import os
import struct

libc = ctypes.CDLL(None, use_errno=True)
SYS_SETUP, SYS_ENTER, SYS_REGISTER = 425, 426, 427
ENTER_GETEVENTS = 1
REGISTER_PERSONALITY = 9
OFF_SQ, OFF_CQ, OFF_SQES = 0, 0x8000000, 0x10000000
OPENAT, RENAMEAT, MKDIRAT, SYMLINKAT, LINKAT = 18, 35, 37, 38, 39
FORCE_ASYNC = 1 << 4  # never by the caller itself, always by a worker
AT_FDCWD = -100


class Ring:
    """Four entries, of which no more than one is in use."""

    def __init__(self):
        params = bytearray(120)
        buffer = (ctypes.c_char * 120).from_buffer(params)
        self.fd = libc.syscall(SYS_SETUP, 4, buffer)
        if self.fd < 0:
            raise OSError(ctypes.get_errno(), "io_uring_setup")
        words = struct.unpack("30I", params)
        self.sq, self.cq = words[10:18], words[20:28]
        self.sq_ring = mmap.mmap(self.fd, self.sq[6] + 4 * words[0], offset=OFF_SQ)
        self.cq_ring = mmap.mmap(self.fd, self.cq[5] + 16 * words[1], offset=OFF_CQ)
        self.sqes = mmap.mmap(self.fd, 64 * words[0], offset=OFF_SQES)
        self.personality = 0

    def take_personality(self):
        """From now on, calls are made with the credentials that the process has at this moment."""
        self.personality = libc.syscall(SYS_REGISTER, self.fd, REGISTER_PERSONALITY, None, 0)
        if self.personality < 0:
            raise OSError(ctypes.get_errno(), "io_uring_register")

    def call(self, op, fd, address, second=0, length=0, flags=0):
        """The result, or an OSError, as of the system call."""
        tail, = struct.unpack_from("I", self.sq_ring, self.sq[1])
        mask, = struct.unpack_from("I", self.sq_ring, self.sq[2])
        index = tail & mask
        struct.pack_into("BBHiQQIIQHH20x", self.sqes, 64 * index, op, FORCE_ASYNC, 0, fd,
                         second, address, length & 0xffffffff, flags, 0, 0, self.personality)
        struct.pack_into("I", self.sq_ring, self.sq[6] + 4 * index, index)
        struct.pack_into("I", self.sq_ring, self.sq[1], tail + 1)
        if libc.syscall(SYS_ENTER, self.fd, 1, 1, ENTER_GETEVENTS, None, 0) != 1:
            raise OSError(ctypes.get_errno(), "io_uring_enter")
        return self.result()

    def result(self):
        head, = struct.unpack_from("I", self.cq_ring, self.cq[0])
        mask, = struct.unpack_from("I", self.cq_ring, self.cq[2])
        _, result, _ = struct.unpack_from("QiI", self.cq_ring,
                                          self.cq[5] + 16 * (head & mask))
        struct.pack_into("I", self.cq_ring, self.cq[0], head + 1)
        if result < 0:
            raise OSError(-result, os.strerror(-result))
        return result


_ring = None


def _call(op, path, other=None, **how):
    global _ring
    _ring = _ring or Ring()
    buffers = [ctypes.create_string_buffer(p) for p in (path, other) if p is not None]
    addresses = [ctypes.addressof(b) for b in buffers]
    return _ring.call(op, AT_FDCWD, *addresses, **how)


def create(path):
    os.close(_call(OPENAT, path, length=0o644, flags=os.O_CREAT | os.O_EXCL | os.O_WRONLY))


def create_as_before(path):
    """With a struct cred that equals the one of this process, but is neither that one nor the one
    that the ring's worker has: setgroups() makes a new one each time."""
    global _ring
    _ring = Ring()
    os.setgroups(os.getgroups())
    _ring.take_personality()
    os.setgroups(os.getgroups())
    create(path)
    _ring = None


def mkdir(path):
    _call(MKDIRAT, path, length=0o755)


def symlink(target, path):
    _call(SYMLINKAT, target, path)


def link(old, new):
    _call(LINKAT, old, new, length=AT_FDCWD)


def rename(old, new, flags=0):
    _call(RENAMEAT, old, new, length=AT_FDCWD, flags=flags)
