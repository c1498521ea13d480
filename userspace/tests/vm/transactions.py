#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Transactions of both families: transactions.py PART fs|nf [ARG...].

Prints NAME, what came and what was wanted, by tabs; "done" in the end.
"""
import os
import socket
import sys

from genetlink import FS, NF, Family

DIR = "/tmp/rules"


class Rules(Family):
    """The same words for both families; place N is a directory or a port."""

    def __init__(self, kind):
        super().__init__("utf8guard_" + kind)
        self.kind = kind

    def rule(self, place, strict=False):
        if self.kind == "nf":
            return {"hook": NF["HOOK_INPUT"], "protocol": socket.IPPROTO_TCP,
                    "action": NF["ACTION_DROP" if strict else "ACTION_COUNT"],
                    "dport_min": place}
        path = f"{DIR}/{place}"
        os.makedirs(path, exist_ok=True)
        return {"scope": FS["SCOPE_SUBTREE"], "path": path,
                "mode": FS["MODE_ENFORCE" if strict else "MODE_AUDIT"]}

    def add(self, place, strict=False, **more):
        return self.do("rule-add", **self.rule(place, strict), **more)

    def places(self):
        """Where the rules are, in order; 0 is the default of fs."""
        if self.kind == "nf":
            return [rule["dport-min"] for rule in self.dump("rule-get")]
        return [int(rule.get("path", "/0").rsplit("/", 1)[1]) for rule in self.dump("rule-get")]

    def handles(self):
        return {place: rule["handle"] for place, rule in
                zip(self.places(), self.dump("rule-get"))}

    def status(self):
        self.do("status-get")
        return self.reply

    def generation(self):
        return self.status()["generation"]


def check(name, got, wanted):
    print(f"{kind}: {name}\t{got}\t{wanted}", flush=True)


def default():
    """The rules that are always there."""
    return [0] if kind == "fs" else []


def visibility():
    one, other = Rules(kind), Rules(kind)
    one.do("flush")
    one.add(1)
    start = one.generation()
    check("begin", one.do("begin"), "ok")
    check("begin: says what it begins with", one.reply,
          {"generation": start, "rules": len(default()) + 1})
    check("begin again", one.do("begin"), "EBUSY")
    check("begin again: why", one.message, "this socket has a transaction already")
    check("add in it", one.add(2, comment="Grüße"), "ok")
    handle = one.reply["handle"]
    check("add in it: the reply", (one.reply["comment"], one.reply["generation"]),
          ("Grüße", start))
    check("add the same in it", one.add(2), "EEXIST")
    check("add what is there from before", one.add(1), "EEXIST")
    check("the owner sees it", one.places(), default() + [1, 2])
    check("the owner gets it", (one.do("rule-get", handle=handle), one.reply["handle"]),
          ("ok", handle))
    check("nobody else does", other.places(), default() + [1])
    check("nor gets it", other.do("rule-get", handle=handle), "ENOENT")
    check("the generation stays", other.generation(), start)
    check("others may add the same", other.add(2), "ok")
    check("others may delete it", other.do("rule-del", handle=other.reply["handle"]), "ok")
    check("commit is too late", one.do("commit"), "ERESTART")
    check("commit is too late: why", one.message, "the rules have been changed by another")
    check("nothing has changed", (other.places(), other.generation()),
          (default() + [1], start + 2))
    check("the transaction is over", one.do("commit"), "ENOENT")
    check("begin with a wrong generation", one.do("begin", generation=start), "ERESTART")
    check("begin with the right one", one.do("begin", generation=start + 2), "ok")
    one.add(3)
    check("abort", one.do("abort"), "ok")
    check("abort without transaction", one.do("abort"), "ok")
    check("aborted: nothing has changed", (one.places(), one.generation()),
          (default() + [1], start + 2))
    one.do("begin")
    for place in range(4, 10):
        one.add(place)
    one.do("rule-del", handle=one.handles()[1])
    check("commit with a wrong generation", one.do("commit", generation=start), "ERESTART")
    one.do("begin")
    for place in range(4, 10):
        one.add(place)
    one.do("rule-del", handle=one.handles()[1])
    check("commit", one.do("commit", generation=start + 2), "ok")
    check("commit: one generation", one.reply,
          {"generation": start + 3, "rules": len(default()) + 6})
    check("everybody sees it", other.places(), default() + [4, 5, 6, 7, 8, 9])


def main():
    globals()[part](*sys.argv[3:])
    print("done", flush=True)


if __name__ == "__main__":
    part, kind = sys.argv[1:3]
    main()
