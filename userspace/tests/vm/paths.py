#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Traffic by unusual ways through the kernel, one experiment a line, for paths.t.

Speaks as packets.py does, and knows the commands of skbs.py, too, and those of
streams.py for one connection after another.
"""
import socket
import struct

import streams
from packets import Udp, a_socket, octets, verdict
from serving import serve
from skbs import COMMANDS, ETHERTYPES, datagram, packet, packets_of, shown

IP_NODEFRAG, IPPROTO_RAW = 22, 255


def nodefrag(from_ns, to_ns, address, port, text):
    """A datagram of IPv4 that a raw socket sends in two fragments, as it is."""
    pair = Udp(from_ns, to_ns, address, int(port))
    payload = octets(text)
    body = struct.pack("!HHHH", 7000, int(port), 8 + len(payload), 0) + payload
    middle = len(body) // 16 * 8
    nodefrag.identity += 1
    with a_socket(from_ns, socket.AF_INET, socket.SOCK_RAW, IPPROTO_RAW) as raw:
        raw.setsockopt(socket.IPPROTO_IP, IP_NODEFRAG, 1)
        for data, fragment in ((body[:middle], 0x2000), (body[middle:], middle // 8)):
            header = struct.pack("!BBHHHBBH4x4s", 0x45, 0, 20 + len(data), nodefrag.identity,
                                 fragment, 64, 17, 0, socket.inet_aton(address))
            try:
                raw.sendto(header + data, (address, 0))
            except PermissionError:
                pair.refused += 1
    return verdict(pair, [payload])


nodefrag.identity = 100


def put(ns, device, ip):
    with a_socket(ns, socket.AF_PACKET, socket.SOCK_RAW) as s:
        s.bind((device, 0))
        s.send(bytes(12) + ETHERTYPES["ip4" if ip[0] >> 4 == 4 else "ip6"] + ip)


def injected(ns, device, layers, text, *words):
    """What UDP gets of a packet that a packet socket puts on a device."""
    with a_socket("server", socket.AF_INET6, socket.SOCK_DGRAM) as s, \
            a_socket("server", socket.AF_INET, socket.SOCK_DGRAM) as marks:
        s.bind(("::", 9000))
        marks.bind(("", 9001))
        for ip in packets_of(layers, text, words):
            put(ns, device, ip)
        put(ns, device, datagram("ip4", 17, packet("ip4/udp:9001", b"mark", {})[1], {}))
        marks.recv(100)
        s.setblocking(False)
        try:
            return shown(s.recv(1 << 16)) or "empty"
        except BlockingIOError:
            return "nothing"


COMMANDS = {**COMMANDS, **{f.__name__: f for f in (nodefrag, injected)},
            **{name: streams.COMMANDS[name] for name in ("whole", "dial", "write", "read",
                                                         "hang_up")}}


if __name__ == "__main__":
    serve(COMMANDS)
