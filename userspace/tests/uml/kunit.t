#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The KUnit suites, in User-Mode Linux: a minute alone, and longer beside what else is tested.
# The state of a processor with AMX is larger than User-Mode Linux 6.12 has room for (HOST_FP_SIZE):
# "ptrace set fp regs failed, errno = 14", and its first program dies.
if grep -qw amx_tile /proc/cpuinfo; then
	echo "1..0 # SKIP User-Mode Linux 6.12 runs no program on a processor with AMX"
	exit
fi
exec "$(dirname "$(readlink -f "$0")")/../../../scripts/uml/run.sh" -t 900 "$@"
