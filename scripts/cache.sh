# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: where downloads and built kernels are kept between runs. Everything
# under it can be deleted at any time; the next run makes it again.

# shellcheck disable=SC2034 # used by the scripts that source this
UTF8GUARD_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/utf8guard

say() { printf '%s\n' "$*" >&2; }
die() { say "${0##*/}: $*"; exit 1; }
