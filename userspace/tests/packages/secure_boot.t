#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Kernels that take no module without a signature that they know: by their command line, and by
# Secure Boot, with Debian's own shim, boot loader and kernel, and the key of dkms as a MOK.
#
# promise operator: under Secure Boot the modules load where the key of dkms is enrolled; a kernel
#   that does not know the key takes none, and the tool and the journal say why
# shown by: they are loaded
# shown by: modprobe says no
# shown by: the tool says why, and where to read on
# shown by: the journal says the same

# shellcheck source=userspace/tests/packages/machine.sh
. "$(dirname "$(readlink -f "$0")")/machine.sh"

machine "${1:-trixie}"
ok "the packages are built" packages
run inside sh -c 'apt-get -q update && apt-get -q -y --no-install-recommends install /opt/debs/1/utf8guard_*.deb /opt/debs/1/utf8guard-dkms_*.deb'
is "apt-get installs them" "$status" 0 || diag "$out$err"
ok "dkms has made a key" on_disk cp var/lib/dkms/mok.pub "$work/mok.der"
is "which only root reads" "$(on_disk stat -c '%U %a' var/lib/dkms/mok.key)" "root 600"
on_disk sh -c 'mkdir -p srv/share; cat >etc/utf8guard.conf' <<'END'
fs flush
net flush
fs add subtree /srv/share enforce
END

# The key is not enrolled: what is the same with both words of the command line.
refused() { # WHAT-MODPROBE-SAYS
	printf 'wanted=%q\n' "$1"
	cat <<'END'
run modprobe utf8guard_fs
like "modprobe says no" "$status $err" "^1 .*$wanted"
run utf8guard show
like "the tool says why, and where to read on" "$out$err" \
	'not loaded; load it with: modprobe utf8guard_fs; this kernel takes no module without a signature that it knows: SECURE BOOT in utf8guard\(8\)'
is "the service failed" "$(systemctl is-failed utf8guard.service)" failed
like "the journal says the same" "$(journalctl -b -u utf8guard --no-pager)" 'SECURE BOOT in utf8guard'
like "the kernel's log says why, too" "$(dmesg)" 'Loading of module with unavailable key is rejected|unsigned module loading is restricted'
END
}
refused 'Key was rejected by service|Required key not available' >"$work/script"
boot -t 600 -a module.sig_enforce=1 sig_enforce <"$work/script"
refused 'Operation not permitted' >"$work/script"
boot -t 600 -a lockdown=integrity lockdown <"$work/script"

boot -t 1200 -s "$work/mok.der" mok <<'END'
is "Secure Boot is on" "$(od -An -t u1 -j 4 /sys/firmware/efi/efivars/SecureBoot-*)" "   1"
like "and has locked the kernel down" "$(cat /sys/kernel/security/lockdown)" '\[integrity\]'
like "the key of dkms is known to it" "$(cat /proc/keys)" 'asymmetri .*DKMS'
like "the modules are signed by it" "$(modinfo -F signer utf8guard_fs)" DKMS
is "they are loaded" "$(lsmod | awk '/^utf8guard/ {print $1}' | sort | xargs)" "utf8guard utf8guard_fs utf8guard_nf"
is "the service is active" "$(systemctl is-active utf8guard.service)" active
not_ok "a bad name is refused" touch $'/srv/share/bad\300\256'
rmmod utf8guard_nf utf8guard_fs utf8guard
file=$(modinfo -n utf8guard)
case $file in
*.xz) xz -dc "$file" ;;
*.zst) zstd -qdc "$file" ;;
*) cat "$file" ;;
esac >/run/signed.ko
objcopy --strip-debug /run/signed.ko /run/unsigned.ko
run insmod /run/unsigned.ko
like "without its signature one is refused" "$status $err" '^1 .*(rejected|not permitted|not available)'
like "the kernel's log says so" "$(dmesg)" '(unsigned module|PKCS#7 signature not signed|Loading of (unsigned )?module)'
ok "with it, it is not" insmod /run/signed.ko
END
done_testing
