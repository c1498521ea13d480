#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The tests that the packages bring along, by Debian's own runner, in a root of that Debian in
# which it installs them:
#
#   autopkgtest.t bookworm|trixie

# shellcheck source=userspace/tests/packages/machine.sh
. "$(dirname "$(readlink -f "$0")")/machine.sh"
command -v autopkgtest >/dev/null || skip_all "no autopkgtest"

suite=${1:-trixie}
control=$top/scripts/packaging/debian/tests/control
# The root has what the tests need besides our packages.
needed=$(sed -n '/^Depends:$/,/^[A-Z]/ s/^ //p' "$control" | grep -v '^utf8guard' | tr '\n' ' ')
base=$("$top/scripts/packaging/root.sh" "$suite" "dpkg-dev, ${needed%, }") || bail_out "no root of $suite"
ok "the packages are built" packages
run on_root "$base" autopkgtest -B -o "$work/said" "$debs"/1/*.deb "$top/build/deb/$suite"/*.dsc -- chroot "$work/mnt"
cp "$work/said/log" "$top/build/vm/autopkgtest.$suite.log"
while read -r name; do
	like "$name" "$(cat "$work/said/summary")" "(^|"$'\n'")$name +PASS" || tail -n 20 "$work/said/log" >&2
done < <(sed -n 's/^Tests: //p' "$control")
is "the runner has no more to say" "$status" 0
done_testing
