#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Import cycles between files (a .c and its .h are one) and between folders; full folders.

Prints a line for each cycle, and for each folder with more than FULLEST files of code, and
fails if there is one. An import is an #include in quotes, found beside the file or below one
of ROOTS.
"""
import collections
import os
import re
import subprocess
import sys

ROOTS = ("", "include", "userspace/tool")
# In a folder with more files, nobody finds the right one.
FULLEST = 35
CODE = ("*.c", "*.h", "*.t", "*.py", "*.sh")
# Of two folders, one alone may import the other. Files that match this are not checked.
IGNORED = re.compile(r"_gen\.[ch]$|^kernel/compat/|^userspace/tests/|^userspace/bench/")
INCLUDE = re.compile(r'^#\s*include\s+"([^"]+)"', re.M)


def listed(*patterns):
    return subprocess.run(["git", "ls-files", *patterns], check=True, capture_output=True,
                          text=True).stdout.split()


def tracked():
    return [path for path in listed("*.c", "*.h") if not IGNORED.search(path)]


def full_folders():
    """Each folder with too many files, as (folder, files)."""
    counts = collections.Counter(os.path.dirname(path) for path in listed(*CODE))
    return [(folder, count) for folder, count in sorted(counts.items()) if count > FULLEST]


def imports(path, known):
    with open(path) as text:
        for name in INCLUDE.findall(text.read()):
            for root in (os.path.dirname(path),) + ROOTS:
                found = os.path.normpath(os.path.join(root, name))
                if found in known:
                    yield found
                    break


def circles(arrows):
    """The strongly connected components of two or more nodes: Tarjan's algorithm, without recursion."""
    index, low, stack, on, found = {}, {}, [], set(), []
    for start in sorted(arrows):
        work = [(start, iter(sorted(arrows[start])))] if start not in index else []
        if work:
            index[start] = low[start] = len(index)
            stack.append(start)
            on.add(start)
        while work:
            node, rest = work[-1]
            for other in rest:
                if other not in index:
                    index[other] = low[other] = len(index)
                    stack.append(other)
                    on.add(other)
                    work.append((other, iter(sorted(arrows.get(other, ())))))
                    break
                if other in on:
                    low[node] = min(low[node], index[other])
            else:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    part = stack[stack.index(node):]
                    del stack[stack.index(node):]
                    on.difference_update(part)
                    if len(part) > 1:
                        found.append(sorted(part))
    return found


def main():
    os.chdir(subprocess.run(["git", "rev-parse", "--show-toplevel"], check=True, capture_output=True,
                            text=True).stdout.strip())
    paths = tracked()
    files, folders = {}, {}
    for path in paths:
        stem, folder = os.path.splitext(path)[0], os.path.dirname(path)
        files.setdefault(stem, set())
        folders.setdefault(folder, set())
        for other in imports(path, set(paths)):
            if os.path.splitext(other)[0] != stem:
                files[stem].add(os.path.splitext(other)[0])
            if os.path.dirname(other) != folder:
                folders[folder].add(os.path.dirname(other))
    found = circles(files) + circles(folders)
    for part in found:
        print("a circle of imports: " + ", ".join(part))
    full = full_folders()
    for folder, count in full:
        print(f"{folder}: {count} files of code; {FULLEST} are the most: make a folder of some")
    return bool(found or full)


sys.exit(main())
