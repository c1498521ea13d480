#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The name check beside a program for BPF LSM that refuses the same six operations
# (bpf_lsm.bpf.c): what each does, on the same kernel. What utf8guard(8) says of them under
# SECURE BOOT is this table. Booted with module.sig_enforce=1, it asks only what is different then.
# vm: -m 1024

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../vm/lib.sh"
# shellcheck source=userspace/tests/vm/names/names.sh
. "$vm/names/names.sh"

built=$vm/../../../build/packages
[ -x "$built/bpf_lsm" ] || skip_all "no clang or no libbpf when it was built"
grep -qw bpf /sys/kernel/security/lsm || skip_all "the kernel has no BPF LSM switched on"
mkdir -p /tmp/d /tmp/o
volume /tmp/d
mkdir -p /tmp/d/share /tmp/d/other /tmp/d/{upper,work,lower}
modprobe overlay
helper files.py
bad='\xc0\xae'
# Names that are there from before.
must touch $'/tmp/d/lower/\xc0\xae' $'/tmp/d/share/old\xff' /tmp/d/share/good
must mount -t overlay -o lowerdir=/tmp/d/lower,upperdir=/tmp/d/upper,workdir=/tmp/d/work overlay /tmp/o

# The same questions to both: what is refused, and what is not.
declare -A answer_of
question() { # WHO WHAT ANSWER
	answer_of[$1,$2]=$3
	note "$1: $2: $3"
}
ask_all() { # WHO
	ask make /tmp/d/share "$bad" create mkdir file symlink link rename
	question "$1" operations "$answer"
	ask make /tmp/d/share 'gr\xc3\xbcn' create mkdir file symlink link rename
	question "$1" good "$answer"
	ask make /tmp/d/other "$bad" create
	question "$1" elsewhere "$answer"
	ask exchange '/tmp/d/share/old\xff' /tmp/d/share/good
	question "$1" exchange "$answer"
	ask chmod '/tmp/o/\xc0\xae'
	question "$1" overlay "$answer"
	ask make /tmp/d/share 'a\x0ab' create
	question "$1" newline "$answer"
}

lsm() {
	local line hold
	mkfifo "$tap/hold" "$tap/says"
	"$built/bpf_lsm" "$built/bpf_lsm.bpf.o" <"$tap/hold" >"$tap/says" 2>&1 &
	exec {hold}>"$tap/hold"
	read -r line <"$tap/says"
	is "BPF: six programs are attached" "$line" "6 attached" || bail_out "no BPF LSM"
	log_mark
	ask_all bpf
	question bpf record "$(log_since ' audit: ' | grep -c .)"
	exec {hold}>&-
	wait $!
}
lsm
if [ "$(cat /sys/module/module/parameters/sig_enforce)" = Y ]; then
	is "signed modules alone: BPF refuses all the same" "${answer_of[bpf,operations]}" "all EILSEQ"
	not_ok "and utf8guard does not load without a key of one's own" insmod "$UTF8GUARD_MODULES/utf8guard.ko"
	done_testing
	exit
fi
umount /tmp/o
rm -rf /tmp/d/{upper,work} && mkdir /tmp/d/{upper,work}
must mount -t overlay -o lowerdir=/tmp/d/lower,upperdir=/tmp/d/upper,workdir=/tmp/d/work overlay /tmp/o
ask make /tmp/d/share "$bad" create
is "BPF: it ends with the process that holds it" "$answer" "all ok"

{ load service && load fs; } || bail_out "the modules do not load"
utf8guard fs add subtree /tmp/d/share enforce refuse newline
utf8guard fs add subtree /tmp/d/upper enforce
log_mark
ask_all guard
question guard record "$(log_since ' audit: .*op=utf8guard-name' | grep -c .)"

both() { # NAME QUESTION BPF GUARD
	is "BPF: $1" "${answer_of[bpf,$2]}" "$3"
	is "utf8guard: $1" "${answer_of[guard,$2]}" "$4"
}
both "the six operations on a bad name" operations "all EILSEQ" "all EILSEQ"
both "the six on a good one" good "all ok" "all ok"
both "a directory that is not meant" elsewhere "all EILSEQ" "all ok"
both "the exchange of two names that exist" exchange EILSEQ ok
both "chmod of a bad name of an overlay's lower layer" overlay EILSEQ ok
both "a name with a newline" newline "all ok" "all EILSEQ"
is "BPF: no record says who was refused" "${answer_of[bpf,record]}" 0
isnt "utf8guard: records do" "${answer_of[guard,record]}" 0
done_testing
