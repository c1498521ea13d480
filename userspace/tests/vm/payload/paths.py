#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Traffic by unusual ways through the kernel, one experiment a line, for paths.t.

Speaks as packets.py does, and knows the commands of skbs.py, too, and those of
streams.py for one connection after another.
"""
import ctypes
import os
import socket
import struct

import streams
from bpf import bpf, load
from netns import family_of, inside
from packets import Patience, Udp, a_socket, octets, talk, verdict
from serving import serve
from skbs import COMMANDS, ETHERTYPES, Wire, datagram, heard, index_of, mark, packet, packets_of

SO_BINDTODEVICE, IP_TRANSPARENT, IP_NODEFRAG, IPPROTO_RAW, AF_SMC = 25, 19, 22, 255, 43
MAP_CREATE, MAP_UPDATE, PROG_ATTACH, LINK_CREATE = 0, 2, 8, 28
MAP_OF_SOCKETS = 15
# Program type, and attach type.
SK_LOOKUP, SK_MSG, XDP = (30, 36), (16, 7), (6, 37)
XDP_FLAGS_SKB_MODE = 2


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


def injected(ns, device, layers, text, *words):
    """Packets that a packet socket puts on a device."""
    def send():
        with a_socket(ns, socket.AF_PACKET, socket.SOCK_RAW) as s:
            s.bind((device, 0))
            to_mark = datagram("ip4", 17, packet("ip4/udp:9001", b"mark", {})[1], {})
            for ip in packets_of(layers, text, words) + [to_mark]:
                s.send(bytes(12) + ETHERTYPES["ip4" if ip[0] >> 4 == 4 else "ip6"] + ip)
        yield
    return heard(send)


def labelled(layers, text):
    """With a label of MPLS, 100, to the router."""
    def send():
        for ip in packets_of(layers, text, ()):
            Wire.near.send(Wire.head + b"\x88\x47" + struct.pack("!I", 100 << 12 | 1 << 8 | 64) + ip)
        for _ in range(2):
            mark(9001)
            yield
    return heard(send)


def connected(listener, client, address, port):
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.listen()
    client.connect((address, int(port)))
    server = listener.accept()[0]
    server.settimeout(Patience.seconds)
    listener.close()
    return client, server


def elsewhere(from_ns, to_ns, address, port, real, wanted, text):
    """A connection to one port, which a socket with another one accepts."""
    listener = a_socket(to_ns, socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.IPPROTO_IP, IP_TRANSPARENT, 1)
    listener.bind((address, int(real)))
    listener.listen()
    with lookup(to_ns, int(port), listener) if wanted.startswith("lookup-") else listener:
        client = a_socket(from_ns, socket.AF_INET, socket.SOCK_STREAM)
        pair = connected(listener, client, address, port)
        return talk(pair, wanted.removeprefix("lookup-"), [text])


def instruction(code, to=0, of=0, offset=0, value=0):
    return struct.pack("BBhi", code, to | of << 4, offset, value)


def map_to(register, fd):
    return instruction(0x18, register, 1, 0, fd) + instruction(0)


def move(register, value):
    return instruction(0xb7, register, 0, 0, value)


def copy(register, of):
    return instruction(0xbf, register, of)


def call(function):
    return instruction(0x85, 0, 0, 0, function)


EXIT = instruction(0x95)


def new_map():
    return bpf(MAP_CREATE, struct.pack("IIIII", MAP_OF_SOCKETS, 4, 8, 2, 0))


def put_in(fd, *sockets):
    for i, s in enumerate(sockets):
        key, value = ctypes.c_uint32(i), ctypes.c_uint64(s.fileno())
        bpf(MAP_UPDATE, struct.pack("I4xQQQ", fd, ctypes.addressof(key), ctypes.addressof(value), 0))


class lookup:  # pylint: disable=invalid-name
    """As long as it is entered, connections to the port go to that listener."""
    def __init__(self, ns, port, listener):
        sockets = new_map()
        put_in(sockets, listener)
        # At 60 of struct bpf_sk_lookup is the port of this host.
        program = load(*SK_LOOKUP, b"".join((
            copy(6, 1), instruction(0x61, 2, 1, 60), instruction(0x55, 2, 0, 14, port),
            instruction(0x62, 10, 0, -4, 0), map_to(1, sockets), copy(2, 10),
            instruction(0x07, 2, 0, 0, -4), call(1), instruction(0x15, 0, 0, 7, 0),
            copy(7, 0), copy(1, 6), copy(2, 0), move(3, 0), call(124), copy(1, 7), call(86),
            move(0, 1), EXIT)))
        netns = os.open(f"/run/netns/{ns}", os.O_RDONLY)
        link = bpf(LINK_CREATE, struct.pack("IIII", program, netns, SK_LOOKUP[1], 0))
        self.open = [link, program, sockets, netns]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for fd in self.open:
            os.close(fd)


class Redirection:
    """What XDP does to all that a device receives."""
    open = ()


def xdp(ns, device, to_device, address):
    """All that the device receives goes out by another device, to that link-layer address."""
    address = bytes.fromhex(address.replace(":", ""))
    here = index_of(ns, device)
    # struct xdp_md begins with where the packet begins and ends.
    program = load(*XDP, b"".join((
        instruction(0x61, 2, 1, 0), instruction(0x61, 3, 1, 4), copy(4, 2),
        instruction(0x07, 4, 0, 0, 14), instruction(0x2d, 4, 3, 6),
        instruction(0x62, 2, 0, 0, struct.unpack("i", address[:4])[0]),
        instruction(0x6a, 2, 0, 4, struct.unpack("h", address[4:])[0]),
        move(1, index_of(ns, to_device)), move(2, 0), call(23), EXIT, move(0, 2), EXIT)))
    attachment = struct.pack("IIII", program, here, XDP[1], XDP_FLAGS_SKB_MODE)
    link = inside(ns, lambda: bpf(LINK_CREATE, attachment))
    Redirection.open = [link, program]
    return "attached"


def xdp_off():
    while Redirection.open:
        os.close(Redirection.open.pop(0))
    return "detached"


def sockmap(ns, address, port, wanted, text):
    """A program puts what one socket sends into the other one, without packets."""
    listener = a_socket(ns, family_of(address), socket.SOCK_STREAM)
    listener.bind((address, int(port)))
    client = a_socket(ns, family_of(address), socket.SOCK_STREAM)
    client, server = connected(listener, client, address, port)
    sockets = new_map()
    program = load(*SK_MSG, map_to(2, sockets) + move(3, 0) + move(4, 1) + call(60) + EXIT)
    bpf(PROG_ATTACH, struct.pack("IIII", sockets, program, SK_MSG[1], 0))
    put_in(sockets, server, client)
    try:
        return talk((client, server), wanted, [text])
    finally:
        os.close(program)
        os.close(sockets)


def smc(from_ns, to_ns, address, port, wanted, text):
    """Both ends have sockets of SMC, and no device for it."""
    listener, client = (
        socket.socket(socket.AF_INET, socket.SOCK_STREAM,
                      fileno=a_socket(ns, AF_SMC, socket.SOCK_STREAM).detach())
        for ns in (to_ns, from_ns))
    for s in listener, client:
        s.settimeout(Patience.seconds)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind((address, int(port)))
    try:
        pair = connected(listener, client, address, port)
    except OSError as e:
        client.close()
        listener.close()
        return f"no connection: {type(e).__name__}"
    return talk(pair, wanted, [text])


def bound(from_ns, device, to_ns, address, port, kind, wanted, text):
    """From a socket that is bound to a device."""
    kinds = {"tcp": socket.SOCK_STREAM, "udp": socket.SOCK_DGRAM}
    client = a_socket(from_ns, family_of(address), kinds[kind])
    client.setsockopt(socket.SOL_SOCKET, SO_BINDTODEVICE, device.encode())
    if kind == "udp":
        pair = Udp(to_ns, to_ns, address, int(port))
        client.connect((address, int(port)))
        pair.sender.close()
        pair.sender = client
        payload = octets(text)
        pair.send(payload)
        return verdict(pair, [payload])
    listener = a_socket(to_ns, family_of(address), socket.SOCK_STREAM)
    listener.bind((address, int(port)))
    return talk(connected(listener, client, address, port), wanted, [text])


def in_vain(command, *words):
    """Another command, whose traffic must not arrive. It waits for eight seconds, in which TCP
    sends it again three times."""
    Patience.seconds = 8
    try:
        return COMMANDS[command](*words)
    finally:
        Patience.seconds = 20


COMMANDS = {**COMMANDS,
            **{f.__name__: f for f in (nodefrag, injected, labelled, elsewhere, sockmap, smc,
                                       bound, xdp, xdp_off, in_vain)},
            **{name: streams.COMMANDS[name] for name in ("whole", "dial", "write", "read",
                                                         "hang_up")}}


if __name__ == "__main__":
    serve(COMMANDS)
