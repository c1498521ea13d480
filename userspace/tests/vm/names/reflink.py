#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""reflink.py OLD NEW: a copy that shares its blocks, by the ioctl of ocfs2."""
import ctypes
import fcntl
import os
import struct
import sys

OCFS2_IOC_REFLINK = 0x40186F04  # _IOW('o', 4, struct reflink_arguments)

old, new = (ctypes.create_string_buffer(os.fsencode(a)) for a in sys.argv[1:])
fd = os.open(old.value, os.O_RDONLY)
fcntl.ioctl(fd, OCFS2_IOC_REFLINK,
            struct.pack("QQQ", ctypes.addressof(old), ctypes.addressof(new), 1))
