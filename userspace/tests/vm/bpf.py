#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""BPF programs on functions of the kernel, without a compiler and a library. load() is for
paths.py, too.

Reads lines "attach KIND FUNCTION", KIND one of fentry, fexit, lsm, "runs" and
"detach". A program does nothing but return 0; "runs" is how often those that are
attached ran together, since they were attached.
"""
import ctypes
import errno
import os
import re
import struct
import sys

libc = ctypes.CDLL(None, use_errno=True)
SYS_BPF = {"aarch64": 280}.get(os.uname().machine, 321)
PROG_LOAD, RAW_TRACEPOINT_OPEN = 5, 17
# Program type, attach type, and what the name of the function begins with.
KINDS = {"fentry": (26, 24, ""), "fexit": (26, 25, ""), "lsm": (29, 27, "bpf_lsm_")}
KIND_FUNC = 12
# What follows the three words of a struct btf_type, by its kind: octets, and octets for each member.
EXTRA = {1: (4, 0), 3: (12, 0), 4: (0, 12), 5: (0, 12), 6: (0, 8), 13: (0, 8), 14: (4, 0),
         15: (0, 12), 17: (4, 0), 19: (0, 12)}
RETURN_0 = struct.pack("BBhiBBhi", 0xb7, 0, 0, 0, 0x95, 0, 0, 0)


def bpf(command, attributes):
    buffer = ctypes.create_string_buffer(attributes, 144)
    result = libc.syscall(SYS_BPF, command, buffer, 144)
    if result < 0:
        raise OSError(ctypes.get_errno(), "bpf")
    return result


def load(kind, place, code, function=0):
    licence = ctypes.create_string_buffer(b"GPL")
    code = ctypes.create_string_buffer(code, len(code))
    return bpf(PROG_LOAD, struct.pack(
        "IIQQIIQII16sIIIIQIIQII", kind, len(code) // 8, ctypes.addressof(code),
        ctypes.addressof(licence), 0, 0, 0, 0, 0, b"test", 0, place, 0, 0, 0, 0, 0, 0, 0, function))


def functions(wanted):
    """The BTF type ID of the function of that name."""
    with open("/sys/kernel/btf/vmlinux", "rb") as f:
        data = f.read()
    header, types, types_len, strings = struct.unpack_from("4xIIII", data)
    at, end = header + types, header + types + types_len
    name = data.index(b"\0" + wanted.encode() + b"\0", header + strings) + 1 - header - strings
    number = 1
    unpack = struct.Struct("II").unpack_from
    while at < end:
        offset, info = unpack(data, at)
        kind = info >> 24 & 31
        if offset == name and kind == KIND_FUNC:
            return number
        fixed, each = EXTRA.get(kind, (0, 0))
        at += 12 + fixed + each * (info & 0xffff)
        number += 1
    raise OSError(errno.ENOENT, wanted)


numbers, attached = {}, []


def attach(kind, function):
    kind_of_program, place, prefix = KINDS[kind]
    function = prefix + function
    if function not in numbers:
        numbers[function] = functions(function)
    program = load(kind_of_program, place, RETURN_0, numbers[function])
    try:
        attached.append((program, bpf(RAW_TRACEPOINT_OPEN, struct.pack("QI", 0, program))))
    except OSError:
        os.close(program)
        raise


def runs():
    total = 0
    for program, _ in attached:
        with open(f"/proc/self/fdinfo/{program}") as f:
            total += int(re.search(r"run_cnt:\s*(\d+)", f.read())[1])
    return str(total)


def detach():
    while attached:
        for fd in attached.pop():
            os.close(fd)


COMMANDS = {"attach": attach, "runs": runs, "detach": detach}


if __name__ == "__main__":
    for line in sys.stdin:
        words = line.rstrip("\n").split("\t")
        try:
            answer = COMMANDS[words[0]](*words[1:]) or "ok"
        except OSError as e:
            answer = errno.errorcode[e.errno]
        print(answer, flush=True)
