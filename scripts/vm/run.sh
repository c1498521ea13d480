#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run a command on a stock Debian kernel, in QEMU, on the host's own files; or in a
# User-Mode Linux, which is a process, runs at the speed of the machine, and finds faults.
#
#   run.sh [OPTION...] [--] COMMAND [ARG...]
#   run.sh [OPTION...] -i               a shell; Ctrl-] x ends the emulator
#
#   -k KERNEL      6.1, 6.12 (default), arm64, a RELEASE of Debian's or of this host, or a
#                  directory with boot/vmlinuz-* and lib/modules/*; or debug or kcsan, the
#                  kernels of debug.sh, with twice the memory and four times the time;
#                  or uml, User-Mode Linux with KASAN and lockdep, on one processor, without
#                  the name check, which needs ftrace, and without -i, -c and -smp.
#                  A kernel of another architecture has four times the time, too
#   -smp N         processors (2)
#   -m MIB         memory (1024)
#   -t SECONDS     the time all of it may take (300; none with -i)
#   -l FILE        where the kernel's log goes (build/vm/RELEASE.log)
#   -o DIR         a directory of the host, writable inside as $VM_OUT
#   -e NAME=VALUE  environment for the command, any number of times
#   -a WORDS       more words for the kernel's command line, any number of times
#   -p PACKAGES    Debian packages, with commas, that are there inside even where
#                  the host lacks them; their scripts are not run
#   -c             make the time stamp counter count instructions, on one processor,
#                  so that the load of the host does not matter
#   -h             this text
#
# The guest sees the host's root through a tmpfs overlay: it can write everything, and
# nothing of that reaches the host. /tmp and /run are empty, there is no network but lo,
# and the working directory is the checkout. In the environment, KERNEL is the release,
# UTF8GUARD_MODULES is build/modules/RELEASE, UTF8GUARD is build/utf8guard, and build/
# comes first in PATH. A guest of another architecture has a Debian root of its own
# (guest.sh) instead of the host's, and programs of build/ARCHITECTURE. Standard input
# is empty. Output is passed on byte by byte, standard error together with standard
# output.
#
# The exit status is the command's, or else, with the reason on standard error,
#   124  the time is up
#   125  no exit status came back: a kernel panic, or nothing could be started
#   126  the command succeeded, but check-log.sh objects to the kernel's log

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../..")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"
# shellcheck source=scripts/vm/emulator.sh
. "$here/emulator.sh"
# shellcheck source=scripts/uml/process.sh
. "$here/../uml/process.sh"
die() { say "run.sh: $*"; exit 125; }

kernel=6.12 smp=2 memory='' bound='' log='' out='' interactive='' append='' count=''
packages=() env=()
while [ $# != 0 ]; do
	case $1 in
	-h) sed -n '4,/^$/s/^# \{0,1\}//p' "$0"; exit ;;
	-i) interactive=1; shift; continue ;;
	-c) count=1; shift; continue ;;
	--) shift; break ;;
	-k | -smp | -m | -t | -l | -o | -e | -a | -p) [ $# -ge 2 ] || die "$1: value missing" ;;
	-*) die "$1: unknown option; -h shows them" ;;
	*) break ;;
	esac
	case $1 in
	-k) kernel=$2 ;;
	-smp) smp=$2 ;;
	-m) memory=$2 ;;
	-t) bound=$2 ;;
	-l) log=$2 ;;
	-o) [ -d "$2" ] || die "$2: no such directory"; out=$(readlink -f "$2") ;;
	-e) env+=("$2") ;;
	-a) append+=" $2" ;;
	-p) IFS=, read -ra packages <<<"$2" ;;
	esac
	shift 2
done
[ "$interactive" ] || [ $# != 0 ] || die "no command; -h shows how"
# The kernel's architecture. If it is not the host's, the guest has a root of its own, and
# programs that were built for it.
processor=$(uname -m) root=/ build=$top/build foreign=
case $kernel in
*arm64) processor=aarch64 ;;
*amd64) processor=x86_64 ;;
esac
emulates=qemu-system-x86
[ "$processor" != aarch64 ] || emulates=qemu-system-arm
for program in "qemu-system-$processor:$emulates" busybox:busybox-static modprobe:kmod \
	cpio:cpio xz:xz-utils zstd:zstd setpriv:util-linux; do
	PATH=$PATH:/usr/sbin:/sbin command -v "${program%:*}" >/dev/null ||
		missing="${missing-}${missing:+ }${program#*:}"
done
[ -z "${missing-}" ] || die "missing programs; as root: apt-get install $missing"

# RELEASE and DIR of the kernel: DIR/boot/vmlinuz-RELEASE, DIR/lib/modules/RELEASE.
if [ -d "$kernel/lib/modules" ]; then
	release=$(basename "$kernel"/lib/modules/*) dir=$(readlink -f "$kernel")
elif [ -r "/boot/vmlinuz-$kernel" ] && [ -r "/lib/modules/$kernel/modules.dep" ]; then
	release=$kernel dir=/
else
	found=$("$here/kernel.sh" "$kernel") || exit 125
	read -r release dir <<<"$found"
fi
if [ "$processor" != "$(uname -m)" ]; then
	[ "$processor" = aarch64 ] || die "Linux $release: there is no root of $processor"
	foreign=arm64 build=$top/build/arm64
	root=$("$here/guest.sh" arm64 ${packages[@]+"${packages[@]}"}) || exit 125
	packages=() # they are in that root
fi
uml=
[ ! -x "$dir/linux" ] || uml=$dir/linux
[ -z "$uml" ] || [ -z "$interactive$count" ] || die "User-Mode Linux has no -i and no -c"
image=
[ -n "$uml" ] || image=$("$here/image.sh" "$release" "$dir") || exit 125
found=$("$here/initramfs.sh" "$release" "$dir" "$root") || exit 125
read -r files initramfs <<<"$found"
layer=
[ ${#packages[@]} = 0 ] || layer=$("$here/packages.sh" "${packages[@]}") || exit 125
log=${log:-$top/build/vm/$release.log} bound=${bound:-$([ "$interactive" ] && echo 0 || echo 300)}
memory=${memory:-1024} patience=${VM_PATIENCE:-60}
case $release in
*-debug | *-kcsan | *-uml) bound=$((bound * 4)) memory=$((memory * 2)) patience=$((patience * 4)) ;;
esac
[ -z "$foreign" ] || bound=$((bound * 4)) patience=$((patience * 4))
mkdir -p "$(dirname "$log")"

run=$(mktemp -d "${TMPDIR:-/tmp}/utf8guard-vm.XXXXXX")
terminal=$(stty -g 2>/dev/null || :) emulator=
# shellcheck disable=SC2317 # it is reached, by the trap
finish() {
	[ -z "$emulator" ] || { kill "$emulator" && wait "$emulator"; } 2>/dev/null || :
	[ -z "$terminal" ] || stty "$terminal" 2>/dev/null || :
	[ ! -f "$run/log" ] || cp "$run/log" "$log" || :
	rm -rf "$run"
}
trap finish EXIT
trap 'exit 130' INT
trap 'exit 143' TERM HUP

# What init and session read, quoted for a shell whatever the bytes.
mkdir "$run/job"
LC_ALL=C
quoted() { printf "%s=%q\n" "$1" "$2"; }
{
	quoted top "$top"
	quoted modules "$(readlink -f "$dir/lib/modules/$release")"
	quoted out "$out"
	quoted layer "$layer"
	quoted ports "${uml:+$run}"
	quoted files "$files"
	quoted foreign "$foreign"
} >"$run/job/place"
read -r rows columns < <(stty size 2>/dev/null || echo 24 80) || :
{
	echo "cd $(printf %q "$top")"
	for v in "PATH=$build:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
		HOME="$HOME" USER=root LOGNAME=root LANG=C.UTF-8 TERM="${TERM:-dumb}" \
		KERNEL="$release" UTF8GUARD="$build/utf8guard" \
		UTF8GUARD_MODULES="$top/build/modules/$release" \
		${out:+VM_OUT=/run/out} ${env[@]+"${env[@]}"}; do
		echo "export $(quoted "${v%%=*}" "${v#*=}")"
	done
	quoted interactive "$interactive"
	quoted rows "$rows"
	quoted columns "$columns"
	echo "command=($([ $# = 0 ] || printf '%q ' "$@"))"
} >"$run/job/command"
: >"$run/out"
: >"$run/log"
cat "$initramfs" - >"$run/initramfs" < <(cd "$run" && find job | cpio --quiet -o -H newc)

# What boots it: machine_qemu or machine_uml, which set machine.
if [ -n "$uml" ]; then machine_uml; else machine_qemu; fi
[ "$interactive" ] || exec </dev/null

# Ends an emulator whose kernel has not got to its first program, and has said nothing for
# $patience seconds: a minute, or VM_PATIENCE.
watch() {
	local size='' before still=0
	while kill -0 "$emulator" 2>/dev/null && ! grep -q 'as init process' "$run/log"; do
		before=$size size=$(stat -c %s "$run/log")
		if [ "$size" = "$before" ]; then still=$((still + 1)); else still=0; fi
		[ "$still" -lt "$patience" ] || kill "$emulator"
		sleep 1
	done
}

boot() {
	setpriv --pdeathsig TERM timeout --foreground -k 5 "$bound" "${machine[@]}" \
		<&0 >>"$machine_says" 2>"$run/complaints" &
	emulator=$! ended=0
	if [ "$interactive" ]; then
		wait "$emulator" || ended=$?
	else
		[ "$files" != 9p ] || watch 2>/dev/null &
		tail -s 0.05 -c +1 -f --pid="$emulator" "$run/out" &
		carrier=$! first=
		wait -n -p first "$emulator" "$carrier" || ended=$?
		[ "$first" != "$carrier" ] || exit 141 # nobody reads the output any more
		wait "$carrier" || :
	fi
	emulator=
}

# Did the kernel go down before its first program? Nothing of ours was there yet.
lost() { [ "$ended" = 0 ] && [ "$files" = 9p ] && ! grep -q 'as init process' "$run/log"; }

boot
# In one of some hundred boots, the emulator runs code that the kernel is about to patch, and the
# kernel goes down. In one of some thousand, a processor does not come up, and nothing goes on.
for _ in 1 2; do
	lost || break
	say "run.sh: Linux $release went down before its first program; once more"
	boot
done

bad=
"$here/check-log.sh" "$run/log" >&2 || bad=1
tell() {
	say "run.sh: Linux $release: $1; the end of its log ($log):"
	tail -n 30 "$run/log" | tr -d '\r' >&2
	cat "$run/complaints" >&2
}
if [ "$ended" = 124 ] || [ "$ended" = 137 ]; then
	tell "not done after $bound seconds"
	exit 124
elif [ ! -s "$run/status" ]; then
	[ -z "$interactive" ] || [ "$bad" ] || exit 125 # by Ctrl-] x
	tell "it went down before the command was done"
	exit 125
fi
status=$(cat "$run/status")
[ -z "$bad" ] || say "run.sh: Linux $release: bad kernel log: $log"
[ -z "$bad" ] || [ "$status" != 0 ] || exit 126
exit "$status"
