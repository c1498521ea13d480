#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Descriptions of our netlink families for syzkaller, from include/netlink/*.yaml: utf8guard.txt beside this.

--check fails if that file is out of date. For syzkaller it goes into sys/linux, and our uapi headers into the
kernel's; then make extract and make generate.
"""
import os
import sys

import yaml

here = os.path.dirname(os.path.realpath(__file__))
top = os.path.realpath(os.path.join(here, "../../../.."))
FAMILIES = ("utf8guard", "utf8guard_fs", "utf8guard_nf")
HEAD = """# SPDX-License-Identifier: GPL-2.0
# Made by syzlang.py from include/netlink/*.yaml. Do not edit.

include <uapi/linux/netlink.h>
include <uapi/linux/genetlink.h>
"""
# Strings for attributes, well-formed and ill-formed.
WORDS = 'utf8guard_words = "tmpfs", "ext4", "/", "/tmp", "a", `c0ae`, `eda080`, `f09f98`\n'


def upper(name):
    return name.upper().replace("-", "_")


class Family:
    def __init__(self, name):
        with open(os.path.join(top, f"include/netlink/{name}.yaml"), encoding="utf-8") as file:
            self.spec = yaml.safe_load(file)
        with open(os.path.join(top, f"include/uapi/linux/{name}.h"), encoding="utf-8") as file:
            self.header = file.read()
        self.name, self.enums = name, {one["name"]: one for one in self.spec["definitions"] if one["type"] == "enum"}
        self.sets = {one["name"]: one for one in self.spec["attribute-sets"]}
        self.used = set()

    def constant(self, name):
        if name not in self.header:
            sys.exit(f"include/uapi/linux/{self.name}.h has no {name}")
        return name

    def attribute(self, of, one):
        name = self.constant(f"{upper(self.name)}_A_{upper(of)}_{upper(one['name'])}")
        kind, checks = one["type"], one.get("checks") or {}
        if kind == "nest":
            self.used.add(one["nested-attributes"])
            return f"{name}\tnlnest[{name}, array[{self.policy(one['nested-attributes'])}]]"
        if kind == "flag":
            return f"{name}\tnlattr[{name}, void]"
        if kind == "string":
            return f"{name}\tnlattr[{name}, string[utf8guard_words]]"
        if kind == "binary":
            length = checks.get("exact-len")
            return f"{name}\tnlattr[{name}, array[int8{', ' + str(length) if length else ''}]]"
        values = "" if "enum" not in one or one["enum"] not in self.enums else f"[0:{len(self.enums[one['enum']]['entries'])}]"
        return f"{name}\tnlattr[{name}, int{kind[1:]}{values}]"

    def policy(self, of):
        return f"{self.name}_{of.replace('-', '_')}_policy"

    def text(self):
        family, big = self.name, upper(self.name)
        lines = [f"include <uapi/linux/{family}.h>\n\n", f"resource genl_{family}_family_id[int16]\n\n",
                 f"type msghdr_{family}[CMD, POLICY] msghdr_netlink[netlink_msg_t[genl_{family}_family_id, genlmsghdr_t[CMD], POLICY]]\n\n",
                 f'syz_genetlink_get_family_id${family}(name ptr[in, string["{family}"]], fd sock_nl_generic) genl_{family}_family_id\n\n']
        for one in self.spec["operations"]["list"]:
            if "do" not in one and "dump" not in one:
                continue
            self.used.add(one["attribute-set"])
            command = self.constant(f"{big}_CMD_{upper(one['name'])}")
            lines.append(f"sendmsg${command}(fd sock_nl_generic, msg ptr[in, msghdr_{family}[{command}, "
                         f"{self.policy(one['attribute-set'])}]], f flags[send_flags])\n")
        done = set()
        while self.used - done:
            of = sorted(self.used - done)[0]
            done.add(of)
            attributes = [self.attribute(of, one) for one in self.sets[of]["attributes"] if one["type"] not in ("pad", "unused")]
            lines.append(f"\n{self.policy(of)} [\n" + "".join(f"\t{one}\n" for one in attributes) + "] [varlen]\n")
        return "".join(lines)


def main():
    text = HEAD + "".join("\n" + Family(name).text() for name in FAMILIES) + "\n" + WORDS
    path = os.path.join(here, "utf8guard.txt")
    if "--check" in sys.argv:
        if not os.path.exists(path) or open(path, encoding="utf-8").read() != text:
            print("userspace/tests/fuzz/syzkaller/utf8guard.txt: not what the specs say; run syzlang.py there")
            return 1
        return 0
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return 0


sys.exit(main())
