#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# What -j prints fits utf8guard.schema.json, as far as that goes without the
# modules; and the schema refuses what it should.

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
for octet in {128..255}; do printf '%b' "\\x$(printf %x "$octet")A"; done >"$tap/kinds"
cat "$tap/kinds" "$tap/kinds" >"$tap/many"
fits explain -j --file "$tap/many"
fits scan -j --form nfc --refuse control "$tap/d"
fits scan -j --form nfc --refuse control --fix --dry-run --from latin1 "$tap/d"
fits scan -j --form nfc --refuse control --fix --log "$tap/log" --from latin1 "$tap/d"
fits scan -j --undo "$tap/log"
mkdir "$tap/deep"
(cd "$tap/deep" && for _ in {1..20}; do
	mkdir "$(printf 'x%.0s' {1..240})"$'\xff' && cd -P ./* || exit
done)
is "a path that is cut" "$(cd "$tap" && "$tool" scan -j deep | grep -c '"path-cut":true')" 4
fits scan -j "$tap/deep"
fits scan -j --fix --log "$tap/log2" --from latin1 "$tap/deep"
fits scan -j --undo "$tap/log2"
[ -e /sys/module/utf8guard ] || fits show -j

no() { # COMMAND JSON
	printf '%s\n' "$2" >"$tap/json"
	isnt "no $1: $2" "$(schema "$1" "$tap/json")" ok
}
no version '{"version":1}'
no version '{}'
no version '{"tool":"1"}'
no version '{"version":2,"tool":"1"}'
no version '{"version":1,"tool":"1","more":1}'
no validate '{"version":1,"file":"a\\x","line":1,"offset":0,"length":1,"class":"overlong","bytes":"C0","note":null}'
no policy '{"fs":[{"scope":"subtree","mode":"maybe","path":"/"}]}'
no policy '{"net":[{"hook":"input","action":"drop"}]}'
no monitor '{"version":1,"event":"lost","time":"1","count":0,"reason":"x"}'
no monitor '{"version":1,"event":"lost","time":1,"count":1,"reason":"x"}'
no monitor '{"event":"lost","time":"1","count":1,"reason":"x"}'
no validate '{"version":1,"file":"a","line":1,"offset":9007199254740992,"length":1,"class":"overlong","bytes":"C0","note":null}'
printf '%s\n' '{"version":1,"event":"lost","time":"1","count":1,"reason":"x"}' >"$tap/json"
is "all that they lack is this" "$(schema monitor "$tap/json")" ok

# A number of 64 bits is a string of digits, unless it is counted one by one and so stays small.
cat >"$tap/longs.py" <<'END'
import glob, re, sys
import yaml
top = sys.argv[1]
digits = {"time", "inode", "octets"}
counted = set("""events suppressed lost checked refused audited exempt missed deep exempt-overlay
    userns-overlay packets split unreadable differs full window urgent resync picked-up untracked
    ahead early binary unfollowed copies copies-max copies-refused copies-given-up unmatched empty
    unparsed fragments offset""".split())
long = set()
for path in glob.glob(top + "/include/netlink/*.yaml"):
    with open(path, encoding="utf-8") as f:
        for part in yaml.safe_load(f)["attribute-sets"]:
            long |= {a["name"] for a in part["attributes"] if a["type"] == "u64"}
with open(top + "/userspace/tool/netlink/attribute_sets.c", encoding="utf-8") as f:
    tool = set(re.findall(r'DECIMAL\("(.*?)"\)', f.read()))
print("neither", sorted(long - digits - counted), "tool", sorted(tool))
END
run /usr/bin/python3 "$tap/longs.py" "$top"
is "numbers of 64 bits" "$out" "neither [] tool ['inode', 'octets', 'time']"
printf '' >"$tap/json"
is "nothing is no JSON" "$(schema version "$tap/json")" "no JSON"
done_testing
