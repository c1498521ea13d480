# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0
#
# Sourced, after cache.sh: packages of any suite of Debian, whichever suite this
# machine runs.
#
#   debian_suite          prints this machine's suite: bookworm, trixie...
#   debian_architecture   prints this machine's architecture: amd64, arm64...
#   debian_lists SUITE [ARCHITECTURE]   prints the directory of their package lists
#   debian_use SUITE [ARCHITECTURE]   from here on, apt-get and apt-cache use that suite
#                         alone, with its updates, security and backports, as if nothing
#                         were installed; ARCHITECTURE is this machine's by default, and
#                         with "source" these are source packages
#   debian_fetch DIR NAME...   downloads packages and unpacks them below DIR
#   $debian_mirror        where packages come from: $MIRROR, or Debian's own
#
# The lists are in the project's cache. They are fetched once a day, and accepted only
# if Debian signed them. The machine's own lists and sources stay as they are.

debian_keyring=/usr/share/keyrings/debian-archive-keyring.gpg
debian_mirror=${MIRROR:-http://deb.debian.org/debian}

debian_architecture() { dpkg --print-architecture; }
debian_suite() { sed -n 's/^VERSION_CODENAME=//p' /etc/os-release; }

debian_update() { # LISTS
	[ -z "$(find "$1/.fetched" -mtime -1 2>/dev/null)" ] || return 0
	say "fetching the package lists of ${1##*/}"
	if apt-get -qq --error-on=any update >&2; then
		: >"$1/.fetched"
	elif [ -e "$1/.fetched" ]; then
		say "the lists of $(date -r "$1/.fetched" +%F) are used"
	else
		die_fetching "the package lists of ${1##*/}"
	fi
}

debian_lists() { # SUITE [ARCHITECTURE]
	[ "${2:-$(debian_architecture)}" = "$(debian_architecture)" ] || set -- "$1-$2"
	printf '%s\n' "$UTF8GUARD_CACHE/suite/$1"
}

debian_use() { # SUITE [ARCHITECTURE]
	local suite=$1 architecture=${2:-$(debian_architecture)} type=deb lists pocket pockets
	lists=$(debian_lists "$@")
	[ "$architecture" != source ] || { type=deb-src architecture=$(debian_architecture); }
	[ -r "$debian_keyring" ] || die "$debian_keyring: missing; apt-get install debian-archive-keyring"
	mkdir -p "$lists/lists/partial" "$lists/archives/partial" "$lists/none"
	exec 8>"$lists/.lock"
	flock 8
	pockets=("$suite")
	case $suite in
	bookworm | trixie) pockets+=("$suite-updates" "$suite-backports") ;;
	esac
	for pocket in "${pockets[@]}"; do
		printf '%s [signed-by=%s] %s %s main\n' "$type" "$debian_keyring" "$debian_mirror" "$pocket"
	done >"$lists/sources.list"
	[ ${#pockets[@]} = 1 ] || printf '%s [signed-by=%s] %s-security %s-security main\n' \
		"$type" "$debian_keyring" "$debian_mirror" "$suite" >>"$lists/sources.list"
	: >"$lists/status"
	cat >"$lists/apt.conf" <<-END
		Dir::State::Lists "$lists/lists";
		Dir::State::status "$lists/status";
		Dir::Cache "$lists";
		Dir::Etc::SourceList "$lists/sources.list";
		Dir::Etc::SourceParts "$lists/none";
		Dir::Etc::Preferences "$lists/none/preferences";
		Dir::Etc::PreferencesParts "$lists/none";
		APT::Sandbox::User "root";
		APT::Architecture "$architecture";
		APT::Architectures { "$architecture"; };
	END
	export APT_CONFIG=$lists/apt.conf
	debian_update "$lists"
	exec 8>&-
}

debian_fetch() { # DIR NAME...
	local dir=$1 deb
	(cd "$dir" && apt-get -qq -o APT::Sandbox::User=root download "${@:2}" >&2) ||
		die_fetching "${*:2}"
	for deb in "$dir"/*.deb; do
		dpkg-deb -x "$deb" "$dir" 2>/dev/null || die_unpacking "${deb##*/}" "${dir%/*}"
		rm "$deb"
	done
}
