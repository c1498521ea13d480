#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# All the linters over the whole tree; any finding fails.
#
#   kernel code   W=1 and sparse on both stock kernels, checkpatch --strict
#   dispatcher    short text goes through no thunk, and saves no register (dispatch.sh)
#   user space    cppcheck
#   scripts       shellcheck, and whether deps.sh names what they call (programs.py)
#   specs         what is generated from them is what is committed
#   structure     imports go one way, and no folder is full (circles.py)
#   words         none that are retired (words.py)
#   maps          kernel/README.md and userspace/README.md name what exists (maps.py)

# shellcheck disable=SC2317 # the functions are called through step()

set -uo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"
cd "$here/../.." || exit

failed=0
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT

# step NAME COMMAND...: quiet when it is clean, all of its output when not
step() {
	local name=$1
	shift
	if "$@" >"$log/out" 2>&1; then
		echo "ok      $name"
	else
		echo "FAILED  $name"
		cat "$log/out"
		failed=1
	fi
}

# A copy of its own: kbuild looks at nothing that is up to date.
modules() {
	local release=$1 dir=$2
	shift 2
	rm -rf "$log/src"
	mkdir "$log/src"
	cp -a Kbuild kernel include "$log/src"
	make -s -j"$(nproc)" -C "$dir/usr/src/linux-headers-$release" M="$log/src" "$@" \
		modules >"$log/build" 2>&1 || { cat "$log/build"; return 1; }
	# The headers' own warnings are not ours.
	! grep -E "^$log/src.*(warning|error):" "$log/build"
}

# checkpatch comes with the kernel's source. What it says about user-space shims and
# generated files is ignored, for these reasons:
checkpatch() {
	local archive=/usr/src/linux-source-6.12.tar.xz tree=$UTF8GUARD_CACHE/checkpatch
	if ! [ -x "$tree/checkpatch.pl" ]; then
		[ -r "$archive" ] || { echo "$archive: missing"; return 1; }
		mkdir -p "$tree"
		tar -C "$tree" --strip-components=2 -xf "$archive" \
			linux-source-6.12/scripts/{checkpatch.pl,spelling.txt,const_structs.checkpatch} ||
			return 1
	fi
	# EXPORT_SYMBOL, NOT_USED, MACRO_ARG, COMPLEX_MACRO, PREFER_DEFINED: the macros
	# that stand for the kernel's own in user space.
	# COMPLEX_MACRO, MACRO_ARG: lists of reasons, which are read with a macro for each.
	# PREFER_KERNEL_TYPES: where those types are made from stdint.h.
	# OPEN_ENDED_LINE, PARENTHESIS_ALIGNMENT: the layout of TRACE_EVENT.
	# LONG_LINE_COMMENT: table rows of the standards.
	git ls-files 'kernel/*.[ch]' 'include/linux/*.h' 'kunit/*.[ch]' \
		'userspace/tests/vm/module/*.c' |
		grep -vE '_gen\.[ch]$|_table\.[ch]$|compat/' >"$log/files"
	xargs "$tree/checkpatch.pl" --no-tree --strict --terse --quiet --show-types \
		--ignore SPDX_LICENSE_TAG,FILE_PATH_CHANGES -f <"$log/files" >"$log/checkpatch"
	grep -vE '/codec/codec\.h:.*(EXPORT_SYMBOL|MACRO_ARG|NOT_USED|COMPLEX_MACRO|PREFER_DEFINED)|/outcome\.h:.*(COMPLEX_MACRO|MACRO_ARG|PREFER_DEFINED)|/utf8guard\.h:.*PREFER_KERNEL_TYPES|/trace\.h:.*(OPEN_ENDED_LINE|PARENTHESIS_ALIGNMENT)|^total:|^$' \
		"$log/checkpatch" && return 1
	return 0
}

scripts_of_tree() {
	git ls-files | while read -r f; do
		case $f in
		*.sh | *.t) echo "$f" ;;
		*) head -c 40 "$f" | head -n 1 | grep -qaE '^#!/bin/(ba)?sh' && echo "$f" ;;
		esac
	done
}

for series in 6.1 6.12; do
	where=$("$here/../vm/kernel.sh" $series) || exit
	# shellcheck disable=SC2086 # RELEASE DIR
	set -- $where
	step "W=1 on $1" modules "$1" "$2" W=1
	step "dispatcher on $1" "$here/dispatch.sh" "$log/src/utf8guard.o"
	step "sparse on $1" modules "$1" "$2" C=2 CF="-D__CHECK_ENDIAN__"
done
step "checkpatch --strict" checkpatch
step "cppcheck" cppcheck --quiet --error-exitcode=1 --inline-suppr \
	--enable=warning,performance,portability --suppress=missingInclude \
	-Iinclude -Iuserspace/tool -D__x86_64__ -Ukernel userspace/tool userspace/xtables kernel/codec
# shellcheck disable=SC2046 # file names of ours
step "shellcheck" shellcheck -x $(scripts_of_tree)
step "programs that scripts call" "$here/programs.py"
step "imports" "$here/circles.py"
step "words" "$here/words.py"
step "maps" "$here/maps.py"
step "generated netlink code" "$here/../netlink.sh" --check
exit $failed
