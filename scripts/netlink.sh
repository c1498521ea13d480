#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Generate the netlink headers and policy tables from include/netlink/*.yaml
# with the kernel's own generator (tools/net/ynl of linux-source-6.12).
#
#   netlink.sh           write them into the tree
#   netlink.sh --check   fail if the tree differs from what would be written
#
# Needs linux-source-6.12, python3-yaml, python3-jsonschema. The results are
# committed: building the project needs none of these.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/cache.sh"
top=$here/..

archive=/usr/src/linux-source-6.12.tar.xz
[ -r "$archive" ] || die "$archive: missing (apt-get install linux-source-6.12)"
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
tar -C "$tmp" --strip-components=1 -xf "$archive" \
	linux-source-6.12/tools/net/ynl linux-source-6.12/MAINTAINERS \
	linux-source-6.12/Documentation/netlink

# The system's python: python3-yaml and python3-jsonschema belong to it.
ynl() { /usr/bin/python3 "$tmp/tools/net/ynl/ynl-gen-c.py" "$@"; }

generate() {
	local out=$1 family=$2 dir=$3 spec
	spec=$tmp/Documentation/netlink/specs/$family.yaml
	cp "$top/include/netlink/$family.yaml" "$spec"
	mkdir -p "$out/include/uapi/linux" "$out/kernel/$dir"
	ynl --mode uapi --header --spec "$spec" -o "$out/include/uapi/linux/$family.h"
	ynl --mode kernel --header --spec "$spec" -o "$out/kernel/$dir/netlink_gen.h"
	ynl --mode kernel --source --spec "$spec" -o "$out/kernel/$dir/netlink_gen.c"
	# The generator writes where the spec would be in the kernel's own tree.
	sed -i "s|Documentation/netlink/specs/|include/netlink/|" \
		"$out/include/uapi/linux/$family.h" "$out/kernel/$dir"/netlink_gen.[ch]
}

out=$top
[ "${1:-}" = --check ] && out=$tmp/out
generate "$out" utf8guard service
generate "$out" utf8guard_fs fs
generate "$out" utf8guard_nf nf
if [ "${1:-}" = --check ]; then
	for f in $(cd "$out" && find . -type f); do
		cmp "$out/$f" "$top/$f" || die "$f is not what its spec generates"
	done
fi
