#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make install and uninstall, below a DESTDIR, for the stock 6.12 kernel: what
# is there, whether modprobe would find it, and that nothing is left behind.

top=$(readlink -f "$(dirname "$0")/../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"
cd "$top" || exit

dest=$(mktemp -d)
at_exit "rm -rf $dest"

read -r release dir < <(scripts/vm/kernel.sh 6.12)
kdir=$dir/usr/src/linux-headers-$release

run make -s install DESTDIR="$dest" KDIR="$kdir"
is "make install" "$status" 0
ok "the tool is there" test -x "$dest/usr/local/sbin/utf8guard"
ok "the man page is there" test -f "$dest/usr/local/share/man/man8/utf8guard.8"

# modprobe wants the kernel's own list of built-in modules beside it.
cp "$dir/lib/modules/$release"/modules.{builtin,order} "$dest/lib/modules/$release/"
run /sbin/depmod -b "$dest" "$release"
for module in utf8guard_fs utf8guard_nf; do
	run /sbin/modprobe -d "$dest" -S "$release" --show-depends "$module"
	like "modprobe finds the service for $module" "$out" 'utf8guard\.ko'
	like "modprobe finds $module" "$out" "$module\.ko"
done

run make -s uninstall DESTDIR="$dest" KDIR="$kdir"
is "make uninstall" "$status" 0
run find "$dest" -type f -name '*utf8guard*'
is "nothing is left" "$out" ""
done_testing
