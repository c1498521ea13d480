#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0
"""Text classes of the codec, from the Unicode Character Database.

    classes.py UCD-DIRECTORY > kernel/codec/classes_table.c

Reads UnicodeData.txt, PropList.txt and DerivedCoreProperties.txt. A code point
has a kind; kinds are the sets of classes that occur. The kind is found in three
stages: by the code point's upper bits, its middle six bits, its lower six bits;
the last stage has two kinds an octet, the even one in the lower half. Another table
has, for each octet, all classes of the characters that begin with it.
"""
import os
import re
import sys

CODE_POINTS = 0x110000
LOW = 6  # bits of the last stage
MIDDLE = 6  # bits of the middle one
NEWLINES = (0x0A, 0x0D, 0x85, 0x2028, 0x2029)


def properties(path):
    """Yield (property, first, last) of a file of ranges."""
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            line = line.split("#")[0].strip()
            if not line or line.startswith("@"):
                continue
            code, name = [field.strip() for field in line.split(";")[:2]]
            first, _, last = code.partition("..")
            yield name, int(first, 16), int(last or first, 16)


def categories(path):
    """The general category of each code point; Cn where none is given."""
    result = ["Cn"] * CODE_POINTS
    first = None
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            code, name, category = line.split(";")[:3]
            code = int(code, 16)
            if name.endswith(", First>"):
                first = code
                continue
            for each in range(first if name.endswith(", Last>") else code, code + 1):
                result[each] = category
    return result


def version(path):
    with open(path, encoding="utf-8") as lines:
        return re.search(r"-(\d+\.\d+\.\d+)\.txt", lines.readline()).group(1)


def classes(ucd):
    """The set of class names of each code point."""
    result = [set() for _ in range(CODE_POINTS)]
    wanted = {
        "Bidi_Control": "BIDI",
        "White_Space": "EDGE_SPACE",
        "Noncharacter_Code_Point": "NONCHARACTER",
        "Default_Ignorable_Code_Point": "DEFAULT_IGNORABLE",
    }
    for name in ("PropList.txt", "DerivedCoreProperties.txt"):
        for prop, first, last in properties(os.path.join(ucd, name)):
            if prop in wanted:
                for code in range(first, last + 1):
                    result[code].add(wanted[prop])
    for code, category in enumerate(categories(os.path.join(ucd, "UnicodeData.txt"))):
        if code == 0:
            result[code].add("NUL")
        elif code in NEWLINES:
            result[code].add("NEWLINE")
        elif category == "Cc":
            result[code].add("CONTROL")
        elif category == "Co":
            result[code].add("PRIVATE_USE")
        elif category == "Cn" and "NONCHARACTER" not in result[code]:
            result[code].add("UNASSIGNED")
    return [tuple(sorted(names)) for names in result]


def stage(values, bits):
    """Cut into blocks, each kept once: (numbers of blocks, values of blocks)."""
    size = 1 << bits
    known, numbers, kept = {}, [], []
    for i in range(0, len(values), size):
        block = tuple(values[i:i + size])
        if block not in known:
            known[block] = len(known)
            kept.extend(block)
        numbers.append(known[block])
    return numbers, kept


def table(ctype, name, values):
    print(f"\nconst {ctype} {name}[{len(values)}] = {{")
    line = "\t"
    for value in values:
        text = f"{value}, "
        if len(line) + len(text) > 73:
            print(line.rstrip())
            line = "\t"
        line += text
    print(line.rstrip())
    print("};")


def names_of(kind):
    return [f"UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_{name})" for name in kind]


def octets_table(each):
    """For each octet, all classes of the characters that begin with it."""
    found = [set() for _ in range(256)]
    for code_point, kind in enumerate(each):
        if not 0xD800 <= code_point <= 0xDFFF:
            found[chr(code_point).encode()[0]].update(kind)
    print("\nconst u32 utf8guard_classes_octet[256] = {")
    first = 0
    for octet in range(1, 257):
        if octet < 256 and found[octet] == found[first]:
            continue
        if found[first]:
            last = f" ... 0x{octet - 1:02x}" if octet - 1 > first else ""
            print(f"\t[0x{first:02x}{last}] =\n\t\t" + " |\n\t\t".join(names_of(sorted(found[first]))) + ",")
        first = octet
    print("};")


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    ucd = sys.argv[1]
    each = classes(ucd)
    kinds = sorted(set(each), key=lambda kind: (len(kind), kind))
    middle, low = stage([kinds.index(kind) for kind in each], LOW)
    high, middle = stage(middle, MIDDLE)
    low = [even | odd << 4 for even, odd in zip(low[::2], low[1::2])]
    assert max(high) < 256 and max(middle) < 65536 and len(kinds) <= 16
    octets = len(high) + 2 * len(middle) + len(low) + 4 * (len(kinds) + 256)
    print("// SPDX-License-Identifier: GPL-2.0")
    print("/*")
    print(" * Text classes of all code points. Do not edit: generated by")
    print(" * scripts/tables/classes.py from the Unicode Character Database")
    print(f" * {version(os.path.join(ucd, 'PropList.txt'))}; {octets} octets.")
    print(" */")
    print('#include "classes.h"')
    print(f"\nconst u32 utf8guard_classes_kind[{len(kinds)}] = {{")
    for kind in kinds:
        print("\t" + " |\n\t\t".join(names_of(kind) or ["0"]) + ",")
    print("};")
    table("u8", "utf8guard_classes_high", high)
    table("u16", "utf8guard_classes_middle", middle)
    table("u8", "utf8guard_classes_low", low)
    octets_table(each)


main()
