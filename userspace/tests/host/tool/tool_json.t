#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What -j prints is what utf8guard.schema.json says of it, as far as that goes
# without the modules; and the schema says no to what it should.

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"
/usr/bin/python3 -c 'import jsonschema' 2>/dev/null || skip_all "no python3-jsonschema"
schema() { /usr/bin/python3 "$here/../../schema.py" "$@"; }
fits() { # COMMAND WORD...
	"$tool" "$@" >"$tap/json" 2>/dev/null
	is "$*" "$(schema "$1" "$tap/json")" ok
}

printf 'a\xc0\xae\nb\xed\xa0\x80\xff' >"$tap/bad"
mkdir "$tap/d"
: >"$tap/d/$(printf 'a\xffb\\c')"
: >"$tap/d/$(printf 'e\xcc\x81\x01')"
fits version -j
fits validate -j --all "$tap/bad"
fits validate -j --lines "$tap/bad"
fits validate -j --refuse safe --form nfc -r "$tap/d" "$tap/bad"
fits validate -j --bom require "$tap/bad"
fits explain -j C0 AE 41 E2 82 F8 88 80 80 80 ED A0 80 00
fits scan -j --form nfc --refuse control "$tap/d"
fits scan -j --form nfc --refuse control --fix --dry-run --from latin1 "$tap/d"
fits scan -j --form nfc --refuse control --fix --log "$tap/log" --from latin1 "$tap/d"
fits scan -j --undo "$tap/log"
[ -e /sys/module/utf8guard ] || fits show -j

no() { # COMMAND JSON
	printf '%s\n' "$2" >"$tap/json"
	isnt "no $1: $2" "$(schema "$1" "$tap/json")" ok
}
no version '{"version":1}'
no version '{}'
no version '{"version":"1","more":1}'
no validate '{"file":"a\\x","line":1,"offset":0,"length":1,"class":"overlong","bytes":"C0","note":null}'
no policy '{"fs":[{"scope":"subtree","mode":"maybe","path":"/"}]}'
no policy '{"net":[{"hook":"input","action":"drop"}]}'
no monitor '{"event":"lost","time":1,"count":0,"reason":"x"}'
printf '' >"$tap/json"
is "nothing is no JSON" "$(schema version "$tap/json")" "no JSON"
done_testing
