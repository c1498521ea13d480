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
for page in utf8guard xt_utf8 nf_conntrack_utf8; do
	ok "the man page of $page is there" test -f "$dest/usr/local/share/man/man8/$page.8"
done
if extensions=$(pkg-config --variable=xtlibdir xtables 2>/dev/null); then
	ok "iptables would find its extension" env XTABLES_LIBDIR="$dest$extensions" \
		iptables-translate -A INPUT -p tcp -m utf8
else
	skip 1 "no libxtables"
fi

# modprobe wants the kernel's own list of built-in modules beside it.
cp "$dir/lib/modules/$release"/modules.{builtin,order} "$dest/lib/modules/$release/"
run /sbin/depmod -b "$dest" "$release"
for module in utf8guard_fs utf8guard_nf; do
	run /sbin/modprobe -d "$dest" -S "$release" --show-depends "$module"
	like "modprobe finds the service for $module" "$out" 'utf8guard\.ko'
	like "modprobe finds $module" "$out" "$module\.ko"
done

# What iptables and nft ask for.
for alias in ipt_utf8:xt_utf8 ip6t_utf8:xt_utf8 nfct-helper-utf8:nf_conntrack_utf8; do
	run /sbin/modprobe -d "$dest" -S "$release" --show-depends "${alias%:*}"
	like "modprobe finds ${alias%:*}" "$out" "utf8guard_nf\.ko.*${alias#*:}\.ko"
done

run make -s uninstall DESTDIR="$dest" KDIR="$kdir"
is "make uninstall" "$status" 0
run find "$dest" -type f -name '*utf8*'
is "nothing is left" "$out" ""
done_testing
