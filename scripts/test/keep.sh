#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run a test program and keep all that it prints:  keep.sh LOG COMMAND [ARG...]
#
# The seconds of processor time that it took, emulators included, are in LOG.cpu. LOG.green is there
# if it exited with 0.
#
# Its output is passed on as it is, but for "Bail out!", which would end the run
# of all other programs: it becomes a failed test.

set -uo pipefail
log=$1
shift
mkdir -p "${log%/*}"
: >"$log"
rm -f "$log.green"
# shellcheck disable=SC2317 # the trap calls it
cost() { # of the programs that have ended, in the second line: 0m1.234s 0m0.567s
	[ "$?" != 0 ] || touch "$log.green"
	times >"$log.cpu"
	awk -F '[ms ]+' 'NR == 2 { printf "%.0f\n", 60 * $1 + $2 + 60 * $3 + $4 }' "$log.cpu" >"$log.cpu.new"
	mv "$log.cpu.new" "$log.cpu"
}
trap cost EXIT
{ "$@" 2>&1 >&3 3>&- | tee -a "$log" >&2; exit "${PIPESTATUS[0]}"; } 3> >(
	exec sed -u 's/^Bail out!/not ok - bailed out:/' | tee -a "$log")
