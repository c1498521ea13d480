#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""find.py HANDLE PATH: asks the kernel to put a rule where PATH is; prints ok or an errno."""
import os
import sys

import genetlink

fd = os.open(sys.argv[2], os.O_PATH)
print(genetlink.Family("utf8guard_fs").ask("rule-find", handle=int(sys.argv[1]), fd=fd))
