#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What scripts/deps.sh asks apt-get for, which is a program of this test, with packages that it makes up.

top=$(readlink -f "$(dirname "$0")/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"

mkdir "$tap/bin"
cp "$top/scripts/cache.sh" "$tap"
awk -v table="build needed no-such-needed why
build other no-such-other why
build? wanted no-such-wanted why
build? odd no-such-odd why
build shell sh why" "/^table='/ { print \"table='\" table \"'\"; skip = 1 } !skip; /^'/ { skip = 0 }" "$top/scripts/deps.sh" >"$tap/deps.sh"
stub() { printf '#!/bin/sh\n%s\n' "$2" >"$tap/bin/$1" && chmod +x "$tap/bin/$1"; }
stub id 'echo 0'
# shellcheck disable=SC2016 # the program expands it
stub apt-get 'shift 2
[ "$1" != update ] || { echo update >>"$0.asked"; exit 0; }
shift 3; echo "$*" >>"$0.asked"
for name; do case " $ABSENT " in *" $name "*) echo "E: Unable to locate package $name"; exit 100 ;; esac; done'
asked() { # ABSENT: what apt-get is asked for, where it has all but these
	rm -f "$tap/bin/apt-get.asked"
	ABSENT=$1 PATH=$tap/bin:$PATH run bash "$tap/deps.sh" build
	echo "$status $(paste -sd , "$tap/bin/apt-get.asked")"
}
is "all is asked for at once" "$(asked '')" "0 needed other wanted odd"
all="needed other wanted odd,update,needed other wanted odd,needed other"
is "an optional one cannot be had: the others are" "$(asked odd)" "0 $all,wanted,odd"
asked odd >/dev/null
like "which is said" "$err" 'odd cannot be installed; some tests will be skipped'
is "one that is needed cannot be" "$(asked other)" "1 $all"
asked other >/dev/null
like "apt-get says why" "$err" 'Unable to locate package other.*cannot install: needed other'
is "no package has the version of clang in its name: another Debian has another clang" \
	"$("$top/scripts/deps.sh" --list | grep -E ' (lib)?(clang|llvm)[a-z-]*-[0-9]')" ""
done_testing
