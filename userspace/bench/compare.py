#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What a change of the codec did to its speed:

    compare.py COMMIT

Builds the benchmarks of the host with the codec of that commit and with the one of this
tree, runs both in turn, and prints for each cell the cycles of this tree by those of the
commit, as the median of the ratios of ROUNDS pairs. The benchmarks are this tree's for
both; where the codec of the commit lacks what they call, it says that they do not compile.
"""
import os
import shutil
import statistics
import subprocess
import sys

from records import parse

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
OUT = f"{TOP}/build/bench"
ROUNDS = 5
PROGRAMS = {"validate": ["utf8guard", "general"], "normalize": ["ours"]}


def call(*words, **more):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def build_base(commit):
    """The tree of that commit, with the benchmarks of this one; return: its programs."""
    tree = f"{OUT}/base"
    shutil.rmtree(tree, ignore_errors=True)
    os.makedirs(tree)
    archive = subprocess.Popen(["git", "-C", TOP, "archive", commit], stdout=subprocess.PIPE)
    call("tar", "-C", tree, "-x", stdin=archive.stdout)
    if archive.wait():
        sys.exit(f"{commit}: no such commit")
    shutil.rmtree(f"{tree}/userspace/bench")
    shutil.copytree(f"{TOP}/userspace/bench", f"{tree}/userspace/bench")
    shutil.copy(f"{TOP}/userspace/Makefile", f"{tree}/userspace/Makefile")
    call("make", "-s", "-C", f"{tree}/userspace", f"BUILD={tree}/build",
         *[f"{tree}/build/bench/{program}" for program in PROGRAMS])
    return f"{tree}/build/bench"


def measure(directory, program):
    """{cell: cycles} of one run."""
    lines = call(f"{directory}/{program}", f"{OUT}/texts", *PROGRAMS[program]).splitlines()
    records, _ = parse(lines, "host")
    return {" ".join(str(r[k]) for k in ("form", "text", "size", "by") if k in r): r["value"]
            for r in records}


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: compare.py COMMIT   (make bench-compare BASE=COMMIT)")
    base = build_base(sys.argv[1])
    call(f"{TOP}/userspace/bench/texts.py", f"{OUT}/texts")
    print(f"ratio\tcell\t(cycles of this tree by those of {sys.argv[1]}, {ROUNDS} pairs)")
    for program in PROGRAMS:
        pairs = [(measure(OUT, program), measure(base, program)) for _ in range(ROUNDS)]
        ratios = {cell: statistics.median(ours[cell] / theirs[cell] for ours, theirs in pairs)
                  for cell in pairs[0][0] if all(cell in theirs for _, theirs in pairs)}
        for cell, ratio in sorted(ratios.items(), key=lambda item: item[1]):
            print(f"{ratio:.3f}\t{program} {cell}")
        print(f"{statistics.geometric_mean(ratios.values()):.3f}\t{program}, all {len(ratios)} cells")


main()
