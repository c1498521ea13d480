#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The walk from the directory of a new name upwards. A local user can make the way long by deep
# directories, and can make a walk invalid by renames, so that another one is needed: it ends,
# whatever he does.
#
# promise local user: he cannot hold a processor by names in deep directories, or by renames on
#   the way
# shown by: a rename on each way up: there are no more than three
# shown by: one deeper: is counted

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

if ! load service || ! load fs; then bail_out "the modules do not load"; fi
for dir in /tmp/places /tmp/other; do
	mkdir $dir
	mount -t tmpfs -o nr_inodes=0 tmpfs $dir || bail_out "no tmpfs"
done
table depth.py limit /tmp/places
# Walks are counted, not the time that they take: the emulator may wait for its host.
ok "a module that renames on the way" insmod "$UTF8GUARD_MODULES/test/utf8guard_renames.ko"
table depth.py storm 60000 200
rmmod utf8guard_renames
utf8guard fs flush
ok "the counter is shown" test "$(number fs deep)" -gt 20
like "and warned of" "$(utf8guard show)" 'judged by the strictest rule'
ok "unloads" unload utf8guard_fs utf8guard
done_testing
