#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The packages on a Debian with systemd, which is booted: installed, upgraded, brought to
# another kernel, removed. dkms builds at the speed of this machine, between two boots;
# the kernels boot in the emulator.
#
#   upgrade.t bookworm|trixie
#
# promise administrator by mistake: without modules or without a policy there is no network, where
#   he asked for that, and who logs in is told
# shown by: there is no network
# shown by: without a policy there is no network
# shown by: who logs in is told
# promise local user: the policy is in force before the network and before users may log in, and
#   names are refused while the network comes up
# shown by: and before the network
# shown by: and before users may log in
# shown by: who made a name while the network came up was refused
# promise operator: an upgrade of the packages keeps rules, handles and counters, and names are
#   refused all the while
# shown by: and all others, with their handles, and the modules
# shown by: no counter went back
# shown by: at no moment it was made
# promise operator: a purge of the packages leaves nothing, and no unit that fails
# shown by: a purge leaves nothing
# shown by: the next boot is without a failed unit

# shellcheck source=userspace/tests/packages/machine.sh
. "$(dirname "$(readlink -f "$0")")/machine.sh"

suite=${1:-trixie}
# The upgrade is to the newest kernel that this Debian has besides its own.
case $suite in
bookworm) later='linux-image-6\.12\.[0-9]+\+deb12-amd64' ;;
trixie) later='linux-image-[7-9]\.[0-9]+\.[0-9]+\+deb13-amd64' ;;
esac

# Two versions: what is committed, and the same with another number and another example of a policy.
build_both() {
	packages && mkdir -p "$debs/2" && next_version &&
		echo '# another example' >>"$work/next/userspace/units/utf8guard.conf" &&
		git -C "$work/next" -c user.name=test -c user.email=test@localhost commit -q -a -m 'example' &&
		"$work/next/scripts/packaging/deb.sh" "$suite" >"$work/built" || return
	grep -v -e -dbgsym_ "$work/built" | xargs cp -t "$debs/2"
	rm -rf "$work/next"
}

# All files but those of apt, dpkg, caches and logs, which keep a history.
list() {
	on_disk find . -xdev ! -path './var/lib/dpkg/*' ! -path './var/cache/*' ! -path './var/lib/apt/*' ! -path './var/log/*' \
		! -path './opt/*' ! -path './root/debs*' ! -path './var/lib/systemd/*' ! -path './var/tmp/*' ! -path './tmp/*' ! -path './etc/machine-id' \
		! -path './var/lib/dbus/*' ! -name '*.pyc' ! -name __pycache__ ! -path './lib/modules/*/modules.*' ! -path './usr/lib/modules/*/modules.*' |
		LC_ALL=C sort
}

machine "$suite"
# A volume that is mounted when somebody looks there.
volume=6a1f2c3d-0b9e-4e7c-8a55-1d2e3f405162
truncate -s 16M "$work/volume"
mkfs.ext4 -q -U $volume "$work/volume"
drives=(-drive "file=$work/volume,if=virtio,format=raw,cache=unsafe")
ok "two versions of the packages are built, and lintian has no objection" build_both
[ -e "$debs/2" ] || bail_out "no packages"
list >"$work/before"

# --- installed on a disk that is not booted
run inside sh -c 'apt-get -q update && apt-get -q -y --no-install-recommends install /opt/debs/1/*.deb'
is "apt-get installs them" "$status" 0 || diag "$out$err"
cp "$tap/out" "$top/build/vm/packages.$suite.install.log"
first=$(on_disk sh -c 'ls lib/modules' | sort -V | tail -n 1)
like "dkms has built the modules for $first" "$(inside dkms status)" "utf8guard.*${first//+/\\+}.*: installed"
is "all five" "$(on_disk find "lib/modules/$first/updates/dkms" -name '*.ko*' | wc -l)" 5
# The compiler that the headers name, and that the kernel was built with.
compiler=$(on_disk grep -o 'gcc-[0-9]*' "usr/src/linux-headers-$first/.kernelvariables" | head -n 1)
like "by $compiler, which built that kernel" "$(on_disk sh -c "zcat -f /dev/null; for f in lib/modules/$first/updates/dkms/utf8guard.ko*; do
	case \$f in *.xz) xz -dc \$f ;; *.zst) zstd -qdc \$f ;; *) cat \$f ;; esac; done" | strings | grep -m 1 '^GCC:')" \
	"GCC: \(Debian ${compiler#gcc-}\."
is "the example is the policy" "$(on_disk cat etc/utf8guard.conf)" "$(cat "$top/userspace/units/utf8guard.conf")"
is "presets agree with what is enabled" \
	"$(inside systemctl list-unit-files --no-legend 'utf8guard*' | awk '$2 !~ "static" && $2 != $3')" ""
# shellcheck disable=SC2016 # the shell in there expands it
on_disk sh -c 'mkdir -p srv/share srv/other srv/auto root/debs
	echo "UUID=$1 /srv/auto ext4 noauto,nofail,x-systemd.automount 0 0" >>etc/fstab
	cp -r "$0"/2 root/debs
	cat >etc/utf8guard.conf' "$debs" "$volume" <<'END'
fs flush
net flush
fs set default audit
fs add subtree /srv/share enforce comment share
fs add subtree /srv/auto volume ext4:6a1f2c3d-0b9e-4e7c-8a55-1d2e3f405162:/ enforce comment auto
net add input tcp dport 8080 drop comment web
END
# No network without a policy, and a report when it goes: by a timer, here sooner than by default.
run inside systemctl enable utf8guard-required.target utf8guard-check.timer utf8guard-metrics.timer
is "the target and the timers are enabled" "$status" 0 || diag "$out$err"
# shellcheck disable=SC2016 # the shell in there expands it
on_disk sh -c 'mkdir -p "var/lib/prometheus/node-exporter" "$1" && cat >"$1/soon.conf"' sh etc/systemd/system/utf8guard-check.timer.d <<'END'
[Timer]
OnBootSec=
OnBootSec=20s
OnUnitActiveSec=10s
RandomizedDelaySec=0
AccuracySec=1s
END
# While the network comes up, a unit already makes a name.
on_disk sh -c 'cat >etc/systemd/system/early.service; ln -s ../early.service etc/systemd/system/network-pre.target.wants/ 2>/dev/null ||
	{ mkdir -p etc/systemd/system/network.target.wants; ln -s ../early.service etc/systemd/system/network.target.wants/; }' < <(
	# shellcheck disable=SC2016 # the shell of the unit expands it
	"$top/userspace/tests/network_unit.sh" '/bin/sh -c '\''if touch "/srv/share/$(printf "early\\300\\256")"; then echo made; else echo refused; fi >/run/early 2>&1'\')

# What every boot is asked.
common() {
	cat <<'END'
bad=$(printf 'bad\300\256name')
at() { systemctl show -p "$1" --value "$2"; }
refused() { ! (: >"/srv/share/$bad") 2>/dev/null; }
is "the service is active" "$(systemctl is-active utf8guard.service)" active
is "no unit failed" "$(systemctl --failed --no-legend --plain)" ""
network() { ip -br addr show dev dummy0 | grep -q 192.0.2.1/24 && systemctl -q is-active systemd-networkd.service; }
soon() { # COMMAND...: within two minutes
	local end=$((SECONDS + 120))
	until "$@"; do [ $SECONDS -lt $end ] || return; sleep 0.5; done
}
ok "the network is up" soon network
is "the modules are loaded" "$(lsmod | awk '/^utf8guard/ {print $1}' | sort | xargs)" "utf8guard utf8guard_fs utf8guard_nf"
ok "a bad name is refused" refused
ok "a good one is not" touch /srv/share/good
ok "elsewhere it is only audited" touch "/srv/other/$bad"
rm -f "/srv/other/$bad" /srv/share/good
like "the rule for packets is there" "$(utf8guard net)" 'net add input tcp dport 8080 drop comment web'
done=$(at ExecMainExitTimestampMonotonic utf8guard.service)
note "utf8guard.service is done after $((done / 1000)) ms"
before() { # UNIT
	local when
	when=$(at ActiveEnterTimestampMonotonic "$1")
	[ "$when" -gt 0 ] && [ "$done" -gt 0 ] && [ "$done" -le "$when" ] || { echo "$1 $when, the policy $done"; return 1; }
}
ok "the policy is in force before network-pre.target" before network-pre.target
ok "and before the network" before systemd-networkd.service
is "which waits for the target" "$(systemctl is-active utf8guard-required.target)" active
ok "and before users may log in" before systemd-user-sessions.service
ok "and before sysinit.target, which all ordinary services come after" before sysinit.target
like "by its order, and not by luck" "$(systemctl show -p Before utf8guard.service)" 'sysinit\.target'
after() {
	local when
	when=$(at ActiveEnterTimestampMonotonic "$1")
	[ "$when" -gt 0 ] && [ "$when" -le "$(at ExecMainStartTimestampMonotonic utf8guard.service)" ]
}
ok "after local file systems" after local-fs.target
ok "and after the modules" after systemd-modules-load.service
is "who made a name while the network came up was refused" "$(tail -n 1 /run/early)" refused
END
}

# --- the first boot
{
	common
	cat <<'END'
like "show says so" "$(utf8guard show)" 'name check +default audit, rules 3'
# What the timers do by themselves.
metrics=/var/lib/prometheus/node-exporter/utf8guard.prom
ok "the timer writes the metrics" soon test -e $metrics
like "that it is loaded, and in force" "$(cat $metrics)" 'utf8guard_loaded\{module="utf8guard_fs"\} 1.*utf8guard_check_status 0'
is "nobody else has begun that" "$(at TriggeredBy utf8guard-metrics.service)" utf8guard-metrics.timer
written=$(stat -c %i $metrics)
anew() { [ "$(stat -c %i $metrics)" != "$written" ]; }
ok "and once more within the next two minutes" soon anew
failed() { [ "$(systemctl is-failed utf8guard-check.service)" = failed ]; }
utf8guard net flush
ok "a rule goes: the timer finds it" soon failed
like "what was found is told at login" "$(cat /run/utf8guard/check)" 'UTF8GUARD CRITICAL.*missing'
ok "the network stays" network
utf8guard load /etc/utf8guard.conf
mended() { ! failed && [ ! -s /run/utf8guard/check ]; }
ok "it is there again: so does the timer" soon mended
state() { utf8guard save; utf8guard -j fs | grep -o '"handle":[0-9]*'; cat /sys/module/utf8guard/srcversion; }
counted() { utf8guard -j fs | sed 's/.*"comment":"share"[^]]*"refused":\([0-9]*\).*/\1/'; }
( while :; do refused || { echo made; rm -f "/srv/share/$bad"; }; sleep 0.2; done ) >/run/gap 2>&1 &
watcher=$!
before=$(state) refusals=$(counted)
utf8guard fs add subtree /srv/other enforce comment 'not in the file'
dpkg -i /root/debs/2/utf8guard_*.deb >/run/dpkg 2>&1
is "the tool is upgraded while the policy is in force" "$?" 0 || cat /run/dpkg
unlike "though its example is another one, it asks nothing about the policy" "$(cat /run/dpkg)" 'onfiguration file'
like "it is another version, of this Debian" "$(dpkg-query -W utf8guard)" '9\.0\.0.*~deb1[23]u1$'
like "show says that the modules are not those of this tool" "$(utf8guard show)" 'warning +this tool is of build 9\.0\.0 \([0-9a-f]{12}\), the modules that are loaded are of '
like "a rule that no file has is still there" "$(utf8guard fs)" "not in the file"
utf8guard fs del subtree /srv/other enforce comment 'not in the file'
is "and all others, with their handles, and the modules" "$(state)" "$before"
ok "no counter went back" [ "$(counted)" -ge "$refusals" ]
is "follow runs again" "$(systemctl is-active utf8guard-follow.service)" active
# dkms is told not to build, as by an administrator who does that by hand: then the modules that
# are loaded have no file any more.
touch /etc/dkms/no-autoinstall
dpkg -i /root/debs/2/utf8guard-dkms_*.deb >/run/dpkg 2>&1
is "the modules are upgraded" "$?" 0 || cat /run/dpkg
like "it says that those which are loaded stay, and warns of a boot" "$(cat /run/dpkg)" \
	'modules that are loaded stay in force, but none are installed for .*do not boot it'
like "and warns of a kernel that has none" "$(cat /run/dpkg)" "warning: no modules for Linux ${KERNEL//+/\\+}"
not_ok "nobody is asked to boot" [ -e /run/reboot-required ]
rm /etc/dkms/no-autoinstall
ok "the name is refused as before" refused
kill $watcher
is "at no moment it was made" "$(cat /run/gap)" ""
END
} >"$work/script"
boot first <"$work/script"

# --- a kernel without modules is loud
boot -t 600 absent <<'END'
is "the modules are not there" "$(lsmod | grep -c ^utf8guard)" 0
network() { ip -br addr show dev dummy0 2>/dev/null | grep -q 192.0.2.1/24 || systemctl -q is-active systemd-networkd.service; }
not_ok "there is no network" network
is "utf8guard.service failed" "$(systemctl is-failed utf8guard.service)" failed
is "the check failed" "$(systemctl is-failed utf8guard-check.service)" failed
like "who logs in is told" "$(cat /run/utf8guard/check)" 'UTF8GUARD CRITICAL.*utf8guard_fs is not loaded'
like "the journal says why, and what to do" "$(journalctl -b -u utf8guard --no-pager)" 'not loaded'
like "so does the list of what failed" "$(systemctl --failed --no-legend --plain)" utf8guard.service
is "names are not refused then" "$(tail -n 1 /run/early)" made
rm /srv/share/early*
END

# --- another kernel, after the only one with modules has gone, as far as its scripts tell dkms of that
# shellcheck disable=SC2016 # the shell in there expands it
run inside sh -c 'dpkg-reconfigure utf8guard-dkms && run-parts --arg="$2" /etc/kernel/prerm.d && apt-get -q update && k=$(apt-cache pkgnames linux-image- | grep -Ex "$0" | sort -V | tail -n 1) &&
	apt-get -q -y --no-install-recommends -t "$1" install $k linux-headers-${k#linux-image-}' "$later" "$suite-backports" "$first"
is "apt-get installs a later kernel with its headers" "$status" 0 || diag "$out$err"
on_disk "$here/slim.sh" .
cp "$tap/out" "$top/build/vm/packages.$suite.kernel.log"
second=$(on_disk sh -c 'ls lib/modules' | sort -V | tail -n 1)
isnt "it is another one" "$second" "$first"
like "dkms has built the modules for it, too" "$(inside dkms status)" "utf8guard.*${second//+/\\+}.*: installed"

# A kernel for which they cannot be built takes them from no other.
# shellcheck disable=SC2016 # the shell in there expands it
run inside sh -c 'cd "/lib/modules/$0/build" && mv Makefile Makefile.off && echo "all modules: ; false" >Makefile &&
	dpkg -i /opt/debs/2/utf8guard-dkms_*.deb; code=$?; mv Makefile.off Makefile; exit $code' "$first"
is "the modules cannot be built for the old kernel, and are installed" "$status" 0 || diag "$out$err"
like "of which it warns" "$err" "warning: no modules for Linux ${first//+/\\+}"
is "dkms has built them for the later one" "$(inside dkms status | sed -n 's/^utf8guard[^,]*, \([^,]*\),.*: installed.*/\1/p')" "$second"

{
	common
	cat <<END
is "the kernel is the new one, at its first boot" "\$KERNEL" "$second"
is "and the modules are those of the upgrade" "\$(cat /sys/module/utf8guard/version)" 9.0.0
END
	cat <<'END'
is "the automount is not mounted" "$(findmnt -n -o FSTYPE /srv/auto)" autofs
like "so its rule waits" "$(utf8guard fs)" 'comment auto # handle [0-9]+, waiting for its file system'
not_ok "whoever looks there has it mounted, and makes no bad name" touch "/srv/auto/$bad"
is "it is mounted" "$(findmnt -n -o FSTYPE /srv/auto | tail -n 1)" ext4
ok "a good name is made there" touch /srv/auto/good
END
} >"$work/script"
boot second <"$work/script"

# --- the lack of a policy is as loud
on_disk mv etc/utf8guard.conf etc/utf8guard.conf.off
boot -t 600 no_policy <<'END'
network() { ip -br addr show dev dummy0 2>/dev/null | grep -q 192.0.2.1/24 || systemctl -q is-active systemd-networkd.service; }
is "the modules are loaded" "$(lsmod | awk '/^utf8guard/ {print $1}' | sort | xargs)" "utf8guard utf8guard_fs utf8guard_nf"
not_ok "without a policy there is no network" network
is "for the check failed" "$(systemctl is-failed utf8guard-check.service)" failed
mv /etc/utf8guard.conf.off /etc/utf8guard.conf
systemctl start utf8guard.service
ok "once there is one, the network starts" systemctl start systemd-networkd.service
up() { for _ in {1..240}; do ! ip -br addr show dev dummy0 2>/dev/null | grep -q 192.0.2.1/24 || return 0; sleep 0.5; done; return 1; }
ok "and is there" up
END

# --- the way out of a policy that locks the host out, with the name check in the initramfs; and removal
# shellcheck disable=SC2016 # the shell in there expands it
run inside sh -c 'echo utf8guard_fs >>/etc/initramfs-tools/modules && update-initramfs -u -k "$0" && lsinitramfs "/boot/initrd.img-$0"' "$second"
like "the initramfs has the name check where that is asked for" "$out" 'utf8guard_fs\.ko'
# shellcheck disable=SC2016 # the shell in there expands it
run inside sh -c 'touch -d @0 "/boot/initrd.img-$0" && /var/lib/dpkg/info/utf8guard-dkms.postinst configure &&
	find /boot -name "initrd.img-$0" -newermt 2020-01-01' "$second"
like "an upgrade of the modules makes it anew" "$out" "initrd.img-${second//+/\\+}"
on_disk mv etc/utf8guard.conf etc/utf8guard.conf.off
boot -t 600 -a utf8guard.required=0 not_required <<'END'
up() { for _ in {1..240}; do ! ip -br addr show dev dummy0 2>/dev/null | grep -q 192.0.2.1/24 || return 0; sleep 0.5; done; return 1; }
ok "utf8guard.required=0: the network is up without a policy" up
is "for nobody has asked" "$(systemctl show -p ConditionResult --value utf8guard-required.service)" no
END
on_disk mv etc/utf8guard.conf.off etc/utf8guard.conf
# With enforce=0 the policy is not in force: who wants the network all the same says required=0, too.
boot -a 'utf8guard_fs.enforce=0 utf8guard.required=0' way_out <<'END'
bad=$(printf 'bad\300\256name')
is "the policy is loaded" "$(systemctl is-active utf8guard.service)" active
like "its rule says enforce" "$(utf8guard fs)" 'subtree /srv/share enforce'
at_line() { dmesg | grep -n -m 1 "$1" | cut -d : -f 1; }
ok "it was loaded before the first program of the root" \
	[ "$(at_line 'utf8guard: loading out-of-tree module')" -lt "$(at_line 'systemd\[1\]: systemd .* running')" ]
ok "but names are only audited" sh -c 'mkdir "/srv/share/$1" && rmdir "/srv/share/$1"' sh "$bad"
like "show warns of it" "$(utf8guard show)" 'enforce=0'
dpkg --remove utf8guard-iptables utf8guard utf8guard-dkms >/run/dpkg 2>&1
is "the packages are removed" "$?" 0 || cat /run/dpkg
like "it says that what is loaded stays" "$(cat /run/dpkg)" 'stay in force until they are unloaded or the host boots'
ok "which is so" test -d /sys/module/utf8guard_fs
ok "the network stays" sh -c 'systemctl -q is-active systemd-networkd && ip -br addr show dev dummy0 | grep -q 192.0.2.1'
is "no timer goes on" "$(systemctl list-units --plain --no-legend 'utf8guard*.timer')" ""
ok "the policy file is kept" test -e /etc/utf8guard.conf
ok "the modules can be unloaded" rmmod utf8guard_nf utf8guard_fs utf8guard
dpkg --purge utf8guard-iptables utf8guard utf8guard-dkms >/run/dpkg 2>&1
is "they are purged" "$?" 0 || cat /run/dpkg
unlike "... without a word of directories that are not empty" "$(cat /run/dpkg)" 'not empty'
rm -f /srv/share/early*
END

# --- nothing is left, but for packages that came with the kernel and what this test made
on_disk sh -c 'cat var/lib/dpkg/info/*.list' | sed 's,^/,./,' >"$work/owned"
list | grep -avF "$second" | grep -avxFf "$work/owned" >"$work/after"
on_disk rm -f etc/systemd/system/early.service
diff "$work/before" "$work/after" | grep -a '^>' | grep -avE '/(etc|var)/\.updated$|/srv/(share|other|auto)$|early.service|network(-pre)?.target.wants|/utf8guard-check.timer.d(/soon.conf)?$|/var/lib/prometheus(/node-exporter)?$|/root/debs|/var/lib/dkms(/mok.(key|pub))?$|/etc/systemd/system/network' >"$work/left"
is "a purge leaves nothing" "$(cat "$work/left")" ""
boot -t 600 gone <<'END'
is "the next boot is without a failed unit" "$(systemctl --failed --no-legend --plain)" ""
is "and without modules" "$(lsmod | grep -c ^utf8guard)" 0
up() { for _ in {1..240}; do ! ip -br addr show dev dummy0 2>/dev/null | grep -q 192.0.2.1/24 || return 0; sleep 0.5; done; return 1; }
ok "the network waits for nothing that has gone" up
END
done_testing
