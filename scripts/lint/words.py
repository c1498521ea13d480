#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Finds retired words; words.txt beside this script says which, and where.

Prints a line for each that is found, with the word in its place, and fails if there is one.
"""
import os
import re
import subprocess
import sys

TABLE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "words.txt")
IGNORED = re.compile(r"(^|/)words\.(txt|py)$|_table\.c$|_gen\.[ch]$")


def table():
    """Each retired word as (its pattern, what to say, paths it is looked for in, lines that may have it)."""
    where, words = re.compile(""), []
    for line in open(TABLE):
        line = line.rstrip("\n")
        if line.startswith("in "):
            where = re.compile(line[3:])
        elif line.startswith("but "):
            words[-1][3].append(re.compile(line[4:]))
        elif line and not line.startswith("#"):
            pattern, instead = line.split("\t")
            words.append((re.compile(rf"(?<!\w)({pattern})(?!\w)"), instead, where, []))
    return words


def tracked():
    listed = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True)
    return [path for path in listed.stdout.splitlines() if not IGNORED.search(path)]


def main():
    words, found = table(), False
    for path in tracked():
        here = [word for word in words if word[2].match(path)]
        with open(path, encoding="utf-8", errors="surrogateescape") as text:
            for number, line in enumerate(text, 1):
                for pattern, instead, _, meant in here:
                    match = pattern.search(line)
                    if match and not any(one.search(line) for one in meant):
                        print(f"{path}:{number}: {match.group(1)}: say {instead}")
                        found = True
    return found


sys.exit(main())
