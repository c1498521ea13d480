#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Print a unit of systemd that runs a command when the network comes up, and is part of that no
# more than by its place:  network_unit.sh COMMAND

cat <<EOF
[Unit]
DefaultDependencies=no
After=network-pre.target
Before=network.target
[Service]
Type=oneshot
RemainAfterExit=yes
ExecStart=$1
EOF
