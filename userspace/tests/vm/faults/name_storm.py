#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Random names from several processes: name_storm.py NAMES SEED TMPFS EXT4 OVERLAY

NAMES are made in all, in three file systems, by each call that makes one; beside that directories
are moved, file systems mounted and unmounted, and rules replaced by others that refuse the same.
Each answer is judged by Python's decoder, and so is what is there in the end.

Prints NAME, what came and what was wanted, by tabs; "done" in the end.
"""
import ctypes
import errno
import mmap
import os
import random
import signal
import stat
import struct
import sys
import traceback

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from genetlink import FS, Family  # noqa: E402

WORKERS = 4
count, seed = int(sys.argv[1]), int(sys.argv[2])
places = [word.encode() for word in sys.argv[3:]]
# Names that were in the lower layer of the overlay before there were rules.
OLD = {b"old\xff", b"\xc0\xae"}
# Errors that the work of the other processes brings about.
OTHERS = {"EEXIST", "ENOENT", "ENAMETOOLONG", "EISDIR", "ENOSPC", "ENOTDIR", "ENOTEMPTY", "EXDEV",
          "ESTALE"}
libc = ctypes.CDLL(None, use_errno=True)
AT_FDCWD, NOREPLACE, EXCHANGE = -100, 1, 2
PIECES = (b"a", b"B", b".", b" ", b"\x7f", "é".encode(), "€".encode(), "😀".encode(),
          b"\xf4\x8f\xbf\xbf", b"\xef\xbf\xbf", b"\xed\x9f\xbf", b"\xee\x80\x80", b"\xc2\x80", b"\xdf\xbf", b"\xe0\xa0\x80", b"\xf0\x90\x80\x80")
BAD_PIECES = (b"\x80", b"\xc0\xae", b"\xc1\xbf", b"\xe0\x80\xaf", b"\xed\xa0\x80", b"\xf4\x90\x80\x80",
              b"\xf8\x88\x80\x80\x80", b"\xff", b"\xfe", b"\xc3", b"\xe2\x82", b"\xf0\x9f\x98", b"\xf0\x80\x80\xaf")


def is_text(name):
    try:
        name.decode()
        return True
    except UnicodeDecodeError:
        return False


def renameat2(old, new, flags):
    if libc.renameat2(AT_FDCWD, old, AT_FDCWD, new, flags):
        raise OSError(ctypes.get_errno(), "renameat2")


class Worker:
    def __init__(self, number, counters):
        self.odds = random.Random(seed * 100 + number)
        self.number, self.counters = number, counters
        self.made = self.refused = self.wrong = 0

    def name(self):
        odds = self.odds
        kind = odds.randrange(8)
        if kind == 0:
            made = odds.randbytes(odds.choice((1, 2, 3, 7, 8, 9, 33))).replace(b"/", b"\xff").replace(b"\0", b"\xfe")
            return made.replace(b".", b"\xfd")
        made = b"".join(odds.choice(PIECES) for _ in range(odds.choice((1, 1, 2, 3, 12))))
        if kind < 4:
            at = odds.randrange(len(made) + 1)
            made = made[:at] + odds.choice(BAD_PIECES) + made[at:]
        elif kind == 4:
            made = odds.choice((b"x", b"y", b"\xff", b"\xc0\xae", b"old\xff"))
        return made if made.strip(b".") else b"dots" + made

    def directory(self):
        return self.odds.choice(places) + b"/" + self.odds.choice((b"one", b"one/two", b"three"))

    def source(self, path):
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        return path

    def act(self):
        """A name, its path, and a call that makes it."""
        odds, name, there = self.odds, self.name(), self.directory()
        path, own = there + b"/" + name, b"%s/.own%d" % (there, self.number)
        return name, path, odds.choice((
            lambda: os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)),
            lambda: os.mkdir(path), lambda: os.mkfifo(path), lambda: os.symlink(b"x", path),
            lambda: os.link(self.source(own), path), lambda: os.rename(self.source(own), path),
            lambda: renameat2(self.source(own), path, NOREPLACE)))

    def one(self):
        name, path, act = self.act()
        try:
            act()
            result = "ok"
        except OSError as error:
            result = errno.errorcode[error.errno]
        # If others have moved the directory or made that name, the kernel tells either that or EILSEQ.
        if result == "ok":
            self.made += 1
            # To rename a file onto one of these old names makes no new name.
            if not is_text(name) and name not in OLD:
                self.complain(f"{name!r} was made")
        elif result == "EILSEQ":
            self.refused += 1
            if is_text(name):
                self.complain(f"{name!r} was refused")
        elif result not in OTHERS:
            self.complain(f"{name!r}: {result}")
        # Some stay, until others want that name, or there is no room.
        if result == "EEXIST" and name not in OLD or result == "ok" and self.odds.randrange(10):
            self.remove(path)
        elif result == "ENOSPC":
            self.sweep(os.path.dirname(path))

    def remove(self, path):
        try:
            (os.rmdir if stat.S_ISDIR(os.lstat(path).st_mode) else os.unlink)(path)
        except OSError as error:
            if errno.errorcode[error.errno] not in OTHERS:
                raise

    def sweep(self, directory):
        """So that the next names find room: what is there, but for the old names."""
        try:
            names = set(os.listdir(directory)) - OLD
        except OSError:
            return
        for name in names:
            self.remove(directory + b"/" + name)

    def complain(self, what):
        self.wrong += 1
        if self.wrong < 6:
            print(f"# {what}", flush=True)

    def run(self, rounds):
        for _ in range(rounds):
            self.one()
        struct.pack_into("QQQ", self.counters, 24 * self.number, self.made, self.refused, self.wrong)


def mover(odds):
    """Moves directories that others are in, for a name is judged by the rules on the way up from there."""
    while True:
        place = odds.choice(places)
        for step in ((b"one/two", b"three/two"), (b"three/two", b"one/two"), (b"one", b"four"), (b"four", b"one")):
            try:
                os.rename(place + b"/" + step[0], place + b"/" + step[1])
            except OSError:
                pass
        try:
            renameat2(place + b"/one", place + b"/three", EXCHANGE)
        except OSError:
            pass


def mounter(odds):
    at = places[0] + b"/mounted"
    os.makedirs(at, exist_ok=True)
    while True:
        if libc.mount(b"tmpfs", at, b"tmpfs", 0, b"size=1m"):
            raise OSError(ctypes.get_errno(), "mount")
        try:
            os.mkdir(at + b"/\xff")
            print("# a bad name in what was mounted", flush=True)
            os._exit(1)
        except OSError as error:
            if error.errno != errno.EILSEQ:
                raise
        os.mkdir(at + b"/good")
        if libc.umount2(at, odds.choice((0, 2))):
            raise OSError(ctypes.get_errno(), "umount")


def turner(_odds):
    """Replaces the rules all the time: the default refuses what is no text, alone or with further rules."""
    fs = Family("utf8guard_fs")
    while True:
        for more in False, True:
            results = [fs.do("begin"), fs.do("flush"), fs.do("rule-set", handle=1, mode=FS["MODE_ENFORCE"])]
            if more:
                results += [fs.do("rule-add", mode=FS["MODE_ENFORCE"], **where) for where in (
                    {"scope": FS["SCOPE_SUBTREE"], "path": places[0].decode()},
                    {"scope": FS["SCOPE_FSTYPE"], "fstype": "ext4"})]
            results.append(fs.do("commit"))
            if set(results) != {"ok"}:
                print(f"# rules are not replaced: {results} {fs.message}", flush=True)
                os._exit(1)


def started(what, *args):
    pid = os.fork()
    if not pid:
        libc.prctl(1, signal.SIGKILL)
        try:
            what(*args)
            os._exit(0)
        except BaseException:   # whatever it is, it is told
            traceback.print_exc()
        os._exit(1)
    return pid


def left_over():
    """Names that are there and no text."""
    found = set()
    for place in places:
        for _, directories, files in os.walk(place):
            found.update(name for name in directories + files if not is_text(name))
    return found


def main():
    counters = mmap.mmap(-1, 24 * WORKERS)
    others = [started(what, random.Random(seed)) for what in (mover, mounter, turner)]
    workers = [started(Worker(number, counters).run, count // WORKERS) for number in range(WORKERS)]
    ended = [os.waitpid(pid, 0)[1] for pid in workers]
    beside = [os.waitpid(pid, os.WNOHANG)[1] for pid in others]
    for pid in others:
        try:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        except (ProcessLookupError, ChildProcessError):
            pass
    made, refused, wrong = (sum(column) for column in zip(*struct.iter_unpack("QQQ", counters[:])))
    print(f"# {count} names by {WORKERS} processes: {made} made, {refused} refused")
    print(f"all of them end\t{ended}\t{[0] * WORKERS}")
    print(f"what goes on beside goes on\t{beside}\t[0, 0, 0]")
    print(f"each answer is right\t{wrong}\t0")
    print(f"many are made\t{made > count // 5}\tTrue")
    print(f"many are refused\t{refused > count // 5}\tTrue")
    print(f"what is there is text, or was before\t{sorted(left_over() - OLD)}\t[]")
    print("done\t\t")


main()
