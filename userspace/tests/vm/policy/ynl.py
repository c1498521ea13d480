#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""ynl.py CLIENT DIR: what ynl.t asks the kernel's own netlink client.

CLIENT is its directory, DIR one for a rule. Prints "ok NAME" or "failed NAME:
WHY" for each test, and at the end "ok all of it was asked".
"""
import os
import sys

client, directory = sys.argv[1:]
sys.path.insert(0, client)
from lib import NlError, YnlFamily  # noqa: E402

specs = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../../../include/netlink")
schema = os.path.join(client, "../../../Documentation/netlink/genetlink-legacy.yaml")


def check(name, got, wanted):
    good = wanted(got) if callable(wanted) else got == wanted
    print(f"ok {name}" if good else f"failed {name}: {got!r}", flush=True)


def refused(name, function, error, text):
    """text: what the kernel says, None for anything."""
    try:
        check(name, function(), lambda _: False)
    except NlError as e:
        check(name, (e.nl_msg.error, (e.nl_msg.extack or {}).get("msg")),
              lambda got: got[0] == -error and (got[1] == text if text else got[1]))


def family(name):
    return YnlFamily(f"{specs}/{name}.yaml", schema)


def ask_service(ynl):
    check("info-get", ynl.do("info-get", {}), lambda r: r["unicode"] == "18.0.0" and r["events"] == 0)
    check("validate", ynl.do("validate", {"data": b"ab\xc0\xae"}),
          lambda r: r["class"] == "overlong" and r["offset"] == 2)
    check("validate: text that is valid", ynl.do("validate", {"data": "c3a9"}),
          lambda r: r.get("class", "none") == "none")
    check("normalize", ynl.do("normalize", {"data": "é".encode(), "form": "nfd"}),
          lambda r: r["data"] == b"e\xcc\x81")


def transaction(ynl, flush, add):
    """Drafts, compare-and-swap by the generation, abort, trial; and how many rules there are."""
    other = family(ynl.name)

    def rules():
        return other.do("status-get", {})["rules"]
    ynl.do("begin", {})
    before = rules()
    ynl.do("rule-add", add)
    check("a draft is seen by its socket", len(ynl.dump("rule-get", {})), before + 1)
    check("and by no other", len(other.dump("rule-get", {})), before)
    reply = ynl.do("commit", {})
    check("commit", (rules(), reply["rules"]), (before + 1, before + 1))
    refused("commit without begin", lambda: ynl.do("commit", {}), 2, "this socket has no transaction")
    ynl.do("begin", {"generation": reply["generation"]})
    flush()
    ynl.do("abort", {})
    check("abort", rules(), before + 1)
    refused("begin with another generation",
            lambda: ynl.do("begin", {"generation": reply["generation"] + 1}), 85,
            "somebody else has changed the rules")
    ynl.do("begin", {})
    flush()
    ynl.do("commit", {"confirm": 600})
    check("on trial", other.do("status-get", {}),
          lambda r: 0 < r["confirm"] <= 600 and r["locked"] == 0 and r["rules"] < before + 1)
    ynl.do("revert", {})
    check("revert", rules(), before + 1)
    refused("confirm of nothing", lambda: ynl.do("confirm", {}), 2, None)


def ask_fs(ynl):
    check("status-get", ynl.do("status-get", {}), lambda r: r["rules"] == 1 and r["enforcing"] == 1)
    check("the default", ynl.dump("rule-get", {}),
          lambda r: [(x["scope"], x["mode"]) for x in r] == [("default", "audit")])
    listener = family(ynl.name)
    listener.ntf_subscribe("config")
    said = {"scope": "subtree", "mode": "enforce", "path": directory, "comment": "by ynl"}
    add = {**said, "fd": os.open(directory, os.O_PATH)}
    rule = ynl.do("rule-add", add)
    check("rule-add", {k: rule[k] for k in said}, said)
    refused("a directory with a rule", lambda: ynl.do("rule-add", add), 17,
            "a rule for the same location and the same callers exists already")
    handle = {"handle": rule["handle"]}
    check("rule-get", ynl.do("rule-get", handle), lambda r: r["path"] == directory)
    check("rule-set", ynl.do("rule-set", {**handle, "mode": "off"}), lambda r: r["mode"] == "off")
    check("rule-replace", ynl.do("rule-replace", {**add, **handle, "comment": "other"}),
          lambda r: r["comment"] == "other" and r["handle"] == rule["handle"])
    ynl.do("rule-del", handle)
    refused("rule-get of none", lambda: ynl.do("rule-get", handle), 2, "no rule has this handle")
    listener.check_ntf()
    check("notifications", [m["name"] for m in listener.async_msg_queue], ["changed"] * 4)
    transaction(ynl, lambda: ynl.do("flush", {}), add)
    ynl.do("status-reset", {})
    ynl.do("flush", {})


def ask_nf(ynl):
    check("status-get of packets", ynl.do("status-get", {})["rules"], 0)
    add = {"hook": "input", "action": "drop", "protocol": 6, "dport-min": 80, "dport-max": 80,
           "family": 2, "saddr": "c0000200", "saddr-prefix": 24, "comment": "by ynl"}
    rule = ynl.do("rule-add", add)
    check("rule-add of packets", {k: rule[k] for k in add}, {**add, "saddr": b"\xc0\0\2\0"})
    first = ynl.do("rule-add", {"hook": "output", "action": "count", "protocol": 17,
                                "any-port": True, "before": 0})
    check("before", [r["handle"] for r in ynl.dump("rule-get", {})],
          [first["handle"], rule["handle"]])
    refused("bits after the prefix", lambda: ynl.do("rule-add", {**add, "saddr-prefix": 8, "saddr": "c0000201"}),
            22, "the address has bits set after its prefix")
    check("rule-replace of packets", ynl.do("rule-replace", {**add, "handle": rule["handle"], "action": "audit"}),
          lambda r: r["action"] == "audit")
    ynl.do("rule-del", {"handle": rule["handle"]})
    ranges = [{"from": 80, "to": 80}, {"from": 443, "to": 444}]
    ports = {"hook": "input", "action": "count", "protocol": 17, "dport-range": ranges}
    rule = ynl.do("rule-add", ports)
    check("a set of ports", (rule["dport-range"], "dport-min" in rule), (ranges, False))
    networks = [{"address": "0a000000", "prefix": 8}, {"address": "c0000200", "prefix": 24}]
    told = [{**network, "address": bytes.fromhex(network["address"])} for network in networks]
    rule_of_set = ynl.do("rule-add", {**ports, "family": 2, "saddr-network": networks})
    check("a set of addresses", (rule_of_set["saddr-network"], "saddr" in rule_of_set), (told, False))
    ynl.do("rule-del", {"handle": rule_of_set["handle"]})
    check("a rule that exists", ynl.do("rule-add", {**ports, "exist": True}),
          lambda r: r["exist"] and r["handle"] == rule["handle"])
    refused("rule-del of what is not there", lambda: ynl.do("rule-del", {**ports, "action": "drop"}), 2,
            "the rule for these packets says something else")
    ynl.do("rule-del", ports)
    refused("rule-del by what it says", lambda: ynl.do("rule-get", {"handle": rule["handle"]}), 2,
            "no rule has this handle")
    transaction(ynl, lambda: ynl.do("flush", {}), add)
    ynl.do("status-reset", {})
    ynl.do("flush", {})
    check("flush", ynl.dump("rule-get", {}), [])


ask_service(family("utf8guard"))
ask_fs(family("utf8guard_fs"))
ask_nf(family("utf8guard_nf"))
print("ok all of it was asked", flush=True)
