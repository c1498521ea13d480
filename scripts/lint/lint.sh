#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Run the linters on what has changed since it last passed them; any finding fails.
#
#   lint.sh [--all] [STEP...]      --all: over the whole tree; STEPs, if not every one
#
#   kernel-6.1, kernel-6.1-oldest, kernel-6.12
#                W=1, and sparse, on that stock kernel (the oldest lacks what updates of its series
#                brought); dispatch.sh: a short text goes through no thunk, and saves no register;
#                stack.py: what our functions take of the stack; on 6.12 gcc -fanalyzer, too
#   checkpatch   --strict, kernel code
#   coccinelle   the kernel's own scripts, kernel code
#   cppcheck, clang-tidy, analyzer (gcc -fanalyzer)     the tool, and the codec
#   (all scripts) shellcheck
#   programs     deps.sh names the packages of what scripts call
#   netlink      what is generated from the specs is what is committed, syzkaller's descriptions, too
#   imports      they go one way, and no folder is full (circles.py)
#   words        none that are retired (words.py)
#   maps         kernel/README.md and userspace/README.md name what exists (maps.py)
#   promises     userspace/tests/PROMISES.md is what the tests say (promises.py)
#
# Steps run in parallel. The cache keeps the checksums of what was clean: of the files that a step
# looks at, with the versions of the tools and all of this directory. The last four steps are quick
# and always run. Each step names the false positives that it leaves out, with the reason.

# shellcheck disable=SC2317,SC2329 # the functions are called by their names

set -uo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"
cd "$here/../.." || exit

clean=$UTF8GUARD_CACHE/lint
mkdir -p "$clean"
# Checksums of trees that are gone.
find "$clean" -type f -mtime +30 -delete
all=
[ "${1-}" != --all ] || { all=1; shift; }
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
archive=/usr/src/linux-source-6.12.tar.xz
versions=$(dpkg-query -W gcc gcc-12 sparse shellcheck cppcheck coccinelle clang-tidy shfmt linux-source-6.12 2>/dev/null)

sum() { sha256sum | cut -d ' ' -f 1; }
tree() { git ls-files -- "$@" | while IFS= read -r f; do [ ! -f "$f" ] || echo "$f"; done; }
own=$( (echo "$versions"; cat "$here"/*) | sum)

# each NAME COMMAND...: runs the command on those of the files named on standard input that have
# not passed yet. What is in $log/NAME.with is part of the checksum of each.
each() {
	local name=$1 with file key
	shift
	with=$( (echo "$name $own"; cat "$log/$name.with" 2>/dev/null) | sum)
	: >"$log/$name.keys"
	: >"$log/$name.new"
	while IFS= read -r file; do
		key=$( (echo "$with $file"; cat "$file") | sum)
		[ -z "$all" ] && [ -e "$clean/$key" ] && continue
		echo "$file" >>"$log/$name.new"
		echo "$key" >>"$log/$name.keys"
	done
	[ -s "$log/$name.new" ] || return 0
	"$@" <"$log/$name.new" || return
	(cd "$clean" && xargs touch <"$log/$name.keys")
}

# whole NAME COMMAND...: runs the command, unless all files named on standard input have passed
# together
whole() {
	local name=$1 key
	shift
	key=$( (echo "$name $own $*"; while IFS= read -r file; do echo "$file"; cat "$file"; done) | sum)
	[ -z "$all" ] && [ -e "$clean/$key" ] && return
	"$@" || return
	touch "$clean/$key"
}

# from_source PATH...: unpacks what the kernel's source has below scripts/ into
# $UTF8GUARD_CACHE/checkpatch
from_source() {
	local kept=$UTF8GUARD_CACHE/checkpatch
	[ -r "$archive" ] || { echo "$archive: missing"; return 1; }
	[ ! "$kept/.complete" -nt "$archive" ] || return 0
	mkdir -p "$kept"
	tar -C "$kept" --strip-components=2 -xf "$archive" "${@/#/linux-source-6.12/scripts/}" && touch "$kept/.complete"
}
from_source checkpatch.pl spelling.txt const_structs.checkpatch coccinelle || exit

# Builds in a fresh copy: where an object is up to date, kbuild runs neither compiler nor sparse.
build() { # RELEASE DIR [FLAG]
	local src=$log/src-$1
	mkdir "$src"
	cp -a Kbuild kernel include "$src"
	make -s -j"$(nproc)" -C "$2/usr/src/linux-headers-$1" M="$src" W=1 C=1 CF=-D__CHECK_ENDIAN__ \
		KCFLAGS="-fcallgraph-info=su ${3-}" modules >"$log/build-$1" 2>&1 || { cat "$log/build-$1"; return 1; }
	# The headers' own warnings are not ours. A direction of a stream always has one of its two engines, which
	# -fanalyzer cannot know.
	! grep -E "^$src.*(warning|error):" "$log/build-$1" |
		grep -vE '/nf/(stream/[a-z_]+|tcp/segment)\.c:.*-Wanalyzer-null-dereference' &&
		"$here/dispatch.sh" "$src/utf8guard.o" && "$here/stack.py" "$src"
}
kernel() { # SERIES [FLAG]
	local where
	where=$("$here/../vm/kernel.sh" "$1") || return
	# shellcheck disable=SC2086 # RELEASE DIR
	tree Kbuild kernel include | whole "kernel-$1" build $where "${@:2}"
}

# checkpatch comes with the kernel's source. Some of what it says is ignored, for these reasons:
of_checkpatch() {
	# codec.h: macros that stand for the kernel's own in user space.
	# outcome.h: lists of reasons, which are expanded with a macro that is given for each.
	# utf8guard.h, PREFER_KERNEL_TYPES: it defines those types, from stdint.h.
	# trace.h: the layout of TRACE_EVENT.
	xargs "$UTF8GUARD_CACHE/checkpatch/checkpatch.pl" --no-tree --strict --terse --quiet --show-types \
		-f >"$log/checkpatch"
	grep -vE '/codec/codec\.h:.*(EXPORT_SYMBOL|MACRO_ARG|NOT_USED|COMPLEX_MACRO|PREFER_DEFINED)|/outcome\.h:.*(COMPLEX_MACRO|MACRO_ARG|PREFER_DEFINED)|/utf8guard\.h:.*PREFER_KERNEL_TYPES|/trace\.h:.*(OPEN_ENDED_LINE|PARENTHESIS_ALIGNMENT)|^total:|^$' \
		"$log/checkpatch" && return 1
	return 0
}
checkpatch() {
	tree 'kernel/*.[ch]' 'include/linux/*.h' 'kunit/*.[ch]' 'userspace/tests/vm/module/*.c' |
		grep -vE '_gen\.[ch]$|_table\.[ch]$|compat/' | each checkpatch of_checkpatch
}

# The scripts that have a mode "report". badzero and check_bq27xxx_data want a compiler for OCaml.
of_coccinelle() {
	local script
	grep -rlx 'virtual report' --include='*.cocci' "$UTF8GUARD_CACHE/checkpatch/coccinelle" | sort | while IFS= read -r script; do
		case $script in */badzero.cocci | */check_bq27xxx_data.cocci) continue ;; esac
		spatch -D report --no-show-diff --very-quiet --include-headers -I include --dir kernel \
			--cocci-file "$script" 2>&1 || echo "$script: fails"
	done | grep -v '^warning: line .* should .* be a metavariable' && return 1
	return 0
}
coccinelle() { tree 'kernel/*.[ch]' 'include/*.h' | whole coccinelle of_coccinelle; }

flags=(-Iinclude -Iuserspace/tool -D_GNU_SOURCE '-DUTF8GUARD_SOURCES="lint"' -std=gnu11)
# Of the kernel's code, cppcheck and clang-tidy look at the codec alone, which is built as programs are. On 2026-11-29 they were
# tried on the rest. cppcheck 2.10 stops at list_for_each_entry() and other macros that it does not know. With some of these
# defined, it said ten things of kernel/nf, fs and service, and none was a fault: it takes the pointer of container_of() and of
# lists for uninitialized, and an index for -1 after "while (i--)". clang-tidy 14 refuses some of gcc's flags with which the
# kernel is built. Without these, it said of six files that three macros lack parentheses, and that one product could be wider.
headers() { tree 'include/*.h' 'kernel/codec/*.h' 'userspace/tool/*.h' | xargs cat; }
cppcheck_all() {
	tree 'userspace/tool/*.[ch]' 'userspace/xtables/*.c' 'kernel/codec/*.[ch]' | whole cppcheck \
		cppcheck --quiet --error-exitcode=1 --inline-suppr --enable=warning,performance,portability \
		-Iinclude -Iuserspace/tool -D__x86_64__ -Ukernel \
		userspace/tool userspace/xtables kernel/codec
}

# malloc-leak: it takes iconv_open() and fdopendir() for memory that is not freed, and the
# sanitizers of the fuzz targets see what is really lost.
of_analyzer() {
	local file failed=0
	while IFS= read -r file; do
		gcc "${flags[@]}" -DWITH_NCURSES -O2 -mbmi2 -mavx2 -mavx512f -mavx512bw -mavx512vbmi -Wall -Werror -fanalyzer \
			-Wno-analyzer-malloc-leak -c -o /dev/null "$file" || failed=1
	done
	return "$failed"
}
# Of the kernel's code, the rest is in the build for 6.12.
analyzer() {
	headers >"$log/analyzer.with"
	tree 'userspace/tool/*.c' 'userspace/codec/*.c' 'kernel/codec/*.c' kernel/fs/prototype.c | grep -v _arm64_ | each analyzer of_analyzer
}

# easily-swappable-parameters, narrowing-conversions, reserved-identifier, assignment-in-if-condition,
# suspicious-string-compare (!= 0): style, and that of the kernel. strcpy, DeprecatedOrUnsafe...: they want functions that
# glibc has not got. sizeof-expression: memory for pointers, which is meant. branch-clone: two reasons for
# the same result. UndefinedBinaryOperatorResult: it takes -errno for 0. misplaced-widening-cast,
# not-null-terminated-result: where octets have a length and no NUL.
tidy_checks='-*,bugprone-*,clang-analyzer-*,-bugprone-easily-swappable-parameters,-bugprone-narrowing-conversions,-bugprone-reserved-identifier,-bugprone-assignment-in-if-condition,-bugprone-suspicious-string-compare,-bugprone-sizeof-expression,-bugprone-branch-clone,-bugprone-misplaced-widening-cast,-bugprone-not-null-terminated-result,-clang-analyzer-security.insecureAPI.strcpy,-clang-analyzer-security.insecureAPI.DeprecatedOrUnsafeBufferHandling,-clang-analyzer-core.UndefinedBinaryOperatorResult'
# One file at a time: if it is given several, this version takes each va_list for uninitialized.
of_tidy() {
	local file failed=0
	while IFS= read -r file; do
		clang-tidy --quiet --warnings-as-errors='*' --checks="$tidy_checks" "$file" -- "${flags[@]}" 2>/dev/null </dev/null || failed=1
	done
	return "$failed"
}
tidy() {
	headers >"$log/tidy.with"
	tree 'userspace/tool/*.c' 'userspace/codec/*.c' 'userspace/xtables/*.c' | each tidy of_tidy
}

scripts_of_tree() {
	git ls-files | while read -r f; do
		case $f in
		*.sh | *.t) echo "$f" ;;
		*) if head -c 40 "$f" | head -n 1 | grep -qaE '^#!/bin/(ba)?sh'; then echo "$f"; fi ;;
		esac
	done
}
shellcheck_all() {
	# A change in a file that others source concerns them all.
	git grep -hoP '^\s*# shellcheck source=\K\S+' -- ':!scripts/lint/lint.sh' | sort -u | while read -r f; do [ ! -f "$f" ] || cat "$f"; done >"$log/shellcheck.with"
	scripts_of_tree | each shellcheck xargs shellcheck -x
}

programs() { (scripts_of_tree; git ls-files '*.py' '*Makefile' scripts/deps.sh) | sort -u | whole programs "$here/programs.py"; }
of_netlink() { "$here/../netlink.sh" --check && userspace/tests/fuzz/syzkaller/syzlang.py --check; }
netlink() {
	tree 'include/netlink/*' 'include/uapi/*' '*_gen.[ch]' scripts/netlink.sh 'userspace/tests/fuzz/syzkaller/*' | whole netlink of_netlink
}

# What takes longest comes first.
steps=('kernel-6.1 kernel 6.1' 'kernel-6.1-oldest kernel 6.1-oldest' 'kernel-6.12 kernel 6.12 -fanalyzer'
	'checkpatch checkpatch' 'shellcheck shellcheck_all' 'clang-tidy tidy'
	'coccinelle coccinelle' 'programs programs' 'netlink netlink' 'cppcheck cppcheck_all' 'analyzer analyzer'
	"imports $here/circles.py" "words $here/words.py" "maps $here/maps.py"
	"promises $here/promises.py --check")

# step NAME COMMAND...: runs the command, then prints a line with its result, and all of its output
step() {
	local name=$1 begin=$SECONDS status=0
	shift
	"$@" >"$log/$name.out" 2>&1 </dev/null || status=1
	{
		flock 9
		if [ $status = 0 ]; then
			printf 'ok      %-17s %4d s\n' "$name" $((SECONDS - begin))
		else
			echo "FAILED  $name"
		fi
		cat "$log/$name.out"
	} 9>"$log/lock"
	return $status
}

failed=0 running=0
for one in "${steps[@]}"; do
	read -ra words <<<"$one"
	[ $# = 0 ] || [[ " $* " = *" ${words[0]} "* ]] || continue
	[ "$running" -lt "$(nproc)" ] || { wait -n || failed=1; running=$((running - 1)); }
	step "${words[@]}" &
	running=$((running + 1))
done
while [ "$running" -gt 0 ]; do
	wait -n || failed=1
	running=$((running - 1))
done
exit $failed
