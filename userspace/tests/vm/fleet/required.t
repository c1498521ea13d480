#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A host without modules or policy does not get onto the network, where the administrator asked
# for that; with systemd.
#
# promise administrator by mistake: absence is loud: no network without modules and policy, where
#   he asked for that
# shown by: without modules there is no network

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/vm/fleet/systemd.sh
. "$here/systemd.sh"
[ -x /lib/systemd/systemd ] || skip_all "no systemd"

install_here
"$top/userspace/tests/network_unit.sh" "/bin/touch /run/network-is-up" >/etc/systemd/system/networking.service
# A host that has come up, as far as we care.
cat >/etc/systemd/system/suite.target <<'END'
[Unit]
Requires=sysinit.target
After=sysinit.target
Wants=networking.service
AllowIsolate=yes
END
printf '[Unit]\nDefaultDependencies=no\nAllowIsolate=yes\n' >/etc/systemd/system/alone.target
network_is() { [ "$(state networking.service ActiveState)" = "$1" ]; }
is_up() { inside test -e /run/network-is-up; }
gone() { unload utf8guard_nf utf8guard_fs utf8guard; }
said() { inside journalctl -b -o cat -u "$1" 2>/dev/null; }

printf 'fs flush\nnet flush\nfs set default audit\nnet add input tcp dport 81 drop\n' >/etc/utf8guard.conf
systemctl enable -q utf8guard.service 2>/dev/null

# Nobody asked for anything: a host without modules comes up.
modules gone
ok "it boots" boot_up suite.target
ok "not asked for: without modules the network is there" is_up
is "the service has failed" "$(state utf8guard.service ActiveState)" failed
is "with a status that systemd does not rename" "$(state utf8guard.service ExecMainStatus)" 104
unlike "nor gives a meaning to" "$(inside systemctl status utf8guard.service 2>&1)" NOPERMISSION
# Asked for while the host runs: the network that is there stays, whatever the check says.
not_ok "enabled while it runs: without modules the target does not start" inside systemctl enable --now utf8guard-required.target
ok "the network that is there stays" network_is active
modules there
inside modprobe -a utf8guard_fs utf8guard_nf
inside systemctl restart utf8guard.service
ok "with modules and policy it does" inside systemctl enable --now utf8guard-required.target
must utf8guard net flush
ok "then the network can be restarted" inside systemctl restart networking.service
ok "for nobody is asked any more" network_is active
shut_down
gone
modules gone

ok "asked for: it boots" boot_up suite.target
not_ok "without modules there is no network" is_up
is "for what it needs has failed" "$(state networking.service ActiveState)" inactive
is "what it needs" "$(state utf8guard-required.target ActiveState)" inactive
is "the check has failed" "$(state utf8guard-check.service ExecMainStatus)" 102
like "it says why" "$(said utf8guard-check.service)" \
	'UTF8GUARD CRITICAL - /etc/utf8guard.conf: name check: utf8guard_fs is not loaded; payload check: utf8guard_nf is not loaded'
like "and so does who logs in" "$(inside cat /run/utf8guard/check)" '^UTF8GUARD CRITICAL '
# As an administrator does who has come to mend the host.
modules there
inside modprobe -a utf8guard_fs utf8guard_nf
inside systemctl restart utf8guard.service
ok "once it is mended, the network starts" inside systemctl start networking.service
ok "and is there" is_up
is "nothing is told at login" "$(inside cat /run/utf8guard/check)" ""
shut_down
gone

modprobe fuse
mkdir /tmp/silent
python3 "$(program fuse_silent.py)" /tmp/silent &
server=$!
until_true 60 grep -q /tmp/silent /proc/mounts
# systemd executes itself anew, as by an upgrade, while it is asked.
mkdir -p /etc/systemd/system/utf8guard-check.service.d
printf '[Service]\nExecStartPre=/bin/sh -c "touch /run/asked; until [ -e /run/executed ]; do sleep 0.1; done"\n' \
	>/etc/systemd/system/utf8guard-check.service.d/wait.conf
( until_true 240 find_init && until_true 240 inside test -e /run/asked && inside systemctl daemon-reexec
	sleep 3 && inside touch /run/executed ) &
ok "with modules and policy: it boots" boot_up suite.target
rm -r /etc/systemd/system/utf8guard-check.service.d
ok "the network is there, though systemd executed itself anew meanwhile" is_up
inside systemctl daemon-reload
is "rules are in force" "$(utf8guard net | wc -l)" 1
is "before it" "$(($(state utf8guard-check.service ExecMainExitTimestampMonotonic) <= $(state networking.service ExecMainStartTimestampMonotonic)))" 1
# Metrics, by their unit.
mkdir -p /var/lib/prometheus/node-exporter
ok "the unit for metrics runs" inside systemctl start utf8guard-metrics.service
like "and writes what check found" "$(cat /var/lib/prometheus/node-exporter/utf8guard.prom)" 'utf8guard_check_status 0'
# A namespace that a user made: to find it, his processes are looked at.
cp /etc/utf8guard.conf "$tap/policy"
inside setpriv --reuid 65534 --regid 65534 --clear-groups --inh-caps=-all unshare -U sleep 3600 2>/dev/null &
user=$!
his() { stat -Lc %i "/proc/$(pgrep -xn -u 65534 sleep)/ns/user" 2>/dev/null; }
until_true 60 his >/dev/null
echo "fs add subtree /tmp userns $(his) off" >>/etc/utf8guard.conf
inside systemctl restart utf8guard.service
inside systemctl start utf8guard-metrics.service
utf8guard check >"$tap/check"
is "a rule for a namespace of a user: it is in force" "$?" 0 || note "$(cat "$tap/check")"
like "... and so say the metrics" "$(cat /var/lib/prometheus/node-exporter/utf8guard.prom)" 'utf8guard_check_status 0'
{ pkill -x -u 65534 sleep && wait $user; } 2>/dev/null
cp "$tap/policy" /etc/utf8guard.conf
inside systemctl restart utf8guard.service
# A path on a server that never answers: a process waits there that nothing ends, and the rule waits, too.
echo 'fs add subtree /tmp/silent/x audit' >>/etc/utf8guard.conf
inside systemctl restart utf8guard.service
ok "a server that never answers: the check is made" timeout 60 nsenter --target "$init" --pid --mount --cgroup -- \
	systemctl start utf8guard-check.service
inside systemctl start utf8guard-follow.service
sleep 8 # until it has asked for the path, and given up
ok "what follows mounts is made anew" timeout 60 nsenter --target "$init" --pid --mount --cgroup -- \
	systemctl restart utf8guard-follow.service
inside systemctl stop utf8guard-follow.service
is "and is what it says" "$(state utf8guard-check.service Result) $(inside cat /run/utf8guard/check)" "success "
ok "while something waits" pgrep -x utf8guard
{ kill $server && wait $server; } 2>/dev/null
cp "$tap/policy" /etc/utf8guard.conf
inside systemctl restart utf8guard.service
# What goes wrong later is told, and does not take the network away.
utf8guard net flush
inside systemctl start utf8guard-check.service
is "a rule is gone: the check fails" "$(state utf8guard-check.service Result)" exit-code
ok "but the network stays" network_is active
# Nor does a slip of the administrator.
for unit in required.service required.target; do
	not_ok "utf8guard-$unit: not to be stopped by hand" inside systemctl stop "utf8guard-$unit"
	not_ok "nor to be begun anew, which would stop it" inside systemctl restart "utf8guard-$unit"
done
inside systemctl restart utf8guard-check.service
is "the check may be begun anew" "$(state utf8guard-check.service ExecMainStatus)" 102
ok "the network stays" network_is active
# As by "systemctl isolate rescue.target" and back, where he has done something that he forgot about.
ok "another target is isolated" inside systemctl isolate alone.target
not_ok "the network is not there then" network_is active
modules gone
gone
inside systemctl isolate suite.target
until_true 240 is_settled
not_ok "whoever comes back without modules has no network" network_is active
is "for the host was asked again" "$(state utf8guard-check.service ExecMainStatus)" 102
shut_down
modules there

echo "net add input tcp dport" >>/etc/utf8guard.conf
ok "a policy with a mistake: it boots" boot_up suite.target
not_ok "no network" is_up
is "the load has failed" "$(state utf8guard.service ExecMainStatus)" 102
is "the check cannot tell" "$(state utf8guard-check.service ExecMainStatus)" 103
shut_down
gone

rm /etc/utf8guard.conf
ok "no policy: it boots" boot_up suite.target
not_ok "no network either" is_up
shut_down
gone

# The administrator chooses what a host boots into that must not get onto the network.
mkdir -p /etc/systemd/system/utf8guard-required.target.d
printf '[Unit]\nOnFailure=alone.target\nOnFailureJobMode=replace-irreversibly\n' \
	>/etc/systemd/system/utf8guard-required.target.d/override.conf
ok "OnFailure=: it boots" boot_up suite.target
is "into what the administrator chose" "$(state alone.target ActiveState)" active
not_ok "and not onto the network" is_up
shut_down
gone

# The way out: a word on the kernel's command line.
ok "utf8guard.required=0: it boots" boot_up suite.target utf8guard.required=0
ok "onto the network" is_up
is "nobody asked" "$(state utf8guard-required.service ConditionResult)" no
# The host runs without its policy, which is to be seen.
inside systemctl start utf8guard-check.service
is "the timer's check is made" "$(state utf8guard-check.service ExecMainStatus)" 103
like "and told at login" "$(inside cat /run/utf8guard/check)" '^UTF8GUARD UNKNOWN '
shut_down
done_testing
