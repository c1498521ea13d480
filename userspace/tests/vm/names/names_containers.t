#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The name check and a container of a user, by podman: an image with good names and one with bad
# ones, which he wrote himself, in an overlay that podman mounts in a user namespace.
# vm: -m 2048 -p podman,crun,uidmap
#
# promise root of a user namespace: by an image of a container he brings in no name that a rule refuses
# shown by: bad names: refused as ill-formed

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
# shellcheck source=userspace/tests/vm/names/names.sh
. "$here/names.sh"

# A user, and what podman expects of a host.
echo 'ann:x:1000:1000::/tmp/home:/bin/sh' >>/etc/passwd
echo 'ann:x:1000:' >>/etc/group
echo 'ann:100000:65536' | tee /etc/subuid >/etc/subgid
mkdir -p /dev/mqueue /tmp/run
mount -t mqueue mqueue /dev/mqueue
volume /tmp/home 300M mkfs.ext4 -q -F || bail_out "no ext4 volume"
mount --make-rshared /
modprobe overlay
home=/tmp/home/.config/containers
mkdir -p $home
printf '[storage]\ndriver = "overlay"\n' >$home/storage.conf
cat >$home/containers.conf <<'END'
[engine]
cgroup_manager = "cgroupfs"
events_logger = "none"
runtime = "crun"
[containers]
cgroups = "disabled"
netns = "none"
ipcns = "host"
utsns = "host"
pids_limit = 0
default_ulimits = []
log_driver = "none"
END
chown -R 1000:1000 /tmp/home /tmp/run
chmod 700 /tmp/run
podman() {
	(cd /tmp/home && setpriv --reuid 1000 --regid 1000 --clear-groups env HOME=/tmp/home XDG_RUNTIME_DIR=/tmp/run \
		USER=ann podman "$@" 2>&1)
}
# Its two outputs are one, or a line of one could end up within a line of the other.
in_image() { podman run --rm "$1" sh -c "exec 2>&1; $2"; }

# Two images, which are made here: nothing is fetched.
root=$tap/root
mkdir -p "$root"/{bin,dir,proc,tmp}
cp "$(command -v busybox)" "$root/bin/busybox"
for applet in sh chmod rm mv cp ls touch cat mkdir ln; do ln -s busybox "$root/bin/$applet"; done
for n in 1 2 3 4 5; do echo text >"$root/dir/good$n"; done
tar -C "$root" -cf "$tap/clean.tar" .
for n in 1 2 3 4 5; do echo text >"$root/dir/evil"$'\xc0\xae'"$n"; done
tar -C "$root" -cf "$tap/bad.tar" .
chmod 755 "$tap"

if ! load service || ! load fs; then bail_out "the modules do not load"; fi
rule=$(rule /tmp/home enforce)
ok "an image with good names is taken" podman import "$tap/clean.tar" clean
run podman import "$tap/bad.tar" bad
isnt "one with bad names is not" "$status" 0
like "because names are ill-formed" "$out" 'invalid or incomplete multibyte'
utf8guard fs set "$rule" audit
ok "where they are only audited, it is" podman import "$tap/bad.tar" bad
utf8guard fs set "$rule" enforce

# shellcheck disable=SC2016 # for the shell within
run in_image clean 'set -e; cat /proc/mounts | grep "^overlay / "; cd /dir
	chmod 600 good1; rm good2; mv good3 moved; ln good4 linked; cp good5 copied; touch new; mkdir d; echo *'
is "good names: all works" "$status" 0
like "in an overlay of its own" "$out" '^overlay / overlay .*userxattr'
like "with what was made" "$out" 'copied d good1 good4 good5 linked moved new$'
before=$(number fs userns-overlay)
# shellcheck disable=SC2016 # the shell in the container expands it
run in_image clean 'cd /dir; touch $(printf "new\300\256")'
like "a new bad name is refused" "$out" 'Illegal byte sequence|nvalid or incomplete'
ok "and counted as one of a user's overlay" [ "$(number fs userns-overlay)" -gt "$before" ]

# A lower layer that has bad names stays as it is; what needs no new name of it works.
before=$(number fs refused)
refused='Illegal byte sequence|nvalid or incomplete'
# shellcheck disable=SC2016 # the shell in the container expands it
run in_image bad 'cd /dir; x=$(printf "\300\256"); cat "evil${x}1" && echo read
	cp "evil${x}1" copied && echo copied; chmod 600 good1 && rm good2 && mv good3 moved && echo good
	for c in "chmod 600 evil${x}1" "rm evil${x}2" "mv evil${x}3 mended" "ln evil${x}4 linked"; do
		$c && echo "done: ${c%% *}" || echo "not: ${c%% *}"; done
	echo more >>"evil${x}5" || echo "not: write"
	rm -r . ; ls | while read -r f; do case $f in evil*) echo left; esac; done'
says() { grep -qax "$1" <<<"$out"; }
ok "bad names: they are read" says read
ok "bad names: and copied" says copied
ok "bad names: beside them all works" says good
for word in chmod rm mv ln write; do ok "bad names: refused: $word" says "not: $word"; done
like "bad names: refused as ill-formed" "$out" "$refused"
is "bad names: they are left" "$(grep -c '^left$' <<<"$out")" 5
ok "bad names: it is counted" [ "$(number fs refused)" -ge $((before + 5)) ]

# How an administrator permits images with bad names.
utf8guard fs add subtree /tmp/home/.local/share/containers uid 1000 off
utf8guard fs add subtree /tmp/home/.local/share/containers uid 100000-165535 off
# shellcheck disable=SC2016 # the shell in the container expands it
run in_image bad 'cd /dir; x=$(printf "\300\256"); chmod 600 "evil${x}1" && rm "evil${x}2" && mv "evil${x}3" mended && echo all'
ok "a rule that is off for the images: all works" says all
is "nothing was exempt" "$(number fs exempt-overlay)" 0
is "no name was missed" "$(number fs missed)" 0
done_testing
