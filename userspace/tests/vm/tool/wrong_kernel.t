#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# An administrator loads modules that were built for another kernel, which this kernel refuses in
# its usual words.
#
# promise administrator by mistake: a module that was built for another kernel is not loaded, and
#   the tool says what to load
# shown by: is refused
# shown by: one that was built for
# shown by: the tool says what to do

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

# The same module with another version magic.
other=9${KERNEL:1}
sed "s/vermagic=$KERNEL SMP /vermagic=$other UMP /" "$UTF8GUARD_MODULES/utf8guard.ko" >/tmp/utf8guard.ko
isnt "a module for another kernel" "$(cksum </tmp/utf8guard.ko)" "$(cksum <"$UTF8GUARD_MODULES/utf8guard.ko")"
log_mark
run insmod /tmp/utf8guard.ko
like "is refused" "$status $err" "^1 .*Invalid module format"
like "and the log says why" "$(log_since 'version magic')" \
	"utf8guard: version magic '${other//+/.} UMP .*' should be '${KERNEL//+/.} SMP "

# One that was built for another kernel, if there is any. Where symbols have checksums, the kernel
# compares these and not the release in the version magic.
another=
for file in "${UTF8GUARD_MODULES%/*}"/*/utf8guard.ko; do
	release=$(basename "${file%/*}")
	[[ $release != *"-${KERNEL##*-}" || ${release%%[+-]*} = "${KERNEL%%[+-]*}" ]] || another=$file
done
if [ "$another" ]; then
	log_mark
	run insmod "$another"
	like "one that was built for $(basename "${another%/*}") is refused" "$status $err" "^1 .*Invalid module format"
	like "for a checksum, or its number" "$(log_since 'utf8guard: ')" "disagrees about version of symbol|version magic"
else
	skip 2 "no modules for another kernel are built"
fi
run modprobe utf8guard_fs
like "none is installed" "$status $err" "^1 .*Module utf8guard_fs not found in directory /lib/modules/${KERNEL//+/.}"

for module in fs net; do
	run utf8guard $module
	like "$module: the tool says what to do" "$status $err" \
		"^4 utf8guard: utf8guard_(fs|nf) is not loaded; load it with: modprobe utf8guard_(fs|nf)"
done
load service && load fs
like "those of this kernel are loaded" "$(utf8guard fs)" "^fs set default audit"
done_testing
