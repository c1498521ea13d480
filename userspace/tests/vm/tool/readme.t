#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# A reader of the README runs what it shows with an answer, word for word, and gets that answer; and
# the lines for iptables work. tests/host/scripts/readme.t has its other commands.

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

ip link set lo up
load_all
load xt || bail_out "xt_utf8 does not load"
readme=$(readlink -f "$here/../../../..")/README.md
mkdir -p /tmp/www /tmp/names
cd /tmp/www || exit
echo "Grüße from the server" >grüße.txt
for port in 80 8080; do
	busybox httpd -f -p 127.0.0.1:$port -h /tmp/www &
	ok "a server at port $port" until_true 60 bash -c "exec 3<>/dev/tcp/127.0.0.1/$port" 2>/dev/null
done
utf8guard net add input tcp dport 8080 drop
cd /tmp/names || exit
utf8guard fs add subtree /tmp/names enforce

# Times differ, and so does how much each version of curl sends. If the peer resets the connection,
# later versions tell of reading, and not of writing. Here is another rule before that of the README.
same() {
	sed 's/after [0-9]* milliseconds/after N milliseconds/; s/after [0-9]* ms/after N ms/
		s/^curl: (55) Send failure: /curl: (56) Recv failure: /
		s/# handle [0-9]*$/# handle N/; s/# packets [0-9]*, octets [0-9]*,/# packets N, octets N,/'
}
of_the_rule() { awk '/^net / { on = / dport 80 / } on'; }
answers() { # COMMAND ANSWER SAID
	is "$1" "$(same <<<"$3")" "$(same <<<"${2//$'\037'/$'\n'}")"
	count=$((count + 1))
}
count=0
while IFS=$'\t' read -r command answer; do
	case $command in
	curl* | touch*)
		answers "$command" "$answer" "$(eval "$command" 2>&1 </dev/null)"
		;;
	"utf8guard net -s")
		answers "$command" "$answer" "$(eval "$command" | of_the_rule)"
		;;
	"utf8guard net add "*)
		ok "$command" eval "$command"
		;;
	esac
done < <(awk '
	# What the demo says, and "..." for lines left out, are no part of an answer.
	function tell() { if (command) print command "\t" answer; command = answer = "" }
	/^    \$ / { tell(); command = substr($0, 7); next }
	!/^    / || /^    (ok |\.\.\.)/ { tell() }
	command { answer = answer (answer ? "\037" : "") substr($0, 5) }
	END { tell() }' "$readme")
is "all that it shows with an answer" $((count > 6)) 1

# The extension of iptables is not installed here. sort puts -A before -D.
XTABLES_LIBDIR=${UTF8GUARD%/*}:$(pkg-config --variable=xtlibdir xtables)
export XTABLES_LIBDIR
while read -r command; do
	ok "$command" eval "$command"
done < <(sed -n 's/^    \(iptables -[AD] .*\)/\1/p' "$readme" | sed 's/ \+# .*//' | sort)
done_testing
