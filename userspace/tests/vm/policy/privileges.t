#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Every operation of the name check takes CAP_NET_ADMIN and CAP_MAC_ADMIN in the initial user
# namespace, of whoever opened the socket and of whoever sends. So does the lock of the payload check.
#
# promise local user: he neither sees nor changes the rules for names, nor does root of a user
#   namespace
# shown by: every operation is asked for
# shown by: nothing changed

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

load_all
table privileges.py
done_testing
