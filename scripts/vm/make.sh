#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run make in a root of another Debian (ground.sh), which sees this checkout and the cache. If a
# make calls this, the two share their jobs:
#
#   make.sh ROOT ARG...

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../..")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

[ $# -ge 2 ] || die "usage: make.sh ROOT ARG..."
root=$1
shift
exec "$here/enter.sh" "$root" "$top" "$UTF8GUARD_CACHE" -- \
	/usr/bin/env PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C make "$@"
