#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Each allocation fails in turn: starved.py service|traffic|crowd, or requests fs|nf, or names
DIRECTORY, or command NAME PREPARE ACT STATE, or module NAME STEP

By /proc/thread-self/fail-nth of the kernel: the n-th allocation of this thread from then on
fails, whoever asks for it. Without that, by utf8guard_famine: the n-th that our modules ask for
themselves. What must hold: after a request, the rules are those from before or those that were
asked for; those from before, if the kernel says that it refused. Each part says whether an
allocation failed at all, or that there is none to fail.

Prints NAME, what came and what was wanted, by tabs; "done" in the end.
"""
import ctypes
import errno
import os
import shlex
import socket
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from genetlink import FS, LONGS, NF, Family, attribute, constants  # noqa: E402

SERVICE = constants("utf8guard")
MOST = 20000
MODULES = os.environ.get("UTF8GUARD_MODULES", "")
libc = ctypes.CDLL(None, use_errno=True)
INIT, DELETE = 313, 176     # finit_module, delete_module, of x86-64


FAIL_NTH, OURS = "/proc/thread-self/fail-nth", "/sys/module/utf8guard_famine/parameters/"
# Does each allocation of the kernel fail in turn, or one of our modules?
EVERY = os.path.exists(FAIL_NTH)


class Famine:
    """In its "with", the allocation fails that has the number "next"; "failed" says whether there
    were so many."""

    def __init__(self):
        if not EVERY:
            self.of(os.getpid())
        self.file = os.open(FAIL_NTH if EVERY else OURS + "countdown", os.O_RDWR)
        self.next, self.failed = 0, False

    @staticmethod
    def of(pid):
        with open(OURS + "pid", "w", encoding="ascii") as f:
            f.write(str(pid))

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


def reached(name, n, asks=True):
    """Of what asks for memory, something has failed before the N-th time, when nothing did any more."""
    check(f"{name}: some failed, if it asks for any", n > 1, asks or EVERY)


DIR = "/tmp/names"
STREAM = {"stream": NF["STREAM_STRICT"], "scope": NF["SCOPE_HTTP_TARGET"], "decode": NF["DECODE_PERCENT"]}
SETS = {
    "hook": NF["HOOK_INPUT"], "protocol": socket.IPPROTO_TCP, "action": NF["ACTION_AUDIT"],
    "dport_range": [attribute(1, struct.pack("H", port)) + attribute(2, struct.pack("H", port)) for port in (20, 22)],
    "family": socket.AF_INET,
    "saddr_network": [attribute(NF["A_NETWORK_ADDRESS"], bytes([10, third, 0, 0])) +
                      attribute(NF["A_NETWORK_PREFIX"], b"\x10") for third in (1, 3)]}
# What a rule says of itself beside what was asked for.
OWN = LONGS | {"handle", "generation", "count", "pad", "device", "major", "minor", "uuid"}


def rule(port, **more):
    return dict({"hook": NF["HOOK_INPUT"], "protocol": socket.IPPROTO_TCP,
                 "action": NF["ACTION_AUDIT"], "dport_min": port}, **more)


def name_rule(directory, **more):
    os.makedirs(f"{DIR}/{directory}", exist_ok=True)
    return dict({"scope": FS["SCOPE_SUBTREE"], "path": f"{DIR}/{directory}",
                 "mode": FS["MODE_ENFORCE"]}, **more)


def run(*words):
    subprocess.run(words, check=True)


def refuses(directory):
    """Is a name refused there that is ill-formed?"""
    path = f"{DIR}/{directory}/".encode() + b"\xff"
    try:
        os.mkdir(path)
    except OSError as error:
        return error.errno == errno.EILSEQ
    os.rmdir(path)
    return False


class Rules:
    """Rules of two sockets: the requests of "one" starve, those of "other" do not."""

    def __init__(self, kind="nf"):
        self.kind, self.family, self.first = kind, "utf8guard_" + kind, 0
        self.rule = name_rule if kind == "fs" else rule
        self.one, self.other = Starved(self.family), Family(self.family)

    def state(self):
        """What the rules say, and what those for names do."""
        said = [{word: value for word, value in one.items() if word not in OWN}
                for one in self.other.dump("rule-get")]
        return said, [refuses(directory) for directory in (1, 8, 9, "again")] if self.kind == "fs" else []

    def fresh(self, count=3):
        """No transaction, no commit that waits to be confirmed, and that many rules."""
        self.one.socket.close()
        self.one = Starved(self.family)
        self.other.do("revert")
        self.other.do("flush")
        for port in range(1, count + 1):
            self.other.do("rule-add", **self.rule(port))
            # Of the first one. It has not got this handle from the default for names.
            self.first = self.other.reply["handle"] if port == 1 else self.first


# What may be told together with ENOMEM: what failed. Anything else would be a wrong cause.
FAILED = {None, "cannot register the netfilter hook", "cannot turn on connection tracking"}


def each(name, prepare, act, state, asks=True):
    """act() with each of its allocations failing, until none is left; it returns what the kernel says, and
    its message."""
    prepare()
    (done, _), wanted = act(), state()
    mixed, wrong, told, causes = 0, 0, {}, set()
    for n in range(1, MOST):
        prepare()
        before = state()
        famine.next, famine.failed = n, False
        result, cause = act()
        famine.next = 0
        after = state()
        told[result] = told.get(result, 0) + 1
        causes |= {cause} if result == "ENOMEM" else set()
        mixed += after not in (before, wanted)
        # Without memory for an answer, the socket says ENOBUFS, whether the request was done or not.
        wrong += result not in ("ok", "ENOBUFS") and after != before or result == "ok" and after != wanted
        if not famine.failed:
            break
    reached(name, n, asks)
    check(f"{name}: with enough, it is done", (done, result), ("ok", "ok"))
    check(f"{name}: else the rules are those of before, or those asked for", mixed, 0)
    check(f"{name}: and the answer says which", wrong, 0)
    check(f"{name}: refused with ENOMEM or ENOBUFS alone", set(told) <= {"ok", "ENOMEM", "ENOBUFS"}, True)
    check(f"{name}: and for no other cause", causes - FAILED, set())
    print(f"# {name}: {n - 1} allocations failed, one by one: {told}", flush=True)


def requests(kind):
    """What changes rules, and what reads them."""
    r = Rules(kind)

    def do(command, **request):
        return lambda: (r.one.attempt(command, **request), r.one.message)

    def with_handle(command, **request):
        return lambda: do(command, handle=r.first, **request)()

    def fresh(count=3):
        return lambda: r.fresh(count)

    def begun(*acts):
        def prepare():
            r.fresh()
            r.one.do("begin")
            r.one.do("flush")
            for port in (11, 12):
                r.one.do("rule-add", **r.rule(port, comment="in it"))
            for act in acts:
                r.one.do(act)
        return prepare

    def confirmable():
        begun()()
        r.one.do("commit", confirm=600)

    acts = [
        ("add", fresh(), do("rule-add", **r.rule(9, comment="x"))),
        ("replace", fresh(), with_handle("rule-replace", **r.rule(8, comment="y"))),
        ("delete", fresh(), with_handle("rule-del")),
        ("get", fresh(), with_handle("rule-get")),
        ("flush", fresh(), do("flush")),
        ("begin", fresh(), do("begin")),
        ("add in a transaction", begun(), do("rule-add", **r.rule(13))),
        ("commit", begun(), do("commit")),
        ("commit that waits", begun(), do("commit", confirm=600)),
        ("abort", begun(), do("abort")),
        ("confirm", confirmable, do("confirm")),
        ("revert", confirmable, do("revert")),
        ("status", fresh(), do("status-get")),
        ("reset", fresh(), do("status-reset"))]
    acts += for_names(r, do, with_handle) if kind == "fs" else [
        ("add the first", fresh(0), do("rule-add", **rule(9))),
        ("add the first stream", fresh(0), do("rule-add", **rule(9, **STREAM))),
        ("add sets", fresh(), do("rule-add", **SETS))]
    # These ask for nothing.
    spare = {"abort", "reset"}
    for name, prepare, act in acts:
        each(f"{kind}: {name}", prepare, act, r.state, name not in spare)
    r.fresh(0)


def for_names(r, do, with_handle):
    """Each way to say for which names and for whom a rule is."""
    opened = os.open(DIR, os.O_PATH)
    other = attribute(FS["A_LOCATION_PATH"], DIR.encode() + b"\0") + \
        attribute(FS["A_LOCATION_FD"], struct.pack("I", opened))

    def add(**request):
        return do("rule-add", **r.rule(9, **request))

    def mounted(fstype):
        """A file system whose rule is to be found again, for it was mounted anew, with another number."""
        def prepare():
            path, spare = name_rule("again")["path"], name_rule("spare")["path"]
            run("mount", "-t", fstype, "before", path)
            r.fresh(0)
            r.other.do("rule-add", **name_rule("again"))
            r.first = r.other.reply["handle"]
            run("mount", "-t", fstype, "after", spare)
            run("umount", path)
            run("mount", "--bind", spare, path)
            run("umount", spare)
        return prepare

    return [
        ("add for users", r.fresh, add(uid_min=1000, uid_max=1999)),
        ("add for a cgroup", r.fresh, add(cgroup="/")),
        ("add for a cgroup that is not there", r.fresh, add(cgroup="/nonesuch", may_wait=True)),
        ("add for a user namespace", r.fresh, add(userns_pid=os.getpid())),
        ("add for all of these", r.fresh, add(uid_min=0, uid_max=9, cgroup="/", userns_pid=os.getpid(),
                                              comment="x")),
        ("add for two directories", r.fresh, add(location=[other])),
        ("add for a file system", r.fresh, add(scope=FS["SCOPE_SUPERBLOCK"])),
        ("add for a path that is not there", r.fresh, add(path="/nonesuch")),
        ("add for a type", r.fresh, do("rule-add", scope=FS["SCOPE_FSTYPE"], fstype="ramfs",
                                       mode=FS["MODE_ENFORCE"])),
        ("set", r.fresh, with_handle("rule-set", mode=FS["MODE_AUDIT"])),
        ("find", mounted("tmpfs"), with_handle("rule-find", path=f"{DIR}/again")),
        ("find without a UUID", mounted("ramfs"), with_handle("rule-find", path=f"{DIR}/again")),
        ("explain", r.fresh, do("rule-explain", path=f"{DIR}/1", uid=1000))]


def service():
    """Validation and normalization by netlink."""
    s = Starved("utf8guard")
    s.names = lambda _: {SERVICE["A_TEXT_DATA"]: "uuid", SERVICE["A_TEXT_FORM"]: "form"}
    s.parse = lambda *_: {}
    for command, request in (("validate", {"uuid": b"a\xc0\xae"}), ("info-get", {}),
                             ("normalize", {"uuid": "e\u0301".encode() * 500, "form": 0})):
        each(command, lambda: None, lambda c=command, q=request: (s.attempt(c, **q), s.message), lambda: 0)


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
    reached("packets of who starves", n)
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
    reached("names", n)
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
    path, told, left, stays, ate = f"{MODULES}/{name}.ko".encode(), {}, 0, 0, False
    for n in range(1, MOST, int(step)):
        famine.next, famine.failed = n, False
        result = insert(path)
        failed = famine.failed
        told[result] = told.get(result, 0) + 1
        famine.next = (1 + n % 40 if EVERY else 1) if result == "ok" else 0
        there = os.path.isdir(f"/sys/module/{name}")
        left += there and result != "ok"
        if there and delete(name) != "ok":
            famine.next = 0
            stays += delete(name) != "ok"
        ate |= result == "ok" and famine.failed
        famine.next = 0
        if not failed:
            break
    reached(name, n)
    check(f"{name}: with enough, it loads", result, "ok")
    check(f"{name}: else nothing is left of it", left, 0)
    check(f"{name}: refused with ENOMEM or ENOBUFS alone", set(told) <= {"ok", "ENOMEM", "ENOBUFS"}, True)
    check(f"{name}: whatever fails, it unloads", stays, 0)
    if not EVERY:
        check(f"{name}: to unload, it asks for nothing", ate, False)
    check(f"{name}: it loads again", insert(path), "ok")
    print(f"# {name}: of {n} allocations of a load each {step}. failed: {told}", flush=True)


def command(name, prepare, act, state):
    """The command ACT, each of whose allocations fails that our modules ask for, until none is left. STATE
    prints what it is to change, and PREPARE puts that back; both need no memory that fails."""
    def do(words, number=0):
        def starve():
            famine.of(os.getpid())
            os.pwrite(famine.file, b"%d" % number, 0)

        done = subprocess.run(shlex.split(words), preexec_fn=starve if number else None, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)
        left = os.pread(famine.file, 16, 0).strip()
        os.pwrite(famine.file, b"0", 0)
        return done, bool(number) and left == b"0"

    def now():
        do(prepare)
        return do(state)[0].stdout

    before, untold, wrong = now(), set(), []
    first, wanted = do(act)[0].returncode, do(state)[0].stdout
    for n in range(1, MOST):
        now()
        done, failed = do(act, n)
        after = do(state)[0].stdout
        if after != (before if done.returncode else wanted):
            wrong.append(n)
        if done.returncode and "Cannot allocate memory" not in done.stderr:
            untold.add(done.stderr)
        if not failed:
            break
    now()
    reached(name, n)
    check(f"{name}: with enough, it is done", (first, done.returncode, before != wanted), (0, 0, True))
    check(f"{name}: else nothing has changed, and it says so", wrong, [])
    check(f"{name}: and it says why", untold, set())
    print(f"# {name}: {n - 1} allocations failed", flush=True)


PARTS = {"requests": requests, "service": service, "traffic": traffic, "crowd": crowd, "names": names,
         "command": command, "module": module}
PARTS[sys.argv[1]](*sys.argv[2:])
print("done\t\t")
