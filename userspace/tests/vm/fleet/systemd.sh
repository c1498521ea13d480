# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by suites that want a systemd: the host's own, as process 1 of a process namespace of
# the guest, with the guest's kernel. What it finds in /run is new at each boot; what is in /etc
# stays. Modules and units are where "make install" puts them.
#
#   install_here                        tool and units, and what modprobe needs
#   modules there|gone                  can modprobe find those of ours? At first, it can
#   boot_up UNIT [WORD...]              until UNIT and what it wants have been started, or have
#                                       failed; WORDs are for the kernel's command line
#   inside COMMAND [ARG...]             in that namespace
#   state UNIT PROPERTY                 of "systemctl show"
#   shut_down                           ends all of it

: "${tap:?}" "${top:?}"
unit_dir=/usr/local/lib/systemd/system

install_here() {
	local unit
	mkdir -p $unit_dir /usr/local/sbin /usr/local/lib/modules-load.d
	cp "$UTF8GUARD" /usr/local/sbin
	modules there
	for unit in "$top"/userspace/units/*.in; do
		sed 's,@SBIN@,/usr/local/sbin,; s,@LIB@,/usr/local/lib/utf8guard,' "$unit" >"$unit_dir/$(basename "$unit" .in)"
	done
	mkdir -p /usr/local/lib/utf8guard
	sed 's,@SBIN@,/usr/local/sbin,' "$top"/userspace/fleet/textfile.in >/usr/local/lib/utf8guard/textfile
	chmod +x /usr/local/lib/utf8guard/textfile
	cp "$top"/userspace/units/*.{target,service,timer} $unit_dir
	cp "$top"/userspace/units/modules-load.conf /usr/local/lib/modules-load.d/utf8guard.conf
	# What the guest has done already when it booted, or what takes an emulator minutes; none of it
	# concerns utf8guard.
	for unit in systemd-udevd systemd-udev-trigger systemd-udev-settle systemd-hwdb-update ldconfig \
		systemd-journal-catalog-update systemd-update-done systemd-random-seed systemd-sysctl \
		systemd-firstboot systemd-sysusers systemd-machine-id-commit systemd-binfmt \
		systemd-remount-fs systemd-tmpfiles-setup systemd-tmpfiles-setup-dev systemd-pstore \
		systemd-update-utmp apparmor kmod-static-nodes keyboard-setup console-setup; do
		mask "$unit.service"
	done
	for unit in dev-hugepages.mount dev-mqueue.mount sys-kernel-debug.mount sys-kernel-tracing.mount \
		sys-kernel-config.mount sys-fs-fuse-connections.mount proc-sys-fs-binfmt_misc.automount \
		systemd-udevd-control.socket systemd-udevd-kernel.socket; do
		mask "$unit"
	done
	rm -f /etc/fstab
	: >/etc/fstab
}
# By "install" lines of modprobe's configuration: depmod would read every module of the kernel each
# time, which takes long in an emulator.
modules() {
	local all=/etc/modprobe.d/utf8guard-suite.conf name
	rm -f $all
	[ "$1" = there ] || return 0
	cat >/usr/local/sbin/insert <<END
#!/bin/sh
[ \$1 != utf8guard_nf ] || modprobe -a nf_conntrack nf_reject_ipv4 nf_reject_ipv6
[ -d /sys/module/utf8guard ] || insmod $UTF8GUARD_MODULES/utf8guard.ko
[ -d /sys/module/\$1 ] || insmod $UTF8GUARD_MODULES/\$1.ko
END
	chmod +x /usr/local/sbin/insert
	for name in utf8guard_fs utf8guard_nf; do
		echo "install $name /usr/local/sbin/insert $name" >>$all
	done
}
mask() { ln -sf /dev/null "/etc/systemd/system/$1"; }

boot_up() {
	local wanted=$1 words=${*:2} cgroup=/sys/fs/cgroup/boot$((boots += 1))
	mkdir -p $cgroup
	# In a container, systemd takes the arguments of process 1 for the kernel's command line.
	(
		echo $BASHPID >$cgroup/cgroup.procs
		# shellcheck disable=SC2016 # for the shell within
		exec unshare --fork --pid --mount --cgroup --uts --ipc --mount-proc \
			env -i container=suite PATH="$PATH" LANG=C.UTF-8 sh -c '
				mount -t tmpfs -o mode=755 tmpfs /run && mkdir /run/lock &&
				umount /sys/fs/cgroup && mount -t cgroup2 cgroup2 /sys/fs/cgroup &&
				exec /lib/systemd/systemd --system --unit="$1" $2' sh "$wanted" "$words"
	) </dev/null >"$tap/systemd" 2>&1 &
	outside=$!
	until_true 240 find_init || { cat "$tap/systemd" >&2; return 1; }
	until_true 240 inside test -S /run/systemd/private || return
	until_true 240 is_settled
}
find_init() { init=$(pgrep -f '^/lib/systemd/systemd --system' | head -n 1) && [ -n "$init" ]; }
inside() { nsenter --target "$init" --pid --mount --cgroup --uts --ipc -- "$@"; }
is_settled() {
	case $(inside systemctl is-system-running 2>/dev/null) in
	running | degraded | maintenance) [ -z "$(inside systemctl list-jobs --no-legend 2>/dev/null)" ] ;;
	*) return 1 ;;
	esac
}
state() { inside systemctl show --value -p "$2" "$1"; }
shut_down() {
	kill -KILL "$init"
	wait "$outside" 2>/dev/null
}
boots=0
