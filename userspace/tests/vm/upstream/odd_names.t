#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Tests of git, rsync and tar, of Debian's source packages, which make odd names: on a volume without a
# rule, with a rule that enforces UTF-8, and with one that enforces the profile safe. What passes
# without a rule must pass with one. Where odd_names.txt lists names that are refused, and why that is
# right, the test sees that it cannot make them and leaves out what needs them: nothing in it may fail.
#
# vm: -t 3000
#
# Of git these are the tests that are about names; of rsync three that make trees of files; of tar
# those about lists of names, long names, and names that are left out. They make no name that is not
# UTF-8; the one test of git that would is for file systems of macOS. So the rule that enforces UTF-8
# must refuse nothing.
#
# promise local user: programs whose names are UTF-8 work as before where the check enforces
# shown by: passes as without a rule
# shown by: refused are

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

upstream=$PWD/build/upstream
git=$upstream/git/source rsync=$upstream/rsync/source tar=$upstream/tar/source
expected=$here/odd_names.txt
[ -e "$git/t/test-lib.sh" ] || skip_all "the tests of git are not there: make test-upstream fetches them"

load_all
volume /tmp/odd 200M mkfs.ext4 -q -F || bail_out "no volume"

# Each prints a line for each check that passed.
run_git() { # TEST
	(cd "$git/t" && TEST_OUTPUT_DIRECTORY=/tmp/odd sh "./$1.sh" --root=/tmp/odd/git 2>&1 </dev/null) |
		tee -a "$tap/said" | sed -nE 's/^ok [0-9]+ - /ok /p' | grep -v '# skip'
}
run_rsync() { # TEST
	(cd "$rsync" && scratchbase=/tmp/odd whichtests="$1.test" sh ./runtests.sh 2>&1 </dev/null) |
		tee -a "$tap/said" | grep '^PASS'
}
run_tar() { # KEYWORD; their script reads the settings beside it, and makes its files there
	rm -rf /tmp/odd/tar && mkdir /tmp/odd/tar && cp "$tar"/tests/{testsuite,atconfig,atlocal} /tmp/odd/tar
	(cd /tmp/odd/tar && sh ./testsuite "AUTOTEST_PATH=$tar/tests:$tar/src" -k "$1" 2>&1 </dev/null) |
		tee -a "$tap/said" | sed -nE 's/^ *[0-9]+: (.*[^ ]) +ok$/ok \1/p'
}
tests=(git:t0050-filesystem git:t3300-funny-names git:t3902-quoted git:t4016-diff-quote
	git:t4135-apply-weird-filenames rsync:hands rsync:longdir rsync:files-from
	tar:files-from tar:longname tar:exclude)

# The lines of odd_names.txt for a rule and a test: what was refused, in the words of the monitor.
listed() { # PASS TEST
	sed -n "s/^$1 ${2//\//\\/} //p" "$expected" | sed 's/ *# .*//' | sort -u
}
refused() { # ACT NAME CLASS, as the monitor has them
	sed -nE 's/^.* fs refused ([a-z]+) (.*):[0-9]+: ([a-z-]+).*$/\1 \2 \3/p' "$tap/events" | sort -u
}

monitor "$tap/events"
for pass in without enforce safe; do
	case $pass in
	enforce) must utf8guard fs add superblock /tmp/odd enforce ;;
	safe) must utf8guard fs flush && must utf8guard fs add superblock /tmp/odd enforce profile safe ;;
	esac
	for test in "${tests[@]}"; do
		: >"$tap/said"
		: >"$tap/events"
		"run_${test%:*}" "${test#*:}" | sort >"$tap/passed"
		if [ $pass = without ]; then
			isnt "$test: passes something" "$(cat "$tap/passed")" ""
			mv "$tap/passed" "$tap/$test"
			continue
		fi
		sleep 1
		wanted=$(listed $pass "$test")
		is "$test, $pass: refused are" "$(refused)" "$wanted"
		if [ "$wanted" ]; then
			isnt "$test, $pass: passes something" "$(cat "$tap/passed")" ""
			is "$test, $pass: nothing fails" "$(grep '^not ok' "$tap/said" | grep -v '# TODO')" ""
			continue
		fi
		is "$test, $pass: passes as without a rule" "$(comm -23 "$tap/$test" "$tap/passed")" "" ||
			sed 's/^/#   /' "$tap/said" >&2
	done
done
ok "the monitor has listened to the end" kill -0 "${monitors[0]}"
done_testing
