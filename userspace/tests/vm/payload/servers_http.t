#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Rules for HTTP, with nginx and curl. A remote peer sends old attacks, cut in all ways, and good
# requests of all kinds; the server's own log says what came to it.
# vm: -p nginx-light
#
#   client -- router, which has the rules -- server: nginx on 80, 8080 and 443
#
# promise remote peer: a rule for the targets of requests lets through to a real server none of
#   the old attacks, and all that is good
# shown by: nothing but the first requests came
# shown by: all good requests came

# shellcheck source=userspace/tests/vm/payload/servers.sh
. "$(dirname "$(readlink -f "$0")")/servers.sh"

if ! load service || ! load nf; then bail_out "the modules do not load"; fi
network
site=http://$server4 log=/tmp/http/log

start_nginx() {
	mkdir -p /tmp/http/root/up /var/log/nginx /var/lib/nginx
	echo home >/tmp/http/root/index.html
	echo Grüße >/tmp/http/root/grüße.txt
	openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 9 \
		-subj /CN=server -keyout /tmp/http/key -out /tmp/http/certificate 2>/dev/null
	cat >/tmp/http/nginx.conf <<-END
		user root;
		pid /tmp/http/pid;
		error_log /tmp/http/errors info;
		events { }
		http {
			log_format line '\$status \$request';
			access_log $log line;
			client_max_body_size 20m;
			client_body_temp_path /tmp/http/body;
			# Requests of which the end was refused are not to be logged here.
			client_header_timeout 3600;
			client_body_timeout 3600;
			keepalive_timeout 3600;
			keepalive_requests 1000;
			# Or a line is logged long after the answer.
			lingering_close off;
			if_modified_since before;
			server {
				listen 80;
				listen 443 ssl http2;
				listen 8080 http2;
				root /tmp/http/root;
				ssl_certificate /tmp/http/certificate;
				ssl_certificate_key /tmp/http/key;
				location /up/ { dav_methods PUT; }
				location /ok { return 200 "ok\n"; }
				location /socket {
					# It would be logged whenever it ends.
					access_log off;
					proxy_pass http://127.0.0.1:81;
					proxy_http_version 1.1;
					proxy_set_header Upgrade \$http_upgrade;
					proxy_set_header Connection upgrade;
				}
			}
		}
	END
	within server nginx -c /tmp/http/nginx.conf
}
get() { # TARGET FIELD...: a request that is the last of its connection
	local fields='Host: a\r\n' field
	for field in "${@:2}"; do fields+="$field\\r\\n"; done
	printf '%s' "GET $1 HTTP/1.1\\r\\n${fields}Connection: close\\r\\n\\r\\n"
}
first='GET /ok HTTP/1.1\r\nHost: a\r\n\r\n'
# What a request comes to, what the rules have counted of it, and what the server logged.
request() { # NAME OUTCOME COUNTED LOGGED PIECE...
	local outcome
	ask http 80 "${@:5}"
	outcome=$answer
	tallied
	is "$1" "$outcome; $answer" "$2; $3"
	logs "$1: the server's log" "$4"
}
# Lines of its log, all but those that match.
lines() { grep -vEc "${2-^nothing\$}" <<<"${1//; /$'\n'}"; }
# Lines since this was asked last. It waits for N of them, for nginx writes a line after its answer.
logged() { # N [REGEX]: sets $answer; lines that match do not count
	local all=nothing
	until_true 60 has_logged "$@"
	answer=$all
}
has_logged() {
	ask log $log
	if [ "$all" = nothing ]; then all=$answer; elif [ "$answer" != nothing ]; then all+="; $answer"; fi
	[ "$(lines "$all" "${@:2}")" -ge "$1" ]
}
# A line each, with how often it is there.
summary() { sed 's/; /\n/g' | sort | uniq -c | sed 's/^ *//'; }
client() { within client curl -sS --max-time 60 --path-as-is "$@" 2>&1; }
code() { client -o /dev/null -w '%{http_code}' "$@"; }
logs() { # NAME WANTED
	logged "$(lines "$2")"
	is "$1" "$answer" "$2"
}

helper servers.py
ok "nginx serves" start_nginx || bail_out "no nginx"
sends_once on
ask start_echo 81

# Old attacks on targets: what they are refused as, and what nginx logs of them.
attacks=(
	"overlong solidus|overlong|/..%c0%af../ok"
	"the other one|overlong|/..%c1%1c../ok"
	"overlong dots|overlong|/%c0%ae%c0%ae/ok"
	"in three|overlong|/..%e0%80%af../ok"
	"in four|overlong|/..%f0%80%80%af../ok"
	"in six|header-bits|/..%fc%80%80%80%80%af../ok"
	"encoded twice|percent-double|/..%25c0%25af../ok"
	"UTF-16|percent-unicode|/%u002e%u002e/ok"
	"no escape|percent-malformed|/%c3%g0"
	"NUL|percent-nul|/ok%00.txt"
	"a surrogate|surrogate|/%ed%a0%80"
	"Latin-1|too-short|/caf%e9s"
	'raw|overlong|/..\xc0\xaf../ok'
	'raw dots|overlong|/\xc0\xae\xc0\xae/ok'
	"in the query|overlong|/ok?file=..%c0%af.."
	"absolute|overlong|http://a/..%c0%af../ok"
)
each_attack() { # COMMAND: with NAME CLASS TARGET after it
	local attack
	for attack in "${attacks[@]}"; do
		IFS='|' read -ra words <<<"$attack"
		"$1" "${words[@]}"
	done
}

came=0
comes() {
	ask http 80 "$(get "$3")"
	like "without rules, $1: answered" "$answer" '^[24]0.$'
	came=$((came + 1))
}
each_attack comes
logged $came
is "and logged, all of them" "$(lines "$answer")" $came
like "a double escape reaches the file system as an overlong one" "$answer" '404 GET /..%25c0%25af'

target="forward tcp dport 80 reject stream scope http-target decode percent"
rules router "$target"
refused() { does "$1: refused" reset http 80 "$(get "$3")"; }
in_second() { does "$1, in the second request" "200 reset" http 80 "$first" '?' "$(get "$3")"; }
each_attack refused
counts "each is counted by its class" \
	"overlong 9 surrogate 1 header-bits 1 too-short 1 percent-malformed 1 percent-double 1 percent-unicode 1 percent-nul 1"
logs "and none comes" nothing
each_attack in_second
tallied
is "each is counted" "$(grep -o '[0-9]*' <<<"$answer" | paste -sd + | bc)" ${#attacks[@]}
logged ${#attacks[@]}
is "and the first requests alone come" "$(summary <<<"$answer")" \
	"${#attacks[@]} 200 GET /ok HTTP/1.1"
bad='/..%c0%af../ok'
request "pipelined, none of the segment comes" reset "overlong 1" nothing "$first$first$(get $bad)"
request "after a body" "405 reset" "overlong 1" "405 POST / HTTP/1.1" \
	'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\n\xc0\xaf\xc0\xaf' '?' "$(get $bad)"
request "after chunks" "405 reset" "overlong 1" "405 POST / HTTP/1.1" \
	'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4;a=b\r\n\xc0\xaf\xc0\xaf\r\n' \
	'?' '0\r\n\r\n' "$(get $bad)"
request "after a trailer, which some take for a request" "405 reset" "unfollowed 1" "405 POST / HTTP/1.1" \
	'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n4;a=b\r\n\xc0\xaf\xc0\xaf\r\n' \
	'?' '0\r\nX-Sum: 1\r\n\r\n' "$(get $bad)"
request "a body is not judged" 200 nothing "200 POST /ok HTTP/1.1" \
	'POST /ok HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4\r\n\r\n\xc0\xaf\xc0\xaf'
request "encoded twice in a query, as addresses in addresses are" 200 nothing \
	'200 GET /ok?next=https%3A%2F%2Fb%2F%2520c&r=50%25ab HTTP/1.1' "$(get '/ok?next=https%3A%2F%2Fb%2F%2520c&r=50%25ab')"
request "a percent sign alone" reset "percent-malformed 1" nothing "$(get '/ok?q=100%')"
rules router "$target allow percent-malformed,percent-unicode"
request "where that is allowed" 200 nothing '200 GET /ok?q=100%&r=%u00e9 HTTP/1.1' "$(get '/ok?q=100%&r=%u00e9')"
request "and what is not" reset "percent-double 1" nothing "$(get '/%252e?q=100%')"
rules router "$target refuse percent-double"
request "encoded twice, refused in a query" reset "percent-double 1" nothing "$(get '/ok?next=%2520c')"
rules router "$target"
request "an upgrade that the server ignores" "200 200" nothing \
	"$(printf '%s; ' '200 GET /ok HTTP/1.1')200 GET /ok?b HTTP/1.1" \
	'GET /ok HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n' '?' "$(get /ok?b)"
request "a bad request after one" "200 reset" "overlong 1" "200 GET /ok HTTP/1.1" \
	'GET /ok HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n' '?' "$(get $bad)"
is "curl that would rather speak HTTP/2" \
	"$(client --http2 -o /dev/null -w '%{http_code} %{num_connects}\n' "$site/ok?n=[1-3]" | summary | paste -sd ,)" \
	"2 200 0,1 200 1"
counts "nothing is refused" nothing
logged 3
request "nor are fields" 200 nothing "200 GET /ok HTTP/1.1" "$(get /ok 'Cookie: \xc0\xaf')"

# In all cuts. nginx answers none of them, so that nothing is logged either.
line="GET /..%e0%80%af../ok HTTP/1.1\\r\\n" rest='Host: a\r\nConnection: close\r\n\r\n'
octets=$(($(printf '%b' "$line" | wc -c)))
does "cut in two at each octet" "$((octets - 1)) reset" in_two 80 '' "$line" "$rest"
counts "each is refused, once" "overlong $((octets - 1))"
does "an octet alone in the middle" "$((octets - 1)) reset" in_three 80 "$line" "$rest"
counts "each is refused, once" "overlong $((octets - 1))"
does "cut after a first request" "$((octets - 1)) 200 reset" in_two 80 "$first" "$line" "$rest"
counts "each is refused, once" "overlong $((octets - 1))"
logged $((octets - 1))
is "nothing but the first requests came" "$(grep -o 'GET [^;]*' <<<"$answer" | sort -u)" "GET /ok HTTP/1.1"
good='/gr%C3%BC%C3%9Fe.txt'
line="GET $good HTTP/1.1\\r\\n" octets=$(($(printf '%b' "GET $good HTTP/1.1\\r\\n" | wc -c)))
does "a good one, cut in two at each octet" "$((octets - 1)) 200" in_two 80 '' "$line" "$rest"
does "an octet alone in the middle" "$((octets - 1)) 200" in_three 80 "$line" "$rest"
counts "nothing is refused" nothing
ask log $log

# The second half first: it is let through, and judged with the first half.
does "raw frames" on raw_on "$(mac router eth1)" "$(mac client eth0)"
ip -n router neigh replace 10.0.1.7 lladdr "$(mac client eth0)" dev eth1
does "a connection" connected raw_dial 80
does "the second half first" sent raw_put '10:%80%af../ok HTTP/1.1\r\nHost: a\r\n\r\n'
ok "it is let through" until_true 60 counted router early 1
does "the first half" sent raw_put '0:GET /..%e0'
does "that is the end of it" rst raw_ends rst
counts "it was refused" "early 1 overlong 1"
does "a connection" connected raw_dial 80
does "a good one: the second half first" sent raw_put '10:%BC%C3%9Fe.txt HTTP/1.1\r\nHost: a\r\n\r\n' '0:GET /gr%C3'
does "it is answered" psh raw_ends psh
counts "nothing is refused" "early 1"
logs "the server has the good one alone" "200 GET /gr%C3%BC%C3%9Fe.txt HTTP/1.1"

# What cannot be followed is counted, and then goes on or not, as the rule says.
post='POST /ok HTTP/1.1\r\nHost: a\r\nConnection: close\r\n'
unfollowed=(
	"two lengths|400|${post}Content-Length: 4\r\nContent-Length: 4\r\n\r\nabcd"
	"a length and chunks|400|${post}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
	"chunks and a length|400|${post}Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n"
	"another coding|501|${post}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n"
	"a bare LF|200|GET /ok HTTP/1.1\nHost: a\nConnection: close\n\n"
	"a folded line|400|GET /ok HTTP/1.1\r\nHost: a\r\n folded\r\nConnection: close\r\n\r\n"
	"NUL in a field|400|GET /ok HTTP/1.1\r\nHost: a\0b\r\nConnection: close\r\n\r\n"
	"two spaces|200|GET  /ok HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
	"CONNECT|400|CONNECT a:443 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
	"HTTP/0.9|closed|GET /ok\r\n"
	"content in a GET|200|GET /ok HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 4\r\n\r\nabcd"
)
each_unfollowed() { # COMMAND: with NAME OUTCOME REQUEST after it
	local one
	for one in "${unfollowed[@]}"; do
		IFS='|' read -ra words <<<"$one"
		"$1" "${words[@]}"
	done
}
fails_closed() { does "$1 fails closed" reset http 80 "$3"; }
fails_open() { does "$1 fails open" "$2" http 80 "$3"; }
each_unfollowed fails_closed
counts "each is counted" "unfollowed ${#unfollowed[@]}"
logs "and none comes" nothing
rules router "$target fail open"
each_unfollowed fails_open
counts "each is counted" "unfollowed ${#unfollowed[@]}"
logged ${#unfollowed[@]}
is "and comes, each of them" "$(lines "$answer")" ${#unfollowed[@]}
does "an upgrade fails open: the frames come and go" '101 \x81\x02\xc0\xaf' upgrade 80 /socket '\x81\x02\xc0\xaf'
counts "and are counted" "unfollowed 1"
is "what is judged is still refused" "$(code "$site/%c0%af" | tail -n 1)" 000
counts "as before" "overlong 1"
rules router "$target"
log_mark
does "an upgrade fails closed: it is agreed upon, and no frame comes" '101 reset' upgrade 80 /socket '\x81\x02\xc0\xaf'
counts "and is counted" "unfollowed 1"
like "and reported as one" "$(log_since op=utf8guard-payload 1)" ' reason=unfollowed cause=upgrade offset=[0-9]+ '
ask log $log

# A server that takes the content of a GET for the next request.
naive() { within server python3 -m http.server --protocol HTTP/1.1 --directory /tmp/http/root 8081; }
naive >/tmp/http/naive 2>&1 &
hidden='GET /%c0%af HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
smuggler="GET / HTTP/1.1\r\nHost: a\r\nContent-Length: $(printf '%b' "$hidden" | wc -c)\r\n\r\n"
rules router
ok "another server serves" until_true 60 client -o /dev/null "$site:8081/"
does "without rules, it answers what is in there" "200 404" http 8081 "$smuggler$hidden"
rules router "forward tcp dport 8081 reject stream scope http-target decode percent"
does "no GET with content gets there" reset http 8081 "$smuggler$hidden"
counts "for it is not followed" "unfollowed 1"

# Fields.
rules router "forward tcp dport 80 reject stream scope http-headers"
for field in Host Cookie Referer X-Any; do
	request "$field" reset "overlong 1" nothing "$(get /ok "$field: a\\xc0\\xaf")"
	request "$field, of the second" "200 reset" "overlong 1" "200 GET /ok HTTP/1.1" \
		"$first" '?' "$(get /ok "$field: a\\xc0\\xaf")"
done
request "a field cut in its overlong form" reset "overlong 1" nothing \
	'GET /ok HTTP/1.1\r\nHost: a\r\nReferer: \xe0' '\x80\xaf\r\nConnection: close\r\n\r\n'
request "a trailer" reset "overlong 1" nothing \
	'POST /ok HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\nX: \xc0\xaf\r\n\r\n'
request "a good one" 200 nothing "200 GET /ok HTTP/1.1" "$(get /ok 'Referer: http://a/gr\xc3\xbc\xc3\x9fe')"
request "the target is not judged" 404 nothing '404 GET /\xC0\xAF HTTP/1.1' "$(get '/\xc0\xaf')"
is "curl: a field" "$(client -o /dev/null -H $'Cookie: a=\xc0\xaf' "$site/ok")" \
	"curl: (56) Recv failure: Connection reset by peer"
counts "is refused" "overlong 1"
ask log $log

sends_once off

# What is good goes, as curl and browsers do it, under both rules in turn.
head -c 1048576 /dev/urandom >/tmp/http/binary
printf 'a=%%C3%%A9&name=%s' 'J%C3%BCrgen' >/tmp/http/form
for rule in "$target" "forward tcp dport 80 reject stream scope http-headers"; do
	rules router "$rule"
	scope=$(grep -o 'http-[a-z]*' <<<"$rule")
	is "$scope: raw UTF-8 in a target" "$(client --request-target /grüße.txt "$site")" Grüße
	is "$scope: in escapes" "$(client "$site/gr%C3%BC%C3%9Fe.txt")" Grüße
	is "$scope: a query" "$(client "$site/ok?q=%E6%97%A5%E6%9C%AC+b&r=日本&s=100%25")" ok
	is "$scope: a form" "$(code -d @/tmp/http/form "$site/")" 405
	is "$scope: files of a form" "$(code -F 'name=José' -F 'café=@/tmp/http/binary;filename=été.bin' "$site/")" 405
	is "$scope: an upload" "$(code -T /tmp/http/binary "$site/up/é.bin")" 201
	ok "$scope: it is what was sent" cmp /tmp/http/binary /tmp/http/root/up/é.bin
	is "$scope: in chunks" "$(code -T - "$site/up/chunks" </tmp/http/binary)" 201
	ok "$scope: it is what was sent" cmp /tmp/http/binary /tmp/http/root/up/chunks
	is "$scope: Expect" "$(code -H 'Expect: 100-continue' -T /tmp/http/form "$site/up/form")" 201
	is "$scope: HEAD" "$(code -I "$site/")" 200
	is "$scope: not modified" "$(code -z "$(date -d tomorrow)" "$site/")" 304
	is "$scope: a range" "$(client -r 0-1 "$site/")" ho
	is "$scope: 50 in one connection" \
		"$(client -o /dev/null -w '%{http_code} %{num_connects}\n' "$site/ok?n=[1-50]" | summary | paste -sd ,)" \
		"49 200 0,1 200 1"
	# Of a connection that a reset ended at the client alone, the server learns when curl takes that
	# port again: it gives it up, and logs 400 or 408.
	logged $((54 + 3 + 1 + 1 + 2)) '^(nothing|40[08] )'
	is "$scope: all good requests came" \
		"$(grep -oE '(^|; )[0-9]{3}' <<<"$answer" | grep -o '[0-9]*' | grep -vx '40[08]' | summary | paste -sd ,)" \
		"54 200,3 201,1 206,1 304,2 405"
	counts "$scope: nothing was refused" nothing
	rm -f /tmp/http/root/up/*
done

# Other protocols.
rules router "forward tcp dport 8080 reject stream scope http-target"
like "HTTP/2 fails closed" "$(code --http2-prior-knowledge "$site:8080/ok")" '(^|[^0-9])000$'
counts "and is counted" "unfollowed 1"
rules router "forward tcp dport 8080 reject fail open stream scope http-target"
is "HTTP/2 fails open" "$(code --http2-prior-knowledge "$site:8080/ok")" 200
tallied
like "and is counted" "$answer" '^unfollowed [1-9][0-9]*$'
logs "it came" "200 GET /ok HTTP/2.0"
for port in 80 8080 8081; do none_left server $port; done
rules router "forward tcp any-port reject stream gate on"
is "all of TCP with the gate: HTTP/2" "$(code --http2-prior-knowledge "$site:8080/ok")" 200
is "and TLS" "$(code -k "https://$server4/gr%C3%BC%C3%9Fe.txt")" 200
tallied
like "it is counted as binary" "$answer" '^binary [1-9][0-9]*$'
is "text that is good" "$(client "$site/grüße.txt")" Grüße
is "and not" "$(client -o /dev/null --request-target $'/\xc0\xaf' "$site")" \
	"curl: (56) Recv failure: Connection reset by peer"
counts "is refused" "overlong 1"
rules router "forward tcp dport 443 reject stream"
like "TLS under a rule without gate" "$(code -k "https://$server4/ok")" '(^|[^0-9])000$'
tallied
like "is refused" "$answer" '^[a-z-]* 1$'

done_testing
