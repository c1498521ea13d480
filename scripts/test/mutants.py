#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Break one thing at a time, and see whether a test notices.

  mutants.py [-n N] [-s SEED] [-j JOBS] [--vm] [--again] [FILE...]

A mutant is a hand-written source with one thing changed: a comparison, a limit, a connective,
a returned value, a question about a capability, a flag that is not set, a lock that is not taken,
a call, a count or a condition that is not made. Lines with a quotation mark are left out, and so
are tables that were generated. Of all that there are, or of those in FILEs, N are taken at random (SEED); without
FILEs, also the known ones of mutants.txt. Each is built in a copy of the tree below build/mutants,
and given to the judges that mutants.txt names for its source, until one fails twice. A mutant that
does not compile is not counted, nor one that compiles to the same code, nor one that mutants.txt
says is the same. A source is not broken if mutants.txt names no judge for it, or none of those
that are asked: that is said of each of FILEs; and without FILEs, of how many sources. A judge that
is not there is an error.

Judges are tests that run on this machine. With --vm, sources are broken that suites in User-Mode
Linux and in the emulator judge, and these come after the judges on this machine. The list is
build/mutants/report, or build/mutants/report.vm. It grows with each run: what it has is not judged
again while its source is the same. With --again, its survivors are, and nothing else. The last lines
sum up the run, and what is in the list of the sources as they are. Exit status 1 if there are
survivors.

--list prints the mutants, and does nothing.
"""
import argparse
import concurrent.futures
import glob
import hashlib
import os
import queue
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time

top = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
here = os.path.dirname(os.path.relpath(os.path.realpath(__file__), top))
TABLE = os.path.join(top, here, "mutants.txt")
OUT = os.path.join(top, "build/mutants")
SOURCES = ("kernel", "userspace/codec", "userspace/tool", "userspace/xtables")
LEFT_OUT = re.compile(r"_(table|gen)\.[ch]$|kernel/compat/")
# Judges that take long: the first ones run short at first, the others not at all. A mutant that
# survives meets these when all others have met the rest.
QUICK = {"STREAMS": "3000", "CONNECTIONS": "6000", "SEED": "1"}
SHORTENED = ("tcp_inorder", "tcp_ooo", "tcp_connection")
LATE = ("tool_options.t", "tool_scan_fix.t", "tool_json.t", "avx512", "avx512vbmi")
KERNEL = "6.12"
FILE_SIZE = 1 << 30

# A pattern in code, and what takes the place of the match. First flags, of definitions, too: one of
# several, or one that is an argument or a value by itself. Those that close a descriptor when another
# program is executed make no difference: the tool executes none.
FLAG = r"\b(?!\w*CLOEXEC)[A-Z]+_[A-Z0-9_]+\b(?!\()"
FLAGS = (
    (rf" \| {FLAG}", ""), (rf"(?<!<< ){FLAG} \| ", ""),
    (r"(?<=[,=] )(?!\w*CLOEXEC)(?:AT|JSON|MSG|O|RENAME|RESOLVE)_[A-Z_]+(?=[,;)]| })", "0"),
)
# A call that is an operand of && or ||, and what is before and after it.
OPERAND = r"!?\w+\((?:[^()]|\([^()]*\))*\)"
BEFORE = r"(?:(?<=\t)|(?<=\()|(?<=&& )|(?<=\|\| )|(?<=[^=!<>]= )|(?<=return ))"
AFTER = r"(?=\)|;|$| &&| \|\|| \?)"
CHANGES = FLAGS + (
    (rf"{BEFORE}{OPERAND} (?:&&|\|\|) ", ""), (rf" (?:&&|\|\|) {OPERAND}{AFTER}", ""),
    (r" < ", " <= "), (r" <= ", " < "), (r" > ", " >= "), (r" >= ", " > "), (r" == ", " != "),
    (r" != ", " == "), (r" && ", " || "), (r" \|\| ", " && "), (r" \+ 1\b", " + 2"),
    (r" - 1\b", ""), (r"\breturn false;", "return true;"), (r"\breturn true;", "return false;"),
    (r"\bif \(!", "if ("), (r"\bif \((?=\w+\))", "if (!"), (r"\+\+;", ";"), (r" \|= ", " = "),
    (r" \+= ", " = "), (r" -= ", " = "), (r" = true;", " = false;"), (r" = false;", " = true;"),
    (r"\bmin(?=\(|_t\()", "max"), (r"\bmax(?=\(|_t\()", "min"), (r" & (?!=)", " | "), (r" << ", " >> "),
    (r"\breturn -E\w+;", "return 0;"), (r"\breturn 0;", "return -EINVAL;"),
    (r"\bcontinue;", "break;"), (r"(?<=[<>=] )(\d+)\b", lambda m: str(int(m.group(1)) + 1)),
    (r"!(?=\w*capable\w*\()", "!1 && !"), (r"(?<=return )(?=\w*capable\w*\()", "1 || "),
)
LIMIT = re.compile(r"(#define \w+(?:\(\w*\))? +\(?)(\d+)(?=U?L?L?\)?$)")
CALL = re.compile(r"\t+(?!return\b|goto\b|static_assert|BUILD_BUG)[a-z]\w*\(.*\);$")
LOCK = re.compile(r"\t+(\w*?)(lock|lock_bh|lock_irqsave|read_lock|down_read|down_write)\((.*)\);$")


def test_of(judge, root):
    """The source of a judge in a tree; None if there is none."""
    kind, _, name = judge.rpartition(":")
    where = {"fuzz": f"fuzz/{name}.c", "vm": f"vm/*/{name}.t", "uml": f"vm/*/{name}.t",
             "": f"host/*/{name}" if name.endswith(".t") else f"host/*/{name}.c"}
    return next(iter(glob.glob(f"{root}/userspace/tests/{where[kind]}")), None) if kind in where else None


def read_table():
    """The judges, as (pattern, judges); the known mutants and those that are the same, as (path, from, to)."""
    judges, known, same = [], [], []
    for line in open(TABLE, encoding="utf-8"):
        line = line.rstrip("\n")
        word, _, rest = line.partition(" ")
        if word == "judge":
            pattern, names = rest.split("\t")
            judges.append((re.compile(pattern), names.split()))
            for name in names.split():
                if not test_of(name, top):
                    sys.exit(f"{TABLE}: {name}: there is no such judge")
        elif word in ("known", "same"):
            into = known if word == "known" else same
            into.append([rest.strip(), None, None])
        elif word in ("-", "+"):
            into[-1][1 if word == "-" else 2] = rest.strip()
        elif line and not line.startswith("#"):
            sys.exit(f"{TABLE}: what is this? {line}")
    return judges, [tuple(one) for one in known], {tuple(one) for one in same}


def sources():
    out = subprocess.run(["git", "-C", top, "ls-files", *SOURCES], capture_output=True, text=True, check=True)
    return [path for path in out.stdout.split() if re.search(r"\.[ch]$", path) and not LEFT_OUT.search(path)]


def changed_lines(line, changes):
    """What may stand in place of a line of code."""
    for pattern, instead in changes:
        for match in re.finditer(pattern, line):
            put = instead(match) if callable(instead) else instead
            yield line[:match.start()] + put + line[match.end():]
    if CALL.fullmatch(line.rstrip("\n")):
        yield re.match(r"\t+", line).group() + ";\n"


def unlocked(lines, number):
    """Without a lock, and without its release in the same function."""
    match = LOCK.fullmatch(lines[number].rstrip("\n"))
    if not match:
        return None
    release = re.compile(r"\t+" + re.escape(match.group(1)) + r"(un|read_un)?(lock\w*|up_\w+|unlock\w*)\(" +
                         re.escape(match.group(3)) + r"\);$")
    edits = {number: "\t;\n"}
    for after in range(number + 1, len(lines)):
        if lines[after].startswith("}"):
            break
        if release.fullmatch(lines[after].rstrip("\n")) and "un" in lines[after]:
            edits[after] = "\t;\n"
    return edits if len(edits) > 1 else None


class Mutant:
    def __init__(self, path, number, lines, edits):
        self.path, self.number, self.lines, self.edits = path, number, lines, edits
        self.line, self.instead = lines[number].strip(), edits[number].strip()
        self.key = (path, self.line, self.instead)
        self.shown = f"{path}:{number + 1}: {self.line}  ->  {self.instead or ';'}" + \
            (", and its release" if len(edits) > 1 else "")

    def broken(self):
        return [self.edits.get(number, line) for number, line in enumerate(self.lines)]

    def digest(self):
        """The same for the same mutant of the same source, and for nothing else."""
        return hashlib.sha256("".join([self.path, "\n", *self.broken()]).encode()).hexdigest()[:12]

    def apply(self, tree):
        self.write(tree, self.broken())

    def undo(self, tree):
        self.write(tree, self.lines)

    def write(self, tree, lines):
        with open(os.path.join(tree, self.path), "w", encoding="utf-8") as file:
            file.writelines(lines)


def mutants(path):
    comment = False
    with open(os.path.join(top, path), encoding="utf-8") as file:
        lines = file.readlines()
    for number, line in enumerate(lines):
        opens, closes = "/*" in line, "*/" in line
        is_code = not (comment or opens or line.startswith((" *", "//")))
        comment = (comment or opens) and not closes
        match = LIMIT.match(line.rstrip("\n"))
        if is_code and match:
            for value in {int(match.group(2)) + 1, int(match.group(2)) - 1, int(match.group(2)) // 100} - {int(match.group(2))}:
                if value >= 0:
                    yield Mutant(path, number, lines, {number: line[:match.start(2)] + str(value) + line[match.end(2):]})
        defines = line.startswith("#define ")
        if not is_code or '"' in line or not line.startswith("\t") and not defines or path.endswith(".h") and "\\" in line:
            continue
        for instead in dict.fromkeys(changed_lines(line, FLAGS if defines else CHANGES)):
            yield Mutant(path, number, lines, {number: instead})
        edits = unlocked(lines, number)
        if edits:
            yield Mutant(path, number, lines, edits)


def of_key(key):
    path, line, instead = key
    with open(os.path.join(top, path), encoding="utf-8") as file:
        lines = file.readlines()
    numbers = [number for number, text in enumerate(lines) if text.strip() == line]
    if not numbers:
        sys.exit(f"{TABLE}: {path} has no line {line}")
    text = lines[numbers[0]]
    return Mutant(path, numbers[0], lines, {numbers[0]: text.replace(line, instead)})


def run(command, cwd, seconds, env, processor=resource.RLIM_INFINITY, size=FILE_SIZE):
    """The exit status, None if it took too long, and the output. All that it started is killed.
    Each process may take so many seconds of the processor: what loops is found soon, however busy
    the machine is. A file may become so large."""
    def limits():
        """A mutant may write without end. A suite that needs a huge file with nothing in it lifts that
        limit to make it. Memory has no limit here: the sanitizers reserve address space that they
        never use."""
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (processor, processor))

    with subprocess.Popen(command, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          start_new_session=True, preexec_fn=limits, env={**os.environ, **env}) as process:
        try:
            said = process.communicate(timeout=seconds)[0]
            return process.returncode, said
        except subprocess.TimeoutExpired:
            return None, b""
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass


def is_guest(judge):
    return judge.startswith(("vm:", "uml:"))


def kernel_of(judge):
    return "uml" if judge.startswith("uml:") else KERNEL


def read_report(path):
    """What was judged before: digest to what became of it, the last one where there are several."""
    known = {}
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            for line in file:
                match = re.match(r"(caught|SURVIVED|-) +([0-9a-f]{12}) ", line)
                if match:
                    known[match.group(2)] = match.group(1)
    return known


class Tree:
    """A copy of what is committed or about to be, with objects of its own."""

    def __init__(self, name):
        self.root = os.path.join(OUT, name)
        self.build = os.path.join(self.root, "build")
        self.seconds, self.whole, self.said = {}, {}, None
        listed = subprocess.run(["git", "-C", top, "ls-files"], capture_output=True, text=True, check=True)
        paths = listed.stdout.splitlines()
        self.remove_others(set(paths))
        for path in paths:
            a, b = os.path.join(top, path), os.path.join(self.root, path)
            os.makedirs(os.path.dirname(b), exist_ok=True)
            # A file that is the same keeps its time, and is not built again. One that is not may have been
            # built after the other was written: a run that was broken off leaves its mutant there.
            if not os.path.exists(b):
                shutil.copy2(a, b)
            elif open(a, "rb").read() != open(b, "rb").read():
                shutil.copy(a, b)
        if not os.path.exists(self.build):
            self.take_along()

    def remove_others(self, paths):
        """Sources of an earlier commit, which would be built, too."""
        for folder, folders, files in os.walk(self.root):
            if folder == self.root and "build" in folders:
                folders.remove("build")
            for name in files:
                path = os.path.join(folder, name)
                if os.path.relpath(path, self.root) not in paths:
                    os.remove(path)

    def take_along(self):
        """Copies what is built here already. The .d files have absolute paths, which are changed."""
        for folder in ("user", "watched", "tests", "fuzz/replay"):
            there = os.path.join(self.build, folder)
            if os.path.exists(os.path.join(top, "build", folder)):
                os.makedirs(os.path.dirname(there), exist_ok=True)
                subprocess.run(["cp", "-a", os.path.join(top, "build", folder), there], check=True)
        for folder, _, files in os.walk(self.build):
            for name in files:
                if name.endswith(".d"):
                    with open(os.path.join(folder, name), encoding="utf-8") as file:
                        text = file.read()
                    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                        file.write(text.replace(os.path.join(top, "build"), self.build))

    def make(self, folder, *targets):
        return run(["make", "-s", "-C", os.path.join(self.root, folder), f"BUILD={self.build}", *targets],
                   self.root, 900, {})[0] == 0

    def prepare(self, judge):
        """Builds what a judge needs; false if that does not compile."""
        if is_guest(judge):
            return self.make(".", f"modules-{kernel_of(judge)}", "tools")
        if judge.startswith("fuzz:"):
            return self.make("userspace/tests/fuzz", f"{self.build}/fuzz/replay/{judge[5:]}")
        if judge.endswith(".t"):
            return self.make("userspace", f"{self.build}/utf8guard")
        return self.make("userspace", f"{self.build}/tests/{judge}")

    def ask(self, judge, is_whole):
        """Whether a judge passes, and how long that took."""
        if is_guest(judge):
            command = ["scripts/vm/suite.sh", "-k", kernel_of(judge), test_of(judge, self.root)]
        elif judge.startswith("fuzz:"):
            target = judge[5:]
            inputs = [path for path in (f"userspace/tests/fuzz/{kind}/{target}" for kind in ("corpus", "regressions"))
                      if os.path.exists(os.path.join(self.root, path))]
            command = [f"{self.build}/fuzz/replay/{target}", "-n", "10000", "-d",
                       f"userspace/tests/fuzz/dictionaries/{target}", *inputs]
        elif judge.endswith(".t"):
            command = ["bash", test_of(judge, self.root)]
        else:
            command = [f"{self.build}/tests/{judge}"]
        begin = time.monotonic()
        took = self.seconds.get((judge, is_whole))
        limits = (1800, resource.RLIM_INFINITY) if took is None else (10 * took + 30, int(2 * took) + 10)
        # The memory of User-Mode Linux is a file.
        size = resource.RLIM_INFINITY if is_guest(judge) else FILE_SIZE
        status, said = run(command, self.root, limits[0], {} if is_whole else QUICK, limits[1], size)
        self.said = status, said
        if status == 0 and re.search(rb"(?m)^1\.\.0", said):
            sys.exit(f"{judge} was skipped: {said.decode()}")
        return status == 0, time.monotonic() - begin

    def begin(self, judge, is_whole):
        """Runs a judge on the sources as they are: it must pass, and its time gives its limit."""
        if not self.prepare(judge):
            sys.exit(f"{judge}: cannot be built")
        content, took = self.ask_twice(judge, is_whole)
        if not content:
            status, said = self.said
            lines = said.decode(errors="replace").splitlines()
            failed = [line for line in lines if line.startswith("not ok")] or lines[-10:]
            sys.exit("\n".join([f"{judge}: fails before anything is broken: exit status {status}", *failed[:10]]))
        self.seconds[judge, is_whole] = took

    def ask_twice(self, judge, is_whole):
        """As ask(). A judge may also fail because the machine is busy, so it has to fail twice."""
        answer = self.ask(judge, is_whole)
        return answer if answer[0] else self.ask(judge, is_whole)

    def code(self, path, judge):
        """What the compiler makes of a source for a judge; None for a header, or where it makes nothing."""
        if not path.endswith(".c"):
            return None
        if is_guest(judge) and path.startswith("kernel/"):
            made = self.object_of_module(path, kernel_of(judge)) if self.prepare(judge) else None
        else:
            made = f"{self.build}/pic/{path}" if path.startswith("userspace/xtables/") else \
                f"{self.build}/user/{path.removeprefix('userspace/')}"
            made = made[:-2] + ".o"
            made = made if self.make("userspace", made) else None
        if not made:
            return None
        bare = made + ".bare"
        subprocess.run(["strip", "--strip-debug", "-o", bare, made], check=True)
        with open(bare, "rb") as file:
            return file.read()

    def object_of_module(self, path, kernel):
        releases = os.path.join(self.build, "kbuild")
        release = next(name for name in os.listdir(releases)
                       if name.endswith("-uml") == (kernel == "uml") and not name.endswith("-test"))
        return os.path.join(releases, release, path[:-2] + ".o")

    def notices(self, mutant, judges):
        """The judge that fails, or None; "no build" where the mutant does not compile. Judges are
        pairs: which one, and whether the whole of it."""
        for judge in judges:
            if judge not in self.seconds:
                mutant.undo(self.root)
                self.begin(*judge)
                mutant.apply(self.root)
            if not self.prepare(judge[0]):
                return "no build"
            if not self.ask_twice(*judge)[0]:
                return judge[0]
        return None

    def judge(self, mutant, judges):
        if mutant.path not in self.whole:
            self.whole[mutant.path] = self.code(mutant.path, judges[0][0])
        before = self.whole[mutant.path]
        mutant.apply(self.root)
        try:
            if before is not None:
                after = self.code(mutant.path, judges[0][0])
                if after is None:
                    return "no build"
                if after == before:
                    return "the same code"
            return self.notices(mutant, judges)
        finally:
            mutant.undo(self.root)


def left_out(reasons, places, one_by_one):
    """What is said of sources that are not broken, for these reasons: of each, or of how many."""
    if one_by_one:
        return [f"{path}: {reason}: none of its {len(places[path])} places is broken" for path, reason in reasons.items()]
    lines = []
    for reason in sorted(set(reasons.values())):
        counts = [len(places[path]) for path in reasons if reasons[path] == reason and places[path]]
        if counts:
            lines.append(f"{reason}: {len(counts)} sources with {sum(counts)} places, none of which is broken")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("-n", type=int, default=30)
    parser.add_argument("-s", type=int, default=1)
    parser.add_argument("-j", type=int, default=1)
    parser.add_argument("--vm", action="store_true")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("files", nargs="*")
    args = parser.parse_args()
    table, known, same = read_table()

    def named(path):
        return next((names for pattern, names in table if pattern.match(path)), [])

    def judges(path):
        if args.vm:
            return named(path) if any(map(is_guest, named(path))) else []
        return [name for name in named(path) if not is_guest(name)]

    def why_not(path):
        """Why a source is not broken; None if it is."""
        if judges(path):
            return None
        return "no judge" if not named(path) else "only judges on this machine" if args.vm else "only judges in guests, for --vm"

    places = {path: [mutant for mutant in mutants(path) if mutant.key not in same] for path in sources()}
    for path in args.files:
        if path not in places:
            sys.exit(f"{path}: not a source that is broken here: one of {', '.join(SOURCES[:-1])} or {SOURCES[-1]}, written by hand")
    every = [mutant for path in places if judges(path) for mutant in places[path]]
    within = [mutant for mutant in every if not args.files or mutant.path in args.files]
    reasons = {path: why_not(path) for path in args.files or places if why_not(path)}
    said = left_out(reasons, places, bool(args.files))
    for line in said:
        print(line, file=sys.stderr)
    if args.list:
        for mutant in within:
            print(mutant.shown)
        return 0
    path = os.path.join(OUT, "report.vm" if args.vm else "report")
    before = read_report(path)
    chosen = [] if args.files else [of_key(key) for key in known if judges(key[0])]
    if args.again:
        chosen = [mutant for mutant in chosen + within if before.get(mutant.digest()) == "SURVIVED"]
    else:
        # Those of one source after each other, so that little is built.
        dice = random.Random(args.s)
        sample = dice.sample(within, min(args.n, len(within)))
        turns = {path: dice.random() for path in sorted({mutant.path for mutant in sample})}
        chosen += sorted(sample, key=lambda mutant: (turns[mutant.path], mutant.path, mutant.number))
        chosen = [mutant for mutant in chosen if mutant.digest() not in before]
    os.makedirs(OUT, exist_ok=True)
    trees = queue.Queue()
    for number in range(args.j):
        trees.put(Tree(f"vm{number}" if args.vm else str(number)))
    results = {}
    report = open(path, "a", encoding="utf-8")

    def ask(mutant, asked, is_last):
        tree = trees.get()
        try:
            noticed = tree.judge(mutant, asked)
        finally:
            trees.put(tree)
        if noticed is None and not is_last:
            return mutant
        word = "SURVIVED" if noticed is None else "-" if noticed in ("no build", "the same code") else "caught"
        results[mutant.digest()] = word
        for out in (sys.stdout, report):
            print(f"{word:9}{mutant.digest()} {mutant.shown}  ({noticed or 'nothing noticed'})", file=out, flush=True)
        return None

    with concurrent.futures.ThreadPoolExecutor(args.j) as pool:
        def ask_all(those, first):
            """Those that are left after the first judges, or after the others."""
            def ask_one(mutant):
                names = judges(mutant.path)
                late = [(name, True) for name in names if name in SHORTENED + LATE]
                early = [(name, name not in SHORTENED) for name in names if name not in LATE]
                return ask(mutant, early if first else late, not (first and late))
            return [mutant for mutant in pool.map(ask_one, those) if mutant]

        ask_all(ask_all(chosen, True), False)
    before.update(results)
    now = {digest: before[digest] for digest in {mutant.digest() for mutant in every} & set(before)}
    for what, judged in (("this run", results), ("all runs, of the sources as they are", now)):
        words = list(judged.values())
        caught, survived = words.count("caught"), words.count("SURVIVED")
        for out in (sys.stdout, report):
            print(f"{what}: {caught + survived} mutants, of {len(every)} places in the sources: {caught} caught, "
                  f"{survived} survived; {words.count('-')} more compiled to nothing or to the same", file=out)
    for line in said:
        for out in (sys.stdout, report):
            print(line, file=out)
    return "SURVIVED" in results.values()


if __name__ == "__main__":
    sys.exit(main())
