#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run the KUnit suites of kunit/ in User-Mode Linux: TAP on standard output.
#
#   run.sh [-t SECONDS] [-b | -x SCRIPT | SUITE...]
#
#   -b      the benchmarks of the codec instead, kunit/bench*.c: TSV on standard output
#   -x      a script that loads benchmarks itself, with $UML_MODULES in front of their
#           names; it sees the host's files, read-only, and runs its programs
#   -t      how long the kernel may run: 300
#   SUITE   only these: `validate` is the module utf8guard_validate_test
#
# NormalizationTest.txt, which a suite reads, is that of the directory $UCD, of
# ../shared beside the tree, or Debian's; without one, those tests are skipped.
#
# Needs no root and writes to the build directory only: the kernel is a process,
# its root an initramfs. Exit 0 if all is well.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"
top=$(readlink -f "$here/../..")

seconds=300 bench='' script=''
while getopts bt:x: option; do
	case $option in
	b) bench=1 ;;
	t) seconds=$OPTARG ;;
	x) bench=1 script=$(readlink -e "$OPTARG") || die "$OPTARG is not there" ;;
	*) die "usage: run.sh [-t SECONDS] [-b | -x SCRIPT | SUITE...]" ;;
	esac
done
shift $((OPTIND - 1))

out=$top/build/uml
work=$top/build/kbuild/uml
mkdir -p "$out" "$work"
exec 8>"$out/.lock"
flock 8

for tool in busybox cpio; do
	command -v $tool >/dev/null ||
		die "$tool is not there: apt-get install busybox-static cpio"
done
kernel=$("$here/build.sh")

# Kbuild writes its objects beside the sources, so these are a copy, as for
# every kernel; the suites are a tree of their own, for no other kernel has them.
build() {
	local make=(make -s -C "$kernel" ARCH=um W=1 KCFLAGS=-Werror "-j$(nproc)")
	"$top/scripts/copy.sh" "$work" Kbuild kernel include kunit
	"${make[@]}" M="$work" modules
	"${make[@]}" M="$work/kunit" KBUILD_EXTRA_SYMBOLS="$work/Module.symvers" modules
}
if ! build >"$out/build.log" 2>&1 </dev/null ||
   grep -qi 'warning:' "$out/build.log"; then
	cat "$out/build.log" >&2
	die "the modules do not build, or not without a warning"
fi

# The modules to load: the service, then the suites, in Kbuild's order; all that
# they depend on comes along. A suite is a module called _test, and announces
# its suites in a section of pointers.
choose() {
	local module object
	[ -z "$script" ] || return 0
	printf '%s 0\n' utf8guard
	[ -z "$bench" ] || { printf '%s 0\n' utf8guard_bench{,_normalization}; return; }
	while read -r object; do
		module=$(basename "${object%.o}")
		[[ $module = *_test ]] || continue
		[ $# = 0 ] || [[ " $* " = *" ${module:10:-5} "* ]] || continue
		printf '%s %s\n' "$module" "$(size -A "$work/kunit/$module.ko" |
			awk '$1 == ".kunit_test_suites" { n = $2 / 8 } END { print n + 0 }')"
	done <"$work/kunit/modules.order"
}
choose "$@" >"$out/expected"
for suite in "${@:-}"; do
	[ -z "$suite" ] || grep -q "^utf8guard_${suite}_test " "$out/expected" ||
		die "$suite: no such suite in kunit/Kbuild"
done
[ -n "$script" ] || grep -qE '_(test|bench|bench_normalization) ' "$out/expected" ||
	die "kunit/Kbuild has no suites"

root=$(mktemp -d "$out/.root.XXXXXX")
guard=
# shellcheck disable=SC2317 # called by the trap
clean_up() {
	trap '' INT TERM HUP # a signal may come twice, to this process and to its group
	# timeout passes the signal on to the kernel, and kills it 5 seconds later.
	[ -z "$guard" ] || { kill "$guard" && wait "$guard"; } 2>/dev/null || :
	rm -rf "$root"
}
trap clean_up EXIT
trap 'exit 130' INT TERM HUP

release=$(cat "$kernel/include/config/kernel.release")
mkdir -p "$root"/{bin,dev,host,proc,sys,tmp,"lib/modules/$release"}
cp "$(command -v busybox)" "$root/bin/busybox"
for applet in sh mount modprobe rmmod cat chroot sed poweroff; do
	ln -s busybox "$root/bin/$applet"
done
cp "$here/init" "$root/init"
cut -d ' ' -f 1 "$out/expected" >"$root/modules"
[ -z "$script" ] || printf 'UML_MODULES=%q PATH=%q bash %q\n' "$work" \
	"$top/build:/usr/sbin:/usr/bin:/sbin:/bin" "$script" >"$root/script"
find "$work" -name '*.ko' -exec cp -t "$root/lib/modules/$release" {} +
ucd() {
	local dir
	for dir in ${UCD:+"$UCD"} "$top/../shared/ucd/18.0.0" /usr/share/unicode; do
		if [ -r "$dir/NormalizationTest.txt" ]; then
			cat "$dir/NormalizationTest.txt"
			return
		elif [ -r "$dir/NormalizationTest.txt.bz2" ]; then
			bzcat "$dir/NormalizationTest.txt.bz2"
			return
		fi
	done
}
mkdir "$root/ucd"
ucd >"$root/ucd/NormalizationTest.txt"
PATH=$PATH:/sbin:/usr/sbin depmod -b "$root" "$release" 2>/dev/null
(cd "$root" && find . | cpio -o -H newc -R 0:0 --quiet >"$out/initramfs")

# The memory of the kernel is a file, mapped executable: in /dev/shm if it has
# the room and is not mounted noexec, as in containers it often is.
TMPDIR=$root/tmp
if [ "$(df --output=avail -k /dev/shm 2>/dev/null | tail -n 1)" -gt 400000 ] &&
   [ -w /dev/shm ] && ! findmnt -nT /dev/shm -o OPTIONS | grep -q noexec; then
	TMPDIR=/dev/shm
fi
export TMPDIR

# No core file, no terminal; mconsole's directory stays here as well. UML makes
# itself a session, so a signal to ours reaches it only through timeout, its guard.
ulimit -c 0
timeout -k 5 "$seconds" "$kernel/linux" uml_dir="$root/uml" mem=256M initrd="$out/initramfs" \
	con=null con0=null,fd:1 console=tty0 loglevel=7 printk.devkmsg=on panic=-1 \
	kunit.enable=1 kunit.autorun=1 \
	>"$out/kernel.log" 2>&1 </dev/null 8>&- &
guard=$!
status=0
wait "$guard" || status=$?
guard=
case $status in
0) ;;
124 | 137) say "the kernel took more than $seconds seconds" ;;
*) say "the kernel ended with status $status" ;;
esac
if [ -n "$bench" ]; then
	tr -d '\r' <"$out/kernel.log" | sed -n 's/^.*bench:\t//p'
	[ -z "$script" ] || grep -q '^utf8guard-uml: script 0' "$out/kernel.log" ||
		{ grep '^utf8guard-uml: ' "$out/kernel.log" >&2; die "$script failed"; }
	exit "$status"
fi
awk -f "$here/ktap.awk" "$out/expected" "$out/kernel.log" && [ "$status" = 0 ]
