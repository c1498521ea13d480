# SPDX-License-Identifier: GPL-2.0
"""What the figures shall be, and whether they are.

A goal holds in a cell (a text, a size, a form...) where ours is at most `most` times what
it is compared with, or at most `most` itself.
"""
import math

# Not compared with ours: our engines, which stand for themselves, and what any call costs.
OURS = ("utf8guard", "utf8guard check", "avx512vbmi", "avx512", "avx2", "bmi2", "general", "vector",
        "no validation")


def cells(records, part, keys, **wanted):
    """{key: {by: value}} of those records that have all of what is wanted; a key that a record
    does not have (a stock kernel says nothing of the skb) is ""."""
    found = {}
    for r in records:
        if r["part"] == part and all(r.get(k) in v for k, v in wanted.items()):
            found.setdefault(tuple(r.get(k, "") for k in keys), {})[r["by"]] = r["value"]
    return found


def ratios(table, ours, peers=None):
    """{key: (ours / best peer, that peer)}; without peers named, all that are not ours."""
    made = {}
    for key, by in table.items():
        others = {name: value for name, value in by.items()
                  if (name in peers if peers else name not in OURS)}
        if ours in by and others:
            best = min(others, key=others.get)
            made[key] = (by[ours] / others[best], best)
    return made


def without_calls(table):
    """The same table without what any call takes, "no validation", in each figure."""
    return {key: {name: value - by["no validation"] for name, value in by.items()}
            for key, by in table.items() if "no validation" in by}


def plain(table, ours):
    return {key: (by[ours], "") for key, by in table.items() if ours in by}


def an_octet(figures):
    """The same figures, of texts whose size is the second part of the key, by its octets."""
    return {key: (value / int(key[1]), whom) for key, (value, whom) in figures.items()}


def times_floor(record):
    """What is less than the floor was not measured: other memory of the kernel went meanwhile."""
    return record["value"] / record["floor"] if record["value"] >= record["floor"] else math.inf


def all_goals(records):
    """(what, most, {cell: (figure, beside whom)}) of each goal."""
    keys = ("text", "size")
    sized = lambda *sizes: cells(records, "validate", keys, size=sizes)
    normal = cells(records, "normalize", ("form", "text", "size"))
    clean = lambda texts: plain(cells(records, "normalize", ("form", "text"), size=("names",),
                                      form=("nfc",), text=texts), "utf8guard check")
    texts = {r["text"] for r in records if r["part"] == "normalize"}
    made = {t for t in texts if "_NFD" in t or t in ("heaped_marks", "compatibility")}
    kernel = cells(records, "kernel validate", keys)
    names = cells(records, "names", ("where", "text"))
    return [
        ("validate names, beside the best peer", 1.0, ratios(sized("names"), "utf8guard")),
        ("validate 8 and 16 octets, beside the best peer", 1.0,
         ratios(sized("8", "16"), "utf8guard")),
        ("validate 32 octets, beside the best peer", 1 / .85, ratios(sized("32"), "utf8guard")),
        ("validate 64 octets, beside the best peer", 1 / .6, ratios(sized("64"), "utf8guard")),
        ("validate 128 octets and more, beside the best peer", 1 / .95,
         ratios(sized("128", "255", "512", "1460", "65536"), "utf8guard")),
        ("validate, beside the better engine at that size", 1.1,
         ratios(sized("8", "16", "32", "64", "128", "255", "512", "1460", "65536"), "utf8guard",
                ("general", "bmi2", "avx2", "avx512", "avx512vbmi"))),
        ("validate 255 octets in general registers, cycles", 260,
         plain(sized("255"), "bmi2")),
        ("validate 512 octets and more in general registers, cycles an octet", 1 / 1.35,
         an_octet(plain(sized("512", "1460", "65536"), "bmi2"))),
        ("normalize, beside ICU", .9, ratios(normal, "utf8guard", ("ICU",))),
        ("check what is normalized, beside ICU", .9,
         ratios(normal, "utf8guard check", ("ICU check",))),
        ("check clean ASCII names, cycles an octet", 3.0, clean(("ASCII",))),
        ("check clean names of other scripts, cycles an octet", 4.0,
         clean(texts - made - {"ASCII"})),
        ("validate in the kernel, beside fs/unicode", 1 / 20,
         ratios(kernel, "utf8guard", ("fs/unicode", "unicode"))),
        ("the same, without what any call takes", 1 / 20,
         ratios(without_calls(kernel), "utf8guard", ("fs/unicode", "unicode"))),
        ("create, close, unlink a name: percent more", 2.0,
         {key: (by["enforcing"], "") for key, by in names.items() if "enforcing" in by}),
        ("the same where names have to be NFC", 3.0,
         {key: (by["enforcing NFC"], "") for key, by in names.items() if "enforcing NFC" in by}),
        ("one rule for packets, beside one pattern of xt_string", 1.0,
         ratios(cells(records, "packets", ("where", "protocol", "skb", "text", "size"),
                      engine=("best",)), "utf8guard", ("xt_bm_1", "xt bm 1", "xt_kmp_1", "xt kmp 1"))),
        ("octets of one more rule or connection, beside what its fields need", 1.3,
         {(r["where"], r["by"], f"{r['count']:.0f}"): (times_floor(r), "")
          for r in records if r["part"] == "memory" and r["floor"]}),
    ]
