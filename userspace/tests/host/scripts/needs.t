#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# If a kernel lacks what the modules need, the build says what. The headers are made up here;
# at the end are those of a stock kernel.
#
# promise administrator by mistake: a build for a kernel that lacks what the modules need ends at
#   once, and says what it lacks
# shown by: and nothing is built
# shown by: one without what is asked for ends at once

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$here/../../tap.sh"

headers=$tap/kernel/include
mkdir -p "$headers/linux" "$headers/net/netfilter/ipv4"
whole() {
	echo '	SKBFL_SHARED_FRAG = BIT(1),' >"$headers/linux/skbuff.h"
	echo 'void nf_defrag_ipv4_disable(struct net *net);' >"$headers/net/netfilter/ipv4/nf_defrag_ipv4.h"
	echo 'int ftrace_graph(unsigned long ip, struct ftrace_regs *fregs);' >"$headers/linux/ftrace.h"
}
# What Kbuild does, without the objects.
# shellcheck disable=SC2016 # make expands it
printf '%s\n' 'include $(needs)' '$(call module-needs,a b,CONFIG_ONE CONFIG_TWO)' 'all:; @echo built' >"$tap/Makefile"
build() { make -s -f "$tap/Makefile" needs="$top/kernel/compat/needs.mk" srctree="$tap/kernel" "$@"; }

whole
run build CONFIG_ONE=y CONFIG_TWO=m need-modorder=1
is "nothing is missing" "$status:$out:$err" "0:built:"
rm "$headers/net/netfilter/ipv4/nf_defrag_ipv4.h"
run build
like "a function is" "$status $err" "^2 .*utf8guard is for Linux 6.1 and later; this one lacks: *nf_defrag_ipv4_disable\(\) \(Linux 5.13\), and perhaps more"
unlike "and nothing is built" "$out" built
whole
echo 'int ftrace_graph(unsigned long ip, struct pt_regs *regs);' >"$headers/linux/ftrace.h"
: >"$headers/linux/skbuff.h"
run build
like "several are" "$err" "lacks: *SKBFL_SHARED_FRAG \(Linux 5.12\), *struct ftrace_regs \(Linux 5.11\),"
whole
run build CONFIG_ONE=y need-modorder=1
like "a configuration" "$status:$out:$err" "^0:built:.*not built for this kernel: a b, for want of CONFIG_TWO"
run build CONFIG_ONE=y
is "is told once, and not by each part of a build" "$status:$out:$err" "0:built:"

# The build itself.
read -r release dir < <("$top/scripts/vm/kernel.sh" 6.12 2>/dev/null)
[ "$release" ] || { skip 2 "no stock kernel is at hand"; done_testing; exit; }
mkdir "$tap/source"
cp -r "$top/Kbuild" "$top/kernel" "$top/include" "$tap/source"
kbuild() { "$top/scripts/kbuild.sh" "$dir/usr/src/linux-headers-$release" M="$tap/source" "$@"; }
run kbuild -n modules
unlike "a stock kernel lacks nothing" "$status $err" "lacks|not built"
sed -i 's/\\<SKBFL_SHARED_FRAG\\>/SKBFL_NONESUCH/' "$tap/source/kernel/compat/needs.mk"
run kbuild modules
like "one without what is asked for ends at once" "$status $err" "^2 .*this one lacks: *SKBFL_SHARED_FRAG"
done_testing
