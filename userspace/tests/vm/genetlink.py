# SPDX-License-Identifier: GPL-2.0
"""Generic netlink without the tool, which would have to start for each request.

    fs = Family("utf8guard_fs")          a socket of its own
    fs.do("rule-add", mode=FS["MODE_AUDIT"], path="/d")
                                         opens the path and sends that as fd, unless fd= is
                                         given; returns "ok" or the name of an errno, and sets
    fs.reply, fs.message, fs.culprit     the attributes of the reply by name, the kernel's
                                         message and the attribute that it is about
    fs.dump("rule-get")                  list of replies; sets
    fs.interrupted                       whether the kernel said that what it lists had changed meanwhile
    fs.renew(2048)                       another socket; of each answer, it receives so much first,
                                         for the kernel then gives no more for the next message
    fs.flood("rule-add", "place", range(9), mode=...)
                                         a request for each of these values of "place";
                                         the answers are not read
    fs.listen(), fs.event()              the group config: the next event
"""
import ctypes
import errno
import os
import re
import socket
import struct

NETLINK_GENERIC, GENL_ID_CTRL, CTRL_CMD_GETFAMILY = 16, 16, 3
CTRL_ATTR_FAMILY_ID, CTRL_ATTR_FAMILY_NAME, CTRL_ATTR_MCAST_GROUPS = 1, 2, 7
CTRL_ATTR_MCAST_GRP_ID = 2
SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, NETLINK_CAP_ACK, NETLINK_EXT_ACK = 270, 1, 10, 11
NLM_F_REQUEST, NLM_F_ACK, NLM_F_DUMP = 1, 4, 0x300
NLM_F_DUMP_INTR, NLM_F_CAPPED, NLM_F_ACK_TLVS = 0x10, 0x100, 0x200
NLMSG_ERROR, NLMSG_DONE = 2, 3
NLA_F_NESTED = 0x8000
SO_ATTACH_FILTER, SO_DETACH_FILTER = 26, 27
NLMSGERR_ATTR_MSG, NLMSGERR_ATTR_OFFS = 1, 2
top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")


def constants(family):
    """The enumerations of a uapi header, without the family's prefix."""
    found, value = {}, 0
    with open(f"{top}/include/uapi/linux/{family}.h", encoding="ascii") as f:
        for line in f:
            if line.startswith("enum"):
                value = 0
            match = re.match(r"\t" + family.upper() + r"_(\w+)(?: = (\d+))?,", line)
            if match:
                value = int(match[2] or value)
                found[match[1]] = value
                value += 1
    return found


FS, NF = constants("utf8guard_fs"), constants("utf8guard_nf")
# Attributes by type; any other is a u32.
STRINGS = {"subvolumes-why", "path", "inside", "volume-type", "comment", "device", "fstype", "cgroup", "iif", "oif"}
OCTETS = {"protocol", "family", "locked", "enforcing", "saddr-prefix", "daddr-prefix"}
PORTS = {"sport-min", "sport-max", "dport-min", "dport-max"}
LONGS = {"differs", "full", "window", "urgent", "resync", "untracked", "ahead", "picked-up", "early", "packets", "octets", "split", "unreadable", "binary", "unfollowed", "inode",
         "copies", "copies-max", "copies-refused", "copies-given-up",
         "unmatched", "empty", "unparsed", "fragments",
         "refused", "audited", "checked", "exempt", "missed", "deep", "exempt-overlay",
         "userns-overlay"}
RANGES = {"sport-range", "dport-range"}
NETWORKS = {"saddr-network", "daddr-network"}
LOCATIONS = {"location"}
RAW = {"location", "uuid", "saddr", "daddr", "count", "pad"}


def attribute(kind, data):
    return struct.pack("HH", 4 + len(data), kind) + data + bytes(-len(data) % 4)


def attributes(data):
    while len(data) >= 4:
        length, kind = struct.unpack_from("HH", data)
        yield kind & 0x3fff, data[4:length]
        data = data[(length + 3) & ~3:]


def encode(name, value):
    if isinstance(value, bytes):
        return value
    if isinstance(value, bool):
        return b""
    if name in STRINGS:
        return value.encode() + b"\0"
    return struct.pack("B" if name in OCTETS else "H" if name in PORTS else "I", value)


def decode(name, data):
    if name in STRINGS:
        return data[:-1].decode()
    if name in RAW:
        return data
    kind = "B" if name in OCTETS else "H" if name in PORTS else "Q" if name in LONGS else "I"
    return struct.unpack(kind, data)[0] if data else True


class Family:
    def __init__(self, name):
        self.name = name
        self.c = constants(name)
        self.groups_of = {group: {number: word[len(group):].lower().replace("_", "-")
                                  for word, number in self.c.items() if word.startswith(group)}
                          for group in ("A_RULE_", "A_STATUS_")}
        self.socket = self.room = None
        self.renew()
        self.reply = self.message = self.culprit = None
        self.interrupted = False
        self.id = GENL_ID_CTRL
        error, replies = self.transact(CTRL_CMD_GETFAMILY, [
            attribute(CTRL_ATTR_FAMILY_NAME, name.encode() + b"\0")])
        if error:
            raise OSError(error, name)
        said = dict(attributes(replies[0]))
        self.id = struct.unpack("H", said[CTRL_ATTR_FAMILY_ID])[0]
        self.groups = [struct.unpack("I", dict(attributes(group))[CTRL_ATTR_MCAST_GRP_ID])[0]
                       for _, group in attributes(said[CTRL_ATTR_MCAST_GROUPS])]

    def close(self):
        self.socket.close()

    def renew(self, room=1 << 17):
        if self.socket:
            self.close()
        self.room = room
        self.socket = socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, NETLINK_GENERIC)
        self.socket.settimeout(30)
        self.socket.setsockopt(SOL_NETLINK, NETLINK_EXT_ACK, 1)
        self.socket.setsockopt(SOL_NETLINK, NETLINK_CAP_ACK, 1)

    def explain(self, data, flags):
        """What comes after the errno, or after the request in an acknowledgement."""
        if flags & NLM_F_ACK_TLVS:
            for kind, value in attributes(data):
                if kind == NLMSGERR_ATTR_MSG:
                    self.message = value[:-1].decode()
                if kind == NLMSGERR_ATTR_OFFS:
                    self.culprit = struct.unpack("I", value)[0]

    def pack(self, command, request, flags):
        body = struct.pack("BBH", command, 1, 0) + b"".join(request)
        return struct.pack("IHHII", 16 + len(body), self.id, NLM_F_REQUEST | flags, 1, 0) + body

    def transact(self, command, request, flags=NLM_F_ACK):
        """The errno, and the attributes of the replies."""
        self.socket.send(self.pack(command, request, flags))
        return self.receive()

    def receive(self):
        """As transact(), of a request that was sent."""
        self.message = self.culprit = None
        self.interrupted = False
        replies, room = [], self.room
        while True:
            data, room = self.socket.recv(room), 1 << 17
            while data:
                length, what, bits = struct.unpack_from("IHH", data)
                self.interrupted |= bool(bits & NLM_F_DUMP_INTR)
                if what in (NLMSG_ERROR, NLMSG_DONE):
                    self.explain(data[36 if what == NLMSG_ERROR else 20:length], bits)
                    return -struct.unpack_from("i", data, 16)[0], replies
                replies.append(data[20:length])
                data = data[(length + 3) & ~3:]

    def names(self, command):
        """The attributes of an operation, by number."""
        return self.groups_of["A_RULE_" if command.startswith("rule") else "A_STATUS_"]

    def parse(self, command, data):
        """The attributes by name. The "steps" of a rule-explain are pairs: a handle, and whether that rule
        fits. Ranges of ports and networks are lists of pairs.

        Of an event, what was done and how many rules were changed; not which.
        """
        names, found = self.names(command), {}
        for kind, value in attributes(data):
            if names[kind] == "change":
                continue
            if command == "changed" and names[kind] == "action":
                found["action"] = value[:-1].decode()
            elif names[kind] == "step":
                step = dict(attributes(value))
                found.setdefault("steps", []).append(
                    (struct.unpack("I", step[self.c["A_STEP_HANDLE"]])[0],
                     self.c["A_STEP_FITS"] in step))
            elif names[kind] in RANGES:
                found.setdefault(names[kind], []).append(
                    tuple(struct.unpack("H", end)[0] for _, end in attributes(value)))
            elif names[kind] in NETWORKS:
                address, prefix = (part for _, part in attributes(value))
                found.setdefault(names[kind], []).append((address, prefix[0]))
            else:
                found[names[kind]] = decode(names[kind], value)
        return found

    def do(self, command, **request):
        """The kernel looks up no path: it is handed a descriptor."""
        opened = None
        path = request.get("path")
        if path and "fd" not in request and self.name == "utf8guard_fs" and os.path.exists(path):
            opened = request["fd"] = os.open(path, os.O_PATH)
        if command == "rule-explain":
            request.pop("path", None)
        try:
            return self.ask(command, **request)
        finally:
            if opened is not None:
                os.close(opened)

    def encoded(self, command, request):
        """The attributes of a request, and the name of each by its place in the message."""
        names = self.names(command)
        numbers = {name: number for number, name in names.items()}
        encoded, places, at = [], {}, 20
        for name, value in request.items():
            name = name.rstrip("_").replace("_", "-")
            # An attribute may be there several times.
            for one in value if isinstance(value, list) else [value]:
                encoded.append(attribute(numbers[name] | (NLA_F_NESTED if name in RANGES | NETWORKS | LOCATIONS else 0),
                                         encode(name, one)))
                places[at] = name
                at += len(encoded[-1])
        return encoded, places

    def number(self, command):
        return self.c["CMD_" + command.upper().replace("-", "_")]

    def ask(self, command, **request):
        encoded, places = self.encoded(command, request)
        error, replies = self.transact(self.number(command), encoded)
        self.culprit = places.get(self.culprit)
        self.reply = self.parse(command, replies[0]) if replies else None
        return errno.errorcode[error] if error else "ok"

    def together(self, *requests):
        """Sends pairs of a command and its attributes in one datagram, and returns what became of each."""
        self.socket.send(b"".join(self.pack(self.number(command), self.encoded(command, request)[0], NLM_F_ACK)
                                  for command, request in requests))
        return [errno.errorcode[error] if error else "ok" for error, _ in (self.receive() for _ in requests)]

    def dumps(self, times):
        """Asks in one datagram several times for the rules that refused something within a millisecond, of
        which there are none, and returns what became of each."""
        request, _ = self.encoded("rule-get", {"within": 1})
        self.socket.send(self.pack(self.number("rule-get"), request, NLM_F_DUMP) * times)
        return [errno.errorcode[error] if error else "ok" for error, _ in (self.receive() for _ in range(times))]

    def flood(self, command, varied, values, **request):
        numbers = {name: number for number, name in self.names(command).items()}
        one = self.pack(self.number(command), [
            attribute(numbers[name.replace("_", "-")], encode(name.replace("_", "-"), value))
            for name, value in {varied: 0, **request}.items()], 0)
        layout = {1: "B", 2: "H", 4: "I"}[len(encode(varied.replace("_", "-"), 0))]
        nothing = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
        # A filter that takes nothing: no reply fills the socket, and none has to be read.
        self.socket.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER,
                               struct.pack("HP", 1, ctypes.addressof(nothing)))
        for first in range(0, len(values), 1000):
            some = values[first:first + 1000]
            heap = bytearray(one * len(some))
            for i, value in enumerate(some):
                struct.pack_into(layout, heap, i * len(one) + 24, value)
            self.socket.send(heap)
        self.socket.setsockopt(socket.SOL_SOCKET, SO_DETACH_FILTER, 0)

    def dump(self, command, meanwhile=lambda: None):
        """The kernel has made the first message of the answer when meanwhile() is called, and makes the
        second one after it."""
        self.socket.send(self.pack(self.number(command), [], NLM_F_DUMP))
        meanwhile()
        error, replies = self.receive()
        if error:
            raise OSError(error, os.strerror(error))
        return [self.parse(command, reply) for reply in replies]

    def listen(self):
        self.socket.setsockopt(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, self.groups[0])

    def event(self):
        return self.parse("changed", self.socket.recv(1 << 16)[20:])
