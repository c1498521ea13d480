#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make tables, on a tree in which nothing was built: it says which files of Unicode it wants, and makes
# of them what is committed.

top=$(readlink -f "$(dirname "$0")/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"

tree=$tap/tree committed=$top/kernel/codec
mkdir -p "$tree/kernel" "$tree/scripts" "$tap/ucd"
cp "$top/Makefile" "$tree"
cp -r "$top/kernel/codec" "$tree/kernel"
cp -r "$top/scripts/tables" "$tree/scripts"
build() { make -s -C "$tree" --no-print-directory "$@"; }

for target in tables tables-classes tables-normalization; do
	run build $target UCD=
	like "$target without UCD" "$status $err" "^2 .*UCD=DIR has to be a directory with UnicodeData.txt .* https://"
	unlike "$target: no usage of a script" "$out $err" "usage:"
done
: >"$tap/ucd/UnicodeData.txt"
run build tables UCD="$tap/ucd"
like "one with a part of the files" "$status $err" "^2 .*DerivedNormalizationProps.txt is not in UCD=$tap/ucd"
ok "no table was touched" diff -r "$committed" "$tree/kernel/codec"

version=$(sed -n 's/^ \* \([0-9.]*\); [0-9]* octets\.$/\1/p' "$committed/classes_table.c")
if grep -qsF "PropList-$version.txt" "${UCD-}/PropList.txt"; then
	rm "$tree/kernel/codec/classes_table.c" "$tree/kernel/codec/normalization/ucd_table.c"
	ok "a tree in which nothing was built" build tables UCD="$UCD"
	ok "the tables are those that are committed" diff -r "$committed" "$tree/kernel/codec"
else
	skip 2 "set UCD to a directory with Unicode $version"
fi
done_testing
