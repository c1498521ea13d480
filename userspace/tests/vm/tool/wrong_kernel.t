#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Modules that were built for another kernel: this one refuses them in its usual words, and
# the tool says what to do.

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

# Of another configuration: the same module, but for a word.
other=9${KERNEL:1}
sed "s/vermagic=$KERNEL SMP /vermagic=$other UMP /" "$UTF8GUARD_MODULES/utf8guard.ko" >/tmp/utf8guard.ko
isnt "a module for another kernel" "$(cksum </tmp/utf8guard.ko)" "$(cksum <"$UTF8GUARD_MODULES/utf8guard.ko")"
log_mark
run insmod /tmp/utf8guard.ko
like "is refused" "$status $err" "^1 .*Invalid module format"
like "and the log says why" "$(log_since 'version magic')" \
	"utf8guard: version magic '${other//+/.} UMP .*' should be '${KERNEL//+/.} SMP "

# A true one, if any was built. Where symbols have checksums, their words count, and no number.
true_one=
for file in "${UTF8GUARD_MODULES%/*}"/*/utf8guard.ko; do
	release=$(basename "${file%/*}")
	[ "${release%%[+-]*}" = "${KERNEL%%[+-]*}" ] || true_one=$file
done
if [ "$true_one" ]; then
	log_mark
	run insmod "$true_one"
	like "one that was built for $(basename "${true_one%/*}") is refused" "$status $err" "^1 .*Invalid module format"
	like "for a checksum, or its number" "$(log_since 'utf8guard: ')" "disagrees about version of symbol|version magic"
else
	skip 2 "no modules for another kernel are built"
fi
run modprobe utf8guard_fs
like "none is installed" "$status $err" "^1 .*Module utf8guard_fs not found in directory /lib/modules/${KERNEL//+/.}"

run utf8guard fs
like "the tool: no module anywhere" "$status $err" "^4 utf8guard: utf8guard_fs is not loaded; load it with: modprobe utf8guard_fs"
mkdir -p "/lib/modules/$other/updates/utf8guard"
cp /tmp/utf8guard.ko "/lib/modules/$other/updates/utf8guard/utf8guard_fs.ko"
for command in fs show; do
	run utf8guard $command
	like "$command: one for another kernel" "$status $out $err" \
		"^[04] .*not installed for Linux ${KERNEL//+/.}, only for ${other//+/.}: build it for this kernel, by make install or dkms autoinstall"
done
is "for nothing else" "$(utf8guard net 2>&1)" "utf8guard: utf8guard_nf is not loaded; load it with: modprobe utf8guard_nf"
mkdir -p "/lib/modules/$KERNEL/updates/dkms"
: >"/lib/modules/$KERNEL/updates/dkms/utf8guard_fs.ko.xz"
like "one for this kernel, too" "$(utf8guard fs 2>&1)" "utf8guard_fs is not loaded; load it with: modprobe utf8guard_fs"
load service && load fs
like "which is loaded" "$(utf8guard fs)" "^fs set default audit"
done_testing
