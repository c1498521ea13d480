# shellcheck shell=bash disable=SC2034,SC2154
# SPDX-License-Identifier: GPL-2.0
#
# Sourced by run.sh, whose variables these are: the machine that QEMU emulates.
#
#   machine_qemu        sets machine, the command that boots $image with $run/initramfs, and
#                       machine_says, where its output goes
#   share NAME DIR [ro] adds a directory of the host to that

# The daemon that serves directories to kernels without 9p, such as those for clouds.
virtiofsd() { # SOCKET DIRECTORY [ro]
	local program=/usr/libexec/virtiofsd cache=auto
	# The read-only root is the lower layer of an overlay, and an overlay takes an entry of a lower
	# layer for stale once that was looked up anew.
	[ -z "${3-}" ] || cache=always
	if [ -x "$program" ]; then
		set -- "$program" --socket-path="$1" --shared-dir="$2" --cache=$cache --sandbox=chroot
	else
		set -- /usr/lib/qemu/virtiofsd -f --socket-path="$1" -o "source=$2" -o cache=$cache -o sandbox=chroot
	fi
	setpriv --pdeathsig TERM "$@" >>"$run/complaints" 2>&1 &
}

# A directory of the host, which the guest mounts by that name.
# shellcheck disable=SC2054 # commas are QEMU's
share() { # NAME DIRECTORY [ro]
	if [ "$files" = virtiofs ]; then
		virtiofsd "$run/$1.sock" "$2" "${3-}"
		until [ -S "$run/$1.sock" ]; do
			kill -0 $! 2>/dev/null || die "no virtiofsd: $(cat "$run/complaints")"
			sleep 0.05
		done
		machine+=(-chardev "socket,id=$1,path=$run/$1.sock" -device "vhost-user-fs-pci,chardev=$1,tag=$1")
		return
	fi
	machine+=(-fsdev "local,id=$1,path=${2//,/,,},security_model=none,multidevs=remap${3:+,readonly=on}"
		-device "virtio-9p-pci,fsdev=$1,mount_tag=$1")
}

# For a processor with x86-64: adds to words, the kernel's command line, and to machine.
machine_x86_64() {
	local khz="" cpu flag flags
	# On a busy host a timer may not tick in time; it is not broken.
	words+=(console=ttyS0 tsc=reliable no_timer_check)
	# The kernel shall not measure its clock with the emulation's timers either (tsc.c).
	[ -n "$count" ] || khz=$("$here/tsc.sh") || exit 125
	[ -z "$khz" ] || words+=("tsc_early_khz=$khz")
	# The emulator executes string instructions octet by octet. Without the features that
	# announce fast ones, the kernel copies by words. Turn off all of these features or none: with
	# fsrm and without erms, the memmove() of 6.1 writes past the end of short copies. Later
	# emulators have more of these features.
	# With -c, the features stay on: the instructions that are counted shall be those that a
	# processor of today executes.
	cpu=max
	if [ -z "$count" ]; then
		flags=" $("${machine[0]}" -cpu help | tr -s '[:space:]' ' ') "
		for flag in erms fsrm fzrm fsrs fsrc; do
			[[ $flags != *" $flag "* ]] || cpu+=,$flag=off
		done
	fi
	machine+=(-cpu "$cpu")
	# The other machine's firmware finds interrupts of PCI by a loop, which takes a debug
	# kernel's interpreter minutes on a busy host; the kernel breaks it off after 30 s each time.
	case $release in *-debug | *-kcsan) machine+=(-machine q35) ;; esac
}

# A server processor of 2019. Later ones sign return addresses, which is slow to emulate:
# VM_CPU=max,pauth-impdef=on has that.
machine_aarch64() {
	words+=(console=ttyAMA0)
	machine+=(-machine virt -cpu "${VM_CPU:-neoverse-n1}")
}

machine_qemu() {
	local words
	# On a busy host, the emulation is so slow that the kernel would report lock-ups, stalls and
	# hung tasks: its detectors get minutes.
	words=(ignore_loglevel printk.devkmsg=on panic=-1
		# A log buffer so large that a flood of messages pushes nothing out.
		log_buf_len=4M
		cryptomgr.notests watchdog_thresh=60 workqueue.watchdog_thresh=120
		rcupdate.rcu_cpu_stall_timeout=120
		sysctl.kernel.hung_task_timeout_secs=180
		# The emulator translates code by address. If programs are at the same addresses
		# each time, it need not translate them again for each process.
		norandmaps)
	machine=("qemu-system-$processor")
	"machine_$processor"
	# shellcheck disable=SC2054 # commas are QEMU's
	machine+=(-nodefaults -no-user-config -no-reboot -display none -nic none
		# A multi-threaded emulation panics when ftrace patches the kernel.
		-accel 'tcg,thread=single' -smp "$smp" -m "$memory"
		-kernel "$image" -initrd "$run/initramfs" -append "${words[*]}$append" -serial "file:$run/log"
		-device virtio-serial-pci,max_ports=3,ioeventfd=off
		-chardev "file,id=status,path=$run/status" -device virtserialport,chardev=status,name=status)
	[ -z "$count" ] || machine+=(-icount shift=0 -smp 1)
	# Memory that the daemons see, too.
	# shellcheck disable=SC2054 # commas are QEMU's
	[ "$files" != virtiofs ] || machine+=(-numa node,memdev=memory
		-object "memory-backend-memfd,id=memory,size=${memory}M,share=on")
	share root "$root" ro
	if [ -n "$foreign" ]; then
		share top "$top" ro
		share modules "$dir/lib/modules/$release" ro
	fi
	[ -z "$out" ] || share out "$out"
	[ -z "$layer" ] || share layer "$layer" ro
	if [ "$interactive" ]; then
		# shellcheck disable=SC2054 # commas are QEMU's
		machine+=(-chardev stdio,id=out,signal=off,mux=on -echr 0x1d -device virtconsole,chardev=out)
	else
		# Into a file, and not by way of an event loop, so that no output can be
		# lost on its way when the guest goes down.
		# shellcheck disable=SC2054 # commas are QEMU's
		machine+=(-chardev "file,id=out,path=$run/out" -device virtserialport,chardev=out,name=out)
	fi
	machine_says=/dev/stdout
}
