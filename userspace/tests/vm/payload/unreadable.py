#!/usr/bin/python3
# SPDX-License-Identifier: GPL-2.0
"""Datagrams, connections and packets made octet by octet, for unreadable.t.

Knows the commands of packets.py, streams.py and skbs.py.
"""
import skbs
import streams
from serving import serve

serve({**skbs.COMMANDS, **streams.COMMANDS})
