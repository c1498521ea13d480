#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Containers with root of the host, as a node of Kubernetes has them, by podman; and what the
# DaemonSet runs.
# vm: -m 2048 -p podman,crun
#
# promise local user: though root in a pod, he makes no name there that the rule for the pods'
#   cgroup refuses, even if that came first, and a request that the node's rule refuses has no
#   answer
# shown by: a pod: a bad name is refused
# shown by: a pod: a bad request has no answer
# promise operator: the DaemonSet loads the policy, and is not ready as long as that is not in
#   force
# shown by: it loads the policy
# shown by: not ready: the policy is not in force

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
top=$(readlink -f "$here/../../../..")

mkdir -p /dev/mqueue /etc/containers
mount -t mqueue mqueue /dev/mqueue
volume /var/lib/containers 300M mkfs.ext4 -q -F || bail_out "no ext4 volume"
mount --make-rshared /
modprobe -a overlay veth
printf '[storage]\ndriver = "overlay"\ngraphroot = "/var/lib/containers/storage"\nrunroot = "/run/containers"\n' \
	>/etc/containers/storage.conf
cat >/etc/containers/containers.conf <<'END'
[engine]
cgroup_manager = "cgroupfs"
events_logger = "none"
runtime = "crun"
[containers]
default_ulimits = []
log_driver = "none"
pids_limit = 0
END
echo '{"default":[{"type":"insecureAcceptAnything"}]}' >/etc/containers/policy.json
# A pod's network, as a CNI plug-in leaves it: a namespace, wired to the node.
ip netns add pod
ip link add pod0 type veth peer name eth0 netns pod
ip addr add 10.9.0.1/24 dev pod0
ip link set pod0 up
ip -n pod addr add 10.9.0.2/24 dev eth0
ip -n pod link set eth0 up
ip -n pod link set lo up

root=$tap/root
mkdir -p "$root"/{bin,dir,proc,tmp,policy}
cp "$(command -v busybox)" "$root/bin/busybox"
for applet in sh touch ls wget grep nc timeout nsenter sleep cat; do ln -s busybox "$root/bin/$applet"; done
tar -C "$root" -cf "$tap/image.tar" .
run podman import "$tap/image.tar" pod
is "there is an image" "$status" 0 || note "$out $err"
in_pod() { podman run --rm --cgroup-parent /kubepods --network ns:/run/netns/pod pod sh -c "exec 2>&1; $1"; }

# Rules for what is not there yet.
load_all
cp "$UTF8GUARD" /usr/local/sbin
cat >"$tap/policy" <<'END'
fs flush
net flush
fs set default audit
fs add default cgroup /kubepods enforce comment 'pods'
net add input tcp dport 9000 reject
END
ok "a policy comes before the pods" utf8guard load "$tap/policy"
like "its rule waits" "$(utf8guard fs)" 'cgroup /kubepods enforce .*waiting for its cgroup'
# shellcheck disable=SC2016 # the shell in the pod expands it
bad='x=$(printf "bad\300\256"); touch "/tmp/$x"'
run in_pod "$bad"
isnt "a pod: a bad name is refused" "$status" 0
like "as ill-formed" "$out" 'Illegal byte sequence|nvalid or incomplete'
run in_pod 'touch /tmp/gut; ls /tmp'
is "a good one is not" "$out" gut
# The cgroup is looked for now and then, to show this; the rule acted from the first name on.
ok "the rule is shown as one that acts" until_true 60 sh -c '! utf8guard fs | grep -q waiting'
run touch $'/tmp/bad\xc0\xae'
is "the same on the node is only audited" "$status" 0
run podman run --rm --cgroup-parent /other --network none pod sh -c "$bad"
is "and in a container that is no pod" "$status" 0

mkdir "$tap/www"
echo answer >"$tap/www/file"
busybox httpd -f -p 10.9.0.1:9000 -h "$tap/www" &
at_exit "kill $!"
run in_pod 'wget -qO- http://10.9.0.1:9000/file'
is "a pod: a good request" "$out" answer
bad_request='printf "GET /\300\257file HTTP/1.0\r\n\r\n" | timeout 5 nc 10.9.0.1 9000'
run in_pod "$bad_request"
unlike "a pod: a bad request has no answer" "$out" HTTP
is "it is refused by the node" "$(class -)" overlong
# Root of the node may give the network namespace of a pod rules of its own, and sees only these there.
ok "rules of the pod's network namespace" utf8guard -N pod net add output tcp dport 9000 drop
is "are there" "$(utf8guard -N pod net | wc -l)" 1
run in_pod "$bad_request"
is "and refuse before it leaves the pod" "$(class pod)" overlong

# What the DaemonSet runs, as it runs it.
cat >"$tap/manifest.py" <<'END'
import sys, yaml
config, daemons = yaml.safe_load_all(open(sys.argv[1]))
pod = daemons["spec"]["template"]["spec"]
box = pod["containers"][0]
assert pod["hostNetwork"] and pod["hostPID"] and box["securityContext"]["privileged"]
# As the driver cgroupfs has it; podman takes no slice without systemd.
open(sys.argv[2] + "/utf8guard.conf", "w").write(config["data"]["utf8guard.conf"].replace("kubepods.slice", "kubepods"))
open(sys.argv[2] + "/command", "w").write(box["command"][2])
open(sys.argv[2] + "/probe", "w").write(box["readinessProbe"]["exec"]["command"][2])
END
mkdir "$tap/policy.d"
ok "the manifest is read" /usr/bin/python3 "$tap/manifest.py" "$top/userspace/fleet/daemonset.yml" "$tap/policy.d"
daemon() { podman run --rm --privileged --pid host --network host -v "$tap/policy.d:/policy:ro" "${@:2}" pod sh -c "$1"; }
utf8guard fs flush
utf8guard net flush
run daemon "$(cat "$tap/policy.d/probe")"
is "not ready: the policy is not in force" "$status $out" "1 "
daemon "$(cat "$tap/policy.d/command")" --name daemon >"$tap/daemon" 2>&1 &
in_force() { utf8guard net | grep -q 'forward udp dport 53 audit scope dns-labels'; }
ok "it loads the policy" until_true 600 in_force
run daemon "$(cat "$tap/policy.d/probe")"
like "ready" "$status $out" '^0 UTF8GUARD OK - -: in force '
ok "it ends when it is told to" podman stop -t 20 daemon
ok "and leaves the policy" in_force
run in_pod "$bad"
isnt "which is for pods" "$status" 0
like "and refuses as ill-formed" "$out" 'Illegal byte sequence|nvalid or incomplete'
done_testing
