#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Scopes, callers and precedence of rules for names: scopes.py PART [ARG...].

Prints NAME, what came and what was wanted, by tabs; "done" in the end.
"""
import ctypes
import errno
import os
import random
import signal
import sys

from genetlink import FS, Family

libc = ctypes.CDLL(None, use_errno=True)
CLONE_NEWUSER = 0x10000000
TOP = b"/tmp/places"
CGROUP = "/tmp/cgroup"
MODES = {"off": FS["MODE_OFF"], "audit": FS["MODE_AUDIT"], "enforce": FS["MODE_ENFORCE"]}
SCOPES = {name: FS["SCOPE_" + name.upper()] for name in
          ("default", "subtree", "superblock", "fstype")}
CLASS = {"control": 9, "newline": 10, "bom": 11, "bidi": 12, "noncharacter": 13,
         "private-use": 14, "unassigned": 15, "default-ignorable": 16, "edge-space": 17}
BAD = b"a\xff"
fs = Family("utf8guard_fs")


def check(name, got, wanted):
    print(f"{name}\t{got}\t{wanted}", flush=True)


def add(scope, mode, **more):
    """The outcome; fs.reply["handle"] is the rule's."""
    return fs.do("rule-add", scope=SCOPES[scope], mode=MODES[mode], **more)


def create(path):
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
    except OSError as e:
        return errno.errorcode[e.errno]
    os.unlink(path)
    return "ok"


def as_uid(uid, function, *args):
    """As another user, but only for access to files."""
    libc.setfsuid(uid)
    try:
        return function(*args)
    finally:
        libc.setfsuid(0)


class Elsewhere:
    """A process that may enter a cgroup or a namespace, and makes names there."""

    def __init__(self, cgroup=None, userns=False):
        self.cgroup, self.userns = cgroup, userns
        ask, self.asked = os.pipe()
        self.answer, answered = os.pipe()
        self.pid = os.fork()
        if self.pid:
            os.close(ask)
            os.close(answered)
            self.word()
            if userns:
                with open(f"/proc/{self.pid}/uid_map", "w", encoding="ascii") as f:
                    f.write("0 0 4294967295")
            return
        os.close(self.asked)
        os.close(self.answer)
        if cgroup:
            with open(f"{cgroup}/cgroup.procs", "w", encoding="ascii") as f:
                f.write("0")
        if userns and libc.unshare(CLONE_NEWUSER):
            os._exit(1)
        os.write(answered, b"ready\n")
        while True:
            request = os.read(ask, 4096)
            if not request:
                os._exit(0)
            uid, path = request.split(b" ", 1)
            os.write(answered, as_uid(int(uid), create, path).encode() + b"\n")

    def word(self):
        return os.read(self.answer, 4096).decode().strip()

    def create(self, path, uid=0):
        os.write(self.asked, b"%d %s" % (uid, path))
        return self.word()

    def end(self):
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)
        os.close(self.asked)
        os.close(self.answer)


def start():
    fs.do("flush")


def text(path):
    return path.decode()


def scopes():
    start()
    tree = TOP + b"/tree"
    os.makedirs(tree + b"/a/b", exist_ok=True)
    check("nothing is refused", create(tree + b"/" + BAD), "ok")
    check("fstype", add("fstype", "enforce", fstype="tmpfs"), "ok")
    kind = fs.reply["handle"]
    check("fstype: described", (fs.reply["scope"], fs.reply["fstype"], "path" in fs.reply),
          (SCOPES["fstype"], "tmpfs", False))
    check("fstype: refused on it", create(tree + b"/" + BAD), "EILSEQ")
    check("fstype: not on another", create(b"/tmp/ext4/" + BAD), "ok")
    check("superblock, by a file on it", add("superblock", "off", path="/tmp/places/file"), "ok")
    volume = fs.reply["handle"]
    check("superblock: wins over the type", create(tree + b"/" + BAD), "ok")
    check("superblock: not for another of the type", create(b"/tmp/other/" + BAD), "EILSEQ")
    check("superblock: by another mount of it", create(b"/tmp/bound/a/" + BAD), "ok")
    check("superblock again, by another path", add("superblock", "off", path="/tmp/bound"),
          "EEXIST")
    check("superblock again: why", fs.message,
          "a rule for the same location and the same callers exists already")
    check("superblock again: where", fs.culprit, "path")
    check("subtree of the root of it", add("subtree", "enforce", path="/tmp/places"), "ok")
    check("subtree: wins over the super block", create(tree + b"/" + BAD), "EILSEQ")
    check("nearer subtree", add("subtree", "off", path=text(tree + b"/a")), "ok")
    near = fs.reply["handle"]
    check("nearer subtree: wins", create(tree + b"/a/b/" + BAD), "ok")
    check("explain", fs.do("rule-explain", path=text(tree + b"/a/b")), "ok")
    steps = fs.reply["steps"]
    check("explain: which decides", fs.reply["handle"], near)
    check("explain: in order", (steps[0], steps[2:]),
          ((near, True), [(volume, True), (kind, True), (1, True)]))
    check("explain: nothing is open there", fs.do("rule-explain", fd=999), "EBADF")
    check("explain: where", fs.culprit, "fd")
    check("explain: a file", (fs.do("rule-explain", path="/tmp/places/file"), fs.message),
          ("ENOTDIR", "not a directory"))
    check("explain: no descriptor", (fs.do("rule-explain"), fs.message),
          ("EINVAL", "a directory descriptor is missing"))
    start()
    check("flush takes them all", len(fs.dump("rule-get")), 1)
    check("a subtype", add("fstype", "enforce", fstype="tmpfs.nonesuch"), "ok")
    check("a subtype is not the type", create(tree + b"/" + BAD), "ok")


def waits():
    """Rules for what is not there yet, or no longer, or is another by now."""
    start()
    top = TOP + b"/waits"
    os.makedirs(top, exist_ok=True)
    check("waits: a directory that is not there",
          add("subtree", "enforce", path=text(top), inside="one/two//"), "ok")
    check("waits: the same", add("subtree", "off", path=text(top), inside="/one/two"), "EEXIST")
    os.makedirs(top + b"/one/two/three")
    check("waits: there now", create(top + b"/one/two/three/" + BAD), "EILSEQ")
    check("waits: not above", create(top + b"/one/" + BAD), "ok")
    check("waits: the same, by its path",
          add("subtree", "off", path=text(top) + "/one/two"), "EEXIST")
    os.rename(top + b"/one/two", top + b"/one/else")
    check("waits: moved away", create(top + b"/one/else/three/" + BAD), "ok")
    os.mkdir(top + b"/one/two")
    check("waits: made anew", create(top + b"/one/two/" + BAD), "EILSEQ")
    os.rename(top + b"/one", top + b"/other")
    check("waits: above it moved", create(top + b"/other/two/" + BAD), "ok")
    os.makedirs(top + b"/one/two")
    check("waits: and made anew", create(top + b"/one/two/" + BAD), "EILSEQ")
    long = b"n" * 255
    os.makedirs(top + b"/" + long + b"/below")
    check("waits: a long name", add("subtree", "enforce", path=text(top + b"/" + long)), "ok")
    check("waits: below a long name", create(top + b"/" + long + b"/below/" + BAD), "EILSEQ")
    os.mkdir(top + b"/" + long[1:])
    check("waits: beside it", create(top + b"/" + long[1:] + b"/" + BAD), "ok")
    check("waits: as deep as a rule can be",
          add("subtree", "enforce", path=text(top), inside="/d" * 62), "ok")
    os.makedirs(top + b"/d" * 70)
    check("waits: in it", create(top + b"/d" * 62 + b"/" + BAD), "EILSEQ")
    check("waits: below it", create(top + b"/d" * 70 + b"/" + BAD), "EILSEQ")
    check("waits: above it", create(top + b"/d" * 61 + b"/" + BAD), "ok")
    start()
    check("waits: nobody knows where", add("subtree", "enforce", path="/nonesuch/at/all"), "ok")
    check("waits: and says so", fs.reply.get("waiting"), True)
    check("waits: a file system of that UUID",
          add("superblock", "enforce", path="/nonesuch", uuid=bytes(range(16)),
              volume_type="ext4"), "ok")
    check("waits: it is not there", fs.reply.get("waiting"), True)
    check("waits: a superblock with a path", (add("superblock", "enforce", path="/nonesuch",
          uuid=bytes(range(16)), volume_type="ext4", inside="/x"), fs.culprit),
          ("EINVAL", "inside"))
    check("waits: a directory that is removed", removed(top + b"/gone"),
          ("ENOENT", "the directory has been removed", "path"))
    start()


def removed(path):
    os.mkdir(path)
    fd = os.open(path, os.O_PATH)
    os.rmdir(path)
    got = add("subtree", "audit", path=text(path), fd=fd)
    os.close(fd)
    return (got, fs.message, fs.culprit)


def who():
    start()
    here = TOP + b"/who"
    os.makedirs(here, exist_ok=True)
    os.chmod(here, 0o777)
    path = text(here)
    bad = here + b"/" + BAD
    check("a range", add("subtree", "enforce", path=path, uid_min=1000, uid_max=1999), "ok")
    wide = fs.reply["handle"]
    check("a range: described", (fs.reply["uid-min"], fs.reply["uid-max"]), (1000, 1999))
    for uid, wanted in ((999, "ok"), (1000, "EILSEQ"), (1500, "EILSEQ"), (1999, "EILSEQ"),
                        (2000, "ok"), (0, "ok")):
        check(f"a range: {uid}", as_uid(uid, create, bad), wanted)
    check("the same range", add("subtree", "off", path=path, uid_min=1000, uid_max=1999), "EEXIST")
    check("another range", add("subtree", "off", path=path, uid_min=1400, uid_max=1600), "ok")
    narrow = fs.reply["handle"]
    check("the narrower range wins", as_uid(1500, create, bad), "ok")
    check("and only inside", as_uid(1300, create, bad), "EILSEQ")
    check("explain for a user", (fs.do("rule-explain", path=path, uid=1300), fs.reply["handle"],
                                 fs.reply["steps"]),
          ("ok", wide, [(narrow, False), (wide, True), (1, True)]))
    check("no other rule fits: on upwards", add("default", "enforce", uid_min=7, uid_max=7), "ok")
    check("a default for some", as_uid(7, create, bad), "EILSEQ")
    check("and not for others", as_uid(8, create, bad), "ok")

    start()
    inside = Elsewhere(userns=True)
    check("a user namespace", add("subtree", "enforce", path=path, userns_pid=inside.pid), "ok")
    check("a user namespace: described", fs.reply["userns"],
          os.stat(f"/proc/{inside.pid}/ns/user").st_ino)
    number = fs.reply["userns"]
    check("a user namespace: another process of that ID would be in another one",
          (add("subtree", "audit", path=path, userns_pid=1, userns=number), fs.message,
           fs.culprit),
          ("ESRCH", "the process that was found has left this user namespace", "userns-pid"))
    check("a user namespace: it is still the one",
          add("subtree", "audit", path=path, userns_pid=inside.pid, userns=number), "EEXIST")
    check("a user namespace: inside", inside.create(bad), "EILSEQ")
    check("a user namespace: outside", create(bad), "ok")
    check("the initial one has them all",
          add("subtree", "enforce", path=path, userns_pid=1), "ok")
    check("the initial one: outside", create(bad), "EILSEQ")
    fs.do("rule-del", handle=fs.reply["handle"])
    check("before it goes", ["gone" in r for r in fs.dump("rule-get")], [False, False])
    inside.end()
    # Credentials are freed after an RCU grace period.
    for _ in range(600):
        if any("gone" in r for r in fs.dump("rule-get")):
            break
        signal.sigtimedwait([], 0.1)
    check("gone with its last process", ["gone" in r for r in fs.dump("rule-get")], [False, True])
    check("left out by the next change", (add("subtree", "audit", path=path),
                                          len(fs.dump("rule-get"))), ("ok", 2))

    start()
    for name in ("/a", "/a/b", "/c"):
        os.mkdir(CGROUP + name)
    below, beside = Elsewhere(cgroup=CGROUP + "/a/b"), Elsewhere(cgroup=CGROUP + "/c")
    check("a cgroup", add("subtree", "enforce", path=path, cgroup="/a"), "ok")
    check("a cgroup: described", fs.reply["cgroup"], "/a")
    check("a cgroup: below it", below.create(bad), "EILSEQ")
    check("a cgroup: beside it", beside.create(bad), "ok")
    check("a cgroup: outside", create(bad), "ok")
    below.end()
    beside.end()
    os.rmdir(CGROUP + "/a/b")
    check("a rule does not hold up rmdir", os.rmdir(CGROUP + "/a"), None)
    os.mkdir(CGROUP + "/a")
    again = Elsewhere(cgroup=CGROUP + "/a")
    check("it is for the next of that name", again.create(bad), "EILSEQ")
    check("which has no other", add("subtree", "enforce", path=path, cgroup="//a/"), "EEXIST")
    again.end()
    start()
    os.rmdir(CGROUP + "/a")
    check("a cgroup that is not there", add("subtree", "enforce", path=path, cgroup="//a//b/", may_wait=True),
          "ok")
    check("is waited for", (fs.reply.get("cgroup-waiting"), fs.reply["cgroup"]), (True, "/a/b"))
    check("it is the same", add("subtree", "audit", path=path, cgroup="/a/b", may_wait=True), "EEXIST")
    check("no cgroup has such a path",
          [add("subtree", "audit", path=path, cgroup=name, may_wait=True)
           for name in ("/x/..", "/./x", "/" + "x" * 256)], ["EINVAL"] * 3)
    for name in ("/a", "/a/b", "/a/bc"):
        os.mkdir(CGROUP + name)
    inside, beside, above = (Elsewhere(cgroup=CGROUP + name) for name in ("/a/b", "/a/bc", "/a"))
    check("when it is there, the rule acts", inside.create(bad), "EILSEQ")
    check("not on one whose name is longer", beside.create(bad), "ok")
    check("nor above it", above.create(bad), "ok")
    for process in (inside, beside, above):
        process.end()
    start()
    for name in ("/a/bc", "/a/b", "/a", "/c"):
        os.rmdir(CGROUP + name)

    check("an owner", add("subtree", "enforce", path=path, userns_owner=0), "ok")
    check("an owner: described", fs.reply["userns-owner"], 0)
    check("an owner: the initial namespace is nobody's", create(bad), "ok")
    for owner, wanted in ((0, "EILSEQ"), (1, "ok")):
        start()
        check(f"an owner: {owner}", add("subtree", "enforce", path=path, userns_owner=owner), "ok")
        mine = Elsewhere(userns=True)
        check(f"an owner: {owner}: what root made", mine.create(bad), wanted)
        mine.end()
        check(f"an owner: {owner}: it stays", ["gone" in r for r in fs.dump("rule-get")], [False, False])
    start()
    check("an owner and a namespace",
          (add("subtree", "enforce", path=path, userns_owner=0, userns_pid=1), fs.culprit),
          ("EINVAL", "userns-owner"))


def wrong():
    """What is no rule, and why; nothing is changed by it."""
    start()
    before = fs.dump("rule-get")
    for name, request, error, message, culprit in (
            ("no scope", {}, "EINVAL", "the scope is missing", None),
            ("a scope that is none", {"scope": 4}, "ERANGE", None, "scope"),
            ("no mode", {"scope": 1, "path": "/tmp"}, "EINVAL", "the mode is missing", None),
            ("a default more", {"scope": 0, "mode": 1}, "EEXIST",
             "a rule for the same location and the same callers exists already", "scope"),
            ("a default with a path", {"scope": 0, "mode": 1, "path": "/"}, "EINVAL",
             "a subtree or a superblock needs a path, and nothing else takes one", "path"),
            ("a subtree without", {"scope": 1, "mode": 1}, "EINVAL",
             "a subtree or a superblock needs a path, and nothing else takes one", None),
            ("a type with a path", {"scope": 3, "mode": 1, "path": "/", "fstype": "ext4"},
             "EINVAL", "a subtree or a superblock needs a path, and nothing else takes one", "path"),
            ("a type without", {"scope": 3, "mode": 1}, "EINVAL",
             "the scope fstype needs a type, and no other scope takes one", None),
            ("a subtree with a type", {"scope": 1, "mode": 1, "path": "/", "fstype": "ext4"},
             "EINVAL", "the scope fstype needs a type, and no other scope takes one", "fstype"),
            ("an empty type", {"scope": 3, "mode": 1, "fstype": ""}, "EINVAL",
             "the type of file system is empty", "fstype"),
            ("a long type", {"scope": 3, "mode": 1, "fstype": "x" * 64}, "EINVAL", None, "fstype"),
            ("a file as a subtree", {"scope": 1, "mode": 1, "path": "/etc/passwd"}, "ENOTDIR",
             "not a directory", "path"),
            ("nothing is open there", {"scope": 2, "mode": 1, "path": "/x", "fd": 999}, "EBADF",
             "no open file has this descriptor", "fd"),
            ("a file system by a type", {"scope": 3, "mode": 1, "fstype": "ext4", "fd": 0},
             "EINVAL", "only a subtree or a superblock takes a file system", None),
            ("a path that goes back", {"scope": 1, "mode": 1, "path": "/tmp", "inside": "a/../b"},
             "EINVAL", "the path within the file system has . or .., or is too long", "path"),
            ("a path that stays", {"scope": 1, "mode": 1, "path": "/tmp", "inside": "a/."},
             "EINVAL", "the path within the file system has . or .., or is too long", "path"),
            ("a name that is too long",
             {"scope": 1, "mode": 1, "path": "/tmp", "inside": "a/" + "b" * 256},
             "EINVAL", "the path within the file system has . or .., or is too long", "path"),
            ("64 directories", {"scope": 1, "mode": 1, "path": "/tmp", "inside": "/a" * 64},
             "ENAMETOOLONG", "the path is more than 63 directories below the root of its file system", "path"),
            ("a UUID without a type", {"scope": 1, "mode": 1, "path": "/x", "uuid": b"x" * 16},
             "EINVAL", "a UUID needs a type of file system", "uuid"),
            ("no UUID", {"scope": 1, "mode": 1, "path": "/x", "uuid": bytes(16), "inside": "/x",
                         "volume_type": "ext4"},
             "EINVAL", "a UUID of zeroes means no file system", "uuid"),
            ("half a range", {"scope": 0, "mode": 1, "uid_min": 1}, "EINVAL",
             "a range of user IDs needs both ends", "uid-min"),
            ("a range that is none", {"scope": 0, "mode": 1, "uid_min": 2, "uid_max": 1},
             "EINVAL", "not a range of user IDs", "uid-max"),
            ("nobody's ID", {"scope": 0, "mode": 1, "uid_min": 2, "uid_max": 0xffffffff},
             "EINVAL", "not a range of user IDs", "uid-max"),
            ("no process", {"scope": 0, "mode": 1, "userns_pid": 0x7fffffff}, "ESRCH",
             "no process has this ID", "userns-pid"),
            ("a user namespace without a process", {"scope": 0, "mode": 1, "userns": 1}, "EINVAL",
             "a user namespace needs a process that is in it", "userns"),
            ("no cgroup", {"scope": 0, "mode": 1, "cgroup": "/nonesuch"}, "ENOENT",
             "no cgroup of version 2 has this path", "cgroup"),
            ("a cgroup from nowhere", {"scope": 0, "mode": 1, "cgroup": "nonesuch"}, "EINVAL",
             "the path of a cgroup must begin with /", "cgroup"),
            ("a class of ill-formed text", {"scope": 1, "mode": 1, "path": "/", "refuse": 2},
             "EINVAL", "the mask has a bit that is no text class", "refuse"),
            ("a class that is none", {"scope": 1, "mode": 1, "path": "/", "refuse": 1 << 31},
             "EINVAL", "the mask has a bit that is no text class", "refuse"),
            ("a form that is none", {"scope": 1, "mode": 1, "path": "/", "form": 5}, "ERANGE",
             None, "form"),
            ("what the kernel says", {"scope": 1, "mode": 1, "path": "/", "gone": True},
             "EINVAL", None, None)):
        got = fs.do("rule-add", **request)
        wanted = (error, message or fs.message, culprit or fs.culprit)
        check(f"wrong: {name}", (got, fs.message, fs.culprit), wanted)
    check("a default for some in the place of that for all",
          (fs.do("rule-replace", handle=1, scope=0, mode=1, uid_min=1, uid_max=1), fs.message),
          ("EINVAL", "the first rule must stay the default for all"))
    check("wrong: nothing has changed", fs.dump("rule-get"), before)
    os.makedirs(TOP + b"/many", exist_ok=True)
    for uid in range(64):
        if add("subtree", "audit", path="/tmp/places/many", uid_min=uid, uid_max=uid) != "ok":
            check("64 rules for a location", uid, 64)
    check("one more", (add("subtree", "audit", path="/tmp/places/many"), fs.message),
          ("E2BIG", "the same location has 64 rules already"))
    start()
    libc.setresuid(1000, 1000, 0)
    check("without privilege", fs.do("rule-add", scope=0, mode=2, uid_min=1, uid_max=1), "EPERM")
    libc.setresuid(0, 0, 0)


class Here:
    """This process, which is in no cgroup but the root, nor in a namespace of its own."""
    cgroup, userns, pid = None, False, 1

    @staticmethod
    def create(path, uid=0):
        return as_uid(uid, create, path)


# A model of which rule decides, which shares no code with the kernel.
def model_fits(rule, uid, caller):
    if rule["uids"] and not rule["uids"][0] <= uid <= rule["uids"][1]:
        return False
    # All others are within the initial namespace; those of the callers have none within them.
    if rule["userns"] and rule["userns"] not in (Here.pid, caller.pid):
        return False
    of_rule = (CGROUP + (rule["cgroup"] or "")).split("/")
    of_caller = (caller.cgroup or CGROUP).split("/")
    return of_caller[:len(of_rule)] == of_rule


def model_rank(rule):
    kinds = [rule[kind] for kind in ("uids", "userns", "cgroup")]
    low, high = rule["uids"] or (0, 0xffffffff)
    return (kinds.count(None), high - low, rule["handle"])


def model_decides(rules, place, uid, caller):
    """From the nearest directory outwards, the first place with rules that fit; of these, the best."""
    parts = place.split("/")
    outwards = [("subtree", "/".join(parts[:n])) for n in range(len(parts), 0, -1)]
    for where in outwards + [("superblock", ""), ("fstype", ""), ("default", "")]:
        fitting = [r for r in rules if (r["scope"], r["place"]) == where and
                   model_fits(r, uid, caller)]
        if fitting:
            return min(fitting, key=model_rank)
    raise AssertionError("no default")


def model_refuses(rule, name):
    if rule["mode"] != "enforce":
        return False
    try:
        decoded = name.decode()
    except UnicodeDecodeError:
        return True
    found = set()
    for c in decoded:
        found |= {0x01: {"control"}, 0x0a: {"newline"}, 0x202e: {"bidi"}, 0xe000: {"private-use"},
                  0xfdd0: {"noncharacter"}}.get(ord(c), set())
    # A newline is white space, too.
    if decoded[0] in " \n" or decoded[-1] in " \n":
        found.add("edge-space")
    if found & rule["refuse"]:
        return True
    # Of what any_name() makes: e and an acute accent are not NFC, é is not NFD.
    return (rule["form"] == "nfc" and "e\u0301" in decoded or
            rule["form"] == "nfd" and "\u00e9" in decoded)


def any_name():
    parts = [b"a", b"B", b"longer-piece", "é".encode(), "e\u0301".encode(), b"\x01", b"\n",
             "\u202e".encode(), "\ue000".encode(), "\ufdd0".encode(), b" ", b"\xff", b"\xc0\xae",
             "日本".encode()]
    weights = [6, 6, 6, 2, 2, 1, 1, 1, 1, 1, 2, 1, 1, 2]
    return b"".join(random.choices(parts, weights, k=random.randrange(1, 5)))


def any_rule(places, callers):
    scope = random.choices(("subtree", "superblock", "fstype", "default"), (8, 2, 2, 1))[0]
    low = random.randrange(1000, 1010)
    uids = None if random.random() < .5 else (low, low + random.choice((0, 0, 1, 3, 5)))
    if scope == "default" and uids is None:
        uids = (low, low)
    return {"scope": scope, "place": random.choice(places) if scope == "subtree" else "",
            "uids": uids, "cgroup": random.choice((None,) * 6 + ("/a", "/a/b")),
            "userns": random.choice([None] * 12 + [c.pid for c in callers if c.userns or c is Here]),
            "mode": random.choice(("off", "audit", "enforce", "enforce")),
            "refuse": set(random.sample(("control", "newline", "bidi", "private-use",
                                         "noncharacter", "edge-space"), random.randrange(4))),
            "form": random.choice((None, None, "nfc", "nfd"))}


def tell(rule):
    """The request that makes it."""
    more = {}
    if rule["scope"] == "subtree":
        more["path"] = text(TOP) + "/" + rule["place"]
    if rule["scope"] == "superblock":
        more["path"] = text(TOP)
    if rule["scope"] == "fstype":
        more["fstype"] = "tmpfs"
    if rule["uids"]:
        more["uid_min"], more["uid_max"] = rule["uids"]
    if rule["cgroup"]:
        more["cgroup"] = rule["cgroup"]
    if rule["userns"]:
        more["userns_pid"] = rule["userns"]
    if rule["refuse"]:
        more["refuse"] = sum(1 << CLASS[c] for c in rule["refuse"])
    if rule["form"]:
        more["form"] = ("nfc", "nfd").index(rule["form"])
    return add(rule["scope"], rule["mode"], **more)


def same_terms(a, b):
    return all(a[key] == b[key] for key in ("scope", "place", "uids", "cgroup", "userns"))


def precedence(seed, rounds):
    """Random rules, names and callers against the model."""
    random.seed(int(seed))
    for name in ("/a", "/a/b", "/c"):
        os.mkdir(CGROUP + name)
    callers = [Here, Elsewhere(CGROUP + "/a"), Elsewhere(CGROUP + "/a/b"), Elsewhere(CGROUP + "/c"),
               Elsewhere(userns=True), Elsewhere(CGROUP + "/a/b", userns=True)]
    places = ["p"]
    for depth in range(4):
        places += [f"{p}/{c}" for p in places if p.count("/") == depth for c in "xy"]
    for place in places:
        os.makedirs(TOP + b"/" + place.encode(), exist_ok=True)
        os.chmod(TOP + b"/" + place.encode(), 0o777)
    wrong, decisions, refused = [], 0, 0
    for _ in range(int(rounds)):
        start()
        rules = [{"scope": "default", "place": "", "uids": None, "cgroup": None,
                  "userns": None, "handle": 1, "mode": "audit", "refuse": set(), "form": None}]
        fs.do("begin")
        for _ in range(random.randrange(50)):
            rule = any_rule(places, callers)
            taken = any(same_terms(r, rule) for r in rules)
            got = tell(rule)
            if got != ("EEXIST" if taken else "ok"):
                wrong.append((got, rule))
            if got == "ok":
                rules.append(dict(rule, handle=fs.reply["handle"]))
        fs.do("commit")
        for _ in range(60):
            place, name, uid = random.choice(places), any_name(), random.randrange(999, 1017)
            caller = random.choice(callers)
            rule = model_decides(rules, place, uid, caller)
            wanted = "EILSEQ" if model_refuses(rule, name) else "ok"
            got = caller.create(TOP + b"/" + place.encode() + b"/" + name, uid)
            decisions += 1
            refused += got == "EILSEQ"
            # rule-explain takes the cgroup and the namespace of whoever sends it: here, this process.
            handle = rule["handle"]
            if caller is Here:
                fs.do("rule-explain", path=text(TOP) + "/" + place, uid=uid)
                handle = fs.reply["handle"]
            if got != wanted or handle != rule["handle"]:
                wrong.append((place, name, uid, caller.cgroup, caller.userns, got, wanted, handle,
                              rule))
    check("precedence: as the model has it", wrong[:3], [])
    check("precedence: enough was decided, either way",
          (decisions == int(rounds) * 60, decisions // 10 < refused < decisions * 9 // 10),
          (True, True))
    start()
    for caller in callers[1:]:
        caller.end()
    for name in ("/a/b", "/a", "/c"):
        os.rmdir(CGROUP + name)


def many(count):
    """That many rules, each for a directory of its own."""
    start()
    fs.do("begin")
    for n in range(int(count)):
        path = TOP + b"/many%d" % n
        os.makedirs(path, exist_ok=True)
        if add("subtree", "enforce", path=text(path), refuse=1 << 9) != "ok":
            break
    fs.do("commit")
    check("many rules", len(fs.dump("rule-get")), int(count) + 1)


if __name__ == "__main__":
    globals()[sys.argv[1]](*sys.argv[2:])
    print("done", flush=True)
