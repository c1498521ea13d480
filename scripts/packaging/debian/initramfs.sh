# shellcheck shell=sh
# Part of the postinst and the postrm of utf8guard-dkms.
#
# Modules in an initramfs are loaded at the next boot, too, and must go with the others. dracut puts
# them there by itself, for modules-load.d names them; initramfs-tools does where somebody has asked
# for that. The command alone says nothing: without its package, dracut is not what makes an initramfs.
remake_initramfs() {
	if [ "$(dpkg-query -W -f '${db:Status-Status}' dracut 2>/dev/null)" = installed ]; then
		for image in /boot/initrd.img-*; do
			if lsinitrd "$image" 2>/dev/null | grep -q '/utf8guard_fs\.ko'; then
				dracut --regenerate-all --force
				return
			fi
		done
	elif grep -qs '^utf8guard' /etc/initramfs-tools/modules && command -v update-initramfs >/dev/null; then
		update-initramfs -u -k all
	fi
}
