#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Traffic between network namespaces, one experiment a line, for packets.t.

Reads lines of words between tabs and answers each with a line. A network
namespace is a name of "ip netns", or "-" for the one it was started in. Bytes
are written as \\xHH; "N*BYTES" repeats them, and pieces are joined by "+".
"""
import os
import select
import socket
import struct
import time

from netns import close_at_once, family_of, inside, socket_in
from serving import serve

UDP_SEGMENT = 103
SO_MARK = 36
IPPROTO_SCTP, IPPROTO_UDPLITE = 132, 136
IPV6_HOPOPTS, IPV6_DSTOPTS = 54, 59
MARK = b"--mark--"

# On one processor: between processors packets overtake each other, and the mark must come last.
os.sched_setaffinity(0, {0})


class Patience:
    """How many seconds a socket waits: long for what shall come on a busy machine."""
    seconds = 20


def a_socket(ns, family, kind, protocol=0):
    s = socket_in(ns, family, kind, protocol)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.settimeout(Patience.seconds)
    return s


def octets(text):
    out = b""
    for piece in text.split("+"):
        count, star, rest = piece.partition("*")
        if not star:
            count, rest = "1", piece
        out += int(count) * rest.encode().decode("unicode_escape").encode("latin-1")
    return out


class Udp:
    """A pair of sockets; what was not received before the mark was dropped."""

    def __init__(self, from_ns, to_ns, address, port, sport=0, source="", protocol=0):
        family = family_of(address)
        self.address = (address, port)
        self.receiver = a_socket(to_ns, family, socket.SOCK_DGRAM, protocol)
        self.receiver.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
        self.receiver.bind(self.address)
        self.sender = a_socket(from_ns, family, socket.SOCK_DGRAM, protocol)
        self.sender.bind((source, sport))
        self.sender.connect(self.address)
        self.refused = 0

    def send(self, payload, ancillary=()):
        """If the output hook drops the datagram, its sender gets EPERM."""
        try:
            self.sender.sendmsg([payload], ancillary)
        except PermissionError:
            self.refused += 1

    def received(self, marker=None):
        got = []
        (marker or self.sender).send(MARK)
        while not got or got[-1] != MARK:
            got.append(self.receiver.recv(65536))
        return got[:-1]

    def close(self):
        self.sender.close()
        self.receiver.close()


def verdict(udp, sent):
    got = udp.received()
    udp.close()
    if udp.refused:
        return "refused" if not got else "refused but received"
    if not got:
        return "dropped"
    return "delivered" if got == sent else f"other: {got!r:.200}"


def udp(from_ns, to_ns, address, port, text, sport="0", source=""):
    pair = Udp(from_ns, to_ns, address, int(port), int(sport), source)
    payload = octets(text)
    pair.send(payload)
    return verdict(pair, [payload])


def marked(from_ns, to_ns, address, port, text, mark):
    pair = Udp(from_ns, to_ns, address, int(port))
    payload = octets(text)
    pair.sender.setsockopt(socket.SOL_SOCKET, SO_MARK, int(mark, 0))
    pair.send(payload)
    pair.sender.setsockopt(socket.SOL_SOCKET, SO_MARK, 0)
    return verdict(pair, [payload])


def group(ns, device, address, port, text):
    """To a multicast group of IPv6, which has a member on the same host."""
    index = inside(ns, lambda: socket.if_nametoindex(device))
    pair = Udp(ns, ns, "::", int(port))
    pair.receiver.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP,
                             socket.inet_pton(socket.AF_INET6, address) + struct.pack("@I", index))
    pair.sender.close()
    pair.sender = a_socket(ns, socket.AF_INET6, socket.SOCK_DGRAM)
    pair.sender.connect((address, int(port), 0, index))
    payload = octets(text)
    pair.send(payload)
    return verdict(pair, [payload])


def lite(from_ns, to_ns, address, port, text):
    pair = Udp(from_ns, to_ns, address, int(port), protocol=IPPROTO_UDPLITE)
    payload = octets(text)
    pair.send(payload)
    return verdict(pair, [payload])


def alone(from_ns, to_ns, address, port, wanted, *texts):
    """Without a mark after them, which the rule might refuse; for one that is dropped it waits a second."""
    pair = Udp(from_ns, to_ns, address, int(port))
    outcomes = []
    for outcome, payload in zip(wanted.split(), map(octets, texts), strict=True):
        pair.receiver.settimeout(20 if outcome == "delivered" else 1)
        pair.send(payload)
        try:
            outcomes.append("delivered" if pair.receiver.recv(65536) == payload else "other")
        except socket.timeout:
            outcomes.append("dropped")
    pair.close()
    return " ".join(outcomes)


def told_udp(from_ns, to_ns, address, port, text):
    """Does the sender of a datagram hear that it was refused, and the receiver nothing?"""
    pair = Udp(from_ns, to_ns, address, int(port))
    try:
        pair.sender.settimeout(60)
        pair.send(octets(text))
        pair.sender.recv(1)
    except ConnectionRefusedError:
        pair.refused = 0
        return "told" if not pair.received() else "told, but received"
    except socket.timeout:
        return "not told"
    finally:
        pair.close()
    return "an answer"


def told_tcp(from_ns, to_ns, address, port, text):
    client, server = connect(from_ns, to_ns, address, int(port))
    try:
        client.settimeout(60)
        client.send(octets(text))
        client.recv(1)
    except ConnectionResetError:
        return "told" if not receive(server, 1, False) else "told, but received"
    except socket.timeout:
        return "not told"
    finally:
        close(client, server)
    return "an answer"


def gso(from_ns, to_ns, address, port, size, text):
    """One call that the kernel cuts into datagrams of size octets."""
    pair = Udp(from_ns, to_ns, address, int(port))
    payload, size = octets(text), int(size)
    pair.send(payload, [(socket.IPPROTO_UDP, UDP_SEGMENT, struct.pack("H", size))])
    return verdict(pair, [payload[i:i + size] for i in range(0, len(payload), size)])


def options(from_ns, to_ns, address, port, text):
    """IPv6 with a hop-by-hop and a destination options header before UDP."""
    pair = Udp(from_ns, to_ns, address, int(port))
    payload = octets(text)
    padding = bytes([0, 0, 1, 4, 0, 0, 0, 0])
    pair.send(payload, [(socket.IPPROTO_IPV6, IPV6_HOPOPTS, padding),
                        (socket.IPPROTO_IPV6, IPV6_DSTOPTS, padding)])
    return verdict(pair, [payload])


def connect(from_ns, to_ns, address, port, source="", protocol=0):
    family = family_of(address)
    listener = a_socket(to_ns, family, socket.SOCK_STREAM, protocol)
    listener.bind((address, port))
    listener.listen()
    client = a_socket(from_ns, family, socket.SOCK_STREAM, protocol)
    if not protocol:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if source:
        client.bind((source, 0))
    client.connect((address, port))
    server = listener.accept()[0]
    server.settimeout(Patience.seconds)
    listener.close()
    return client, server


def close(client, server):
    for s in (client, server):
        close_at_once(s)
        s.close()


def receive(server, length, wanted):
    """Up to length octets. If none are wanted, it waits a while to see that none come."""
    got, end = b"", time.monotonic() + (20 if wanted else 0.6)
    while len(got) < length and time.monotonic() < end:
        if not select.select([server], [], [], max(0, end - time.monotonic()))[0]:
            break
        got += server.recv(1 << 20)
    return got


def tcp(from_ns, to_ns, address, port, wanted, *texts):
    """Each text is a segment; source=ADDRESS first binds to it."""
    source = ""
    if texts[0].startswith("source="):
        source, texts = texts[0][7:], texts[1:]
    return talk(connect(from_ns, to_ns, address, int(port), source), wanted, texts)


def sctp(from_ns, to_ns, address, port, wanted, *texts):
    """Each text is a message."""
    pair = connect(from_ns, to_ns, address, int(port), protocol=IPPROTO_SCTP)
    return talk(pair, wanted, texts)


def talk(pair, wanted, texts):
    client, server = pair
    answer = "delivered"
    for text in texts:
        payload = octets(text)
        client.send(payload)
        got = receive(server, len(payload), wanted == "delivered")
        if not got:
            answer = "dropped"
            break
        if got != payload:
            answer = f"other: {got!r:.200}"
            break
    close(client, server)
    return answer


def transfer(from_ns, to_ns, address, port, length, text):
    """A long stream, both ends at once, in writes of whatever size fits."""
    unit = octets(text)
    payload = memoryview(unit * (int(length) // len(unit) + 1))[:int(length)]
    client, server = connect(from_ns, to_ns, address, int(port))
    client.setblocking(False)
    sent, got, end = 0, bytearray(), time.monotonic() + 300
    while len(got) < len(payload) and time.monotonic() < end:
        writers = [client] if sent < len(payload) else []
        readable, writable, _ = select.select([server], writers, [], 20)
        if writable:
            sent += client.send(payload[sent:sent + 65521])
        if readable:
            got += server.recv(1 << 20)
        if not readable and not writable:
            break
    close(client, server)
    return "delivered" if got == payload else f"{len(got)} of {len(payload)} octets"


def sendfile(from_ns, to_ns, address, port, wanted, text):
    """The pages of a file, which are not copied into the packet."""
    payload = octets(text)
    client, server = connect(from_ns, to_ns, address, int(port))
    with os.fdopen(os.memfd_create("pages"), "wb") as f:
        f.write(payload)
        f.flush()
        os.sendfile(client.fileno(), f.fileno(), 0, len(payload))
    got = receive(server, len(payload), wanted == "delivered")
    close(client, server)
    return "delivered" if got == payload else "dropped" if not got else f"{len(got)} octets"


def reply(from_ns, to_ns, address, port, wanted, text):
    """The server speaks."""
    client, server = connect(from_ns, to_ns, address, int(port))
    payload = octets(text)
    server.send(payload)
    got = receive(client, len(payload), wanted == "delivered")
    close(client, server)
    return "delivered" if got == payload else "dropped" if not got else f"other: {got!r:.200}"


def raw(from_ns, address, protocol, text):
    """A packet whose IP header names that protocol, with any octets after it."""
    with a_socket(from_ns, family_of(address), socket.SOCK_RAW, int(protocol)) as s:
        s.sendto(octets(text), (address, 0))
    return "sent"


def flood(from_ns, to_ns, address, port, count, text):
    pair = Udp(from_ns, to_ns, address, int(port))
    payload = octets(text)
    for _ in range(int(count)):
        pair.send(payload)
    got = len(pair.received())
    pair.close()
    return str(got)


COMMANDS = {f.__name__: f for f in (udp, marked, group, lite, alone, told_udp, told_tcp, sctp,
                                    gso, options, tcp, transfer, sendfile, reply, raw, flood)}


if __name__ == "__main__":
    serve(COMMANDS)
