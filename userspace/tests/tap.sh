# SPDX-License-Identifier: GPL-2.0
# shellcheck shell=bash
#
# Sourced by test programs in bash: tests in the TAP format, for prove.
#
#   plan N                         or, at the end, done_testing
#   ok NAME COMMAND [ARG...]       the command succeeds; what it says is shown if not
#   not_ok NAME COMMAND [ARG...]   the command fails
#   is NAME GOT WANTED             the same bytes
#   isnt NAME GOT UNWANTED
#   like NAME GOT REGEX            extended regular expression, on bytes
#   unlike NAME GOT REGEX
#   pass NAME / fail NAME
#   skip N REASON                  stands for N tests that cannot be done here
#   skip_all REASON                ends the program, done
#   bail_out REASON                fails, and ends the program; other programs go on
#   diag TEXT / note TEXT          a comment, on standard error / output
#   run COMMAND [ARG...]           never fails: $status, $out, $err hold what came,
#                                  the files $tap/out and $tap/err every byte of it
#   at_exit COMMAND                for eval at the end, the last one first
#
# The name comes first everywhere. Each check returns whether it passed. $tap is
# a directory of this program's own, gone at its end. A program that fails a
# test, forgets its plan or dies has a non-zero exit status. Not with set -e.

tap=$(mktemp -d "${TMPDIR:-/tmp}/tap.XXXXXX") || exit 255
tap_pid=$BASHPID tap_done=0 tap_failed=0 tap_plan='' tap_atexit=()

plan() { tap_plan=$1; echo "1..$1"; }
done_testing() { plan "$tap_done"; }
note() { printf '%s\n' "$*" | sed 's/^/# /'; }
diag() { note "$*" >&2; }
skip_all() { echo "1..0 # SKIP $*"; tap_plan=0; exit 0; }
bail_out() { fail "$*"; exit 255; }
at_exit() { tap_atexit+=("$1"); }

# Bytes as one printable word: a name may hold anything.
tap_show() { (LC_ALL=C; printf '%q' "$1"); }

tap_result() { # ok|"not ok" NAME
	tap_done=$((tap_done + 1))
	printf '%s %d - %s\n' "$1" "$tap_done" "${2//#/\\#}"
	[ "$1" = ok ] && return
	tap_failed=$((tap_failed + 1))
	local i=1
	while [ "${BASH_SOURCE[i]}" = "${BASH_SOURCE[0]}" ]; do i=$((i + 1)); done
	diag "failed: $2 (${BASH_SOURCE[i]##*/} line ${BASH_LINENO[i - 1]})"
	return 1
}
pass() { tap_result ok "$1"; }
fail() { tap_result "not ok" "$1"; }

tap_command() { # WANTED NAME COMMAND...: wanted is 0, or 1 for any failure
	local code=0
	"${@:3}" </dev/null >"$tap/said" 2>&1 || code=$?
	[ $((code != 0)) = "$1" ] && { tap_result ok "$2"; return; }
	tap_result "not ok" "$2" || { diag "exit status $code"; sed 's/^/#   /' "$tap/said" >&2; }
	return 1
}
ok() { tap_command 0 "$@"; }
not_ok() { tap_command 1 "$@"; }

tap_compare() { # PASSED NAME GOT WORD WANTED
	[ "$1" = 0 ] && { tap_result ok "$2"; return; }
	tap_result "not ok" "$2" || { diag "     got: $(tap_show "$3")"; diag "$4: $(tap_show "$5")"; }
	return 1
}
tap_match() { local LC_ALL=C; [[ $1 =~ $2 ]]; }
is() { [ "$2" = "$3" ]; tap_compare $? "$1" "$2" "expected" "$3"; }
isnt() { [ "$2" != "$3" ]; tap_compare $? "$1" "$2" "but not" "$3"; }
like() { tap_match "$2" "$3"; tap_compare $? "$1" "$2" "to match" "$3"; }
unlike() { ! tap_match "$2" "$3"; tap_compare $? "$1" "$2" "not to match" "$3"; }

skip() {
	local i
	for ((i = 0; i < $1; i++)); do
		tap_done=$((tap_done + 1))
		printf 'ok %d # SKIP %s\n' "$tap_done" "${*:2}"
	done
}

# shellcheck disable=SC2034 # out and err are for the caller
run() {
	status=0
	"$@" </dev/null >"$tap/out" 2>"$tap/err" || status=$?
	{ out=$(tr -d '\0' <"$tap/out"); err=$(tr -d '\0' <"$tap/err"); } 2>/dev/null
}

tap_end() {
	local code=$? i
	[ "$BASHPID" = "$tap_pid" ] || return
	for ((i = ${#tap_atexit[@]} - 1; i >= 0; i--)); do eval "${tap_atexit[i]}"; done
	rm -rf "$tap"
	# What the tool leaves there if root runs it; where it is installed, that is its own.
	if [ ! -e /usr/sbin/utf8guard ] && [ ! -e /usr/local/sbin/utf8guard ] && [ -w /run/utf8guard ]; then
		rm -f /run/utf8guard/opener.lock
		rmdir --ignore-fail-on-non-empty /run/utf8guard 2>/dev/null
	fi
	[ "$code" = 0 ] || { diag "ended with status $code after test $tap_done"; exit "$code"; }
	[ -n "$tap_plan" ] || { diag "no plan: the program ended before done_testing"; exit 255; }
	[ "$tap_plan" = 0 ] && [ "$tap_done" = 0 ] && exit 0
	[ "$tap_plan" = "$tap_done" ] || { diag "planned $tap_plan tests, ran $tap_done"; exit 255; }
	[ "$tap_failed" = 0 ] || { diag "failed $tap_failed of $tap_done tests"; exit 1; }
	exit 0
}
trap tap_end EXIT
