#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every operation of the name check takes CAP_NET_ADMIN and CAP_MAC_ADMIN in the initial user
# namespace, of whoever opened the socket and of whoever sends.

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

if ! load service || ! load fs; then bail_out "the modules do not load"; fi
table privileges.py
done_testing
