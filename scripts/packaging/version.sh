#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Print the version of HEAD: that of include/linux/utf8guard.h if HEAD has its tag, else that
# with the date and the commit appended after "~", which sorts before it.

set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/../.."
version=$(git show HEAD:include/linux/utf8guard.h | sed -n 's/.*UTF8GUARD_VERSION "\(.*\)"/\1/p')
[ "$(git tag --points-at HEAD --list "v$version")" ] ||
	version+=~git$(TZ=UTC git log -1 --format=%cd --date=format-local:%Y%m%d%H%M%S HEAD).$(git rev-parse --short=8 HEAD)
printf '%s\n' "$version"
