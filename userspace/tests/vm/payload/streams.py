#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Streams between network namespaces, one experiment a line, for streams.t.

Reads lines of words between tabs and answers each with a line. Bytes are written
as \\xHH. Besides the kernel's own TCP there is one made here, of raw frames, that
sends what no kernel would: any segment, in any order.
"""
import errno
import fcntl
import hashlib
import os
import random
import select
import socket
import struct
import termios
import time

from netns import close_at_once, family_of, socket_in as a_socket
from segment import ACK, FIN, PSH, RST, SYN, URG, ip4, ip6, pseudo_header, summed, tcp_header
from serving import serve

# The address of the TCP made here: no kernel has it, or it would answer.
OURS, SERVER = "10.0.1.7", "10.0.2.1"
OURS6, SERVER6 = "fd00:1::7", "fd00:2::1"
ROUTER = "10.0.1.254"
TEXT = ("Съешь же ещё этих мягких французских булок. "
        "いろはにほへと ちりぬるを 我能吞下玻璃而不伤身体。 🐧 plain ASCII, too. ")
# Each can be repeated: where it ends, the protocol allows it to begin again.
SAMPLES = {
    "plain": TEXT.encode(),
    "percent": b"q=%D1%8A&r=%E3%81%84%F0%9F%90%A7&plain=1&caf\xc3\xa9=%2B&",
    "http": (b"GET /gr%C3%BC%C3%9Fe?q=%E6%97%A5%E6%9C%AC HTTP/1.1\r\nHost: a\r\nUser-Agent: na\xc3\xafve\r\n\r\n"
             b"POST /form HTTP/1.1\r\nHost: a\r\nContent-Length: 3000\r\n\r\n" + bytes(range(256)) * 12)[:-72] +
            b"POST /\xf0\x9f\x90\xa7 HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n" +
            b"5\r\n\xff%c0%\r\nA\r\n0123456789\r\n0\r\n\r\n",
    "smtp": ("MAIL FROM:<a@b> SMTPUTF8\r\nDATA\r\n" + TEXT + "\r\n.\r\n").encode(),
    "dns": b"\0\x1d" + b"\x12\x34\1\0\0\1\0\0\0\0\0\0" + b"\7na\xc3\xafve1\3org\0\0\1\0\1",
}


def octets(text):
    return text.encode().decode("unicode_escape").encode("latin-1")


def shown(data):
    return "".join(chr(o) if 32 < o < 127 else f"\\x{o:02x}" for o in data) or "nothing"


def listener(ns, address, port, protocol=0):
    s = a_socket(ns, family_of(address), socket.SOCK_STREAM, protocol)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind((address, port))
    s.listen(64)
    s.settimeout(20)
    return s


def whole(from_ns, to_ns, address, port, size, seed, kind="plain"):
    """About that many octets, written in pieces of any size: do they arrive?"""
    dice = random.Random(int(seed))
    one = SAMPLES[kind]
    text = (one * (int(size) // len(one) + 1))[:int(size) // len(one) * len(one)]
    with listener(to_ns, address, int(port)) as door:
        sender = a_socket(from_ns, family_of(address), socket.SOCK_STREAM)
        sender.settimeout(20)
        sender.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sender.connect((address, int(port)))
        receiver, _ = door.accept()
    with sender, receiver:
        return transfer(sender, receiver, text, dice)


def slow(from_ns, to_ns, address, port, size):
    """To a receiver whose window closes again and again."""
    text = (SAMPLES["plain"] * (int(size) // len(SAMPLES["plain"]) + 1))
    received = bytearray()
    with listener(to_ns, address, int(port)) as door:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sender = a_socket(from_ns, family_of(address), socket.SOCK_STREAM)
        sender.connect((address, int(port)))
        receiver, _ = door.accept()
    with sender, receiver:
        sender.setblocking(False)
        receiver.settimeout(60)
        sent = 0
        while len(received) < len(text):
            if sent < len(text):
                try:
                    sent += sender.send(text[sent:])
                except BlockingIOError:
                    pass
            # Meanwhile the buffer fills, and the window closes.
            time.sleep(0.05)
            data = receiver.recv(16384)
            if not data:
                break
            received += data
    return "whole" if received == text else f"other octets, {len(received)} of {len(text)}"


def transfer(sender, receiver, text, dice):
    sender.setblocking(False)
    received, sent = bytearray(), 0
    while True:
        read, write, _ = select.select([receiver], [sender] if sent < len(text) else [], [], 90)
        if not read and not write:
            return f"stuck after {len(received)} of {len(text)} octets"
        if read:
            data = receiver.recv(1 << 16)
            received += data
            if not data:
                break
        if write:
            # Often a few octets, to cut characters; often many, for GSO.
            n = dice.choice((1, 2, 3, 7, 50, 1447, 1448, 20000, 65000))
            sent += sender.send(text[sent:sent + n])
            if sent == len(text):
                sender.shutdown(socket.SHUT_WR)
    same = hashlib.sha256(received).digest() == hashlib.sha256(text).digest()
    return "whole" if same else f"other octets, {len(received)} of {len(text)}"


class Pair:
    """A connection of the kernel's own, both ends here."""
    sender = receiver = None


def dial(from_ns, to_ns, address, port, wait="20", protocol=0, to_protocol=0):
    hang_up()
    with listener(to_ns, address, int(port), int(to_protocol)) as door:
        Pair.sender = a_socket(from_ns, family_of(address), socket.SOCK_STREAM, int(protocol))
        Pair.sender.settimeout(float(wait))
        Pair.sender.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        Pair.sender.connect((address, int(port)))
        Pair.receiver, _ = door.accept()
    return "connected"


def attempt(from_ns, to_ns, address, port):
    """A connection that will not come about: its SYNs go on until hang_up."""
    hang_up()
    Pair.receiver = listener(to_ns, address, int(port))
    Pair.sender = a_socket(from_ns, family_of(address), socket.SOCK_STREAM)
    Pair.sender.setblocking(False)
    Pair.sender.connect_ex((address, int(port)))
    return "tried"


def write_to(s, pieces):
    for piece in pieces:
        end = time.monotonic() + 2
        while waiting(s) and time.monotonic() < end:
            time.sleep(0.005)
        s.send(octets(piece))
    return "written"


def write(*pieces):
    """Each piece is a segment, unless what was sent before it stays unacknowledged for two seconds."""
    return write_to(Pair.sender, pieces)


def answer(*pieces):
    """The same the other way."""
    Pair.receiver.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    written = write_to(Pair.receiver, pieces)
    read_of(Pair.sender, sum(len(octets(piece)) for piece in pieces))
    return written


def waiting(s):
    return struct.unpack("i", fcntl.ioctl(s, termios.TIOCOUTQ, bytes(4)))[0]


def read_of(s, least):
    """All that has come; it waits for that many octets."""
    data = bytearray()
    if not s:
        return "nothing"
    s.settimeout(20)
    while len(data) < least:
        try:
            more = s.recv(1 << 16)
        except OSError:
            break
        if not more:
            break
        data += more
    s.setblocking(False)
    try:
        data += s.recv(1 << 16)
    except OSError:
        pass
    return shown(data)


def caller():
    """The port from which dial() has called."""
    return str(Pair.sender.getsockname()[1])


def read(least):
    return read_of(Pair.receiver, int(least))


def hang_up():
    """Ends all connections by a reset, or the kernel would go on to retransmit what was dropped."""
    for s in (Pair.sender, Pair.receiver, Raw.server, *Raw.kept):
        if s:
            close_at_once(s)
            s.close()
    Pair.sender = Pair.receiver = Raw.server = None
    Raw.kept = []
    return "done"


def packet(sport, dport, seq, ack, flags, payload, to=None, source=None, spoilt=False,
           options=b"", routed=False, window=65535):
    """Where it is routed, by a loose source route of one address after the router, RFC 791."""
    ends = [socket.inet_pton(family_of(Raw.ours), address)
            for address in (source or Raw.ours, to or Raw.to)]
    tcp = tcp_header((sport, dport), seq, ack, flags, window, options) + payload
    tcp = summed(tcp, 16, pseudo_header(*ends, socket.IPPROTO_TCP, len(tcp)), spoilt=spoilt)
    if routed:
        return ip4(socket.IPPROTO_TCP, ends[0], socket.inet_aton(ROUTER), tcp,
                   b"\x83\x07\x04" + ends[1] + b"\0")
    if ":" in Raw.ours:
        return ip6(socket.IPPROTO_TCP, *ends, tcp, Raw.label)
    return ip4(socket.IPPROTO_TCP, *ends, tcp)


SO_TXTIME = 61
TCP_REPAIR = 19  # linux/tcp.h; a socket that is closed so sends nothing, and one after it a probe


class Raw:
    """The TCP made here: its wire, its connection, the server's end of that, and those of earlier ones."""
    wire = server = None
    kept = []
    ours, to = OURS, SERVER
    head = options = b""
    sport, label = 20000, 0


def raw_on(router_mac, client_mac, family="4"):
    Raw.ours, Raw.to = (OURS6, SERVER6) if family == "6" else (OURS, SERVER)
    kind = 0x86dd if family == "6" else 0x0800
    Raw.wire = a_socket("client", socket.AF_PACKET, socket.SOCK_RAW, socket.htons(kind))
    Raw.wire.bind(("eth0", kind))
    Raw.wire.settimeout(20)
    mac = [bytes.fromhex(m.replace(":", "")) for m in (router_mac, client_mac)]
    Raw.head = mac[0] + mac[1] + struct.pack("!H", kind)
    return "on"


def raw_label(label):
    """The flow label of all that is sent from now on."""
    Raw.label = int(label)
    return "set"


def raw_crowd(segments, size):
    """Segments of no connection, to another port, with the flow label that is set."""
    for _ in range(int(segments)):
        Raw.wire.send(Raw.head + packet(Raw.sport, 9, 1, 1, ACK, bytes(int(size))))
    return "sent"


def raw_send(seq, flags, payload=b"", **ends):
    # On one processor, or a segment could overtake the one before.
    os.sched_setaffinity(0, {0})
    Raw.wire.send(Raw.head + packet(Raw.sport, Raw.port, seq, Raw.next, flags, payload,
                                    options=Raw.options, **ends))
    Raw.options = b""


def time_by(end, clock):
    """What this socket sends has a time of departure by that clock."""
    end.setsockopt(socket.SOL_SOCKET, SO_TXTIME, struct.pack("iI", clock, 0))


def send_timed(end, what, when, *to):
    end.sendmsg([what], [(socket.SOL_SOCKET, SO_TXTIME, struct.pack("q", when))], 0, *to)


def send_at(seconds, frames, clock="monotonic"):
    """The sender wants them to be sent so many seconds from now, or at that second after boot if it is
    "=SECONDS". He may say of any clock that the time is by it."""
    clocks = {"monotonic": time.CLOCK_MONOTONIC, "tai": time.CLOCK_TAI}
    time_by(Raw.wire, clocks[clock])
    now = 0 if seconds[0] == "=" else time.clock_gettime_ns(time.CLOCK_MONOTONIC)
    when = now + int(float(seconds.lstrip("=")) * 10 ** 9)
    for frame in frames:
        send_timed(Raw.wire, Raw.head + frame, when)
    return "sent"


def raw_later(seconds, clock, text):
    """Octets from the beginning on, to be sent at that time."""
    return send_at(seconds, [packet(Raw.sport, Raw.port, Raw.isn + 1, Raw.next, ACK, octets(text))], clock)


def raw_datagrams(seconds, count):
    """Datagrams from so many ports, to be sent at that time."""
    ends = [socket.inet_aton(address) for address in (OURS, SERVER)]
    return send_at(seconds, (ip4(socket.IPPROTO_UDP, *ends, struct.pack("!HHHHH", 10000 + n, 9, 10, 0, 0))
                             for n in range(int(count))))


def datagram_at(seconds, ns, address):
    """A datagram that is to be sent so many seconds from now by CLOCK_TAI: does
    it arrive?"""
    with a_socket("server", socket.AF_INET, socket.SOCK_DGRAM) as far, \
            a_socket(ns, socket.AF_INET, socket.SOCK_DGRAM) as near:
        far.bind((address, 9001))
        far.settimeout(5)
        time_by(near, time.CLOCK_TAI)
        when = time.clock_gettime_ns(time.CLOCK_TAI) + int(float(seconds) * 10 ** 9)
        send_timed(near, b"text", when, (address, 9001))
        try:
            return far.recv(9).decode()
        except TimeoutError:
            return "nothing"


def raw_options(text):
    """Of the next segment alone; four octets, or a multiple of that."""
    Raw.options = octets(text)
    return "set"


def tcp_of(ip):
    """The segment in a packet, if it is one to us; answers have no extension headers."""
    protocol, to, length = (ip[6], ip[24:40], 40) if ip[0] >> 4 == 6 else (ip[9], ip[16:20], (ip[0] & 15) * 4)
    ours = socket.inet_pton(family_of(Raw.ours), Raw.ours)
    return ip[length:] if (protocol, to) == (socket.IPPROTO_TCP, ours) else None


def raw_answer(flags):
    """The next packet from the server with these flags: its seq and ack."""
    while True:
        tcp = tcp_of(Raw.wire.recv(1 << 16)[14:])
        if not tcp:
            continue
        sport, dport, seq, ack = struct.unpack_from("!HHII", tcp)
        # A SYN-ACK may come again.
        if (sport, dport) == (Raw.port, Raw.sport) and tcp[13] & (flags | SYN) == flags:
            # The window is not scaled, for our SYN did not offer that.
            Raw.edge = ack + struct.unpack_from("!H", tcp, 14)[0]
            return seq, ack


def raw_open(port, isn, *others):
    """A handshake; SYNs with other numbers follow the first, before or after that is answered."""
    Raw.sport += 1
    return raw_open_again(port, isn, *others)


def raw_more(port, isn):
    """Another connection; those before it stay, for one that is ended is soon forgotten."""
    kept = Raw.kept + ([Raw.server] if Raw.server else [])
    Raw.server, Raw.kept = None, []
    answer = raw_open(port, isn)
    Raw.kept = kept
    return answer


def raw_open_again(port, isn, *others):
    """The same, from the port that the last one was from."""
    hang_up()
    Raw.port, Raw.isn, Raw.next = int(port), int(isn), 0
    with listener("server", Raw.to, Raw.port) as door:
        raw_send(Raw.isn, SYN)
        for other in others:
            raw_send(Raw.isn + int(other), SYN)
        seq, ack = raw_answer(SYN | ACK)
        Raw.next = seq + 1
        raw_send(ack, ACK)
        Raw.server, _ = door.accept()
    if not others:
        # The server probes the window, and so acknowledges the beginning: what is beside that passes now.
        for repair in 1, 0:
            Raw.server.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, repair)
        Raw.server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        raw_answer(ACK)
    # Urgent data that is let through is read like the rest.
    Raw.server.setsockopt(socket.SOL_SOCKET, socket.SO_OOBINLINE, 1)
    return "connected" if ack == (Raw.isn + 1) & 0xffffffff else f"acknowledged {ack}"


def raw_half(port, isn):
    """Half a handshake: the answer to the SYN is not acknowledged."""
    hang_up()
    Raw.sport, Raw.port, Raw.isn, Raw.next = Raw.sport + 1, int(port), int(isn), 0
    Raw.door = listener("server", SERVER, Raw.port)
    raw_send(Raw.isn, SYN)
    seq, ack = raw_answer(SYN | ACK)
    Raw.next = seq + 1
    return f"acknowledged {ack - Raw.isn - 1}"


def raw_accept():
    """Does the server accept that connection within a second?"""
    with Raw.door:
        Raw.door.settimeout(1)
        try:
            Raw.server, _ = Raw.door.accept()
        except TimeoutError:
            return "nothing"
        finally:
            Raw.door.close()
    return "accepted"


def raw_put(*segments):
    """Each is OFFSET:OCTETS, or OFFSET:FLAG:OCTETS with fin, rst, urg or, for its checksum, spoilt."""
    return put_from(Raw.isn + 1, segments)


def put_from(first, segments):
    names = {"fin": FIN, "rst": RST, "urg": URG, "spoilt": 0}
    for segment in segments:
        offset, _, text = segment.partition(":")
        flag, _, rest = text.partition(":")
        raw_send(first + int(offset), ACK | PSH | names.get(flag, 0),
                 octets(rest if flag in names else text), spoilt=flag == "spoilt")
    return "sent"


def raw_stray(port, text):
    """A segment of no connection, with a wrong checksum."""
    hang_up()
    Raw.sport, Raw.port, Raw.isn, Raw.next = Raw.sport + 1, int(port), 1000, 1
    return raw_put(f"0:spoilt:{text}")


def raw_say(*segments):
    """Each is FLAGS@OFFSET:OCTETS, flags by their first letters, and X for a wrong checksum:
    no ACK but where it is said."""
    bits = {"F": FIN, "S": SYN, "R": RST, "P": PSH, "A": ACK, "U": URG, "X": 0}
    for segment in segments:
        flags, _, rest = segment.partition("@")
        offset, _, text = rest.partition(":")
        raw_send(Raw.isn + 1 + int(offset), sum(bits[f] for f in flags), octets(text),
                 spoilt="X" in flags)
    return "sent"


def raw_fast(port, isn, text):
    """A SYN with octets, for a server that takes them (RFC 7413), and its first answer, if any."""
    hang_up()
    Raw.sport, Raw.port, Raw.isn, Raw.next = Raw.sport + 1, int(port), int(isn), 0
    with listener("server", SERVER, Raw.port) as door:
        raw_send(Raw.isn, SYN, octets(text))
        try:
            seq, ack = raw_answer(SYN | ACK)
        except TimeoutError:
            return "no answer"
        Raw.next = seq + 1
        Raw.server, _ = door.accept()
    return f"acknowledged {ack - Raw.isn - 1}"


def raw_given_up(text):
    """The server gives up the connection of raw_fast(), for its SYN-ACK was never acknowledged, and
    tells nobody. The same SYN comes with other octets: what does the server read by it?"""
    Raw.server.settimeout(60)
    try:
        while Raw.server.recv(1 << 16):
            pass
        return "closed"
    except TimeoutError as err:
        if err.errno != errno.ETIMEDOUT:
            return "not given up"
    hang_up()
    with listener("server", SERVER, Raw.port) as door:
        raw_send(Raw.isn, SYN, octets(text))
        return next_read(door)


def next_read(door):
    """The server's next connection, if there is one within two seconds: what is read by it?"""
    door.settimeout(2)
    try:
        Raw.server, _ = door.accept()
    except TimeoutError:
        return "nothing"
    return read_of(Raw.server, 1)


def raw_forgotten(text, other):
    """The server reads the text, and forgets the connection without a word. A SYN ahead begins
    another one; before the SYN-ACK comes, there is another segment. What does it read of the other
    text?"""
    raw_send(Raw.isn + 1, ACK | PSH, octets(text))
    raw_read(len(octets(text)))
    Raw.server.setsockopt(socket.IPPROTO_TCP, TCP_REPAIR, 1)
    hang_up()
    Raw.isn += 1000
    with listener("server", SERVER, Raw.port) as door:
        raw_send(Raw.isn, SYN)
        raw_send(Raw.isn + 1, ACK)
        Raw.next = raw_answer(SYN | ACK)[0] + 1
        raw_send(Raw.isn + 1, ACK)
        raw_send(Raw.isn + 1, ACK | PSH, octets(other))
        return next_read(door)


def raw_guess(port, isn, ahead, text, believes=""):
    """A SYN, and instead of the acknowledgment that is due, that of a SYN with a number that much
    higher, as a cookie tells it; then a text from the beginning, with the acknowledgment that is due,
    or with the other where the sender "believes" in it. What does the server read?"""
    hang_up()
    Raw.sport, Raw.port, Raw.isn, Raw.next = Raw.sport + 1, int(port), int(isn), 0
    with listener("server", SERVER, Raw.port) as door:
        raw_send(Raw.isn, SYN)
        seq, ack = raw_answer(SYN | ACK)
        Raw.next = seq + 1 + int(ahead)
        raw_send(ack + int(ahead), ACK)
        if not believes:
            Raw.next = seq + 1
        raw_put("0:" + text)
        return next_read(door)


def raw_beside(port, isn, mss, ahead, text, alone=""):
    """A SYN with that MSS, or without one, and a text that begins so many octets ahead of where the
    stream does; or, if "alone", an acknowledgment alone there and the text from the beginning. What
    does the server read?"""
    hang_up()
    Raw.sport, Raw.port, Raw.isn, Raw.next = Raw.sport + 1, int(port), int(isn), 0
    with listener("server", SERVER, Raw.port) as door:
        if int(mss):
            Raw.options = struct.pack("!BBH", 2, 4, int(mss))
        raw_send(Raw.isn, SYN)
        seq, ack = raw_answer(SYN | ACK)
        Raw.next = seq + 1
        if alone:
            raw_send(ack + int(ahead), ACK)
            ahead = 0
        raw_put(f"{ahead}:{text}")
        return next_read(door)


def raw_close_narrow(first, seq):
    """The server has said something, and closes a connection with an octet unread. It has been told
    that there is no room for what it has said; an acknowledgment of that has a wrong checksum."""
    said = 3000
    first.sendall(b"z" * said)
    raw_answer(ACK | PSH)
    raw_send(seq, ACK | PSH, b"x", window=0)
    Raw.next += said
    raw_send(seq + 1, ACK, spoilt=True)
    Raw.next -= said
    first.recv(1, socket.MSG_PEEK)
    first.close()
    raw_answer(RST)


def raw_replay(port, isn, text, other, end="reset"):
    """A connection with a text, which a reset ends, or a FIN of each side; then the acknowledgment of
    its SYN-ACK once more, with another text. What does the server read by that? A "false-reset"
    acknowledges what the server has not sent, and a "routed-reset" has a source route: it takes
    either, and connection tracking does not. A "narrow-reset" is the server's, before what the client
    seems to have acknowledged."""
    hang_up()
    Raw.sport, Raw.port, Raw.isn, Raw.next = Raw.sport + 1, int(port), int(isn), 0
    with listener("server", SERVER, Raw.port) as door:
        raw_send(Raw.isn, SYN)
        cookie, ack = raw_answer(SYN | ACK)
        Raw.next = cookie + 1
        raw_put("0:" + text)
        first, _ = door.accept()
        size = len(octets(text))
        while len(first.recv(size, socket.MSG_PEEK)) < size:
            time.sleep(0.01)
        if end == "narrow-reset":
            first.recv(size)
            raw_close_narrow(first, ack + size)
            raw_put("0:" + other)
            return next_read(door)
        if end in ("reset", "routed-reset"):
            raw_send(ack + size, RST, routed=end == "routed-reset")
        elif end == "false-reset":
            Raw.next += 1000000
            raw_send(ack + size, RST | ACK)
            Raw.next -= 1000000
        else:
            raw_send(ack + size, FIN | ACK)
        first.recv(size)
        first.settimeout(5)
        try:
            first.recv(1)
        except (ConnectionResetError, TimeoutError):
            pass
        first.close()
        if end == "fin":
            seq, _ = raw_answer(FIN | ACK)
            Raw.next = seq + 1
            raw_send(ack + size + 1, ACK)
            Raw.next = cookie + 1
        raw_put("0:" + other)
        return next_read(door)


def raw_false_blocks():
    """For the next segment: its sender says that it has received what the server has not sent. The
    server takes the segment, and connection tracking does not. For a connection whose SYN had the
    option of SACK."""
    blocks = [(Raw.next + n) & 0xffffffff for n in (500000, 600000)]
    Raw.options = b"\x01\x01\x05\x0a" + struct.pack("!II", *blocks)
    return "set"


def raw_false_end(offset):
    """A FIN of that kind."""
    raw_false_blocks()
    raw_send(Raw.isn + 1 + int(offset), FIN | ACK)
    return "sent"


def raw_called(isn, again=False):
    """The other way round: the kernel calls the TCP made here; "again", from the same port."""
    hang_up()
    Raw.server = a_socket("server", socket.AF_INET, socket.SOCK_STREAM)
    Raw.server.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    Raw.server.bind((SERVER, Raw.port if again else 0))
    Raw.server.setblocking(False)
    Raw.sport += not again
    Raw.port, Raw.isn = Raw.server.getsockname()[1], int(isn)
    Raw.server.connect_ex((OURS, Raw.sport))
    Raw.next = raw_answer(SYN)[0] + 1
    return "called"


def raw_serve(isn, *again):
    raw_called(isn, again)
    raw_send(Raw.isn, SYN | ACK)
    raw_answer(ACK)
    return "connected"


def raw_tell(text):
    Raw.server.sendall(octets(text))
    return "told"


def raw_forge(offset):
    """An acknowledgment as if it were the server's: of all before that offset."""
    with a_socket("server", socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW) as s:
        s.sendto(packet(Raw.port, Raw.sport, Raw.next, Raw.isn + 1 + int(offset), ACK, b"",
                        to=OURS, source=SERVER), (OURS, 0))
    return "sent"


def raw_answered(*flags):
    """The next answer with all of these: which offset does it acknowledge?"""
    names = {"syn": SYN, "ack": ACK}
    return str(raw_answer(sum(names[f] for f in flags))[1] - Raw.isn - 1)


def raw_edge(*segments):
    """As of raw_put(), from where the window of the server ends."""
    return put_from(Raw.edge, segments)


def raw_fill():
    """Text up to there, which the server reads."""
    at = Raw.isn + 1
    while at != Raw.edge:
        size = min(1000, Raw.edge - at)
        raw_send(at, ACK | PSH, b"x" * size)
        Raw.server.recv(size, socket.MSG_WAITALL)
        at += size
    return "filled"


def raw_read(least):
    return read_of(Raw.server, int(least))


def raw_read_end(least):
    """What the server reads; and then "end", if that comes within two seconds."""
    text = raw_read(least)
    Raw.server.settimeout(2)
    try:
        return text + (" end" if Raw.server.recv(1) == b"" else " more")
    except TimeoutError:
        return text


def raw_each(text):
    """A segment for each octet."""
    for at, octet in enumerate(octets(text)):
        raw_send(Raw.isn + 1 + at, ACK | PSH, bytes([octet]))
    return "sent"


def raw_flood(port, count, to, text="text"):
    """The SYNs of that many connections that never come about, with payload or without."""
    for i in range(int(count)):
        if not i % 60000:
            source = f"10.0.1.{100 + i // 60000}"
            one = bytearray(packet(0, int(port), 1, 0, SYN, octets(text), to=to, source=source))
            # The checksum for the source port 0; for another, that port is subtracted.
            total, = struct.unpack_from("!H", one, 36)
        sport = 1024 + i % 60000
        less = total - sport
        struct.pack_into("!H", one, 20, sport)
        struct.pack_into("!H", one, 36, less if less > 0 else less + 0xffff)
        Raw.wire.send(Raw.head + one)
    return "sent"


COMMANDS = {f.__name__: f for f in (whole, slow, dial, attempt, write, answer, caller, read, hang_up, raw_on, raw_open,
                                    raw_open_again, raw_fast, raw_given_up, raw_forgotten, raw_guess, raw_beside, raw_replay, raw_false_end,
                                    raw_false_blocks, raw_stray, raw_fill,
                                    raw_called, raw_serve, raw_tell, raw_forge, raw_half, raw_accept, raw_more,
                                    raw_later, raw_datagrams, datagram_at, raw_label, raw_crowd, raw_options, raw_put, raw_say, raw_edge, raw_read, raw_read_end, raw_answered, raw_each,
                                    raw_flood)}


if __name__ == "__main__":
    serve(COMMANDS)
