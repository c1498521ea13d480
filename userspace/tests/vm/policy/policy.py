#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Policies for policy.t: answers a line for each line, words between tabs.

make SEED DIR TEXT JSON   any policy, as a file of lines and as one of JSON;
                          its directories, of any names, are made below DIR
many COUNT DIR TEXT       a policy of so many rules, half of them of each kind
same JSON JSON            do they say the same? "ok", or what differs
schema COMMAND FILE       what ../schema.py says
prometheus FILE           "ok", if that is Prometheus's text format
sample FILE NAME          its samples of a metric, sorted: labels and values
"""
import ipaddress
import json
import os
import random
import re
import sys

sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../.."))
import schema  # noqa: E402


def quote(word):
    """Bytes as a word of a line, in one of the ways that there are."""
    plain = re.fullmatch(rb"[A-Za-z0-9/._:,%+@-]+", word)
    way = random.randrange(4)
    if plain and way == 0:
        return word.decode()
    try:
        text = word.decode()
        if way == 1 and "'" not in text and text.isprintable():
            return f"'{text}'"
        if way == 2 and not re.search('["$`!\\\\]', text) and text.isprintable():
            return f'"{text}"'
    except UnicodeDecodeError:
        pass
    return "$'" + "".join(random.choice((f"\\x{b:02X}", f"\\{b:03o}", f"\\x{b:02x}"))
                          if not 48 <= b < 58 or random.random() < .5 else chr(b) for b in word) + "'"


def any_comment():
    parts = [" ", "-", "--", "a", "\\", "'", '"', "#", "$", "é", "\u202e", "😀", "*", "~", "comment"]
    return "".join(random.choice(parts) for _ in range(random.randrange(1, 20)))


# As the tool escapes: what a terminal must not be sent, and backslashes.
def shown(data):
    def one(c):
        if 0xdc80 <= ord(c) <= 0xdcff:
            return f"\\x{ord(c) - 0xdc00:02X}"
        if c == "\\":
            return "\\\\"
        code = ord(c)
        hidden = (code < 32 or 0x7f <= code <= 0x9f or code in (0x61c, 0x200e, 0x200f, 0xfeff) or
                  0x2028 <= code <= 0x202e or 0x2066 <= code <= 0x2069 or
                  0xfff9 <= code <= 0xfffb or 0xe0000 <= code <= 0xe0fff)
        return "".join(f"\\x{b:02X}" for b in c.encode()) if hidden else c
    return "".join(one(c) for c in data.decode(errors="surrogateescape"))


def with_comment(rule, line):
    if random.random() < .5:
        comment = any_comment()
        rule["comment"] = shown(comment.encode())
        line += ["comment"] + ["--"] * (comment[0] == "-") + [comment]
    return line


CLASSES = ["nul", "control", "newline", "bom", "bidi", "noncharacter", "private-use",
           "unassigned", "default-ignorable", "edge-space"]


def with_who(rule, line):
    """For whom a rule of the name check is."""
    if random.random() < .4:
        low = random.choice((0, 1000, 4294967294, random.randrange(1 << 31)))
        high = low if random.random() < .5 else random.randrange(low, 4294967295)
        rule |= {"uid-min": low, "uid-max": high}
        line += ["uid", f"{low}-{high}" if high > low or random.random() < .5 else str(low)]
    if random.random() < .2:
        rule["userns"] = os.stat("/proc/self/ns/user").st_ino
        line += ["userns", random.choice(("self", "/proc/1/ns/user", str(rule["userns"])))]
    return line


def with_rest(rule, line):
    """The mode of a rule of the name check, and all that it refuses and spares."""
    rule["mode"] = random.choice(("off", "audit", "enforce"))
    more = []
    if random.random() < .5:
        chosen = random.sample(CLASSES, random.randrange(1, len(CLASSES) + 1))
        rule["refuse"] = [c for c in CLASSES if c in chosen]
        more.append(["refuse", ",".join(chosen)])
    if random.random() < .5:
        rule["form"] = random.choice(("nfc", "nfd", "nfkc", "nfkd", "nfkc-casefold"))
        more.append(["form", rule["form"]])
    for name, word, said, unsaid in (("admin-exempt", "admin", "exempt", "judge"),
                                     ("judge-onto", "onto", "judge", "allow"),
                                     ("allow-move", "move", "allow", "judge")):
        if random.random() < .5:
            rule[name] = True
            more.append([word, said])
        elif random.random() < .2:
            more.append([word, unsaid])
    random.shuffle(more)
    return with_comment(rule, line + [rule["mode"]] + [word for words in more for word in words])


def fs_rules(directory):
    rule = {"scope": "default"}
    line = with_rest(rule, ["fs", "replace", "default"])
    if set(rule) == {"scope", "mode"} and len(line) == 4:
        line[1] = "set"
    yield rule, line
    octets = [b for b in range(1, 256) if b != 0x2f]
    random.shuffle(octets)
    # All octets there are, some in each name; a letter keeps it from being . or ..
    for at in range(0, 256, 32):
        name = bytes(octets[at:at + 32]) + b"x"
        path = os.path.join(os.fsencode(directory), name)
        os.makedirs(path, exist_ok=True)
        rule = {"scope": "subtree", "path": shown(path)}
        yield rule, with_rest(rule, with_who(rule, ["fs", "add", "subtree", path]))
        rule = {"scope": "fstype", "fstype": shown(name)}
        yield rule, with_rest(rule, with_who(rule, ["fs", "add", "fstype", name]))
    rule = {"scope": "superblock", "path": shown(os.fsencode(directory))}
    yield rule, with_rest(rule, with_who(rule, ["fs", "add", "superblock", directory]))
    rule = {"scope": "default", "uid-min": 7, "uid-max": 8}
    yield rule, with_rest(rule, ["fs", "add", "default", "uid", "7-8"])


def network(six):
    bits = 128 if six else 32
    prefix = random.randrange(bits + 1)
    value = random.getrandbits(bits) >> (bits - prefix) << (bits - prefix)
    return str((ipaddress.IPv6Address if six else ipaddress.IPv4Address)(value)), prefix


def net_rules():
    for port in random.sample(range(1, 60000), 20):
        rule = {"hook": random.choice(("input", "forward", "output")),
                "protocol": random.choice(("tcp", "udp"))}
        line = ["net", "add", rule["hook"]]
        six = random.choice((None, False, True))
        if six is not None:
            rule["family"] = "ip6" if six else "ip"
            line.append(rule["family"])
        line.append(rule["protocol"])
        # Each rule has ports of its own, for no two rules may be for the same packets.
        end = port + random.choice((0, 0, random.randrange(5000)))
        side = random.choice(("sport", "dport"))
        rule |= {f"{side}-min": port, f"{side}-max": end}
        line += [side, f"{port}-{end}" if end > port or random.random() < .5 else str(port)]
        for name in random.sample(("saddr", "daddr"), random.randrange(3)) if six is not None else ():
            address, prefix = network(six)
            rule |= {name: address}
            full = prefix == (128 if six else 32)
            rule |= {f"{name}-prefix": prefix}
            line += [name, address if full and random.random() < .5 else f"{address}/{prefix}"]
        rule["action"] = random.choice(("count", "audit", "drop"))
        line.append(rule["action"])
        yield rule, with_comment(rule, line)


def write(path, lines):
    with open(path, "w", encoding="utf-8") as f:
        for line in lines:
            words = (quote(w if isinstance(w, bytes) else w.encode()) for w in line)
            f.write(random.choice((" ", "\t", "  ")).join(words) +
                    random.choice(("", " ", "\t# why", "\n\n# a comment")) + "\n")


def make(seed, directory, text, as_json):
    random.seed(int(seed))
    fs, net = list(fs_rules(directory)), list(net_rules())
    write(text, [["fs", "flush"], ["net", "flush"]] + [line for _, line in fs + net])
    with open(as_json, "w", encoding="utf-8") as f:
        json.dump({"fs": [r for r, _ in fs], "net": [r for r, _ in net]}, f)
    return "ok"


def many(count, directory, text):
    half = int(count) // 2
    with open(text, "w", encoding="ascii") as f:
        f.write("fs flush\nnet flush\n")
        for n in range(half):
            path = f"{directory}/{n // 100}/{n}"
            os.makedirs(path, exist_ok=True)
            f.write(f"fs add subtree {path} audit\nnet add input tcp dport {n + 1} count\n")
    return "ok"


def same(first, second):
    with open(first, encoding="utf-8") as a, open(second, encoding="utf-8") as b:
        a, b = json.load(a), json.load(b)
    for check in ("fs", "net"):
        for n, (x, y) in enumerate(zip(a[check], b[check])):
            if x != y:
                return f"{check}[{n}]: {json.dumps(x)} {json.dumps(y)}"
        if len(a[check]) != len(b[check]):
            return f"{check}: {len(a[check])} {len(b[check])}"
    return "ok"


SAMPLE = re.compile(r'(\w+)(\{(?:\w+="(?:[^"\\\n]|\\[\\"n])*",?)*\})? (\d+)')


def prometheus(path):
    """Exposition format 0.0.4, as strict as promtool, which may not be there."""
    kinds, helps, closed, last = {}, set(), set(), None
    with open(path, encoding="utf-8") as f:
        for line in f.read().splitlines():
            if line.startswith("# "):
                _, what, name, rest = line.split(" ", 3)
                if what == "HELP":
                    if name in helps or not rest.endswith("."):
                        return f"HELP: {line}"
                    helps.add(name)
                elif what != "TYPE" or name in kinds or rest != (
                        "counter" if name.endswith("_total") else "gauge"):
                    return f"TYPE: {line}"
                else:
                    kinds[name] = rest
                continue
            match = SAMPLE.fullmatch(line)
            if not match or match[1] not in kinds or match[1] not in helps or line in closed:
                return f"no sample: {line}"
            closed.add(line)
            if match[1] != last and any(c.startswith((match[1] + " ", match[1] + "{"))
                                        for c in closed - {line}):
                return f"apart from the others: {line}"
            last = match[1]
    return "ok" if len(kinds) > 5 else f"only {sorted(kinds)}"


def sample(path, name):
    with open(path, encoding="utf-8") as f:
        return " ".join(sorted(line[len(name):] for line in f.read().splitlines()
                               if re.match(name + r"[{ ]", line)))


def main():
    functions = {"make": make, "many": many, "same": same, "schema": schema.check,
                 "prometheus": prometheus, "sample": sample}
    for line in sys.stdin:
        words = line.rstrip("\n").split("\t")
        try:
            print(functions[words[0]](*words[1:]), flush=True)
        except Exception as e:  # pylint: disable=broad-except
            print(f"{type(e).__name__}: {e}".replace("\n", " "), flush=True)


if __name__ == "__main__":
    main()
