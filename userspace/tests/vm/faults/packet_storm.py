#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Packets of every shape at every hook: packet_storm.py PACKETS SEED

Real ones that are changed: TCP of a hundred connections, UDP, SCTP, ICMP, in IPv4 and IPv6 with
their further headers, whole or in fragments. They come in by the device "in0"; what is routed
leaves by "out0"; others are sent by this host. There are rules for the ports from FIRST on, as
packet_storm.t has them. What leaves is judged: no datagram to the port STRICT may leave that is
not UTF-8, and each one must leave that is, if it was made by the book (routed()).

Prints NAME, what came and what was wanted, by tabs; "done" in the end.
"""
import fcntl
import ipaddress
import os
import random
import socket
import struct
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from segment import pseudo_header, summed, tcp_header  # noqa: E402

TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454ca, 1, 0x1000
FIRST, PORTS, STRICT = 1000, 20, 1000
TCP, UDP, ICMP, ICMP6, SCTP, UDPLITE = 6, 17, 1, 58, 132, 136
HERE = {4: "10.9.0.1", 6: "fd09::1"}        # of in0
AWAY = {4: "10.8.0.7", 6: "fd08::7"}        # beyond out0
PEERS = {4: "10.9.0.", 6: "fd09::"}

TEXTS = (b"", b"a", b"hello, world", "grüße".encode(), "日本語のテキスト".encode() * 20,
         b"x" * 1400, b"\xc0\xae", b"a\xed\xa0\x80b", b"\xf4\x90\x80\x80", b"\xff", b"\xe2\x82", b"\x82\xac", b"\x80",
         b"GET /gr%C3%BC%C3%9Fe HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc",
         b"GET /..%c0%af../ HTTP/1.1\r\n\r\n", 
         b"POST /x HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n",
         b"EHLO a\r\nMAIL FROM:<a@b>\r\nRCPT TO:<c@d>\r\nDATA\r\nSubject: \xc3\xa9\r\n\r\n.\r\n",
         b"BDAT 5 LAST\r\nabc\r\n", b"STARTTLS\r\n", b"\x16\x03\x01\x02\x00\x01\x00", b"\x1f\x8b\x08\0\0",
         b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", b"\0\1\2\3",
         b"\x12\x34\1\0\0\1\0\0\0\0\0\0\3www\7example\3com\0\0\1\0\1",
         b"\x12\x34\1\0\0\1\0\0\0\0\0\0\2\xc0\xae\xc0\x0c\0\0\1\0\1", b"%", b"%C", b"%C0%AE", b"%25C0", b"%u0041")

odds = random.Random(int(sys.argv[2]))


def address(text):
    return ipaddress.ip_address(text).packed


def tun(name):
    fd = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH22x", name.encode(), IFF_TUN | IFF_NO_PI))
    return fd


class Connection:
    """A peer's segments of one connection; some have other flags or sequence numbers than usual."""

    def __init__(self, version):
        self.version = version
        self.peer = address(f"{PEERS[version]}{odds.randrange(2, 99)}")
        self.target = address(odds.choice((HERE, AWAY))[version])
        self.sport, self.dport = odds.randrange(2000, 2050), FIRST + odds.randrange(PORTS)
        self.seq, self.ack, self.began = odds.getrandbits(32), odds.getrandbits(32), False

    def segment(self):
        flags, payload, options = 16, text(), b""
        if not self.began or odds.randrange(60) == 0:
            self.began, flags, payload = True, 2, b""
            options = odds.choice((b"", b"\2\4\5\xb4\1\3\3\7", b"\4\2\1\1"))
        elif odds.randrange(40) == 0:
            flags = odds.choice((0, 1, 4, 17, 20, 24, 48, 18, 63))
        seq = self.seq
        if odds.randrange(6) == 0:
            seq += odds.choice((-1, 1, -100, 100, 1400, -1400, 1 << 16, 1 << 31, -(1 << 31) + 1))
        else:
            self.seq += len(payload) + (flags & 3 != 0)
        head = tcp_header((self.sport, self.dport), seq, self.ack, flags, 65535, options)
        pseudo = pseudo_header(self.peer, self.target, TCP, len(head) + len(payload))
        return TCP, summed(head + payload, 16, pseudo)


def text():
    made = odds.choice(TEXTS)
    kind = odds.randrange(6)
    if kind == 0:
        made += odds.choice(TEXTS)
    elif kind == 1 and made:
        made = made[odds.randrange(len(made)):]
    elif kind == 2:
        made = odds.randbytes(odds.randrange(200))
    return made


def datagram(source, target, protocol):
    payload, ports = text(), (odds.randrange(2000, 2050), FIRST + odds.randrange(PORTS))
    if protocol == SCTP:
        chunk = struct.pack("!BBH", odds.randrange(16), odds.randrange(8), 16 + len(payload))
        return struct.pack("!HHII", *ports, 1, 0) + chunk + bytes(12) + payload
    if protocol in (ICMP, ICMP6):
        head = struct.pack("!BBHI", odds.choice((3, 8, 1, 128)), odds.randrange(4), 0, 0)
        return summed(head + payload, 2)
    head = struct.pack("!HHHH", *ports, 8 + len(payload), 0)
    return summed(head + payload, 6, pseudo_header(source, target, protocol, 8 + len(payload)))


def further_headers(protocol):
    """Extension headers of IPv6 before that protocol: the number of the first, and all of them."""
    made = b""
    for _ in range(odds.choice((0, 0, 0, 1, 2, 9))):
        kind = odds.choice((0, 60, 43, 51, 60))
        length = odds.randrange(3)
        if kind == 60:
            body = struct.pack("!BB", 1, 4 + 8 * length) + bytes(4 + 8 * length)
        else:
            body = odds.randbytes(6 + 8 * length)
        made = struct.pack("!BB", protocol, length) + body + made
        protocol = kind
    return protocol, made


def packet4(source, target, protocol, body, **other):
    options = odds.choice((b"", b"", b"", b"\1\1\1\0", b"\x94\4\0\0"))
    words = 5 + len(options) // 4
    head = struct.pack("!BBHHHBBH", 0x40 + words, 0, 4 * words + len(body), other.get("identity", 1),
                       other.get("fragment", 0), 64, protocol, 0)
    return summed(head + source + target + options, 10) + body


def packet6(source, target, protocol, body):
    return struct.pack("!IHBB", 6 << 28, len(body), protocol, 64) + source + target + body


def fragments(version, source, target, protocol, body):
    """In any order; some overlap, some are missing."""
    identity, made, at = odds.getrandbits(16), [], 0
    while at < len(body):
        size = 8 * odds.randrange(1, 80)
        piece, more = body[at:at + size], at + size < len(body)
        if version == 4:
            made.append(packet4(source, target, protocol, piece, identity=identity,
                                fragment=at // 8 | more << 13))
        else:
            head = struct.pack("!BBHI", protocol, 0, at | more, identity)
            made.append(packet6(source, target, 44, head + piece))
        at += size if odds.randrange(20) else 8
    if odds.randrange(3) == 0:
        odds.shuffle(made)
    return made if odds.randrange(5) else made[1:]


def spoilt(packet):
    """The same with some octets changed, fewer or more of them."""
    packet = bytearray(packet)
    for _ in range(odds.choice((1, 1, 2, 8))):
        kind, at = odds.randrange(4), odds.randrange(min(len(packet), odds.choice((20, 60, 2000))))
        if kind < 2:
            packet[at] = odds.choice((0, 1, 255, 0x80, odds.randrange(256)))
        elif kind == 2:
            del packet[max(at, 1):]
        else:
            packet += odds.randbytes(odds.randrange(1, 60))
    return bytes(packet)


connections = [Connection(odds.choice((4, 6))) for _ in range(100)]


def some():
    """Packets that belong together."""
    kind, version = odds.randrange(10), odds.choice((4, 6))
    if kind < 5:
        number = odds.randrange(len(connections))
        if odds.randrange(50) == 0:
            connections[number] = Connection(version)
        one = connections[number]
        version, source, target = one.version, one.peer, one.target
        protocol, body = one.segment()
    else:
        source = address(f"{PEERS[version]}{odds.randrange(2, 99)}")
        target = address(odds.choice((HERE, AWAY))[version])
        protocol = odds.choice((UDP, UDP, UDP, SCTP, UDPLITE, ICMP if version == 4 else ICMP6))
        body = datagram(source, target, protocol)
    if version == 6:
        protocol, more = further_headers(protocol)
        body = more + body
    if odds.randrange(8) == 0 and body:
        made = fragments(version, source, target, protocol, body)
    else:
        made = [(packet4 if version == 4 else packet6)(source, target, protocol, body)]
    if odds.randrange(3) == 0:
        made = [spoilt(one) for one in made]
    return made


def is_text(octets):
    try:
        octets.decode()
        return True
    except UnicodeDecodeError:
        return False


def to_compare():
    """A text, or one that is ill-formed at its beginning, at its end or within."""
    made = "".join(odds.choice(("a", "grüße", "日本", "😀", "\n")) for _ in range(odds.randrange(1, 60))).encode()
    if odds.randrange(2):
        return made
    at = odds.choice((0, len(made), odds.randrange(len(made))))
    return made[:at] + odds.choice((b"\xe2\x82", b"\xc3", b"\x80", b"\xc0\xae", b"\xed\xa0\x80", b"\xff")) + made[at:]


def is_refused(packet):
    """Is this a whole datagram of IPv4 to the port STRICT that is no text? The rule has to drop it."""
    if len(packet) < 28 or packet[0] >> 4 != 4 or packet[9] != UDP or packet[6] & 0x3f or packet[7]:
        return False
    length, = struct.unpack_from("!H", packet, 2)
    at = 4 * (packet[0] & 15)
    if length < at + 8 or length > len(packet):
        return False
    port, size = struct.unpack_from("!HH", packet, at + 2)
    if port != STRICT or size < 8 or at + size > length:
        return False
    return not is_text(packet[at + 8:at + size])


class Storm:
    def __init__(self):
        self.incoming, self.outgoing = tun("in0"), tun("out0")
        self.raw = {4: socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW),
                    6: socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_RAW)}
        for one in self.raw.values():
            one.setblocking(False)
        self.left = self.wrong = 0
        self.sent = dict.fromkeys(("in", "out", "refused", "not taken"), 0)

    def drain(self, fd):
        came = []
        try:
            while True:
                came.append(os.read(fd, 65536))
                if fd == self.outgoing:
                    self.left += 1
                    self.wrong += is_refused(came[-1])
        except BlockingIOError:
            return came

    def by_this_host(self, packet):
        """This host sends it, from its own address; nothing else in the packet is changed."""
        version = packet[0] >> 4
        if version == 4 and len(packet) >= 20:
            packet = packet[:12] + address(HERE[4]) + packet[16:]
        elif version == 6 and len(packet) >= 40:
            packet = packet[:8] + address(HERE[6]) + packet[24:]
        else:
            return
        to = str(ipaddress.ip_address(packet[16:20] if version == 4 else packet[24:40]))
        try:
            self.raw[version].sendto(packet, (to, 0))
            self.sent["out"] += 1
        except PermissionError:
            self.sent["refused"] += 1
        except OSError:
            self.sent["not taken"] += 1

    def send(self, packet):
        if odds.randrange(4) == 0:
            self.by_this_host(packet)
            return
        try:
            os.write(self.incoming, packet)
            self.sent["in"] += 1
        except OSError:
            self.sent["not taken"] += 1

    def routed(self, payload):
        """Does a datagram to the strict port leave, as it came?"""
        source, target = address(PEERS[4] + "2"), address(AWAY[4])
        size = 8 + len(payload)
        body = summed(struct.pack("!HHHH", 3000, STRICT, size, 0) + payload, 6, pseudo_header(source, target, UDP, size))
        self.drain(self.outgoing)
        head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + size, 7, 0, 64, UDP, 0) + source + target
        os.write(self.incoming, summed(head, 10) + body)
        # Other packets may leave as well.
        return any(one[28:] == payload for one in self.drain(self.outgoing))


def main():
    storm, count, done = Storm(), int(sys.argv[1]), 0
    lost = passed = probes = 0
    while done < count:
        for packet in some():
            if packet:
                storm.send(packet)
            done += 1
        if done % 16 == 0:
            storm.drain(storm.incoming)
            storm.drain(storm.outgoing)
        if done % 25 == 0:
            probes += 1
            payload = to_compare()
            arrived = storm.routed(payload)
            lost += is_text(payload) and not arrived
            passed += not is_text(payload) and arrived
    storm.drain(storm.outgoing)
    print(f"# {done} packets: {storm.sent}, {storm.left} were routed; {probes} to compare with")
    print(f"text is routed\t{lost}\t0")
    print(f"what is none is not\t{passed}\t0")
    print(f"nor is there any among what was changed\t{storm.wrong}\t0")
    print(f"much of it is routed\t{storm.left > count // 20}\tTrue")
    print("done\t\t")


main()
