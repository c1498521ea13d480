#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# The role for Ansible on several hosts, one after the other as with "forks = 1". Each host is a mount
# namespace with an /etc of its own. The tool is a stub with a clock that all of them share: it goes on by
# the time that a host takes.
#
# promise operator: the role for Ansible puts a policy in force on each host of a large batch, and leaves no
#   host with a policy in force and another one for its next boot
# shown by: each host has the policy
# shown by: too short a trial: each host boots with what is in force
# promise operator: a loss of power leaves no host with an empty file in place of the policy that the role
#   for Ansible has put there
# shown by: it is on the disk before it is confirmed, and its name after it
# shown by: in force already: the file is on the disk, too

top=$(readlink -f "$(dirname "$0")/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"

unshare -m true 2>/dev/null || skip_all "mounts take root"
program=$(command -v ansible-playbook) || {
	root=$("$top/scripts/vm/packages.sh" ansible-core 2>/dev/null) || skip_all "no ansible-playbook"
	program=$root/usr/bin/ansible-playbook
	export PYTHONPATH=$root/usr/lib/python3/dist-packages
}

mkdir "$tap/bin"
stub() { cat >"$tap/bin/$1" && chmod +x "$tap/bin/$1"; }
stub modprobe <<<'#!/bin/sh'
stub systemctl <<'END'
#!/bin/sh
case $1 in
show) printf 'LoadState=loaded\nActiveState=inactive\n' ;;
is-enabled) echo disabled; exit 1 ;;
esac
END
stub utf8guard <<'END'
#!/bin/bash
# A load takes 20 seconds, and a confirmation 1.
clock=$(cat "$ROLE_CLOCK")
pass() { echo $((clock += $1)) >"$ROLE_CLOCK"; }
cd "$ROLE_HOST" || exit
case $1 in
load)
	pass 20
	sed '/^$/d' >trial
	! cmp -s trial in_force || { rm trial; echo unchanged; exit; }
	echo $((clock + $3)) >until
	echo "the previous rules come back in $3 seconds, unless you run: utf8guard confirm fs"
	;;
confirm)
	[ "$2" = fs ] || { echo "net is not on trial" >&2; exit 1; }
	pass 1
	echo confirm >>steps
	[ "$clock" -le "$(cat until)" ] || { echo "it is too late" >&2; exit 1; }
	/bin/mv trial in_force
	;;
esac
END

# What is to be on the disk, and when. The disk has an error where SYNC_FAILS says.
stub sync <<'END'
#!/bin/sh
echo "sync $*" >>"$ROLE_HOST/steps"
[ "$1" != "$SYNC_FAILS" ] || { echo "sync: error syncing '$1': Input/output error" >&2; exit 1; }
exec /bin/sync "$@"
END
stub mv <<'END'
#!/bin/sh
echo "mv $*" >>"$ROLE_HOST/steps"
exec /bin/mv "$@"
END

for host in {1..4}; do
	mkdir -p "$tap/$host"/{etc,run,lib}
	cp /etc/{passwd,group,ld.so.cache} "$tap/$host/etc"
	cat >"$tap/$host/python" <<END
#!/bin/sh
export ROLE_HOST=$tap/$host
exec unshare -m sh -c 'for d in etc run var/lib; do mount --bind "\$0/\${d#var/}" /\$d || exit; done
	exec /usr/bin/python3 "\$@"' "\$ROLE_HOST" "\$@"
END
	chmod +x "$tap/$host/python"
	echo "host$host ansible_connection=local ansible_python_interpreter=$tap/$host/python"
done >"$tap/hosts"
echo 0 >"$tap/clock"
# One batch; site.yml begins with one host.
echo "[{hosts: all, roles: [$top/userspace/fleet/ansible/roles/utf8guard]}]" >"$tap/play.yml"

play() { # POLICY [OPTION...]
	printf 'utf8guard_policy: |\n  %s\n' "$1" >"$tap/vars.yml"
	run env HOME="$tap" PATH="$tap/bin:$PATH" ROLE_CLOCK="$tap/clock" LC_ALL=C.UTF-8 ANSIBLE_NOCOLOR=1 ANSIBLE_GATHERING=explicit \
		ANSIBLE_PIPELINING=1 /usr/bin/python3 "$program" -f 1 -i "$tap/hosts" -e "@$tap/vars.yml" "${@:2}" "$tap/play.yml"
}
steps() { paste -sd , "$tap/$1/steps"; }
hosts_with() { # FILE POLICY: which
	(cd "$tap" && grep -lxF "$2" [1-4]/"$1" | cut -d/ -f1 | paste -sd ' ')
}

play "fs set default audit"
is "a batch of four hosts, one after the other" "$status" 0 || note "$out $err"
is "each host has the policy" "$(hosts_with in_force "fs set default audit")" "1 2 3 4"
is "... and for its next boot" "$(hosts_with etc/utf8guard.conf "fs set default audit")" "1 2 3 4"
is "it is on the disk before it is confirmed, and its name after it" "$(steps 1)" \
	"sync /etc/utf8guard.conf.new,confirm,mv -fT /etc/utf8guard.conf.new /etc/utf8guard.conf,sync /etc"

# The first host of the batch confirms too late, the other in time.
play "fs set default enforce" -l host1,host2 -e utf8guard_trial=20
like "too short a trial: the run fails" "$status $out" '^2 .*it is too late'
is "... for one host" "$(hosts_with in_force "fs set default enforce")" 2
is "too short a trial: each host boots with what is in force" "$(hosts_with etc/utf8guard.conf "fs set default enforce")" 2

# The policy is in force already, and the file another one.
: >"$tap/1/steps"
: >"$tap/1/etc/utf8guard.conf"
play "$(cat "$tap/1/in_force")" -l host1
is "in force already: the file is on the disk, too" "$status $(steps 1)" "0 sync /etc/utf8guard.conf /etc"

# What cannot be written is not confirmed.
: >"$tap/1/steps"
SYNC_FAILS=/etc/utf8guard.conf.new play "fs set default enforce" -l host1
like "a disk with an error: the run fails" "$status $out" '^2 .*Input/output error'
is "... and nothing is confirmed" "$(steps 1)" "sync /etc/utf8guard.conf.new"
is "... each host boots with what is in force" "$(hosts_with in_force "fs set default audit") $(hosts_with etc/utf8guard.conf "fs set default audit")" \
	"1 3 4 1 3 4"
is "nothing else is in /etc" "$(find "$tap"/[1-4]/etc -name "*utf8guard*" -printf "%f\n" | sort -u)" utf8guard.conf

# What a timer has written would be shown for ever.
written=(1/run/utf8guard/check 1/lib/prometheus/node-exporter/utf8guard.prom)
there() { (cd "$tap" && find "${written[@]}" 2>/dev/null | sort | paste -sd " "); }
mkdir -p "$tap"/1/{run/utf8guard,lib/prometheus/node-exporter}
for file in "${written[@]}"; do echo old >"$tap/$file"; done
play "fs set default audit" -l host1 -e '{"utf8guard_metrics": true}'
is "what check and metrics have written stays while they are wanted" "$status $(there)" "0 $(printf '%s\n' "${written[@]}" | sort | paste -sd ' ')"
play "fs set default audit" -l host1 -e '{"utf8guard_check": false, "utf8guard_metrics": false}'
is "... and goes once they are switched off" "$status $(there)" "0 " || note "$out"
done_testing
