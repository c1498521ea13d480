# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
# Sourced: where downloads and built kernels are kept between runs. Everything
# under it can be deleted at any time; the next run makes it again.

# shellcheck disable=SC2034 # used by the scripts that source this
UTF8GUARD_CACHE=${XDG_CACHE_HOME:-$HOME/.cache}/utf8guard

say() { printf '%s\n' "$*" >&2; }
# The two most frequent reasons why something cannot be written or fetched.
free_in() { df -h --output=avail "$1" 2>/dev/null | tail -n 1 | tr -d ' '; }
die_unpacking() { die "cannot unpack $1; $2 has $(free_in "$2") free"; }
die_fetching() { die "cannot fetch $1: is there a network, and does apt-get update work?"; }
die() { say "${0##*/}: $*"; exit 1; }
