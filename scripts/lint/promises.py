#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The page of promises, userspace/tests/PROMISES.md, from what the tests say of themselves.

  promises.py            writes the page
  promises.py --check    fails if the page is out of date, or a test names a check that it has not
  promises.py --figures  first records the figures of the last run, from build/test/GROUP/SUITE.log;
                         a suite that failed in it has none any more

A test has, in the comment at its top:

  # promise ATTACKER: WHAT IS PROMISED, which may go on
  #   in lines that are indented
  # shown by: A CHECK, by its name or by a part of it; several of these lines

The name must be between quotation marks in that test, in a program that it calls, or in a file of
userspace/tests that it includes; comments do not count. The check of a fuzz target, in
userspace/tests/fuzz, has the name of the target, and its figure is in the README there. How often a
test is run is from scripts/test/kernels.txt. The page itself keeps since when each promise has its words: no earlier
figure says anything of it.
"""
import collections
import glob
import os
import re
import subprocess
import sys
import time

top = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
PAGE, FIGURES, KERNELS = "userspace/tests/PROMISES.md", "userspace/tests/figures.txt", "scripts/test/kernels.txt"
FUZZ = "userspace/tests/fuzz/README.md"
# Who attacks, or relies on what is promised (the operator), in the order of the page.
ATTACKERS = ("local user", "root of a user namespace", "client of a server", "remote peer", "whoever wrote the text",
             "administrator by mistake", "operator", "others in the kernel")
HEAD = """# What is promised, and which test shows it

Made by `make promises` of what the tests say at their tops (`# promise`), and of what their last run said
(`figures.txt`); `make lint` compares. Do not edit.

How often: in every `make test`, or `make test-quick`, on the kernels that are named; `make test-all` has more of them
(scripts/test/kernels.txt). The last figure is how many checks passed, where and when, from 2026-11-26 on without those
that were skipped, of runs since the promise has its words; it is missing where there was none, and where the last one
failed. Of a fuzz target it is how many inputs `make fuzz` ran in all, and when last (fuzz/README.md); the inputs that
`make test` runs are the same each time, and are the checks of fuzz.t.

"""
MARK = re.compile(r"^(?:#| \*|//) promise ([^:]+): (.+)$")
MORE = re.compile(r"^(?:#| \*|//)   (\S.*)$")
SHOWN = re.compile(r"^(?:#| \*|//) shown by: (.+)$")
# A "#" with no space after it begins a line of C's preprocessor.
COMMENT = re.compile(r"\s*(#\s|//|/?\*)")
QUOTED = re.compile(r"""'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*\"""")
# A row of what was run there: target, executions, date. There may be several numbers of executions, and
# between "`" with which options.
FUZZED = re.compile(r"^\| `(\w+)` \| (\d[^|]*) \| (\d{4}-\d\d-\d\d) \|", re.M)
ROW = re.compile(r"^\| (.+) \| (\d{4}-\d\d-\d\d) \| \[[^]]*\]\(([^)]*)\) \|", re.M)
Promise = collections.namedtuple("Promise", "attacker text path checks strange")


def tests():
    out = subprocess.run(["git", "-C", top, "ls-files", "--deduplicate", "userspace/tests"], capture_output=True, text=True, check=True)
    return [path for path in out.stdout.splitlines()
            if re.match(r"userspace/tests/(host/\w+/\w+\.(c|t)|fuzz/\w+\.c|(vm|packages|uml)(/\w+)?/\w+\.t)$", path)]


def read(path):
    with open(os.path.join(top, path), encoding="utf-8", errors="surrogateescape") as file:
        return file.read()


def promises_of(path):
    found = []
    for line in read(path).split("\n")[:60]:
        mark, more, shown = MARK.match(line), MORE.match(line), SHOWN.match(line)
        if mark:
            found.append(Promise(mark.group(1), mark.group(2), path, [], []))
        elif shown and found:
            found[-1].checks.append(shown.group(1))
        elif more and found and not found[-1].checks:
            found[-1] = found[-1]._replace(text=f"{found[-1].text} {more.group(1)}")
        elif found and not found[-1].checks:
            found[-1].strange.append(line)
    return found


def code_of(path):
    return "\n".join(line for line in read(path).split("\n") if not COMMENT.match(line))


def has_check(path, name):
    """Is it in the test, in a file that it names, beside it or in another folder of vm, or in one of userspace/tests?"""
    if path.startswith("userspace/tests/fuzz/"):
        return name == name_of(path)
    code, folder = code_of(path), os.path.dirname(path)
    files = [path]
    files += [f"{folder}/{other}" for other in os.listdir(os.path.join(top, folder)) if other in code and other not in path]
    for helper in re.findall(r"^(?:table|helper) (\w+\.py)", code, re.M):
        files += glob.glob(f"userspace/tests/vm/**/{helper}", root_dir=top, recursive=True)
    files += [f"userspace/tests/{other}" for other in re.findall(r"(?:\.\./)+(\w+\.(?:h|py))", code)]
    return any(name in quoted for one in files if os.path.isfile(os.path.join(top, one)) for quoted in QUOTED.findall(code_of(one)))


def how_often():
    """By suite: the kernels on which make test, and make test-quick, run it; and the slow ones of the host."""
    everywhere, chosen, quick, slow = [], collections.defaultdict(list), collections.defaultdict(list), set()
    in_quick, in_test = {}, {}
    for line in read(KERNELS).split("\n"):
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if words[0] == "kernel":
            in_quick[words[1]], in_test[words[1]] = words[2:4]
            if words[3] == "every":
                everywhere.append(words[1])
        elif words[0] == "slow":
            slow.add(words[1])
        elif words[0] == "upstream":
            continue
        elif not words[1].startswith("("):
            for kind, suites in (in_test, chosen), (in_quick, quick):
                if kind.get(words[0]) == "chosen":
                    suites[words[1]].append(words[0])
    return everywhere, chosen, quick, slow


def name_of(path):
    return os.path.splitext(os.path.basename(path))[0]


def is_of(path, group):
    """Suites of the host, of guests and of packages, and fuzz targets, may have the same name."""
    if path.startswith("userspace/tests/fuzz/") or group == "make fuzz":
        return path.startswith("userspace/tests/fuzz/") and group == "make fuzz"
    if path.startswith("userspace/tests/host/"):
        return group == "host" or group.endswith("-host")
    return group.startswith("packages") == path.startswith("userspace/tests/packages/") and not group.endswith("host")


def day_of(seconds):
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))


def read_figures():
    figures = {}
    if os.path.exists(os.path.join(top, FIGURES)):
        for line in read(FIGURES).splitlines():
            if line and not line.startswith("#"):
                group, suite, passed, day = line.split()
                figures[group, suite] = (passed, day)
    return figures


def group_and_suite(folder, name):
    """Of build/test/FOLDER/NAME.log; a suite of packages may have the Debian that boots in the name of its log."""
    suite, _, debian = name.rpartition("_")
    return (f"{folder}-{debian}", suite) if folder == "packages" and debian in ("bookworm", "trixie") else (folder, name)


def fuzz_figures():
    """By target: how many inputs were run in all rows, and when last."""
    inputs, days = collections.Counter(), {}
    for target, cell, day in FUZZED.findall(read(FUZZ)) if os.path.exists(os.path.join(top, FUZZ)) else []:
        numbers = re.findall(r"\d[\d,]*", re.sub(r"`[^`]*`", "", cell))
        inputs[target] += sum(int(number.replace(",", "")) for number in numbers)
        days[target] = max(day, days.get(target, day))
    return {("make fuzz", target): (f"{inputs[target]:,} inputs", day) for target, day in days.items()}


def take_figures():
    """Records the figures of those suites in build/test all of whose checks passed, but for those that were skipped.
    One that failed loses what an earlier run of it left here; one that was not run keeps it."""
    figures = read_figures()
    known = {name_of(path) for path in tests()}
    for folder, _, files in os.walk(os.path.join(top, "build/test")):
        for name in files:
            path = os.path.join(folder, name)
            group, suite = group_and_suite(os.path.basename(folder), name.removesuffix(".log"))
            if not name.endswith(".log") or suite not in known:
                continue
            with open(path, encoding="utf-8", errors="replace") as file:
                text = file.read()
            # A "#" that belongs to a name has a backslash before it.
            skips = [bool(re.search(r"(?<!\\)# skip", line, re.I)) for line in re.findall(r"^ok\b.*", text, re.M)]
            passed = skips.count(False)
            plan = re.search(r"^1\.\.(\d+)", text, re.M)
            # keep.sh makes LOG.green if the exit status was 0: where a guest's kernel complains, it is not.
            is_green = plan and len(skips) == int(plan.group(1)) and os.path.exists(path + ".green")
            if is_green and passed:
                figures[group, suite] = (str(passed), day_of(os.path.getmtime(path)))
            elif not is_green:
                figures.pop((group, suite), None)
    with open(os.path.join(top, FIGURES), "w", encoding="utf-8") as file:
        file.write("# What promises.py --figures has read: GROUP SUITE CHECKS DAY, of suites all of whose checks passed\n")
        for (group, suite), (passed, day) in sorted(figures.items()):
            file.write(f"{group} {suite} {passed} {day}\n")


def read_since():
    """By the words of a promise and the link to its test: since when the page has it."""
    old = read(PAGE) if os.path.exists(os.path.join(top, PAGE)) else ""
    return {(text, link): day for text, day, link in ROW.findall(old)}


def page(promises):
    everywhere, chosen, quick, slow = how_often()
    figures, since = {**read_figures(), **fuzz_figures()}, read_since()
    lines = [HEAD]
    for attacker in ATTACKERS:
        lines.append(f"## {attacker[0].upper()}{attacker[1:]}\n\n| promise | since | shown by | checks | how often | last figure |\n|---|---|---|---|---|---|\n")
        for one in promises:
            if one.attacker != attacker:
                continue
            name = name_of(one.path)
            if one.path.startswith("userspace/tests/host/"):
                often = "`make test`, on the host" + ("" if name in slow else "; `make test-quick`")
            elif one.path.startswith("userspace/tests/fuzz/"):
                often = "`make test`, on the host; `make test-quick`; `make fuzz`"
            elif one.path.startswith("userspace/tests/vm/upstream/"):
                often = "`make test-upstream`; `make test-all`"
            elif one.path.startswith("userspace/tests/vm/"):
                often = "`make test`: " + ", ".join(everywhere + chosen[name])
                often += "".join(f"; `make test-quick`: {kernel}" for kernel in quick[name])
            else:
                often = "`make test-packages`" if "/packages/" in one.path else "`make test`, in User-Mode Linux"
            link = os.path.relpath(one.path, os.path.dirname(PAGE))
            first = since.get((one.text, link), day_of(time.time()))
            figure = "; ".join(f"{passed}, {group}, {day}" for (group, suite), (passed, day) in sorted(figures.items())
                               if suite == name and is_of(one.path, group) and day >= first)
            checks = "; ".join(one.checks).replace("|", "\\|")
            lines.append(f"| {one.text} | {first} | [{os.path.basename(one.path)}]({link}) | {checks} | {often} | {figure} |\n")
        lines.append("\n")
    return "".join(lines).rstrip("\n") + "\n"


def main():
    if "--figures" in sys.argv:
        take_figures()
    promises = [one for path in tests() for one in promises_of(path)]
    wrong = 0
    for one in promises:
        if one.attacker not in ATTACKERS:
            print(f"{one.path}: {one.attacker}: who is that? Of {', '.join(ATTACKERS)}")
            wrong += 1
        if not one.checks:
            print(f"{one.path}: nothing shows: {one.text}")
            wrong += 1
        # Where nothing shows it, these are all other lines of the test.
        for line in one.strange if one.checks else []:
            print(f"{one.path}: neither more of the promise nor a check that shows it: {line}")
            wrong += 1
        for check in one.checks:
            if not has_check(one.path, check):
                print(f"{one.path}: there is no check called: {check}")
                wrong += 1
    manual = read("userspace/man/utf8guard.8")
    security = manual[manual.index(".Sh SECURITY CONSIDERATIONS"):]
    promising = {os.path.basename(one.path) for one in promises}
    for suite in set(re.findall(r"\b(\w+\.t)\b", security[:security.index(".Sh CAVEATS")])) - promising:
        print(f"userspace/man/utf8guard.8: {suite} shows a promise there, and has none at its top")
        wrong += 1
    text = page(promises)
    if "--check" in sys.argv:
        if not os.path.exists(os.path.join(top, PAGE)) or read(PAGE) != text:
            print(f"{PAGE}: not what the tests say; make promises")
            wrong += 1
    else:
        with open(os.path.join(top, PAGE), "w", encoding="utf-8") as file:
            file.write(text)
    return wrong != 0


sys.exit(main())
