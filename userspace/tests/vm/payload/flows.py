#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Connections on the loopback device of a namespace, for flows.t and frontends.t.

    flows.py hold N         tries that many, prints on how many an octet arrives, and keeps
                            them until its standard input ends
    flows.py outlast N      keeps that many connections. For each line of its standard input, sends
                            an octet on each of them and prints on how many it arrives
    flows.py churn N        that many namespaces of users' own, a few at a time, each with
                            rules, connections and a commit that nobody confirms
    flows.py guards N       that many namespaces of root, each with all front ends in use
    flows.py famine N       a connection for whose flow there is no memory; then the N-th
                            allocation fails of those that judge its first octets
    flows.py end            makes connection tracking forget all connections here
"""
import os
import select
import socket
import struct
import subprocess
import sys
import time

from netns import CLONE_NEWNET, CLONE_NEWUSER, close_at_once, loopback_up, unshare

HERE = "127.0.0.1", 9000
HELPED, MATCHED = ("127.0.0.1", 9001), ("127.0.0.1", 9002)
NETLINK_NETFILTER, CTNETLINK_DELETE = 12, 1 << 8 | 2
RULES = """net add output tcp dport 9000 drop stream
net add input tcp sport 9000 direction reply drop
net add input udp dport 9000 ctmark 0x1
"""
NFT_RULES = b"""table inet guard {
    ct helper utf8-only { type "utf8" protocol tcp; }
    chain output {
        type filter hook output priority filter;
        tcp dport 9001 ct helper set "utf8-only"
    }
}
"""
XT_RULES = b"*filter\n-A OUTPUT -p tcp --dport 9002 -m utf8 -j DROP\nCOMMIT\n"
FAMINE = "/sys/module/utf8guard_famine/parameters/"


def listener(backlog=1024, here=HERE):
    s = socket.create_server(here, backlog=backlog)
    s.settimeout(60)
    return s


def hold(n):
    with listener() as door:
        clients = [socket.create_connection(HERE) for _ in range(int(n))]
        servers = [door.accept()[0] for _ in clients]
        for s in clients:
            close_at_once(s)
            s.send(b"a")
        print(arrived(servers), flush=True)
        sys.stdin.read()


def outlast(n):
    with listener() as door:
        pairs = [pair(door) for _ in range(int(n))]
        for _ in sys.stdin:
            for client, _ in pairs:
                client.send(b"a")
            print(arrived([server for _, server in pairs]), flush=True)
            for _, server in pairs:
                server.setblocking(False)
                try:
                    server.recv(100)
                except BlockingIOError:
                    pass


def arrived(servers):
    """How many have an octet: it waits for all of them, or until ten looks find no more. Looks are
    counted, and not time, for the machine may be held up."""
    came, still, end = 0, 0, time.monotonic() + 20
    # Not select(), which takes no descriptor beyond 1,023.
    poll = select.poll()
    for s in servers:
        poll.register(s, select.POLLIN)
    while came < len(servers) and time.monotonic() < end and (not came or still < 10):
        time.sleep(0.05)
        before, came = came, len(poll.poll(0))
        still = still + 1 if came == before else 0
    return came


def own_namespaces():
    """Namespaces of users and of the network, as root of both, as any user may have them."""
    ids = os.geteuid(), os.getegid()
    unshare(CLONE_NEWUSER | CLONE_NEWNET)
    for name, text in (("setgroups", "deny"), ("uid_map", f"0 {ids[0]} 1"),
                       ("gid_map", f"0 {ids[1]} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as f:
            f.write(text)
    loopback_up()


def pair(door):
    client = socket.create_connection(door.getsockname())
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    close_at_once(client)
    client.settimeout(60)
    return client, door.accept()[0]


def text_arrives(client, server):
    """Half of a character, then the other; then one that is none."""
    client.send(b"na\xc3")
    client.send(b"\xafve\xe0")
    got = b""
    while len(got) < 7:
        got += server.recv(100)
    client.send(b"\x80\xaf")
    return got == b"na\xc3\xafve\xe0" and not select.select([server], [], [], 0)[0]


def inhabit():
    own_namespaces()
    tool = [os.environ["UTF8GUARD"], "load"]
    subprocess.run(tool + ["-"], input=RULES.encode(), check=True)
    # A commit on trial, which nobody confirms.
    subprocess.run(tool + ["--confirm", "600", "-"], check=True, stdout=subprocess.DEVNULL,
                   input=b"net add input udp dport 1 drop\n")
    with listener() as door:
        pairs = [pair(door) for _ in range(3)]
        return all(text_arrives(*one) for one in pairs)


def churn(n):
    good = at_once = 0
    for i in range(int(n)):
        if at_once == 4:
            good += os.wait()[1] == 0
            at_once -= 1
        at_once += 1
        if not os.fork():
            try:
                os._exit(0 if inhabit() else 1)
            except Exception as e:
                print(e, file=sys.stderr)
                os._exit(2)
    print(good + sum(os.wait()[1] == 0 for _ in range(at_once)))


def bad_is_dropped(client, server):
    client.send(b"good")
    good = server.recv(100) == b"good"
    client.send(b"\xc0\xaf")
    return good and not select.select([server], [], [], 0)[0]


def guard():
    unshare(CLONE_NEWNET)
    loopback_up()
    subprocess.run(["nft", "-f", "-"], input=NFT_RULES, check=True)
    subprocess.run(["iptables-legacy-restore", "-w"], input=XT_RULES, check=True)
    subprocess.run([os.environ["UTF8GUARD"], "load", "-"], input=RULES.encode(), check=True)
    with listener() as one, listener(here=HELPED) as two, listener(here=MATCHED) as three:
        ends = pair(one), pair(two), pair(three)
        good = text_arrives(*ends[0]) and bad_is_dropped(*ends[1]) and bad_is_dropped(*ends[2])
        os._exit(not good)


def guards(n):
    """They go with their processes, and all that is in them with them."""
    for _ in range(int(n)):
        if not os.fork():
            try:
                guard()
            except Exception as e:
                print(e, file=sys.stderr)
                os._exit(2)
    print(sum(os.wait()[1] == 0 for _ in range(int(n))))


def starve(n):
    """The n-th allocation from now on fails; 0 for none."""
    for name, value in ("pid", os.getpid()), ("countdown", n):
        with open(FAMINE + name, "w", encoding="ascii") as f:
            f.write(str(value))


def ate():
    with open(FAMINE + "countdown", encoding="ascii") as f:
        left = int(f.read())
    starve(0)
    return not left


def famine(n):
    """Prints whether each allocation failed, whether the octets arrived, and whether the stream was
    judged in the end."""
    answer = []
    with listener() as door:
        starve(1)
        client, server = pair(door)
        answer.append(ate())
        starve(n)
        client.send(b"one ")
        answer.append(ate())
        answer.append(server.recv(100) == b"one ")
        answer.append(text_arrives(client, server))
    print(*answer)


def end():
    with socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_NETFILTER) as s:
        s.send(struct.pack("IHHIIBBH", 20, CTNETLINK_DELETE, 5, 1, 0, 0, 0, 0))
        print(struct.unpack_from("i", s.recv(1 << 16), 16)[0])


globals()[sys.argv[1]](*sys.argv[2:])
