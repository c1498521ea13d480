#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# The KUnit suites, in User-Mode Linux.
exec "$(dirname "$(readlink -f "$0")")/../../../scripts/uml/run.sh" "$@"
