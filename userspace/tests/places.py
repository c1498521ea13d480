#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Each option of each command at each place among its words, in each spelling:
is it always the same?

    places.py TOOL host DIR       without the modules; in DIR, which is made anew each time
    places.py TOOL kernel DIR     the commands that ask the kernel, where it has the modules

Prints lines for table() of tests/vm/lib.sh: NAME, what came, what was wanted.
What a run comes to is its exit status, both outputs, the files below DIR and,
in the kernel, the rules that are in force. An option must also make a difference,
but for those that make none here (SAME).
"""
import itertools
import json
import os
import random
import re
import shutil
import subprocess
import sys

TOOL, WHERE, DIR = sys.argv[1:4]
KERNEL = WHERE == "kernel"

# The options of all commands: letter, long name, a good value or None.
J, P, S, N = ("j", "json", None), ("p", "pretty", None), ("s", "stats", None), ("n", "numeric", None)
H, V = ("h", "help", None), ("V", "version", None)
COLOR = (None, "color", "never")
HUMAN = ("H", "human", None)
Z, C = ("0", "null", None), ("c", "check", None)
# There is no network namespace of this name, which can be told without privilege.
NETNS = ("N", "netns", "nowhere")


def long(name, value=None):
    return (None, name, value)


def case(words, options, needed=(), same=()):
    """WORDS with each of the OPTIONS, where those NEEDED are there too; SAME make no difference."""
    return words.split(), options, list(needed), set(same)


TREES = "tree other"
HOST = [
    case("show", [J, P, HUMAN, COLOR, H, V], same=["human", "color"]),
    case("validate one two", [long("all"), long("lines"), long("kernel"), J, P, ("s", "summary", None), H, V]),
    case("validate good bom", [long("refuse", "bom"), long("profile", "portable-nfc"), long("form", "nfd"),
                               long("bom", "require")], same=["profile"]),
    case("validate tree one", [("r", "recurse", None)]),
    case("explain C0 AE", [long("text"), J, P, H, V]),
    case("explain", [long("file", "good"), H]),
    case("explain", [J, P], ["--file=good"]),
    case("compare good other", [long("files"), J, P, H, V]),
    case("normalize good", [long("form", "nfd"), H, V]),
    case("normalize good", [long("check"), long("kernel")], ["--form=nfd"]),
    case("convert good", [long("from", "utf-8")], ["--to=utf-16le"]),
    case("convert good", [long("to", "utf-16be"), H, V], ["--from=utf-8"]),
    case("convert bom", [long("bom", "strip")], ["--from=utf-8", "--to=utf-32le"]),
    case("sanitize one", [long("replace"), long("skip"), H, V], same=["replace"]),
    case("scan " + TREES, [long("form", "nfc"), long("refuse", "bidi"), long("mounts"), long("quiet"), Z, J, P,
                              ("s", "summary", None), H, V],
         same=["mounts", "quiet"]),
    case("scan " + TREES, [long("dry-run"), long("log", "log")], ["--fix", "--from=latin1"]),
    case("scan " + TREES, [long("fix"), long("from", "latin1")], ["--dry-run", "--replace"], same=["from"]),
    case("scan " + TREES, [long("fix"), H, V], ["--log=log", "--from=latin1"]),
    case("scan " + TREES, [long("replace"), long("form", "nfc")], ["--fix", "--log=log"]),
    case("scan " + TREES, [Z, J, P], ["--fix", "--log=log", "--from=latin1"]),
    case("scan", [long("undo", "old"), H]),
    case("scan", [long("dry-run")], ["--undo=old"]),
    case("fs show uid 0", [J, P, S, HUMAN, COLOR, long("explain", "tree"), H, V], same=["json", "pretty", "stats", "human", "color"]),
    case("fs add subtree tree audit comment C0", [J, P, S, long("explain", "tree"), H, V],
         same=["json", "pretty", "stats"]),
    case("net add input tcp dport 80 drop", [J, P, S, HUMAN, COLOR, H, V],
         same=["json", "pretty", "stats", "human", "color"]),
    case("save", [J, P, long("file", "saved"), H, V], same=["json", "pretty", "file"]),
    case("load policy", [J, C, long("confirm", "60"), long("strict"), long("loaded"), H, V],
         same=["json", "check", "confirm", "strict"]),
    case("diff policy", [J, long("strict"), H, V], same=["json", "strict"]),
    case("check policy", [J, long("strict"), H, V], same=["json", "strict"]),
    case("confirm", [long("revert"), H, V], same=["revert"]),
    case("confirm net", [long("revert"), H, V], same=["revert"]),
    case("lock", [H, V]),
    case("stats", [J, P, S, HUMAN, COLOR, long("prometheus"), long("rules"), H, V],
         same=["json", "pretty", "stats", "human", "color", "prometheus", "rules"]),
    case("reset", [H, V]),
    case("monitor fs net", [J, P, N, COLOR, long("count", "3"), long("timeout", "1"), H, V],
         same=["json", "pretty", "numeric", "color", "count", "timeout"]),
    case("top", [("b", "batch", None), N, HUMAN, COLOR, long("count", "1"), long("file", "good"), H, V],
         same=["batch", "numeric", "human", "color", "count"]),
    case("suggest policy", [long("good", "/tmp"), H, V], same=["good"]),
    case("version", [J, P, H, V], same=["version"]),
    case("help scan", [H, V]),
] + [case(words, [NETNS]) for words in (
    "show", "net show", "save", "load policy", "diff policy", "check policy", "confirm", "lock", "stats", "reset", "monitor fs net", "top", "suggest")]
INSIDE = [
    case("fs show", [J, S]),
    case("fs show uid 0", [long("explain", "tree")]),
    case("fs add subtree tree audit", [J, H]),
    case("net show", [J, S]),
    case("net add input tcp dport 81 drop", [P, H]),
    case("save", [J, long("file", "saved")]),
    case("load next", [C, long("confirm", "60")]),
    case("diff next", [J, long("strict")], same=["strict"]),
    case("check next", [J, long("strict")], same=["strict"]),
    case("confirm", [long("revert")]),
    case("lock", [H, V]),
    case("stats", [J, long("prometheus")]),
    case("stats", [long("prometheus"), long("rules")]),
    case("reset", [H]),
    case("net flush", [NETNS]),
    case("monitor fs", [long("count", "3")], ["--timeout=1"]),
]
CASES = INSIDE if KERNEL else HOST
POLICY = "fs flush\nfs set default off\nnet flush\nnet add input tcp dport 9 drop\n"


def tool(words, **env):
    done = subprocess.run([TOOL] + words, stdin=subprocess.DEVNULL, capture_output=True, cwd=DIR,
                          timeout=60, env={**os.environ, "LC_ALL": "C.UTF-8", **env})
    return done.returncode, done.stdout, done.stderr


def make():
    """What there is before each run."""
    shutil.rmtree(DIR, ignore_errors=True)
    for directory in ("tree/in", "other"):
        os.makedirs(os.path.join(DIR, directory))
    for name, text in (
            (b"one", b"a\xff\nb\xfe\xc0\xae\n"), (b"two", b"\xed\xa0\x80\n"), (b"good", b"na\xc3\xafve\n"),
            (b"bom", b"\xef\xbb\xbfx"), (b"policy", POLICY.encode()), (b"next", b"fs set default audit\n"),
            (b"tree/\xe9t\xe9", b""), (b"tree/in/cafe\xcc\x81", b""), (b"other/\xe2\x80\xaebidi", b""),
            (b"other/caf\xc3\xa9", b"")):
        with open(os.path.join(DIR.encode(), name), "wb") as out:
            out.write(text)
    inode = os.stat(os.path.join(DIR, "other")).st_ino
    old = os.stat(os.path.join(DIR, "other/caf\u00e9")).st_ino
    place = json.dumps(os.path.join(os.path.realpath(DIR), "other"))
    with open(os.path.join(DIR, "old"), "w") as out:
        out.write('{"utf8guard":"scan --fix","version":1}\n'
                  '{"in":%s,"inode":%d}\n{"rename":"was","to":"caf\u00e9","inode":%d}\n{"out":%s,"inode":%d}\n'
                  '{"end":true}\n' % (place, inode, old, place, inode))


def files():
    listed = []
    for base, directories, names in os.walk(DIR.encode()):
        directories.sort()
        for name in sorted(names):
            path = os.path.join(base, name)
            with open(path, "rb") as text:
                listed.append((path, text.read()))
    return listed


def masked(part):
    """Without handles, counters, inode numbers and the order of a directory, which may differ."""
    if isinstance(part, bytes):
        part = re.sub(rb"\d+", b"0", part)
        return part if part.startswith((b"{", b"#")) else b"\0".join(sorted(re.split(rb"[\0\n]", part)))
    return part


def outcome(words, **env):
    make()
    if KERNEL:
        tool(["load", "policy"])
        if "confirm" in words:
            with open(os.path.join(DIR, "trial"), "w") as out:
                out.write("fs flush\n")
            tool(["load", "--confirm=60", "trial"])
    got = [masked(part) for part in tool(words, **env)]
    got += [(path, masked(text)) for path, text in files()]
    if KERNEL:
        got.append([masked(part) for part in tool(["save"])])
        tool(["confirm"])
    return got


def letters_and_names():
    """Of each command, the options that it says that it takes, as it lists them."""
    listed = {}
    for command in sorted({words[0] for words, *_ in HOST}):
        said = tool([command, "--~"])[2].decode()
        listed[command] = set(re.findall(r"-[a-zA-Z0]\b|--[a-z-]+", said.split("expected")[1].split(";")[0]))
    return listed


def listed_here():
    listed = {}
    for words, options, *_ in HOST:
        listed.setdefault(words[0], set()).update("-" + o[0] if o[0] else "--" + o[1] for o in options)
    return listed


NAMES = {}
for words_, options_, *_ in HOST:
    NAMES.setdefault(words_[0], set()).update(o[1] for o in options_)
ALL = set().union(*NAMES.values())


def is_clear(short, name, names):
    return short == name or sum(other.startswith(short) for other in names) == 1


def spellings(option, command):
    """Lists of words, and the first place for them: 0 where they are clear before the command is
    known, else 1; -1 if they are tried at the end alone. In the kernel the letter alone, or else
    the whole name: how it is spelled makes no difference to what was understood."""
    letter, name, value = option
    if KERNEL and letter:
        yield ["-" + letter + (value or "")], 0
        return
    if letter and value is None:
        yield ["-" + letter], 0
    elif letter:
        yield ["-" + letter + value], 0
        yield ["-" + letter, value], 0
    shorts = [name] if KERNEL else [
        name[:n] for n in range(1, len(name) + 1) if is_clear(name[:n], name, NAMES[command])]
    for short in shorts:
        first = 0 if is_clear(short, name, ALL) else 1
        # Spellings between the shortest one and the whole name are tried at the end alone.
        if short not in (shorts[0], name):
            first = -1
        if value is None:
            yield ["--" + short], first
        else:
            yield ["--%s=%s" % (short, value)], first
            yield ["--" + short, value], first


def lines(words, needed, spelled, first):
    """The command line with the option at each place; those needed after the name, or at the end."""
    for at in range(first, len(words) + 1) if first >= 0 else [len(words)]:
        placed = [[word] for word in words]
        placed.insert(at, spelled)
        flat = list(itertools.chain(*placed))
        name = flat.index(words[0], len(spelled) if at == 0 else 0)
        yield flat[:name + 1] + needed + flat[name + 1:]
        if needed and not KERNEL:
            yield flat + needed


def check(words, option, needed, same):
    reference = [words[0]] + needed + ["--" + option[1] + ("=" + option[2] if option[2] else "")] + words[1:]
    wanted = outcome(reference)
    runs = wrong = 0
    for spelled, first in spellings(option, words[0]):
        for line in lines(words, needed, spelled, first):
            for env in ({},) if KERNEL and runs % 4 else ({}, {"POSIXLY_CORRECT": "1"}):
                runs += 1
                if outcome(line, **env) != wanted and not wrong:
                    wrong = line
    print("# %s: %d runs" % (" ".join(reference), runs))
    print("%s: --%s at each place\t%s\t%s" % (" ".join(words), option[1], wrong or "the same", "the same"))
    if option[1] not in same:
        makes = "the same" if outcome([words[0]] + needed + words[1:]) == wanted else "another"
        print("%s: --%s makes a difference\t%s\tanother" % (" ".join(words), option[1], makes))
    return runs


def check_bundles():
    """-jp is -j -p, in any order, at each place."""
    for words, options, needed, _ in CASES:
        letters = [o[0] for o in options if o[0] and o[0] not in "hVc"]
        if len(letters) < 2 or needed:
            continue
        wanted = outcome([words[0]] + ["-" + letter for letter in letters] + words[1:])
        wrong = "the same"
        for order in itertools.permutations(letters):
            for line in lines(words, [], ["-" + "".join(order)], 0):
                if outcome(line) != wanted:
                    wrong = line
        print("%s: letters together\t%s\tthe same" % (" ".join(words), wrong))


def check_shuffled(rounds):
    """Many options at once, in any order among the other words, which keep theirs."""
    rng = random.Random(1)
    for words, options in (
            ("scan tree other", [["--fix"], ["--log", "log"], ["--from=latin1"], ["--form", "nfc"], ["-0"], ["--quiet"]]),
            ("scan tree other", [["--fix"], ["--dry"], ["--fr", "latin1"], ["--refuse", "bidi"], ["--refuse=nul"],
                                 ["--rep"], ["-jp"]]),
            ("validate one two good", [["--al"], ["--lines"], ["-p"]])):
        wanted, wrong = None, "the same"
        for _ in range(rounds):
            placed = [[word] for word in words.split()]
            for option in options:
                placed.insert(rng.randrange(1, len(placed) + 1), option)
            got = outcome(list(itertools.chain(*placed)), **rng.choice(({}, {"POSIXLY_CORRECT": "1"})))
            wanted = wanted or got
            if got != wanted:
                wrong = placed
        print("%s, shuffled\t%s %d\tthe same 0" % (words, wrong, wanted[0] == 2))


def main():
    make()
    if not KERNEL:
        said, here = letters_and_names(), listed_here()
        for command in sorted(set(said) | set(here)):
            print("all options of %s are tried\t%s\t%s" % (command, sorted(here.get(command, ())), sorted(said[command])))
        values = {}
        for _, options, *_ in HOST:
            for _, name, value in options:
                values.setdefault(name, set()).add(value is None)
        print("an option takes a value everywhere or nowhere\t%s\t[]" % [n for n in values if len(values[n]) > 1])
    runs = sum(check(words, option, needed, same) for words, options, needed, same in CASES for option in options)
    if not KERNEL:
        check_bundles()
        check_shuffled(60)
    print("# %d runs" % runs)
    shutil.rmtree(DIR, ignore_errors=True)
    print("done")


main()
