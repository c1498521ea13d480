#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The normaliser in general registers, as the kernel has it: what its tests say of the one with
# vectors, which user space takes where the processor has them, they say of this one, too.
#
# promise whoever wrote the text: the kernel's normaliser, in general registers, passes the tests of
#   the one with vectors
# shown by: in general registers

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
export UTF8GUARD_ENGINE=general

for test in normalization_conformance normalization_steps normalization_properties normalization_peers bounds; do
	[ -x "$top/build/tests/$test" ] || bail_out "$test is not built; make test-programs"
	"$top/build/tests/$test" >"$tap/out"
	is "$test, in general registers" "$? $(grep -c '^not ok' "$tap/out")" "0 0"
	isnt "it checks something" "$(grep -c '^ok' "$tap/out")" 0
done
done_testing
