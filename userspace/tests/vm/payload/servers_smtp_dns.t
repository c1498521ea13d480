#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rules for mail and for DNS, with exim, knot, curl and kdig. A remote peer sends ill-formed octets,
# and a server answers with such names; the servers' own logs and counters say what came to them.
# vm: -p exim4-daemon-light,knot,knot-dnsutils
#
#   client -- router, which has the rules -- server: exim on 25, knotd on 53
#
# promise remote peer: of mail and DNS that can be followed, no line with an ill-formed octet gets
#   to a real server, and no such label by a query or an answer; all that is good does
# shown by: what exim received
# shown by: none of them comes
# shown by: an alias of it
# shown by: all of them come

# shellcheck source=userspace/tests/vm/payload/servers.sh
. "$(dirname "$(readlink -f "$0")")/servers.sh"

if ! load service || ! load nf; then bail_out "the modules do not load"; fi
network
# No limit for ICMP errors: the sender of each datagram that is rejected is told.
within router sh -c 'echo 0 >/proc/sys/net/ipv4/icmp_ratelimit'

start_exim() {
	id Debian-exim >/dev/null 2>&1 || useradd -r -d /tmp/smtp -s /bin/false Debian-exim
	mkdir -p /tmp/smtp/spool /etc/exim4
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 9 \
		-subj /CN=server -keyout /tmp/smtp/key -out /tmp/smtp/certificate 2>/dev/null
	chown -R Debian-exim /tmp/smtp
	# Mails are taken, logged and queued.
	cat >/etc/exim4/exim4.conf <<-END
		primary_hostname = mail.example
		spool_directory = /tmp/smtp/spool
		log_file_path = /tmp/smtp/%slog
		log_selector = +subject
		pid_file_path = /tmp/smtp/pid
		tls_certificate = /tmp/smtp/certificate
		tls_privatekey = /tmp/smtp/key
		tls_advertise_hosts = *
		chunking_advertise_hosts = *
		smtputf8_advertise_hosts = *
		host_lookup =
		rfc1413_hosts =
		queue_only = true
		acl_smtp_rcpt = all
		acl_smtp_data = all
		begin acl
		all:
		  accept
		begin routers
		none:
		  driver = accept
		  transport = none
		begin transports
		none:
		  driver = appendfile
		  file = /dev/null
	END
	within server exim4 -bd && until_true 60 listens 25
}
listens() { within server ss -Htln "sport = :$1" | grep -q .; }

start_knot() {
	local i
	mkdir -p /tmp/dns /run/knot
	{
		cat <<-'END'
			$ORIGIN example.
			$TTL 60
			@ SOA ns hostmaster 1 3600 600 86400 60
			@ NS ns
			ns A 10.0.2.1
			@ MX 5 mail
			xn--gre-6ka8l A 10.0.2.2
			gr\195\188\195\159e A 10.0.2.3
			bad\192\175 A 10.0.2.4
			alias CNAME bad\192\175
			mailing MX 5 bad\192\175
			web HTTPS 1 mail alpn=h2
			rules NAPTR 1 2 "u" "E2U+sip" "!\192\175!" mail
			webbing HTTPS 1 worse\192\175 alpn=h2
			ruling NAPTR 1 2 "u" "E2U+sip" "" worse\192\175
			charge RP mail worse\192\175
			text TXT "\192\175"
		END
		for i in {1..40}; do echo "long TXT \"$i: a text that is long enough to need more than a datagram\""; done
	} >/tmp/dns/example.zone
	{
		grep -v 192 /tmp/dns/example.zone | sed 's/example\./large./'
		for i in {1..2000}; do echo "host$i.sub$((i % 7)) A 10.1.$((i / 250)).$((i % 250))"; done
	} >/tmp/dns/large.zone
	cat >/tmp/dns/knot.conf <<-END
		server:
		  rundir: /run/knot
		  listen: $server4@53
		log:
		  - target: stderr
		    any: warning
		database:
		  storage: /tmp/dns
		acl:
		  - id: all
		    address: 10.0.0.0/8
		    action: transfer
		mod-stats:
		  - id: default
		    request-protocol: on
		template:
		  - id: default
		    storage: /tmp/dns
		    global-module: mod-stats/default
		    acl: all
		    semantic-checks: off
		zone:
		  - domain: example
		    file: example.zone
		  - domain: large
		    file: large.zone
	END
	within server knotd -c /tmp/dns/knot.conf -d >/tmp/dns/log 2>&1 && until_true 60 is_served
}
is_served() { [ "$(patience=2 dig +short ns.example)" = 10.0.2.1 ]; }
dig() { within client kdig "@$server4" +retry=0 +time="${patience-20}" +noidn "$@" 2>&1; }

helper servers.py
ok "exim serves" start_exim || bail_out "no exim"
ok "knotd serves" start_knot || { cat /tmp/dns/log >&2; bail_out "no knotd"; }

sends_once on

# Mail. What came is what exim has logged as received.
hello='EHLO client\r\n' quit='QUIT\r\n'
envelope() { printf '%s' "MAIL FROM:<$1@client> SMTPUTF8 BODY=8BITMIME\\r\\n"; }
to='RCPT TO:<a@mail.example>\r\n'
session() { # NAME WANTED COUNTED CAME STEP...
	local codes
	ask smtp "${@:5}"
	codes=$answer
	tallied
	is "$1" "$codes; $answer" "$2; $3"
	came "$1" "$4"
}
came() { # NAME SENDER...: of all mails since it was asked last
	local wanted="${*:2}"
	ask log /tmp/smtp/mainlog
	is "$1: what exim received" "$(grep -o '<= [^ ]*' <<<"$answer" | cut -c4- | paste -sd ' ')" "$wanted"
}
message() { # TEXT: as one step
	printf '%s' "Subject: Gr\\xc3\\xbc\\xc3\\x9fe\\r\\n\\r\\n$1\\r\\n.\\r\\n"
}

session "without rules, Latin-1 comes" "220 250 250 250 354 250 221" nothing latin1@client \
	"$hello" "$(envelope latin1)" "$to" 'DATA\r\n' "$(message 'caf\xe9s')" "$quit"
session "and an overlong form" "220 250 250 250 354 250 221" nothing overlong@client \
	"$hello" "$(envelope overlong)" "$to" 'DATA\r\n' "$(message '\xc0\xaf')" "$quit"
session "a field after a bare LF and an empty line" "220 250 250 250 354 250 221" nothing bare@client \
	"$hello" "$(envelope bare)" "$to" 'DATA\r\n' 'X-A: a\r\nX-B: b\n\r\nSubject: is read\r\n\r\na\r\n.\r\n' "$quit"
ok "exim has read it" grep -q 'T="is read"' /tmp/smtp/mainlog
session "commands after 16384 octets and one more" "220 250 500 250 250 354 250 221" nothing long@client \
	"$hello" '@1 16385*x' "$(envelope long)" "$to" 'DATA\r\n' "$(message a)" "$quit"
mail="forward tcp dport 25 reject stream scope smtp-line"
rules router "$mail"
session "UTF-8, in addresses and text" "220 250 250 250 354 250 221" nothing grüße@client \
	"$hello" "$(envelope 'gr\xc3\xbc\xc3\x9fe')" "$to" 'DATA\r\n' \
	"$(message '\xe6\x97\xa5\xe6\x9c\xac\r\n..stuffed\r\n..')" "$quit"
session "pipelined" "220 250 250 250 354 250 221" nothing pipe@client "$hello" \
	"@3 $(envelope pipe)${to}DATA\\r\\n" "@2 $(message 'na\xc3\xafve')$quit"
session "two mails in a session" "220 250 250 250 354 250 250 250 354 250 221" nothing "one@client two@client" \
	"$hello" "$(envelope one)" "$to" 'DATA\r\n' "$(message a)" "$(envelope two)" "$to" 'DATA\r\n' "$(message b)" "$quit"
session "words of the protocol in a text" "220 250 250 250 354 250 221" nothing words@client \
	"$hello" "$(envelope words)" "$to" 'DATA\r\n' "$(message 'STARTTLS\r\nBDAT 9\r\n\xc3\xa9')" "$quit"
session "Latin-1 in a text" "220 250 250 250 354 reset" "too-short 1" "" \
	"$hello" "$(envelope latin1)" "$to" 'DATA\r\n' "$(message 'caf\xe9s')" "$quit"
session "an overlong form" "220 250 250 250 354 reset" "overlong 1" "" \
	"$hello" "$(envelope overlong)" "$to" 'DATA\r\n' "$(message '..\xc0\xaf..')"
session "in the second mail" "220 250 250 250 354 250 reset" "overlong 1" first@client \
	"$hello" "$(envelope first)" "$to" 'DATA\r\n' "$(message a)" "$(envelope '\xc0\xaf')"
session "in EHLO" "220 reset" "overlong 1" "" 'EHLO \xc0\xae\r\n'
session "in RCPT, cut in two" "220 250 250 reset" "overlong 1" "" "$hello" "$(envelope cut)" \
	'@0 RCPT TO:<\xe0' '\x80\xaf@mail.example>\r\n'
session "in a name of its own, pipelined" "220 250 reset" "surrogate 1" "" "$hello" \
	"@3 $(envelope '\xed\xa0\x80')${to}DATA\\r\\n"
session "a line that ends inside a character" "220 250 250 250 354 reset" "too-short 1" "" \
	"$hello" "$(envelope cut)" "$to" 'DATA\r\n' "$(message 'a\xc3')"
session "BDAT that DATA, refused, would hide" "220 250 503 250 250 reset" "overlong 1" "" \
	"$hello" 'DATA\r\n' "$(envelope hidden)" "$to" 'BDAT 4 LAST\r\n\xc0\xaf\r\n'

# Commands and header fields alone.
rules router "forward tcp dport 25 reject stream scope smtp-headers"
session "headers: Latin-1 in a text" "220 250 250 250 354 250 221" nothing latin1@client \
	"$hello" "$(envelope latin1)" "$to" 'DATA\r\n' "$(message 'caf\xe9s\r\nDatas \xe9\r\n\r\n\xff')" "$quit"
session "headers: in a field" "220 250 250 250 354 reset" "too-short 1" "" \
	"$hello" "$(envelope latin1)" "$to" 'DATA\r\n' 'Subject: caf\xe9s\r\n\r\na\r\n.\r\n'
session "headers: in a command" "220 250 reset" "overlong 1" "" "$hello" "$(envelope '\xc0\xaf')"
session "headers: in one after a text" "220 250 250 250 354 250 reset" "overlong 1" first@client \
	"$hello" "$(envelope first)" "$to" 'DATA\r\n' "$(message '\xe9')" "$(envelope '\xc0\xaf')"
session "headers: after DATA that was refused" "220 250 503 500 reset" "overlong 1" "" \
	"$hello" 'DATA\r\n' '\r\n' "$(envelope '\xc0\xaf')"
session "headers: BDAT there" "220 250 503 500 250 250 reset" "unfollowed 1" "" \
	"$hello" 'DATA\r\n' '\r\n' "$(envelope hidden)" "$to" 'BDAT 4 LAST\r\n\xc0\xaf\r\n'
session "headers: after a bare LF and an empty line" "220 250 250 250 354 reset" "overlong 1" "" \
	"$hello" "$(envelope bare)" "$to" 'DATA\r\n' 'X-A: a\r\nX-B: b\n\r\nSubject: \xc0\xaf\r\n\r\na\r\n.\r\n'
session "headers: base64 that begins like BDAT" "220 250 250 250 354 250 221" nothing base64@client \
	"$hello" "$(envelope base64)" "$to" 'DATA\r\n' "$(message 'AAAA\r\nbDaTabcdefgh\r\nbDat')" "$quit"
session "headers: a command after 16385 octets" "220 250 503 500 500 reset" "overlong 1" "" \
	"$hello" 'DATA\r\n' '\r\n' '@1 16385*x' "$(envelope '\xc0\xaf')"
session "headers: BDAT after them" "220 250 250 250 500 reset" "unfollowed 1" "" \
	"$hello" "$(envelope hidden)" "$to" '@1 16385*x' 'BDAT 4 LAST\r\nabcd'
session "headers: BDAT after a space" "220 250 250 250 reset" "unfollowed 1" "" \
	"$hello" "$(envelope hidden)" "$to" ' BDAT 4 LAST\r\nabcd'
session "headers: BDAT with no empty line before it" "220 250 503 250 250 reset" "unfollowed 1" "" \
	"$hello" 'DATA\r\n' "$(envelope hidden)" "$to" 'BDAT 4 LAST\r\nabcd'
rules router "$mail"

# What is after STARTTLS and BDAT is not followed.
session "BDAT fails closed" "220 250 250 250 reset" "unfollowed 1" "" \
	"$hello" "$(envelope bdat)" "$to" 'BDAT 4 LAST\r\nabcd'
session "STARTTLS fails closed" "220 250 220 reset" "unfollowed 1" "" \
	"$hello" 'STARTTLS\r\n' '\x16\x03\x01\x00\x05hello'
isnt "curl: TLS fails closed" "$(within client curl -sSk --ssl-reqd --max-time 120 "smtp://$server4/client" \
	--mail-from tls@client --mail-rcpt a@mail.example -T /etc/hostname 2>&1)" ""
tallied
like "and is counted" "$answer" '^unfollowed [1-9]'
rules router "$mail fail open"
session "BDAT fails open" "220 250 250 250 250 221" "unfollowed 2" bdat@client \
	"$hello" "$(envelope bdat)" "$to" 'BDAT 4 LAST\r\n\xc0\xaf\r\n' "$quit"
is "curl: TLS fails open" "$(within client curl -sSk --ssl-reqd --max-time 120 "smtp://$server4/client" \
	--mail-from tls@client --mail-rcpt a@mail.example -T /etc/hostname 2>&1)" ""
tallied
like "and is counted" "$answer" '^unfollowed [1-9]'
came "curl: TLS" tls@client
session "what is judged is still refused" "220 250 reset" "overlong 1" "" "$hello" "$(envelope '\xc0\xaf')"

sends_once off
rules router "$mail"
{
	printf 'Subject: long\r\n\r\n'
	for ((i = 0; i < 4000; i++)); do
		printf '日本 Grüße, line %d of a long mail, and more text\r\n' $i
	done
} >/tmp/smtp/long
is "curl: a mail of 200 KiB" "$(within client curl -sS --max-time 60 "smtp://$server4/client" \
	--mail-from long@client --mail-rcpt a@mail.example -T /tmp/smtp/long 2>&1)" ""
came "a mail of 200 KiB" long@client
ok "it is that long" [ "$(stat -c %s /tmp/smtp/long)" -gt 200000 ]
# Segments for which there was no room for the moment were sent again.
ask tally
like "nothing is refused for good" "$answer" '^(nothing|((full|ahead|early) [0-9]+ ?)+)$'
printf 'caf\xe9s\r\n' >>/tmp/smtp/long
like "curl: the same with Latin-1 after it" "$(within client curl -sS --max-time 60 "smtp://$server4/client" \
	--mail-from long@client --mail-rcpt a@mail.example -T /tmp/smtp/long 2>&1)" 'curl: \((55|56)\)'
came "it" ""
ask tally
like "is refused" "$answer" 'too-short 1$'

sends_once on

# DNS: queries. Knot counts what comes, by protocol.
asked() { # UDP TCP: so many since it was asked last
	local now before=${asked_before-0 0}
	now=$(within server knotc -s /run/knot/knot.sock stats mod-stats.request-protocol 2>&1 |
		awk '/udp4/ { u = $3 } /tcp4/ { t = $3 } END { print u + 0, t + 0 }')
	asked_before=$now
	echo "$((${now% *} - ${before% *})) $((${now#* } - ${before#* }))"
}
came_to_knot() { # NAME UDP TCP
	asked >"$tap/asked"
	is "$1: what knot counted" "$(cat "$tap/asked")" "$2 $3"
}
labels="scope dns-labels"
asked >/dev/null
does "without rules an ill-formed label is answered" "NXDOMAIN NOERROR" dns_udp '\xc0\xae.example' 'bad\xc0\xaf.example'
does "over TCP, too" "NXDOMAIN NOERROR" dns_tcp '\xc0\xae.example' 'bad\xc0\xaf.example'
came_to_knot "they come" 2 2
rules router "forward udp dport 53 reject $labels" "forward tcp dport 53 reject stream $labels"
is "IDNA" "$(within client kdig "@$server4" +short grüße.example 2>&1)" 10.0.2.2
is "IDNA over TCP" "$(within client kdig "@$server4" +tcp +short grüße.example 2>&1)" 10.0.2.2
is "raw UTF-8" "$(dig +short 'gr\195\188\195\159e.example')" 10.0.2.3
is "raw UTF-8 over TCP" "$(dig +tcp +short 'gr\195\188\195\159e.example')" 10.0.2.3
is "EDNS" "$(dig +edns +nsid +bufsize=1232 +padding=64 +short ns.example)" 10.0.2.1
came_to_knot "all of them come" 3 2
counts "nothing is refused" nothing
does "ill-formed labels" "refused refused refused refused" dns_udp '\xc0\xaf.example' 'a.\xed\xa0\x80.example' \
	'caf\xe9s.example' 'a\xc3.\xa9.example'
counts "are refused" "overlong 1 surrogate 1 too-short 1 truncated 1"
does "over TCP" reset dns_tcp '\xc0\xaf.example'
does "the second message" "NOERROR reset" dns_tcp ns.example 'bad\xc0\xaf.example'
counts "are refused" "overlong 2"
like "kdig: one over UDP" "$(patience=2 dig '\192\175.example')" 'timeout'
like "kdig: one over TCP" "$(dig +tcp '\192\175.example')" 'reset|WARNING|ERROR'
counts "are refused" "overlong 2"
came_to_knot "none of them comes" 0 1

# DNS: how messages are framed. After the header of 12 octets comes a name, then type and class.
head='=\x00\x07\x01\x00\x00\x01\x00\x00\x00\x00\x00\x00' type='\x00\x01\x00\x01'
more='=\x00\x07\x01\x00\x00\x01\x00\x00\x00\x00\x00\x01'
record="$type\\x00\\x00\\x00\\x09\\x00\\x04\\x0a\\x00\\x00\\x01"
rules router "forward udp dport 53 reject fail closed $labels" "forward tcp dport 53 reject stream $labels"
does "a compressed name that was judged" NOERROR dns_udp "$more\\x02ns\\x07example\\x00$type\\xc0\\x0c$record"
counts "is followed" nothing
for way in 'a pointer to itself|\xc0\x0c'"$type" 'into the header|\xc0\x00'"$type" 'ahead|\xc0\x20'"$type" \
	'into a label|\x02ns\x07example\xc0\x0d'"$type" 'a label of another kind|\x42ab\x00'"$type" \
	'no end of a label|\x3fabc' 'more than it says|\x02ns\x07example\x00'"$type"'abc' 'half a question|\x02ns\x00\x00'; do
	does "${way%%|*}: over UDP" refused dns_udp "$head${way#*|}"
	counts "${way%%|*}: it is counted" "unfollowed 1"
done
does "three octets" refused dns_udp '=\x00\x07\x01'
counts "are counted" "unfollowed 1"
does "over TCP: a pointer to itself" reset dns_tcp "$head\\xc0\\x0c$type"
does "over TCP: three octets" reset dns_tcp '=\x00\x07\x01'
counts "are counted" "unfollowed 2"
came_to_knot "one came" 1 0
rules router "forward udp dport 53 reject $labels" "forward tcp dport 53 reject fail open stream $labels"
long="$head\\x02ns\\x07example\\x00${type}abc"
does "fails open: more than it says" FORMERR dns_udp "$long"
does "over TCP" FORMERR dns_tcp "$long"
counts "are counted" "unfollowed 2"
asked >/dev/null

# DNS: answers.
none_left server 53
rules router "forward udp sport 53 drop fail closed $labels" "forward tcp sport 53 reject stream $labels"
is "an answer" "$(dig +short ns.example)" 10.0.2.1
is "one with compressed names" "$(dig +short MX example)" "5 mail.example."
# Later versions of kdig put the value in quotation marks.
is "the name in one of HTTPS" "$(dig +short HTTPS web.example | tr -d '"')" "1 mail.example. alpn=h2"
like "and after three strings" "$(dig +short NAPTR rules.example)" '^1 2 "u" "E2U\+sip" .* mail\.example\.$'
is "data that is no name is not judged" "$(dig +short TXT text.example)" '"\192\175"'
is "a long one" "$(dig +tcp +short TXT long.example | wc -l)" 40
is "a zone" "$(dig +tcp +short AXFR large | wc -l)" 2048
counts "nothing is refused" nothing
like "an ill-formed owner" "$(patience=2 dig 'bad\192\175.example')" 'timeout|timed|WARNING'
like "an alias of it" "$(patience=2 dig alias.example)" 'timeout|timed|WARNING'
like "a mail server of that name" "$(patience=2 dig MX mailing.example)" 'timeout|timed|WARNING'
counts "are refused" "overlong 3"
like "one that HTTPS leads to" "$(patience=2 dig HTTPS webbing.example)" 'timeout|timed|WARNING'
like "NAPTR" "$(patience=2 dig NAPTR ruling.example)" 'timeout|timed|WARNING'
like "and the second one of RP" "$(patience=2 dig RP charge.example)" 'timeout|timed|WARNING'
counts "are refused" "overlong 3"
like "over TCP" "$(dig +tcp alias.example)" 'timeout|timed|WARNING|reset'
like "a zone that has it" "$(dig +tcp AXFR example)" 'timeout|timed|WARNING|reset'
ask tally
like "are refused" "$answer" 'overlong'

done_testing
