#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The way back into a host whose policy has locked out its administrator: a word on the kernel's
# command line, which modprobe hands to the module when it is loaded.
# vm: -a utf8guard_fs.enforce=0
#
# promise administrator by mistake: a word at boot makes everything audit: no policy locks him out
#   for good
# shown by: what would be refused is counted as audited

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
# shellcheck source=userspace/tests/vm/names/names.sh
. "$here/names.sh"

installed=/tmp/root/lib/modules/$KERNEL
mkdir -p "$installed" /tmp/d
mount -t tmpfs tmpfs /tmp/d
cp "$UTF8GUARD_MODULES"/*.ko "$installed"
touch "$installed"/modules.{order,builtin,builtin.modinfo}
depmod -b /tmp/root "$KERNEL"
helper files.py

ok "modprobe loads it" modprobe -d /tmp/root utf8guard_fs
is "with what the command line says" "$(cat /sys/module/utf8guard_fs/parameters/enforce)" N
ok "a policy that enforces is taken" utf8guard fs set default enforce
rule /tmp/d enforce >/dev/null
audited=$(number fs audited)
does "but nothing is refused" "all ok" make /tmp/d "$ill_formed" create mkdir symlink
is "what would be refused is counted as audited" $(($(number fs audited) - audited)) 3
like "show warns of it" "$(utf8guard)" 'warning .*enforce=0'
not_ok "it is not turned on at run time" sh -c 'echo 1 >/sys/module/utf8guard_fs/parameters/enforce'
ok "all unload" unload utf8guard_fs utf8guard
done_testing
