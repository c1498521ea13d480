#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Packets made octet by octet, and the kernel's own of unusual kinds, for skbs.t.

Speaks as packets.py does, and knows its commands, too. A packet is written as its
headers from the outside in, "ip6/hop/frag/udp:9000"; what is wrong with it, and the
fragments that it is sent in, follow as words KEY=VALUE:

    length=N        of the UDP header; +N or -N is added to what it should be
    total=N         of the outer IP header, likewise
    doff=N          words of the TCP header
    control=N       its flags: 4 is a reset, 17 an end
    coverage=N      of UDP-Lite
    flags=N         of SCTP chunks: 2 is the first piece of a message, 1 the last, 3 is a whole one
    checksum=bad    of UDP, TCP and UDP-Lite
    pieces=A:B,...  octets A to B of what follows the outer header, in that order;
                    A:B:TEXT has other octets there
    inner=A:B,...   the same of the innermost IP header; each fragment of it is in an outer packet of
                    its own, of which "pieces" makes fragments
    final=ADDRESS   where the headers "srh", "rpl", "rpl15" and "home" lead to, or the source
                    route of "ip4"; via=ADDRESS where "srh" does instead; left=N, so many addresses are still ahead
    ahead=N         of what follows, N octets stay before the header of each fragment:
                    other headers, the last of which is of 8 octets
"frag:253" says that protocol 253 is after it, whatever is; "dest:9" is of 9 * 8 octets.
"""
import fcntl
import mmap
import os
import select
import socket
import struct
import termios
import time

from netns import family_of, inside
from packets import (COMMANDS, IPPROTO_UDPLITE, MARK, Udp, a_socket, close, connect, octets,
                     receive, verdict)
from segment import ip4, pseudo_header, summed, tcp_header
from serving import serve

UDP_GRO = 104
SO_SNDBUFFORCE, SO_RCVBUFFORCE, SO_ZEROCOPY = 32, 33, 60
MSG_ZEROCOPY = 0x4000000
IPV6_MTU = 24
RTM_SETLINK, NLM_F_REQUEST, NLM_F_ACK = 19, 1, 4
# IFLA_GSO_MAX_SIZE, _GRO_MAX_SIZE, and the two for IPv4 since 6.3.
SIZES = 41, 58, 63, 64

# No kernel has the sender's addresses, or it would answer.
ENDS = {"4": (socket.inet_pton(socket.AF_INET, "10.0.1.7"),
              socket.inet_pton(socket.AF_INET, "10.0.2.1")),
        "6": (socket.inet_pton(socket.AF_INET6, "fd00:1::7"),
              socket.inet_pton(socket.AF_INET6, "fd00:2::1"))}
NUMBERS = {"ip4": 4, "ip6": 41, "tcp": 6, "udp": 17, "udplite": IPPROTO_UDPLITE, "sctp": 132,
           "gre": 47, "esp": 50, "ah": 51, "hop": 0, "routing": 43, "frag": 44, "dest": 60,
           "srh": 43, "rpl": 43, "rpl15": 43, "home": 43}
ETHERTYPES = {"ip4": b"\x08\x00", "ip6": b"\x86\xdd"}


def number(text, default):
    """The true value of a field, or the wrong one that is asked for: N, +N or -N."""
    if text is None:
        return default
    return default + int(text) if text[0] in "+-" else int(text)


def final_of(wrongs):
    """What the receiver's address is in the end; of both families here."""
    address = wrongs.get("final", "")
    return address and socket.inet_pton(family_of(address), address)


class Layer:
    """A header that is put before octets: what is the layer in it, and what is to be wrong with it."""

    def __init__(self, name, inner, version, wrongs):
        self.name, _, self.port = name.partition(":")
        self.inner, self.version, self.wrongs = inner.partition(":")[0], version, wrongs

    def around(self, body):
        name = self.name.rstrip("0123456789") if self.name.startswith("ip") else self.name
        return getattr(self, name)(body)

    def summed(self, header, at, body, length=None, covered=None):
        """Header and body with a checksum at that offset. Of "length" octets, says the pseudo header;
        it covers "covered" octets, or that length."""
        length = length or len(header + body)
        source, to = ENDS[self.version]
        if self.wrongs.get("left") != "0":
            to = final_of(self.wrongs) or to
        return summed(header + body, at, pseudo_header(source, to, NUMBERS[self.name], length),
                      covered or length, self.wrongs.get("checksum") == "bad")

    def udp(self, body):
        length = number(self.wrongs.get("length"), 8 + len(body))
        return self.summed(struct.pack("!HHHH", 7000, int(self.port or 9000), length, 0), 6, body,
                           length)

    def udplite(self, body):
        covered = number(self.wrongs.get("coverage"), 0)
        header = struct.pack("!HHHH", 7000, 9000, covered, 0)
        return self.summed(header, 6, body, None, covered)

    def tcp(self, body):
        doff = number(self.wrongs.get("doff"), 5)
        flags = int(self.wrongs.get("control", 0x18))
        return self.summed(tcp_header((7000, int(self.port or 9000)), 1, 1, flags, 1024, words=doff),
                           16, body)

    def sctp(self, body):
        # Without a checksum, at which only connection tracking and the receiver look.
        return struct.pack("!HHII", 7000, 9000, 1, 0) + body

    def chunk(self, kind, body, rest):
        length = number(self.wrongs.get("length"), 4 + len(rest) + len(body))
        head = struct.pack("!BBH", kind, int(self.wrongs.get("flags", 3)), length & 0xffff)
        return head + rest + body + b"\0" * (-len(body) % 4)

    def data(self, body):
        """Messages between bars, each in a chunk."""
        return b"".join(self.chunk(0, part, bytes(12)) for part in body.split(b"|"))

    def idata(self, body):
        return self.chunk(64, body, bytes(16))

    def heartbeat(self, body):
        return self.chunk(4, body, b"")

    def gre(self, body):
        return b"\0\0" + ETHERTYPES[self.inner] + body

    def vxlan(self, body):
        return b"\x08\0\0\0\0\0\x2a\0" + body

    def eth(self, body):
        return b"\x02\0\0\0\0\x01\x02\0\0\0\0\x02" + ETHERTYPES[self.inner] + body

    def esp(self, body):
        return struct.pack("!II", 1, 1) + body

    def ah(self, body):
        return struct.pack("!BBHII", NUMBERS[self.inner], 4, 0, 1, 1) + bytes(12) + body

    def padded(self, body):
        """As long as was asked for, in an option that nobody knows and all may ignore."""
        rest = 8 * int(self.port or 1) - 4
        kind = 0x1e if self.port else 1
        return bytes([NUMBERS[self.inner], rest // 8, kind, rest]) + bytes(rest) + body

    hop = dest = padded

    def routing(self, body):
        return bytes([NUMBERS[self.inner], 0, 4, 0, 0, 0, 0, 0]) + body

    def routed(self, kind, flags, addresses, body):
        """Lengths are in units of 8 octets."""
        left = int(self.wrongs.get("left", 1))
        return struct.pack("!BBBB", NUMBERS[self.inner], len(addresses) // 8, kind,
                           left) + flags + addresses + body

    def srh(self, body):
        """RFC 8754: the last one comes first."""
        last = final_of({"final": self.wrongs["via"]} if "via" in self.wrongs else self.wrongs)
        return self.routed(4, b"\1\0\0\0", last + ENDS["6"][1], body)

    def rpl(self, body):
        """RFC 6554; what it has in common with the one before may be left out."""
        return self.routed(3, bytes(4), final_of(self.wrongs), body)

    def rpl15(self, body):
        return self.routed(3, b"\x0f\x70\0\0", final_of(self.wrongs)[15:] + bytes(7), body)

    def home(self, body):
        """RFC 6275."""
        return self.routed(2, bytes(4), final_of(self.wrongs), body)

    def frag(self, body):
        """A fragment that has all of the packet."""
        return bytes([int(self.port or NUMBERS[self.inner]), 0, 0, 0, 0, 0, 0, 9]) + body

    def ip(self, body):
        return datagram(self.name, NUMBERS[self.inner], body, self.wrongs)


def datagram(name, protocol, body, wrongs, fragment=0, identity=77):
    """An IP packet; "ip4" and "ip6", and "ip47" with 28 octets of header."""
    source, to = ENDS[name[2]]
    if name[2] == "6":
        length = number(wrongs.get("total"), len(body))
        return struct.pack("!IHBB", 6 << 28, length, protocol, 64) + source + to + body
    options = bytes([1] * 8) if name[3:] == "7" else b""
    if "final" in wrongs:
        # RFC 791: a loose source route of one address, and one octet to fill up.
        options = bytes([131, 7, 4]) + final_of(wrongs) + b"\1"
    total = number(wrongs.get("total"), 20 + len(options) + len(body))
    return ip4(protocol, source, to, body, options, total=total, identity=identity,
               fragment=fragment)


def packet(layers, body, wrongs, done=0):
    """The protocol that the outermost header is to name, and all others around the octets, which
    have the innermost "done" headers already."""
    names = layers.split("/")
    versions = [""] * len(names)
    for i, name in enumerate(names):
        versions[i] = name[2] if name.startswith("ip") else versions[i - 1]
    for i in range(len(names) - 1 - done, 0, -1):
        inner = names[i + 1] if i + 1 < len(names) else ""
        # Only the outer header of a kind is wrong.
        first = names[i] not in names[:i]
        body = Layer(names[i], inner, versions[i], wrongs if first else {}).around(body)
    return NUMBERS[names[1].partition(":")[0]], body


def piece(outer, protocol, body, spec, ahead=b""):
    """A fragment. The octets "ahead" are headers before the fragment header; their last one names it."""
    start, end, *other = spec.split(":")
    start, end = int(start), int(end or len(body))
    data = octets(other[0]) if other else body[start:end]
    more = end < len(body)
    if outer[2] == "4":
        return datagram(outer, protocol, data, {}, start // 8 | more << 13, piece.id)
    if ahead:
        first, protocol = protocol, ahead[-8]
        ahead = ahead[:-8] + bytes([44]) + ahead[-7:]
    header = struct.pack("!BBHI", protocol, 0, start | more, piece.id)
    return datagram(outer, first if ahead else 44, ahead + header + data, {})


piece.id = 100


def fragments_of(outer, protocol, body, specs, ahead=b""):
    piece.id += 1
    return [piece(outer, protocol, body, spec, ahead) for spec in specs.split(",")]


def bodies_of(layers, text, wrongs):
    """What follows the outer header: once, or once for each fragment of the innermost IP header."""
    if "inner" not in wrongs:
        return [packet(layers, octets(text), wrongs)]
    names = layers.split("/")
    at = max(i for i, name in enumerate(names) if name.startswith("ip"))
    protocol, body = packet("/".join(names[at:]), octets(text), wrongs)
    return [packet(layers, ip, wrongs, len(names) - at)
            for ip in fragments_of(names[at], protocol, body, wrongs["inner"])]


def packets_of(layers, text, words):
    wrongs = dict(word.split("=", 1) for word in words)
    outer = layers.partition("/")[0]
    ahead = int(wrongs.get("ahead", 0))
    packets = []
    for protocol, body in bodies_of(layers, text, wrongs):
        if "pieces" in wrongs:
            packets += fragments_of(outer, protocol, body[ahead:], wrongs["pieces"], body[:ahead])
        else:
            packets.append(datagram(outer, protocol, body, wrongs))
    return packets


class Wire:
    """Before the router, and after it."""
    near = far = None
    head = b""


def wires(router_mac, client_mac):
    Wire.near = a_socket("client", socket.AF_PACKET, socket.SOCK_RAW)
    Wire.near.bind(("eth0", 0))
    Wire.far = a_socket("server", socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
    Wire.far.bind(("eth0", 3))
    Wire.head = b"".join(bytes.fromhex(m.replace(":", "")) for m in (router_mac, client_mac))
    return "laid"


def put(ip):
    Wire.near.send(Wire.head + ETHERTYPES["ip4" if ip[0] >> 4 == 4 else "ip6"] + ip)


def mark(port):
    put(datagram("ip4", 17, packet(f"ip4/udp:{port}", MARK, {})[1], {}))


def from_us(frame):
    return frame[12:14] == b"\x08\0" and frame[26:30] == ENDS["4"][0] or \
        frame[12:14] == b"\x86\xdd" and frame[22:38] == ENDS["6"][0]


def come_out(send):
    """The frames that come out of the router after send(), and before a mark that is sent then."""
    while select_ready(Wire.far):
        Wire.far.recv(1 << 17)
    send()
    mark(7)
    frames = []
    while True:
        frame = Wire.far.recv(1 << 17)
        if from_us(frame) and frame.endswith(MARK):
            return frames
        if from_us(frame):
            frames.append(frame)


def through(layers, text, *words):
    """Does it come out of the router?"""
    def send():
        for ip in packets_of(layers, text, words):
            put(ip)
    return "through" if come_out(send) else "stopped"


def select_ready(s):
    s.settimeout(0)
    try:
        return s.recv(1, socket.MSG_PEEK)
    except BlockingIOError:
        return b""
    finally:
        s.settimeout(20)


def shown(data):
    return "".join(chr(o) if 32 < o < 127 else f"\\x{o:02x}" for o in data)


def heard(send, protocol=0):
    """What the server's UDP gets, before marks for port 9001: send() yields after each of these."""
    with a_socket("server", socket.AF_INET6, socket.SOCK_DGRAM, protocol) as s, \
            a_socket("server", socket.AF_INET, socket.SOCK_DGRAM) as marks:
        s.bind(("::", 9000))
        marks.bind(("", 9001))
        for _ in send():
            marks.recv(100)
        s.setblocking(False)
        try:
            return shown(s.recv(1 << 16)) or "empty"
        except BlockingIOError:
            return "nothing"


def arrives(layers, text, *words):
    """What the server's UDP gets of it."""
    def send():
        for ip in packets_of(layers, text, words):
            put(ip)
        # What comes out of a tunnel is queued again: the first mark may overtake it, the second not.
        for _ in range(2):
            mark(9001)
            yield
    return heard(send, IPPROTO_UDPLITE if layers.endswith("udplite") else 0)


def zerocopy(from_ns, to_ns, address, port, kind, text):
    """Each piece between bars from a page of its own, which the packet refers to."""
    pages, parts = [], [octets(part) for part in text.split("|")]
    for part in parts:
        pages.append(mmap.mmap(-1, 4096))
        pages[-1][:len(part)] = part
    views = [memoryview(page)[:len(part)] for page, part in zip(pages, parts)]
    if kind == "udp":
        pair = Udp(from_ns, to_ns, address, int(port))
        pair.sender.setsockopt(socket.SOL_SOCKET, SO_ZEROCOPY, 1)
        try:
            pair.sender.sendmsg(views, [], MSG_ZEROCOPY)
        except PermissionError:
            pair.refused = 1
        return verdict(pair, [b"".join(parts)])
    client, server = connect(from_ns, to_ns, address, int(port))
    client.setsockopt(socket.SOL_SOCKET, SO_ZEROCOPY, 1)
    client.sendmsg(views, [], MSG_ZEROCOPY)
    whole = b"".join(parts)
    got = receive(server, len(whole), kind == "delivered")
    close(client, server)
    return "dropped" if not got else "delivered" if got == whole else f"other: {got!r:.200}"


def fragmenting(from_ns, to_ns, address, port, text):
    """A datagram in fragments of 1280 octets, as its sender asks for (IPV6_MTU)."""
    pair = Udp(from_ns, to_ns, address, int(port))
    pair.sender.setsockopt(socket.IPPROTO_IPV6, IPV6_MTU, 1280)
    payload = octets(text)
    pair.send(payload)
    return verdict(pair, [payload])


def merged(from_ns, to_ns, address, port, size, text):
    """Datagrams of one size for a socket that takes many at once (UDP_GRO)."""
    pair = Udp(from_ns, to_ns, address, int(port))
    pair.receiver.setsockopt(socket.IPPROTO_UDP, UDP_GRO, 1)
    payload, size = octets(text), int(size)
    pair.send(payload, [(socket.IPPROTO_UDP, 103, struct.pack("H", size))])
    # Marks of another sender are not merged with the datagrams. GRO may let the first mark overtake
    # these, so there are two.
    with a_socket(from_ns, family_of(address), socket.SOCK_DGRAM) as marker:
        marker.connect(pair.address)
        got = b"".join(pair.received(marker) + pair.received(marker))
    pair.close()
    return "dropped" if not got else "delivered" if got == payload else f"{len(got)} octets"


def sizes(ns, device, octets_at_most):
    """BIG TCP: how many octets may be sent in one skb, or merged into one; old versions of ip cannot set that."""
    body = struct.pack("BxHiII", 0, 0, index_of(ns, device), 0, 0)
    body += b"".join(struct.pack("HHI", 8, kind, int(octets_at_most)) for kind in SIZES)
    with a_socket(ns, socket.AF_NETLINK, socket.SOCK_RAW, 0) as s:
        s.send(struct.pack("IHHII", 16 + len(body), RTM_SETLINK, NLM_F_REQUEST | NLM_F_ACK, 1, 0)
               + body)
        answer = s.recv(1 << 16)
    return f"error {struct.unpack_from('i', answer, 16)[0]}"


def index_of(ns, device):
    with a_socket(ns, socket.AF_INET, socket.SOCK_DGRAM) as s:
        request = struct.pack("16s24x", device.encode())
        return struct.unpack_from("i", fcntl.ioctl(s, 0x8933, request), 16)[0]


class Last:
    """What big() sent in the end, and the two ends of its connection."""
    ends, payload = (), b""


def big(from_ns, to_ns, address, port, good, last):
    """Sends that many good octets, all of which arrive; then some in one call, of which not all may:
    rest() looks at these."""
    client, server = connect(from_ns, to_ns, address, int(port))
    client.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, 8 << 20)
    payload = b"a" * 100000
    for _ in range(int(good) // len(payload)):
        client.sendall(payload)
        if len(receive(server, len(payload), True)) != len(payload):
            return "good octets are missing"
    Last.ends, Last.payload = (client, server), octets(last)
    client.send(Last.payload)
    return "sent"


def rest():
    """How much of those has arrived, in a time in which all of them could have."""
    client, server = Last.ends
    got = receive(server, len(Last.payload), False)
    close(client, server)
    if got == Last.payload:
        return "delivered"
    return "not all of it" if Last.payload.startswith(got) else "other"


def wait_for(s, length):
    """Waits until that many octets, or a datagram of as many, could be read; reads nothing."""
    end = time.monotonic() + 20
    while time.monotonic() < end:
        waiting = struct.unpack("i", fcntl.ioctl(s, termios.FIONREAD, bytes(4)))[0]
        if waiting >= length:
            return
        select.select([s], [], [], 0.05)


def page_of(data):
    """A page of a file, for sendfile(), and the file."""
    fd = os.memfd_create("pages")
    os.ftruncate(fd, len(data))
    page = mmap.mmap(fd, len(data))
    page[:] = data
    return page, fd


def changing(from_ns, to_ns, address, port, kind, sent, changed):
    """What is read of a page that its sender changes after it has arrived."""
    sent, changed = octets(sent), octets(changed)
    if kind == "udp":
        pair = Udp(from_ns, to_ns, address, int(port))
        sender, receiver = pair.sender, pair.receiver
    else:
        sender, receiver = connect(from_ns, to_ns, address, int(port))
    page, fd = page_of(sent)
    with sender, receiver, page:
        os.sendfile(sender.fileno(), fd, 0, len(sent))
        os.close(fd)
        wait_for(receiver, len(sent))
        page[:] = changed
        got = receive(receiver, len(sent), True)
    return "as sent" if got == sent else "as changed" if got == changed else f"other: {got!r:.200}"


def recast(mac, port, other, text):
    """What the server's UDP gets at one port of a datagram that was sent to another one, in a tunnel
    that ends at the router. Its headers are in a page of its sender, who writes the port there when
    the router has judged the datagram, and before it sends that on."""
    udp = struct.pack("!HHHH", 7000, int(other), 8 + len(octets(text)), 0)
    inner = bytes.fromhex(mac.replace(":", "")) + b"\2\0\0\0\0\7" + ETHERTYPES["ip4"]
    inner += datagram("ip4", 17, udp + octets(text), {})
    page, fd = page_of(b"\x08\0\0\0\0\0\x2a\0" + inner)

    def send():
        with a_socket("client", socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.connect(("10.0.1.254", 4789))
            os.sendfile(s.fileno(), fd, 0, len(page))
        time.sleep(0.3)
        struct.pack_into("!H", page, 8 + 14 + 20 + 2, int(port))
        mark(9001)
        yield
    try:
        return heard(send)
    finally:
        os.close(fd)


# Of struct virtio_net_hdr: what an skb is divided into, and where that has its checksum.
VIRTIO_DIVIDED = {"whole": (0, 6), "segments": (1, 16), "fragments": (3, 6), "datagrams": (5, 6)}
TUNSETIFF, IFF_TAP, IFF_NO_PI, IFF_VNET_HDR = 0x400454ca, 2, 0x1000, 0x4000


def plugged(device, ns="server"):
    """The host's end of the network card of a virtual machine."""
    card = inside(ns, lambda: os.open("/dev/net/tun", os.O_RDWR))
    fcntl.ioctl(card, TUNSETIFF,
                struct.pack("16sH22x", device.encode(), IFF_TAP | IFF_NO_PI | IFF_VNET_HDR))
    return card


def machine(device, mac, divided, size, text, less="0"):
    """What the server's UDP gets first of an IPv4 datagram whose sender, a virtual machine, says that
    the host is to divide it into pieces of that size, of one kind or another. Its UDP header has a
    length that is that much less."""
    kind, checksum = VIRTIO_DIVIDED[divided]
    frame = bytes.fromhex(mac.replace(":", "")) + b"\2\0\0\0\0\7" + ETHERTYPES["ip4"]
    frame += packets_of("ip4/udp", text, [])[0]
    at = 14 + 20 + 4
    length, = struct.unpack_from("!H", frame, at)
    frame = frame[:at] + struct.pack("!H", length - int(less)) + frame[at + 2:]
    card = plugged(device)

    def send():
        os.write(card, struct.pack("=BBHHHH", 1, kind, 14 + 20 + 20, int(size), 14 + 20, checksum)
                 + frame)
        mark(9001)
        yield
    try:
        return heard(send)
    finally:
        os.close(card)


def words_of(data):
    """The sum of its words of two octets."""
    return sum(struct.unpack(f"!{len(data) // 2}H", data))


def due(mac, layers, divided, text, *words):
    """What the router sends on of a packet of IPv4 whose sender, a virtual machine of the router, says
    that the checksum from octet start=N on is to be written to octet at=N. Both count from the
    transport header. With sum=HEX, two more octets make it that one. size=N is as in machine()."""
    asked = dict(word.split("=", 1) for word in words)
    kind, checksum = VIRTIO_DIVIDED[divided]
    start = int(asked.get("start", 0))
    at = int(asked.get("at", checksum))
    ip = packets_of(layers, text + "+\\0\\0" if "sum" in asked else text, [])[0]
    header = len(packets_of(layers, "", [])[0])
    if "sum" in asked:
        missing = (0xffff ^ int(asked["sum"], 16)) - words_of(ip[20 + start:])
        ip = ip[:-2] + struct.pack("!H", missing % 0xffff)
    frame = bytes.fromhex(mac.replace(":", "")) + b"\2\0\0\0\0\7" + ETHERTYPES["ip4"] + ip
    card = plugged("vm1", "router")
    try:
        frames = come_out(lambda: os.write(card, struct.pack(
            "=BBHHHH", 1, kind, 14 + header, int(asked.get("size", 0)), 34 + start, at - start)
            + frame))
    finally:
        os.close(card)
    return shown(frames[0][14 + header:]) if frames else "stopped"


COMMANDS = {**COMMANDS, **{f.__name__: f for f in (wires, through, arrives, zerocopy, fragmenting,
                                                   merged, sizes, big, rest, changing, recast, machine, due)}}


if __name__ == "__main__":
    serve(COMMANDS)
