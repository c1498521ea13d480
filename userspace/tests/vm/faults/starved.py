#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Each allocation fails in turn: starved.py service|requests|traffic|crowd, or names DIRECTORY,
or MODULE STEP

By /proc/thread-self/fail-nth of the kernel: the n-th allocation of this thread from then on
fails, whoever asks for it. Without that, by utf8guard_famine: the n-th that our modules ask for
themselves. What must hold: after a request, the rules are those from before or those that were
asked for; those from before, if the kernel says that it refused.

Prints NAME, what came and what was wanted, by tabs; "done" in the end.
"""
import ctypes
import errno
import os
import socket
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from genetlink import NF, Family, constants  # noqa: E402

SERVICE = constants("utf8guard")
MOST = 20000
MODULES = os.environ.get("UTF8GUARD_MODULES", "")
libc = ctypes.CDLL(None, use_errno=True)
INIT, DELETE = 313, 176     # finit_module, delete_module, of x86-64


FAIL_NTH, OURS = "/proc/thread-self/fail-nth", "/sys/module/utf8guard_famine/parameters/"


class Famine:
    """In its "with", the allocation fails that has the number "next"; "failed" says whether there
    were so many."""

    def __init__(self):
        if not os.path.exists(FAIL_NTH):
            with open(OURS + "pid", "w", encoding="ascii") as f:
                f.write(str(os.getpid()))
        self.file = os.open(FAIL_NTH if os.path.exists(FAIL_NTH) else OURS + "countdown", os.O_RDWR)
        self.next, self.failed = 0, False

    def __enter__(self):
        if self.next:
            os.pwrite(self.file, b"%d" % self.next, 0)

    def __exit__(self, *_):
        if self.next:
            self.failed = os.pread(self.file, 16, 0).strip() == b"0"
            os.pwrite(self.file, b"0", 0)


famine = Famine()


class Hungry:
    """A socket that sends each request within the famine."""

    def __init__(self, real):
        self.real = real

    def send(self, data):
        with famine:
            return self.real.send(data)

    def __getattr__(self, name):
        return getattr(self.real, name)


class Starved(Family):
    def __init__(self, name):
        super().__init__(name)
        self.socket = Hungry(self.socket)

    def attempt(self, command, **request):
        """As do(), but if no answer can be read, the result is the errno of the socket."""
        try:
            return self.do(command, **request)
        except OSError as error:
            return errno.errorcode.get(error.errno, "EIO")


def check(name, got, wanted):
    print(f"{name}\t{got}\t{wanted}", flush=True)


def rule(port, **more):
    return dict({"hook": NF["HOOK_INPUT"], "protocol": socket.IPPROTO_TCP,
                 "action": NF["ACTION_AUDIT"], "dport_min": port}, **more)


STREAM = {"stream": NF["STREAM_STRICT"], "scope": NF["SCOPE_HTTP_TARGET"], "decode": NF["DECODE_PERCENT"]}


class Rules:
    """Rules of two sockets: the requests of "one" starve, those of "other" do not."""

    def __init__(self):
        self.one, self.other = Starved("utf8guard_nf"), Family("utf8guard_nf")

    def ports(self):
        return [(one["dport-min"], one.get("comment")) for one in self.other.dump("rule-get")]

    def fresh(self, count=3):
        """No transaction, no commit that waits to be confirmed, and that many rules."""
        self.one.socket.close()
        self.one = Starved("utf8guard_nf")
        self.other.do("revert")
        self.other.do("flush")
        for port in range(1, count + 1):
            self.other.do("rule-add", **rule(port))
        return [one["handle"] for one in self.other.dump("rule-get")]


def each(name, prepare, act, state):
    """act() with each of its allocations failing, until none is left."""
    prepare()
    done, wanted = act(), state()
    mixed, wrong, told = 0, 0, {}
    for n in range(1, MOST):
        prepare()
        before = state()
        famine.next, famine.failed = n, False
        result = act()
        famine.next = 0
        after = state()
        told[result] = told.get(result, 0) + 1
        mixed += after not in (before, wanted)
        # Without memory for an answer, the socket says ENOBUFS, whether the request was done or not.
        wrong += result not in ("ok", "ENOBUFS") and after != before or result == "ok" and after != wanted
        if not famine.failed:
            break
    check(f"{name}: with enough, it is done", (done, result), ("ok", "ok"))
    check(f"{name}: else the rules are those of before, or those asked for", mixed, 0)
    check(f"{name}: and the answer says which", wrong, 0)
    check(f"{name}: refused with ENOMEM or ENOBUFS alone", set(told) <= {"ok", "ENOMEM", "ENOBUFS"}, True)
    print(f"# {name}: {n - 1} allocations failed, one by one: {told}", flush=True)


def requests():
    r = Rules()

    def do(command, **request):
        return lambda: r.one.attempt(command, **request)

    def with_handle(command, **request):
        return lambda: r.one.attempt(command, handle=r.first, **request)

    def fresh(count=3):
        def prepare():
            handles = r.fresh(count)
            r.first = handles[0] if handles else 0
        return prepare

    def begun(*acts):
        def prepare():
            r.fresh()
            r.one.do("begin")
            r.one.do("flush")
            for port in (11, 12):
                r.one.do("rule-add", **rule(port, comment="in it"))
            for act in acts:
                r.one.do(act)
        return prepare

    def confirmable():
        begun()()
        r.one.do("commit", confirm=600)

    for name, prepare, act in (
            ("add", fresh(), do("rule-add", **rule(9, comment="x"))),
            ("add the first", fresh(0), do("rule-add", **rule(9))),
            ("add the first stream", fresh(0), do("rule-add", **rule(9, **STREAM))),
            ("replace", fresh(), with_handle("rule-replace", **rule(8, comment="y"))),
            ("delete", fresh(), with_handle("rule-del")),
            ("get", fresh(), with_handle("rule-get")),
            ("flush", fresh(), do("flush")),
            ("begin", fresh(), do("begin")),
            ("add in a transaction", begun(), do("rule-add", **rule(13))),
            ("commit", begun(), do("commit")),
            ("commit that waits", begun(), do("commit", confirm=600)),
            ("abort", begun(), do("abort")),
            ("confirm", confirmable, do("confirm")),
            ("revert", confirmable, do("revert")),
            ("status", fresh(), do("status-get")),
            ("reset", fresh(), do("status-reset"))):
        each(name, prepare, act, r.ports)
    r.fresh(0)


def service():
    """Validation and normalization by netlink."""
    s = Starved("utf8guard")
    s.names = lambda _: {SERVICE["A_TEXT_DATA"]: "uuid", SERVICE["A_TEXT_FORM"]: "form"}
    s.parse = lambda *_: {}
    for command, request in (("validate", {"uuid": b"a\xc0\xae"}), ("info-get", {}),
                             ("normalize", {"uuid": "e\u0301".encode() * 500, "form": 0})):
        each(command, lambda: None, lambda c=command, q=request: s.attempt(c, **q), lambda: 0)


GOOD, BAD = b"GET /gr%C3%BC HTTP/1.1\r\n\r\n", b"GET /\xc0\xae HTTP/1.1\r\n\r\n"


class Connections:
    """Connections of this host with itself, whose streams are followed at both hooks."""

    def __init__(self):
        self.rules = Rules()
        self.rules.fresh(0)
        self.server = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.server.getsockname()[1]
        for hook in "HOOK_INPUT", "HOOK_OUTPUT":
            self.rules.other.do("rule-add", **rule(self.port, **STREAM, hook=NF[hook], action=NF["ACTION_DROP"]))

    def one(self, starving, wait):
        """What arrives of a good and a bad request until they are whole, or a call fails."""
        client, got = socket.socket(), b""
        client.settimeout(wait)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        try:
            with starving:
                client.connect(("127.0.0.1", self.port))
                self.server.settimeout(wait)
                door = self.server.accept()[0]
                with door:
                    client.send(GOOD)
                    client.send(BAD)
                    door.settimeout(wait)
                    while len(got) < len(GOOD) + len(BAD):
                        some = door.recv(4096)
                        if not some:
                            break
                        got += some
        except OSError:
            pass
        finally:
            client.close()
        return got

    def close(self):
        self.server.close()
        self.rules.fresh(0)


def traffic():
    """Connections that are followed; in each of them another allocation fails."""
    all_of_it, bad, good = Connections(), 0, 0
    for n in range(1, MOST):
        famine.next, famine.failed = n, False
        got = all_of_it.one(famine, 0.05)
        famine.next = 0
        good += GOOD in got
        bad += b"\xc0" in got
        if not famine.failed:
            break
    check("packets of who starves: none that is bad arrives", bad, 0)
    check("packets of who starves: then they arrive", all_of_it.one(famine, 2), GOOD)
    print(f"# packets: {n - 1} allocations failed; {good} good requests arrived", flush=True)
    all_of_it.close()


def crowd():
    """The same, while every N-th allocation that may not wait fails, whoever asks for it."""
    all_of_it, bad, good, tried = Connections(), 0, 0, 0
    for every in 2, 3, 5, 7, 11, 13, 29, 61:
        setting("failslab", probability=100, interval=every, times=-1, **{"ignore-gfp-wait": "Y"})
        for _ in range(30):
            got = all_of_it.one(famine, 0.02)
            tried += 1
            good += GOOD in got
            bad += b"\xc0" in got
        setting("failslab", probability=0)
    setting("failslab", **{"ignore-gfp-wait": "N"})
    check("packets where memory is short: none that is bad arrives", bad, 0)
    check("packets where memory is short: some that are good do", good > 0, True)
    check("packets where memory is short: then they arrive", all_of_it.one(famine, 2), GOOD)
    print(f"# packets: of {tried} good requests {good} arrived", flush=True)
    all_of_it.close()


def names(directory):
    """
    A bad name is refused even if there is no memory to report it; no good one is refused as bad. tmpfs
    says ENOSPC where there is no memory for an inode.
    """
    bad, good, told = [], 0, {errno.ENOMEM, errno.EILSEQ, errno.ENOSPC}
    for n in range(1, MOST):
        famine.next, famine.failed = n, False
        for name in b"\xc0\xae", b"good":
            path = directory.encode() + b"/" + name
            try:
                with famine:
                    os.mkdir(path)
                os.rmdir(path)
                if name == b"good":
                    good += 1
                else:
                    bad.append("made")
            except OSError as error:
                if error.errno not in told or name == b"good" and error.errno == errno.EILSEQ:
                    bad.append(f"{name}: {error}")
            if name != b"good":
                failed = famine.failed
        famine.next = 0
        if not failed:
            break
    check("names: what is refused is, and nothing else", bad, [])
    check("names: in the end, what is good is made", good > 0, True)
    print(f"# names: {n - 1} allocations of a refusal failed; {good} good names were made", flush=True)


def setting(what, **values):
    for name, value in values.items():
        with open(f"/sys/kernel/debug/{what}/{name}", "w", encoding="ascii") as f:
            f.write(str(value))


def insert(path):
    fd = os.open(path, os.O_RDONLY)
    with famine:
        failed = libc.syscall(INIT, fd, b"", 0)
        error = ctypes.get_errno()
    os.close(fd)
    return errno.errorcode[error] if failed else "ok"


def delete(name):
    with famine:
        failed = libc.syscall(DELETE, name.encode(), os.O_NONBLOCK)
    return errno.errorcode[ctypes.get_errno()] if failed else "ok"


def module(name, step):
    """Loads and unloads the module while one allocation fails, each STEP-th in turn; in the end, none."""
    path, told, left, stays = f"{MODULES}/{name}.ko".encode(), {}, 0, 0
    for n in range(1, MOST, int(step)):
        famine.next, famine.failed = n, False
        result = insert(path)
        failed = famine.failed
        told[result] = told.get(result, 0) + 1
        famine.next = 1 + n % 40 if result == "ok" else 0
        there = os.path.isdir(f"/sys/module/{name}")
        left += there and result != "ok"
        if there and delete(name) != "ok":
            famine.next = 0
            stays += delete(name) != "ok"
        famine.next = 0
        if not failed:
            break
    check(f"{name}: with enough, it loads", result, "ok")
    check(f"{name}: else nothing is left of it", left, 0)
    check(f"{name}: refused with ENOMEM or ENOBUFS alone", set(told) <= {"ok", "ENOMEM", "ENOBUFS"}, True)
    check(f"{name}: whatever fails, it unloads", stays, 0)
    check(f"{name}: it loads again", insert(path), "ok")
    print(f"# {name}: of {n} allocations of a load each {step}. failed: {told}", flush=True)


PARTS = {"requests": requests, "service": service, "traffic": traffic, "crowd": crowd, "names": names}
if sys.argv[1] in PARTS:
    PARTS[sys.argv[1]](*sys.argv[2:])
else:
    module(*sys.argv[1:])
print("done\t\t")
