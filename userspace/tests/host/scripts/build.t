#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The checksum of sources by which modules know those of another build: what changes it, and what
# does not. kernel/service/identity/build.mk makes it.

top=$(readlink -f "$(dirname "$0")/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"

copy=$tap/copy
mkdir "$copy"
cp -r "$top"/{kernel,include} "$copy"
# As Kbuild includes it; $(src) is where Kbuild is.
# shellcheck disable=SC2016 # make expands it
printf '%s\n' 'include $(src)/kernel/service/identity/build.mk' 'all:' '	@printf "%s\n" $(CFLAGS_kernel/$(OBJECT).o)' >"$tap/Makefile"
sources() { # [DIR [OBJECT]]
	make -s -C "$tap" src="${1-$copy}" OBJECT="${2-service/identity/build}"
}
before=$(sources)
like "it is a string of C" "$before" '^-DUTF8GUARD_SOURCES="[0-9a-f]{12}"$'
is "a copy elsewhere has the same" "$(sources "$top")" "$before"
askers=$(cd "$top/kernel" && grep -rl --include='*.c' 'identity/build\.h"\|^#include "build\.h"' . | cut -c 3-)
isnt "some objects ask" "$askers" ""
while IFS= read -r object; do
	is "$object has it" "$(sources "$copy" "${object%.c}")" "$before"
done <<<"$askers"

# Who has an init is a module.
is "each module asks, but for the service" \
	"$(cd "$top/kernel" && grep -rl --include='*.c' '^module_init(' . | xargs grep -L 'utf8guard_check_build()')" ./service/main.c

# What a build leaves beside its sources, and what packages leave out.
touch "$copy"/kernel/nf/{main.o,.main.o.cmd,modules.order}
rm -rf "$copy"/kernel/README.md "$copy"/include/netlink
is "objects are no sources, nor is what packages leave out" "$(sources)" "$before"
for file in kernel/codec/dfa.c kernel/nf/rule/outcome.h include/linux/utf8guard.h; do
	cp "$copy/$file" "$tap/kept"
	echo '/* changed */' >>"$copy/$file"
	isnt "another $file: another build" "$(sources)" "$before"
	cp "$tap/kept" "$copy/$file"
done
is "the same again: the same" "$(sources)" "$before"

# The tool asks the modules for it, and compares.
[ -x "${UTF8GUARD:=$top/build/utf8guard}" ] || bail_out "$UTF8GUARD is missing; make tools"
sum=${before#*\"} sum=${sum%\"}
ok "the tool has the same" grep -aqF "$sum" "$UTF8GUARD"

# What a build works on is a copy of now, and no more.
touch "$copy"/kernel/nf/gone.c "$copy"/kernel/nf/utf8guard.mod.c
"$top/scripts/copy.sh" "$copy" kernel include
not_ok "a source that is gone is gone in the copy" [ -e "$copy/kernel/nf/gone.c" ]
ok "what a build made is not" ls "$copy"/kernel/nf/{main.o,utf8guard.mod.c}
done_testing
