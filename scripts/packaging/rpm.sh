#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Build the packages for systems with RPM from what is committed, into build/rpm:
#
#   rpm.sh
#
# On a Debian, rpmbuild knows nothing of what Debian's packages have brought: it is not
# asked whether what the spec wants is there, and macros that only those systems have are
# said here. No system with RPM was at hand: that they build is all that is known.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../..")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"

dir=$top/build/rpm
rm -rf "$dir"
mkdir -p "$dir"
archive=$("$here/dist.sh" "$dir")
# RPM has no minus in a version, and knows ~.
version=${archive##*/utf8guard-} version=${version%.tar.xz}
sed "s/@VERSION@/$version/" "$here/utf8guard.spec" >"$dir/utf8guard.spec"
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
