#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
#
# Each program that a script, a test or a Makefile calls must come from
#
#   - a package that deps.sh names for that purpose, or one that such a package depends on;
#   - busybox, in the scripts that it runs;
#   - a package of the guest ("# vm: -p");
#   - what every Debian has (Essential, or of priority "required", as in debootstrap's
#     minbase), or what this project presupposes: PRESUPPOSED.
#
# Prints each call for which that is not so, and fails.
#
# Scripts are parsed by shfmt, Python by its own parser. A program that is not on this
# machine cannot be looked up: install what deps.sh names first. A word that only
# a variable holds is not seen.

import ast
import glob
import json
import os
import re
import shutil
import subprocess
import sys

PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
PRESUPPOSED = {"apt", "make", "git", "ca-certificates"}

# The purposes of deps.sh whose packages a file may use: the first pattern that fits it counts.
PURPOSES = (
    (r"scripts/(deps|cache)\.sh$", ""),
    (r"scripts/(debian|kbuild)\.sh$", "build"),
    (r"scripts/(clean-room|bootstrap)\.sh$", "room"),
    (r"scripts/packaging/rpm\.sh$", "rpm"),
    (r"scripts/packaging/|userspace/tests/packages/", "package"),
    (r"scripts/lint/|scripts/netlink\.sh$", "lint"),
    (r"scripts/demo/", "demo"),
    (r"scripts/picture/", "test"),
    (r"scripts/vm/", "vm"),
    (r"userspace/tests/fuzz/", "fuzz"),
    (r"scripts/source\.sh$|scripts/uml/|scripts/test/|userspace/tests/", "test"),
    (r"userspace/bench/", "bench test"),
    (r"(.*/)?Makefile$|scripts/tables/", "test bench lint package rpm"),
    (r"\.ci/", ""),
)
BUSYBOX = ("scripts/vm/init", "scripts/uml/init")

# Commands that run another one, and how many words of theirs come first, options and
# NAME=VALUE aside. The list need not be complete: what a wrapper runs that is missing here
# is not seen, and the wrapper itself is looked up like any program.
WRAPPERS = {
    "exec": 0, "command": 0, "builtin": 0, "env": 0, "nohup": 0, "nice": 0, "setsid": 0,
    "setpriv": 0, "xargs": 0, "nsenter": 0, "unshare": 0, "stdbuf": 0, "time": 0, "strace": 0,
    "timeout": 1, "chroot": 1, "flock": 1, "quietly": 0,
    # of tap.sh and lib.sh
    "ok": 1, "not_ok": 1, "run": 0, "must": 0, "until_true": 1, "within": 1,
    "volume": 2, "step": 1, "each_end": 0,
}
# Their options that take a value of their own.
VALUED = {
    "nice": "n", "xargs": "nIPdLs", "strace": "oePp", "timeout": "ks", "env": "uC", "flock": "wE",
    "nsenter": "tSG", "unshare": "SG",
}
VALUED_LONG = {"--reuid", "--regid", "--groups", "--pdeathsig", "--bounding-set", "--inh-caps", "--ambient-caps"}
BUILTINS = set("""
    . : [ alias bg bind break builtin caller cd command compgen complete continue coproc declare dirs
    disown echo enable eval exec exit export false fc fg getopts hash help history jobs kill let local
    logout mapfile popd printf pushd pwd read readarray readonly return set shift shopt source suspend
    test times trap true type typeset ulimit umask unalias unset wait""".split())


class Calls:
    """The programs that one file calls, each with a line."""

    def __init__(self):
        self.seen = {}
        self.arrays = {}
        self.commands_in = set()
        self.functions = set()

    def add(self, name, line):
        self.seen.setdefault(os.path.basename(name), line)

    # The text of a word; None where the shell would have to expand it.
    @staticmethod
    def literal(word):
        text = ""
        for part in word["Parts"]:
            if part["Type"] in ("Lit", "SglQuoted"):
                text += part.get("Value", "")
            elif part["Type"] == "DblQuoted" and all(p["Type"] == "Lit" for p in part.get("Parts", [])):
                text += "".join(p["Value"] for p in part.get("Parts", []))
            else:
                return None
        return text

    @staticmethod
    def array(word):
        for part in word["Parts"]:
            inner = part.get("Parts", [part]) if part["Type"] == "DblQuoted" else [part]
            if len(inner) == 1 and inner[0]["Type"] == "ParamExp":
                return inner[0]["Param"]["Value"]
        return None

    def command(self, words, line):
        """WORDS are literals, or None; the first one is called."""
        while words:
            name, words = words[0], words[1:]
            if name is None:
                return
            self.add(name, line)
            base = os.path.basename(name)
            if base in ("sh", "bash", "dash", "eval") and words[:1] == ["-c"] or base in ("at_exit", "eval"):
                text = words[1 if words[:1] == ["-c"] else 0:][:1]
                if text and text[0]:
                    self.shell(text[0], line)
                return
            if base == "command" and words[:1] == ["-v"]:
                return
            if base == "ip":
                if "exec" not in words or "netns" not in words:
                    return
                words = words[words.index("exec") + 2:]
                continue
            if base == "find":
                for option in ("-exec", "-execdir", "-ok"):
                    if option in words:
                        self.command(words[words.index(option) + 1:], line)
                return
            if base not in WRAPPERS:
                return
            words = self.after_wrapper(base, words)

    @staticmethod
    def after_wrapper(base, words):
        operands = WRAPPERS[base]
        while words:
            word = words[0]
            if word is None:
                if not operands:
                    return []
                operands -= 1
            elif word == "--":
                return words[1:]
            elif word.startswith("-") and word != "-" and base != "within":
                if word in VALUED_LONG or re.fullmatch("-[%s]" % (VALUED.get(base) or "\0"), word):
                    words = words[1:]
            elif re.match(r"[A-Za-z_]\w*=", word) and base in ("env", "exec", "command"):
                pass
            elif operands:
                operands -= 1
            else:
                return words
            words = words[1:]
        return []

    def shell(self, text, line=None):
        done = subprocess.run(["shfmt", "--to-json", "-ln", "bash"], input=text, text=True,
                              capture_output=True)
        if done.returncode:
            raise SyntaxError(done.stderr.strip())
        self.walk(json.loads(done.stdout), line)

    def walk(self, node, line):
        if isinstance(node, list):
            for part in node:
                self.walk(part, line)
            return
        if not isinstance(node, dict):
            return
        kind = node.get("Type")
        if kind == "FuncDecl":
            self.functions.add(node["Name"]["Value"])
        if kind == "CallExpr" and node.get("Args"):
            words = [self.literal(w) for w in node["Args"]]
            at = line or node["Pos"]["Line"]
            if words[0] is None:
                self.commands_in.add(self.array(node["Args"][0]))
            # An expansion may hold any number of words, among them the command that a wrapper runs.
            self.command(words, at)
            for i, word in enumerate(node["Args"]):
                if words[i] is None and i and words[0] in WRAPPERS:
                    self.commands_in.add(self.array(word))
        for assign in node.get("Assigns") or []:
            self.assign(assign, line)
        if kind == "DeclClause":
            for assign in node.get("Args") or []:
                self.assign(assign, line)
        for value in node.values():
            self.walk(value, line)

    def assign(self, assign, line):
        array = assign.get("Array") or {}
        elements = [self.literal(e["Value"]) for e in array.get("Elems") or [] if e.get("Value")]
        if elements and assign.get("Name") and not assign.get("Append"):
            self.arrays.setdefault(assign["Name"]["Value"], []).append((elements, line or assign["Pos"]["Line"]
                                                                        if "Pos" in assign else line))

    def finish(self):
        for name in self.commands_in:
            for elements, line in self.arrays.get(name, []):
                self.command(self.after_wrapper("env", elements), line)

    def python(self, text):
        for node in ast.walk(ast.parse(text)):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            first = node.args[0]
            if called not in ("run", "Popen", "call", "check_call", "check_output", "execvp", "execv", "system"):
                continue
            if isinstance(first, ast.List):
                self.command([e.value if isinstance(e, ast.Constant) and isinstance(e.value, str) else None
                              for e in first.elts], node.lineno)
            elif isinstance(first, ast.Constant) and isinstance(first.value, str) and \
                    (called == "system" or any(k.arg == "shell" for k in node.keywords)):
                self.shell(first.value, node.lineno)

    def makefile(self, text):
        text = text.replace("\\\n", " ")
        for number, line in enumerate(text.split("\n"), 1):
            for inner in re.findall(r"\$\(shell ((?:[^()]|\([^()]*\))*)\)", line):
                self.recipe(inner, number)
            if line.startswith("\t"):
                self.recipe(line.strip().lstrip("@+-"), number)

    def recipe(self, text, number):
        for variable, name in (("MAKE", "make"), ("CC", "cc"), ("CXX", "c++"), ("COMPILE", "cc")):
            text = text.replace(f"$({variable})", name)
        while True:
            shorter = re.sub(r"\$\([^()]*\)", "_", text)
            if shorter == text:
                break
            text = shorter
        text = re.sub(r"\$[@<^*]|\$\w", "_", text.replace("$$", "\1")).replace("\1", "$")
        if not text.startswith("_"):
            self.shell(text, number)


def of_file(path):
    calls = Calls()
    text = open(path, errors="surrogateescape").read()
    first = text.split("\n", 1)[0]
    if path.endswith(".py") or "python3" in first:
        calls.python(text)
        if os.access(path, os.X_OK):
            calls.add("python3", 1)
    elif os.path.basename(path) in ("Makefile", "Kbuild"):
        calls.makefile(text)
    elif path.endswith((".sh", ".t")) or re.match(r"#!\s*/bin/(ba|da)?sh|#!/bin/busybox sh", first) or \
            path == "scripts/vm/bashrc":
        calls.shell(text)
    elif path.endswith(".pl"):
        calls.add("perl", 1)
        for inner in re.findall(r"`([^`$@]+)`", text):
            calls.shell(inner, 1)
    else:
        return None
    calls.finish()
    return calls


def output(*command):
    done = subprocess.run(command, text=True, capture_output=True)
    return done.stdout if done.returncode == 0 else ""


def named():
    """PURPOSE to the packages that deps.sh names for it, with what those depend on, and
    to the programs that show that they are there."""
    packages, programs = {"": set()}, {"": set()}
    for line in output("scripts/deps.sh", "--list").splitlines():
        purpose, package, probe = line.split()
        packages.setdefault(purpose, set()).add(package)
        programs.setdefault(purpose, set()).add(probe.removeprefix("static:"))
    every = sorted(set().union(*packages.values()))
    needs = {p: set() for p in every}
    # dpkg-query complains about those that are not installed, and goes on.
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Package}\t${Depends}\n", *every], text=True,
                          capture_output=True)
    for line in done.stdout.splitlines():
        package, depends = line.split("\t")
        needs[package] = set(re.findall(r"(?:^|, |\| )([a-z0-9.+-]+)", depends))
    for purpose in packages:
        packages[purpose] = packages[purpose].union(*(needs[p] for p in packages[purpose]))
    return packages, programs


def everywhere():
    """Packages that any Debian has."""
    fields = output("dpkg-query", "-W", "-f", "${Package} ${Essential} ${Priority}\n")
    return PRESUPPOSED | {line.split()[0] for line in fields.splitlines()
                          if " yes " in line or line.endswith(" required")}


def owners_of(programs):
    """PROGRAM to the packages that own it; None if it is not on this machine."""
    paths = {}
    for program in programs:
        path = shutil.which(program, path=PATH)
        if path:
            both = {path, os.path.realpath(path)}
            paths[program] = both | {p.removeprefix("/usr") for p in both} | {"/usr" + p for p in both}
    every = sorted(set().union(*paths.values()))
    # One query for all; its status does not count, for it fails if one path is of no package.
    done = subprocess.run(["dpkg-query", "-S", *every], text=True, capture_output=True)
    owner = {}
    for line in done.stdout.splitlines():
        if not line.startswith("diversion by "):
            packages, path = line.rsplit(": ", 1)
            owner.setdefault(path, set()).update(p.split(":")[0].strip() for p in packages.split(","))
    return {program: set().union(*(owner.get(p, set()) for p in paths[program])) if program in paths else None
            for program in programs}


def guest_packages(path):
    """The packages that a suite asks for; for a helper, those that any suite asks for."""
    suites = [path] if path.endswith(".t") else glob.glob("userspace/tests/vm/**/*.t", recursive=True)
    wanted = set()
    for suite in suites:
        head = "".join(open(suite, errors="surrogateescape").readlines()[:20])
        for names in re.findall(r"^# vm:.* -p (\S+)", head, re.M):
            wanted.add(tuple(names.split(",")))
    return wanted


def in_guest(program, path, layers={}):
    for names in guest_packages(path):
        if names not in layers:
            layers[names] = output("scripts/vm/packages.sh", *names).strip()
            if not layers[names]:
                sys.exit(f"scripts/vm/packages.sh {' '.join(names)}: failed")
        if any(os.path.exists(f"{layers[names]}/usr/{d}/{program}") for d in ("bin", "sbin")):
            return True
    return False


def applets():
    return set(output("busybox", "--list").split())


def main():
    files = sys.argv[1:] or output("git", "ls-files").split("\n")[:-1]
    # The scripts in a package run where it is installed, and with it what it depends on.
    files = [path for path in files if not path.startswith("scripts/packaging/debian/")]
    all_calls = {}
    for path in files:
        try:
            if os.path.isfile(path) and not os.path.islink(path):
                all_calls[path] = of_file(path)
        except SyntaxError as error:
            sys.exit(f"{path}: {error}")
    all_calls = {path: calls for path, calls in all_calls.items() if calls}
    functions = set().union(*(c.functions for c in all_calls.values())) | BUILTINS
    (packages, probes), anywhere, busybox = named(), everywhere(), applets()
    own = {"utf8guard", "_utf8guard", "_utf8guard_answer"}
    owners_by_program = owners_of(set().union(*(c.seen for c in all_calls.values())))
    wrong = 0

    for path, calls in sorted(all_calls.items()):
        purpose = next((p for pattern, p in PURPOSES if re.match(pattern, path)), "build")
        allowed = anywhere.union(*(packages[p] for p in purpose.split() or [""]))
        shown = set().union(*(probes[p] for p in purpose.split() or [""]))
        for program, line in sorted(calls.seen.items()):
            if program in functions or program in own or program in shown or not re.fullmatch(r"[\w.+-]+", program) or \
                    os.path.exists(os.path.join(os.path.dirname(path), program)) or \
                    glob.glob(f"scripts/**/{program}", recursive=True) or \
                    glob.glob(f"userspace/**/{program}", recursive=True) or \
                    path in BUSYBOX and program in busybox:
                continue
            owners = owners_by_program[program]
            if owners and owners & allowed:
                continue
            if path.startswith("userspace/tests/vm/") and in_guest(program, path):
                continue
            wrong += 1
            why = "not on this machine, so its package is not known" if owners is None else \
                "of no package" if not owners else \
                f"of {', '.join(sorted(owners))}, which deps.sh does not name for {purpose or 'what any Debian has'}"
            print(f"{path}:{line}: {program}: {why}")
    return wrong != 0


sys.exit(main())
