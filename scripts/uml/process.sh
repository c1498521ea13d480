# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0
#
# Sourced by vm/run.sh, whose variables these are: the machine that is a process.
#
#   machine_uml         sets machine, the command that boots $uml with $run/initramfs, and
#                       machine_says, where its output goes

machine_uml() {
	local memory_in=$run
	# The memory of the kernel is a file, mapped executable: in /dev/shm if it has
	# the room and is not mounted noexec, as in containers it often is.
	if [ "$(df --output=avail -m /dev/shm 2>/dev/null | tail -n 1)" -gt "$((memory + 100))" ] &&
		[ -w /dev/shm ] && ! findmnt -nT /dev/shm -o OPTIONS | grep -q noexec; then
		memory_in=/dev/shm
	fi
	# No core file, no terminal; mconsole's directory stays here as well.
	ulimit -c 0
	# shellcheck disable=SC2206,SC2054 # words; a comma of the console
	machine=(env "TMPDIR=$memory_in" "$uml" "mem=${memory}M" "initrd=$run/initramfs"
		con=null con0=null,fd:1 console=tty0 ignore_loglevel printk.devkmsg=on log_buf_len=4M
		kunit.enable=0 panic=-1 "uml_dir=$run/uml" $append)
	machine_says=$run/log
}
