#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The netlink interface for others' programs. Promised: the specs in include/netlink are all that
# a client needs. The client is the kernel's own in python, of linux-source-6.12.

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
client=$here/../../../../build/ynl/tools/net/ynl
[ -d "$client/lib" ] || skip_all "no tools/net/ynl: linux-source-6.12 is not installed"
/usr/bin/python3 -c 'import yaml, jsonschema' 2>/dev/null || skip_all "no python3-yaml or python3-jsonschema"
load_all
mkdir -p /tmp/ynl/d
# Each line that ynl.py prints is a test of this suite.
last=
while read -r result name; do last=$name
	if [ "$result" = ok ]; then pass "$name"; else fail "$name"; fi
done < <(/usr/bin/python3 "$here/ynl.py" "$client" /tmp/ynl/d 2>&1)
is "ynl.py is complete" "$last" "all of it was asked"

# The client as a program for the command line.
run /usr/bin/python3 "$client/cli.py" --spec "$here/../../../../include/netlink/utf8guard.yaml" \
	--no-schema --do info-get --output-json
like "cli.py" "$status $out" '^0 \{"version": "[0-9.]+"'
done_testing
