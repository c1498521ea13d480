#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Many rules: rules.py DIR COUNT.

Adds a rule for each of COUNT new directories 1, 2, ... in DIR, and for each of
the ports of these numbers. Prints how many of both the kernel has taken.
"""
import os
import socket
import sys

from genetlink import FS, NF, Family

directory, count = sys.argv[1], int(sys.argv[2])
fs, nf = Family("utf8guard_fs"), Family("utf8guard_nf")
done = {"fs": 0, "nf": 0}
for n in range(1, count + 1):
    path = f"{directory}/{n}"
    os.mkdir(path)
    done["fs"] += fs.do("rule-add", scope=FS["SCOPE_SUBTREE"], mode=FS["MODE_ENFORCE"],
                        path=path) == "ok"
    done["nf"] += nf.do("rule-add", hook=NF["HOOK_INPUT"], action=NF["ACTION_DROP"],
                        protocol=socket.IPPROTO_TCP, dport_min=n) == "ok"
print(done["fs"], done["nf"])
