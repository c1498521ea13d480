#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""The maps of the tree, kernel/README.md and userspace/README.md, name what exists.

Checks each word between backticks that is a path, a function or a struct. Prints a line
for each that is not there, and fails if there is one.

A path may be written from the root, or as the end of a longer one: scope.c is
kernel/nf/scope/scope.c. In it, * stands for any text, and so does a word in capitals:
engine_NAME.c is there if any engine_*.c is.
"""
import fnmatch
import os
import re
import subprocess
import sys

MAPS = ("kernel/README.md", "userspace/README.md")
SPAN = re.compile(r"`([^`]+)`")
FUNCTION = re.compile(r"[a-z]\w*\(\)")
STRUCT = re.compile(r"struct (\w+)")
SUFFIX = re.compile(r"\.(c|h|py|sh|t|txt|yaml|json|mk|md|map|pl)$")
PLACEHOLDER = re.compile(r"[A-Z]{2,}")
# What make puts below build/, and what is on the host and not in the tree.
ELSEWHERE = re.compile(r"^(build/|/)")


def tracked():
    listed = subprocess.run(["git", "ls-files"], check=True, capture_output=True, text=True)
    return listed.stdout.splitlines()


def folders(paths):
    found = set()
    for path in paths:
        while os.path.dirname(path):
            path = os.path.dirname(path)
            found.add(path)
    return found


def is_path(word):
    return ("/" in word or SUFFIX.search(word[1:])) and not ELSEWHERE.search(word)


def is_there(word, paths, known_folders):
    pattern = PLACEHOLDER.sub("*", word.rstrip("/"))
    among = known_folders if word.endswith("/") else list(paths) + list(known_folders)
    return any(fnmatch.fnmatchcase(path, pattern) or fnmatch.fnmatchcase(path, "*/" + pattern)
               for path in among)


def missing(span, paths, known_folders, sources):
    """What a span names and does not exist, as (kind, word)."""
    struct = STRUCT.fullmatch(span)
    if struct and not re.search(rf"\bstruct {struct.group(1)} \{{", sources):
        yield "struct", struct.group(1)
    for word in span.split():
        if FUNCTION.fullmatch(word):
            # In quotation marks: a function of the kernel that is asked for by its name.
            if not re.search(rf'\b{word[:-2]}[("]', sources):
                yield "function", word
        elif is_path(word) and re.fullmatch(r"[\w./*-]+", word):
            if not is_there(word, paths, known_folders):
                yield "path", word


def main():
    os.chdir(subprocess.run(["git", "rev-parse", "--show-toplevel"], check=True, capture_output=True,
                            text=True).stdout.strip())
    paths = tracked()
    known_folders = folders(paths)
    sources = "".join(open(path, encoding="utf-8").read() for path in paths
                      if re.search(r"^(kernel|include|userspace/tool)/.*\.[ch]$", path))
    found = False
    for name in MAPS:
        for number, line in enumerate(open(name, encoding="utf-8"), 1):
            for span in SPAN.findall(line):
                for kind, word in missing(span, paths, known_folders, sources):
                    print(f"{name}:{number}: {word}: there is no such {kind}")
                    found = True
    return found


sys.exit(main())
