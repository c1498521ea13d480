#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""What is in a file of JSON, for commands.t: answers a line for each line.

A line is a file and steps into it, between them a tab: "a.0.b"; "*" goes into
each of a list, "#" is how many it has.
"""
import json
import sys


def follow(value, steps):
    if not steps:
        return value if isinstance(value, str) else json.dumps(value)
    step, rest = steps[0], steps[1:]
    if step == "*":
        return " ".join(follow(v, rest) for v in value)
    if step == "#":
        return str(len(value))
    return follow(value[int(step) if isinstance(value, list) else step], rest)


for line in sys.stdin:
    path, steps = line.rstrip("\n").split("\t")
    try:
        with open(path, "rb") as f:
            print(follow(json.load(f), steps.split(".")), flush=True)
    except (ValueError, LookupError, TypeError) as e:
        print(f"{type(e).__name__}: {e}", flush=True)
