#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How long one name or one packet of an attacker can hold a processor, because the checks run with
# preemption or bottom halves off. Runs inside, where a tick is an instruction:
#
#   run.sh -c -t 900 -m 2048 -- held.sh DIRECTORY      which has the programs of names.c and inject.c
#
# TSV: the instructions of what is attacked with rules, without, and the difference.

set -euo pipefail
programs=$(readlink -f "$1") here=$(dirname "$(readlink -f "$0")")
modprobe -a tun nf_conntrack nf_reject_ipv4 nf_reject_ipv6 nf_defrag_ipv4
for module in utf8guard utf8guard_nf; do insmod "$UTF8GUARD_MODULES/$module.ko"; done
printf 'kernel\tattack\twith rules\twithout\tmore\n'

mkdir -p /tmp/held
mount -t tmpfs -o nr_inodes=0 tmpfs /tmp/held
for ((i = 0; i < 10000; i++)); do echo /tmp/held/other/$i; done | xargs mkdir -p
"$here/held.py" names "$programs/names"

for device in in0:9 out0:8; do
	ip tuntap add "${device%:*}" mode tun
	ip addr add "10.${device#*:}.0.1/24" dev "${device%:*}"
	ip link set "${device%:*}" mtu 65535 up
done
echo 1 >/proc/sys/net/ipv4/ip_forward
# Half of the memory that fragments may take is gone before 64 KiB in small ones are there.
echo 67108864 >/proc/sys/net/ipv4/ipfrag_high_thresh
"$here/held.py" packets "$programs/inject"
