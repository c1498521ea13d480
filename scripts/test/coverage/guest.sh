#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# In the User-Mode Linux of coverage.sh: runs a suite, and leaves below $VM_OUT what the modules
# have counted.
#
#   guest.sh NAME FILE.t            a suite of userspace/tests/vm
#   guest.sh kunit DIRECTORY        the KUnit suites, modules in that directory

set -u
name=$1 what=$2

kunit() { # DIRECTORY
	local module status=0
	for module in "$UTF8GUARD_MODULES/utf8guard.ko" "$1/utf8guard_judge.ko" "$1"/*_test.ko; do
		insmod "$module" || { echo "${module##*/}: it does not load"; status=1; }
	done
	dmesg | sed 's/^\[[^]]*\] //' | grep -E '^ *(not )?ok '
	! dmesg | grep -qE '^(\[[^]]*\] )?not ok ' && [ "$status" = 0 ]
}

if [ "$name" = kunit ]; then
	mkdir -p /ucd
	bzcat /usr/share/unicode/NormalizationTest.txt.bz2 >/ucd/NormalizationTest.txt
	kunit "$what"
else
	bash "$what"
fi
status=$?

# The kernel keeps the counts of a module that was unloaded. They have the path of its objects.
mkdir -p "$VM_OUT/kernel/$name" &&
	cp -r --reflink=never --sparse=never /sys/kernel/debug/gcov/. "$VM_OUT/kernel/$name"
exit "$status"
