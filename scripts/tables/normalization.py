#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Generate the tables of the normaliser from the Unicode Character Database.

    normalization.py UCD-DIRECTORY OUTPUT-DIRECTORY

writes ucd_table.c and ucd_table.h, the same for the same UCD, and prints their
sizes. Only Python's standard library is used.

Five tables come out:
  class        of every code point: quick check of all forms and rank of its
               combining class; a trie over UTF-8 octets, whose ill-formed
               paths end in an ill-formed class, so that one walk validates
  active       of every code point: which forms may change it, or compose or
               reorder it with a neighbour; by its first three octets
  decomposition  of code points that have one, canonical and compatibility,
               full and in canonical order, as UTF-8
  composition  the primary composites, in a perfect hash
  casefold     NFKC_Casefold where it is not the compatibility decomposition
"""

import os
import sys

LICENCE = """\
 * UNICODE LICENSE V3
 *
 * COPYRIGHT AND PERMISSION NOTICE
 *
 * Copyright © 1991-2026 Unicode, Inc.
 *
 * NOTICE TO USER: Carefully read the following legal agreement. BY
 * DOWNLOADING, INSTALLING, COPYING OR OTHERWISE USING DATA FILES, AND/OR
 * SOFTWARE, YOU UNEQUIVOCALLY ACCEPT, AND AGREE TO BE BOUND BY, ALL OF THE
 * TERMS AND CONDITIONS OF THIS AGREEMENT. IF YOU DO NOT AGREE, DO NOT
 * DOWNLOAD, INSTALL, COPY, DISTRIBUTE OR USE THE DATA FILES OR SOFTWARE.
 *
 * Permission is hereby granted, free of charge, to any person obtaining a
 * copy of data files and any associated documentation (the "Data Files") or
 * software and any associated documentation (the "Software") to deal in the
 * Data Files or Software without restriction, including without limitation
 * the rights to use, copy, modify, merge, publish, distribute, and/or sell
 * copies of the Data Files or Software, and to permit persons to whom the
 * Data Files or Software are furnished to do so, provided that either (a)
 * this copyright and permission notice appear with all copies of the Data
 * Files or Software, or (b) this copyright and permission notice appear in
 * associated Documentation.
 *
 * THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY
 * KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF
 * MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF
 * THIRD PARTY RIGHTS.
 *
 * IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE
 * BE LIABLE FOR ANY CLAIM, OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES,
 * OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR PROFITS,
 * WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION,
 * ARISING OUT OF OR IN CONNECTION WITH THE USE OR PERFORMANCE OF THE DATA
 * FILES OR SOFTWARE.
 *
 * Except as contained in this notice, the name of a copyright holder shall
 * not be used in advertising or otherwise to promote the sale, use or other
 * dealings in these Data Files or Software without prior written
 * authorization of the copyright holder.
"""

LIMIT = 0x110000
SURROGATES = range(0xD800, 0xE000)
HANGUL = range(0xAC00, 0xD7A4)

# Bits of a class; the low six are the rank of the canonical combining class
# among the classes that exist (0 for class 0), which keeps their order.
BITS = {
    "ILL_FORMED": 1 << 6,   # no character: the walk ended in no code point
    "MAYBE": 1 << 7,        # NFC_QC=Maybe: may compose with what is before it
    "NFC": 1 << 8,          # NFC_QC=No
    "NFD": 1 << 9,          # NFD_QC=No: has a canonical decomposition
    "NFKC": 1 << 10,        # NFKC_QC=No
    "NFKD": 1 << 11,        # NFKD_QC=No: has a decomposition
    "NFKC_CF": 1 << 12,     # Changes_When_NFKC_Casefolded
    "MARK": 1 << 13,        # decomposes to marks only, though not one itself
}
NOTES = {
    "ILL_FORMED": "not a character",
    "MAYBE": "NFC_Quick_Check=Maybe",
    "NFC": "NFC_Quick_Check=No",
    "NFD": "NFD_Quick_Check=No",
    "NFKC": "NFKC_Quick_Check=No",
    "NFKD": "NFKD_Quick_Check=No",
    "NFKC_CF": "Changes_When_NFKC_Casefolded",
    "MARK": "a form decomposes it to marks only",
}


class Ucd:
    """What the normaliser needs of the Unicode Character Database."""

    def __init__(self, directory):
        self.directory = directory
        self.combining = {}
        self.canonical = {}
        self.compatibility = {}
        self.properties = {}
        self.read_unicode_data()
        self.read_properties()
        ranks = sorted(set(self.combining.values()) | {0})
        self.rank_of_class = {c: i for i, c in enumerate(ranks)}

    def lines(self, name):
        with open(os.path.join(self.directory, name), encoding="utf-8") as file:
            yield from file

    def read_unicode_data(self):
        for line in self.lines("UnicodeData.txt"):
            fields = line.split(";")
            code_point = int(fields[0], 16)
            if fields[3] != "0":
                self.combining[code_point] = int(fields[3])
            words = fields[5].split()
            if words and words[0].startswith("<"):
                self.compatibility[code_point] = [int(w, 16) for w in words[1:]]
            elif words:
                self.canonical[code_point] = [int(w, 16) for w in words]

    def read_properties(self):
        for number, line in enumerate(self.lines("DerivedNormalizationProps.txt")):
            if number == 0:
                self.version = line.split("-")[1].rsplit(".", 1)[0]
            fields = [f.strip() for f in line.split("#")[0].split(";")]
            if len(fields) < 2:
                continue
            ends = [int(end, 16) for end in fields[0].split("..")]
            values = self.properties.setdefault(fields[1], {})
            for code_point in range(ends[0], ends[-1] + 1):
                values[code_point] = fields[2] if len(fields) > 2 else "Y"

    def rank(self, code_point):
        return self.rank_of_class[self.combining.get(code_point, 0)]

    def ordered(self, code_points):
        """The canonical ordering algorithm, UAX #15 and D109."""
        result, marks = [], []
        for code_point in code_points + [None]:
            if code_point is not None and self.rank(code_point):
                marks.append(code_point)
                continue
            result += sorted(marks, key=self.rank)
            marks = []
            if code_point is not None:
                result.append(code_point)
        return result

    def expand(self, code_point, compatibility):
        if code_point in HANGUL:
            index = code_point - HANGUL.start
            parts = [0x1100 + index // 588, 0x1161 + index // 28 % 21]
            return parts + ([0x11A7 + index % 28] if index % 28 else [])
        parts = self.canonical.get(code_point)
        if not parts and compatibility:
            parts = self.compatibility.get(code_point)
        if not parts:
            return [code_point]
        return [c for part in parts for c in self.expand(part, compatibility)]

    def decompose(self, code_points, compatibility=False):
        parts = [c for p in code_points for c in self.expand(p, compatibility)]
        return self.ordered(parts)

    def casefold(self, code_point):
        """NFD of NFKC_Casefold of one code point; None where that is itself."""
        value = self.properties["NFKC_CF"].get(code_point)
        if value is None:
            return None
        return self.decompose([int(w, 16) for w in value.split()])

    def class_of(self, code_point):
        if code_point in SURROGATES:
            return BITS["ILL_FORMED"]
        bits = self.rank(code_point)
        for form in ("NFC", "NFD", "NFKC", "NFKD"):
            answer = self.properties[form + "_QC"].get(code_point, "Y")
            if answer == "N":
                bits |= BITS[form]
            elif answer == "M":
                bits |= BITS["MAYBE"]
        if code_point in self.properties["NFKC_CF"]:
            bits |= BITS["NFKC_CF"]
        parts = self.decompose([code_point], True)
        if not self.rank(code_point) and all(self.rank(p) for p in parts):
            bits |= BITS["MARK"]
        return bits

    def check(self):
        """Checks what the C sources assume of every version of Unicode."""
        assert len(self.rank_of_class) <= 63
        assert self.properties["NFC_QC"].keys() <= self.properties["NFKC_QC"].keys()
        composites = set(self.composites().values())
        for code_point in set(self.canonical) | set(self.compatibility):
            for compatibility in (False, True):
                parts = self.decompose([code_point], compatibility)
                marks = [bool(self.rank(p)) for p in parts]
                assert not marks[0] or all(marks)
            answer = self.properties["NFC_QC"].get(code_point, "Y")
            if code_point in self.canonical and answer != "N":
                parts = self.decompose([code_point])
                marks = [bool(self.rank(p)) for p in parts]
                assert len(parts) <= 4 and marks == sorted(marks)
                assert not marks[0] and code_point in composites

    def composites(self):
        excluded = self.properties["Full_Composition_Exclusion"]
        return {tuple(parts): code_point
                for code_point, parts in sorted(self.canonical.items())
                if code_point not in excluded}


def utf8(code_points):
    return b"".join(chr(c).encode() for c in code_points)


def overlapped(blocks):
    """Lay blocks into one array, sharing what they share; their offsets."""
    blocks = list(dict.fromkeys(blocks))
    array, offsets, left = [], {}, dict.fromkeys(blocks)

    def find(block):
        for start in range(len(array) - len(block) + 1):
            if tuple(array[start:start + len(block)]) == block:
                return start
        return None

    def shared(block):
        for length in range(min(len(array), len(block)), 0, -1):
            if tuple(array[-length:]) == block[:length]:
                return length
        return 0

    while left:
        best = max(left, key=shared)
        length = shared(best)
        offsets[best] = len(array) - length
        array.extend(best[length:])
        del left[best]
    for block in blocks:
        offsets[block] = min(offsets[block], find(block))
    return array, offsets


def chunks(values, size):
    return [tuple(values[i:i + size]) for i in range(0, len(values), size)]


class Array:
    """One C array."""

    def __init__(self, name, kind, values, dimension=""):
        self.name, self.kind = name, kind
        self.values, self.dimension = list(values), dimension
        width = {"u8": 1, "u16": 2, "u64": 8}[kind]
        assert all(0 <= v < 1 << 8 * width for v in self.values), name
        self.size = width * len(self.values)

    def declaration(self):
        return "const %s utf8guard_%s[%d]" % (self.kind, self.name, len(self.values))

    def definition(self):
        out, line = [self.declaration() + " = {"], ""
        for value in self.values:
            text = "%#x," % value if self.kind == "u64" else "%d," % value
            if len(line) + len(text) > 70:
                out.append("\t" + line.rstrip())
                line = ""
            line += text + " "
        out.append("\t" + line.rstrip())
        return "\n".join(out + ["};"])


def class_arrays(ucd):
    """The trie of classes: see class_of() in normalization.h for the walk."""
    bits = [ucd.class_of(c) for c in range(LIMIT)]
    classes = sorted(set(bits))
    number = {b: i for i, b in enumerate(classes)}
    values = [number[b] for b in bits]
    ill = tuple([number[BITS["ILL_FORMED"]]] * 64)

    bmp = chunks(values[:0x10000], 64)
    astral = chunks(values[0x10000:], 64)
    rows = {ill: 0}
    for block in bmp + astral:
        rows.setdefault(block, len(rows))
    leaf, offsets = overlapped([part for row in rows for part in chunks(row, 16)])
    row = [offsets[part] for r in rows for part in chunks(r, 16)]

    two = [0, 0] + [rows[b] for b in bmp[2:32]]
    three = [0] * 32 + [rows[b] for b in bmp[32:]]
    mids = {tuple([0] * 64): 0}
    four = [0] * 16
    for block in chunks([rows[b] for b in astral], 64):
        four.append(mids.setdefault(block, len(mids)))
    four += [0] * 48
    mid = [r for block in mids for r in block]
    return [
        Array("class_two", "u8", two), Array("class_three", "u8", three),
        Array("class_four", "u8", four), Array("class_mid", "u16", mid),
        Array("class_row", "u16", row), Array("class_leaf", "u8", leaf),
        Array("class_bits", "u16", classes),
    ]


# Lead octets of Latin, Cyrillic, Han and Hangul: the fast path of inert text
# tests for the range of wholly inert leads around each.
COMMON_LEADS = (0xC3, 0xD0, 0xE4, 0xEB)
EMPTY_RANGE = (0xFF, 0xC0)


def lead_block(lead):
    if lead < 0xE0:
        return range((lead & 31) << 6, (lead & 31) + 1 << 6)
    return range((lead & 15) << 12, (lead & 15) + 1 << 12)


def inert_leads(ucd, form):
    """For each common lead, the first and the last of the inert leads around it."""
    stop = 0x3F | BITS["ILL_FORMED"] | BITS[form]
    if form not in ("NFD", "NFKD"):
        stop |= BITS["MAYBE"]
    # The second octets of E0 and ED are restricted: those are never skipped.
    inert = [lead for lead in range(0xC2, 0xF0) if lead not in (0xE0, 0xED)
             and not any(ucd.class_of(c) & stop for c in lead_block(lead))]
    ranges = []
    for first in COMMON_LEADS:
        last = first
        if first not in inert:
            ranges.append(EMPTY_RANGE)
            continue
        while first - 1 in inert:
            first -= 1
        while last + 1 in inert:
            last += 1
        ranges.append((first, last))
    return "\\\n\t{ %s }" % ", ".join("RANGE(%#x, %#x)" % r for r in ranges)


# The forms, as enum utf8guard_form numbers and names them, with their bits.
FORMS = {"NFC": "NFC", "NFD": "NFD", "NFKC": "NFKC", "NFKD": "NFKD",
         "NFKC_CASEFOLD": "NFKC_CF"}


def is_active(ucd, form):
    """Of each code point: is it not inert in the form?"""
    stop = 0x3F | BITS["ILL_FORMED"] | BITS[FORMS[form]]
    if form not in ("NFD", "NFKD"):
        stop |= BITS["MAYBE"]
    return [bool(ucd.class_of(c) & stop) for c in range(LIMIT)]


def as_bits(flags):
    return sum(1 << i for i, flag in enumerate(flags) if flag)


ALL = as_bits([True] * 64)


def active_row(active, lead, second):
    """For a pair of octets, a bit for each third one; 1 also if all are ill-formed."""
    if lead < 0xC2 or lead > 0xF4:
        return ALL
    if lead < 0xE0:
        # The character ends before the third octet, which then says nothing.
        return ALL if active[(lead & 31) << 6 | second] else 0
    if lead < 0xF0:
        first = (lead & 15) << 12 | second << 6
        return ALL if first < 0x800 else as_bits(active[first:first + 64])
    first = (lead & 7) << 18 | second << 12
    if first not in range(0x10000, LIMIT):
        return ALL
    return as_bits(any(block) for block in chunks(active[first:first + 4096], 64))


def inert_ranges(inert):
    """For each lead octet, the range of inert leads around it; see struct utf8guard_rules."""
    ranges = []
    for lead in range(64):
        first = last = lead
        while inert[lead] and inert[first - 1]:
            first -= 1
        while inert[lead] and inert[last + 1]:
            last += 1
        if not inert[lead]:
            first, last = 63, 0  # empty
        ranges.append(64 - first | 63 - last << 8)
    return ranges


def active_arrays(ucd):
    """Which characters are not inert: see is_active() of inert.c for the walk."""
    bits, blocks, ranges = {}, [], []
    for form in FORMS:
        active = is_active(ucd, form)
        rows = [[active_row(active, lead, second) for second in range(64)]
                for lead in range(0xC0, 0x100)]
        blocks += [tuple(bits.setdefault(b, len(bits)) for b in row) for row in rows]
        ranges += inert_ranges([not any(row) for row in rows])
    rows, offsets = overlapped(blocks)
    leads = [offsets[block] for block in blocks]
    return [Array("active_lead", "u16", leads), Array("active_row", "u8", rows),
            Array("active_bits", "u64", bits), Array("inert_range", "u16", ranges)]


def trie(name, mapping):
    """The smallest three-stage trie of u16 values; its arrays and shifts."""
    limit = max(mapping) + 1
    best = None
    for low in (2, 3, 4, 5):
        for middle in (2, 3, 4, 5, 6):
            span = 1 << (low + middle)
            end = -(-limit // span) * span
            values = [mapping.get(c, 0) for c in range(end)]
            leaf = dict.fromkeys(chunks(values, 1 << low))
            number = {b: i for i, b in enumerate(leaf)}
            stage2 = [number[b] for b in chunks(values, 1 << low)]
            mids = dict.fromkeys(chunks(stage2, 1 << middle))
            if len(mids) > 256:
                continue
            size = (len(leaf) << low) + (len(mids) << middle) + end // span // 2
            if best is None or size < best[0]:
                best = (size, low, middle, values)
    _, low, middle, values = best
    leaf, offsets = overlapped(chunks(values, 1 << low))
    stage2 = chunks([offsets[b] for b in chunks(values, 1 << low)], 1 << middle)
    mids, starts = overlapped(stage2)
    return ([Array(name + "_top", "u16", [starts[b] for b in stage2]),
             Array(name + "_mid", "u16", mids), Array(name + "_leaf", "u16", leaf)],
            [(name.upper() + "_LOW", low), (name.upper() + "_MID", middle)])


class Pool:
    """Strings: octet of length, octet of last rank, octets."""

    def __init__(self):
        self.octets, self.offsets = [0], {}

    def add(self, entry):
        if entry not in self.offsets:
            self.offsets[entry] = len(self.octets)
            self.octets += entry
        return self.offsets[entry]

    def array(self, name):
        return Array(name, "u8", self.octets + [0] * PADDING)


TWIN = 0x80     # bit of the length: the compatibility decomposition follows
PADDING = 16    # octets after a pool, for copies in whole words


def entry_of(ucd, code_points, flag=0):
    octets = utf8(code_points)
    assert len(octets) < 64
    last = ucd.rank(code_points[-1]) if code_points else 0
    return bytes([len(octets) | flag, last]) + octets


def decomposition_arrays(ucd):
    pool, mapping = Pool(), {}
    for code_point in sorted(set(ucd.canonical) | set(ucd.compatibility)):
        canonical = ucd.decompose([code_point])
        full = ucd.decompose([code_point], True)
        if canonical in (full, [code_point]):
            entry = entry_of(ucd, full)
        else:
            entry = entry_of(ucd, canonical, TWIN) + entry_of(ucd, full)
        mapping[code_point] = pool.add(entry)
    arrays, shifts = trie("decomposition", mapping)
    return arrays + [pool.array("decomposition_pool")], shifts


def casefold_arrays(ucd):
    pool, mapping = Pool(), {}
    for code_point in sorted(ucd.properties["NFKC_CF"]):
        folded = ucd.casefold(code_point)
        if folded != ucd.decompose([code_point], True):
            mapping[code_point] = pool.add(entry_of(ucd, folded))
    arrays, shifts = trie("casefold", mapping)
    return arrays + [pool.array("casefold_pool")], shifts


SLOTS, BUCKETS = 1024, 256


def hash_of(first, second, factor):
    return (first * factor + second * 0x9E3779B1) & 0xFFFFFFFF


def place(pairs, factor):
    """Slots by hash and displacement, or None where a bucket finds no place."""
    buckets = [[] for _ in range(BUCKETS)]
    for pair in pairs:
        buckets[hash_of(*pair, factor) >> 24].append(pair)
    slots, displacement = [0] * SLOTS, [0] * BUCKETS
    for number in sorted(range(BUCKETS), key=lambda b: (-len(buckets[b]), b)):
        homes = [hash_of(*p, factor) >> 8 & SLOTS - 1 for p in buckets[number]]
        if len(set(homes)) != len(homes):
            return None
        for shift in range(SLOTS):
            if not any(slots[h ^ shift] for h in homes):
                break
        else:
            return None
        displacement[number] = shift
        for pair, home in zip(buckets[number], homes):
            slots[home ^ shift] = pair[0] << 42 | pair[1] << 21 | pairs[pair]
    return slots, displacement


def composition_arrays(ucd):
    pairs = ucd.composites()
    factor = 0x85EBCA6B
    while not (placed := place(pairs, factor)):
        factor = (factor + 2) & 0xFFFFFFFF
    arrays = [Array("composition_slot", "u64", placed[0]),
              Array("composition_shift", "u16", placed[1])]
    return arrays, [("COMPOSITION_FACTOR", "%#xU" % factor)]


def heading(ucd, what):
    return ("/* SPDX-License-Identifier: GPL-2.0 AND Unicode-3.0 */\n"
            if what == "h" else
            "// SPDX-License-Identifier: GPL-2.0 AND Unicode-3.0\n") + (
        "/*\n * Tables of the normaliser: Unicode Character Database %s.\n"
        " * Do not edit: generated by scripts/tables/normalization.py from\n"
        " * UnicodeData.txt and DerivedNormalizationProps.txt.\n" % ucd.version)


def write_header(ucd, path, groups, constants):
    with open(path, "w", encoding="utf-8") as out:
        out.write(heading(ucd, "h") + " */\n")
        out.write("#ifndef _UTF8GUARD_UCD_TABLE_H\n"
                  "#define _UTF8GUARD_UCD_TABLE_H\n\n")
        out.write('#define UTF8GUARD_UNICODE_VERSION "%s"\n\n' % ucd.version)
        out.write("/* A class: the rank of the canonical combining class, and bits. */\n")
        out.write("#define UTF8GUARD_RANKS %d\n" % len(ucd.rank_of_class))
        out.write("#define UTF8GUARD_RANK 0x3f\n")
        for name, bit in BITS.items():
            out.write("#define UTF8GUARD_QC_%s %#x /* %s */\n" % (name, bit, NOTES[name]))
        out.write("\n/* Octet of length in a pool. */\n"
                  "#define UTF8GUARD_POOL_LENGTH %#x\n" % (TWIN - 1))
        out.write("#define UTF8GUARD_POOL_TWIN %#x"
                  " /* the compatibility decomposition follows */\n\n" % TWIN)
        for name, value in constants:
            out.write("#define UTF8GUARD_%s %s\n" % (name, value))
        for name, arrays in groups:
            out.write("\n/* %s: %d octets */\n" % (name, sum(a.size for a in arrays)))
            for array in arrays:
                out.write("extern %s;\n" % array.declaration())
        out.write("\n#endif /* _UTF8GUARD_UCD_TABLE_H */\n")


def write_source(ucd, path, groups):
    with open(path, "w", encoding="utf-8") as out:
        out.write(heading(ucd, "c") + " *\n" + LICENCE + " */\n")
        out.write('#include "../codec.h"\n#include "ucd_table.h"\n')
        for _, arrays in groups:
            for array in arrays:
                out.write("\n" + array.definition() + "\n")


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: normalization.py UCD-DIRECTORY OUTPUT-DIRECTORY")
    ucd = Ucd(sys.argv[1])
    ucd.check()
    decomposition, shifts = decomposition_arrays(ucd)
    casefold, more_shifts = casefold_arrays(ucd)
    composition, factor = composition_arrays(ucd)
    groups = [("class", class_arrays(ucd)), ("active", active_arrays(ucd)),
              ("decomposition", decomposition),
              ("composition", composition), ("casefold", casefold)]
    base = os.path.join(sys.argv[2], "ucd_table")
    leads = [("INERT_LEADS_%s(RANGE)" % form, inert_leads(ucd, form))
             for form in ("NFC", "NFD", "NFKC", "NFKD", "NFKC_CF")]
    write_header(ucd, base + ".h", groups, shifts + more_shifts + factor + leads)
    write_source(ucd, base + ".c", groups)
    sizes = {name: sum(a.size for a in arrays) for name, arrays in groups}
    print("Unicode %s" % ucd.version)
    for name, size in sizes.items():
        print("%-14s %6d" % (name, size))
    print("%-14s %6d" % ("four forms", sum(sizes.values()) - sizes["casefold"]))


if __name__ == "__main__":
    main()
