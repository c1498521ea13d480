#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Puts the host to sleep, as far as freezing all tasks, while there is traffic: suspend.py TIMES DIRECTORY

Prints NAME, what came and what was wanted, by tabs; "done" in the end.
"""
import errno
import os
import random
import socket
import sys
import time

from traffic import BAD, GOOD, UDP_PORT, Traffic, counts

times, directory = int(sys.argv[1]), sys.argv[2].encode()
STATES = ("mem", "freeze")


def write(name, text):
    with open(f"/sys/power/{name}", "w", encoding="ascii") as f:
        f.write(text)


def judged(s, text):
    """How a packet and a name of that text fare."""
    found = []
    try:
        s.sendto(text, ("127.0.0.1", UDP_PORT))
    except ConnectionRefusedError:
        pass            # of an earlier one, to which nobody listens
    except OSError as error:
        found.append(error.errno)
    try:
        os.mkdir(directory + b"/after-" + text)
        os.rmdir(directory + b"/after-" + text)
    except OSError as error:
        found.append(error.errno)
    return found


def main():
    odds, last = random.Random(1), [0, 0]
    failed = missed = hindered = shrunk = 0
    write("pm_test", "freezer")
    with Traffic(sys.argv[2]) as traffic, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        before = traffic.count()
        for _ in range(times):
            try:
                write("state", odds.choice(STATES))
            except OSError as error:
                print(f"# {error}")
                failed += 1
            missed += judged(s, BAD) != [errno.EPERM, errno.EILSEQ]
            hindered += judged(s, GOOD) != []
            now = counts()
            shrunk += any(a < b for a, b in zip(now, last))
            last = now
            time.sleep(odds.choice((0, 0.01, 0.1)))
        print(f"the host sleeps and wakes up\t{failed}\t0")
        print(f"bad ones are refused after each sleep\t{missed}\t0")
        print(f"good ones are not\t{hindered}\t0")
        print(f"counters do not forget\t{shrunk}\t0")
        print(f"all go on meanwhile\t{traffic.ended()}\t[]")
        print(f"and each has done something\t{all(a < b for a, b in zip(before, traffic.count()))}\tTrue")
        print(f"# {times} times; meanwhile, by process: {traffic.count()}; counted: {last}")
    write("pm_test", "none")
    print("done\t\t")


main()
