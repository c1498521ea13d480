#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Checks that a short text is judged and handed on without saving a register, and without a
# retpoline thunk, which would take as long as the judgment itself.
#
#   dispatch.sh utf8guard.o     built for a kernel with retpolines and static calls

set -euo pipefail
object=$1
ways='utf8guard_validate prefix_by_size utf8guard_prefix_bmi2 utf8guard_prefix_general'
# At least so many lines must be found, or else the name of a function has changed.
least=8

body() { objdump -dr --no-show-raw-insn "$object" | awk -v begin="<$1>:" '$2 == begin, /^$/'; }
failed=0
complain() {
	echo "$object: $*"
	failed=1
}

for way in $ways; do
	code=$(body "$way")
	[ "$(grep -cE '^ +[0-9a-f]+:' <<<"$code")" -ge $least ] || complain "$way: not found"
	! grep -E '\<push\>|sub +[$]0x[0-9a-f]+,%rsp' <<<"$code" || complain "$way: saves registers"
	! grep -E '__x86_indirect_thunk|\<(call|jmp) +\*' <<<"$code" || complain "$way: jumps by pointer"
done
# The shortest texts ask no engine.
[ -n "$(body validate_shortest)" ] || complain "validate_shortest: not found"
! grep -E '__SCT__|__x86_indirect_thunk' <<<"$(body validate_shortest)" || complain "validate_shortest: asks an engine"
grep -q '__SCT__utf8guard_prefix_nofpu' <<<"$(body prefix_by_size)" ||
	complain "prefix_by_size: no static call of utf8guard_prefix_nofpu"
for caller in validate_long utf8guard_classify; do
	code=$(body "$caller")
	grep -q '__SCT__utf8guard_prefix' <<<"$code" || complain "$caller: no static call"
	! grep -E '__x86_indirect_thunk' <<<"$code" || complain "$caller: calls by pointer"
done
exit $failed
