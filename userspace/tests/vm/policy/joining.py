#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""A user who is joining the group of the service while that is loaded, again and again: is he a
member after it, and nobody says so? For kernels that cannot choose among the members of a group.
"""
import os
import signal
import socket
import subprocess

from genetlink import NETLINK_ADD_MEMBERSHIP, NETLINK_GENERIC, SOL_NETLINK, Family

NETLINK_DROP_MEMBERSHIP = 2
LOADS = 40
service = os.environ["UTF8GUARD_MODULES"] + "/utf8guard.ko"


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def keep_joining(group, begun):
    """Stays in the group if that is not there when one socket joins it, and is when another does."""
    os.setgroups([])
    os.setresgid(65534, 65534, 65534)
    os.setresuid(65534, 65534, 65534)
    os.nice(19)
    both = [socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC) for _ in range(2)]
    for each in both:
        each.bind((0, 0))
    os.write(begun, b".")
    while True:
        try:
            for each in both:
                each.setsockopt(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, group)
        except PermissionError:
            signal.pause()
        for each in both:
            each.setsockopt(SOL_NETLINK, NETLINK_DROP_MEMBERSHIP, group)


def has_members(group):
    with open("/proc/net/netlink", encoding="ascii") as f:
        sockets = [line.split() for line in f][1:]
    return any(int(s[1]) == NETLINK_GENERIC and int(s[3], 16) >> (group - 1) & 1 for s in sockets)


def unnoticed(group):
    """Whether somebody is a member after a load, and the log does not say so."""
    reader, begun = os.pipe()
    pid = os.fork()
    if not pid:
        keep_joining(group, begun)
    os.read(reader, 1)
    run("dmesg", "--clear")
    run("insmod", service)
    found = has_members(group) and "joined the group" not in run("dmesg")
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    os.close(reader)
    os.close(begun)
    run("rmmod", "utf8guard")
    return found


def main():
    run("insmod", service)
    family = Family("utf8guard")
    group = family.groups[0]
    family.close()
    run("rmmod", "utf8guard")
    print("who was just joining is thrown out", sum(unnoticed(group) for _ in range(LOADS)), 0, sep="\t")
    print("done", "", "", sep="\t")


main()
