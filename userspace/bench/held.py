#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""How long one name, or one packet, holds a processor: in instructions, if a tick of the time
stamp counter is one. Used by held.sh, which has loaded the modules but that for names.

    held.py names PROGRAM     PROGRAM is that of names.c
    held.py packets PROGRAM   PROGRAM is that of inject.c; in0 and out0 are TUN devices

Both checks run with preemption or bottom halves off, and an attacker chooses the name, its
directory, and the packets. Each line is an attack; of its packets, the one that takes longest.
"""
import os
import struct
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../tests/vm"))
from segment import ACK, PSH, SYN, ip4, pseudo_header, summed, tcp_header  # noqa: E402

PLACE = "/tmp/held"
DEEPEST = 4096                      # the most directories that the name check goes up
CLIENT, SERVER = bytes((10, 9, 0, 7)), bytes((10, 8, 0, 7))
IN, OUT = 0, 1
PORT, UDP, TCP = 9000, 17, 6
TIMES = 5                           # an interrupt may come once
LARGEST = 65535 - 20                # of the octets after an IPv4 header


def tool(*words, policy=None):
    subprocess.run(["utf8guard", *(words or ("load", "-"))], input=policy, text=True, check=True,
                   stdout=subprocess.DEVNULL)


def line(attack, with_rules, without):
    print(os.environ["KERNEL"], attack, with_rules, without, with_rules - without, sep="\t", flush=True)


# Names, and what a rule asks of them.
NAMES = (
    ("ASCII", "a" * 255, "profile portable-nfc"),
    ("Japanese", "日本語のテキスト" * 10 + "日本語の", "profile portable-nfc"),
    ("Cyrillic", "я" * 127, "profile portable-nfc"),
    ("marks that compose with others", "q" + "\u0301" * 127, "profile portable-nfc"),
    ("jamo", "\u1100\u1161" * 42, "profile portable-nfc"),
    ("overlong at the end", b"a" * 253 + b"\xc0\xae", "refuse nul"),
    ("marks in a wrong order at the end", "q" + "\u0301" * 125 + "\u0323", "profile portable-nfc"),
)


class Below:
    """Is in a directory so many below PLACE while it lasts."""

    def __init__(self, depth):
        self.depth = depth

    def __enter__(self):
        os.chdir(PLACE)
        for _ in range(self.depth):
            if not os.path.isdir("d"):
                os.mkdir("d")
            os.chdir("d")

    def __exit__(self, *_):
        os.chdir("/")


def count_name(program, name):
    run = subprocess.run([program, b".", os.fsencode(name)], capture_output=True, check=True)
    return int(run.stdout)


def names(program):
    """A name is let through and reported, so that its file is made each time."""
    depths, without = (0, DEEPEST - 2), {}
    for depth in depths:
        with Below(depth):
            without[depth] = [count_name(program, name) for _, name, _ in NAMES]
    subprocess.run(["insmod", f"{os.environ['UTF8GUARD_MODULES']}/utf8guard_fs.ko"], check=True)
    for others in (0, 10000):
        tool("fs", "flush")
        tool(policy="".join(f"fs add subtree {PLACE}/other/{i} enforce\n" for i in range(others)))
        for depth in depths:
            for (what, name, asked), free in zip(NAMES, without[depth]):
                tool("fs", "replace", "default", "audit", *asked.split())
                with Below(depth):
                    line(f"name, {what}; {depth} directories deep; {others} rules for others",
                         count_name(program, name), free)


def udp(port, text):
    length = 8 + len(text)
    return summed(struct.pack("!HHHH", port, PORT, length, 0) + text, 6,
                  pseudo_header(CLIENT, SERVER, UDP, length))


def fragments(datagram, size, identity):
    """A datagram as IPv4 divides it; the last fragment completes it."""
    for at in range(0, len(datagram), size):
        more = 0x2000 if at + size < len(datagram) else 0
        yield IN, ip4(UDP, CLIENT, SERVER, datagram[at:at + size], identity=identity, fragment=more | at // 8)


class Connection:
    """Three segments that begin it, and others."""

    OPTIONS = bytes((2, 4, 0xff, 0xff, 1, 3, 3, 14))    # MSS of 65,535 octets, windows times 2^14

    def __init__(self, port):
        self.port = port

    def begin(self):
        yield IN, self.segment(CLIENT, SERVER, (self.port, PORT), 0, 0, SYN, self.OPTIONS)
        yield OUT, self.segment(SERVER, CLIENT, (PORT, self.port), 0, 1, SYN | ACK, self.OPTIONS)
        yield from self.text(1, b"")

    def text(self, seq, octets):
        yield IN, self.segment(CLIENT, SERVER, (self.port, PORT), seq, 1, ACK | PSH, b"", octets)

    @staticmethod
    def segment(source, to, ports, seq, ack, flags, options, octets=b""):
        body = tcp_header(ports, seq, ack, flags, 0xffff, options) + octets
        return ip4(TCP, source, to, summed(body, 16, pseudo_header(source, to, TCP, len(body))))


JAPANESE = "日本語のテキスト".encode() * 2730
PERCENT = b"%E6%97%A5" * 7276
# Of short lines, these take the most for each octet.
HEADERS = b"GET / HTTP/1.1\r\n" + b"A:b\r\n" * 13200
MAIL = b"EHLO a\r\nMAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\n" + b"A:b\r\n" * 13200
LABELS = struct.pack("!6H", 1, 0x100, 1, 0, 0, 0) + b"\1a" * 30 + b"\0\0\1\0\1"
MOST = {"udp": LARGEST - 8, "tcp": LARGEST - 20}


def whole(text):
    return lambda port: [(IN, ip4(UDP, CLIENT, SERVER, udp(port, text[:MOST["udp"]])))]


def in_pieces(text, size):
    return lambda port: fragments(udp(port, text[:MOST["udp"]]), size, port)


def in_order(text):
    def packets(port):
        connection = Connection(port)
        yield from connection.begin()
        yield from connection.text(1, text[:MOST["tcp"]])
    return packets


def islands(text, size=3, run=16, count=24):
    """So many islands of so many segments of so many octets, and a segment that has all of them
    and what was between."""
    def packets(port):
        connection = Connection(port)
        yield from connection.begin()
        for island in range(count):
            for piece in range(run):
                at = size + (island * (run + 1) + piece) * size
                yield from connection.text(1 + at, text[at:at + size])
        yield from connection.text(1, text[:MOST["tcp"]])
    return packets


def invalid(port):
    """A segment after those that begin the connection, with a number far beyond any window."""
    connection = Connection(port)
    yield from connection.begin()
    yield from connection.text(1 << 31, b"text")


# The addresses and ports of the packet are those of each rule, and so is its mark, which is 0.
OTHER_DIRECTION = "".join(f"net add forward tcp dport 9000 marked 0/{i} direction reply drop\n" for i in range(1, 10001))

PACKETS = (
    ("datagram, 64 KiB", "udp dport 9000 drop", whole(JAPANESE)),
    ("datagram, 64 KiB, classes", "udp dport 9000 drop refuse control,bidi,noncharacter,private-use", whole(JAPANESE)),
    ("datagram, 64 KiB, percent escapes", "udp dport 9000 drop decode percent", whole(PERCENT)),
    ("datagram, 64 KiB in fragments of 1480", "udp dport 9000 drop", in_pieces(JAPANESE, 1480)),
    ("datagram, 64 KiB in fragments of 48", "udp dport 9000 drop", in_pieces(JAPANESE, 48)),
    ("DNS labels", "udp dport 9000 drop scope dns-labels", whole(LABELS)),
    ("stream, 64 KiB", "tcp dport 9000 drop stream", in_order(JAPANESE)),
    ("stream, 64 KiB, percent escapes", "tcp dport 9000 drop stream decode percent", in_order(PERCENT)),
    ("stream, 64 KiB of HTTP", "tcp dport 9000 drop stream scope http-headers", in_order(HEADERS)),
    ("stream, 64 KiB of SMTP", "tcp dport 9000 drop stream scope smtp-headers", in_order(MAIL)),
    ("stream, islands and all between", "tcp dport 9000 drop stream", islands(JAPANESE)),
)


def count_packets(program, packets, first_port):
    """What each packet took at least; again each time by another port."""
    least = None
    for port in range(first_port, first_port + TIMES):
        data = b"".join(struct.pack("=II", len(octets), device) + octets for device, octets in packets(port))
        run = subprocess.run([program, "in0", "out0"], input=data, capture_output=True, check=True)
        ticks = [int(word) for word in run.stdout.split()]
        least = ticks if least is None else [min(pair) for pair in zip(least, ticks)]
    return least


def packets_of_one(program, attack, rule, packets, others):
    tool("net", "flush")
    without = count_packets(program, packets, 20000)
    for count, policy in (0, ""), (10000, others):
        tool(policy=policy + f"net add forward {rule}\n")
        ticks = count_packets(program, packets, 30000 + count)
        worst = max(range(len(ticks)), key=ticks.__getitem__)
        line(attack.format(count), ticks[worst], without[worst])
        tool("net", "flush")


def packets_of_all(program):
    others = "".join(f"net add forward udp dport {10000 + i % 1000} saddr 10.{1 + i // 250}.9.{i % 250} drop\n"
                     f"net add forward tcp dport {10000 + i % 1000} saddr 10.{1 + i // 250}.9.{i % 250} drop stream\n"
                     for i in range(5000))
    for what, rule, packets in PACKETS:
        packets_of_one(program, what + "; {} rules for others", rule, packets, others)
    packets_of_one(program, "segment that is invalid; {} rules of the other direction",
                   "tcp dport 9000 direction original drop", invalid, OTHER_DIRECTION)


if __name__ == "__main__":
    {"names": names, "packets": packets_of_all}[sys.argv[1]](sys.argv[2])
