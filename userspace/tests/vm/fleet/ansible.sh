#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The role for Ansible: the first run puts a policy in force, the second changes nothing, --check says what a
# run would change, and a policy that cuts the connection stays nowhere; with systemd and sshd. It takes minutes of processor time in an emulator, so it is none of the suites
# that make test runs; whoever changes the role runs it:
#
#   scripts/vm/suite.sh -k 6.12 userspace/tests/vm/fleet/ansible.sh
#
# vm: -m 1536 -t 5400 -p ansible-core,openssh-server,openssh-client

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"
top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/vm/fleet/systemd.sh
. "$here/systemd.sh"
[ -x /lib/systemd/systemd ] || skip_all "no systemd"

install_here
printf '[Unit]\nRequires=sysinit.target\nAfter=sysinit.target\n' >/etc/systemd/system/suite.target
boot_up suite.target || bail_out "systemd does not start"
cat >"$tap/vars.yml" <<'END'
utf8guard_policy: |
  fs flush
  net flush
  fs set default audit
  net add input tcp dport 81 drop
ansible_python_interpreter: /usr/bin/python3
# An emulator is slow.
utf8guard_trial: 600
END
by=(-i "localhost," -c local)
play() { # [OPTION...]: what changed, what failed?
	run inside env HOME=/root PATH="/usr/local/sbin:$PATH" LANG=C.UTF-8 ANSIBLE_NOCOLOR=1 ANSIBLE_GATHERING=explicit ANSIBLE_PIPELINING=1 \
		ansible-playbook "${by[@]}" -e "@$tap/vars.yml" "$top/userspace/fleet/ansible/site.yml" "$@"
	recap=$(grep -o 'changed=[0-9]* *unreachable=[0-9]* *failed=[0-9]*' <<<"$out" | tr -s ' ')
}
play --check
like "--check before all: what the first run would change" "$recap" '^changed=[3-9] unreachable=0 failed=0$' || note "$out $err"
not_ok "... and nothing was" [ -e /etc/utf8guard.conf ]
play
like "the first run" "$recap" '^changed=[3-9] unreachable=0 failed=0$' || note "$out $err"
is "the policy is in force" "$(utf8guard net)" "$(utf8guard net | grep 'dport 81')"
is "check says so" "$(inside utf8guard check | sed 's/ |.*//')" "UTF8GUARD OK - /etc/utf8guard.conf: in force"
is "the service is enabled" "$(inside systemctl is-enabled utf8guard.service)" enabled
is "what nobody asked for is not" "$(inside systemctl is-enabled utf8guard-required.target)" disabled
generation=$(number net generation)
play
is "the second run changes nothing" "$recap" "changed=0 unreachable=0 failed=0"
is "nor the rules" "$(number net generation)" "$generation"
play --check
is "--check says that nothing would change" "$recap" "changed=0 unreachable=0 failed=0" || note "$out $err"
must utf8guard net flush
generation=$(number net generation)
play --check
is "--check: a rule that somebody has taken away" "$recap" "changed=1 unreachable=0 failed=0" || note "$out $err"
sed -i 's/dport 81/dport 82/' "$tap/vars.yml"
play --check
is "--check: another policy, in its file and in force" "$recap" "changed=2 unreachable=0 failed=0" || note "$out $err"
is "... and nothing was changed" "$(number net generation) $(grep -c 'dport 82' /etc/utf8guard.conf)" "$generation 0"
sed -i 's/dport 82/dport x/' "$tap/vars.yml"
play --check
like "--check: a policy that would not be taken" "$recap" '^changed=[01] unreachable=0 failed=1$'
sed -i 's/net add input tcp dport x drop/include further.conf/' "$tap/vars.yml"
echo 'net add input tcp dport 83 drop' >/etc/further.conf
play -e utf8guard_required=true
is "a file that is included is looked for beside the policy" "$recap" "changed=3 unreachable=0 failed=0" || note "$out $err"
like "... and in force" "$(utf8guard net)" 'dport 83'
is "no network without it: the target is enabled, and started" \
	"$(inside systemctl is-enabled utf8guard-required.target) $(state utf8guard-required.target ActiveState)" "enabled active"

# What fails leaves the rules and the file of before.
state_of_policy() { utf8guard net | sed 's/ # .*//'; sha256sum </etc/utf8guard.conf; }
before=$(state_of_policy)
back() { [ "$(state_of_policy)" = "$before" ]; }
echo 'net add input tcp dport 84 drop' >"$tap/by_hand"
must utf8guard load --confirm 600 "$tap/by_hand"
sed -i 's/include further.conf/net add input tcp dport 85 drop/' "$tap/vars.yml"
play
like "rules of somebody else are on trial" "$recap" ' unreachable=0 failed=1$'
like "... which is said" "$out" 'waiting to be confirmed'
must utf8guard confirm --revert
ok "... and nothing was changed" back

# Somebody else has rules for packets on trial, and the policy is for names alone.
printf 'utf8guard_policy: |\n  fs flush\n  fs set default enforce\n' >"$tap/names.yml"
must utf8guard load --confirm 86400 "$tap/by_hand"
on_trial() { utf8guard show -j | grep -c '"confirm":'; }
play -e "@$tap/names.yml"
is "rules for packets of somebody else are on trial: a policy for names" "$recap" "changed=2 unreachable=0 failed=0" || note "$out $err"
is "... is in force, and the others stay on trial" "$(utf8guard fs | sed 's/ #.*//') $(on_trial)" "fs set default enforce 1"
before=$(state_of_policy)
sed -i 's/enforce/off/' "$tap/names.yml"
play -e "@$tap/names.yml" -e utf8guard_trial=2
like "... whose own trial is over before it is confirmed" "$recap" ' unreachable=0 failed=1$' || note "$out $err"
like "... which is said" "$out" 'too late: the previous rules are back: name check'
is "... and nothing was changed" "$(utf8guard fs | sed 's/ #.*//') $(on_trial)" "fs set default enforce 1"
ok "... nor is its file" back
must utf8guard confirm --revert net

# By ssh, as to a host that is far away.
user sshd
ip link set lo up
sed -i 's/^root:[^:]*:/root:*:/' /etc/shadow
must inside ssh-keygen -q -t ed25519 -N '' -f "$tap/key"
must inside ssh-keygen -q -t ed25519 -N '' -f "$tap/host_key"
cat >"$tap/sshd_config" <<END
Port 2222
ListenAddress 127.0.0.1
HostKey $tap/host_key
AuthorizedKeysFile $tap/key.pub
StrictModes no
UsePAM no
PidFile $tap/sshd.pid
LoginGraceTime 0
Subsystem sftp internal-sftp
END
# shellcheck disable=SC2016 # the shell in there expands it
listen() { inside sh -c 'mkdir -p /run/sshd && exec /usr/sbin/sshd -f "$1"' sh "$tap/sshd_config"; }
must listen
echo "far ansible_host=127.0.0.1 ansible_port=2222 ansible_user=root ansible_ssh_private_key_file=$tap/key" \
	"ansible_ssh_common_args='-o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o ConnectTimeout=60 -o ControlPersist=1200'" \
	>"$tap/hosts"
by=(-i "$tap/hosts")
play
is "by ssh: another policy, in force and in its file" "$recap" "changed=2 unreachable=0 failed=0" || note "$out $err"
before=$(state_of_policy)
like "... and what was to be" "$before" 'dport 85'
# The connection of before is still open, and serves.
must inside kill "$(cat "$tap/sshd.pid")"
sed -i 's/dport 85/dport 86/' "$tap/vars.yml"
play -e utf8guard_trial=20
like "no new connection: the run fails" "$recap" ' unreachable=0 failed=1$' || note "$out $err"
like "... there" "$out" 'A new connection.*timed out'
ok "... the rules of before come back, and the file has stayed" until_true 60 back
must listen
sed -i 's/dport 86 drop/dport 2222 drop stream/' "$tap/vars.yml"
play -e utf8guard_trial=20
like "a policy that cuts the connection: the run fails" "$recap" ' (unreachable=1 failed=0|unreachable=0 failed=1)$' || note "$out $err"
ok "... the rules of before come back, and the file has stayed" until_true 60 back
shut_down
done_testing
