#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Replaces the policies all the time while names are made and packets sent: swaps.py TIMES [DIRECTORY]

All policies refuse bad datagrams to PORT, by one rule or another, and bad names in DIRECTORY. So
each verdict about these is one and the same if it is that of the old or of the new policy; what is
let through was judged by neither. The policies differ about OTHER, a port, and a directory of that
name: there a verdict has to be that of the new policy as soon as it is in force. Meanwhile cgroups
come and go, and inodes are evicted.

Prints NAME, what came and what was wanted, by tabs; "done" in the end.
"""
import errno
import mmap
import os
import random
import signal
import socket
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from genetlink import FS, NF, Family  # noqa: E402
from traffic import BAD, GOOD, start  # noqa: E402

times, directory = int(sys.argv[1]), (sys.argv[2:] or [None])[0]
PORT, OTHER = 7000, 7001
ME = "127.0.0.1"
CGROUPS = "/sys/fs/cgroup"


def port(first, last=None, action="DROP", **more):
    return {"hook": NF["HOOK_OUTPUT"], "protocol": socket.IPPROTO_UDP, "dport_min": first, "dport_max": last or first,
            "action": NF[f"ACTION_{action}"], **more}


def where(scope, mode, **more):
    return {"scope": FS[f"SCOPE_{scope}"], "mode": FS[f"MODE_{mode}"], **more}


# Each: the rules, and whether OTHER is refused.
PACKETS = [
    ([port(PORT)], False),
    ([port(PORT, OTHER)], True),
    ([port(OTHER, action="COUNT"), port(PORT, action="REJECT")], False),
    ([port(9000 + n) for n in range(30)] + [port(PORT, family=socket.AF_INET), port(OTHER, action="REJECT")], True),
    ([port(OTHER, action="AUDIT"), port(1, 65535)], False),
]


def names():
    """The same of names: the mode of the default, further rules, and whether OTHER is refused."""
    here, other = {"path": directory}, {"path": f"{directory}/{OTHER}"}
    return [
        ("ENFORCE", [], True),
        ("ENFORCE", [where("SUBTREE", "OFF", **other)], False),
        ("OFF", [where("SUBTREE", "ENFORCE", **here)], True),
        ("AUDIT", [where("FSTYPE", "ENFORCE", fstype="tmpfs"), where("SUBTREE", "AUDIT", **other)], False),
        ("OFF", [where("SUPERBLOCK", "ENFORCE", **here)], True),
    ]


def sent(s, text, to):
    """Whether it was let through."""
    while True:
        try:
            s.sendto(text, (ME, to))
            return True
        except ConnectionRefusedError:
            continue        # of an earlier one, to which nobody listens
        except PermissionError:
            return False


def made(name):
    """Whether it was let through."""
    try:
        os.mkdir(name)
    except OSError as error:
        if error.errno != errno.EILSEQ:
            raise
        return False
    os.rmdir(name)
    return True


def send(_number):
    """Yields whether both verdicts are right."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        while True:
            yield sent(s, GOOD, PORT) and not sent(s, BAD, PORT)


def make(number):
    good, bad = (b"%s/%d" % (directory.encode(), number) + text for text in (GOOD, BAD))
    while True:
        yield made(good) and not made(bad)


def make_in_cgroups(number):
    """The same by a process that is in another cgroup each time, which goes when it has left it."""
    right, n = make(number), 0
    while True:
        group, n = f"{CGROUPS}/swaps-{n % 2}", n + 1
        os.mkdir(group)
        for here in (group, CGROUPS):
            with open(f"{here}/cgroup.procs", "w", encoding="ascii") as f:
                f.write("0")
            yield next(right)
        os.rmdir(group)


def evict(number):
    """The same in directories that are new to memory each time, for what nobody uses is dropped."""
    down = f"{directory}/down/{number}".encode()
    os.makedirs(down)
    while True:
        with open("/proc/sys/vm/drop_caches", "w", encoding="ascii") as f:
            f.write("2")
        yield made(down + b"/" + GOOD) and not made(down + b"/" + BAD)


class Worker:
    """A process that goes on and counts, in memory that is shared, what it did and what was wrong."""

    def __init__(self, number, act):
        self.counts, self.name = mmap.mmap(-1, 16), act.__name__
        self.pid = start(self.count(act(number)))

    def count(self, verdicts):
        for done, right in enumerate(verdicts, 1):
            struct.pack_into("QQ", self.counts, 0, done, self.read()[1] + (not right))
            yield

    def read(self):
        return struct.unpack_from("QQ", self.counts)

    def end(self):
        """Whether it went on until now."""
        went_on = os.waitpid(self.pid, os.WNOHANG)[0] == 0
        if went_on:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        return went_on


def swap(family, requests):
    """What went wrong in replacing all rules by these, in one transaction."""
    for command, attributes in [("begin", {}), ("flush", {})] + requests + [("commit", {})]:
        if family.do(command, **attributes) != "ok":
            return f"{command}: {family.message}"
    return None


def main():
    odds, failed, wrong = random.Random(times), [], 0
    nf, fs = Family("utf8guard_nf"), Family("utf8guard_fs") if directory else None
    swap(nf, [("rule-add", rule) for rule in PACKETS[0][0]])
    acts = [send, send]
    if fs:
        os.mkdir(f"{directory}/{OTHER}")
        swap(fs, [("rule-set", {"handle": 1, "mode": FS["MODE_ENFORCE"]})])
        acts += [make, evict]
        if os.path.exists(f"{CGROUPS}/cgroup.procs"):
            acts.append(make_in_cgroups)
    workers = [Worker(number, act) for number, act in enumerate(acts)]
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        for _ in range(times):
            rules, refused = odds.choice(PACKETS)
            failed.append(swap(nf, [("rule-add", rule) for rule in rules]))
            wrong += sent(s, BAD, OTHER) == refused
            if fs:
                mode, rules, refused = odds.choice(names())
                failed.append(swap(fs, [("rule-set", {"handle": 1, "mode": FS[f"MODE_{mode}"]})] +
                                   [("rule-add", rule) for rule in rules]))
                wrong += made(f"{directory}/{OTHER}/".encode() + BAD) == refused
    print(f"all policies come into force\t{set(failed)}\t{{None}}")
    print(f"then each verdict is that of the new one\t{wrong}\t0")
    found = [worker.read() for worker in workers]
    print(f"all go on meanwhile\t{[worker.name for worker in workers if not worker.end()]}\t[]")
    print(f"each gets some verdicts for each policy\t{[done for done, _ in found if done < times / 10]}\t[]")
    print(f"each of these is that of the old or the new one\t{[bad for _, bad in found if bad]}\t[]")
    print(f"# {times} times; meanwhile, by process: "
          f"{[(worker.name, done) for worker, (done, _) in zip(workers, found)]}")
    print("done\t\t")


main()
