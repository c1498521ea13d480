#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Names that only look alike, long names, and names by NFS 4.0 as they are sent:

  names_generic.py alike LABEL DIRECTORY PREFIX-OF-ATTRIBUTES
  names_generic.py wire LABEL DIRECTORY [refused]     the root of what nfsd of this host serves

Prints NAME, what came and what was wanted, by tabs; "done" in the end.
"""
import errno
import os
import shutil
import socket
import struct
import sys
import time

# Each group is of names that a reader, or a file system that normalises, could take for each other.
ALIKE = {
    "composed and decomposed": ["caf\u00e9", "cafe\u0301", "caf\u00c9"],
    "order of marks": ["a\u0323\u0302", "a\u0302\u0323", "\u1ead", "\u1ea1\u0302", "\u00e2\u0323"],
    "Hangul": ["\ud55c\uae00", "\u1112\u1161\u11ab\u1100\u1173\u11af"],
    "singletons": ["\u212a", "K", "\u212b", "\u00c5", "A\u030a", "\u2126", "\u03a9"],
    "compatible": ["\ufb01le", "file", "f\u0131le", "\uff46\uff49\uff4c\uff45", "\u2460", "1", "\u00b9"],
    "Latin, Greek and Cyrillic": ["paypal", "p\u0430ypal", "\u03c1aypal", "\u0440\u0430\u0443\u0440\u0430\u04cf"],
    "nothing to see": ["ab", "a\u200bb", "a\u200cb", "a\u200db", "a\u2060b", "a\u00adb", "a\u034fb", "a\ufeffb",
                       "a\ufe0fb", "a\U000e0062b", "a\U000e0100b"],
    "spaces": ["a b", "a\u00a0b", "a\u2003b", "a\u3000b", "a b ", " a b", "a\u2028b"],
    "directions": ["gpj.exe", "\u202eexe.jpg", "\u2066exe.jpg\u2069", "\u200fexe.jpg"],
    "dots and slashes": ["...", "\u2024", "\u2025", "\u2026", "a\u2044b", "a\u2215b", "a\uff0fb", "a\\b"],
    "first and last": ["\x01", "\x7f", "\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\ufffd", "\uffff",
                       "\U00010000", "\U0010ffff"],
    "planes": [chr((plane << 16) + 0x0fad) for plane in range(17)],
}
LONG = ["x", "\u00e9", "\u65e5", "\U0001f427"]
# RFC 3629: what is not UTF-8, of each kind, some of it in good text.
ILL_FORMED = [b"\x80", b"\xbf", b"x\x80y", b"\xc0\xaf", b"\xc1\xbf", b"\xe0\x80\x80", b"\xe0\x9f\xbf", b"\xf0\x80\x80\x80",
              b"\xf0\x8f\xbf\xbf", b"\xed\xa0\x80", b"\xed\xbf\xbf", b"\xed\xa0\xbd\xed\xb0\xa7", b"\xf4\x90\x80\x80",
              b"\xf5\x80\x80\x80", b"\xf8\x88\x80\x80\x80", b"\xfc\x84\x80\x80\x80\x80", b"\xfe", b"\xff", b"a\xc3",
              b"a\xe2\x82", b"a\xf0\x9f\x90", b"\xe2\x82.txt", b"good\xe9"]
OPERATIONS = ("OPEN", "CREATE of a directory", "CREATE of a link", "LINK", "RENAME")
STATUS = {0: "OK", 2: "NOENT", 17: "EXIST", 20: "NOTDIR", 22: "INVAL", 63: "NAMETOOLONG", 10040: "BADCHAR", 10041: "BADNAME"}
label = sys.argv[2]


def check(name, got, wanted):
    print(f"{label}: {name}\t{got}\t{wanted}", flush=True)


def all_of(outcomes):
    """One word where each had the same outcome, or else which of them had which."""
    if len(set(outcomes.values())) == 1:
        return "all " + next(iter(outcomes.values()))
    return "; ".join(f"{name!a}: {outcome}" for name, outcome in outcomes.items())


def attempt(function, *args):
    try:
        function(*args)
    except OSError as e:
        return errno.errorcode[e.errno]
    return "ok"


def create(path, octets=b""):
    fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644)
    os.write(fd, octets)
    os.close(fd)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def alike(directory, prefix):
    directory = os.fsencode(directory)
    for group, texts in ALIKE.items():
        names, here = [text.encode() for text in texts], directory + b"/alike"
        os.mkdir(here)
        # The next of them is not there only because one like it is.
        outcomes = {}
        for name in names:
            outcomes[name] = "there before" if os.path.lexists(here + b"/" + name) else \
                attempt(create, here + b"/" + name, name)
        check(f"{group}: files are made", all_of(outcomes), "all ok")
        check(f"{group}: they are what is listed", sorted(os.listdir(here)) == sorted(names), True)
        check(f"{group}: each is found by its own octets", [n for n in names if read(here + b"/" + n) != n], [])
        os.unlink(here + b"/" + names[0])
        check(f"{group}: one goes alone", sorted(os.listdir(here)) == sorted(names[1:]), True)
        shutil.rmtree(here)
        file = directory + b"/attributes"
        create(file)
        keys = [prefix.encode() + name for name in names]
        check(f"{group}: attributes are made",
              all_of({key: attempt(os.setxattr, file, key, key, os.XATTR_CREATE) for key in keys}), "all ok")
        check(f"{group}: and listed", sorted(k for k in map(os.fsencode, os.listxattr(file)) if k in keys) == sorted(keys), True)
        check(f"{group}: each has its own value", [k for k in keys if os.getxattr(file, k) != k], [])
        os.unlink(file)
    # Attributes are no names of files: no rule is for them.
    file = directory + b"/attributes"
    outcomes = {}
    for name in ILL_FORMED:
        key = prefix.encode() + name
        create(file)
        outcomes[name] = attempt(os.setxattr, file, key, key)
        if outcomes[name] == "ok" and (os.getxattr(file, key) != key or key not in map(os.fsencode, os.listxattr(file))):
            outcomes[name] = "another"
        os.unlink(file)
    check("attributes that are not UTF-8", all_of(outcomes), "all ok")

    source = directory + b"/source"
    ways = {
        "create": create, "mkdir": os.mkdir, "symlink": lambda p: os.symlink(b"anywhere", p),
        "link": lambda p: os.link(source, p), "rename": lambda p: os.rename(source, p),
    }
    for way, make in ways.items():
        outcomes = {255: {}, 256: {}}
        for length, of in outcomes.items():
            for char in map(str.encode, LONG):
                name = char * (length // len(char))
                name += b"x" * (length - len(name))
                path = directory + b"/" + name
                create(source)
                of[char] = attempt(make, path)
                if of[char] == "ok" and name not in os.listdir(directory):
                    of[char] = "not there"
                if of[char] == "ok":
                    (os.rmdir if way == "mkdir" else os.unlink)(path)
                if os.path.lexists(source):
                    os.unlink(source)
        check(f"{way}: 255 octets", all_of(outcomes[255]), "all ok")
        check(f"{way}: 256 octets", all_of(outcomes[256]), "all ENAMETOOLONG")
        create(source)
        check(f"{way}: 256 octets that are not UTF-8", attempt(make, directory + b"/" + b"\xff" * 256), "ENAMETOOLONG")
        os.unlink(source)


def number(*values):
    return struct.pack(f">{len(values)}I", *values)


def opaque(octets):
    return number(len(octets)) + octets + b"\0" * (-len(octets) % 4)


PUTROOTFH, SAVEFH, NO_ATTRIBUTES = number(24), number(32), number(0, 0)
ONTO_ROOT = PUTROOTFH + SAVEFH  # what is saved, and the current one, are the root


class Client:
    """Of NFS 4.0 (RFC 7530), which sends names as they are: no kernel looks at them before."""

    def __init__(self):
        self.socket = socket.create_connection(("127.0.0.1", 2049), 300)
        self.xid = 0
        got = self.compound(1, number(35) + b"utf8gard" + opaque(b"names %d" % os.getpid()) + number(0x40000000) +
                            opaque(b"tcp") + opaque(b"127.0.0.1.0.0") + number(0))
        self.id = got[8:16]
        self.compound(1, number(36) + got[8:24])
        self.owners = 0

    def take(self, length):
        octets = b""
        while len(octets) < length:
            octets += self.socket.recv(length - len(octets)) or sys.exit("nfsd hung up")
        return octets

    def compound(self, count, operations):
        """The results, without the head of the message; or the status, where that is not OK."""
        for _ in range(600):
            self.xid += 1
            root = number(0) + opaque(b"test") + number(0, 0, 0)
            call = number(self.xid, 0, 2, 100003, 4, 1, 1) + opaque(root) + number(0, 0) + \
                opaque(b"") + number(0, count) + operations
            self.socket.sendall(number(1 << 31 | len(call)) + call)
            got = self.take(struct.unpack(">I", self.take(4))[0] & 0x7fffffff)
            head = struct.unpack(">6I", got[:24])
            if head != (self.xid, 1, 0, 0, 0, 0):
                sys.exit(f"nfsd says {head}")
            status = struct.unpack(">I", got[24:28])[0]
            if status not in (10008, 10013):  # DELAY, GRACE
                return got[36:] if status == 0 else STATUS.get(status, status)
            time.sleep(0.1)
        sys.exit("nfsd delays")

    def does(self, operation, name):
        n = opaque(name)
        got = self.compound(*{
            "LOOKUP": lambda: (2, PUTROOTFH + number(15) + n),
            "REMOVE": lambda: (2, PUTROOTFH + number(28) + n),
            "OPEN": lambda: (2, PUTROOTFH + number(18, 0, 3, 0) + self.id + self.owner() + number(1, 0) + NO_ATTRIBUTES +
                             number(0) + n),
            "CREATE of a directory": lambda: (2, PUTROOTFH + number(6, 2) + n + NO_ATTRIBUTES),
            "CREATE of a link": lambda: (2, PUTROOTFH + number(6, 5) + opaque(b"anywhere") + n + NO_ATTRIBUTES),
            "LINK": lambda: (5, PUTROOTFH + number(15) + opaque(b"source") + SAVEFH + PUTROOTFH + number(11) + n),
            "RENAME": lambda: (3, ONTO_ROOT + number(29) + opaque(b"source") + n),
            "RENAME away": lambda: (3, ONTO_ROOT + number(29) + n + opaque(b"renamed")),
        }[operation]())
        return "OK" if isinstance(got, bytes) else got

    def owner(self):
        self.owners += 1
        return opaque(b"owner %d" % self.owners)


def wire(directory, refused=None):
    directory = os.fsencode(directory)
    client = Client()
    source = directory + b"/source"

    def tried(operation, name):
        """The status; the name must be there afterwards if that is OK, and only then."""
        if not os.path.lexists(source):
            create(source)
        before = set(os.listdir(directory))
        outcome = client.does(operation, name)
        made = set(os.listdir(directory)) - before
        if made != ({name} if outcome == "OK" else set()):
            outcome = f"{outcome} but {made}"
        for path in made:
            outcome = outcome if client.does("REMOVE", path) == "OK" else "not removed"
        return outcome

    good = [text.encode() for texts in ALIKE.values() for text in texts]
    for operation in OPERATIONS:
        check(f"{operation}: UTF-8", all_of({name: tried(operation, name) for name in good}), "all OK")
        check(f"{operation}: not UTF-8", all_of({name: tried(operation, name) for name in ILL_FORMED}),
              "all INVAL" if refused else "all OK")
        # Those that the server itself refuses keep its errors, bad ones too.
        own = {b"": "INVAL", b".": "BADNAME", b"..": "BADNAME", b"a/b": "BADNAME", b"\xff/": "BADNAME",
               b"x" * 256: "NAMETOOLONG", b"\xff" * 256: "NAMETOOLONG"}
        for name, wanted in own.items():
            what = name if len(name) < 256 else name[:1] + b"..."
            check(f"{operation}: {what!a}", tried(operation, name), wanted)
    check("LOOKUP of what is not there", all_of({name: client.does("LOOKUP", name) for name in ILL_FORMED}), "all NOENT")
    check("REMOVE of what is not there", all_of({name: client.does("REMOVE", name) for name in ILL_FORMED}), "all NOENT")
    # Made before by others.
    old = [b"old" + name for name in ILL_FORMED]
    if not refused:
        for name in old:
            create(directory + b"/" + name)
    check("LOOKUP of what is there", all_of({name: client.does("LOOKUP", name) for name in old}), "all OK")
    if os.path.lexists(source):
        os.unlink(source)
    if refused:
        check("RENAME of it", client.does("RENAME away", old.pop()), "OK")
        check("RENAME of it to another such", tried("RENAME", b"renamed\xff"), "INVAL")
        os.unlink(source)
        check("REMOVE of it", all_of({name: client.does("REMOVE", name) for name in old}), "all OK")
        left = sorted(name for name in os.listdir(directory) if name not in (b"renamed", b"lost+found"))
        check("nothing is left", left, [])


{"alike": alike, "wire": wire}[sys.argv[1]](*sys.argv[3:])
print("done")
