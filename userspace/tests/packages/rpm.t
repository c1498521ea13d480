#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The packages for systems with RPM: installed by rpm, upgraded and erased in a root of this
# machine's Debian, which has systemd, dkms, headers of a kernel and a database of RPM.
#
# What it does not show: that the packages that they depend on have those names elsewhere, for
# dependencies are not checked (--nodeps); what the macros of systemd do there, which are empty
# here; what SELinux says; and anything about a kernel of such a system.
#
# promise operator: an upgrade by rpm keeps his policy and what he enabled, and erasing leaves
#   nothing but the policy
# shown by: the policy is the administrator's
# shown by: what was enabled is
# shown by: and nothing but the policy

# shellcheck source=userspace/tests/packages/machine.sh
. "$(dirname "$(readlink -f "$0")")/machine.sh"
# shellcheck source=scripts/debian.sh
. "$top/scripts/debian.sh"
command -v rpmbuild >/dev/null || skip_all "no rpmbuild"

suite=$(debian_suite)
base=$("$top/scripts/packaging/root.sh" "$suite" "systemd, dkms, linux-headers-amd64, kmod, iptables,
	libmnl0, libjansson4, libunistring2 | libunistring5, libncursesw6") || bail_out "no root of $suite"

here_in() { on_root "$base" "$@"; }
inside() { here_in chroot . /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 "$@"; }
by_rpm() { here_in rpm --root "$work/mnt" "$@"; }
list() {
	here_in find . -xdev ! -path './var/lib/rpm*' ! -path './var/log/*' ! -path './var/cache/*' ! -path './tmp/*' ! -path './dev/*' \
		! -path './lib/modules/*/modules.*' ! -path './usr/lib/modules/*/modules.*' ! -name '.new.*' | LC_ALL=C sort
}
build() { # CHECKOUT NUMBER
	"$1/scripts/packaging/rpm.sh" >"$work/built" || return
	mkdir -p "$work/rpms/$2"
	grep -v '\.src\.rpm$' "$work/built" | xargs cp -t "$work/rpms/$2"
}
# The first version has a second release, too.
build_all() {
	build "$top" 1 && next_version && build "$work/next" 2 && rm -rf "$work/next" &&
		git clone -q "$top" "$work/next" && sed -i 's/^\(Release: *\)1/\12/' "$work/next/scripts/packaging/utf8guard.spec" &&
		build "$work/next" 1-2 && rm -rf "$work/next"
}

ok "two versions of the packages are built, and a release" build_all
is "three each" "$(find "$work/rpms" -name '*.rpm' | wc -l)" 9
ok "the root gets a database" by_rpm --initdb
# Programs in the place of those of dracut: what they make says which modules that kernel finds.
headers=$(here_in sh -c 'ls -d lib/modules/*/build' | cut -d / -f 3)
# shellcheck disable=SC2016 # the shell in there expands it
program() { here_in sh -c 'cat >"usr/bin/$0" && chmod 755 "usr/bin/$0"' "$1"; }
program lsinitrd <<'END'
#!/bin/sh
cat "$1"
END
program dracut <<'END'
#!/bin/sh
[ "$*" = "--regenerate-all --force" ] || exit
for image in /boot/initramfs-*.img; do
	kernel=${image#*-}
	modinfo -k "${kernel%.img}" utf8guard_fs | grep -E '^(filename|version):' >"$image" || :
done
END
# shellcheck disable=SC2016 # the shell in there expands it
here_in sh -c 'mkdir -p boot lib/modules/0-none/kernel && echo none >"boot/initramfs-$0.img"' "$headers"
initramfs() { here_in cat "boot/initramfs-$headers.img"; }
list >"$work/before"

run by_rpm -i --nodeps "$work"/rpms/1/*.rpm
is "rpm -i" "$status" 0 || diag "$out$err"
like "a kernel without modules is told" "$out$err" "warning: no modules for Linux 0-none"
unlike "and no other one" "$out$err" "no modules for Linux ${headers//+/\\+}"
is "an initramfs without the modules stays" "$(initramfs)" none
inside dracut --regenerate-all --force
names="utf8guard utf8guard-dkms utf8guard-iptables"
# shellcheck disable=SC2086 # words
run by_rpm -V --nodeps $names
is "rpm -V: all is there, as it was built" "$out$err" ""
like "dkms has built the modules for $headers" "$(inside dkms status)" "utf8guard.*${headers//+/\\+}.*: installed"
is "all five" "$(here_in sh -c "ls lib/modules/$headers/*/*/utf8guard*.ko* lib/modules/$headers/*/*/*_utf8.ko* lib/modules/$headers/*/utf8guard*.ko* lib/modules/$headers/*/*_utf8.ko*" 2>/dev/null | wc -l)" 5
like "the tool runs" "$(inside utf8guard version)" '^utf8guard 0'
like "iptables finds its extension" "$(inside iptables -m utf8 --help)" 'utf8 match options'
for unit in utf8guard.service utf8guard-follow.service utf8guard-required.target; do
	ok "where systemd looks: $unit" here_in test -f "usr/lib/systemd/system/$unit"
done
is "none is enabled" "$(inside systemctl is-enabled utf8guard.service utf8guard-required.target | sort -u)" disabled
is "the modules that are loaded at boot" "$(here_in grep -v '^#' usr/lib/modules-load.d/utf8guard.conf | xargs)" "utf8guard_fs utf8guard_nf"

# What dkms has: the version that it has installed, and nothing else.
by_dkms() { inside dkms status | sed -n "s|^utf8guard/\(.*\), $headers.*: installed.*|\1|p; t; p"; }
release=$(by_dkms)
run by_rpm --reinstall --nodeps "$work"/rpms/1/*.rpm
is "the same once more: dkms has them" "$status $(by_dkms)" "0 $release" || diag "$out$err"
run by_rpm -U --nodeps "$work"/rpms/1-2/*.rpm
is "another release: dkms has that" "$status $(by_dkms)" "0 ${release%-1}-2" || diag "$out$err"

# An administrator has enabled a unit, and changed the policy.
inside systemctl -q enable utf8guard-required.target
here_in sh -c 'echo "fs set default enforce" >>etc/utf8guard.conf'
run by_rpm -U --nodeps "$work"/rpms/2/*.rpm
is "rpm -U" "$status" 0 || diag "$out$err"
like "the tool is the new one" "$(inside utf8guard version)" '^utf8guard 9\.0\.0'
like "so are the modules" "$(inside dkms status)" 'utf8guard.*9\.0\.0.*: installed'
like "and those of the initramfs" "$(initramfs)" '/utf8guard_fs\.ko.*version: +9\.0\.0'
is "and dkms has no others" "$(inside dkms status | grep -c .)" 1
is "the policy is the administrator's" "$(here_in tail -n 1 etc/utf8guard.conf)" "fs set default enforce"
is "what was enabled is" "$(inside systemctl is-enabled utf8guard-required.target)" enabled

# The way back, with a policy for which the first version is too old.
here_in sh -c 'echo "fs set default later" >>etc/utf8guard.conf'
run by_rpm -U --oldpackage --nodeps "$work"/rpms/1/*.rpm
is "rpm -U --oldpackage" "$status" 0 || diag "$out$err"
is "dkms has those of the older version, and no others" "$(by_dkms)" "$release"
like "so has the initramfs" "$(initramfs)" '/utf8guard_fs\.ko.*version: +0\.'
like "it says that the tool does not understand the policy" "$out$err" 'later: .*this version does not understand /etc/utf8guard\.conf'
is "what was enabled is" "$(inside systemctl is-enabled utf8guard-required.target)" enabled

# An upgrade takes away the modules of a kernel for which it cannot build any. The network requires them.
here_in mv "lib/modules/$headers/build" headers
run by_rpm -U --nodeps "$work"/rpms/2/*.rpm
like "a kernel without headers is told, after an upgrade" "$out$err" \
	"no modules for Linux ${headers//+/\\+}.*this host boots without a network"
is "it has none" "$(inside dkms status | grep -c installed)" 0
here_in mv headers "lib/modules/$headers/build"

# shellcheck disable=SC2086 # names of packages
run by_rpm -e $names
is "rpm -e" "$status" 0 || diag "$out$err"
unlike "and no modules in the initramfs" "$(initramfs)" '/utf8guard_fs\.ko'
is "leaves no package" "$(by_rpm -qa)" ""
# Left may be what dkms keeps, the policy, and directories that on systems with RPM belong to the
# package `filesystem`, which is not here.
list | diff "$work/before" - | grep '^[<>]' |
	grep -vE '/(var/lib/dkms(/mok.(key|pub))?|etc/utf8guard\.conf\.rpmsave)$|/usr/share/(licenses|man/man9|zsh/site-functions)$' >"$work/left"
is "and nothing but the policy" "$(cat "$work/left")" ""
ok "which is beside its place" here_in test -e etc/utf8guard.conf.rpmsave
done_testing
