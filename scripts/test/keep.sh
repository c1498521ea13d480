#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run a test program and keep all that it prints:  keep.sh LOG COMMAND [ARG...]
#
# Its output is passed on as it is, but for "Bail out!", which would end the run
# of everybody else: it becomes a failed test.

set -uo pipefail
log=$1
shift
mkdir -p "${log%/*}"
: >"$log"
{ "$@" 2>&1 >&3 3>&- | tee -a "$log" >&2; exit "${PIPESTATUS[0]}"; } 3> >(
	exec sed -u 's/^Bail out!/not ok - bailed out:/' | tee -a "$log")
