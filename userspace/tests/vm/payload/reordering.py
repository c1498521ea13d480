#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""How fast streams are where the network reorders and loses, for reordering.t.

    reordering.py SIZE ROUNDS PORT:KIND...

In each round, that many octets of its kind of text go to each port of the server, one port
after the other. Prints a line for each port: the median of its seconds, the median of their
ratio to the seconds of the first port in the same round, how many segments were sent again
in all rounds, how often after a time-out, and whether all arrived.
"""
import select
import statistics
import sys
import time

from netns import family_of, inside
from streams import SAMPLES, a_socket, listener, socket

SERVER, PATIENCE = "10.0.2.1", 60


def seconds(port, text):
    """How long the text takes to arrive; None if it does not."""
    with listener("server", SERVER, port) as door:
        sender = a_socket("client", family_of(SERVER), socket.SOCK_STREAM)
        sender.settimeout(20)
        sender.connect((SERVER, port))
        receiver, _ = door.accept()
    with sender, receiver:
        sender.setblocking(False)
        begin, sent, received = time.monotonic(), 0, bytearray()
        while time.monotonic() < begin + PATIENCE:
            read, write, _ = select.select([receiver], [sender] if sent < len(text) else [], [], 1)
            if write:
                sent += sender.send(text[sent:sent + 65536])
                if sent == len(text):
                    sender.shutdown(socket.SHUT_WR)
            data = receiver.recv(1 << 17) if read else None
            received += data or b""
            if data == b"":
                return time.monotonic() - begin if received == text else None
    return None


def read(name):
    with open("/proc/net/" + name, encoding="ascii") as file:
        return file.read()


def again():
    """The client's counters of segments sent again, and of time-outs."""
    text = inside("client", lambda: read("snmp") + read("netstat"))
    rows, values = [line.split() for line in text.splitlines()], {}
    for names, numbers in zip(rows[::2], rows[1::2]):
        values |= zip((names[0] + name for name in names[1:]), numbers[1:])
    return [int(values[name]) for name in ("Tcp:RetransSegs", "TcpExt:TCPTimeouts")]


def main(size, rounds, *ports):
    size, times = int(size), {port: [] for port in ports}
    resent = {port: [0, 0] for port in ports}
    texts = {}
    for port in ports:
        one = (b"abcdefghijklmnopqrstuvwxyz 0123456789\r\n" if port.endswith("ascii")
               else SAMPLES[port.split(":")[1]])
        texts[port] = one * (size // len(one))
    for _ in range(int(rounds)):
        for port in ports:
            before = again()
            times[port].append(seconds(int(port.split(":")[0]), texts[port]))
            resent[port] = [n + b - a for n, a, b in zip(resent[port], before, again())]
    for port in ports:
        took = [t or PATIENCE for t in times[port]]
        ratio = statistics.median(a / b for a, b in zip(took, (t or PATIENCE for t in times[ports[0]])))
        print(port, f"{statistics.median(took):.3f}", f"{ratio:.2f}", *resent[port],
              "whole" if None not in times[port] else "stuck", flush=True)


main(*sys.argv[1:])
