# SPDX-License-Identifier: GPL-2.0
"""Subvolumes and snapshots of btrfs, by each of the ioctls that make them."""
import fcntl
import os
import struct

# _IOW(0x94, number, ...) of structures of 4096 octets.
SUBVOLUME, SNAPSHOT, SUBVOLUME_V2, SNAPSHOT_V2 = (0x50009400 + n for n in (14, 1, 24, 23))


def ioctl(path, number, source=-1):
    name = os.path.basename(path)
    if number in (SUBVOLUME, SNAPSHOT):
        argument = struct.pack("q4088s", source, name)
    else:
        argument = struct.pack("qQQ32x4040s", source, 0, 0, name)
    directory = os.open(os.path.dirname(path), os.O_RDONLY | os.O_DIRECTORY)
    try:
        # A bytearray: of bytes, which it cannot change, ioctl() takes 1024 at most.
        fcntl.ioctl(directory, number, bytearray(argument))
    finally:
        os.close(directory)


def snapshot(path, number):
    """Of an empty subvolume in the same directory, which is made first if it is not there."""
    origin = os.path.dirname(path) + b"/origin"
    if not os.path.isdir(origin):
        ioctl(origin, SUBVOLUME)
    source = os.open(origin, os.O_RDONLY | os.O_DIRECTORY)
    try:
        ioctl(path, number, source)
    finally:
        os.close(source)
