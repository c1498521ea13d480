#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Datagrams to 127.0.0.1:9000, every other one ill-formed at its end, until standard input ends.

engines_packets.py: prints a line once the first ones were sent; at the end how many well-formed ones
were sent, how many came, and how many came that are not as they were sent.
"""
import select
import socket
import sys

GOOD = ("写真と会議の資料" * 60).encode()[:1398] + b"xx"
BAD = GOOD[:-3] + b"\xf0\x9f\x90"

receiver = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
receiver.bind(("127.0.0.1", 9000))
receiver.settimeout(0.05)
sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
sender.connect(("127.0.0.1", 9000))
sent = came = wrong = 0
started = False
while not started or not select.select([sys.stdin], [], [], 0)[0]:
    for _ in range(20):
        sender.send(GOOD)
        sender.send(BAD)
    sent += 20
    for _ in range(20):
        try:
            octets = receiver.recv(2048)
        except socket.timeout:
            break
        came += 1
        wrong += octets != GOOD
    if not started:
        print("started", flush=True)
        started = True
print(f"sent {sent} came {came} wrong {wrong}")
