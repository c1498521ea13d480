#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Run the benchmarks and write what they say where people can see it.

    run.py [--quick] [--kernel NAME]... [PART...]

The parts, all of them if none is named, with where they run:

    validate     validation and its packaged peers; this host
    normalize    normalization and its packaged peers; this host
    codec        both in the kernel, beside fs/unicode and nls; User-Mode Linux
    packets      the payload check beside xt_string and nft; User-Mode Linux, and counted on
                 each stock kernel
    names        the name check; counted on each stock kernel
    memory       what rules and connections take; each stock kernel
    held         how long one name or packet of an attacker holds a processor; counted on each
                 stock kernel

--quick is the parts of the host. build/bench/PART.WHERE.tsv keeps what a part printed, so one
part can be run again: the report takes all that are there. It is build/bench/report.md, with
report.json and pictures beside it. Nothing here is a test: it fails where a benchmark cannot
be run, and at no figure. `make bench` builds what this runs.
"""
import argparse
import datetime
import glob
import math
import os
import subprocess
import sys

import plots
import report
from records import PROCESSES, merge, parse, quiet_processes

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
OUT = os.path.join(TOP, "build/bench")
TEXTS = os.path.join(OUT, "texts")
BENCH = os.path.dirname(os.path.realpath(__file__))

HOST = {
    "validate": [f"{OUT}/validate", TEXTS],
    "normalize": [f"{OUT}/normalize", TEXTS],
}
UML = {
    "codec": ["-b"],
    "packets": ["-x", f"{BENCH}/packets.sh"],
}
# Counted: a tick is an instruction, whatever else the machine does.
STOCK = {
    "packets": (["-c", "-t", "900"], f"{BENCH}/packets.sh", f"{OUT}/packets"),
    "names": (["-c", "-t", "900"], f"{BENCH}/names.sh", f"{OUT}/names"),
    "memory": (["-t", "900", "-m", "2048"], f"{BENCH}/memory.sh"),
    "held": (["-c", "-t", "900", "-m", "2048"], f"{BENCH}/held.sh", OUT),
}
PARTS = sorted({*HOST, *UML, *STOCK})
# Processes of a benchmark of the host, where other work disturbs them.
MOST = 20


def commands(part, kernels):
    """(where, command) of each run that a part is made of."""
    if part in HOST:
        yield "host", HOST[part]
    if part in UML:
        yield "uml", [f"{TOP}/scripts/uml/run.sh", *UML[part]]
    if part in STOCK:
        options, *command = STOCK[part]
        for kernel in kernels:
            yield kernel, [f"{TOP}/scripts/vm/run.sh", *options, "-k", kernel, "--", *command]


def run(part, where, command):
    path = f"{OUT}/{part}.{where}.tsv"
    print(f"{part}, {where}", flush=True)
    with open(f"{path}.new", "w") as out:
        failed = run_quiet(command, out) if part in HOST else call(command, out)
    if failed:
        sys.exit(f"{part} on {where} failed; what it printed is in {path}.new")
    os.rename(f"{path}.new", path)


def call(command, out, **environment):
    return subprocess.run(command, stdout=out, stdin=subprocess.DEVNULL,
                          env={**os.environ, **environment}).returncode


def run_quiet(command, out):
    """Runs it until each cell has PROCESSES processes that nothing disturbed, or MOST times. Where the
    core's other thread was idle for the first time, what came before was measured beside work."""
    alone = math.inf
    for _ in range(MOST):
        if call(command, out, **({"BENCH_ALONE": str(alone)} if alone < math.inf else {})):
            return 1
        records, found = output_of(out.name)
        if found < alone * .97 < math.inf:
            out.seek(0)
            out.truncate()
            records = []
        alone = min(alone, found)
        if records and quiet_processes(records) >= PROCESSES:
            break
    return 0


def output_of(path):
    """Return: what the processes measured, and the least that additions took."""
    with open(path) as file:
        lines = file.readlines()
    return (parse(lines, "host")[0],
            min(float(line.split()[2]) for line in lines if line.startswith("# alone ")))


def all_records():
    records, said = [], {}
    for path in sorted(glob.glob(f"{OUT}/*.*.tsv")):
        part, where, _ = os.path.basename(path).split(".tsv")[0].split(".", 1) + [""]
        with open(path, errors="replace") as file:
            more, words = parse(file, where)
        records += merge(more)
        day = datetime.date.fromtimestamp(os.path.getmtime(path)).isoformat()
        said[f"{part}, {where}"] = [("run", day), *words]
    return records, said


def main():
    parser = argparse.ArgumentParser(description=__doc__, prog="run.py",
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--kernel", action="append")
    parser.add_argument("part", nargs="*", metavar="PART")
    options = parser.parse_args()
    unknown = [part for part in options.part if part not in PARTS]
    if unknown:
        parser.error(f"{unknown[0]}: unknown part; expected {', '.join(PARTS)}")

    os.makedirs(OUT, exist_ok=True)
    subprocess.run([f"{BENCH}/texts.py", TEXTS], check=True)
    for part in options.part or (sorted(HOST) if options.quick else PARTS):
        for where, command in commands(part, options.kernel or ["6.12"]):
            run(part, where, command)
    records, said = all_records()
    pictures = plots.draw(records, OUT)
    report.write(records, said, pictures, OUT)
    print(f"{OUT}/report.md")


main()
