#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A local user makes names by each system call that can make one, and by io_uring, one after the
# other: a bad name is refused, and a good one is made.
#
# promise local user: no system call makes a name that a rule refuses
# shown by: a bad name is refused

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
# shellcheck source=userspace/tests/vm/names/names.sh
. "$here/names.sh"

calls=(create open creat file mkdir fifo device socket bind symlink link tmpfile
	rename noreplace whiteout)
ring=(ring-create ring-mkdir ring-symlink ring-link ring-rename ring-noreplace)

mkdir /tmp/tmpfs
mount -t tmpfs tmpfs /tmp/tmpfs
volume /tmp/ext4 || bail_out "no ext4 volume"
mkdir -p /dev/mqueue
mount -t mqueue mqueue /dev/mqueue
helper files.py

for dir in /tmp/tmpfs /tmp/ext4; do
	open_to "${dir##*/}" $dir "${calls[@]}" "${ring[@]}"
done
open_to mqueue /dev/mqueue mq_open
if ! load service || ! load fs; then bail_out "the modules do not load"; fi
default enforce
for dir in /tmp/tmpfs /tmp/ext4; do
	for way in "${calls[@]}" "${ring[@]}"; do
		covers "${dir##*/}: $way" $dir "$way"
	done
done
covers "a message queue" /dev/mqueue mq_open

# An exchange makes no name: both are there already.
default off
ask create '/tmp/ext4/caf\xe9'
ask create /tmp/ext4/good
default enforce
does "an exchange with a bad name" ok exchange '/tmp/ext4/caf\xe9' /tmp/ext4/good
does "and back" ok exchange /tmp/ext4/good '/tmp/ext4/caf\xe9'

# By descriptor, across directories, and through a symbolic link to the directory.
mkdir /tmp/ext4/sub
ln -s sub /tmp/ext4/way
does "through a symbolic link" "all EILSEQ" make /tmp/ext4/way "$ill_formed"
does "into another directory" EILSEQ rename /tmp/ext4/good '/tmp/ext4/sub/\xff'
does "a hard link in another directory" EILSEQ link /tmp/ext4/good '/tmp/ext4/sub/\xff'
is "no bad name is in the other directory" "$(ls -A /tmp/ext4/sub)" ""

# The kernel's cache of files asks about its own directory, which is there, as if it made it.
default off
ask mkdir '/tmp/ext4/cach\xe9'
default enforce
keep_cache() { # in the descriptor 5, for as long as that is open
	modprobe cachefiles && exec 5<>/dev/cachefiles &&
		printf 'dir %s' "$1" >&5 && printf 'tag utf8guard' >&5 && printf bind >&5
}
ok "a cache in a directory with a bad name" keep_cache $'/tmp/ext4/cach\xe9'
is "has made its directories" "$(ls $'/tmp/ext4/cach\xe9')" $'cache\ngraveyard'
exec 5>&-
does "but no name is made there" EILSEQ create '/tmp/ext4/cach\xe9/\xff'

is "no name was missed" "$(number fs missed)" 0
done_testing
