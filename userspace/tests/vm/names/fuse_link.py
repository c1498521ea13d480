#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A server of FUSE that a user may have mounted: fuse_link.py DIR UID.

It says that all is root's, writable by nobody else: "link", which leads to /, and directories.
"""
import ctypes
import os
import stat
import struct
import sys

LOOKUP, GETATTR, READLINK, INIT = 1, 3, 5, 26
ENOSYS = 38
LINK = 2


def attributes(inode):
    mode = stat.S_IFLNK | 0o777 if inode == LINK else stat.S_IFDIR | 0o755
    return struct.pack("=6Q10I", inode, 1, 0, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)


def answer(operation, inode, body):
    """The error and what follows it."""
    if operation == INIT:
        return 0, struct.pack("=IIIIHHI", 7, 31, 0, 0, 12, 9, 4096).ljust(64, b"\0")
    if operation == LOOKUP:
        found = LINK if body == b"link\0" else LINK + 1
        return 0, struct.pack("=QQQQII", found, 0, 0, 0, 0, 0) + attributes(found)
    if operation == GETATTR:
        return 0, struct.pack("=QII", 0, 0, 0) + attributes(inode)
    if operation == READLINK:
        return 0, b"/"
    return ENOSYS, b""


def main(directory, uid):
    fuse = os.open("/dev/fuse", os.O_RDWR)
    options = f"fd={fuse},rootmode=40755,user_id={uid},group_id={uid},allow_other"
    libc = ctypes.CDLL(None)
    libc.mount(b"his", directory.encode(), b"fuse", 0, options.encode())
    while True:
        request = os.read(fuse, 1 << 18)
        _, operation, unique, inode = struct.unpack_from("=IIQQ", request)
        error, body = answer(operation, inode, request[40:])
        try:
            os.write(fuse, struct.pack("=IiQ", 16 + len(body), -error, unique) + body)
        except OSError:  # of what needs no answer
            pass


if __name__ == "__main__":
    main(*sys.argv[1:])
