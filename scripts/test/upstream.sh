#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Fetch and build the test suites of other projects, and link to them in a directory:
#
#   upstream.sh DIR NAME...
#
# NAME is selftests, which are those of netfilter in linux-source-6.12; or git, rsync or tar, by
# Debian's source package of this machine's suite. They are kept in the cache, one a version, and
# apt-get accepts only what Debian signed. What cannot be had is said, and has no link: its suite
# is then skipped.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"
# shellcheck source=scripts/source.sh
. "$here/../source.sh"

[ $# -ge 2 ] || die "usage: upstream.sh DIR NAME..."
kept=$UTF8GUARD_CACHE/upstream
links=$1
shift
mkdir -p "$kept" "$links"

# Each kind has two functions. versions_* prints the versions that there are, the latest first;
# build_* is called in an empty directory, and leaves there what the suite runs.
versions_selftests() {
	source_find 6.12
	printf '%s\n' "$version"
}
build_selftests() {
	local selftests=tools/testing/selftests name
	source_find 6.12
	tar -x -f "$tarball" --strip-components 1 -I 'xz -T0' --wildcards \
		"*/$selftests/net/netfilter/*" "*/$selftests/net/*.sh" "*/$selftests/kselftest*.h"
	for name in "$selftests"/net/netfilter/*.c; do
		gcc -O2 -w -I "$selftests" "$name" -o "${name%.c}" -lmnl -lpthread
	done
}

versions_package() { # NAME
	debian_use "$(debian_suite)" source
	apt-cache showsrc --only-source "$1" | sed -n 's/^Version: //p' | sort -rV
}
source_package_of() { # NAME VERSION: its source is then the working directory
	debian_use "$(debian_suite)" source
	apt-get -q source --only-source "$1=$2" || die_fetching "$1 $2"
	rm -f -- *.dsc *.tar.*
	mv -- "$1"-* source
	cd source
}

# None of these is optimized, which takes most of the time of a compiler.
versions_git() { versions_package git; }
build_git() {
	source_package_of git "$1"
	make -s CFLAGS='-O0 -w' NO_CURL=1 NO_EXPAT=1 NO_OPENSSL=1 NO_GETTEXT=1 NO_TCLTK=1 NO_PERL=1 NO_PYTHON=1 all
	find . -name '*.o' -delete
}

versions_rsync() { versions_package rsync; }
build_rsync() {
	source_package_of rsync "$1"
	sh ./configure --quiet --disable-md2man --disable-openssl --disable-xxhash --disable-zstd --disable-lz4 CFLAGS='-O0 -w'
	make -s rsync tls getgroups getfsdev testrun trimslash t_unsafe wildtest
}

versions_tar() { versions_package tar; }
build_tar() {
	source_package_of tar "$1"
	FORCE_UNSAFE_CONFIGURE=1 sh ./configure --quiet --disable-nls --without-posix-acls --without-selinux CFLAGS='-O0 -w'
	make -s -C gnu
	make -s -C lib
	make -s -C src tar
	make -s -C tests genfile
}

provide() ( # NAME VERSION
	set -e
	dir=$kept/$1-${2//:/_}-$({ declare -f "build_$1" source_package_of; gcc -v 2>&1; } | sha256sum | cut -c 1-12)
	if [ ! -e "$dir/.complete" ]; then
		say "fetching and building the tests of $1 $2, once; log in $kept/$1.log"
		rm -rf "$dir"
		# Not moved when it is complete: git's scripts have the path in them.
		mkdir "$dir"
		cd "$dir"
		"build_$1" "$2" >"$kept/$1.log" 2>&1 </dev/null
		: >"$dir/.complete"
	fi
	ln -sfn "$dir" "$links/$1"
)

links=$(readlink -f "$links")
exec 9>"$kept/.lock"
flock 9
for name; do
	rm -f "$links/$name"
	# Debian has versions in its lists that it no longer has, or not yet.
	for version in $("versions_$name" || :); do
		# In a condition, set -e would do nothing.
		set +e
		provide "$name" "$version"
		status=$?
		set -e
		[ $status != 0 ] || break
	done
	[ -e "$links/$name" ] || say "upstream.sh: the tests of $name cannot be had, and are skipped"
done
