#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The role for Ansible: the first run puts a policy in force, the second changes nothing, and --check says
# what a run would change; with systemd. It takes minutes of processor time in an emulator, so it is none of the suites
# that make test runs; whoever changes the role runs it:
#
#   scripts/vm/suite.sh -k 6.12 userspace/tests/vm/fleet/ansible.sh
#
# vm: -m 1536 -p ansible-core

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
END
play() { # [OPTION...]: what changed, what failed?
	run inside env HOME=/root PATH="/usr/local/sbin:$PATH" LANG=C.UTF-8 ANSIBLE_NOCOLOR=1 \
		ansible-playbook -i localhost, -c local -e "@$tap/vars.yml" "$top/userspace/fleet/ansible/site.yml" "$@"
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
play
is "a file that is included is looked for beside the policy" "$recap" "changed=2 unreachable=0 failed=0" || note "$out $err"
like "... and in force" "$(utf8guard net)" 'dport 83'
shut_down
done_testing
