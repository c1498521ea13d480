#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Several processes make random names in tmpfs, ext4 and an overlay, while others rename their
# directories, mount file systems and change rules. NAMES=1000000 and SEED=2 are another run of it.
#
# promise local user: amid renames of directories, mounts and changes of rules, each name of his
#   that is no UTF-8 is refused, and no other
# shown by: each answer is right
# shown by: what goes on beside goes on
# shown by: what is there is text, or was before
# shown by: none was missed

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
names=${NAMES:-5000} seed=${SEED:-1}

{ load service && load fs; } || bail_out "the modules do not load"
mkdir -p /tmp/storm/{tmpfs,ext4,overlay,layers}
mount -t tmpfs tmpfs /tmp/storm/tmpfs
ok "a volume of ext4" volume /tmp/storm/ext4 64M mkfs.ext4 -q -F -N 16384
mount -t tmpfs tmpfs /tmp/storm/layers
mkdir -p /tmp/storm/layers/{lower/{one/two,three},upper,work}
touch /tmp/storm/layers/lower/one/$'old\xff' /tmp/storm/layers/lower/one/$'\xc0\xae'
layers=/tmp/storm/layers
mount -t overlay -o lowerdir=$layers/lower,upperdir=$layers/upper,workdir=$layers/work overlay \
	/tmp/storm/overlay || fail "an overlay"
mkdir -p /tmp/storm/{tmpfs,ext4}/{one/two,three}
ok "rules that refuse" utf8guard fs set default enforce
note "NAMES=$names SEED=$seed"
table name_storm.py "$names" "$seed" /tmp/storm/{tmpfs,ext4,overlay}
ok "some were refused, by the kernel's count" [ "$(number fs refused)" -gt "$((names / 5))" ]
note "checked $(number fs checked), refused $(number fs refused), missed $(number fs missed), deep $(number fs deep)"
is "none was missed" "$(number fs missed)" 0
ok "all is unmounted" umount -R /tmp/storm/overlay /tmp/storm/layers /tmp/storm/ext4 /tmp/storm/tmpfs
ok "and the modules unload" unload utf8guard_fs utf8guard
done_testing
