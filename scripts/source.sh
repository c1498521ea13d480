# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Sourced, after cache.sh: a kernel built from a linux-source of Debian and a fragment of
# configuration, kept in the cache.
#
#   source_kernel SERIES ARCH DIR FILE...   build it unless it is there, in DIR/...;
#                                           $kernel is where. FILEs are the fragments.
#   source_make TREE                        defined by the caller: builds, in TREE
#   source_prune TREE                       the same: leaves of it what is to be kept
#
# The source of 6.12 is a package that is installed (deps.sh). Later ones are in the backports of
# Debian 13; whatever Debian this is, they are fetched from there into the cache, once.

# shellcheck source=scripts/debian.sh
. "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/debian.sh"

source_tools() {
	local tool
	for tool in gcc make flex bison bc xz; do
		command -v $tool >/dev/null ||
			die "$tool is not there: apt-get install gcc make flex bison bc xz-utils"
	done
}

# Backports drop a series after some months. Then the next later one that they have is taken.
source_package() { # SERIES
	local found
	found=$(apt-cache pkgnames linux-source- |
		sed -En 's/^linux-source-([0-9]+\.[0-9]+)$/\1/p' | { cat; echo "$1"; } |
		sort -V | sed -n "/^${1//./\\.}\$/,\$p" | sed -n 2p)
	[ -n "$found" ] || die "linux-source-$1: Debian 13 has neither this nor a later one"
	[ "$found" = "$1" ] ||
		say "linux-source-$1: Debian 13 no longer has it; linux-source-$found is taken, which was never tried"
	printf 'linux-source-%s\n' "$found"
}

source_fetch() ( # SERIES DIR
	debian_use trixie
	package=$(source_package "$1") || exit
	mkdir -p "${2%/*}"
	tmp=$(mktemp -d "${2%/*}/.new.XXXXXX")
	trap 'rm -rf "$tmp"' EXIT
	say "fetching $package, 160 MB, once"
	debian_fetch "$tmp" "$package"
	apt-cache policy "$package" | sed -n 's/^ *Candidate: //p' >"$tmp/version"
	mv "$tmp" "$2"
)

# Sets tarball and version.
source_find() { # SERIES
	local dir=$UTF8GUARD_CACHE/source/$1 package=linux-source-$1
	if [ "$1" = 6.12 ]; then
		tarball=/usr/src/$package.tar.xz
		[ -r "$tarball" ] || die "$tarball is not there: apt-get install $package"
		version=$(dpkg-query -W -f '${Version}' "$package" 2>/dev/null) ||
			version=$(stat -c %Y "$tarball")
		return
	fi
	if [ ! -d "$dir" ]; then
		mkdir -p "${dir%/*}"
		exec 9>"${dir%/*}/.lock"
		flock 9
		[ -d "$dir" ] || source_fetch "$1" "$dir"
		exec 9>&-
	fi
	tarball=$(echo "$dir"/usr/src/linux-source-*.tar.xz)
	version=$(cat "$dir/version")
}

# Leaves out most of what is never compiled. Kconfig and make need their own files everywhere.
source_unpack() { # TREE
	tar -x -f "$tarball" -C "$1" --strip-components 1 -I 'xz -T0' \
		--exclude '*/Documentation/*/*' --exclude '*/tools/testing' \
		--exclude '*/arch/[!ux]*/*.[chS]' --exclude '*.dts' --exclude '*.dtsi' \
		--exclude '*/drivers/net/*/*.[ch]' --exclude '*/sound/*/*.[ch]' \
		--exclude '*/drivers/gpu/*.[ch]' --exclude '*/drivers/media/*.[ch]' \
		--exclude '*/drivers/scsi/*.[ch]' --exclude '*/drivers/staging/*.[ch]' \
		--exclude '*/drivers/infiniband/*.[ch]' --exclude '*/drivers/iio/*.[ch]' \
		2>/dev/null || die_unpacking "$tarball" "${1%/*}"
}

# kconfig drops a symbol without a word if it cannot be had: the tests would run without it.
source_configure() { # ARCH TREE FILE...
	local line arch=$1 tree=$2
	cat "${@:3}" >"$tree/fragment"
	make -s -C "$tree" ARCH="$arch" KCONFIG_ALLCONFIG="$tree/fragment" allnoconfig >&2
	while read -r line; do
		[[ $line != CONFIG_* ]] || grep -qxF "$line" "$tree/.config" ||
			die "$line: Linux ${version%%-*} will not have it"
	done <"$tree/fragment"
}

source_build() { # ARCH DIR FILE...
	local tmp kept=${2%/*}
	tmp=$(mktemp -d "$kept/.new.XXXXXX")
	# shellcheck disable=SC2064 # expand now
	trap "rm -rf '$tmp'" EXIT
	say "building Linux ${version%%-*} for $1: minutes, once; log in $kept/build.log"
	source_unpack "$tmp"
	source_configure "$1" "$tmp" "${@:3}"
	source_make "$tmp" >"$kept/build.log" 2>&1 </dev/null ||
		{ tail -n 20 "$kept/build.log" >&2; die "the kernel does not build; $(free_in "$kept") is free in $kept"; }
	source_prune "$tmp"
	mv "$tmp" "$2"
	trap - EXIT
}

# The name has a checksum of all that the result depends on: the fragments, the compiler, and
# the script that calls this, which says what is kept.
source_kernel() { # SERIES ARCH DIR FILE...
	local tarball version key
	source_tools
	source_find "$1"
	shift
	key=$({ grep -hv '^[[:space:]]*#' "${@:3}" "$0"; gcc -v 2>&1; } | sha256sum)
	kernel=$2/$version-${key:0:12}
	# A kernel that is there is complete: no need to wait while another one is built.
	[ ! -d "$kernel" ] || return 0
	mkdir -p "$2"
	exec 9>"$2/.lock"
	flock 9
	# Left by a build that was killed: nobody else is here.
	rm -rf "$2"/.new.*
	[ -d "$kernel" ] || source_build "$1" "$kernel" "${@:3}"
}
