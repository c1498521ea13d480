#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# make install and uninstall, below a DESTDIR, for the stock 6.12 kernel: what
# is there, whether modprobe would find it, and that nothing is left behind.
#
# promise operator: make uninstall leaves nothing of what make install brought
# shown by: nothing is left
# promise operator: no timer goes on after make uninstall
# shown by: it stops $unit

top=$(readlink -f "$(dirname "$0")/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"
cd "$top" || exit

dest=$(mktemp -d)
at_exit "rm -rf $dest"

read -r release dir < <(scripts/vm/kernel.sh 6.12)
kdir=$dir/usr/src/linux-headers-$release

# By whoever lets nobody else read his files, as he built them, and into a directory below this one.
umask 077
make -s modules KDIR="$kdir"
chmod go= build/kbuild/"$release"/*.ko
run make -s install DESTDIR="$(realpath --relative-to=. "$dest")" KDIR="$kdir"
umask 022
is "make install" "$status" 0
is "other users may read all" "$(find "$dest"/* ! -perm -o=r -print)" ""
unlike "there is no warning" "$err" warning
is "all five modules are there" "$(find "$dest/lib/modules/$release/updates/utf8guard" -name "*.ko*" | wc -l)" 5
like "it says what it enables at boot, and what it does not" "$out" \
	'At boot from now on: the modules utf8guard_fs,.*modules-load.d/utf8guard.conf.*No service was enabled'
ok "the tool is there" test -x "$dest/usr/local/sbin/utf8guard"
if extensions=$(pkg-config --variable=xtlibdir xtables 2>/dev/null); then
	ok "iptables would find its extension" env XTABLES_LIBDIR="$dest$extensions" \
		iptables-translate -A INPUT -p tcp -m utf8
else
	skip 1 "no libxtables"
fi
share=$dest/usr/local/share
for page in man5/utf8guard.conf.5 man8/{utf8guard,xt_utf8,nf_conntrack_utf8}.8 \
	man9/utf8guard.9; do
	ok "$page is there" test -f "$share/man/$page"
done
for file in bash-completion/completions/utf8guard zsh/site-functions/_utf8guard \
	fish/vendor_completions.d/utf8guard.fish doc/utf8guard/examples/utf8guard.conf \
	doc/utf8guard/CHANGES.md utf8guard/utf8guard.schema.json; do
	ok "$file is there" test -f "$share/$file"
done
for file in zsh/site-functions/_utf8guard fish/vendor_completions.d/utf8guard.fish; do
	like "$file asks the completion of bash" "$(cat "$share/$file")" \
		'[[:space:]]/usr/local/share/bash-completion/completions/utf8guard '
done
is "the modules that are loaded at boot" \
	"$(grep -v '^#' "$dest/usr/local/lib/modules-load.d/utf8guard.conf" | xargs)" "utf8guard_fs utf8guard_nf"

# systemd has looked for units before it mounts /usr/local.
install_on() { # MOUNT WORD...
	# shellcheck disable=SC2016 # the shell in there expands it
	run unshare --user --map-root-user --mount sh -c 'mount -t tmpfs tmpfs "$0" && make -s install-tools DESTDIR="$@"' \
		"$dest$1" "$dest" "${@:2}"
}
# unshare(1) cannot keep mounts to itself where / is no mount point, as in a chroot.
if unshare --user --map-root-user --mount true 2>/dev/null; then
	install_on /usr/local
	like "units on a mount of their own: a warning" "$status $err" \
		'^0 .*/usr/local/lib/systemd/system is on a mount of its own.*: make install SYSTEMD=/etc/systemd MODULES_LOAD=/etc/modules-load\.d'
	install_on /usr/local SYSTEMD=/etc/systemd MODULES_LOAD=/etc/modules-load.d
	is "as it says: none" "$status $err" "0 "
	install_on /usr/local SYSTEMD=/etc/systemd
	like "with half of it: another warning" "$status $err" \
		'^0 .*/usr/local/lib/modules-load\.d is on a mount of its own'
	install_on /usr
	is "nor on that of /usr, which the initramfs mounts" "$status $err" "0 "
else
	skip 4 "no mount namespace here"
	make -s install-tools DESTDIR="$dest" SYSTEMD=/etc/systemd MODULES_LOAD=/etc/modules-load.d
fi
for file in systemd/system/utf8guard.service systemd/system-preset/50-utf8guard.preset modules-load.d/utf8guard.conf; do
	ok "/etc/$file is there" test -f "$dest/etc/$file"
done
run make -s uninstall DESTDIR="$dest" SYSTEMD=/etc/systemd MODULES_LOAD=/etc/modules-load.d TREES="$tap/none" KDIR="$tap/none"
is "and uninstall takes them away" "$status $(find "$dest/etc" -type f)" "0 "
# Without a program, units in /etc would win against those of a package. Whoever uninstalls may not know how it was installed.
elsewhere=(SYSTEMD=/etc/systemd MODULES_LOAD=/etc/modules-load.d)
is "and those of another installation, without the words" "$(find "$dest/usr/local/lib" -type f)" ""
make -s install-tools DESTDIR="$dest" "${elsewhere[@]}"
run make -s uninstall DESTDIR="$dest" TREES="$tap/none" KDIR="$tap/none"
is "without the words, uninstall takes those in /etc away, too" "$status $err $(find "$dest/etc" -type f)" "0  "
make -s install-tools DESTDIR="$dest" "${elsewhere[@]}"
echo "# changed" >>"$dest/etc/systemd/system/utf8guard.service"
echo "# another" >"$dest/etc/modules-load.d/utf8guard.conf"
run make -s uninstall DESTDIR="$dest" TREES="$tap/none" KDIR="$tap/none"
is "but nothing that somebody has changed" "$status $(cd "$dest/etc" && find . -type f | sort | xargs)" \
	"0 ./modules-load.d/utf8guard.conf ./systemd/system/utf8guard.service"
is "and says so" "$err" "warning: $dest/etc/systemd/system/utf8guard.service stays, for it is not as install writes it now
warning: $dest/etc/modules-load.d/utf8guard.conf stays, for it is not as install writes it now"
rm -r "${dest:?}/etc"
make -s install-tools DESTDIR="$dest" "${elsewhere[@]}"
for file in "$dest"/etc/systemd/system/utf8guard-{metrics.service,check.timer}; do
	echo "# changed" >>"$file"
done
run make -s uninstall DESTDIR="$dest" TREES="$tap/none" KDIR="$tap/none"
is "nor of those that are about others" "$status $(grep -c '^warning: .* stays, ' <<<"$err") $(find "$dest/etc" -type f | wc -l)" \
	"0 2 2"
rm -r "${dest:?}/etc"
make -s install-tools DESTDIR="$dest" PREFIX=/usr "${elsewhere[@]}"
before=$(find "$dest/etc" -type f | sort)
make -s install-tools DESTDIR="$dest"
run make -s uninstall DESTDIR="$dest" TREES="$tap/none" KDIR="$tap/none"
is "those of another PREFIX stay" "$status $err $(find "$dest/etc" -type f | sort)" "0  $before"
run make -s uninstall DESTDIR="$dest" PREFIX=/usr TREES="$tap/none" KDIR="$tap/none"
is "until that is uninstalled" "$status $err $(find "$dest/etc" -type f)" "0  "
make -s install-tools DESTDIR="$dest"

# The units as they were installed, and what systemd says of them.
units=$dest/usr/local/lib/systemd/system unit=$units/utf8guard.service
like "the unit loads the policy" "$(cat "$unit")" 'ExecStart=.*/usr/local/sbin/utf8guard load --loaded /etc/utf8guard\.conf'
like "before the network" "$(cat "$unit")" 'Before=network-pre\.target'
unlike "and stopping it flushes nothing" "$(cat "$unit")" 'ExecStop'
like "another one follows mounts" "$(cat "$units/utf8guard-follow.service")" 'ExecStart=.*/usr/local/sbin/utf8guard follow'
# systemd asks a condition once, when the unit is started: at installation, no module is loaded.
is "no unit asks whether a module is loaded" "$(grep -lE '^(Condition|Assert).*=.*/sys/module' "$units"/*)" ""
for unit in utf8guard-required.{target,service} utf8guard-{check,metrics}.{service,timer}; do
	ok "$unit is there" test -f "$units/$unit"
done
# Without a preset, systemd enables all units of an image at its first boot, and the network would
# wait for a policy.
run systemctl --root="$dest" preset-all --preset-mode=enable-only
is "the first boot of an image enables none" "$status $(find "$dest/etc" -type l 2>/dev/null)" "0 "
# Where it disables, too, an image has a preset of its own, as the manual has it.
mkdir -p "$dest/etc/systemd/system-preset"
sed -n '/10-image\.preset$/,/^\.Ed$/{/^enable/p}' userspace/man/utf8guard.8 >"$dest/etc/systemd/system-preset/10-image.preset"
systemctl -q --root="$dest" enable utf8guard.service utf8guard-follow.service utf8guard-check.timer
run systemctl --root="$dest" preset-all
is "a preset of an image keeps what it names enabled" \
	"$(systemctl --root="$dest" is-enabled utf8guard.service utf8guard-follow.service utf8guard-check.timer | xargs)" \
	"enabled enabled disabled"
rm -rf "${dest:?}/etc"
ok "what writes the metrics is there" test -x "$dest/usr/local/lib/utf8guard/textfile"
unlike "and all places are filled in" "$(cat "$units"/* "$dest/usr/local/lib/utf8guard/textfile")" '@[A-Z]+@'
# What the service does, without systemd: also where /run is full, or cannot be written to.
command=$(sed -n '/^ExecStart=/,$p' "$units/utf8guard-check.service" | sed -e ':a;/\\$/{N;s/\\\n//;ba}' \
	-e "s/^ExecStart=.bin.sh -c '//;s/'\$//;s/%%/%/g;s/\\$\\$/$/g" \
	-e "s,/usr/local/sbin/utf8guard,$tap/check,;s,/run/utf8guard/check,\"\$file\",g")
said='UTF8GUARD SOMETHING - /etc/\xE9: said'
for code in 0:0 1:0 2:102 3:103; do
	printf '#!/bin/sh\nprintf "%%s\\n" '\''%s'\''\nexit %s\n' "$said" ${code%:*} >"$tap/check"
	chmod +x "$tap/check"
	for file in "$tap/found" /dev/full "$tap/none/found"; do
		run timeout 10 env file="$file" sh -c "$command"
		is "check says ${code%:*}: status and journal, with $file" "$status $out" "${code#*:} $said"
	done
	is "... and what is told at login" "$(cat "$tap/found")" "$([ $code = 0:0 ] || echo "$said")"
done
for file in utf8guard.rules.yml utf8guard.dashboard.json daemonset.yml ansible/roles/utf8guard/tasks/main.yml; do
	ok "$file is there" test -f "$share/utf8guard/$file"
done
if command -v systemd-analyze >/dev/null; then
	# systemd-analyze looks for the programs, too, and these are below DESTDIR alone.
	sed -i "s,/usr/local/\(sbin\|lib\),$dest&,g" "$units"/*.service
	# Units find the others that they name there.
	export SYSTEMD_UNIT_PATH=$units:
	for unit in "$units"/*; do
		run systemd-analyze verify --man=no "$unit"
		is "systemd-analyze verify ${unit##*/}" "$status $out$err" "0 "
	done
else
	skip 7 "no systemd-analyze"
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

# The headers of that kernel are gone, and another one has modules, too.
mkdir -p "$dest/lib/modules/6.1-other/updates"
cp -r "$dest/lib/modules/$release/updates/utf8guard" "$dest/lib/modules/6.1-other/updates"
run make -s uninstall DESTDIR="$dest" KDIR="$tap/none"
is "make uninstall" "$status" 0
run find "$dest" -type f ! -name 'modules.*'
is "nothing is left" "$out" ""

# Without DESTDIR: a timer that goes on would find, or miss, what is gone; with FailureAction=
# that ends the host. The modules are elsewhere, so that nothing of this machine goes.
timer=$tap/usr/lib/systemd/system/utf8guard-check.timer
mkdir -p "$tap/bin" "${timer%/*}"
touch "$timer"
cat >"$tap/bin/systemctl" <<END
#!/bin/sh
[ -e "$timer" ] && echo "before: \$*" || echo "after: \$*"
END
sed -i "1a exec >>'$tap/said'" "$tap/bin/systemctl"
printf '#!/bin/sh\numask >>"%s"\necho "$*" >>"%s"\n' "$tap/umask" "$tap/depmod" >"$tap/bin/depmod"
chmod +x "$tap/bin"/*
mkdir -p "$tap"/lib/modules/{6.1-a/updates/utf8guard,6.1-b/updates/utf8guard,6.1-c/updates/dkms}
uninstall() {
	run env PATH="$tap/bin:$PATH" make -s uninstall PREFIX="$tap/usr" TREES="$tap/lib/modules" PACKAGED="$tap/lib/systemd" \
		XTABLES= KDIR="$tap/none" FOUND_OUT="$tap/found"
}
: >"$tap/found"
umask 077
uninstall
umask 022
is "make uninstall, with systemd" "$status $err" "0 "
is "other users may read what depmod writes" "$(sort -u "$tap/umask")" 0022
is "modules go from the kernels that had some" "$(xargs <"$tap/depmod") $(cd "$tap/lib/modules" && echo */updates/*)" \
	"6.1-a 6.1-b 6.1-c/updates/dkms"
for unit in utf8guard-check.timer utf8guard-metrics.timer utf8guard-follow.service; do
	like "it stops $unit" "$(cat "$tap/said")" "before: disable --now [^
]*$unit"
done
for unit in utf8guard.service utf8guard-required.target; do
	like "it disables $unit" "$(cat "$tap/said")" "before: disable [^
]*$unit"
	unlike "and does not stop it, or what requires it" "$(cat "$tap/said")" "(--now|stop)[^
]*$unit"
done
is "then systemd forgets them" "$(tail -n 1 "$tap/said")" "after: daemon-reload"
is "what was found out last is not shown on" "$(ls "$tap/found" 2>/dev/null)" ""

# The package has units of the same names, which were enabled by it or by the administrator.
mkdir -p "$tap/lib/systemd"
touch "$tap/lib/systemd/utf8guard.service"
rm "$tap/said"
uninstall
is "units of a package stay enabled" "$status $(cat "$tap/said")" "0 after: daemon-reload"
like "which is said" "$out" "units stay enabled.* $tap/lib/systemd/utf8guard\.service"

# Rules need the extension of iptables: to be loaded, and to be listed. A package has it in the same directory.
printf '#!/bin/sh\n[ -e "%s" ]\n' "$tap/packaged" | tee "$tap/bin/rpm" >"$tap/bin/dpkg-query"
chmod +x "$tap/bin"/*
extension_goes() { # USES [WORD...]: its status; are rules in force said, and a package; files; what is left
	mkdir -p "$tap/xtables" && touch "$tap/xtables/libxt_utf8.so"
	echo "$1" >"$tap/uses"
	run env PATH="$tap/bin:$PATH" make -s uninstall PREFIX="$tap/usr" TREES="$tap/none" KDIR="$tap/none" FOUND_OUT="$tap/found" \
		XTABLES="$tap/xtables" XT_USES="$tap/uses" FIREWALLS="$tap/rules.*" "${@:2}"
	echo "$status $(grep -c 'iptables-save fails' <<<"$err") $(grep -c 'that of a package: ' <<<"$out")" \
		"$(sed -n "s,.* nothing of $tap/\(.*\) is loaded.*,\1,p" <<<"$err")" "$(ls "$tap/xtables")"
}
printf '*filter\n# -m utf8\nCOMMIT\n' >"$tap/rules.v6"
is "the extension goes" "$(extension_goes 0)" "0 0 0  "
is "rules use the module" "$(extension_goes 2)" "0 1 0  "
printf '*filter\n-A INPUT -p tcp -m utf8 -j DROP\nCOMMIT\n' >"$tap/rules.v4"
is "a file has some" "$(extension_goes 0)" "0 0 0 rules.v4 "
is "a DESTDIR is another host's" "$(extension_goes 2 DESTDIR=/)" "0 0 0  "
: >"$tap/packaged"
is "that of a package stays, which is said" "$(extension_goes 2)" "0 0 1  libxt_utf8.so"

# make ends a name at a space, so that each rule would fail in a way of its own.
mkdir "$tap/a checkout"
cp Makefile "$tap/a checkout"
run make -s -C "$tap/a checkout" tools
like "a checkout whose path has a space" "$status $err" "^2 .*a checkout: .*space"
done_testing
