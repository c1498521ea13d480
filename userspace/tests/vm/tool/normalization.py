#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""NormalizationTest.txt against the command "normalize" of the running kernel.

    normalization.py FILE [VERSION]

VERSION is that of the kernel's tables: if FILE is of that version, code points that it does not
list must stay themselves.
What is printed is TAP without a plan, for normalize.t. Lines of the file go
into one request as long as it has room, a line feed between them: it is inert
in every form.
"""
import bz2
import socket
import struct
import sys

FORMS = ["nfc", "nfd", "nfkc", "nfkd"]
NETLINK_GENERIC = 16
MAX_TEXT, MAX_FORM = 32768, 65531
GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_FAMILY_ID, CTRL_FAMILY_NAME = 16, 3, 1, 2
CMD_NORMALIZE = 4
DATA, CLASS, OFFSET, FORM, CHECK, QUICK_CHECK, SIZE = 1, 2, 4, 9, 10, 11, 12
NOT_NORMALIZED = 18
NO, YES, PERHAPS = range(3)


def attribute(kind, payload):
    return struct.pack("=HH", 4 + len(payload), kind) + payload + bytes(-len(payload) % 4)


class Kernel:
    def __init__(self):
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC)
        self.socket.bind((0, 0))
        reply = self.ask(GENL_ID_CTRL, CTRL_CMD_GETFAMILY,
                         attribute(CTRL_FAMILY_NAME, b"utf8guard\0"))
        self.family = struct.unpack("=H", reply[CTRL_FAMILY_ID])[0]

    def ask(self, family, command, payload):
        """The attributes of the reply, or the error, negative."""
        header = struct.pack("=IHHII", 20 + len(payload), family, 1, 0, 0)
        self.socket.send(header + struct.pack("=BBH", command, 1, 0) + payload)
        reply = self.socket.recv(1 << 17)
        length, kind = struct.unpack_from("=IH", reply)
        if kind == 2:
            return struct.unpack_from("=i", reply, 16)[0]
        found, at = {}, 20
        while at < length:
            n, kind = struct.unpack_from("=HH", reply, at)
            found[kind] = reply[at + 4:at + n]
            at += (n + 3) & ~3
        return found

    def normalize(self, form, text, *more):
        return self.ask(self.family, CMD_NORMALIZE, attribute(DATA, text) +
                        attribute(FORM, struct.pack("=I", form)) + b"".join(more))

    def form_of(self, form, text):
        reply = self.normalize(form, text)
        return reply.get(DATA) if isinstance(reply, dict) else reply

    def check(self, form, text):
        """Is it in the form? And the quick check's answer."""
        reply = self.normalize(form, text, attribute(CHECK, b""))
        verdict = number(reply[CLASS])
        return (verdict == 0 if verdict in (0, NOT_NORMALIZED) else None,
                number(reply[QUICK_CHECK]))


def number(octets):
    return int.from_bytes(octets, sys.byteorder)


tests = 0


def ok(passed, name):
    global tests
    tests += 1
    print(f"{'ok' if passed else 'not ok'} {tests} - {name}", flush=True)


def batches(pairs):
    """Lists of (text, form) whose texts go into one request, and whose forms into one reply."""
    batch, size = [], 0
    for pair in pairs:
        room = 1 + max(map(len, pair))
        if size + room > MAX_TEXT:
            yield batch
            batch, size = [], 0
        batch.append(pair)
        size += room
    yield batch


def wrong(kernel, form, pairs):
    """How many requests of (text, form) were not answered as they should."""
    count = 0
    for batch in batches(pairs):
        text = b"\n".join(t for t, f in batch)
        want = b"\n".join(f for t, f in batch)
        if kernel.form_of(form, text) != want:
            count += 1
        same, quick = kernel.check(form, text)
        if same != (text == want) or quick not in (PERHAPS, YES if same else NO):
            count += 1
    return count


def read(path):
    """The columns of each line, the code points of part 1, and the heading."""
    lines, listed, part = [], set(), b""
    data = open(path, "rb").read()
    data = bz2.decompress(data) if path.endswith(".bz2") else data
    encoded = {}

    def encode(hexes):
        text = encoded.get(hexes)
        if text is None:
            text = encoded[hexes] = "".join(chr(int(c, 16)) for c in hexes.split()).encode()
        return text

    for line in data.split(b"\n"):
        if line[:1] == b"@":
            part = line[:6]
        elif line and line[:1] != b"#":
            columns = line.split(b";", 5)[:5]
            if part == b"@Part1":
                listed.add(int(columns[0], 16))
            lines.append([encode(c) for c in columns])
    return lines, listed, data[:200]


def main():
    kernel = Kernel()
    lines, listed, heading = read(sys.argv[1])
    print("#", heading.split(b"\n")[0].decode().lstrip("# "))
    ok(len(lines) > 18000, f"{len(lines)} lines")
    for form, name in enumerate(FORMS):
        # Source, NFC, NFD, NFKC, NFKD: what each is to become.
        columns = [(i, 3 + form % 2 if form >= 2 or i >= 3 else 1 + form) for i in range(5)]
        bad = sum(wrong(kernel, form, ((line[i], line[want]) for line in lines))
                  for i, want in columns)
        ok(bad == 0, f"{name}: every column of every line: {bad} requests wrong")
    # A file of an older version does not list what was assigned since.
    if len(sys.argv) > 2 and sys.argv[2].encode() in heading:
        rest = [chr(c) for c in range(0x110000)
                if c not in listed and not 0xd800 <= c < 0xe000]
        # Five octets each at most, with the line feed, without which they could compose.
        texts = ["\n".join(rest[i:i + MAX_TEXT // 5]).encode()
                 for i in range(0, len(rest), MAX_TEXT // 5)]
        for form, name in enumerate(FORMS):
            bad = sum(kernel.form_of(form, t) != t or not kernel.check(form, t)[0] for t in texts)
            ok(bad == 0, f"{name}: {len(rest)} code points stay themselves: {bad} requests wrong")
    expansion(kernel)


def expansion(kernel):
    """Forms at the border of what one reply holds; U+FDFA takes 33 octets for 3."""
    fdfa = b"\xef\xb7\xba"
    longest = fdfa * (MAX_FORM // 33)
    reply = kernel.normalize(3, longest)
    room = MAX_FORM - number(reply[SIZE])
    ok(len(reply[DATA]) == number(reply[SIZE]) == len(longest) * 11, "a form eleven times as long")
    reply = kernel.normalize(3, longest + b"x" * room)
    ok(len(reply[DATA]) == MAX_FORM, "the longest form that a reply holds")
    reply = kernel.normalize(3, longest + b"x" * (room + 1))
    ok(DATA not in reply and number(reply[SIZE]) == MAX_FORM + 1, "one more: its size, and no data")
    ok(kernel.form_of(0, b"a" * MAX_TEXT) == b"a" * MAX_TEXT, "the longest text")
    ok(kernel.normalize(0, b"a" * (MAX_TEXT + 1)) == -90, "one more: EMSGSIZE")
    ok(kernel.form_of(0, b"") == b"", "no text")
    ok(kernel.normalize(5, b"a") in (-34, -22), "a form that there is not")
    marks = b"a" + (b"\xcc\x81\xcc\xa3" * (MAX_TEXT // 4 - 1))
    half = (MAX_TEXT // 4 - 1)
    ok(kernel.form_of(1, marks) == b"a" + b"\xcc\xa3" * half + b"\xcc\x81" * half,
       f"{2 * half} marks on one letter")
    reply = kernel.normalize(0, b"ab\xc0\xae")
    ok(number(reply[CLASS]) == 1 and number(reply[OFFSET]) == 2 and DATA not in reply,
       "ill-formed: class and offset")


if __name__ == "__main__":
    main()
