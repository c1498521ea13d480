#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run a TAP test program on a stock kernel, for prove:
#
#   suite.sh [OPTION...] FILE.t         OPTIONs are those of run.sh
#   suite.sh [OPTION...] KERNEL:FILE.t  the same as -k KERNEL FILE.t
#   prove -e 'scripts/vm/suite.sh -k 6.1' userspace/tests/vm/names/*.t
#   prove -j 2 -e scripts/vm/suite.sh 6.1:FILE.t 6.12:FILE.t
#
# Its output is passed on as it is. A panic, a timeout and complaints in the kernel's
# log fail the test by the exit status, and are printed as diagnostics. The log is left
# in build/vm/FILE.KERNEL.log. The time limit is half an hour, several times what the
# longest suite takes. 6.1 has one processor, other kernels have two. A line
# "# vm: -m 2048" near the top of FILE.t gives it options of its own. The guest does not
# see the host's /tmp and /run, so FILE.t must not be there, unless the checkout is. UCD
# is passed on to it.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../..")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

name=${*: -1} file=${*: -1}
[ -f "$file" ] || file=${file#*:}
[ -f "$file" ] || die "usage: suite.sh [OPTION...] [KERNEL:]FILE.t"
set -- "${@:1:$#-1}"
[ "$file" = "$name" ] || set -- "$@" -k "${name%:"$file"}"
file=$(readlink -f "$file")

kernel=6.12 before=
for word; do
	[ "$before" != -k ] || kernel=$(basename "$word")
	before=$word
done
read -ra own < <(sed -n '1,20s/^# vm: //p' "$file") || :
[ -x "$file" ] && how=() || how=(bash)
# One kernel has a single processor: Linux then patches its spin locks out.
case $kernel in 6.1 | 6.1.*) own=(-smp 1 ${own[@]+"${own[@]}"}) ;; esac
exec 3>&1
"$here/run.sh" -l "$top/build/vm/$(basename "$file" .t).$kernel.log" \
	${UCD:+-e "UCD=$UCD"} -t 1800 ${own[@]+"${own[@]}"} "$@" -- "${how[@]}" "$file" 2>&1 >&3 3>&- |
	sed 's/^/# /' >&2
