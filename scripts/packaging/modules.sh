# shellcheck shell=sh
# Part of the scripts of both packages with the modules, utf8guard-dkms of Debian and of RPM. No percent
# sign is here: in a spec, it begins a macro.
#
# Where the target is enabled, there is no network without modules.
warn_of_target() {
	if systemctl -q is-enabled utf8guard-required.target 2>/dev/null; then
		echo "utf8guard: warning: without modules, this host boots without a network, for utf8guard-required.target is" >&2
		echo "utf8guard: enabled: systemctl disable utf8guard-required.target, or boot with the word utf8guard.required=0" >&2
	fi
}
# A kernel without modules boots without a policy.
warn_of_kernels() { # HEADERS VERSION: the package with the headers of a kernel begins so; of dkms
	missing=
	for directory in /lib/modules/*/; do
		kernel=$(basename "$directory")
		if [ -e "$directory/kernel" ] && ! modinfo -k "$kernel" utf8guard >/dev/null 2>&1; then
			echo "utf8guard: warning: no modules for Linux $kernel; if its headers ($1-$kernel) are" >&2
			echo "utf8guard: installed, this says why: dkms install utf8guard/$2 -k $kernel" >&2
			missing=1
		fi
	done
	[ -z "$missing" ] || warn_of_target
}
is_missing() { # MODULE: is it loaded, and none installed?
	[ -d "/sys/module/$1" ] && ! modinfo -F version "$1" >/dev/null 2>&1
}
is_replaced() { # MODULE: is it loaded, and another one installed? The srcversion is of its own sources alone.
	for field in srcversion version; do
		if [ -r "/sys/module/$1/$field" ] &&
		   [ "$(cat "/sys/module/$1/$field")" != "$(modinfo -F "$field" "$1" 2>/dev/null)" ]; then
			return 0
		fi
	done
	return 1
}
is_any() { # TEST: of the modules
	for module in utf8guard utf8guard_fs utf8guard_nf xt_utf8 nf_conntrack_utf8; do
		! "$1" "$module" || return 0
	done
	return 1
}
# The modules that are loaded stay, with the policy in force. To replace them would leave the
# host without modules and rules for a moment.
tell_of_loaded() { # does the next boot bring others?
	# A container sees the modules that its host has loaded, and has no kernel.
	[ -e "/lib/modules/$(uname -r)" ] || return 1
	if is_any is_missing; then
		echo "utf8guard: warning: the modules that are loaded stay in force, but none are installed for Linux $(uname -r)," >&2
		echo "utf8guard: which runs: do not boot it before they are built, or it comes up without a policy" >&2
		return 1
	fi
	is_any is_replaced || return 1
	echo "utf8guard: the modules that are loaded stay in force; the new ones are loaded at the next boot," >&2
	echo "utf8guard: and none of them beside those: AT BOOT in utf8guard(8)" >&2
}
