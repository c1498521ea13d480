#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# Mutants: what is broken, when one counts as caught, and which sources are left out. mutants.py is run
# on a tree that is made up here, whose guest is a script; of its table of judges, each one has to be
# there.

top=$(readlink -f "$(dirname "$0")/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$top/userspace/tests/tap.sh"

tree=$tap/tree table=$tap/tree/scripts/test/mutants.txt
export ASKED=$tap/asked
mkdir -p "$tree"/{scripts/{test,vm},userspace/{tool,tests/vm/made}}
cp "$top/scripts/test/mutants.py" "$tree/scripts/test"
printf 'modules-6.12 tools:\n' >"$tree/Makefile"
# shellcheck disable=SC2016 # variables of make
printf '$(BUILD)/%s/%%.o: %s%%.c\n\tmkdir -p $(@D)\n\t$(CC) -c -o $@ $<\n' user "" pic ../ >"$tree/userspace/Makefile"
# In the place of the emulator: -k KERNEL SUITE
# shellcheck disable=SC2016 # of that script
printf '#!/bin/bash\nexec bash "$3"\n' >"$tree/scripts/vm/suite.sh"
chmod +x "$tree/scripts/vm/suite.sh"
printf 'int lit;\n\nvoid light(void)\n{\n\tlit++;\n}\n' | tee "$tree"/userspace/tool/{lamp,dark}.c >"$tap/said"
guest() { # SUITE COMMAND...: a suite in a guest, which may fail by the command once the lamp is broken
	printf '%s\n' "grep -q lit++ userspace/tool/lamp.c || { echo asked >>\"\$ASKED\"; ${*:2}; }" \
		>"$tree/userspace/tests/vm/made/$1.t"
	rm -f "$ASKED"
	printf 'judge userspace/tool/lamp\t%s\n' "vm:$1" >"$table"
	git -C "$tree" add .
}
git -C "$tree" init -q
mutants() { run python3 "$tree/scripts/test/mutants.py" "$@"; }

# shellcheck disable=SC2016 # the suite expands it
guest once '[ "$(wc -l <"$ASKED")" != 1 ]'
mutants --vm userspace/tool/lamp.c
is "a guest that fails once: exit status" "$status" 1
like "a guest that fails once has not caught the mutant" "$out" '^SURVIVED .*lit\+\+;  ->  lit;  \(nothing noticed\)'
is "it was asked twice" "$(wc -l <"$ASKED")" 2
rm -r "$tree/build"
guest always false
mutants --vm userspace/tool/lamp.c
is "a guest that fails twice: exit status" "$status" 0
like "a guest that fails twice has" "$out" '^caught .*lit\+\+;  ->  lit;  \(vm:always\)'

mutants userspace/tool/lamp.c userspace/tool/dark.c
is "sources that are named and not broken are named" "$err" \
	$'userspace/tool/lamp.c: only judges in guests, for --vm: none of its 1 places is broken
userspace/tool/dark.c: no judge: none of its 1 places is broken'
mutants
like "of a run without files, how many: no judge" "$out" $'\nno judge: 1 sources with 1 places, none of which is broken'
like "and judges in guests" "$out" $'\nonly judges in guests, for --vm: 1 sources with 1 places, none of which is broken$'
mutants --vm
unlike "these are asked by --vm" "$out" 'only judges'
mutants userspace/tool/lump.c
is "no such source" "$status $out$err" "1 userspace/tool/lump.c: not a source that is broken here: one of kernel, userspace/codec, userspace/tool or userspace/xtables, written by hand"
for judge in vm:gone uml:gone fuzz:gone gone.t gone vn:always; do
	printf 'judge userspace/tool/lamp\t%s\n' "$judge" >"$table"
	mutants --list
	is "no such judge: $judge" "$status $out$err" "1 $table: $judge: there is no such judge"
done

# What is broken of a source. Lines with a quotation mark are not, nor are arguments of a macro, nor what
# matters only where another program is executed.
mkdir -p "$tree"/userspace/{codec,xtables,tests/host/made}
printf 'judge userspace/\tmade.t vm:always\n' >"$table"
: >"$tree/userspace/tests/host/made/made.t"
cat >"$tree/userspace/codec/flags.c" <<'END'
#define SEVERAL (O_RDONLY | O_NOFOLLOW)
	fd = open(path, O_RDWR | O_EXCL | BIT_OF(NAME));
	fd = mkostemp(path, O_CLOEXEC);
	fd = open(path, O_PATH | O_CLOEXEC);
	fd = open("path", O_RDWR | O_EXCL);
	fd = renameat2(fd, from, fd, to, RENAME_NOREPLACE);
	struct open_how how = { .resolve = RESOLVE_NO_SYMLINKS };
	if (fsync(fd) || rename(of(a), b))
	return b && is_one(a) && c(a) == d;
END
git -C "$tree" add .
mutants --list userspace/codec/flags.c
is "flags that are not set, conditions that are not asked for" "$(sed -n 's/.*  ->  //p' <<<"$out" | LC_ALL=C sort)" \
	"$(LC_ALL=C sort <<'END'
#define SEVERAL (O_RDONLY)
#define SEVERAL (O_NOFOLLOW)
fd = open(path, O_RDWR | BIT_OF(NAME));
fd = open(path, O_EXCL | BIT_OF(NAME));
fd = open(path, O_CLOEXEC);
fd = renameat2(fd, from, fd, to, 0);
struct open_how how = { .resolve = 0 };
if (rename(of(a), b))
if (fsync(fd))
if (fsync(fd) && rename(of(a), b))
return b && c(a) == d;
return b || is_one(a) && c(a) == d;
return b && is_one(a) || c(a) == d;
return b && is_one(a) && c(a) != d;
END
)"
printf 'enum { NO_FLAG, THE_LAMP };\nint lit;\n\nvoid light(void)\n{\n\tlit = THE_LAMP | NO_FLAG;\n}\n' \
	>"$tree/userspace/xtables/lamp.c"
git -C "$tree" add .
mutants --vm userspace/xtables/lamp.c
like "the extension of iptables: what compiles to the same" "$out" '^- .*  ->  lit = THE_LAMP;  \(the same code\)'

if [ -e "$top/.git" ]; then
	run python3 "$top/scripts/test/mutants.py" --list
	is "of the table of this tree, each judge is there" "$status" 0
	unlike "and each source has one" "$err" "no judge"
else
	skip 2 "not a checkout of git"
fi
ok "make mutants VM=1 has guests judge" grep -q -- ' --vm ' <(make -n -C "$top" mutants VM=1)
not_ok "make mutants does not" grep -q -- ' --vm ' <(make -n -C "$top" mutants)
done_testing
