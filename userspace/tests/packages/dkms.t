#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The packages installed on the machine itself, where dkms builds the modules under the kernel
# that they are for. Emulated, that takes a quarter of an hour of processor time.
#
#   dkms.t bookworm|trixie

# shellcheck source=userspace/tests/packages/machine.sh
. "$(dirname "$(readlink -f "$0")")/machine.sh"

machine "${1:-trixie}"
ok "the packages are built" packages
# What they need, without them; they come to the disk as files.
# shellcheck disable=SC2016 # the shell in there expands it
run inside sh -c 'apt-get -q update && apt-get -q -y --no-install-recommends satisfy "$(
	dpkg-deb -f /opt/debs/1/utf8guard_*.deb Depends), $(dpkg-deb -f /opt/debs/1/utf8guard-dkms_*.deb Depends)"'
is "what they need is installed" "$status" 0 || diag "$out$err"
# shellcheck disable=SC2016 # the shell in there expands it
on_disk sh -c 'mkdir root/debs && cp "$1"/utf8guard_*.deb "$1"/utf8guard-dkms_*.deb root/debs' sh "$debs/1"

boot -t 10800 dkms <<'END'
run dpkg -i /root/debs/utf8guard-dkms_*.deb /root/debs/utf8guard_*.deb
is "dpkg installs them" "$status" 0 || { tail -n 20 "$tap/out" "$tap/err"; cat /var/lib/dkms/utf8guard/*/build/make.log; }
note "after $SECONDS seconds"
like "dkms has built the modules for the kernel that runs" "$(dkms status)" "utf8guard.*${KERNEL//+/\\+}.*: installed"
ok "they load" modprobe -a utf8guard_fs utf8guard_nf
ok "a rule" utf8guard fs set default enforce
not_ok "a bad name is refused" touch $'/tmp/bad\300\256'
ok "a good one is not" touch /tmp/good
END
done_testing
