#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Fetch a stock Debian kernel, image and headers, and print where it is.
#
#   kernel.sh 6.1 | 6.12 | 7.2 | 7.3   newest package of that series
#   kernel.sh 6.12-trixie           the same, of that suite of Debian
#   kernel.sh 6.1-oldest            the oldest package that the archive has
#   kernel.sh 6.1-cloud             the same, another flavour
#   kernel.sh 7.3-arm64             the same, of another architecture
#   kernel.sh arm64                 6.12-trixie-arm64
#   kernel.sh 6.12.117+deb12-amd64  exactly that one
#   kernel.sh debug | kcsan         none of theirs, but what debug.sh builds
#   kernel.sh uml                   User-Mode Linux, of uml/build.sh with what suites use
#
# A series comes from this machine's own suite of Debian if it has it, else from
# one that does: see suite_of. 6.12 is in both, each with a build of its own.
#
# Prints one line "RELEASE DIR": DIR/boot/vmlinuz-RELEASE (of User-Mode Linux
# DIR/linux), DIR/lib/modules/RELEASE and DIR/usr/src/linux-headers-RELEASE (usable as KDIR) exist; DIR/suite names
# the suite. Packages are unpacked below the cache and never installed: the host's
# /boot, its boot loader and its package database stay as they are.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/../cache.sh"
# shellcheck source=scripts/debian.sh
. "$here/../debian.sh"

[ $# = 1 ] || die "usage: kernel.sh SERIES[-SUITE][-FLAVOUR][-ARCHITECTURE]|RELEASE|debug|kcsan|uml"
case $1 in debug | kcsan) exec "$here/debug.sh" "$1" ;; esac
if [ "$1" = uml ]; then
	dir=$("$here/../uml/build.sh" "$here/network.config" "$here/../uml/suites.config")
	echo "$(basename "$dir"/lib/modules/*) $dir"
	exit
fi
[ "$1" != arm64 ] || set -- 6.12-trixie-arm64
kernels=$UTF8GUARD_CACHE/kernel
arch=$(debian_architecture)
own=$(debian_suite)

# What the name says: series, suite, flavour, which release of these; or release and suite.
series=${1%%-*} suite='' flavour='' order=-V release=
for word in $(tr - ' ' <<<"${1#"$series"}"); do
	case $word in
	bookworm | trixie) suite=$word ;;
	amd64 | arm64) arch=$word ;;
	oldest) order=-rV ;;
	*) flavour=$word- ;;
	esac
done
case $series in
*.*.*)
	release=$1
	case $release in
	*+deb12-*) suite=bookworm ;;
	*+deb13-*) suite=trixie ;;
	*) suite=$own ;;
	esac
	;;
esac

suite_of() { # SERIES
	case $1-$own in
	6.1-*) echo bookworm ;;
	6.12-trixie) echo trixie ;;
	6.12-*) echo bookworm ;;
	*) echo trixie ;;
	esac
}
suite=${suite:-$(suite_of "$series")}
case $suite in
bookworm) mark='(-[0-9]+|\+deb12)' ;;
trixie) mark='\+deb13' ;;
esac
# Releases of that name, and nothing that merely begins like one (-dbg, -unsigned).
pattern="${series//./\\.}\.[0-9.]+$mark-$flavour$arch"

# Is the kernel not in the machine's own package lists? One of another suite or architecture is
# not, and one of backports seldom is.
foreign() {
	[ "$suite" != "$own" ] || [ "$arch" != "$(debian_architecture)" ] || [[ $suite$series = trixie7* ]]
}
lists=/var/lib/apt/lists
if foreign; then
	lists=$(debian_lists "$suite" "$arch")/lists
fi

choose() { sed -En "s/^$pattern\$/&/p" | sort "$order" | tail -n 1; }

# The release that the name stands for, from the package lists.
resolve() {
	apt-cache pkgnames "linux-image-$series." 2>/dev/null | sed 's/^linux-image-//' | choose
}

# The same, without asking apt, which takes a second, as long as its lists have not
# changed.
remembered() {
	local answer=$kernels/.chosen-$suite-$1 new
	if [ "$answer" -nt "$lists" ]; then
		cat "$answer"
		return
	fi
	new=$(mktemp "$answer.XXXXXX")
	resolve >"$new"
	if [ -s "$new" ]; then
		mv "$new" "$answer" && cat "$answer"
	else
		rm "$new"
	fi
}

# The release of that name that an earlier run left in the cache.
cached() {
	local d
	for d in "$kernels"/*/boot; do
		basename "${d%/boot}"
	done | choose
}

# The packages that PACKAGE depends on and that are parts of a kernel.
parts() { # PACKAGE
	apt-cache depends "$1" |
		sed -n 's/.*Depends: \(linux-\(binary\|modules\|base\|kbuild\)-[0-9].*\|linux-headers-.*-common.*\)/\1/p'
}

unpack() {
	local release=$1 tmp all
	tmp=$(mktemp -d "$kernels/.new.XXXXXX")
	# shellcheck disable=SC2064 # expand now
	trap "rm -rf '$tmp'" EXIT
	all=$({
		printf 'linux-%s-'"$release"'\n' image headers
		parts "linux-image-$release"
		parts "linux-headers-$release"
	} | sort -u)
	say "fetching linux-image-$release and its headers"
	# What runs while modules are built is of this machine's architecture.
	if [ "$arch" != "$(debian_architecture)" ]; then
		(debian_use "$suite" && debian_fetch "$tmp" "$(grep -h '^linux-kbuild-' <<<"$all")")
		all=$(grep -v '^linux-kbuild-' <<<"$all")
	fi
	# shellcheck disable=SC2086 # a list of packages
	debian_fetch "$tmp" $all
	# Later kernels have all but a few links of /boot in /usr/lib/modules.
	[ -d "$tmp/lib" ] || ln -s usr/lib "$tmp/lib"
	mkdir -p "$tmp/boot"
	for part in vmlinuz config System.map; do
		[ -e "$tmp/boot/$part-$release" ] ||
			ln -s "../lib/modules/$release/$part" "$tmp/boot/$part-$release"
	done
	[ -r "$tmp/boot/vmlinuz-$release" ] || die "linux-image-$release: unknown layout"
	# The headers' makefile names absolute paths; they must work from here.
	sed -i -E "s,^(include |KBUILD_OUTPUT=)/usr/src/,\\1$kernels/$release/usr/src/," \
		"$tmp/usr/src/linux-headers-$release/Makefile"
	grep -q "^include $kernels/" "$tmp/usr/src/linux-headers-$release/Makefile" ||
		die "linux-headers-$release: unknown layout"
	/sbin/depmod -b "$tmp" "$release"
	echo "$suite" >"$tmp/suite"
	mv "$tmp" "$kernels/$release"
	trap - EXIT
}

mkdir -p "$kernels"
if [ -z "$release" ]; then
	! foreign || debian_use "$suite" "$arch"
	release=$(remembered "$1") || :
	[ -n "$release" ] || { apt-get -qq update >&2 || :; release=$(remembered "$1") || :; }
	[ -n "$release" ] || release=$(cached "$1") || :
	[ -n "$release" ] || die "$1: no such kernel in Debian's package lists or the cache"
fi

exec 9>"$kernels/.lock"
flock 9
# Left by a run that was killed: nobody else is here.
rm -rf "$kernels"/.new.*
if [ ! -d "$kernels/$release" ]; then
	! foreign || debian_use "$suite" "$arch"
	unpack "$release"
fi
printf '%s %s\n' "$release" "$kernels/$release"
