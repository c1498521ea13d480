#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What packages are made of: the archive of the source, dkms.conf, scripts, the manual.
# Packages themselves are built by make deb.

top=$(readlink -f "$(dirname "$0")/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"
cd "$top" || exit
packaging=scripts/packaging

# The same commit, the same octets: whoever makes it, where and when.
run "$packaging/dist.sh" "$tap/one"
is "make dist" "$status" 0
archive=$out
git clone -q . "$tap/clone"
(umask 077 && TZ=Asia/Tokyo "$tap/clone/$packaging/dist.sh" "$tap/two" >/dev/null 2>&1)
ok "another clone makes the same archive" cmp "$archive" "$tap/two/${archive##*/}"
is "it has what git has" "$(tar -tf "$archive" | grep -v '/$' | cut -d / -f 2- | LC_ALL=C sort | sha256sum)" \
	"$(git ls-tree -r --name-only HEAD | LC_ALL=C sort | sha256sum)"
like "its name is the version" "${archive##*/}" \
	"^utf8guard-$(sed -n 's/.*UTF8GUARD_VERSION "\(.*\)"/\1/p' include/linux/utf8guard.h)(~git[0-9]{14}\.[0-9a-f]{8})?\.tar\.xz$"
ok "before a release it sorts before that" dpkg --compare-versions '0.1.0~git20261124000000.01234567-1' lt 0.1.0-1

# dkms reads dkms.conf as a script.
kernel_source_dir=/k dkms_tree=/d
export kernel_source_dir dkms_tree
conf() { bash -c ". $packaging/dkms.conf; $1"; }
# shellcheck disable=SC2016 # the shell in there expands it
is "dkms knows all modules of Kbuild" "$(conf 'printf "%s\n" "${BUILT_MODULE_NAME[@]}"' | sort)" \
	"$(sed -n 's/^obj-.*[+:]= *\([a-z0-9_]*\)\.o$/\1/p' Kbuild | sort)"
# shellcheck disable=SC2016 # the shell in there expands it
is "each has a place" "$(conf 'echo ${#DEST_MODULE_LOCATION[@]}')" "$(conf 'echo ${#BUILT_MODULE_NAME[@]}')"
# shellcheck disable=SC2016 # the shell in there expands it
pattern=$(conf 'echo "$BUILD_EXCLUSIVE_KERNEL"')
for kernel in 6.1.0-56-amd64 6.12.117+deb13-amd64 7.3.4+deb13-amd64 7.10.0-1-arm64 10.0.1 6.1; do
	like "it builds for $kernel" "$kernel" "$pattern"
done
for kernel in 5.10.0-30-amd64 6.0.0-1-amd64 6.0.1 4.19.0; do
	unlike "it does not for $kernel" "$kernel" "$pattern"
done
# dkms.conf has all options without which Kbuild leaves a module out: else a build would fail.
# shellcheck disable=SC2016 # the shell in there expands it
wanted=$(conf 'printf "%s\n" $BUILD_EXCLUSIVE_CONFIG')
is "it asks for what Kbuild asks for" \
	"$(grep -o 'CONFIG_[A-Z0-9_]*' Kbuild | grep -v -e X86 -e ARM64 | sed 's/_WITH_.*//' | sort -u | grep -vxF "$wanted")" ""

# Each file of make install is in some package.
run make -s install-tools DESTDIR="$tap/root" PREFIX=/usr ZSH=/usr/share/zsh/vendor-completions/_utf8guard
is "make install-tools" "$status" 0
mapfile -t patterns < <(cat "$packaging"/debian/*.{install,manpages} "$packaging/debian/not-installed" | sed 's,/$,,')
forgotten=$(cd "$tap/root" && find . -type f -printf '%P\n' | while read -r file; do
	for pattern in "${patterns[@]}"; do
		# shellcheck disable=SC2053 # it is a pattern
		[[ $file != $pattern && $file != $pattern/* ]] || continue 2
	done
	echo "$file"
done)
is "debian/ has all that it installs" "$forgotten" ""
# Where systemd has its own: dpkg -P would say of another directory that it is not empty, and on Debian
# 12 /usr/lib is another one to it than /lib.
if presets=$(pkg-config --variable=systemdsystempresetdir systemd 2>/dev/null) && [ -e /usr/share/dpkg/pkg-info.mk ]; then
	mkdir -p "$tap/package/userspace/units"
	cp -r "$packaging/debian" "$tap/package"
	cp userspace/units/utf8guard.conf "$tap/package/userspace/units"
	must() { "$@" >"$tap/said" 2>&1 || { fail "$*"; diag "$(cat "$tap/said")"; }; }
	# shellcheck disable=SC2016 # for make
	printf 'install-tools:\n\t$(MAKE) -C %s install-tools\n' "$top" >"$tap/package/Makefile"
	printf 'utf8guard (0.1.0-1) UNRELEASED; urgency=low\n\n  * x\n\n -- a <a@b>  Tue, 24 Nov 2026 00:00:00 +0000\n' \
		>"$tap/package/debian/changelog"
	must make -s -C "$tap/package" -f debian/rules override_dh_auto_install
	while read -r path; do
		mkdir -p "$tap/package/debian/utf8guard/${path%/*}"
		cp -r "$tap/package/debian/tmp/$path" "$tap/package/debian/utf8guard/$path" 2>/dev/null
	done <"$packaging/debian/utf8guard.install"
	must make -s -C "$tap/package" -f debian/rules execute_after_dh_install-arch
	is "the preset is where systemd has its own, and nowhere else" \
		"$(cd "$tap/package/debian/utf8guard" && find . -name '*.preset')" ".$presets/50-utf8guard.preset"
	like "it enables what the package enables" "$(cat "$tap/package/debian/utf8guard$presets"/*.preset)" \
		$'\nenable utf8guard.service'
else
	skip 2 "needs dpkg-dev and systemd.pc"
fi
for page in userspace/man/*.[589]; do
	ok "the spec has ${page##*/}" grep -qF "/${page##*/}" "$packaging/utf8guard.spec"
done
target=userspace/units/utf8guard-required.target
for service in $(sed -n 's/^RequiredBy=//p' $target) wicked.service; do
	like "$service waits for utf8guard-required.target, and the manual says so" \
		"$(grep -ohE "^RequiredBy=.*|^\.Pa $service" $target userspace/man/utf8guard.8 | paste -sd ' ')" \
		"[= ]$service .*\.Pa $service"
done
for script in "$packaging"/debian/*.p{re,ost}{inst,rm}; do
	[ ! -e "$script" ] || ok "${script##*/} is a script" sh -n "$script"
done

# Scripts of packages, on a host whose directories are below $tap, as dh_installdeb fills them in.
mkdir "$tap/bin"
elsewhere() {
	sed -e "/^#INITRAMFS#/{r $packaging/debian/initramfs.sh" -e 'd}' -e "/^[#@]MODULES[#@]$/{r $packaging/modules.sh" -e 'd}' |
		sed "s,/\(sys/module\|run\|var\|etc\|lib/modules\|boot\|usr/share/utf8guard\|usr/local\|usr/src\)/,$tap/\1/,g"
}
for script in "$packaging"/debian/*.p{re,ost}{inst,rm}; do
	[ ! -e "$script" ] || elsewhere <"$script" >"$tap/${script##*/}"
done
part() {
	sed "1,/^%$1\$/d; /^\$/Q" "$packaging/utf8guard.spec" |
		sed '/^%systemd_/d; /^%remake_initramfs/d; s/%%/%/; s,%{_sysconfdir},/etc,g; s,%{modules_source},%{_usrsrc}/utf8guard-1-2,; s,%{_usrsrc},/usr/src,g; s,%{name},utf8guard,g; s,%{modules_version},1-2,g' |
		elsewhere
}
part 'post dkms' >"$tap/post"
part 'posttrans dkms' >"$tap/posttrans"
part 'preun dkms' >"$tap/preun"
not_ok "nothing in the scripts of both is a macro of RPM" grep % "$packaging/modules.sh"
stub() { # PROGRAM TEXT: what a program does that it calls
	printf '#!/bin/sh\n%s\n' "$2" >"$tap/bin/$1"
	chmod +x "$tap/bin/$1"
}
stub dkms :
stub dpkg-query 'exit 1'
by_dpkg() { # SCRIPT ARGUMENT...
	run env PATH="$tap/bin:$PATH" sh "$tap/$1" "${@:2}"
}

# Where /boot is full, packages are installed and removed all the same.
stub update-initramfs 'echo "update-initramfs: No space left on device" >&2; exit 1'
mkdir -p "$tap/etc/initramfs-tools"
echo utf8guard_fs >"$tap/etc/initramfs-tools/modules"
for script in postinst:configure postrm:remove; do
	by_dpkg "utf8guard-dkms.${script%:*}" "${script#*:}"
	like "$script: /boot is full" "$status $err" "^0 .*No space left.*utf8guard: warning: the initramfs"
done
# dracut makes the initramfs where its package is installed, and its command may be there without that.
stub dracut 'echo "dracut $*" >&2'
# shellcheck disable=SC2016 # the script expands it
stub lsinitrd 'cat "$1"'
mkdir "$tap/boot"
echo usr/lib/modules/6.1-a/updates/dkms/utf8guard_fs.ko >"$tap/boot/initrd.img-6.1-a"
remade() { # by what, at an upgrade and a removal?
	for script in postinst:configure postrm:remove; do
		by_dpkg "utf8guard-dkms.${script%:*}" "${script#*:}"
		grep -E '^(dracut|update-initramfs)' <<<"$err"
	done | xargs
}
stub update-initramfs 'echo "update-initramfs $*" >&2'
is "the command dracut without its package" "$(remade)" "update-initramfs -u -k all update-initramfs -u -k all"
stub dpkg-query 'printf installed'
is "dracut" "$(remade)" "dracut --regenerate-all --force dracut --regenerate-all --force"
echo usr/lib/modules/6.1-a/kernel/fs/ext4.ko >"$tap/boot/initrd.img-6.1-a"
is "dracut, and no initramfs has our modules" "$(remade)" ""
stub dpkg-query 'exit 1'
rm -r "${tap:?}"/{etc,boot}

# The policy is the administrator's: no upgrade asks what to do with it, whatever the example says.
mkdir -p "$tap/usr/share/utf8guard" "$tap/etc"
cp userspace/units/utf8guard.conf "$tap/usr/share/utf8guard"
unlike "no package has it as a conffile" "$(cat "$packaging/debian/rules" "$packaging/debian/utf8guard.install")" \
	"/etc([/[:space:]]|$)|[[:space:]]etc/"
umask 077
by_dpkg utf8guard.postinst configure ''
umask 022
is "the example is there after the first installation" "$status $err $(stat -c %a "$tap/etc/utf8guard.conf")" "0  644"
rm "$tap/etc/utf8guard.conf"
# Where the disk is full, a part of it is not taken for a policy.
cp "$tap/usr/share/utf8guard/utf8guard.conf" "$tap/whole"
for _ in {1..9}; do cat "$tap/whole"; done >"$tap/usr/share/utf8guard/utf8guard.conf"
isnt "a full disk: the installation fails" "$(ulimit -f 2; by_dpkg utf8guard.postinst configure ''; echo "$status")" 0
not_ok "and there is no policy" test -e "$tap/etc/utf8guard.conf"
by_dpkg utf8guard.postrm purge
is "a purge leaves nothing of that" "$status $err $(ls "$tap/etc")" "0  "
by_dpkg utf8guard.postinst configure ''
ok "with room for it, it is there" cmp "$tap/etc/utf8guard.conf" "$tap/usr/share/utf8guard/utf8guard.conf"
echo "fs set default enforce" >"$tap/etc/utf8guard.conf"
by_dpkg utf8guard.postinst configure ''
is "not in the place of a policy" "$status $err $(cat "$tap/etc/utf8guard.conf")" "0  fs set default enforce"
by_dpkg utf8guard.postrm remove
is "a removal keeps it" "$status $err $(cat "$tap/etc/utf8guard.conf")" "0  fs set default enforce"
by_dpkg utf8guard.postrm purge
not_ok "a purge does not" test -e "$tap/etc/utf8guard.conf"
by_dpkg utf8guard.postinst configure 0.1.0
not_ok "nor does an upgrade bring it to who has deleted it" test -e "$tap/etc/utf8guard.conf"
mkdir -p "$tap/usr/local/sbin"
touch "$tap/usr/local/sbin/utf8guard"
by_dpkg utf8guard.postinst configure 0.1.0
like "the tool of make install hides that of the package" "$status $err" '^0 utf8guard: warning: .*/usr/local.*make uninstall'
rm "$tap/usr/local/sbin/utf8guard"
by_dpkg utf8guard.postinst configure 0.1.0
is "once that is gone, nothing is said" "$status $err" "0 "
mkdir -p "$tap/etc/systemd/system"
echo "ExecStart=$tap/usr/local/sbin/utf8guard follow" >"$tap/etc/systemd/system/utf8guard.service"
by_dpkg utf8guard.postinst configure 0.1.0
like "so does a unit of it in /etc" "$status $err" '^0 utf8guard: warning: .*/etc/systemd.*make uninstall'
echo "ExecStart=/usr/sbin/utf8guard follow" >"$tap/etc/systemd/system/utf8guard.service"
by_dpkg utf8guard.postinst configure 0.1.0
is "a unit of the package that was changed there does not" "$status $err" "0 "
rm -r "${tap:?}/usr" "$tap/etc/systemd"

# A policy that this version does not understand, for a newer one has written it.
# shellcheck disable=SC2016 # the program expands it
stub utf8guard '[ "$*" = "load -c ${0%/bin/*}/etc/utf8guard.conf" ] || exit 0
echo "utf8guard: /etc/utf8guard.conf:7: later: unknown word" >&2; exit "$STATUS"'
part post >"$tap/post_tool"
understood() { # STATUS SCRIPT ARGUMENT...: is there no warning?
	STATUS=$1 by_dpkg "${@:2}"
	echo "$status $err"
}
: >"$tap/etc/utf8guard.conf"
for script in 'utf8guard.postinst configure 0.2.0' 'post_tool 2'; do
	read -ra words <<<"$script"
	like "$script: the policy has words that it does not know" "$(understood 2 "${words[@]}")" \
		'^0 .*:7: later: unknown word.utf8guard: warning: this version does not understand .*the next boot'
	for code in 0 3 4; do
		is "$script: it understands the policy, whatever the modules say ($code)" "$(understood $code "${words[@]}")" "0 "
	done
done
for script in 'utf8guard.postinst abort-upgrade 0.2.0' 'post_tool 1'; do
	read -ra words <<<"$script"
	is "$script: nothing is asked" "$(understood 2 "${words[@]}")" "0 "
done
rm -r "${tap:?}/etc"

# What was last found out is not shown on, as if it were so.
part preun >"$tap/preun_tool"
stub systemctl :
left() { # SCRIPT ARGUMENT: what of it?
	mkdir -p "$tap/run/utf8guard" "$tap/var/lib/prometheus/node-exporter"
	touch "$tap/run/utf8guard/"{check,opener.lock} "$tap/var/lib/prometheus/node-exporter/"{utf8guard,other}.prom
	by_dpkg "$@"
	(cd "$tap" && find run var/lib/prometheus -type f | sort | paste -sd ' ')
	rm -r "${tap:?}"/{run,var}
}
some="run/utf8guard/opener.lock var/lib/prometheus/node-exporter/other.prom"
all="run/utf8guard/check $some var/lib/prometheus/node-exporter/utf8guard.prom"
is "the tool goes, and metrics of the policy" "$(left utf8guard.prerm remove)" "$some"
is "an upgrade" "$(left utf8guard.prerm upgrade)" "$all"
is "RPM: the tool goes" "$(left preun_tool 0)" "$some"
is "RPM: an upgrade of it" "$(left preun_tool 1)" "$all"

# A removal disables what the network or a timer would need. What was enabled is so again after an
# installation, as the policy is there again, unless there was a purge. Enabled units are lines of a file here.
# shellcheck disable=SC2016 # the program expands it
stub systemctl 'cd "${0%/bin/*}" || exit
case $* in
"is-enabled "*) ! grep -qsx "$2" units || echo enabled ;;
"-q is-enabled "*) grep -qsx "$3" units ;;
"-q is-active "*) grep -qsx "$3" active ;;
"--no-reload disable "*) shift 2; for unit; do sed -i "/^$unit\$/d" units; done ;;
"-q enable "*) echo "$3" >>units ;;
esac'
again() { # UNIT... SCRIPT: what is enabled after a removal, that script, and an installation?
	printf '%s\n' "${@:1:$#-1}" | sed '/^$/d' >"$tap/units"
	by_dpkg utf8guard.prerm remove
	[ ! -s "$tap/units" ] || echo "still: $(cat "$tap/units")"
	by_dpkg utf8guard.postrm "${@: -1}"
	by_dpkg utf8guard.postinst configure 0.1.0
	echo "$status $err $(sort "$tap/units" | paste -sd ' ')" "$(ls "$tap/var/lib/utf8guard" 2>/dev/null)"
}
is "what was enabled is so again" "$(again utf8guard-check.timer utf8guard-required.target remove)" \
	"0  utf8guard-check.timer utf8guard-required.target "
is "and nothing else" "$(again utf8guard-metrics.timer remove)" "0  utf8guard-metrics.timer "
is "nothing was" "$(again remove)" "0   "
is "after a purge, nothing" "$(again utf8guard-check.timer utf8guard-required.target purge)" "0   "
enabled() { # SCRIPT... : after a removal of what was enabled, and these
	local script
	printf '%s\n' utf8guard-check.timer utf8guard-required.target >"$tap/units"
	by_dpkg utf8guard.prerm remove
	for script; do
		read -ra words <<<"$script"
		by_dpkg "${words[@]}"
	done
	echo "$status $err $(sort -u "$tap/units" | paste -sd ' ')" "$(ls "$tap/var/lib/utf8guard" 2>/dev/null)"
}
is "a removal that dpkg gives up: all is enabled" "$(enabled 'utf8guard.postinst abort-remove in-favour other 1')" \
	"0  utf8guard-check.timer utf8guard-required.target "
is "a removal that was broken off, and is done again: it is after an installation" \
	"$(enabled 'utf8guard.prerm remove' 'utf8guard.postinst configure 0.1.0')" \
	"0  utf8guard-check.timer utf8guard-required.target "
rm -r "${tap:?}/var"
# What cannot be noted, on a disk that is full or cannot be written to, is told.
noted() { # UNIT...: what is told after a removal, and what is enabled
	printf '%s\n' "$@" >"$tap/units"
	by_dpkg utf8guard.prerm remove
	echo "$status $(grep '^utf8guard:' <<<"$err" | paste -sd ' ') $(cat "$tap/units")"
}
mkdir -p "$tap/var/lib/utf8guard"
ln -s /dev/full "$tap/var/lib/utf8guard/enabled"
like "a full disk: which units are enabled no more" "$(noted utf8guard-check.timer utf8guard-required.target)" \
	'^0 utf8guard: warning: .*systemctl enable utf8guard-required.target utf8guard-check.timer $'
is "none was" "$(noted '')" "0  "
rm -r "${tap:?}/var/lib/utf8guard"
touch "$tap/var/lib/utf8guard"
like "there is no directory for that" "$(noted utf8guard-metrics.timer)" '^0 .*systemctl enable utf8guard-metrics.timer $'
rm -r "${tap:?}/var"

# The target is started where it is enabled and systemd runs, so that no later restart of the network asks for
# it; but not where that would load another policy than is in force.
# shellcheck disable=SC2016 # the program expands it
stub utf8guard '[ "$1" != check ] || exit "$STATUS"'
# shellcheck disable=SC2016 # the program expands it
stub deb-systemd-invoke 'echo "$*" >>"${0%/bin/*}/asked"; exit "${START-0}"'
started() { # STATUS SCRIPT ARGUMENT...: of check; what is asked of systemd, and told?
	: >"$tap/asked"
	understood "$@" | sed 's/ utf8guard: warning: utf8guard-required.target is enabled.*/ warned/; /^utf8guard: that is/d'
	cat "$tap/asked"
}
mkdir -p "$tap/run/systemd/system"
echo utf8guard-required.target >"$tap/units"
for code in 0 1; do
	is "an upgrade: the target is started (check: $code)" "$(started $code utf8guard.postinst configure 0.1.0)" \
		"0 "$'\n'"start utf8guard-required.target"
done
for code in 2 3 4; do
	is "it is not where the policy is not in force (check: $code)" "$(started $code utf8guard.postinst configure 0.1.0)" "0 warned"
done
is "a start that fails" "$(START=1 started 0 utf8guard.postinst configure 0.1.0)" "0 warned"$'\n'"start utf8guard-required.target"
is "an upgrade that was given up" "$(started 0 utf8guard.postinst abort-upgrade 0.1.0)" "0 "
echo utf8guard-required.target >"$tap/active"
is "it has been started" "$(started 2 utf8guard.postinst configure 0.1.0)" "0 "
rm "$tap/active"
by_dpkg utf8guard.prerm remove
is "it is enabled again: it is started" "$(started 0 utf8guard.postinst configure 0.1.0)" "0 "$'\n'"start utf8guard-required.target"
: >"$tap/units"
is "it is not enabled" "$(started 0 utf8guard.postinst configure 0.1.0)" "0 "
rm -r "$tap/run/systemd"
echo utf8guard-required.target >"$tap/units"
is "no systemd runs" "$(started 0 utf8guard.postinst configure 0.1.0)" "0 "
: >"$tap/units"

# Nothing of a file of nft or iptables is loaded that asks for a module that has gone.
warned() { # SCRIPT ARGUMENT: of which files?
	by_dpkg "$@"
	[ "$status" = 0 ] || echo "status $status"
	sed -n "s|^utf8guard: warning: without .*, nothing of $tap/etc/\(.*\) is loaded.*|\1|p" <<<"$err" | paste -sd ' '
}
dkms=utf8guard-dkms.prerm iptables=utf8guard-iptables.prerm
is "no firewall" "$(for s in $dkms $iptables; do warned "$s" remove; done)" ""
mkdir -p "$tap"/etc/{iptables,nftables.d,sysconfig,nftables,ufw}
printf '*filter\n-A INPUT -p tcp -m tcp --dport 80 -m utf8 -j DROP\nCOMMIT\n' |
	tee "$tap/etc/iptables/rules.v4" "$tap/etc/ufw/before.rules" >"$tap/etc/sysconfig/ip6tables"
printf '*filter\n# -m utf8\n-A INPUT -p tcp -j DROP\nCOMMIT\n' >"$tap/etc/iptables/rules.v6"
printf 'flush ruleset\ntable inet filter {\n\tct helper u {\n\t\ttype "utf8" protocol tcp;\n' |
	tee "$tap/etc/nftables.conf" >"$tap/etc/nftables/main.nft"
printf 'table inet a {\n\tct helper f {\n\t\ttype "ftp" protocol tcp;\n' >"$tap/etc/nftables.d/a.nft"
printf 'table inet b { ct helper u { type "utf8" protocol udp; } }\n' >"$tap/etc/nftables.d/b.nft"
is "the modules go: files that are not loaded any more" "$(warned $dkms remove)" \
	"nftables.conf nftables/main.nft nftables.d/b.nft iptables/rules.v4 ufw/before.rules"
is "the extension goes" "$(warned $iptables remove)" "iptables/rules.v4 ufw/before.rules"
is "an upgrade" "$(for s in $dkms $iptables; do warned "$s" upgrade; done)" ""
is "RPM: the modules go" "$(warned preun 0)" "sysconfig/ip6tables nftables/main.nft"
is "RPM: an upgrade" "$(warned preun 1)" ""
part 'preun iptables' >"$tap/preun_iptables"
is "RPM: the extension goes" "$(warned preun_iptables 0)" "sysconfig/ip6tables"
is "RPM: an upgrade of it" "$(warned preun_iptables 1)" ""
# Nor does the network come up that waits for one.
network() { # SCRIPT ARGUMENT: is it said?
	by_dpkg "$@"
	echo "$status $(grep -c 'boots without a network' <<<"$err")"
}
for script in $dkms:remove:upgrade preun:0:1; do
	IFS=: read -r script goes stays <<<"$script"
	is "$script: modules go, and nothing requires them" "$(network "$script" "$goes")" "0 0"
	echo utf8guard-required.target >"$tap/units"
	is "$script: modules go that the network requires" "$(network "$script" "$goes")" "0 1"
	by_dpkg "$script" "$goes"
	like "$script: how to go on" "$err" 'systemctl disable utf8guard-required.target, .* utf8guard.required=0'
	is "$script: they are upgraded" "$(network "$script" "$stays")" "0 0"
	: >"$tap/units"
done
# Rules that are in force need it to be listed.
used() { # USES SCRIPT ARGUMENT: is it said?
	mkdir -p "$tap/sys/module/xt_utf8"
	echo "$1" >"$tap/sys/module/xt_utf8/refcnt"
	by_dpkg "${@:2}"
	echo "$status $(grep -c 'iptables-save fails' <<<"$err")"
	rm -r "${tap:?}/sys"
}
is "the extension goes, and rules use the module" "$(used 2 $iptables remove)" "0 1"
is "none does" "$(used 0 $iptables remove)" "0 0"
is "it is upgraded" "$(used 2 $iptables upgrade)" "0 0"
is "RPM: it goes" "$(used 2 preun_iptables 0)" "0 1"
is "RPM: none does" "$(used 0 preun_iptables 0)" "0 0"
is "RPM: it is upgraded" "$(used 2 preun_iptables 1)" "0 0"
rm -r "${tap:?}/etc"

# Modules are built for each kernel with its headers, for prerm has removed all; also after an upgrade or a
# removal that was given up, when dpkg calls the postinst of the package that stays. 6.1-b is the kernel that runs.
mkdir -p "$tap"/lib/modules/{6.1-a,6.1-b,6.1-d}/{build,kernel} "$tap"/lib/modules/6.1-c/kernel "$tap/run"
stub uname 'echo 6.1-b'
# shellcheck disable=SC2016 # the script expands it
stub dkms 'echo "$*" >>"${0%/bin/*}/asked"
for kernel; do :; done
case " $FAILING " in *" $kernel "*) exit 10 ;; *" $kernel:excluded "*) exit 77 ;; esac
echo "$kernel" >>"${0%/bin/*}/built"'
# shellcheck disable=SC2016 # the stub expands it
stub modinfo '[ "$3" = utf8guard ] && grep -qsx "$2" "${0%/bin/*}/built"' # -k KERNEL MODULE
built() { # ACTION [FAILING]: the status, for which kernels, and of which is it said that they have none?
	rm -f "$tap/asked" "$tap/built"
	FAILING=${2-} by_dpkg utf8guard-dkms.postinst "$1" 0.1.0
	echo "$status $(sed -n 's/^install .*-m utf8guard -v .* -k //p' "$tap/asked" 2>/dev/null | paste -sd ,)" \
		"$(sed -n 's/.*no modules for Linux \(.*\); .*/\1/p' <<<"$err" | paste -sd ,)"
}
for action in configure abort-upgrade abort-remove abort-deconfigure; do
	is "postinst $action: dkms builds for these kernels, and another one has no modules" "$(built $action)" \
		"0 6.1-a,6.1-b,6.1-d 6.1-c"
done
# A host that stops soon after that would have files without what was written to them.
# shellcheck disable=SC2016 # the script expands it
stub sync 'echo "sync $*" >>"${0%/bin/*}/asked"'
for script in 'post 1' 'utf8guard-dkms.postinst configure'; do
	read -ra words <<<"$script"
	rm -f "$tap/asked"
	by_dpkg "${words[@]}"
	is "$script: then it waits until they are on the disk" "$status $(tail -n 1 "$tap/asked")" "0 sync -f /lib/modules"
done
like "dkms is not kept from it by modules of make install" "$(cat "$tap/asked")" 'install --force-version-override'
by_dpkg utf8guard-dkms.postinst abort-upgrade 0.1.0
like "of the last one it is said what to do" "$err" 'linux-headers-6\.1-c.*dkms install utf8guard/.* -k 6\.1-c'
by_dpkg posttrans
like "RPM: it is" "$status $err" 'kernel-devel-6\.1-c.*dkms install utf8guard/1-2 -k 6\.1-c'
for script in 'utf8guard-dkms.postinst configure' posttrans; do
	read -ra words <<<"$script"
	is "$script: a kernel has none, and nothing requires them" "$(network "${words[@]}")" "0 0"
	echo utf8guard-required.target >"$tap/units"
	is "$script: the network requires them" "$(network "${words[@]}")" "0 1"
	touch "$tap/lib/modules/6.1-c/build"
	echo 6.1-c >>"$tap/built"
	is "$script: and no kernel has none" "$(network "${words[@]}")" "0 0"
	rm "$tap/lib/modules/6.1-c/build"
	sed -i /6.1-c/d "$tap/built"
	: >"$tap/units"
done
is "postinst triggered: nothing" "$(built triggered)" "0  "
# One kernel for which they cannot be built does not take them from the others.
is "a build fails: for an old kernel" "$(built configure 6.1-a)" "0 6.1-a,6.1-b,6.1-d 6.1-a,6.1-c"
is "for the kernel that runs" "$(built configure 6.1-b)" "1 6.1-a,6.1-b,6.1-d 6.1-b,6.1-c"
is "for the newest" "$(built configure 6.1-d)" "1 6.1-a,6.1-b,6.1-d 6.1-c,6.1-d"
is "after an upgrade that was given up" "$(built abort-upgrade 6.1-b)" "0 6.1-a,6.1-b,6.1-d 6.1-b,6.1-c"
is "dkms.conf excludes a kernel" "$(built configure 6.1-d:excluded)" "0 6.1-a,6.1-b,6.1-d 6.1-c,6.1-d"
unlike "what dkms has for packages ends with the first that fails: it is not asked" "$(cat "$packaging"/debian/{rules,control})" \
	'dh_dkms|dh-sequence-dkms'
unlike "nothing is said of make install" "$err" 'make install'
mkdir -p "$tap/lib/modules/6.1-a/updates/utf8guard"
by_dpkg utf8guard-dkms.postinst configure ''
like "it put modules there" "$status $err" '^0 .*6\.1-a/updates/utf8guard has modules of "make install".*make uninstall'
rm -r "$tap"/lib/modules/*/build
is "no kernel has its headers: none is built for" "$(built configure)" "0  6.1-a,6.1-b,6.1-c,6.1-d"
like "dkms knows of them, for headers that come later" "$(cat "$tap/asked")" 'add -m utf8guard -v '
mkdir -p "$tap/etc/dkms"
touch "$tap/etc/dkms/no-autoinstall"
is "postinst: an administrator who builds by hand is asked to" "$(built configure)" "0  6.1-a,6.1-b,6.1-c,6.1-d"
rm -r "${tap:?}"/{etc,lib,run}
# The RPM: when are the modules of 1-2 removed that dkms has? After an upgrade, the source of another is there.
# shellcheck disable=SC2016 # the program expands it
stub dkms 'echo "$1" >>"${0%/bin/*}/asked"'
source_of() { mkdir -p "$tap/usr/src/utf8guard-$1" && touch "$tap/usr/src/utf8guard-$1/dkms.conf"; }
goes_rpm() { # ARGUMENT
	: >"$tap/asked"
	by_dpkg preun "$1"
	echo "$status $(cat "$tap/asked")"
}
source_of 1-2
is "RPM: erased" "$(goes_rpm 0)" "0 remove"
is "RPM: the same is installed once more" "$(goes_rpm 1)" "0 "
source_of 1-3
is "RPM: another release is" "$(goes_rpm 1)" "0 remove"
rm -r "${tap:?}/usr/src"

# A kernel goes: dkms has forgotten modules that were built for it alone.
elsewhere <"$packaging/debian/prerm.d/utf8guard-dkms" >"$tap/prerm.d"
# shellcheck disable=SC2016 # the program expands it
stub dkms 'case $1 in status) cat "${0%/bin/*}/known" ;; *) echo "$*" >>"${0%/bin/*}/asked"; exit 3 ;; esac'
goes() { # KNOWN: what is dkms asked for?
	echo "$1" >"$tap/known"
	: >"$tap/asked"
	by_dpkg prerm.d 6.1-a /boot/vmlinuz-6.1-a
	echo "$status $err$(cat "$tap/asked")"
}
is "a kernel goes, and no source of modules is there" "$(goes '')" "0 "
mkdir -p "$tap/usr/src/utf8guard-0.1.0~git1"
touch "$tap/usr/src/utf8guard-0.1.0~git1/dkms.conf"
is "a kernel goes that was the last: dkms is told again" "$(goes '')" "0 add -m utf8guard -v 0.1.0~git1"
is "another one has modules" "$(goes 'utf8guard/0.1.0~git1, 6.1-b, x86_64: installed')" "0 "
# shellcheck disable=SC2016 # for the shell in there
ok "after dkms, whose script does it" sh -c '[ "$(printf "%s\n" dkms "$1" | LC_ALL=C sort | tail -n 1)" != dkms ]' sh \
	"$(sed -n 's,^debian/prerm.d/\([^ ]*\) etc/kernel/prerm.d$,\1,p' "$packaging/debian/utf8guard-dkms.install")"
rm -r "${tap:?}/usr/src"
for action in remove upgrade deconfigure; do
	# shellcheck disable=SC2016 # the stub expands it
	stub dkms 'echo "$*" | tee -a "${0%/bin/*}/asked"'
	: >"$tap/asked"
	by_dpkg utf8guard-dkms.prerm $action
	like "prerm $action: dkms removes them" "$status $(tail -n 1 "$tap/asked")" '^0 remove -m utf8guard -v .* --all$'
done
: >"$tap/asked"
by_dpkg utf8guard-dkms.prerm failed-upgrade
is "prerm failed-upgrade: nothing" "$status $(cat "$tap/asked")" "0 "
stub dkms :

# An upgrade asks for a boot if one of the modules that are loaded is not as it is installed: the checksum
# of one says nothing of the others. Loaded and installed modules are directories here.
# modinfo -F FIELD MODULE; or -k KERNEL MODULE
# shellcheck disable=SC2016 # the script expands it
stub modinfo '[ "$1" != -F ] || cat "${0%/bin/*}/installed/$3/$2"'
modules='utf8guard utf8guard_fs utf8guard_nf xt_utf8 nf_conntrack_utf8'
after() { # SCRIPT ARGUMENT COMMAND: its status after that, how often it asks for a boot, and in which file
	local module directory
	rm -rf "${tap:?}"/{sys,installed,run}
	mkdir -p "$tap/run" "$tap/lib/modules/6.1-b"
	for module in $modules; do
		for directory in "$tap/sys/module/$module" "$tap/installed/$module"; do
			mkdir -p "$directory"
			echo 0.1.0 >"$directory/version"
			echo "A1$module" >"$directory/srcversion"
		done
	done
	(cd "$tap" && eval "$3")
	by_dpkg "$1" "$2"
	echo "$status" "$(grep -c 'modules that are loaded stay in force' <<<"$err")" \
		"$(grep -o 'do not boot' <<<"$err")$(cat "$tap/run/reboot-required.pkgs" 2>/dev/null)$(cd "$tap/run" && ls)"
}
none="0 0 " boot="0 1 utf8guard-dkmsreboot-required"$'\n'reboot-required.pkgs stay="0 1 do not boot"
is "postinst: the same modules" "$(after utf8guard-dkms.postinst configure :)" "$none"
is "postinst: no module is loaded" "$(after utf8guard-dkms.postinst configure 'rm -r sys; echo B2 >installed/utf8guard/srcversion')" "$none"
is "postinst: one that is not loaded is another" \
	"$(after utf8guard-dkms.postinst configure 'rm -r sys/module/xt_utf8; echo B2 >installed/xt_utf8/srcversion')" "$none"
for module in $modules; do
	is "postinst: another $module" "$(after utf8guard-dkms.postinst configure "echo B2 >installed/$module/srcversion")" "$boot"
	is "postinst: another version of it" "$(after utf8guard-dkms.postinst configure "echo 0.2.0 >installed/$module/version")" "$boot"
	is "postinst: none any more" "$(after utf8guard-dkms.postinst configure "rm -r installed/$module")" "$stay"
done
is "postinst: all are others" "$(after utf8guard-dkms.postinst configure 'sed -i s/A1/B2/ installed/*/srcversion')" "$boot"
is "postinst: what cannot be written to /run stops nothing" "$(after utf8guard-dkms.postinst configure \
	'mkdir run/reboot-required.pkgs; echo B2 >installed/utf8guard/srcversion')" "0 1 reboot-required"$'\n'reboot-required.pkgs
is "postinst: a container, which sees the modules of its host" "$(after utf8guard-dkms.postinst configure 'rm -r lib installed/utf8guard')" \
	"$none"
# Only after the transaction are the modules of the version before gone.
is "RPM: before that, nothing is said" "$(after post 2 'rm -r installed')" "$none"
is "RPM: the same modules" "$(after posttrans '' :)" "$none"
is "RPM: others" "$(after posttrans '' 'sed -i s/A1/B2/ installed/*/srcversion')" "0 1 "
is "RPM: none any more" "$(after posttrans '' 'rm -r installed')" "$stay"
is "RPM: no module is loaded" "$(after posttrans '' 'rm -r sys installed')" "$none"
is "RPM: modules are erased that are loaded" "$(after preun 0 :)" "0 1 "
is "RPM: none is loaded" "$(after preun 0 'rm -r sys')" "0 0 "
is "RPM: those before an upgrade" "$(after preun 1 :)" "0 0 "
done_testing
