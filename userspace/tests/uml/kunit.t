#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The KUnit suites, in User-Mode Linux: a minute alone, and longer beside what else is tested.
exec "$(dirname "$(readlink -f "$0")")/../../../scripts/uml/run.sh" -t 900 "$@"
