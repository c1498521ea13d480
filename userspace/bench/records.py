# SPDX-License-Identifier: GPL-2.0
"""What the benchmarks print, as records.

Each prints TSV, with a line of titles before each table and with "# NAME VALUE..." for what
is said of the run. A record is a dictionary; all have:

    part    which benchmark
    where   host (a process), uml (the kernel as a process) or the name of a stock kernel
    by      the contestant
    value   the median, or the only figure; unit says of what
    low, high   the quartiles, where there are any
    quiet   how many rounds nothing disturbed; None where instructions are counted
"""
import statistics

# Where the loader puts a program decides on two cycles of a short call: each benchmark of the host
# runs in several processes, and in each of them in BENCH_ROUNDS rounds (bench.h).
PROCESSES = 5
ROUNDS = 7
# With so many rounds that nothing disturbed, a process counts; as BENCH_QUIET in bench.h.
QUIET = 3

# Titles of a table -> part, unit, and how the columns are called. "=" is a number.
TABLES = {
    "text size octets by quartile1 median quartile3 quiet":
        ("validate", "cycles a call",
         "text size =octets by =low =value =high =quiet"),
    "form text size octets by quartile1 median quartile3 quiet":
        ("normalize", "cycles an octet",
         "form text size =octets by =low =value =high =quiet"),
    "text octets by cycles an octet times ours":
        ("kernel validate", "cycles an octet", "text size by =value -"),
    "text octets by cycles an octet times our NFD":
        ("kernel normalize", "cycles an octet", "text size by =value -"),
    "engine protocol skb text octets by cycles more than none":
        ("packets", "cycles", "engine protocol skb text size by - =value"),
    "kernel engine protocol text octets by instructions more than none":
        ("packets", "instructions", "kernel engine protocol text size by - =value"),
    "kernel name rules instructions more than not loaded":
        ("names", "percent", "kernel text by - =value"),
    "kernel what count octets each floor":
        ("memory", "octets", "kernel by =count =all =value =floor"),
    "kernel attack with rules without more":
        ("held", "instructions", "kernel text - - =value"),
}


def record(table, where, fields):
    part, unit, columns = TABLES[table]
    made = {"part": part, "where": where, "unit": unit}
    for column, field in zip(columns.split(), fields):
        if column.startswith("="):
            made[column[1:]] = float(field)
        elif column != "-":
            made[column] = field
    made.setdefault("by", "utf8guard")
    return made


def parse(lines, where):
    """Return: records, and what is said of the run, as (name, words)."""
    records, said, table = [], [], None
    for line in lines:
        line = line.rstrip("\n")
        titles = line.replace("\t", " ")
        if line.startswith("# "):
            words = tuple(line[2:].split(None, 1))
            if table is None and words not in said:
                said.append(words)
        elif titles in TABLES:
            table = titles
        elif table and "\t" in line:
            records.append(record(table, where, line.split("\t")))
    return records, said


def cells_of(records):
    """The records of each cell, those of quiet processes first."""
    cells = {}
    for r in records:
        key = tuple(r[k] for k in sorted(r) if k not in ("value", "low", "high", "quiet", "all"))
        cells.setdefault(key, []).append(r)
    return [sorted(same, key=lambda r: r.get("quiet", ROUNDS) < QUIET) for same in cells.values()]


def quiet_processes(records):
    """How many processes were quiet in the cell that has the fewest of these."""
    return min(sum(r["quiet"] >= QUIET for r in same) for same in cells_of(records))


def merge(records):
    """One record for each cell that several processes measured: the median of the medians of
    PROCESSES of them, quiet ones where there are so many, and the quartiles of these."""
    merged = []
    for same in cells_of(records):
        same = same[:PROCESSES]
        made = same[0]
        if len(same) > 1:
            values = [r["value"] for r in same]
            made["low"], made["value"], made["high"] = statistics.quantiles(values, method="inclusive")
            made["quiet"] = sum(r["quiet"] for r in same)
        merged.append(made)
    return merged
