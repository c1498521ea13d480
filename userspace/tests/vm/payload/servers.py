#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Clients that send what no usual client would, for servers_*.t.

Speaks as streams.py does. A request is a word, or several that are sent as a segment
each; "N*WORD" is that word so many times, and "?" waits for one answer more.
"""
import fcntl
import itertools
import json
import re
import select
import socket
import struct
import subprocess
import termios
import threading
import time

from netns import inside
from segment import ACK, FIN, PSH, RST, SYN
from serving import serve
from streams import SERVER, Raw, a_socket, octets, raw_answer, raw_on, raw_put, raw_send

ODD = ("refused", "audited", "unreadable", "unfollowed", "binary", "split", "differs", "full",
       "window", "urgent", "resync", "untracked", "ahead", "early", "picked-up")


counted = {}


def tally():
    """What the router's rules have counted since the last time, but for packets and octets."""
    said = inside("router", lambda: subprocess.run(["utf8guard", "net", "-s", "-j"],
                                                   capture_output=True, check=True))
    rules, now = json.loads(said.stdout)["rules"], {}
    for rule in rules:
        for name in ODD:
            now[rule["handle"], name] = rule.get(name, 0)
        for count in rule.get("count", ()):
            now[rule["handle"], count["class"]] = count["refused"] + count["audited"]
    total = {}
    for (handle, name), n in now.items():
        total[name] = total.get(name, 0) + n - counted.get((handle, name), 0)
    counted.update(now)
    return " ".join(f"{name} {n}" for name, n in total.items() if n) or "nothing"


def pieces(words):
    for word in words:
        count, star, rest = word.partition("*")
        yield int(count) * octets(rest) if star and count.isdigit() else octets(word)


own_ports = itertools.count(10000)


def dial(port):
    """From a port that nothing else takes. If a reset ends a connection for this end alone, the
    server learns that, and logs it, when another one begins at the same port."""
    s = a_socket("client", socket.AF_INET, socket.SOCK_STREAM)
    s.bind(("", next(own_ports)))
    s.settimeout(60)
    s.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    s.connect((SERVER, int(port)))
    return s


def is_open(s):
    poll = select.poll()
    poll.register(s, select.POLLERR)
    return not poll.poll(0)


def put(s, segments):
    """Each is acknowledged before the next one, or it would become part of that."""
    for segment in segments:
        end = time.monotonic() + 60
        while is_open(s) and struct.unpack("i", fcntl.ioctl(s, termios.TIOCOUTQ, bytes(4)))[0]:
            if time.monotonic() > end:
                raise TimeoutError("not acknowledged")
            time.sleep(0.002)
        s.sendall(segment)


def read_all(s):
    """Up to the end, and whether that was a reset."""
    data = bytearray()
    try:
        while more := s.recv(1 << 16):
            data += more
    except ConnectionResetError:
        return data, "reset"
    except TimeoutError:
        return data, "no end"
    return data, ""


def statuses(data):
    return re.findall(rb"HTTP/1\.[01] (\d{3})", data)


def http(port, *words):
    """The status of each response, and how it ended if not well."""
    data, end = bytearray(), ""
    with dial(port) as s:
        try:
            for word in words:
                if word == "?":
                    before = len(statuses(data))
                    while len(statuses(data)) == before and (more := s.recv(1 << 16)):
                        data += more
                else:
                    put(s, pieces([word]))
        except (ConnectionResetError, BrokenPipeError):
            end = "reset"
        else:
            more, end = read_all(s)
            data += more
    return " ".join([code.decode() for code in statuses(data)] + [end] * bool(end)) or "closed"


def outcomes(port, cuts):
    """How often each outcome comes, of the same octets cut in different ways."""
    seen = {}
    for cut in cuts:
        result = http(port, *cut)
        seen[result] = seen.get(result, 0) + 1
    return ", ".join(f"{n} {what}" for what, n in sorted(seen.items()))


def escaped(text):
    return "".join(f"\\x{o:02x}" for o in text)


def in_two(port, head, line, rest):
    """A line cut at each octet: HEAD, if any, is a request before it, REST is after it."""
    before = (head, "?") if head else ()
    line, rest = octets(line), octets(rest)
    return outcomes(port, (before + (escaped(line[:i]), escaped(line[i:] + rest))
                           for i in range(1, len(line))))


def in_three(port, line, rest):
    """The same with an octet alone in the middle."""
    line, rest = octets(line), octets(rest)
    return outcomes(port, ((escaped(line[:i]), escaped(line[i:i + 1]),
                            escaped(line[i + 1:] + rest)) for i in range(1, len(line))))


def raw_dial(port):
    """A connection of the TCP made here with a server that is there already."""
    Raw.sport, Raw.port, Raw.isn, Raw.next = Raw.sport + 1, int(port), 1000, 0
    raw_send(Raw.isn, SYN)
    seq, ack = raw_answer(SYN | ACK)
    Raw.next = seq + 1
    raw_send(ack, ACK)
    return "connected"


def raw_ends(flag):
    """Waits for a segment with that flag, of the server or of whoever speaks for it."""
    flags = {"fin": FIN, "rst": RST, "psh": PSH}
    raw_answer(flags[flag])
    return flag


class Echo:
    """Behind the proxy: agrees to any upgrade, and sends back what comes then."""
    door = None

    @classmethod
    def start(cls, port):
        cls.door = a_socket("server", socket.AF_INET, socket.SOCK_STREAM)
        cls.door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        cls.door.bind(("127.0.0.1", int(port)))
        cls.door.listen(8)
        threading.Thread(target=cls.accept, daemon=True).start()
        return "on"

    @classmethod
    def accept(cls):
        while True:
            s, _ = cls.door.accept()
            with s:
                request = b""
                while b"\r\n\r\n" not in request:
                    request += s.recv(4096)
                s.sendall(b"HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\n"
                          b"Upgrade: websocket\r\n\r\n")
                while data := s.recv(4096):
                    s.sendall(data)


def upgrade(port, target, frame):
    """What comes back of a frame after an upgrade."""
    with dial(port) as s:
        put(s, [b"GET " + octets(target) + b" HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\n"
                b"Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
                b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"])
        answer = s.recv(4096)
        if b" 101 " not in answer:
            return answer[9:12].decode()
        try:
            put(s, [octets(frame)])
            return "101 " + escaped(s.recv(4096))
        except ConnectionResetError:
            return "101 reset"


def smtp(*steps):
    """Each step is sent after the reply to the one before; replies by their codes.

    "@N WORDS" expects N replies to one step, for pipelining.
    """
    codes = []
    with dial(25) as s:
        try:
            codes += replies(s, 1)
            for step in steps:
                count, at, rest = step.partition(" ")
                many = int(count[1:]) if at and re.fullmatch(r"@\d+", count) else None
                put(s, pieces([rest if many is not None else step]))
                codes += replies(s, 1 if many is None else many)
        except ConnectionResetError:
            codes.append("reset")
    return " ".join(codes)


def replies(s, n):
    """The codes of that many replies, each of one line or several."""
    codes = []
    while len(codes) < n:
        line = b""
        while not line.endswith(b"\n"):
            octet = s.recv(1)
            if not octet:
                return codes + ["closed"]
            line += octet
        if line[3:4] != b"-":
            codes.append(line[:3].decode())
    return codes


def dns_name(text):
    """Labels of any octets, separated by dots."""
    return b"".join(bytes([len(label)]) + label for label in octets(text).split(b".") if label) \
        + b"\0"


def dns_query(text, kind=1):
    """A query for that name; or the message itself, after "="."""
    if text.startswith("="):
        return octets(text[1:])
    return struct.pack("!HHHHHH", 7, 0x100, 1, 0, 0, 0) + dns_name(text) + \
        struct.pack("!HH", int(kind), 1)


def code_of(answer):
    names = {0: "NOERROR", 1: "FORMERR", 3: "NXDOMAIN", 5: "REFUSED"}
    return names.get(answer[3] & 15, str(answer[3] & 15))


def dns_udp(*messages):
    """The code of the answer to each; the next one is sent after the answer."""
    codes = []
    for message in messages:
        with a_socket("client", socket.AF_INET, socket.SOCK_DGRAM) as s:
            s.settimeout(20)
            s.connect((SERVER, 53))
            try:
                s.send(dns_query(message))
                codes.append(code_of(s.recv(65535)))
            except TimeoutError:
                codes.append("nothing")
            except ConnectionRefusedError:
                codes.append("refused")
    return " ".join(codes)


def dns_tcp(*messages):
    """All of them in one connection, one after the answer to the other."""
    codes = []
    with dial(53) as s:
        try:
            for message in messages:
                message = dns_query(message)
                put(s, [struct.pack("!H", len(message)) + message])
                size = s.recv(2)
                if not size:
                    return " ".join(codes + ["closed"])
                codes.append(code_of(s.recv(struct.unpack("!H", size)[0])))
        except ConnectionResetError:
            codes.append("reset")
        except TimeoutError:
            codes.append("nothing")
    return " ".join(codes)


read_so_far = {}


def log(path):
    """The lines of a server's log since it was asked the last time."""
    try:
        with open(path, encoding="utf-8", errors="backslashreplace") as f:
            f.seek(read_so_far.get(path, 0))
            lines = f.read()
            read_so_far[path] = f.tell()
    except FileNotFoundError:
        return "nothing"
    return "; ".join(lines.splitlines()) or "nothing"


def start_echo(port):
    return Echo.start(port)


if __name__ == "__main__":
    serve({f.__name__: f for f in (tally, http, in_two, in_three, raw_on, raw_put, raw_dial,
                                   raw_ends, upgrade, start_echo, smtp, dns_udp, dns_tcp, log)})
