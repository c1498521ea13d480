#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# An upgrade or a downgrade replaces the files of modules that stay loaded. What is loaded later is of
# another build than they are.
#
# promise operator: after an upgrade, no module of the new version is loaded beside those of the old
#   one, and the kernel's log says what to do
# shown by: is refused beside those that are loaded
# shown by: and the log says what to do
# promise operator: after an upgrade, show and check warn until the modules that are loaded are those of
#   the new version
# shown by: show warns of modules of another build
# shown by: so does check

# shellcheck source=userspace/tests/vm/lib.sh
. "$(dirname "$(readlink -f "$0")")/../lib.sh"

# The same modules with another checksum of their sources: nothing else would keep them from being loaded.
build=$(LC_ALL=C grep -aoEm 1 '[0-9]+(\.[0-9]+)+ \([0-9a-f]{12}\)' "$UTF8GUARD_MODULES/utf8guard.ko" | head -n 1)
like "modules say of which build they are" "$build" '^[0-9.]+ \([0-9a-f]{12}\)$'
sources=${build#*\(} sources=${sources%\)}
other=${build/$sources/${sources%?}z}
mkdir /tmp/other
for name in utf8guard utf8guard_fs utf8guard_nf xt_utf8 nf_conntrack_utf8; do
	LC_ALL=C sed "s/$sources/${sources%?}z/g" "$UTF8GUARD_MODULES/$name.ko" >"/tmp/other/$name.ko"
	isnt "another $name" "$(cksum <"/tmp/other/$name.ko")" "$(cksum <"$UTF8GUARD_MODULES/$name.ko")"
done
of_other() { UTF8GUARD_MODULES=/tmp/other load "$@"; }

refused() { # HOW MODULE LOADED LATER: that one of the build LATER
	local name=${utf8guard_module[$2]}
	log_mark
	"$1" "$2" >"$tap/said" 2>&1
	like "$2 is refused beside those that are loaded" "$? $(cat "$tap/said")" "^1 .*$name\.ko: Invalid module format"
	is "$2: and the log says what to do" "$(log_since "$name: is of " | sed "s/.*$name: //")" \
		"is of utf8guard $4, but $3 is loaded: boot, or unload all modules of utf8guard first"
	not_ok "$2 is not there" [ -d "/sys/module/$name" ]
}

warnings() { utf8guard show | sed -n 's/^warning  *//p'; }
echo 'fs set default audit' >/tmp/policy
checked() { utf8guard check /tmp/policy; }

must load service
is "the tool is of the same build: show does not warn" "$(warnings)" ""
for module in fs nf; do
	refused of_other $module "$build" "$other"
done
for module in fs nf; do
	ok "$module of the same build is loaded" load $module
done
for module in xt helper; do
	refused of_other $module "$build" "$other"
	ok "$module of the same build is loaded" load $module
done
# Root of a user namespace can have the kernel load xt_utf8 as often as he likes: by a match.
must unload xt_utf8
log_mark
for ((i = 0; i < 100; i++)); do insmod /tmp/other/xt_utf8.ko; done 2>/dev/null
told=$(log_since 'xt_utf8: is of ' | grep -c .)
note "told $told times"
few() { [ "$told" -gt 0 ] && [ "$told" -lt 80 ]; }
ok "who tries 100 times does not fill the log" few
ok "xt of the same build is loaded again" load xt
is "nor does check" "$(checked)" "UTF8GUARD OK - /tmp/policy: in force | rules=1 waiting=0 missing=0 other=0"
must utf8guard net add input udp dport 9000 drop
like "what is loaded works" "$(utf8guard net)" '^net add input udp dport 9000 drop '
ok "and is unloaded" unload nf_conntrack_utf8 xt_utf8 utf8guard_fs utf8guard_nf utf8guard

# The other way round, as after a downgrade.
must of_other service
for module in fs nf; do
	refused load $module "$other" "$build"
	ok "$module of that other build is loaded" of_other $module
done
for module in xt helper; do
	refused load $module "$other" "$build"
	ok "$module of that other build is loaded" of_other $module
done

says="this tool is of build $build, the modules that are loaded are of $other: after an upgrade, see AT BOOT in utf8guard(8)"
is "show warns of modules of another build" "$(warnings)" "$says"
run checked
is "so does check" "$status $out" "1 UTF8GUARD WARNING - /tmp/policy: $says | rules=1 waiting=0 missing=0 other=0"

# Modules of others take what utf8guard(9) describes, of whatever build.
ok "the example of utf8guard(9) is loaded beside any" insmod "$UTF8GUARD_MODULES/test/utf8guard_example.ko"
rmmod utf8guard_example
done_testing
