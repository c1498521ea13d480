#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Each command that the README shows is one that works: it is run here, as far as it goes
# without the modules; what takes those is run by tests/vm/tool/readme.t.

top=$(readlink -f "$(dirname "$0")/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"
cd "$top" || exit
utf8guard() { "$tool" "$@"; }

# Commands are indented. "$ " is before one that is shown with its answer; a comment may follow.
# ("..." stands for lines left out; indented lines that begin otherwise are answers or files.)
mapfile -t commands < <(sed -n 's/^    \(\$ \)\?//p' README.md |
	grep -E '^(utf8guard|make|scripts/|apt-get|modprobe|systemctl|iptables|rmmod|nft|curl|touch|ausearch) ' |
	sed 's/ \+# .*//' | sort -u)
isnt "the README has commands" "${#commands[@]}" 0

# Does each line with it look as the suite in the guest wants it?
is_run() { ! grep -F -- "$1" README.md | grep -qvE '^    (\$ (curl|touch)|iptables -[AD]) '; }
type=$(sed -n 's/.*GFP_ATOMIC, AUDIT_\([A-Z_]*\));/\1/p' kernel/service/report.c | sort -u)
op=$(sed -n 's/.*"\(op=utf8guard\)-config .*/\1/p' kernel/service/report.c)
for command in "${commands[@]}"; do
	read -ra word <<<"$command"
	case $command in
	"utf8guard explain "*)
		# The answer is all that follows up to an empty line.
		answer=$(awk -v line="    \$ $command" '$0 == line { on = 1; next } on && !NF { exit } on { print substr($0, 5) }' README.md)
		is "$command: its answer" "$(eval "$command")" "$answer"
		;;
	"utf8guard fs "[ars]*" "* | "utf8guard net "[air]* | "utf8guard fs flush" | "utf8guard net flush")
		case $command in *--explain* | *"net -s") skip 1 "$command: see scopes.t and servers_http.t" && continue ;; esac
		# Read as a policy: 4 says that only the module is missing.
		echo "${command#utf8guard }" >"$tap/policy"
		run "$tool" load -c "$tap/policy"
		if [ -e /sys/module/utf8guard ]; then wanted='^[034] '; else wanted='^4 '; fi
		like "$command" "$status $err" "$wanted"
		;;
	utf8guard*)
		# All options are read before anything is done: so all of them exist.
		# shellcheck disable=SC2016 # for the inner shell
		run bash -c "$(sed 's/[<>|].*//; s/^utf8guard/"$0"/' <<<"$command") --help" "$tool"
		is "$command: takes these options" "$status $err" "0 "
		;;
	make*)
		ok "$command" grep -qE "^${word[1]}[ :]" Makefile
		;;
	scripts/*)
		ok "$command: is there" test -x "${word[0]}"
		;;
	apt-get* | modprobe* | systemctl* | rmmod* | ausearch*)
		# They change the machine, or are of others, and are not run; what they are given is ours.
		case $command in
		modprobe*) ok "$command" grep -q "^obj-.*${word[1]}\.o" Kbuild ;;
		rmmod*)
			for module in "${word[@]:1}"; do
				grep -q "^obj-.*$module\.o" Kbuild || break
				module=
			done
			is "$command: are modules" "$module" ""
			;;
		systemctl*) ok "$command" sh -c "test -e userspace/units/${word[-1]} || test -e userspace/units/${word[-1]}.service.in" ;;
		ausearch*) is "$command: for records as report.c makes them" "$command" "ausearch --raw -m $type | grep $op" ;;
		*) skip 1 "$command: of Debian" ;;
		esac
		;;
	nft*)
		ok "$command: the README makes it" grep -qx "    ${word[*]:2} {" README.md
		;;
	*)
		# curl, touch, iptables: they take the modules. tests/vm/tool/readme.t runs those with an answer, and rules.
		ok "$command: a suite runs it" is_run "$command"
		;;
	esac
done
done_testing
