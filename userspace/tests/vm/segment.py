# SPDX-License-Identifier: GPL-2.0
"""Segments and packets made octet by octet, as no kernel would, for helpers of suites."""
import struct

FIN, SYN, RST, PSH, ACK, URG = 1, 2, 4, 8, 16, 32


def checksum(data):
    """RFC 1071."""
    data += b"\0" * (len(data) % 2)
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xffff) + (total >> 16)
    return ~total & 0xffff


def summed(data, at, pseudo=b"", covered=None, spoilt=False):
    """The data with its checksum at offset "at", where it has two zeros. The checksum is of the
    pseudo header and of the first "covered" octets, or all; a wrong one, if "spoilt"."""
    total = (checksum(pseudo + data[:covered]) or 0xffff) ^ (0x5555 if spoilt else 0)
    return data[:at] + struct.pack("!H", total) + data[at + 2:]


def pseudo_header(source, to, protocol, length):
    """RFC 9293 section 3.1 and RFC 8200 section 8.1; addresses as octets, of either family."""
    return source + to + struct.pack("!II", length, protocol)


def tcp_header(ports, seq, ack, flags, window, options=b"", words=None):
    """A header without its checksum. Its data offset is "words" of 32 bits, by default its length."""
    words = 5 + len(options) // 4 if words is None else words
    return struct.pack("!HHIIBBHHH", *ports, seq & 0xffffffff, ack & 0xffffffff, words << 4, flags,
                       window, 0, 0) + options


def ip4(protocol, source, to, body, options=b"", **other):
    """A packet of IPv4; total=, identity= and fragment= replace these fields of its header."""
    length = 20 + len(options)
    head = struct.pack("!BBHHHBBH", 0x40 + length // 4, 0, other.get("total", length + len(body)),
                       other.get("identity", 1), other.get("fragment", 0), 64, protocol, 0)
    return summed(head + source + to + options, 10) + body


def ip6(protocol, source, to, body, label=0):
    """A packet of IPv6 with that flow label."""
    return struct.pack("!IHBB", 6 << 28 | label, len(body), protocol, 64) + source + to + body
