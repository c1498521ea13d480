#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Messages of DNS that cannot be followed, each kind by itself, for scoped_streams.t.

    labels.py UDP... TCP...     ports of the server, two of each: says of each what
                                arrives there from the client, and how many kinds
                                there are that should not be followed; of UDP, also
                                where a good message comes after it in one call
"""
import os
import socket
import struct
import sys

from netns import close_at_once
from streams import SERVER, a_socket, listener

# On one processor: between processors packets overtake each other, and the last one must come last.
os.sched_setaffinity(0, {0})

UDP_SEGMENT = 103
TYPE = b"\0\1\0\1"
ANSWER = TYPE + b"\0\0\0\x09"


def head(questions=1, answers=0):
    return struct.pack("!6H", 7, 0x100, questions, answers, 0, 0)


GOOD = head() + b"\3foo\0" + TYPE
MESSAGES = {
    "no header": b"\0\7\1",
    "no question": head(),
    "half a question": head() + b"\3foo\0\0\1",
    "more questions": head(2) + b"\3foo\0" + TYPE,
    "octets after": GOOD + b"x",
    "a label beyond the end": head() + b"\x3ffoo",
    "a name without end": head() + b"\3foo",
    "label type 01": head() + b"\x43foo\0" + TYPE,
    "label type 10": head() + b"\x83foo\0" + TYPE,
    "a pointer to itself": head() + b"\xc0\x0c" + TYPE,
    "two pointers to each other": head(2) + b"\xc0\x12" + TYPE + b"\xc0\x0c" + TYPE,
    "a pointer ahead": head() + b"\xc0\x20" + TYPE,
    "into the header": head() + b"\xc0\x02" + TYPE,
    "into a label": head(1, 1) + b"\3foo\0" + TYPE + b"\xc0\x0d" + ANSWER + b"\0\4abcd",
    "no answer": head(1, 1) + b"\3foo\0" + TYPE,
    "data beyond the end": head(0, 1) + b"\0" + ANSWER + b"\0\5abcd",
    "a name beyond its data": head(0, 1) + b"\0\0\5\0\1\0\0\0\x09\0\2\3abc\0",
}


def framed(message, more=0):
    return struct.pack("!H", len(message) + more) + message


# Over TCP there are more. True: only the end of the stream shows that it cannot be followed.
STREAMS = {name: (framed(message), False) for name, message in MESSAGES.items()} | {
    "length 0": (b"\0\0", False),
    "length 11": (b"\0\x0b" + bytes(11), False),
    "a length too small": (framed(GOOD, -1), False),
    "a length too large": (framed(GOOD, 1) + framed(GOOD), False),
    "the second message": (framed(GOOD) + b"\0\1", False),
    "half a length": (b"\0", True),
    "a length alone": (b"\0\x15", True),
    "a message cut": (framed(GOOD)[:-3], True),
}


def exchange(port, send, last):
    """What arrives of all that is sent, up to the last message."""
    with a_socket("server", socket.AF_INET, socket.SOCK_DGRAM) as receiver, \
            a_socket("client", socket.AF_INET, socket.SOCK_DGRAM) as sender:
        receiver.bind((SERVER, port))
        receiver.settimeout(20)
        sender.connect((SERVER, port))
        send(sender)
        sender.send(last)
        got = []
        while last not in got:
            got.append(receiver.recv(65535))
    return got


def udp(port):
    def send(sender):
        for message in MESSAGES.values():
            sender.send(message)

    got = exchange(port, send, GOOD)
    return [name for name, message in MESSAGES.items() if message in got]


# Of the datagrams in one skb, only the last may be shorter.
FIRST = {name: message for name, message in MESSAGES.items() if len(message) >= len(GOOD)}


def many(port):
    """What cannot be followed first, and a good one after it, in one skb."""
    def send(sender):
        for message in FIRST.values():
            size = struct.pack("H", len(message))
            sender.sendmsg([message, GOOD], [(socket.IPPROTO_UDP, UDP_SEGMENT, size)])

    got = exchange(port, send, b"\0\x08" + GOOD[2:])
    return [name for name, message in FIRST.items() if message in got] + ["good"] * got.count(GOOD)


def arrives(port, octets, ends):
    """Does all of it arrive, or, with "ends", its end? The reset after that always does."""
    with listener("server", SERVER, port) as door:
        sender = a_socket("client", socket.AF_INET, socket.SOCK_STREAM)
        close_at_once(sender)
        sender.connect((SERVER, port))
        receiver, _ = door.accept()
    receiver.settimeout(20)
    sender.send(octets)
    if ends:
        sender.shutdown(socket.SHUT_WR)
    sender.close()
    got, ended = b"", False
    with receiver:
        try:
            while not ended:
                more = receiver.recv(65535)
                got += more
                ended = not more
        except ConnectionResetError:
            pass
    return ended if ends else got == octets


def tcp(port):
    if not arrives(port, framed(GOOD) * 2, True):
        return ["no good message"]
    return [name for name, what in STREAMS.items() if arrives(port, *what)]


def tell(protocol, port, kinds, passed):
    if len(passed) == len(kinds):
        passed = ["all of them"]
    print(f"{protocol} {port}: {', '.join(passed) or 'none'} of {len(kinds)}", flush=True)


if __name__ == "__main__":
    ports = [int(port) for port in sys.argv[1:]]
    for one in ports[:2]:
        tell("udp", one, MESSAGES, udp(one))
        tell("udp, in one", one, [*FIRST, *["good"] * len(FIRST)], many(one))
    for one in ports[2:]:
        tell("tcp", one, STREAMS, tcp(one))
