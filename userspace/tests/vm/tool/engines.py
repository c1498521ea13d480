#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Texts for engines.t, in files of the current directory, and where Python's
strict decoder stops in each: lines "FILE:OFFSET:" on standard output, nothing
for well-formed ones, as "utf8guard validate" has them.

Every text is at a size, and every mistake at a place, that some engine treats
apart: borders of vectors, strides, blocks and chunks, the size from which the
FPU pays, the end of its sections, and of the text.
"""
import random

BASES = [text.encode() for text in (
    "the quick brown fox, ", "отчёт за год ", "写真と会議の資料", "😀🦊𝒳", "naïve отчёт 写真 😀 x ")]
MISTAKES = [bytes.fromhex(octets) for octets in (
    "80", "C0AE", "C1BF", "C3", "E080AF", "E0A0", "EDA080", "EDA0BDEDB880", "EFBF",
    "F08080AF", "F09080", "F4908080", "F5808080", "F888808080", "FC8480808080", "FE", "FF")]

VECTORS = (0, 32, 64, 128, 160, 192, 256, 320, 512, 1024, 2048)
# From kernel/service/fpu/costs.h.
FPU_MIN, NEON_MIN, FPU_SECTION, FPU_MIN_ASCII, ZEN_MIN_ASCII = 576, 1024, 4096, 6144, 8192
FPU_MIN_ASCII_SAVED = 192
SIZES = (8, 31, 39, 40, 63, 64, 65, 66, 67, 129, FPU_MIN_ASCII_SAVED - 1, FPU_MIN_ASCII_SAVED, 257, 400, 511, 512, 513,
         FPU_MIN - 1, FPU_MIN, FPU_MIN + 1, NEON_MIN - 1, NEON_MIN, NEON_MIN + 1, 1460, 2100,
         FPU_SECTION - 1, FPU_SECTION, FPU_SECTION + 1, FPU_SECTION + FPU_MIN - 1,
         FPU_SECTION + FPU_MIN, FPU_MIN_ASCII - 1, FPU_MIN_ASCII, ZEN_MIN_ASCII - 1, ZEN_MIN_ASCII,
         3 * FPU_SECTION + 77, 32768)


def around(place):
    return range(place - 3, place + 3)


def well_formed(base, size):
    """Whole characters, then ASCII up to the size."""
    text = base * (size // len(base) + 1)
    while size and (text[size] & 0xc0) == 0x80:
        text = text[:size - 1] + b"~" + text[size:]
        size -= 1
    return text


def sized(base, size):
    return well_formed(base, size)[:size]


def planted(base, size, place, mistake):
    """A text with the mistake at the place; ASCII replaces what is left of the characters that it cuts."""
    text = sized(base, size)
    head, tail = sized(base, place), text[place + len(mistake):]
    rest = tail.lstrip(bytes(range(0x80, 0xc0)))
    return (head + mistake + b"~" * (len(tail) - len(rest)) + rest)[:size]


def texts():
    dice = random.Random(1)
    for base in BASES:
        for size in SIZES:
            yield sized(base, size)
            places = {p for border in VECTORS + (FPU_SECTION, 2 * FPU_SECTION, size - 2)
                      for p in around(border) if 0 <= p < size}
            for place in sorted(places):
                if size >= FPU_MIN or dice.random() < 0.4:
                    yield planted(base, size, place, dice.choice(MISTAKES))
        # How long the text is after leading ASCII decides about the FPU, too.
        for left in around(FPU_MIN):
            yield b"x" * 640 + sized(base, left)
            yield b"x" * 640 + planted(base, left, left - 5, dice.choice(MISTAKES))


def main():
    for number, text in enumerate(texts()):
        name = f"{number:04}"
        with open(name, "wb") as file:
            file.write(text)
        try:
            text.decode()
        except UnicodeDecodeError as error:
            print(f"{name}:{error.start}:")


if __name__ == "__main__":
    main()
