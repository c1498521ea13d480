#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The packages installed in a Debian while that runs: dkms builds there, by the emulator, which
# takes half an hour. The other tests of this folder have dkms build between two boots.

# shellcheck source=userspace/tests/packages/machine.sh
. "$(dirname "$(readlink -f "$0")")/machine.sh"

machine trixie
ok "the packages are built" packages
# What they depend on is there.
run inside sh -c 'apt-get -q update && apt-get -q -y --no-install-recommends install libmnl0 libjansson4 libunistring5 libncursesw6'
is "what they depend on is there" "$status" 0 || diag "$out$err"
# shellcheck disable=SC2016 # the shell in there expands it
on_disk sh -c 'mkdir -p srv/share root/debs && cp "$0"/1/utf8guard_*.deb "$0"/1/utf8guard-dkms_*.deb root/debs' "$debs"
boot -t 7200 emulated <<'END'
start=$SECONDS
dpkg -i /root/debs/*.deb >/run/dpkg 2>&1
is "they are installed" "$?" 0 || cat /run/dpkg
note "that took $((SECONDS - start)) s"
like "dkms has built for the kernel that runs" "$(dkms status)" "utf8guard.*${KERNEL//+/\\+}.*: installed"
is "nothing was loaded by that" "$(lsmod | grep -c ^utf8guard)" 0
ok "modprobe finds the modules" modprobe -a utf8guard_fs utf8guard_nf
cat >/etc/utf8guard.conf <<'CONF'
fs flush
net flush
fs add subtree /srv/share enforce
CONF
ok "the service starts" systemctl start utf8guard
not_ok "a bad name is refused" touch $'/srv/share/bad\300\256'
END
boot -t 1200 again <<'END'
is "the modules are loaded at boot" "$(lsmod | awk '/^utf8guard/ {print $1}' | sort | xargs)" "utf8guard utf8guard_fs utf8guard_nf"
is "so is the policy" "$(systemctl is-active utf8guard)" active
not_ok "a bad name is refused" touch $'/srv/share/bad\300\256'
END
done_testing
