#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Loads and unloads all modules while names are made and packets sent: reloads.py TIMES [DIRECTORY]

Each time, a bad packet and a bad name must be refused while there are rules. Prints NAME, what
came and what was wanted, by tabs; "done" in the end.
"""
import ctypes
import errno
import os
import random
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
from genetlink import FS, NF, Family  # noqa: E402
from traffic import BAD, TCP_PORT, UDP_PORT, Traffic  # noqa: E402

INIT, DELETE = 313, 176     # finit_module, delete_module, of x86-64
MODULES = os.environ["UTF8GUARD_MODULES"]
libc = ctypes.CDLL(None, use_errno=True)
times, directory = int(sys.argv[1]), (sys.argv[2:] or [None])[0]
ORDER = ["utf8guard"] + ["utf8guard_fs"] * bool(directory) + ["utf8guard_nf", "xt_utf8", "nf_conntrack_utf8"]
NFT = b"""table inet guard {
    ct helper utf8-only { type "utf8" protocol tcp; }
    chain output { type filter hook output priority filter; tcp dport 7001 ct helper set "utf8-only"; }
}
"""


def call(*words):
    return errno.errorcode[ctypes.get_errno()] if libc.syscall(*words) else "ok"


def insert(name):
    fd = os.open(f"{MODULES}/{name}.ko", os.O_RDONLY)
    try:
        return call(INIT, fd, b"", 0)
    finally:
        os.close(fd)


def delete(name):
    """Tries for 30 seconds, for what refers to the module may end a little later."""
    end, result = time.monotonic() + 30, ""
    while result != "ok" and time.monotonic() < end:
        result = call(DELETE, name.encode(), os.O_NONBLOCK)
        if result != "ok":
            time.sleep(0.005)
    return result


def refuses_name():
    try:
        os.mkdir(directory.encode() + b"/\xfe")
    except OSError as error:
        return error.errno == errno.EILSEQ
    os.rmdir(directory.encode() + b"/\xfe")
    return False


def refuses_packet():
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as s:
        try:
            s.sendto(BAD, ("127.0.0.1", UDP_PORT))
        except PermissionError:
            return True
        except ConnectionRefusedError:
            return False
        return False


def rules():
    nf = Family("utf8guard_nf")
    for hook in "HOOK_OUTPUT", "HOOK_INPUT":
        drop = {"hook": NF[hook], "action": NF["ACTION_DROP"]}
        nf.do("rule-add", protocol=socket.IPPROTO_UDP, dport_min=UDP_PORT, **drop)
        nf.do("rule-add", protocol=socket.IPPROTO_TCP, dport_min=TCP_PORT, stream=NF["STREAM_STRICT"], **drop)
    nf.close()
    if directory:
        fs = Family("utf8guard_fs")
        fs.do("rule-set", handle=1, mode=FS["MODE_ENFORCE"])
        fs.close()


def front_ends(come):
    if come:
        subprocess.run("iptables -A OUTPUT -p udp --dport 7002 -m utf8 -j DROP".split(), check=True)
        subprocess.run(["nft", "-f", "-"], input=NFT, check=True)
        return
    subprocess.run(["iptables", "-F", "OUTPUT"], check=True)
    subprocess.run(["nft", "delete", "table", "inet", "guard"], check=True)


def main():
    odds, wrong, missed = random.Random(times), {}, 0
    with Traffic(directory) as traffic:
        for n in range(times):
            results = [(name, insert(name)) for name in ORDER]
            rules()
            missed += not refuses_packet()
            if directory:
                missed += not refuses_name()
            if n % 10 == 0:
                front_ends(True)
            time.sleep(odds.choice((0, 0, 0.002, 0.02)))
            if n % 10 == 0:
                front_ends(False)
            results += [(name, delete(name)) for name in reversed(ORDER)]
            for result in results:
                if result[1] != "ok":
                    wrong[result] = wrong.get(result, 0) + 1
        print(f"all modules load and unload {times} times\t{wrong or ''}\t")
        print(f"each time they refuse\t{missed}\t0")
        print(f"all go on meanwhile\t{traffic.ended()}\t[]")
        print(f"and each has done something\t{all(traffic.count())}\tTrue")
        print(f"# meanwhile, by process: {traffic.count()}")
    print("done\t\t")


main()
