# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Sourced by the tests of packages: a machine with a disk, which is booted in QEMU, and
# whose disk this machine can work on between two boots, at its own speed.
#
#   machine SUITE                 a disk of that Debian, $disk
#   packages                      builds the packages of HEAD for it, into $debs/1
#   next_version                  a checkout of what is committed, as version 9.0.0: $work/next
#   inside COMMAND...             a command in it, by chroot; it sees $debs as /opt/debs
#   on_root ROOT COMMAND...       no machine: a command on this one, in an overlay over a root of
#                                 packaging/root.sh, at $work/mnt, whose changes stay until the
#                                 program ends
#   boot [-k RELEASE] [-a WORDS] [-t SECONDS] [-s KEY] NAME <<'END' ... END
#                                 boot it and carry out what stands there, in bash with
#                                 tap.sh; its checks become checks of this program. The kernel is
#                                 the newest of the disk, as a boot loader takes it. Logs are
#                                 build/vm/packages.SUITE.NAME.log and .tap. With -s by Debian's
#                                 shim and boot loader, from firmware with Secure Boot on, in which
#                                 KEY, a certificate, is enrolled as a MOK

here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")") top=$(readlink -f "$here/../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"
# shellcheck source=scripts/cache.sh
. "$top/scripts/cache.sh"

[ "$(id -u)" = 0 ] || skip_all "only root can work on a disk"
work=$(mktemp -d "${TMPDIR:-/var/tmp}/utf8guard-packages.XXXXXX")
at_exit "rm -rf --one-file-system $work"
debs=$work/debs
mkdir -p "$debs" "$work/mnt" "$top/build/vm"

machine() { # SUITE
	suite=$1 disk=$work/disk drives=()
	archives=$work/archives
	mkdir -p "$archives/partial"
	exchange_archives "$UTF8GUARD_CACHE/root/archives-$suite" "$archives"
	local base
	base=$("$here/disk.sh" "$suite") || bail_out "no disk of $suite"
	cp --sparse=always "$base" "$disk"
}

packages() {
	"$top/scripts/packaging/deb.sh" "$suite" >"$work/built" || return
	mkdir -p "$debs/1"
	grep -v -e -dbgsym_ "$work/built" | xargs cp -t "$debs/1"
}

# Makes a checkout of the same commit with a later version.
next_version() {
	git clone -q "$top" "$work/next" &&
		sed -i 's/\(UTF8GUARD_VERSION\) ".*"/\1 "9.0.0"/' "$work/next/include/linux/utf8guard.h" &&
		git -C "$work/next" -c user.name=test -c user.email=test@localhost commit -q -a -m 'version'
}

# The mounts are in a namespace of their own, and end with it.
on_disk() { # COMMAND...: in the top directory of the disk
	# shellcheck disable=SC2016 # the bash in there expands it
	unshare --mount bash -ec '
		mount --make-rprivate / 2>/dev/null || :
		mount -o loop "$1" "$2"
		cd "$2"
		shift 2
		"$@"' bash "$disk" "$work/mnt" "$@"
}

on_root() { # ROOT COMMAND...
	mkdir -p "$work/upper" "$work/own"
	# shellcheck disable=SC2016 # the bash in there expands it
	unshare --mount bash -ec '
		mount --make-rprivate / 2>/dev/null || :
		mount -t overlay -o "lowerdir=$1,upperdir=$2/upper,workdir=$2/own" overlay "$2/mnt"
		cd "$2/mnt"
		mount -t proc proc proc
		mount --rbind /dev dev
		mount -t tmpfs tmpfs tmp
		shift 2
		"$@"' bash "$1" "$work" "${@:2}"
}

# shellcheck disable=SC2317 # called in there
chrooted() { # COMMAND...
	mount -t proc proc proc
	mount --rbind /dev dev
	mount -t tmpfs tmpfs run
	mount -t tmpfs tmpfs tmp
	mkdir -p opt/debs
	mount --bind "$debs" opt/debs
	mount --bind "$archives" var/cache/apt/archives
	cp /etc/resolv.conf etc/resolv.conf
	chroot . /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 HOME=/root \
		DEBIAN_FRONTEND=noninteractive "$@"
}
inside() {
	local code=0
	export -f chrooted
	export debs archives
	on_disk bash -ec 'chrooted "$@"' bash "$@" || code=$?
	exchange_archives "$archives" "$UTF8GUARD_CACHE/root/archives-$suite"
	return $code
}

# Links the packages that were downloaded, so that each is downloaded once. Each program has a
# directory of its own, for apt locks it, and does not wait for another apt.
exchange_archives() { # FROM TO
	mkdir -p "$2"
	cp -ln "$1"/*.deb "$2" 2>/dev/null || cp -n "$1"/*.deb "$2" 2>/dev/null || :
}

# Copies the kernel and the initramfs to where the emulator can load them.
take_kernel() { # RELEASE|"" DIR KEY|""
	local release=$1
	[ -n "$release" ] || release=$(for f in boot/vmlinuz-*; do echo "${f#boot/vmlinuz-}"; done | sort -V | tail -n 1)
	echo "$release" >"$2/release"
	cp "boot/initrd.img-$release" "$2/initrd"
	# With Secure Boot, it must be the signed image, as it is.
	if [ -n "$3" ]; then cp "boot/vmlinuz-$release" "$2/kernel"; else
		cp "$("$top/scripts/vm/image.sh" "$release" "$PWD")" "$2/kernel"
	fi
	cat - >opt/check <"$2/check"
	cp "$top/userspace/tests/tap.sh" opt/tap.sh
}

# Makes $work/esp, a disk with Debian's signed shim, boot loader and kernel, and sets loader, QEMU's
# words for it.
secure_boot() { # KEY WORDS
	local firmware vars=OVMF_VARS_4M.ms.fd
	firmware=$("$top/scripts/packaging/root.sh" trixie "ovmf, shim-signed, grub-efi-amd64-signed, mtools, dosfstools, python3-virt-firmware") ||
		bail_out "no firmware"
	cp "$1" "$work/key.der"
	cp "$firmware/usr/share/OVMF/OVMF_CODE_4M.secboot.fd" "$firmware/usr/share/OVMF/$vars" "$work"
	printf 'linux /kernel %s\ninitrd /initrd\nboot\n' "$2" >"$work/grub.cfg"
	# shellcheck disable=SC2016 # the shell in there expands it
	"$top/scripts/vm/enter.sh" "$firmware" "$work" -- /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -ec 'cd "$1"
		openssl x509 -inform der -in key.der -out key.pem
		virt-fw-vars -i "$2" -o vars --add-mok 605dab50-e046-4300-abb6-3dd810dd8b23 key.pem
		rm -f esp
		truncate -s 256M esp
		mkfs.vfat esp
		mmd -i esp ::/EFI ::/EFI/BOOT ::/EFI/debian
		mcopy -i esp /usr/lib/shim/shimx64.efi.signed ::/EFI/BOOT/BOOTX64.EFI
		mcopy -i esp /usr/lib/grub/x86_64-efi-signed/grubx64.efi.signed ::/EFI/BOOT/grubx64.efi
		mcopy -i esp /usr/lib/shim/mmx64.efi.signed ::/EFI/BOOT/mmx64.efi
		mcopy -i esp grub.cfg ::/EFI/debian/grub.cfg
		mcopy -i esp kernel initrd ::' sh "$work" "$vars" >"$work/esp.log" 2>&1 ||
		{ sed 's/^/# /' "$work/esp.log" >&2; bail_out "no disk to boot from"; }
	# shellcheck disable=SC2054 # commas are QEMU's
	loader=(-machine q35,smm=on -global driver=cfi.pflash01,property=secure,value=on
		-drive "if=pflash,unit=0,format=raw,readonly=on,file=$work/OVMF_CODE_4M.secboot.fd"
		-drive "if=pflash,unit=1,format=raw,file=$work/vars"
		-drive "file=$work/esp,if=none,id=esp,format=raw,readonly=on" -device virtio-blk-pci,drive=esp,bootindex=0)
}

boot() {
	local release='' words='' seconds=900 key='' name line khz loader
	while [ $# -gt 1 ]; do
		case $1 in
		-k) release=$2 ;;
		-a) words=$2 ;;
		-t) seconds=$2 ;;
		-s) key=$2 ;;
		esac
		shift 2
	done
	name=packages.$suite.$1
	{
		# shellcheck disable=SC2016 # the guest expands it
		echo 'cd / && . /opt/tap.sh; export LC_ALL=C.UTF-8; KERNEL=$(uname -r)'
		cat
		echo done_testing
	} >"$work/check"
	export -f take_kernel
	export top
	on_disk bash -ec 'take_kernel "$@"' bash "$release" "$work" "$key" || bail_out "no kernel ${release:-at all} on the disk"
	khz=$("$top/scripts/vm/tsc.sh")
	words="root=LABEL=root rw console=ttyS0 panic=-1 no_timer_check tsc=reliable ${khz:+tsc_early_khz=$khz} norandmaps cryptomgr.notests systemd.show_status=0 quiet loglevel=5 $words"
	loader=(-kernel "$work/kernel" -initrd "$work/initrd" -append "$words")
	[ -z "$key" ] || secure_boot "$key" "$words"
	: >"$work/tap"
	setpriv --pdeathsig TERM timeout -k 5 "$seconds" qemu-system-x86_64 -nodefaults -no-user-config -no-reboot \
		-display none -nic none -accel tcg,thread=single -cpu max,erms=off,fsrm=off -m 1024 \
		-drive "file=$disk,if=virtio,format=raw,cache=unsafe" ${drives[@]+"${drives[@]}"} "${loader[@]}" \
		-serial "file:$work/console" -serial "file:$work/tap" </dev/null >"$work/qemu" 2>&1
	status=$?
	tr -d '\r' <"$work/tap" >"$top/build/vm/$name.tap"
	cp "$work/console" "$top/build/vm/$name.log"
	checks_of "$1" "$top/build/vm/$name.tap" || {
		fail "$1: the machine came to its end, with all of its checks ($status; $top/build/vm/$name.log)"
		tail -n 15 "$top/build/vm/$name.log" >&2
	}
	ok "$1: the kernel's log is clean" "$top/scripts/vm/check-log.sh" "$top/build/vm/$name.log"
}

# The guest has numbered its checks; here they get numbers of this program. Return: false where they are not
# as many as the guest has planned. Firmware writes there, too, and a check may come after its escape sequences.
checks_of() { # NAME TAP
	local line planned='' count=0 after_escape=$'\e\\[[0-9;?=]*[A-Za-z](((not )?ok |1\\.\\.).*)$'
	while IFS= read -r line; do
		[[ $line = ok\ * || $line = not\ ok\ * || ! $line =~ $after_escape ]] || line=${BASH_REMATCH[1]}
		case $line in
		"ok "* | "not ok "*) count=$((count + 1)) ;;
		esac
		case $line in
		"ok "*" # SKIP "*) skip 1 "$1: ${line#* # SKIP }" ;;
		"ok "*) pass "$1: ${line#ok * - }" ;;
		"not ok "*) fail "$1: ${line#not ok * - }" ;;
		1..*) planned=${line#1..} ;;
		*$'\e'* | BdsDxe:*) ;; # what firmware says
		*) note "${line#\# }" ;;
		esac
	done <"$2"
	[ $count -gt 0 ] && [ "$planned" = $count ]
}
