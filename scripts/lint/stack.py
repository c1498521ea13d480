#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""How much of the stack our code takes at most: stack.py DIR [all]

DIR has the call graphs of a build with KCFLAGS=-fcallgraph-info=su: the frame of each function,
and which functions it calls. Sums up the deepest chain from each function that none of ours calls:
the kernel calls it by a pointer. Prints the chains of HOOKS, or all; fails if one takes more than
MOST octets, is recursive, or has a frame without a bound, or if a function takes more "octets of
stack" than its kernel-doc says. The kernel's functions that ours call are not counted.

For a call by a pointer, the graph has the line and the column. If the pointer is a member of a
struct, all functions count that some initializer assigns to a member of that name. If it is a
parameter, those count that PARAMETERS has for its name. Anything else is an error.
"""
import glob
import os
import re
import sys

# A stack has 16 KiB on x86-64. The kernel itself warns of a single frame of 2 KiB.
MOST = 3072
HOOKS = {
    "handle_rename": "a name, ftrace",
    "handle": "the name of a subvolume, ftrace",
    "inspect_hook": "a packet, netfilter",
    "utf8_mt": "a packet, iptables",
    "help": "a packet, a helper of connection tracking",
}
PARAMETERS = {
    "visit": "match|note", "more": "conditions_hold", "take": "decode_\\w+|take_\\w+", "give": "encode_\\w+|give_\\w+",
    "put": "put_(status|steps|rule_by_handle|changed_rule|version|info|error|normalization)", "chosen": "is_closed",
}
# Functions that call the function in this parameter. Such a function, with one that it is given,
# counts as a function of its own: its chain does not go through what other callers give it.
GIVEN = {"ugnf_packet_read": "feed"}
# Members by which our code calls functions of the kernel.
KERNELS = {"d_compare"}
# Static calls, with a pattern for the functions that may be patched in.
PATCHED = {
    "__SCT__utf8guard_prefix": r"utf8guard_prefix_\w+", "__SCT__utf8guard_prefix_nofpu": r"utf8guard_prefix_(general|bmi2)",
    "__SCT__utf8guard_vectors": r"utf8guard_prefix_avx\w+", "__SCT__tp_func_utf8guard_refusal": r"(perf_trace|trace_event_raw_event)_\w+",
}
NODE = re.compile(r'node: \{ title: "([^"]+)" label: "([^"]*)"')
EDGE = re.compile(r'edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"(?: label: "([^":]*):(\d+):(\d+)")?')
DOC = re.compile(r"/\*\*\n \* (\w+)\(\) - (?:(?!\*/).)*?([\d,]+)[\s*]+octets[\s*]+of[\s*]+stack", re.S)
FRAME = re.compile(r"\\n(\d+) bytes \(([^)]*)\)")


def bare(name):
    return re.sub(r"\.(isra|part|constprop|cold)\b.*", "", name.rsplit(":", 1)[-1])


class Graph:
    def __init__(self, folder):
        self.folder = os.path.realpath(folder)
        self.frames, self.calls, self.depths, self.errors = {}, {}, {}, []
        self.by_name, self.called = {}, set()
        graphs = glob.glob(os.path.join(self.folder, "kernel/**/*.ci"), recursive=True)
        if not graphs:
            sys.exit(f"{folder}: no call graphs")
        sources = {path: open(path, encoding="utf-8").read()
                   for path in glob.glob(os.path.join(self.folder, "kernel/**/*.[ch]"), recursive=True)}
        self.lines = {path: text.split("\n") for path, text in sources.items()}
        self.promised = {name: int(octets.replace(",", "")) for text in sources.values() for name, octets in DOC.findall(text)}
        self.members = {}
        for text in sources.values():
            for member, function in re.findall(r"\.(\w+)\s*=\s*&?(\w+)", text):
                self.members.setdefault(member, set()).add(function)
        edges = []
        for path in graphs:
            text = open(path, encoding="utf-8").read()
            for name, label in NODE.findall(text):
                frame = FRAME.search(label)
                if frame:
                    self.frames[name] = (int(frame.group(1)), frame.group(2))
                    self.by_name.setdefault(bare(name), set()).add(name)
            edges += EDGE.findall(text)
        # Calls of functions in GIVEN come last: together() copies what these call themselves.
        for source, target, *where in sorted(edges, key=lambda edge: edge[1] in GIVEN):
            self.add(source, target, where)

    def add(self, source, target, where):
        calls = self.calls.setdefault(source, set())
        if target in PATCHED:
            calls |= {name for known, names in self.by_name.items() if re.fullmatch(PATCHED[target], known) for name in names}
        elif target == "__indirect_call":
            if bare(source) not in GIVEN or self.word(*where) != GIVEN[bare(source)]:
                calls |= self.pointed(source, *where)
        elif target in GIVEN:
            calls.add(self.together(target, *where))
            self.called.add(target)
        else:
            self.called.add(target)
            calls.add(target)

    def line(self, path, line):
        return self.lines[os.path.realpath(path)][int(line) - 1]

    def word(self, path, line, column):
        """The last name before the parenthesis of a call."""
        text = self.line(path, line)
        return re.search(r"(\w*)\)?$", text[:text.find("(", int(column))]).group(1)

    def together(self, function, path, line, column):
        """Adds a function for one of GIVEN together with the function that this call gives it."""
        given = [known for known in re.findall(r"\w+", self.line(path, line)) if known in self.by_name and known != function]
        both = f"{function}@{'|'.join(given)}"
        self.frames[both] = self.frames.get(function, (0, ""))
        self.calls[both] = self.calls.setdefault(function, set()) if not given else \
            {one for known in given for one in self.by_name[known]} | self.calls.setdefault(function, set())
        if not given:
            self.errors.append(f"{path}:{line}: {function} is given what is not known")
        return both

    def pointed(self, source, path, line, column):
        """The functions that a call by a pointer can reach."""
        # In a header of the kernel, an inline function calls one of the kernel's own.
        if os.path.realpath(path) not in self.lines:
            return set()
        text, name = self.line(path, line), self.word(path, line, column)
        inner = re.search(r"(?:->|\.)(\w+)\(", text)
        if inner:
            wanted = self.members.get(inner.group(1), set())
        else:
            wanted = {known for known in self.by_name if re.fullmatch(PARAMETERS.get(name, "-"), known)}
        found = {one for known in wanted for one in self.by_name.get(known, ())}
        if not found and not (inner and inner.group(1) in KERNELS) and not re.search(r"TRACE_EVENT", text):
            self.errors.append(f"{os.path.relpath(path, self.folder)}:{line}: {bare(source)} calls by a pointer, and whom is not known")
        return found

    def depth(self, name, above=()):
        """The deepest chain from a function on, as (octets, functions)."""
        if name in self.depths or name not in self.frames:
            return self.depths.get(name, (0, ()))
        if name in above:
            self.errors.append("goes round: " + " > ".join(bare(one) for one in above[above.index(name):] + (name,)))
            return 0, ()
        own, kind = self.frames[name]
        if "dynamic" in kind and "bounded" not in kind:
            self.errors.append(f"{bare(name)}: its frame has no bound")
        deepest = max((self.depth(one, above + (name,)) for one in sorted(self.calls.get(name, ()))), default=(0, ()))
        self.depths[name] = own + deepest[0], (name,) + deepest[1]
        return self.depths[name]


def main():
    graph = Graph(sys.argv[1])
    roots = sorted(((graph.depth(name), name) for name in graph.frames if name not in graph.called and "@" not in name), reverse=True)
    for hook in HOOKS:
        if not any(bare(name) == hook for _, name in roots):
            graph.errors.append(f"{hook}: there is no such hook")
    for name, most in graph.promised.items():
        octets = max((graph.depth(one)[0] for one in graph.by_name.get(name, ())), default=0)
        if not 0 < octets <= most:
            graph.errors.append(f"{name}: {octets} octets; its kernel-doc says {most}")
    for (octets, chain), name in roots:
        if octets > MOST:
            graph.errors.append(f"{bare(name)}: {octets} octets; {MOST} are the most")
        if bare(name) in HOOKS or sys.argv[2:] == ["all"] or octets > MOST:
            print(f"{octets:5} {HOOKS.get(bare(name), '')}: " + " > ".join(f"{bare(one)} {graph.frames[one][0]}" for one in chain))
    for error in sorted(set(graph.errors)):
        print(error)
    return bool(graph.errors)


sys.exit(main())
