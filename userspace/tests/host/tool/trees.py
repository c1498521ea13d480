#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Trees of names for the tests of utf8guard scan --fix.

    trees.py make SEED DIR          makes files of all kinds, some with names
                                    in an old character set
    trees.py list DIR               what there is: path, inode, kind, target
                                    of a link, in order
    trees.py check CHARSET BEFORE AFTER
                                    is the one list the other, mended as this
                                    program would do it? A name whose new one
                                    is taken may stay

Trees may be deeper than a path can be long.
"""
import ast
import os
import random
import stat
import sys
import unicodedata

GOOD = ["plain", "größe", "naïve café", "日本語", "한국어", "tiếng việt", "a b", "-dash", "\\x41", "🙂"]
LATIN1 = [text.encode("latin-1") for text in ("größe", "café", "façade", "ÿÀ", "Ünïcode", "50 £")]
EUC_JP = [text.encode("euc_jp") for text in ("日本語", "テスト", "文書", "漢字かな")]
NFD = [unicodedata.normalize("NFD", text).encode() for text in ("größe", "naïve café", "한국어", "tiếng việt")]


def name(rng, old):
    kind = rng.randrange(4)
    base = (rng.choice(GOOD).encode() if kind < 2 else
            rng.choice(old) if kind == 2 else rng.choice(NFD))
    if rng.randrange(4) == 0:
        base += b"." + rng.choice(old)
    return base if rng.randrange(3) == 0 else b"%d" % rng.randrange(100) + base


def place(rng, path, files):
    kind = rng.randrange(8)
    if kind == 0:
        os.symlink(rng.choice(LATIN1), path)
    elif kind == 1:
        os.mkfifo(path)
    elif kind == 2 and files:
        os.link(rng.choice(files), path)
    else:
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY))
        files.append(path)


def make(seed, top):
    rng = random.Random(seed)
    old = EUC_JP if int(seed) % 2 else LATIN1
    directories, files = [os.fsencode(top)], []
    os.mkdir(top)
    for _ in range(rng.randrange(20, 120)):
        path = rng.choice(directories) + b"/" + name(rng, old)
        if os.path.lexists(path):
            continue
        if rng.randrange(3) == 0:
            os.mkdir(path)
            directories.append(path)
        else:
            place(rng, path, files)


def entries():
    """The entries of the working directory in order: name, inode, kind, target of a link."""
    for entry in sorted(os.listdir(b".")):
        status = os.lstat(entry)
        kind = stat.S_IFMT(status.st_mode)
        link = os.readlink(entry) if stat.S_ISLNK(kind) else b""
        yield entry, status.st_ino, kind, link


def walk(top):
    """All entries of a tree; opens no path that is longer than a name."""
    os.chdir(top)
    ways = [entries()]
    path = []
    while ways:
        for entry in ways[-1]:
            yield (b"/".join(path + [entry[0]]),) + entry[1:]
            if stat.S_ISDIR(entry[2]):
                os.chdir(entry[0])
                path.append(entry[0])
                ways.append(entries())
                break
        else:
            ways.pop()
            if path:
                path.pop()
                os.chdir("..")


def mended(old, charset):
    try:
        text = old.decode()
    except UnicodeDecodeError:
        try:
            text = old.decode(charset)
        except UnicodeDecodeError:
            return old
    return unicodedata.normalize("NFC", text).encode()


def read(path):
    """A list as this program prints it."""
    with open(path) as lines:
        return [ast.literal_eval(line) for line in lines]


def keyed(listing):
    """{(inode of the directory, inode, kind, target): names}, for hard links have several."""
    inode_of = {entry[0]: entry[1] for entry in listing}
    places = {}
    for path, inode, kind, link in listing:
        parent, _, last = path.rpartition(b"/")
        places.setdefault((inode_of.get(parent, 0), inode, kind, link), []).append(last)
    return places


def check(charset, before, after):
    before, after = keyed(read(before)), keyed(read(after))
    if before.keys() != after.keys():
        return "not the same files"
    taken = {(parent, last) for (parent, *_), names in after.items() for last in names}
    for key, names in before.items():
        got = sorted(after[key])
        for old in names:
            new = mended(old, charset)
            if old in got:
                if new != old and (key[0], new) not in taken:
                    return "%r stayed" % old
                got.remove(old)
            elif new in got:
                got.remove(new)
            else:
                return "%r became one of %r" % (old, got)
    return None


def main():
    action, *rest = sys.argv[1:]
    if action == "make":
        make(*rest)
    elif action == "list":
        for entry in walk(*rest):
            print(entry)
    elif action == "check":
        sys.exit(check(*rest))


main()
