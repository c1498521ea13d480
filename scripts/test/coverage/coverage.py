#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Compares what gcov has counted with never.txt, the list of functions that never run.

    coverage.py DIRECTORY

DIRECTORY is where coverage.sh builds. Prints for each folder how many lines run; writes to
DIRECTORY/lines those that never do, by function. Exit status 1, with a line for each,

    where a function or a whole file never runs and never.txt does not have it,
    where never.txt has one that runs, or that does not exist.

Each .gcda is beside its .gcno, but for those of the guest: they are below guest/kernel/SUITE,
by the absolute path of the object.

gcov's own names of functions are not used: the compiler puts the lines of a static function
that it inlines into its caller. A function here is what is between its braces in the source, and
it runs if one of these lines does.
"""
import bisect
import collections
import fnmatch
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TOP = os.path.realpath(os.path.join(HERE, "../../.."))
LIST = os.path.join(HERE, "never.txt")
COUNTED = ("kernel/", "userspace/tool/", "userspace/codec/", "userspace/xtables/")
# What no hand wrote.
GENERATED = re.compile(r"_(gen|table)\.[ch]$")
GUEST = re.compile(r"/guest/kernel/[^/]+(/.*)")
BATCH = 200


def tracked():
    listed = subprocess.run(["git", "ls-files", *COUNTED], cwd=TOP, check=True, capture_output=True, text=True)
    return {path for path in listed.stdout.split() if path.endswith(".c") and not GENERATED.search(path)}


def counters(directory):
    """Each .gcda with its .gcno, and whether the guest has counted it."""
    for path, _, names in os.walk(directory):
        for name in names:
            file = os.path.join(path, name)
            if name.endswith(".gcda") and os.path.getsize(file):
                guest = GUEST.search(file)
                note = (guest.group(1) if guest else file)[:-len("gcda")] + "gcno"
                if os.path.exists(note):
                    yield file, note, bool(guest)


def source_of(file, directory):
    """The path in the tree: the kernel builds a copy of that, and the KUnit suites include some."""
    path = os.path.normpath(os.path.join(directory, file))
    _, copied, rest = path.partition("/build/coverage/kbuild/")
    return rest.partition("/")[2] if copied else os.path.relpath(path, TOP)


def read(batch, lines):
    """Adds to lines: for each source, line to the counts of host and guest."""
    with tempfile.TemporaryDirectory() as scratch:
        for number, (file, note, _) in enumerate(batch):
            os.symlink(file, f"{scratch}/{number}.gcda")
            os.symlink(note, f"{scratch}/{number}.gcno")
        names = [f"{number}.gcda" for number in range(len(batch))]
        gcov = subprocess.run(["gcov", "--json-format", "--stdout", *names], cwd=scratch, check=False,
                              capture_output=True, text=True)
    # Of a guest that was ended, a file may be cut off: it is left out.
    for number in re.findall(r"^(\d+)\.gcda:(?!.*stamp)", gcov.stderr, re.M):
        print(f"{batch[int(number)][0]}: gcov cannot read it", file=sys.stderr)
    for one in map(json.loads, gcov.stdout.splitlines()):
        guest = batch[int(one["data_file"].partition(".")[0])][2]
        for part in one["files"]:
            source = source_of(part["file"], one["current_working_directory"])
            if not source.startswith(COUNTED) or GENERATED.search(source):
                continue
            of_source = lines[source]
            for line in part["lines"]:
                of_source[line["line_number"]][guest] += line["count"]


def name_of(head):
    """The function that a declarator declares: what is before its parameters, and no attribute."""
    depth, flat = 0, ""
    for letter in head:
        depth -= letter == ")"
        flat += letter if not depth else ""
        depth += letter == "("
    names = re.findall(r"(\w+)\s*\(", flat)
    return next((name for name in names if not name.startswith("__")), names[0] if names else None)


def functions(path):
    """(first line, last line, name) of each function. Kernel style: its braces are in column 0."""
    found, head, first = [], "", None
    with open(os.path.join(TOP, path), encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if first is not None:
                if line == "}":
                    found.append((*first, number))
                    head, first = "", None
            elif line == "{" and "(" in head:
                first = began, name_of(head)
            elif re.match(r"\w.*\) \{.*\}$", line):
                found.append((number, name_of(line.partition("{")[0]), number))
                head = ""
            elif re.match(r"[A-Za-z_]", line) and not line.endswith((";", "{")):
                began = began if head else number
                head += line + "\n"
            elif not line or line.startswith(("}", "#", "/", " *")) or line.endswith((";", "{")):
                head = ""
            elif head:
                head += line + "\n"
    return [(began, ended, name) for began, name, ended in found]


def by_function(path, counted):
    """For each function with lines that are counted: those lines, with whether they run."""
    table = functions(path)
    starts = [one[0] for one in table]
    found = collections.defaultdict(dict)
    for number, counts in sorted(counted.items()):
        at = bisect.bisect_right(starts, number) - 1
        if at >= 0 and number <= table[at][1]:
            found[table[at][2]][number] = any(counts)
    return found


def ranges(numbers):
    """[1, 2, 3, 7] is "1-3 7"."""
    parts = []
    for number in numbers:
        if parts and parts[-1][1] == number - 1:
            parts[-1][1] = number
        else:
            parts.append([number, number])
    return " ".join(str(a) if a == b else f"{a}-{b}" for a, b in parts)


def entries():
    """never.txt: (file, function, reason, number of the line); a line may have several functions."""
    with open(LIST, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            if line.startswith("#") or not line.strip():
                continue
            fields = line.rstrip("\n").split("\t")
            if len(fields) != 3 or not all(fields):
                sys.exit(f"{LIST}:{number}: FILE, FUNCTIONS and REASON, by tabs")
            for function in fields[1].split():
                yield fields[0], function, fields[2], number


def compare(never, runs):
    """Complaints. never has (file, function or "*"), so has runs."""
    complaints, known = [], set()
    for file, function, reason, number in entries():
        here = {key for key in never if fnmatch.fnmatchcase(key[0], file) and key[1] == function}
        known |= here
        if (file, function) in runs:
            if not reason.startswith("sometimes: "):
                complaints.append(f"{file}: {function}() runs; take it out of never.txt:{number}")
        elif not here:
            complaints.append(f"{file}: {function}: never.txt:{number} has it, and there is none, or all of them run")
    for file, function in sorted(never - known):
        complaints.append(f"{file}: is in no program that is run here" if function == "*" else f"{file}: {function}() never runs")
    return complaints


def table(lines, of_file):
    """What runs, by folder."""
    rows = collections.defaultdict(lambda: [0] * 6)
    for path, counted in lines.items():
        for row in (rows[os.path.dirname(path)], rows["all"]):
            row[0] += len(counted)
            row[1] += sum(any(counts) for counts in counted.values())
            row[2] += sum(counts[0] > 0 for counts in counted.values())
            row[3] += sum(counts[1] > 0 for counts in counted.values())
            row[4] += len(of_file[path])
            row[5] += sum(any(one.values()) for one in of_file[path].values())
    print(f"{'folder':28} {'lines':>6} {'run':>6}      {'host':>6} {'UML':>6} {'functions':>10} {'run':>6}")
    for folder in [*sorted(rows.keys() - {"all"}), "all"]:
        total, run, host, guest, count, entered = rows[folder]
        print(f"{folder:28} {total:6} {run:6} {100 * run / total:3.0f}% {host:6} {guest:6} {count:10} {entered:6}")


def write_lines(directory, of_file):
    with open(os.path.join(directory, "lines"), "w", encoding="utf-8") as out:
        for path, found in sorted(of_file.items()):
            for name, numbers in found.items():
                idle = [number for number, ran in numbers.items() if not ran]
                if idle:
                    print(f"{path}: {name}(): {'' if any(numbers.values()) else 'never: '}{ranges(idle)}", file=out)


def main():
    directory = os.path.abspath(sys.argv[1])
    lines = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0]))
    found = sorted(counters(directory))
    for begin in range(0, len(found), BATCH):
        read(found[begin:begin + BATCH], lines)
    of_file = {path: by_function(path, counted) for path, counted in lines.items()}
    never = {(path, "*") for path in tracked() - set(lines)}
    runs = set()
    for path, names in of_file.items():
        for name, numbers in names.items():
            (runs if any(numbers.values()) else never).add((path, name))
    table(lines, of_file)
    write_lines(directory, of_file)
    complaints = compare(never, runs)
    for complaint in complaints:
        print(complaint)
    print(f"{len(never)} functions or files never run; what of the others does not is in {os.path.relpath(directory, TOP)}/lines")
    return bool(complaints)


sys.exit(main())
