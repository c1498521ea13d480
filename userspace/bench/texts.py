#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Texts for the benchmarks, each name once, a line each:

    texts.py DIRECTORY [--iso DIRECTORY] [--emoji FILE]

Most are what people wrote: the names of countries, provinces, languages, scripts and
currencies, as Debian's iso-codes has them translated; short ones are put together, so that
all have 20 octets or more, as most names of files and titles have. Emoji are those of Debian's
unicode-data. What nobody publishes as names is made of those: text in NFD, vocalised
Arabic, compatibility forms, and letters with heaps of marks.
"""
import argparse
import gettext
import glob
import hashlib
import os
import sys
import unicodedata

# File, and the locale of iso-codes.
WRITTEN = {
    "French": "fr", "German": "de", "Vietnamese": "vi", "Russian": "ru", "Greek": "el",
    "Hebrew": "he", "Arabic": "ar", "Hindi": "hi", "Thai": "th", "Japanese": "ja",
    "Chinese": "zh_CN", "Korean": "ko",
}
DECOMPOSED = ["French", "Vietnamese", "Hindi", "Korean"]
# Fatha, damma, kasra, sukun, and shadda with fatha: as a vowelled text has them, in turn.
HARAKAT = ["\u064e", "\u064f", "\u0650", "\u0652", "\u0651\u064e"]
LIGATURES = {"fi": "\ufb01", "fl": "\ufb02", "ff": "\ufb00", "km": "\u339e", "TM": "\u2122"}


def catalogs(directory, locale):
    for path in sorted(glob.glob(f"{directory}/{locale}/LC_MESSAGES/iso_*.mo")):
        with open(path, "rb") as file:
            yield gettext.GNUTranslations(file)._catalog


def shuffled(names):
    """The same order on each machine, and no two neighbours alike."""
    return sorted(set(names), key=lambda name: hashlib.sha256(name.encode()).digest())


def joined(names):
    """Names of 20 octets or more; what people put between words is between them."""
    made, name = [], ""
    for i, part in enumerate(names):
        name += ("" if not name else " -_"[i % 3]) + part
        if len(name.encode()) >= 20:
            made.append(name)
            name = ""
    return made


def written(directory, locale):
    names = [text for catalog in catalogs(directory, locale) for key, text in catalog.items()
             if key and isinstance(text, str) and "\n" not in text]
    return joined(shuffled(name for name in names if not name.isascii()))


def english(directory):
    return joined(shuffled(key for catalog in catalogs(directory, "fr") for key in catalog
                           if isinstance(key, str) and key and key.isascii()
                           and "\n" not in key))


def emoji(path):
    """Sequences of a file like emoji-test.txt, four to a name."""
    with open(path, encoding="utf-8") as file:
        rows = [line.split(";")[0].split() for line in file
                if ";" in line and not line.startswith("#")]
    sequences = shuffled("".join(chr(int(code, 16)) for code in row) for row in rows)
    return ["".join(sequences[i:i + 4]) for i in range(len(sequences) - 4)]


def vocalised(names):
    made = []
    for name in names:
        text, turn = "", 0
        for letter in name:
            text += letter
            if unicodedata.category(letter) == "Lo":
                text += HARAKAT[turn % len(HARAKAT)]
                turn += 1
        made.append(text)
    return made


def compatible(names):
    """Full width, with ligatures and units where there are some."""
    made = []
    for name in names:
        for plain, ligature in LIGATURES.items():
            name = name.replace(plain, ligature)
        made.append("".join(chr(ord(c) + 0xfee0) if "!" <= c <= "~" else c for c in name))
    return made


def heaped(names):
    """The first letters, each with 8 to 20 marks above, below and through it."""
    made = []
    for name in names[:500]:
        digest = hashlib.sha256(name.encode()).digest()
        made.append("".join(letter + "".join(chr(0x300 + (digest[i] * (k + 3) + k) % 0x70)
                                             for k in range(8 + digest[i] % 13))
                            for i, letter in enumerate(name[:3])))
    return made


def mixed(texts):
    """A name of each in turn."""
    return [names[i % len(names)] for i in range(300) for names in texts.values()]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directory")
    parser.add_argument("--iso", default="/usr/share/locale")
    parser.add_argument("--emoji", default="/usr/share/unicode/emoji/emoji-test.txt")
    options = parser.parse_args()

    texts = {"ASCII": english(options.iso)}
    for name, locale in WRITTEN.items():
        texts[name] = written(options.iso, locale)
    if os.path.exists(options.emoji):
        texts["emoji"] = emoji(options.emoji)
    missing = [name for name, names in texts.items() if len(names) < 100]
    if missing:
        sys.exit(f"{options.iso}: no names in {', '.join(missing)}; apt-get install iso-codes")
    texts["mixed"] = mixed(texts)
    texts["Arabic_vocalised"] = vocalised(texts["Arabic"])
    texts["compatibility"] = compatible(texts["ASCII"])
    texts["heaped_marks"] = heaped(texts["ASCII"])
    for name in DECOMPOSED:
        texts[f"{name}_NFD"] = [unicodedata.normalize("NFD", text) for text in texts[name]]

    os.makedirs(options.directory, exist_ok=True)
    for name, names in texts.items():
        with open(f"{options.directory}/{name}.txt", "w", encoding="utf-8") as file:
            file.write("\n".join(names) + "\n")


main()
