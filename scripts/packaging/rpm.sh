#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Build the packages for systems with RPM from what is committed, into build/rpm:
#
#   rpm.sh
#
# On a Debian, rpmbuild does not know what Debian's packages have installed: so it does not check
# the dependencies of the spec, and macros that only systems with RPM have are defined here. rpm
# has installed, upgraded and erased the packages in a root of Debian
# (userspace/tests/packages/rpm.t), and never on a system with RPM.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../..")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

dir=$top/build/rpm
rm -rf "$dir"
mkdir -p "$dir"
archive=$("$here/dist.sh" "$dir")
# RPM takes the version as it is: it allows no minus, and there is none; ~ sorts as in Debian.
version=${archive##*/utf8guard-} version=${version%.tar.xz}
sed -e "s/@VERSION@/$version/" -e "/^@MODULES@\$/{r $here/modules.sh" -e 'd}' "$here/utf8guard.spec" >"$dir/utf8guard.spec"
options=(--define "_topdir $dir" --define "_sourcedir $dir" --define "_rpmdir $dir" --define "_srcrpmdir $dir")
if [ -e /etc/debian_version ]; then
	options+=(--nodeps --define "_unitdir /usr/lib/systemd/system" --define "_usrsrc /usr/src"
		--define "_libdir $(pkg-config --variable=libdir xtables)"
		--define 'systemd_post() :' --define 'systemd_preun() :' --define 'systemd_postun_with_restart() :')
fi
say "building utf8guard $version for RPM"
rpmbuild -ba "${options[@]}" "$dir/utf8guard.spec" >"$dir/log" 2>&1 ||
	{ tail -n 30 "$dir/log" >&2; die "rpmbuild failed; $dir/log"; }
find "$dir" -name '*.rpm'
