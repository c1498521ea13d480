#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Build for a stock Debian kernel, boot it, and run demo.sh beside this on it:
#
#   start.sh 6.1|6.12|arm64
#
# What the build says goes to build/demo-build.log. The exit status is 0 only if
# every step passed and the kernel's log has no complaint.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../..")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

[ $# = 1 ] || die "usage: start.sh 6.1|6.12|arm64"
kernel=$1 tools=tools log=$top/build/demo-build.log
mkdir -p "${log%/*}"

found=$("$here/../vm/kernel.sh" "$kernel")
release=${found% *}
echo "building the modules for Linux $release and the tool"
case $kernel in *arm64) tools='tools-arm64' ;; esac
# Inside another make, that make decides on the number of jobs.
[[ ${MAKEFLAGS-} = *jobserver* ]] && jobs=() || jobs=(-j"$(nproc)")
if ! make -C "$top" "${jobs[@]}" "modules-$kernel" "$tools" >"$log" 2>&1; then
	# Commands are not shown: with several jobs they would bury the error.
	grep -avE '^ *((cc|gcc|mkdir|cp|CC|LD|AR|MODPOST) |make.*directory)' "$log" | tail -n 30 >&2
	die "the build failed; its output is in $log"
fi
echo "booting Linux $release in QEMU; nothing of what follows touches this machine"

colour=
[ ! -t 1 ] || [ "${TERM:-dumb}" = dumb ] || [ "${NO_COLOR-}" ] || colour=1
exec "$here/../vm/run.sh" -k "$kernel" -t 240 -l "$top/build/vm/demo.$release.log" \
	-e "DEMO_COLOUR=$colour" -- "$here/demo.sh"
