#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
#
# Print a unit of systemd that runs a command while the network comes up, which does not depend
# on it but by its order:  network_unit.sh COMMAND

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
