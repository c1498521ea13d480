#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The codec calls nothing but itself: it can neither allocate, lock or sleep nor
# read a clock, so it may be called with preemption off and in any context. This is
# read off its objects, as they are linked into the tool.
#
# promise others in the kernel: the codec calls nothing that allocates, locks or sleeps, and has
#   no variables to write to
# shown by: nothing from elsewhere, but for memory functions
# shown by: no variables

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
objects=("$top"/build/user/kernel/codec/{,*/}*.o)
[ -e "${objects[0]}" ] || bail_out "the codec is not built; make tools"

# What copies and compares, and what chooses an engine, which user space and kernel each have.
allowed='memchr|memcmp|memcpy|memmove|memset|strcmp|strlen|_GLOBAL_OFFSET_TABLE_|__stack_chk_fail'
allowed+='|utf8guard_prefix|utf8guard_prefix_nofpu|utf8guard_cpu_has|utf8guard_validate_chosen'
allowed+='|utf8guard_skip_calm_chosen|utf8guard_calm_least'
nm "${objects[@]}" | awk 'NF == 3 { print $3 }' | sort -u >"$tap/own"
nm -u "${objects[@]}" | awk 'NF == 2 { print $2 }' | sort -u >"$tap/asked"
is "nothing from elsewhere, but for memory functions" \
	"$(comm -13 "$tap/own" "$tap/asked" | grep -vxE "$allowed")" ""
isnt "it is the codec that was looked at" "$(grep -x utf8guard_is_normalized "$tap/own")" ""

# Nor does it have variables, which two callers at once could spoil.
is "no variables" "$(size -A "${objects[@]}" | awk '/^\.(data|bss|tdata|tbss)/ && !/^\.data\.rel\.ro/ { n += $2 } END { print n + 0 }')" 0
done_testing
