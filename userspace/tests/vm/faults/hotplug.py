#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Takes a processor away and brings it back, while there is traffic: hotplug.py TIMES DIRECTORY

Prints NAME, what came and what was wanted, by tabs; "done" in the end.
"""
import errno
import os
import random
import socket
import sys
import time

from traffic import BAD, UDP_PORT, Traffic, counts

CPU = "/sys/devices/system/cpu/cpu1/online"
times, directory = int(sys.argv[1]), sys.argv[2].encode()


def turn(on):
    with open(CPU, "w", encoding="ascii") as f:
        f.write(str(on))


def refused(s):
    """On each processor that is there, sends a bad packet and makes a bad name; how many were refused?"""
    found = 0
    for cpu in sorted(os.sched_getaffinity(0)):
        try:
            os.sched_setaffinity(0, {cpu})
        except OSError:
            continue    # it has gone
        try:
            s.sendto(BAD, ("127.0.0.1", UDP_PORT))
        except PermissionError:
            found += 1
        try:
            os.mkdir(directory + b"/\xfe")
        except OSError as error:
            found += error.errno == errno.EILSEQ
        os.sched_setaffinity(0, {0, 1})
    return found


def main():
    odds, wrong, shrunk, last = random.Random(1), 0, 0, [0, 0]
    with Traffic(sys.argv[2]) as traffic, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        for _ in range(times):
            for on, wanted in (0, 2), (1, 4):
                turn(on)
                wrong += refused(s) != wanted
                now = counts()
                shrunk += any(a < b for a, b in zip(now, last))
                last = now
                time.sleep(odds.choice((0, 0.01, 0.1)))
        print(f"bad ones are refused, with one processor and with two\t{wrong}\t0")
        print(f"counters do not forget\t{shrunk}\t0")
        print(f"all go on meanwhile\t{traffic.ended()}\t[]")
        print(f"and each has done something\t{all(traffic.count())}\tTrue")
        print(f"# {times} times; meanwhile, by process: {traffic.count()}; counted: {last}")
    before = counts()
    sent = 0
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        for _ in range(20):
            turn(0)
            sent += refused(s) // 2
            turn(1)
            sent += refused(s) // 2
    # What was refused was counted once, whichever processor did it and has gone since.
    print(f"each is counted\t{[a - b for a, b in zip(counts(), before)]}\t{[sent, sent]}")
    print("done\t\t")


main()
