#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Print the version of what HEAD is: that of include/linux/utf8guard.h if HEAD is
# tagged as it, else with the date and the commit besides, which sorts before it.

set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
version=$(git show HEAD:include/linux/utf8guard.h | sed -n 's/.*UTF8GUARD_VERSION "\(.*\)"/\1/p')
[ "$(git tag --points-at HEAD --list "v$version")" ] ||
	version+=~git$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y%m%d%H%M%S HEAD).$(git rev-parse --short=8 HEAD)
printf '%s\n' "$version"
