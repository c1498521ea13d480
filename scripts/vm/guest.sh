#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make the root of a guest of another architecture, and print where it is:
#
#   guest.sh ARCHITECTURE [NAME...]   arm64; NAMEs are further packages for one suite
#
# It is of Debian 13, unpacked (ground.sh): the programs that demo and suites call, and the
# headers and libraries with which the tool is compiled for it (tools.sh).

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

[ $# != 0 ] || die "usage: guest.sh ARCHITECTURE [NAME...]"
programs='bash dash coreutils util-linux mount kmod perl python3 python3-jsonschema python3-yaml
	iproute2 iptables nftables e2fsprogs curl zip unzip tar gzip xz-utils bzip2 procps passwd login
	hostname grep sed mawk findutils diffutils strace ethtool openssl busybox-static base-passwd
	base-files libc-bin bsdutils netbase ncurses-base'
headers='libc6-dev libmnl-dev libjansson-dev libunistring-dev libncurses-dev libxtables-dev'
# shellcheck disable=SC2086 # lists of words
exec "$here/ground.sh" "trixie:$1" $programs $headers "${@:2}"
