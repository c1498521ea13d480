#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Install what a purpose needs and the machine lacks:
#
#   deps.sh build|vm|arm64|demo|test|bench|fuzz|lint|room|package|rpm...
#   deps.sh --list              PURPOSE PACKAGE PROBE of all, a line each
#
# What is there already is left alone, wherever it comes from. If nothing is missing, this prints
# nothing. On Debian, as root, apt-get installs what is missing. Without root or apt-get, this
# prints what to install, and fails.

set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
# shellcheck source=scripts/cache.sh
. "$here/cache.sh"

# PURPOSE PACKAGE PROBE WHY. The package counts as installed if its probe is there: a program,
# a header:, a lib:rary, a file:, a dir:ectory, or a program that must be static:. A purpose
# with ? works without the package, and then does less.
table='
build  gcc              cc                    compiles the tool
build  gcc-12           gcc-12                built the kernels of Debian 12; their modules want the same
build  libc6-dev        header:stdio.h        the C library
build  make             make                  runs the build
build  perl             pod2usage             kernel-doc, which a build with W=1 runs
build  kmod             modprobe              orders and loads modules
build  libmnl-dev       header:libmnl/libmnl.h  netlink, for the tool
build  libjansson-dev   header:jansson.h      JSON, for the tool
build  libunistring-dev header:uniname.h      names of characters, for the tool
build? libxtables-dev   header:xtables.h      the extension of iptables
build? pkgconf          pkg-config            tells where extensions of iptables are, and ncurses
build? libncursesw5-dev header:ncurses.h      the screen of utf8guard top
build  libelf1          lib:libelf.so.1       objtool of the kernel headers
build  pahole           pahole                types of the modules for BPF, as those headers ask for
build  xz-utils         xz                    unpacks kernels and their modules

vm     qemu-system-x86  qemu-system-x86_64    the machine in which the kernels boot
vm     busybox-static   static:busybox        the first programs of that machine
vm     cpio             cpio                  packs the initramfs
vm     zstd             zstd                  unpacks what later kernels compress with it
vm     util-linux       setpriv               ends the machine together with its script
vm     debian-archive-keyring  file:/usr/share/keyrings/debian-archive-keyring.gpg  shows that kernels of another suite are really from Debian

arm64  qemu-system-arm  qemu-system-aarch64   the machine in which the kernels of arm64 boot
arm64  qemu-user        qemu-aarch64          runs the tests of the codec that were compiled for arm64

demo   zip              zip                   the archive with names of old
demo   unzip            unzip                 ... and what unpacks it
demo   tar              tar                   the same, the other way
demo   curl             curl                  the HTTP client
demo   e2fsprogs        mkfs.ext4             the volume

test   linux-source-6.12  file:/usr/src/linux-source-6.12.tar.xz  has the client of netlink that the kernel comes with
test   flex             flex                  configures and builds the kernel of the unit tests
test   bison            bison                 the same
test   bc               bc                    the same
test   libssl-dev       header:openssl/ssl.h  the same
test   libelf-dev       header:libelf.h       the same
test   iptables         iptables-nft          has our extension tested
test   nftables         nft                   the same for our helper
test   ethtool          ethtool               turns offloads on and off
test   iproute2         tc                    namespaces, links, delay and loss
test   passwd           useradd               users of servers in the guest
test   procps           pgrep                 finds processes in the guest
test   openssl          openssl               speaks TLS to servers, and makes their keys
test   binutils         objcopy               looks into what was compiled
test   bzip2            bzcat                 unpacks the tables of Unicode
test?  systemd          systemd-analyze       checks the units
test   python3          python3               reads the JSON of the tool, a codec to compare with
test   strace           strace                kills the tool between its messages
test   python3-jsonschema  file:/usr/lib/python3/dist-packages/jsonschema/__init__.py  checks that JSON against its schema
test   python3-yaml     file:/usr/lib/python3/dist-packages/yaml/__init__.py  reads the netlink specs, for the client of the kernel
test?  python3-prometheus-client  file:/usr/lib/python3/dist-packages/prometheus_client/__init__.py  reads the metrics of the tool
test?  libicu-dev       header:unicode/unorm2.h  another codec, and a normaliser
test?  libunistring-dev header:uninorm.h      another normaliser
test?  libutf8proc-dev  header:utf8proc.h     another
test?  libsimdjson-dev  lib:libsimdjson.so.*  another codec
test?  libsimde-dev     header:simde/x86/avx512.h  AVX-512 on any processor
test?  zsh              zsh                   checks its completion
test?  fish             fish                  the same
test?  tmux             tmux                  a terminal for the screen of utf8guard top
test?  groff-base       groff                 checks the manual page
test?  unicode-data     file:/usr/share/unicode/UnicodeData.txt  the tables of Unicode

bench? libicu-dev       header:unicode/unorm2.h  a peer
bench? libunistring-dev header:uninorm.h      a peer
bench? libutf8proc-dev  header:utf8proc.h     a peer
bench? libsimdjson-dev  lib:libsimdjson.so.*  a peer
bench? libglib2.0-dev   lib:libglib-2.0.so.0  a peer
bench? librust-simdutf8-dev dir:/usr/share/cargo/registry/simdutf8-*  a peer
bench? rustc            rustc                 compiles it
bench? g++              c++                   compiles the peer that is in C++
bench  python3          /usr/bin/python3      runs them and writes the report
bench  iso-codes        dir:/usr/share/iso-codes  names in many languages
bench? unicode-data     file:/usr/share/unicode/emoji/emoji-test.txt  emoji
bench? gnuplot-nox      gnuplot               the pictures of the report

fuzz   clang            clang                 its libFuzzer makes inputs by what they run
fuzz   libclang-rt-dev  lib:llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-*.a  libFuzzer itself, and the sanitizers
fuzz   llvm             llvm-cov              says what was run

lint   sparse           sparse                types, locks and address spaces of the kernel code
lint   shellcheck       shellcheck            the scripts
lint   cppcheck         cppcheck              the C code
lint   clang-tidy       clang-tidy            the same
lint   coccinelle       spatch                rules of the kernel for its own code
lint   shfmt            shfmt                 parses scripts, to find the programs that they call
lint   linux-source-6.12  file:/usr/src/linux-source-6.12.tar.xz  has checkpatch, and the netlink generator
lint   python3          /usr/bin/python3      runs that generator
lint   python3-yaml     file:/usr/lib/python3/dist-packages/yaml/__init__.py  reads the netlink specs
lint   python3-jsonschema  file:/usr/lib/python3/dist-packages/jsonschema/__init__.py  checks them
lint   rpm              rpmbuild              is called by the Makefile; what each package has is looked up

room   debootstrap      debootstrap           makes a root that has nothing yet
room   debian-archive-keyring  file:/usr/share/keyrings/debian-archive-keyring.gpg  shows that it is really from Debian
room   util-linux       unshare               shuts it in
room   git              git                   brings the checkout

package apt             apt-get               installs into the root in which packages are built
package xz-utils        xz                    packs the archive of the source
package mount           mount                 the disk of the machine in which packages are tried
package e2fsprogs       mkfs.ext4             makes that disk
package binutils        strings               shows which compiler made a module
package openssl         openssl               makes a certificate readable to what enrols it
package autopkgtest     autopkgtest           runs the tests that the packages bring along
package? clang          clang                 compiles what the name check is compared with, for BPF
package? libbpf-dev     header:bpf/libbpf.h   loads it

rpm    rpm              rpmbuild              builds packages of that kind
rpm    xz-utils         xz                    packs the archive of the source
'
# The purposes whose packages a purpose needs, itself among them.
declare -A also=([build]=build [vm]='build vm' [arm64]='build vm arm64' [demo]='build vm demo'
	[test]='build vm demo test' [bench]='build bench' [fuzz]='build test fuzz'
	[lint]='build vm demo test bench fuzz lint room' [room]=room
	[package]='build vm test room package' [rpm]='build rpm')

PATH=$PATH:/usr/sbin:/sbin
any() { compgen -G "$1" >/dev/null; }
present() { # PROBE
	local what=${1#*:}
	case $1 in
	header:*) any "/usr/include/$what" || any "/usr/include/*/$what" || any "/usr/local/include/$what" ;;
	lib:*) any "/usr/lib/$what" || any "/usr/lib/*/$what" || any "/usr/lib64/$what" || any "/lib/*/$what" ;;
	file:*) [ -r "$what" ] ;;
	dir:*) any "$what" ;;
	static:*) command -v "$what" >/dev/null && ! ldd "$(command -v "$what")" >/dev/null 2>&1 ;;
	*) command -v "$1" >/dev/null ;;
	esac
}

if [ "${1-}" = --list ]; then
	while read -r purpose package probe _; do
		[ -n "$purpose" ] || continue
		for wanted in "${!also[@]}"; do
			[[ " ${also[$wanted]} " != *" ${purpose%\?} "* ]] || echo "$wanted $package $probe"
		done
	done <<<"$table"
	exit
fi

[ $# != 0 ] || die "usage: deps.sh build|vm|arm64|demo|test|bench|fuzz|lint|room|package|rpm..."
wanted=
for purpose; do
	[ "${also[$purpose]-}" ] || die "$purpose: unknown purpose; expected ${!also[*]}"
	wanted+=" ${also[$purpose]} "
done

missing=() optional=() reasons=
while read -r purpose package probe why; do
	[[ -n $purpose && $wanted = *" ${purpose%\?} "* ]] || continue
	! present "$probe" || continue
	[ "$purpose" = "${purpose%\?}" ] && missing+=("$package") || optional+=("$package")
	reasons+=$(printf '\n  %-18s %s' "$package" "$why${purpose//[^?]/}")
done <<<"$table"
[ -n "$reasons" ] || exit 0
reasons=${reasons//\?/ (optional)}

# Optional packages may be missing.
give_up() {
	say "missing for \"$*\":$reasons"
	[ ${#missing[@]} != 0 ] || exit 0
	exit 1
}
packages=(${missing[@]+"${missing[@]}"} ${optional[@]+"${optional[@]}"})
install=(apt-get install --yes --no-install-recommends)
if ! command -v apt-get >/dev/null; then
	say "This is no Debian: packages of these names, or the like, have to come from elsewhere."
	give_up "$@"
elif [ "$(id -u)" != 0 ]; then
	say "Only root can install what is missing:"
	say "  sudo apt-get update && sudo ${install[*]} ${packages[*]}"
	give_up "$@"
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
export DEBIAN_FRONTEND=noninteractive
quietly() { "$@" </dev/null >"$log" 2>&1; }
apt() { quietly "$1" -o DPkg::Lock::Timeout=120 "${@:2}"; }

# Package lists do not say how old they are. So they are fetched when there are none, and when a
# package that they name cannot be downloaded.
updated=
update() {
	[ -z "$updated" ] || return
	updated=1
	say "updating the package lists"
	apt apt-get update
}
get() { apt "${install[@]}" "$@" || { update && apt "${install[@]}" "$@"; }; }

# All in one run of apt-get, where each of them can be had: to read lists and run triggers takes it seconds.
say "installing ${packages[*]}"
! get "${packages[@]}" || exit 0
if [ ${#missing[@]} != 0 ]; then
	get "${missing[@]}" || { tail -n 20 "$log" >&2; die "apt-get cannot install: ${missing[*]}"; }
fi
for package in ${optional[@]+"${optional[@]}"}; do
	get "$package" || say "$package cannot be installed; some tests will be skipped"
done
