#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# How many jobs the Makefile gives the builds that it begins.

top=$(readlink -f "$(dirname "$0")/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"
cd "$top" || exit

# shellcheck disable=SC2016 # make expands it
printf 'include Makefile\nshow:\n\t+@echo "jobs: $(JOBS)"\nbelow:\n\t+@$(MAKE) -f %s show\n' "$tap/rules" >"$tap/rules"
jobs_of() { env -u MAKEFLAGS -u MFLAGS make -s --no-print-directory -f "$tap/rules" "$@"; }
is "as many as processors" "$(jobs_of show)" "jobs: -j$(nproc)"
is "those of make -j, where somebody says so" "$(jobs_of -j7 show)" "jobs: "
is "also in a make below that one" "$(jobs_of -j7 below)" "jobs: "
done_testing
