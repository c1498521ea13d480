#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Names in directories as deep as anybody can make them: depth.py PART [ARG...].

Prints NAME, what came and what was wanted, by tabs; "done" in the end.
"""
import ctypes
import errno
import os
import signal
import sys
import time

from genetlink import FS, Family, constants

libc = ctypes.CDLL(None, use_errno=True)
LIMIT = 4096
BAD = b"a\xff"
fs = Family("utf8guard_fs")


def check(name, got, wanted):
    print(f"{name}\t{got}\t{wanted}", flush=True)


class Hole:
    """A directory that many below another one; it is used by its descriptor, for no path is that long."""

    def __init__(self, path, depth):
        os.makedirs(path, exist_ok=True)
        self.fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        self.dig(depth)

    def dig(self, more):
        for _ in range(more):
            os.mkdir("d", dir_fd=self.fd)
            below = os.open("d", os.O_RDONLY | os.O_DIRECTORY, dir_fd=self.fd)
            os.close(self.fd)
            self.fd = below
        os.fchmod(self.fd, 0o777)

    def create(self, name=BAD, uid=0):
        libc.setfsuid(uid)
        try:
            os.close(os.open(name, os.O_CREAT | os.O_EXCL, dir_fd=self.fd))
            os.unlink(name, dir_fd=self.fd)
        except OSError as e:
            return errno.errorcode[e.errno]
        finally:
            libc.setfsuid(0)
        return "ok"

    def move(self):
        """A rename onto a bad name that is there already."""
        start()
        for made in (b"good", BAD):
            os.mknod(made, dir_fd=self.fd)
        add("/tmp/places/rule", "enforce")
        try:
            os.rename(b"good", BAD, src_dir_fd=self.fd, dst_dir_fd=self.fd)
        except OSError as e:
            os.unlink(b"good", dir_fd=self.fd)
            return errno.errorcode[e.errno]
        finally:
            os.unlink(BAD, dir_fd=self.fd)
        return "ok"


def add(path, mode, **more):
    return fs.do("rule-add", scope=FS["SCOPE_SUBTREE"], path=path,
                 mode=FS["MODE_" + mode.upper()], **more)


def status(name):
    fs.do("status-get")
    return fs.reply[name]


def start():
    fs.do("flush")
    fs.do("status-reset")


def limit(top):
    """Which rule decides at the limit, and beyond."""
    start()
    for name in ("rule", "none", "else"):
        os.makedirs(f"{top}/{name}", exist_ok=True)
    # The directory of the rule and the root are two more.
    within = Hole(f"{top}/rule", LIMIT - 2)
    beyond = Hole(f"{top}/none", LIMIT)
    elsewhere = Hole("/tmp/other", LIMIT + 100)
    check("a rule", add(f"{top}/rule", "enforce"), "ok")
    check("as deep as it reaches", within.create(), "EILSEQ")
    check("counted as that", status("deep"), 0)
    within.dig(1)
    check("one deeper", within.create(), "EILSEQ")
    check("one deeper: is counted", status("deep"), 1)
    check("a good name is made there", within.create(b"good"), "ok")
    check("and is not counted", status("deep"), 1)
    check("beyond, where no rule is", beyond.create(), "EILSEQ")
    check("on another file system", elsewhere.create(), "ok")
    check("nor is that counted", status("deep"), 2)
    check("in the directory without rule", Hole(f"{top}/none", 0).create(), "ok")

    start()
    add(f"{top}/rule", "enforce", uid_min=7, uid_max=7)
    check("whomever the rule is for", beyond.create(), "EILSEQ")
    check("and whatever it spares", beyond.move(), "EILSEQ")

    start()
    add(f"{top}/rule", "audit")
    check("one that audits", beyond.create(), "ok")
    check("audits", status("audited"), 1)
    fs.do("rule-set", handle=1, mode=FS["MODE_ENFORCE"])
    check("a default that enforces is stricter", beyond.create(), "EILSEQ")
    add(f"{top}/else", "audit", form=0)
    fs.do("status-reset")
    check("what the default does not refuse", beyond.create("e\u0301".encode()), "ok")
    check("one that audits still reports", status("audited"), 1)

    start()
    add(f"{top}/rule", "off")
    check("one that is off", beyond.create(), "ok")
    check("leaves it to the default", status("audited"), 1)
    add(f"{top}/else", "enforce", refuse=1 << 9)
    control = fs.reply["handle"]
    check("what any rule refuses", beyond.create(b"\x01"), "EILSEQ")
    add(f"{top}/rule", "audit", uid_min=3, uid_max=3, form=0)
    check("what those that enforce do not is only reported",
          beyond.create("e\u0301".encode()), "ok")
    check("by the one that audits", status("audited"), 2)
    check("how often the depth was beyond", status("deep"), 3)
    check("explain", (explain(beyond), fs.reply["handle"], fs.reply.get("deep")),
          ("ok", control, True))
    nearer = Hole(f"{top}/none", 0)
    check("explain: not so deep", (explain(nearer), fs.reply["handle"], fs.reply.get("deep")),
          ("ok", 1, None))

    start()
    add(f"{top}/rule", "enforce", admin_exempt=True)
    check("one that exempts administrators", beyond.create(), "EILSEQ")
    check("explain: exempts none there", (explain(beyond, name=BAD + b"\0"), fs.reply["outcome"]),
          ("ok", constants("utf8guard")["OUTCOME_REFUSED"]))
    start()


def explain(hole, **more):
    return fs.do("rule-explain", path=f"/proc/self/fd/{hole.fd}", **more)


RENAMES = "/sys/module/utf8guard_renames/parameters/"
# Twice without the lock, once with it, and not again, whatever others do.
MOST_WALKS = 3


def storm(depth, count):
    """How many walks up a name takes while others rename, and how long that takes."""
    start()
    os.makedirs("/tmp/places/rule", exist_ok=True)
    os.makedirs("/tmp/other/storm", exist_ok=True)
    add("/tmp/places/rule", "audit")
    hole = Hole("/tmp/places/hole", int(depth))
    calm, walks = make_names(hole, 20)
    check("a way up for a name", 20 <= walks <= 20 * MOST_WALKS, True)
    forced, walks = make_names(hole, 20, renames=1000)
    check("a rename on each way up: there are no more than three", walks, 20 * MOST_WALKS)
    renamers = [rename_forever(f"/tmp/other/storm/{i}") for i in range(3)]
    times, walks = make_names(hole, int(count))
    for pid in renamers:
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
    print(f"# depth {depth}: {describe(calm)}; with a rename on each way up: "
          f"{describe(forced)}; with three that rename: {describe(times)}, {walks} ways up")
    check("three that rename: there are no more, either",
          len(times) <= walks <= MOST_WALKS * len(times), True)
    check("and all were judged", status("deep"), len(calm) + len(forced) + len(times))


def describe(times):
    times = sorted(times)
    return f"{1e3 * times[len(times) // 2]:.2f} ms, at most {1e3 * times[-1]:.2f} ms"


def parameter(name, value=None):
    with open(RENAMES + name, "r" if value is None else "w", encoding="ascii") as file:
        return int(file.read()) if value is None else file.write(str(value))


def make_names(hole, count, renames=0):
    """How long each took, and how many walks up all of them together."""
    times, walks = [], parameter("walks")
    parameter("renames", renames)
    for _ in range(count):
        before = time.monotonic()
        os.close(os.open(BAD, os.O_CREAT | os.O_EXCL, dir_fd=hole.fd))
        times.append(time.monotonic() - before)
        os.unlink(BAD, dir_fd=hole.fd)
    parameter("renames", 0)
    return times, parameter("walks") - walks


def rename_forever(path):
    os.mknod(path)
    pid = os.fork()
    if pid:
        return pid
    while True:
        os.rename(path, path + "x")
        os.rename(path + "x", path)


if __name__ == "__main__":
    {"limit": limit, "storm": storm}[sys.argv[1]](*sys.argv[2:])
    print("done")
