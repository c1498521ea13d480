#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The picture of "utf8guard top" in README.md: what it shows in a real terminal (tmux,
# 80 columns) of real refusals on a stock kernel, drawn by svg.py.
#
#   top.sh [FILE.svg]          userspace/man/top.svg; after make modules-6.12 tools
#
# Inside the machine that it boots, it runs itself with the word "inside".

set -euo pipefail
here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../..")

# What is refused, over and over, by different programs and for different reasons.
names() {
	while :; do
		touch $'report\xc0\xaeexe' $'invoice\u202egpj.exe' || :
		cp /etc/hostname $'caf\xe9.txt' || :
		mv notes.txt $'notes\xed\xa0\x80.txt' || :
		install -m 644 /etc/hostname /srv/old/$'na\xefve.txt' || :
		sleep 0.2
	done
}

requests() {
	while :; do
		curl -sS --max-time 2 --request-target $'/..\xc0\xaf../etc/passwd' http://127.0.0.1 || :
		curl -sS --max-time 2 --request-target '/%F0%80%80%AE' http://127.0.0.1 || :
		printf '<13>caf\xe9' >/dev/udp/127.0.0.1/514 || :
		sleep 0.1
	done
}

inside() {
	local module server
	ip link set lo up
	modprobe -a nf_conntrack nf_reject_ipv4 nf_reject_ipv6
	for module in utf8guard utf8guard_fs utf8guard_nf; do insmod "$UTF8GUARD_MODULES/$module.ko"; done
	mkdir -p /srv/share /srv/old
	utf8guard load - <<-'END'
		fs add subtree /srv/share enforce profile safe
		fs add subtree /srv/old audit
		net add input tcp dport 80,8080 reject stream scope http-target decode percent
		net add input udp dport 514 saddr 10.0.0.0/8,127.0.0.0/8 audit
	END
	cd /srv/share
	touch notes.txt
	python3 -m http.server 80 &>/dev/null &
	server=$!
	export TMUX='' LC_ALL=C.UTF-8
	tmux -S /tmp/tmux -f /dev/null new-session -d -s top -x 80 -y 24 'utf8guard top'
	names &>/dev/null &
	requests &>/dev/null &
	sleep 12
	tmux -S /tmp/tmux send-keys -t top j j
	sleep 2
	tmux -S /tmp/tmux capture-pane -e -N -p -t top >"$VM_OUT/top.ansi"
	tmux -S /tmp/tmux kill-server
	# shellcheck disable=SC2046 # numbers of processes
	kill "$server" $(jobs -p) || :
}

if [ "${1-}" = inside ]; then
	inside
	exit
fi
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
"$top/scripts/vm/run.sh" -k 6.12 -o "$out" -- scripts/picture/top.sh inside
python3 "$here/svg.py" "utf8guard top" <"$out/top.ansi" >"${1-$top/userspace/man/top.svg}"
