#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Copy sources to where Kbuild writes its objects beside them, as for each kernel:
#
#   copy.sh DIR NAME...          NAMEs are of this tree: files, or folders
#
# A source that is gone here goes there, too: the checksum by which modules know their build is of
# all that are there.

set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
dir=$1
shift
cp -au "$@" "$dir"
(cd "$dir" && find "$@" -name '*.[ch]' ! -name '*.mod.c') | while IFS= read -r file; do
	[ -e "$file" ] || rm "$dir/$file"
done
