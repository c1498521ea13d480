#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Roots of another Debian (scripts/vm/ground.sh), where two kernels whose modules are built beside each
# other ask for the same one. apt-get and what fetches packages are programs of this test.

top=$(readlink -f "$(dirname "$0")/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"

mkdir -p "$tap/bin" "$tap/scripts/vm" "$tap/lists"
cp "$top/scripts/vm/ground.sh" "$tap/scripts/vm"
cp "$top/scripts/cache.sh" "$tap/scripts"
: >"$tap/lists/.fetched"
cat >"$tap/scripts/debian.sh" <<END
debian_use() { :; }
debian_architecture() { echo amd64; }
debian_lists() { echo "$tap/lists"; }
debian_fetch() { echo "\${*:2}" >>"$tap/fetched"; }
END
# The first that asks has its answer when it may go on.
cat >"$tap/bin/apt-get" <<END
#!/bin/sh
echo 'Inst gcc-14 (14.2.0-19 Debian:13 [amd64])'
if mkdir "$tap/asked" 2>/dev/null; then
	until [ -e "$tap/go" ]; do sleep 0.1; done
fi
echo 'Inst make (4.4-1 Debian:13 [amd64])'
END
chmod +x "$tap/bin/apt-get"
ground() { XDG_CACHE_HOME=$tap/cache PATH=$tap/bin:$PATH "$tap/scripts/vm/ground.sh" trixie gcc-14 make; }

ground >"$tap/first" 2>&1 &
first=$!
until [ -e "$tap/asked" ]; do sleep 0.1; done
run ground
is "while one asks apt, another has its answer" "$status" 0 || diag "$err"
second=$out
touch "$tap/go"
wait $first
is "and so has the first" "$? $(tail -n 1 "$tap/first")" "0 $second"
is "both have the same root, which was made once" "$(cat "$tap/fetched")" "gcc-14=14.2.0-19 make=4.4-1"
run ground
is "the answer is kept" "$status $out" "0 $second"
is "and nothing else is" "$(find "$tap/cache" -name '.wanted*' | wc -l)" 1
done_testing
