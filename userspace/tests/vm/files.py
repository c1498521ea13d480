#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Calls of the file system, one a line, for names.t and others.

Reads lines of words between tabs, \\xHH in them for any byte, and answers each
with a line: "ok", what was asked for, or the name of an errno.
"""
import ctypes
import errno
import os
import socket
import stat
import sys
import time

import subvolume
import uring

libc = ctypes.CDLL(None, use_errno=True)
AT_FDCWD = -100
RENAME_NOREPLACE, RENAME_EXCHANGE, RENAME_WHITEOUT = 1, 2, 4


def renameat2(old, new, flags):
    if libc.renameat2(AT_FDCWD, old, AT_FDCWD, new, flags):
        raise OSError(ctypes.get_errno(), "renameat2")


def creat(path, source):
    fd = libc.creat(path, 0o644)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "creat")
    os.close(fd)


def mq_open(path, source):
    """Names of queues have no directory: that of path must be where mqueue is mounted."""
    fd = libc.mq_open(b"/" + os.path.basename(path), os.O_CREAT | os.O_RDWR, 0o600, None)
    if fd < 0:
        raise OSError(ctypes.get_errno(), "mq_open")
    os.close(fd)


def write(path, flags, mode=0o644):
    os.close(os.open(path, flags, mode))


def tmpfile(path, source):
    """linkat() of a file that never had a name."""
    fd = os.open(os.path.dirname(path), os.O_TMPFILE | os.O_RDWR)
    try:
        here = os.open(b".", os.O_RDONLY)
        os.link(b"/proc/self/fd/%d" % fd, path, src_dir_fd=here)
        os.close(here)
    finally:
        os.close(fd)


def bind(path, source):
    with socket.socket(socket.AF_UNIX) as s:
        os.chdir(os.path.dirname(path))
        try:
            s.bind(os.path.basename(path))
        finally:
            os.chdir("/")


# Every way to make a name; source is a file that may be linked or renamed. Those
# that not every test needs are below.
WAYS = {
    "create": lambda p, s: write(p, os.O_CREAT | os.O_EXCL | os.O_WRONLY),
    "open": lambda p, s: write(p, os.O_CREAT | os.O_RDWR),
    "file": lambda p, s: os.mknod(p, stat.S_IFREG | 0o644),
    "mkdir": lambda p, s: os.mkdir(p),
    "fifo": lambda p, s: os.mkfifo(p),
    "device": lambda p, s: os.mknod(p, stat.S_IFCHR | 0o600, os.makedev(1, 3)),
    "socket": lambda p, s: os.mknod(p, stat.S_IFSOCK | 0o600),
    "bind": bind,
    "symlink": lambda p, s: os.symlink(b"anywhere", p),
    "link": lambda p, s: os.link(s, p),
    "tmpfile": tmpfile,
    "rename": lambda p, s: os.rename(s, p),
    "noreplace": lambda p, s: renameat2(s, p, RENAME_NOREPLACE),
    "whiteout": lambda p, s: renameat2(s, p, RENAME_WHITEOUT),
}
MORE_WAYS = {
    "creat": creat,
    "mq_open": mq_open,
    "ring-create": lambda p, s: uring.create(p),
    "ring-personality": lambda p, s: uring.create_as_before(p),
    "ring-mkdir": lambda p, s: uring.mkdir(p),
    "ring-symlink": lambda p, s: uring.symlink(b"anywhere", p),
    "ring-link": lambda p, s: uring.link(s, p),
    "ring-rename": lambda p, s: uring.rename(s, p),
    "ring-noreplace": lambda p, s: uring.rename(s, p, RENAME_NOREPLACE),
    "subvolume": lambda p, s: subvolume.ioctl(p, subvolume.SUBVOLUME),
    "subvolume-v2": lambda p, s: subvolume.ioctl(p, subvolume.SUBVOLUME_V2),
    "snapshot": lambda p, s: subvolume.snapshot(p, subvolume.SNAPSHOT),
    "snapshot-v2": lambda p, s: subvolume.snapshot(p, subvolume.SNAPSHOT_V2),
}
ALL_WAYS = WAYS | MORE_WAYS


def remove(path):
    try:
        if stat.S_ISDIR(os.lstat(path).st_mode):
            os.rmdir(path)
        else:
            os.unlink(path)
    except FileNotFoundError:
        pass


def make(directory, name, *ways):
    """Tries each of the ways; afterwards the name must be there if that succeeded, and only then."""
    path, source = directory + b"/" + name, directory + b"/.source"
    outcomes = {}
    for way in [w.decode() for w in ways] or WAYS:
        write(source, os.O_CREAT | os.O_WRONLY)
        try:
            ALL_WAYS[way](path, source)
            outcome = "ok"
        except OSError as e:
            outcome = errno.errorcode[e.errno]
        if os.path.lexists(path) != (outcome == "ok"):
            outcome += " but " + ("there" if outcome != "ok" else "not there")
        remove(path)
        remove(source)
        outcomes.setdefault(outcome, []).append(way)
    if len(outcomes) == 1:
        return "all " + outcome
    return "; ".join(o + ": " + " ".join(w) for o, w in outcomes.items())


def read(path):
    with open(path, "rb") as f:
        return f.read().decode("latin-1")


def append(path, text):
    with open(path, "ab") as f:
        f.write(text)


def names(directory):
    return " ".join("".join(chr(b) if 32 < b < 127 else f"\\x{b:02x}" for b in name)
                    for name in sorted(os.listdir(directory)))


def flood(directory, count):
    """Bad names, as fast as it can; how many were refused."""
    refused = 0
    for i in range(int(count)):
        try:
            write(directory + b"/\xff%d" % i, os.O_CREAT | os.O_EXCL | os.O_WRONLY)
        except OSError as e:
            refused += e.errno == errno.EILSEQ
    return str(refused)


def descend(directory, depth):
    """Into directories all of the name "d", deeper than a path may be long."""
    os.chdir(directory)
    for _ in range(int(depth)):
        try:
            os.chdir("d")
        except FileNotFoundError:
            os.mkdir("d")
            os.chdir("d")


def deep(directory, depth, name):
    """Makes a file at that depth."""
    os.makedirs(directory, exist_ok=True)
    descend(directory, depth)
    try:
        write(name, os.O_CREAT | os.O_WRONLY)
    finally:
        os.chdir("/")


def undeep(directory, depth, name, new):
    """Renames it."""
    descend(directory, depth)
    try:
        os.rename(name, new)
    finally:
        os.chdir("/")


writing = []


def writers(directory, count):
    """Processes that try every way, over and over, until the file "run" is gone."""
    write(directory + b"/run", os.O_CREAT | os.O_WRONLY)
    for i in range(int(count)):
        own = directory + b"/%d" % i
        os.mkdir(own)
        pid = os.fork()
        if pid:
            writing.append(pid)
            continue
        good = True
        while os.path.exists(directory + b"/run"):
            good &= make(own, "é".encode()) == "all ok"
            # Let through or refused, but nothing else, whatever is loaded.
            for outcome in make(own, b"\xe9").split("; "):
                good &= outcome.startswith(("all ok", "all EILSEQ", "ok: ", "EILSEQ: "))
            # The others, and whoever loads and unloads, want the processor too.
            time.sleep(0.5)
        os._exit(not good)


def wait(directory):
    """Ends the writers; how many of them saw only what may happen."""
    os.unlink(directory + b"/run")
    return str(sum(os.waitpid(pid, 0)[1] == 0 for pid in writing))


COMMANDS = {
    "make": make,
    "writers": writers,
    "wait": wait,
    "names": names,
    "flood": flood,
    "deep": deep,
    "undeep": undeep,
    "create": lambda p: write(p, os.O_CREAT | os.O_EXCL | os.O_WRONLY),
    "open": lambda p: write(p, os.O_CREAT | os.O_RDWR),
    "mkdir": os.mkdir,
    "mknod": lambda p: os.mknod(p, stat.S_IFCHR | 0o600, os.makedev(1, 3)),
    "symlink": lambda p: os.symlink(b"anywhere", p),
    "link": os.link,
    "rename": os.rename,
    "exchange": lambda a, b: renameat2(a, b, RENAME_EXCHANGE),
    "whiteout": lambda a, b: renameat2(a, b, RENAME_WHITEOUT),
    "unlink": os.unlink,
    "rmdir": os.rmdir,
    "stat": lambda p: os.lstat(p) and None,
    "read": read,
    "append": append,
    "truncate": lambda p: os.truncate(p, 1),
    "chmod": lambda p: os.chmod(p, 0o600),
    "chown": lambda p: os.chown(p, 1, 1),
    "utime": os.utime,
    "setxattr": lambda p: os.setxattr(p, b"user.utf8guard", b"x"),
}

for line in sys.stdin.buffer:
    words = [w.decode("unicode_escape").encode("latin-1")
             for w in line.rstrip(b"\n").split(b"\t")]
    try:
        result = COMMANDS[words[0].decode()](*words[1:]) or "ok"
    except OSError as e:
        result = errno.errorcode[e.errno]
    except Exception as e:  # a fault of the test: must not end in silence
        result = f"{type(e).__name__}: {e}"
    print(result, flush=True)
