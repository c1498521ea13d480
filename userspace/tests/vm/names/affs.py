#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""affs.py DEVICE: an empty file system of Amiga there, of 1 MiB, that folds case as in Latin-1.

Debian has no program that makes one. The blocks are those of linux/fs/affs/amigaffs.h.
"""
import struct
import sys

SIZE, BLOCKS, RESERVED = 512, 2048, 2
ROOT = BLOCKS // 2
BITMAP = ROOT + 1


def block(words, checksum):
    """The sum of all words is zero."""
    words[checksum] = -sum(words) & 0xffffffff
    return struct.pack(">128I", *words)


root = [0] * 128
root[0], root[3], root[127] = 2, 72, 1  # a root, with 72 chains of names
root[78], root[79] = 0xffffffff, BITMAP  # the bitmap is valid
free = [0] + [0xffffffff] * 127
for used in ROOT, BITMAP:
    free[1 + (used - RESERVED) // 32] &= ~(1 << (used - RESERVED) % 32)

with open(sys.argv[1], "r+b") as device:
    device.write(b"DOS\3")
    device.seek(ROOT * SIZE)
    device.write(block(root, 5) + block(free, 0))
