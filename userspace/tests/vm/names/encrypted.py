#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Names that are encrypted (fscrypt), with a key that is the same each time:

    encrypted.py key DIR       add the key to the file system of DIR
    encrypted.py policy DIR    encrypt the empty directory DIR with that key, which has been added
"""
import fcntl
import os
import struct
import sys

ADD_KEY, SET_POLICY = 0xc0506617, 0x800c6613
BY_IDENTIFIER = 2
KEY = bytes(range(64))


def add_key(fd):
    """Returns the identifier of the key."""
    request = bytearray(struct.pack("II32xII32x", BY_IDENTIFIER, 0, len(KEY), 0) + KEY)
    fcntl.ioctl(fd, ADD_KEY, request)
    return bytes(request[8:24])


def encrypt(fd):
    """AES-256, XTS for contents and CTS for names, filled up to 32 octets."""
    fcntl.ioctl(fd, SET_POLICY, struct.pack("BBBB4x16s", 2, 1, 4, 3, add_key(fd)))


directory = os.open(sys.argv[2], os.O_RDONLY)
{"key": add_key, "policy": encrypt}[sys.argv[1]](directory)
