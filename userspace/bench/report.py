# SPDX-License-Identifier: GPL-2.0
"""The report: report.md for people, report.json for programs."""
import json
import os
import platform
import subprocess

from goals import OURS, all_goals, cells, ratios
from records import PROCESSES, ROUNDS

TOP = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))


def of_file(path, key):
    with open(path) as file:
        for line in file:
            if line.startswith(key):
                return line.split("=" if "=" in line else ":", 1)[1].strip().strip('"')
    return "unknown"


def git(*words):
    run = subprocess.run(["git", "-C", TOP, *words], capture_output=True, text=True)
    return run.stdout.strip() if run.returncode == 0 else "unknown"


def machine():
    return {
        "processor": of_file("/proc/cpuinfo", "model name"),
        "processors": os.cpu_count(),
        "kernel": platform.release(),
        "system": of_file("/etc/os-release", "PRETTY_NAME"),
        "compiler": subprocess.run(["cc", "--version"], capture_output=True,
                                   text=True).stdout.split("\n")[0],
        "commit": git("rev-parse", "--short", "HEAD"),
        "changed since": bool(git("status", "--porcelain")),
    }


def row(words):
    return "| " + " | ".join(words) + " |\n"


def table(titles, rows):
    return row(titles) + row(["---"] + ["---:"] * (len(titles) - 1)) + "".join(map(row, rows))


def name_of(cell):
    return " ".join(str(part) for part in cell if part != "")


def goal_rows(records):
    for what, most, found in all_goals(records):
        if not found:
            yield what, most, 0, 0, "not run"
            continue
        met = sum(figure <= most for figure, _ in found.values())
        worst = max(found, key=lambda cell: found[cell][0])
        figure, beside = found[worst]
        yield (what, most, met, len(found),
               f"{figure:.2f}: {name_of(worst)}{', beside ' if beside else ''}{beside}")


def goals_text(records):
    rows = [[what, f"{most:.2f}", f"{met} of {count}", worst]
            for what, most, met, count, worst in goal_rows(records)]
    return table(["goal", "at most", "met in", "the worst cell"], rows)


def by_text(records, part, column, value, unit, keep):
    """A table for each of the texts: sizes across, contestants down."""
    out = ""
    texts = dict.fromkeys(r["text"] for r in records if r["part"] == part)
    for text in texts:
        mine = [r for r in records if r["part"] == part and r["text"] == text and keep(r)]
        columns = list(dict.fromkeys(r[column] for r in mine))
        who = dict.fromkeys(r["by"] for r in mine)
        figure = {(r["by"], r[column]): value(r) for r in mine}
        rows = [[by] + [figure.get((by, c), "") for c in columns] for by in who]
        out += f"\n{text}, {unit}:\n\n" + table([""] + columns, rows)
    return out


def spread(r):
    """Octets a cycle, and half of the distance of the quartiles, in percent."""
    half = 50 * (r["high"] - r["low"]) / r["value"] if r["value"] else 0
    return f"{r['octets'] / r['value']:.2f} ±{half:.0f}%"


def cycles(r):
    half = 50 * (r["high"] - r["low"]) / r["value"] if r["value"] else 0
    return f"{r['value']:.2f} ±{half:.0f}%"


def lost(records):
    """Cells in which a peer is ahead, the worst first."""
    beside = [("validate", cells(records, "validate", ("text", "size")), "utf8guard"),
              ("normalize", cells(records, "normalize", ("form", "text", "size")), "utf8guard")]
    found = [(ratio, what, name_of(cell), peer) for what, group, ours in beside
             for cell, (ratio, peer) in ratios(
                 {k: {n: v for n, v in by.items() if not n.endswith("check")}
                  for k, by in group.items()}, ours).items() if ratio > 1]
    return [[f"{what} {cell}", peer, f"{ratio:.2f}"]
            for ratio, what, cell, peer in sorted(found, reverse=True)]


def plain_rows(records, part, columns):
    return [[str(r.get(c, "")) if not isinstance(r.get(c), float) else f"{r[c]:.6g}"
             for c in columns] for r in records if r["part"] == part]


def quiet(records):
    rounds = [r["quiet"] for r in records if r.get("quiet") is not None]
    if not rounds:
        return ""
    return (f"Rounds in which nothing disturbed the host: {sum(rounds) / len(rounds):.1f} of "
            f"{PROCESSES * ROUNDS} in the mean, {ROUNDS} in each of {PROCESSES} processes; fewer than half: "
            f"{sum(2 * n < PROCESSES * ROUNDS for n in rounds)} of {len(rounds)} figures.\n")


def markdown(records, said, pictures, host):
    out = "# What it costs, measured\n\n"
    out += "".join(f"- {name}: {value}\n" for name, value in host.items())
    for run, words in said.items():
        out += f"- {run}: {'; '.join(' '.join(word) for word in words)}\n"
    out += "\n" + quiet(records)
    out += ("\nFigures of a host are cycles of its core, medians and half of the distance of the "
            "quartiles of processes; uml is the kernel as a process\non that host; what is counted on an "
            "emulated stock kernel is instructions.\n")
    out += "\n## Goals\n\n" + goals_text(records)
    out += "".join(f"\n![{title}]({name})\n" for name, title in pictures)
    rows = lost(records)
    out += f"\n## Where a peer is ahead: {len(rows)} cells\n\n"
    out += table(["cell", "best peer", "times its cycles"], rows) if rows else "Nowhere.\n"
    out += "\n## Validation\n" + by_text(records, "validate", "size", spread,
                                         "octets a cycle", lambda r: True)
    for form in dict.fromkeys(r["form"] for r in records if r["part"] == "normalize"):
        out += f"\n## {form.upper()}\n" + by_text(
            records, "normalize", "size", cycles, "cycles an octet",
            lambda r, form=form: r["form"] == form)
    tables = {
        "kernel validate": ["where", "text", "size", "by", "value"],
        "kernel normalize": ["where", "text", "size", "by", "value"],
        "names": ["where", "text", "by", "value"],
        "packets": ["where", "engine", "protocol", "skb", "text", "size", "by", "value"],
        "memory": ["where", "by", "count", "all", "value", "floor"],
        "held": ["where", "text", "value"],
    }
    for part, columns in tables.items():
        rows = plain_rows(records, part, columns)
        if rows:
            unit = next(r["unit"] for r in records if r["part"] == part)
            out += f"\n## {part.capitalize()}: {unit}\n\n" + table(columns, rows)
    return out


def write(records, said, pictures, directory):
    host = machine()
    with open(f"{directory}/report.md", "w") as file:
        file.write(markdown(records, said, pictures, host))
    goals = [dict(zip(("goal", "most", "met", "cells", "worst"), goal))
             for goal in goal_rows(records)]
    with open(f"{directory}/report.json", "w") as file:
        json.dump({"version": 1, "machine": host, "said": said, "goals": goals,
                   "records": records}, file, indent=1)
        file.write("\n")
