#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Make the disk of a Debian with systemd, a stock kernel, its headers and dkms, and print
# where it is:  disk.sh SUITE
#
# An ext4 file system as debootstrap and apt leave it, kept in the cache. Because the machine
# that boots it is emulated, units and drivers that no test needs are taken from it (slim.sh),
# and the initramfs has only the modules that this machine needs. Whoever writes to it takes a
# copy.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../..")
# shellcheck source=scripts/cache.sh
. "$top/scripts/cache.sh"
# shellcheck source=scripts/debian.sh
. "$top/scripts/debian.sh"

[ $# = 1 ] || die "usage: disk.sh bookworm|trixie"
suite=$1
root=$("$top/scripts/packaging/root.sh" "$suite" "systemd-sysv, udev, kmod, dbus, initramfs-tools, linux-image-amd64,
	linux-headers-amd64, dkms, openssl, iproute2, iptables, procps, zstd")
disk=$UTF8GUARD_CACHE/disk/$suite-$(cat - "$0" "$here/slim.sh" <<<"$root" | sha256sum | cut -c 1-16).ext4
if [ ! "$disk" -nt "$root" ]; then
	mkdir -p "${disk%/*}"
	new=$(mktemp -d "${disk%/*}/.new.XXXXXX")
	trap 'rm -rf --one-file-system "$new"' EXIT
	say "making a disk of $suite"
	cp -a "$root" "$new/root"
	cd "$new/root"
	echo utf8guard-vm >etc/hostname
	echo 'LABEL=root / ext4 defaults 0 1' >etc/fstab
	printf 'deb %s %s main\n' "$debian_mirror" "$suite-backports" >>etc/apt/sources.list
	sed -i 's/^MODULES=.*/MODULES=list/' etc/initramfs-tools/initramfs.conf
	printf '%s\n' virtio_pci virtio_blk ext4 >>etc/initramfs-tools/modules
	# A network that comes up, without a card.
	printf '[NetDev]\nName=dummy0\nKind=dummy\n' >etc/systemd/network/10-dummy.netdev
	printf '[Match]\nName=dummy0\n[Network]\nAddress=192.0.2.1/24\n' >etc/systemd/network/10-dummy.network
	chroot . systemctl -q enable systemd-networkd
	chroot . systemctl -q disable systemd-networkd-wait-online 2>/dev/null || :
	chroot . systemctl -q mask apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer \
		e2scrub_reap.service fstrim.timer systemd-timesyncd getty.target systemd-hwdb-update.service \
		systemd-journal-catalog-update.service ldconfig.service systemd-binfmt.service
	chroot . useradd -m ann
	# What to do after the boot, and the way back: the second serial line.
	cat >etc/systemd/system/check.service <<-'END'
		[Unit]
		After=multi-user.target
		[Service]
		Type=oneshot
		ExecStart=/bin/bash /opt/check
		ExecStopPost=/bin/systemctl poweroff -ff
		StandardOutput=file:/dev/ttyS1
		StandardError=file:/dev/ttyS1
		TimeoutStartSec=infinity
	END
	cat >etc/systemd/system/check.target <<-'END'
		[Unit]
		Requires=multi-user.target
		After=multi-user.target
		Wants=check.service
		AllowIsolate=yes
	END
	chroot . systemctl -q set-default check.target
	"$here/slim.sh" .
	: >etc/machine-id
	echo "LANG=C.UTF-8" >etc/default/locale
	rm -f usr/sbin/policy-rc.d
	rm -rf var/cache/apt/*.bin var/lib/apt/lists/*
	chroot . /bin/sh <<<"update-initramfs -u" >"$new/log" 2>&1 || { cat "$new/log" >&2; die "no initramfs"; }
	cd "$new"
	truncate -s 6G disk
	mkfs.ext4 -q -F -L root -E lazy_itable_init=0,lazy_journal_init=0 -O ^has_journal -d root disk
	tune2fs -O has_journal disk >/dev/null
	mv disk "$disk"
fi
printf '%s\n' "$disk"
