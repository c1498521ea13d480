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
#
# promise local user: he hears of no refusal and of no change, also if he joined the groups of
#   netlink before the modules were loaded
# shown by: who joined before the modules were there hears nothing

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

# Since 6.8, each message chooses among the members of its group.
case $KERNEL in 6.1.*) table joining.py ;; esac
helper early.py
ask join
[ "$answer" -gt 32 ] || bail_out "nobody joins the groups: $answer"
load_all
monitor "$tap/heard"
ip link set lo up
touch $'/tmp/\xff'
must utf8guard net add output udp dport 5555 drop gate off
printf '\xc0\xae' >/dev/udp/127.0.0.1/5555
must utf8guard net flush
must utf8guard fs set default off
must utf8guard fs set default audit
heard() { [ "$(wc -l <"$tap/heard")" -ge 6 ]; }
ok "root hears of two refusals and of four changes" until_true 60 heard
does "who joined before the modules were there hears nothing" 0 heard
table listeners.py
table privileges.py
done_testing
