#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Accepts all packets of a queue of netfilter (NFQUEUE), as an inspecting program would.

    queue.py NUMBER [SECONDS]   prints "listening" when it is, and then a dot for each packet; it
                                keeps each for so long
"""
import socket
import struct
import sys
import time

NETLINK_NETFILTER, NLM_F_REQUEST, NLM_F_ACK, NLMSG_ERROR = 12, 1, 4, 2
NFNL_SUBSYS_QUEUE = 3 << 8
NFQNL_MSG_PACKET, NFQNL_MSG_VERDICT, NFQNL_MSG_CONFIG = (NFNL_SUBSYS_QUEUE | n for n in range(3))
NFQA_CFG_CMD, NFQA_CFG_PARAMS, NFQNL_CFG_CMD_BIND, NFQNL_COPY_META = 1, 2, 1, 1
NFQA_PACKET_HDR, NFQA_VERDICT_HDR, NF_ACCEPT = 1, 2, 1


def message(kind, flags, number, attribute, value):
    """A message with struct nfgenmsg and one attribute."""
    value += bytes(-len(value) % 4)
    body = struct.pack(">BBH", 0, 0, number) + struct.pack("=HH", len(value) + 4, attribute) + value
    return struct.pack("=IHHII", len(body) + 16, kind, NLM_F_REQUEST | flags, 0, 0) + body


def configure(queue, number, attribute, value):
    queue.send(message(NFQNL_MSG_CONFIG, NLM_F_ACK, number, attribute, value))
    answer = queue.recv(65536)
    kind, error = struct.unpack_from("=4xH10xi", answer)
    if kind != NLMSG_ERROR or error:
        raise OSError(-error, "the queue")


def identity(packet):
    """The octets that name the packet; its header is the first attribute."""
    _, attribute = struct.unpack_from("=HH", packet, 20)
    assert attribute == NFQA_PACKET_HDR
    return packet[24:28]


def main(number, seconds=0.0):
    queue = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_NETFILTER)
    configure(queue, number, NFQA_CFG_CMD, struct.pack(">BBH", NFQNL_CFG_CMD_BIND, 0, 0))
    configure(queue, number, NFQA_CFG_PARAMS, struct.pack(">IB", 0, NFQNL_COPY_META))
    print("listening", end="", flush=True)
    while packet := queue.recv(65536):
        kind, = struct.unpack_from("=4xH", packet)
        if kind != NFQNL_MSG_PACKET:
            continue
        time.sleep(seconds)
        queue.send(message(NFQNL_MSG_VERDICT, 0, number, NFQA_VERDICT_HDR,
                           struct.pack(">I", NF_ACCEPT) + identity(packet)))
        print(".", end="", flush=True)


main(int(sys.argv[1]), *map(float, sys.argv[2:]))
