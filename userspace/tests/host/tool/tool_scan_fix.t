#!/bin/bash
# SPDX-License-Identifier: GPL-2.0
#
# utf8guard scan --fix and --undo: what is mended, what is left, and that there
# is always a way back: from a crash, from a full disk, from two at once.
#
# promise administrator by mistake: scan --fix overwrites nothing and loses nothing, killed at any
#   time; --undo brings it back
# shown by: nothing is overwritten
# shown by: killed at any time, and undone
# shown by: 60 random trees, mended and back
# promise local user: by a link that he puts in the place of a directory or file, he leads neither
#   scan nor validate -r elsewhere
# shown by: a link put there while --fix looks
# shown by: before it renames
# shown by: before --undo does
# shown by: a link put there before validate -r opens the file

here=$(dirname "$(readlink -f "$0")") top=$(readlink -f "$here/../../../..")
# shellcheck source=userspace/tests/tap.sh
. "$(dirname "$0")/../../tap.sh"
tool=${UTF8GUARD:-$top/build/utf8guard}
[ -x "$tool" ] || bail_out "$tool is missing; make tools"
cd "$tap" || exit
trees() { /usr/bin/python3 "$here/trees.py" "$@"; }

# Between the tool and the kernel: END_AT=N ends it with SIGNAL before the Nth
# call that changes something, AT_SYNC is a command for when the log is on disk, AT_LAST one for
# when a file or directory "last" is opened, AT_READ one for before the first directory is read, AT_TAKE one for before the first name is taken away, OPENAT2 what errno openat2() gives, LEASED=N refuses the first N times that a file is opened, as a lease on it does, NAPS=N has waits take no time, and ends it with SIGABRT at the Nth, PLAIN=1 knows no RENAME_NOREPLACE, REPLACE=1 takes no notice of it.
# FS_TYPE is the type of all file systems, INODE_PLUS is added to the number of each file, and
# each was born in second BIRTH, but directories in DIR_BIRTH, or 1; BIRTH=0: nobody knows when.
# AWAKE=1 ends it with SIGABRT where it would wait.
cat >shim.c <<'EOF'
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned int flags);
int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags);

static void count(void)
{
	const char *at = getenv("END_AT");
	static int calls;

	if (at && ++calls == atoi(at))
		raise(atoi(getenv("SIGNAL")));
}

int renameat2(int from_fd, const char *from, int to_fd, const char *to, unsigned int flags)
{
	count();
	if (getenv("PLAIN")) {
		errno = EINVAL;
		return -1;
	}
	return REAL(renameat2)(from_fd, from, to_fd, to, getenv("REPLACE") ? 0 : flags);
}

int linkat(int from_fd, const char *from, int to_fd, const char *to, int flags)
{
	count();
	return REAL(linkat)(from_fd, from, to_fd, to, flags);
}

static void command(const char *name);

int renameat(int from_fd, const char *from, int to_fd, const char *to)
{
	count();
	command("AT_TAKE");
	return REAL(renameat)(from_fd, from, to_fd, to);
}

int unlinkat(int fd, const char *name, int flags)
{
	count();
	command("AT_TAKE");
	return REAL(unlinkat)(fd, name, flags);
}

int statx(int fd, const char *name, int flags, unsigned int mask, struct statx *status)
{
	int result = REAL(statx)(fd, name, flags, mask, status);
	const char *plus = getenv("INODE_PLUS"), *birth = getenv("BIRTH");
	const char *dir_birth = getenv("DIR_BIRTH");

	if (plus)
		status->stx_ino += atoi(plus);
	if (birth) {
		status->stx_mask |= STATX_BTIME;
		status->stx_btime.tv_sec = atoi(S_ISDIR(status->stx_mode) ? dir_birth ? : "1" : birth);
		status->stx_btime.tv_nsec = 123456789;
	}
	if (birth && !atoi(birth))
		status->stx_mask &= ~STATX_BTIME;
	return result;
}

int fstatfs(int fd, struct statfs *status)
{
	int result = REAL(fstatfs)(fd, status);
	const char *type = getenv("FS_TYPE");

	if (type)
		status->f_type = strtol(type, NULL, 0);
	return result;
}

int nanosleep(const struct timespec *time, struct timespec *left)
{
	const char *naps = getenv("NAPS");
	static int count;

	if (getenv("AWAKE") || (naps && ++count == atoi(naps)))
		abort();
	if (naps)
		return 0;
	return REAL(nanosleep)(time, left);
}

static void command(const char *name)
{
	const char *line = getenv(name);

	unsetenv("LD_PRELOAD");
	if (line && system(line))
		abort();
	unsetenv(name);
}

DIR *fdopendir(int fd)
{
	command("AT_READ");
	return REAL(fdopendir)(fd);
}

int fsync(int fd)
{
	int result = REAL(fsync)(fd);

	count();
	command("AT_SYNC");
	return result;
}

int openat(int fd, const char *name, int flags, ...)
{
	const char *leased = getenv("LEASED");
	mode_t mode = 0;
	va_list more;
	static int refused;

	if (!strcmp(name, "last"))
		command("AT_LAST");
	if (leased && !(flags & O_DIRECTORY) && refused < atoi(leased)) {
		refused++;
		errno = EWOULDBLOCK;
		return -1;
	}
	if (flags & O_CREAT) {
		va_start(more, flags);
		mode = va_arg(more, mode_t);
		va_end(more);
	}
	return REAL(openat)(fd, name, flags, mode);
}

/* openat2() has no function of its own in glibc. */
long syscall(long number, ...)
{
	long words[6];
	va_list more;
	int i;

	va_start(more, number);
	for (i = 0; i < 6; i++)
		words[i] = va_arg(more, long);
	va_end(more);
	if (number == SYS_openat2 && getenv("OPENAT2")) {
		errno = atoi(getenv("OPENAT2"));
		return -1;
	}
	if (number == SYS_openat2 && !strcmp((const char *)words[1], "last"))
		command("AT_LAST");
	return REAL(syscall)(number, words[0], words[1], words[2], words[3], words[4], words[5]);
}
EOF
ok "a shim" cc -shared -fPIC -D_GNU_SOURCE -o shim.so shim.c -ldl
shim() { LD_PRELOAD=$tap/shim.so "$@"; }

sorted() { printf '%s' "$out" | LC_ALL=C sort; }
again() { rm -rf tree log log2 log3; mkdir tree; }

# Of many names, each takes the memory that the one before had.
again
/usr/bin/python3 - tree <<'END'
import os, sys
os.chdir(sys.argv[1])
for _ in range(14):
    os.mkdir(b"\xff" * 250)
    os.chdir(b"\xff" * 250)
for i in range(2000):
    os.close(os.open(b"\xff%d" % i, os.O_CREAT))
END
for what in --dry-run --log=log; do
	run bash -c 'ulimit -v 25000; exec "$@" | wc -l' - "$tool" scan --fix "$what" --from latin1 tree
	is "of many names, $what" "$out$err" 2014
done

# Of those in one directory, a dry run remembers less than the names: one in 1000 is there twice.
again
/usr/bin/python3 - tree <<'END'
import os, sys
os.chdir(sys.argv[1])
for i in range(50000):
    os.close(os.open(b"\xff%0205d" % i, os.O_CREAT))
    if i % 1000 == 0:
        os.close(os.open(b"y\xcc\x88%0205d" % i, os.O_CREAT))
END
run bash -c 'ulimit -v 16000; exec "$@"' - "$tool" scan --fix --dry-run --from latin1 --form nfc tree
is "of many names in one directory" \
	"$(wc -l <"$tap/out") $(grep -c ': left: another name would become the same$' "$tap/out")$err" "50050 50"

# What becomes of each kind of name.
again
apart=$'cafe\xcc\x81'
touch $'tree/\xe9t\xe9' "tree/$apart" $'tree/a\nb' tree/plain $'tree/gr\xc3\xb6\xc3\x9fe'
mkdir -p $'tree/d\xfc/\xa4'
ln -s $'d\xfc' $'tree/l\xf6'
trees list tree >before
run "$tool" scan --fix --dry-run --from latin1 --refuse portable-nfc tree
is "--dry-run" "$status $(sorted)$err" "1 $(LC_ALL=C sort <<EOF
tree/\\xE9t\\xE9:0: too-short: E9 -> été
tree/$apart:3: not-normalized -> café
tree/a\\x0Ab:1: newline: 0A: left: nothing but --replace helps
tree/d\\xFC/\\xA4:0: too-long: A4 -> ¤
tree/d\\xFC:1: header-bits: FC -> dü
tree/l\\xF6:1: too-large: F6 -> lö
EOF
)"
run trees list tree
is "... changes nothing" "$out" "$(cat before)"
run "$tool" scan --fix --log log --from latin1 --refuse portable-nfc tree
is "--fix" "$status $(sorted)$err" "1 $(LC_ALL=C sort <<EOF
$tap/tree/\\xE9t\\xE9 -> été
$tap/tree/$apart -> café
tree/a\\x0Ab:1: newline: 0A: left: nothing but --replace helps
$tap/tree/d\\xFC/\\xA4 -> ¤
$tap/tree/d\\xFC -> dü
$tap/tree/l\\xF6 -> lö
EOF
)"
is "the names" "$(cd tree && find . -print0 | LC_ALL=C sort -z | tr '\0' '\n')" $'.\n./a\nb\n./café\n./dü\n./dü/¤\n./größe\n./lö\n./plain\n./été'
is "where a link points to is no name" "$(readlink tree/lö)" $'d\xfc'
is "the log is for its owner alone" "$(stat -c %a log)" 600
run "$tool" scan --refuse portable-nfc tree
is "what was left is still found" "$status $out" '1 tree/a\x0Ab:1: newline: 0A'
run "$tool" scan -s --undo log --dry-run
is "--undo --dry-run" "$status $(sorted)$err" "0 $(LC_ALL=C sort <<EOF
$tap/tree/été -> \\xE9t\\xE9
$tap/tree/café -> $apart
$tap/tree/dü/¤ -> \\xA4
$tap/tree/dü -> d\\xFC
$tap/tree/lö -> l\\xF6
EOF
)names 0, refused 0, renamed 0"
isnt "... changes nothing" "$(trees list tree)" "$(cat before)"
run "$tool" scan -j --undo log
like "--undo" "$status $out" '^0 \{"version":1,"path":".*/tree/.*","to":".*"\}'
is "as before" "$(trees list tree)" "$(cat before)"
run "$tool" scan --undo log
is "nothing is left to undo" "$status $out$err" "0 "
run "$tool" scan -j --fix --log log2 --from latin1 --replace --refuse newline tree
like "--replace" "$out" '"path":"[^"]*/tree/a\\\\x0Ab","to":"a\\uFFFDb"|"to":"a�b"'
is "... with nothing left" "$status $("$tool" scan --refuse newline tree)" "0 "
AWAKE=1 run env LD_PRELOAD="$tap/shim.so" "$tool" scan --undo log2
is "... and back, without waiting in what was just renamed" "$status $(trees list tree)" "0 $(cat before)"
mkdir several
touch several/$'a\nb\nc'
run "$tool" scan --fix --log log3 --replace --refuse newline several
is "--replace: each of several in one name" "$(ls several)" "a�b�c"

# What is left.
again
x=$(printf 'x%.0s' {1..200})
touch $'tree/\xe9' tree/é "tree/$x"$'\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9\xe9' \
	$'tree/g\xc3\xa9\xe9'
trees list tree >before
run "$tool" scan -j --fix --log log --from latin1 tree
like "a new name that exists" "$out" '"path":"tree/\\\\xE9",.*"form":null,"to":"é","left":"its new name exists"'
like "a new name that is too long" "$out" '"left":"its new name would be too long"'
is "UTF-8 beside what is not is converted with it" "$(cd tree && echo g*)" 'gÃ©é'
run "$tool" scan -0 --undo log
is "-0 --undo" "$status $out$err" "0 "
is "as before" "$(trees list tree)" "$(cat before)"
run "$tool" scan -0 --fix --log log2 --from ascii tree
is "-0: what was left, here not of the character set" "$status $(tr '\0' '\n' <"$tap/out" | wc -l)" "1 3"
run "$tool" scan --fix --log log3 --form nfc tree
like "no character set" "$status $out" '^1 .*: left: its character set is unknown'
again
touch $'tree/\xc1\x61\xc1'
run "$tool" scan --fix --log log --from EBCDIC-US tree
like "a conversion to a path" "$status $out" '^1 .*: left: what comes of it cannot be a file name$'

# Two names that become one, in the same directory: the first one has it.
again
touch $'tree/\xe9' $'tree/e\xcc\x81'
trees list tree >before
run "$tool" scan -s --fix --dry-run --from latin1 --form nfc tree
like "a dry run says so" "$status $out$err" '^1 .* -> é'$'\n''.*: left: another name would become the same'
run "$tool" scan --fix --log log --from latin1 --form nfc tree
like "the second one is left" "$status $out" '^1 .* -> é'$'\n''.*: left: its new name exists$'
is "none is lost" "$(find tree -type f | wc -l)" 2
run "$tool" scan --undo log
is "--undo has nothing to say of it" "$status $(trees list tree)" "0 $(cat before)"

# The same of one file: --undo has nothing to say either, if no name is left over. A crash of an
# older kernel's file system, between link() and unlink(), leaves one.
again
mkdir tree/d tree/e
touch $'tree/d/x\xff'
ln $'tree/d/x\xff' $'tree/d/x\xfe'
ln $'tree/d/x\xff' $'tree/d/x\xfd'
ln $'tree/d/x\xff' $'tree/e/x\xfd'
trees list tree >before
run "$tool" scan --fix --log log --replace tree
is "two names of one file that become one" "$status $(grep -c left: <<<"$out") $(find tree/d -type f | wc -l)" "1 2 3"
run "$tool" scan --undo log --dry-run
is "... back in a dry run" "$status $(wc -l <<<"$out")$err" "0 2"
run "$tool" scan --undo log
is "... and back" "$status $(wc -l <<<"$out")$err $(trees list tree)" "0 2 $(cat before)"
run "$tool" scan --fix --log log2 --replace tree
ln tree/e/x� $'tree/e/x\xfd'
run "$tool" scan --undo log2
is "a name that is left over is told" "$status $(grep left: <<<"$out")" "1 $tap/tree/e/x�: left: its new name exists"

# The name that was left may go: --undo gives the other one back all the same.
again
touch $'tree/x\xe9'
ln $'tree/x\xe9' $'tree/xe\xcc\x81'
mkdir tree/dir && touch $'tree/dir/xe\xcc\x81'
trees list tree/dir >before
run "$tool" scan --fix --log log --from latin1 --form nfc tree
like "of two names of one file, the second is left" "$status $out" \
	'^1 tree/x.*: left: another name would become the same'$'\n'
renamed=$'x\xe9' kept=$'xe\xcc\x81'
[ ! -e "tree/$renamed" ] || { renamed=$kept kept=$'x\xe9'; }
rm "tree/$kept"
run "$tool" scan --undo log
is "... which is removed, and undone" "$status $err$(cd tree && ls -d x*) $(trees list tree/dir)" "0 $renamed $(cat before)"

# An older tool had a record for each of them in its log.
again
touch $'tree/x\xff'
ln $'tree/x\xff' $'tree/x\xfe'
ln $'tree/x\xff' $'tree/x\xfd'
trees list tree >before
"$tool" scan --fix --log log --replace tree >/dev/null
/usr/bin/python3 - log >log2 <<'END'
import re, sys
for line in open(sys.argv[1]):
    print(line, end="")
    for other in "DEF" if "rename" in line else "":
        if "xF" + other not in line:
            print(re.sub(r"xF.", "xF" + other, line), end="")
END
is "a log with each of them" "$(grep -c rename log) $(grep -c rename log2)" "1 3"
run "$tool" scan --undo log2 --dry-run
is "... is undone in a dry run" "$status $(wc -l <<<"$out")$err" "0 1"
run "$tool" scan --undo log2
is "... and undone" "$status $(wc -l <<<"$out")$err $(trees list tree)" "0 1 $(cat before)"

# A directory below another one, which is renamed itself.
again
mkdir -p $'tree/b\xff/d'
touch $'tree/b\xff/\xe9'
trees list tree >before
run "$tool" scan --fix --log log --from latin1 tree $'tree/b\xff' tree/b*/d
is "a directory below another one" "$status $(sorted)$err" "0 $(LC_ALL=C sort <<EOF
$tap/tree/b\\xFF -> bÿ
$tap/tree/b\\xFF/\\xE9 -> é
EOF
)"
run "$tool" scan --undo log
is "... and back" "$status $err$(trees list tree)" "0 $(cat before)"

# What is bad further down would be looked at, and mended, with each of the two.
mkdir -p $'tree/b\xff/d/\xe8'
touch $'tree/b\xff/d/\xe8/\xe7'
ln -s tree link
trees list tree >before
for spelled in tree/b* tree/b*/. link/b* "$tap"/tree/b*/d/../ tree/; do
	rm -f log
	run "$tool" scan "$spelled" tree "$spelled"
	is "$spelled, below another one: each name is found once" "$status $(sort "$tap/out" | uniq -d)$err" "1 "
	run "$tool" scan -s --fix --dry-run --from latin1 tree "$spelled"
	is "$spelled: a dry run" "$status $err" "1 names 5, refused 4, renamed 0: header-bits 1, truncated 3"
	run "$tool" scan --fix --log log --from latin1 "$spelled" tree "$spelled"
	is "$spelled: each is mended once" "$status $(wc -l <"$tap/out") $err$("$tool" scan tree)" "0 4 "
	run "$tool" scan --undo log
	is "$spelled: and back" "$status $err$(trees list tree)" "0 $(cat before)"
done

# Random trees, against another implementation, and back.
bad=()
for seed in $(seq 1 60); do
	rm -rf tree log
	charset=latin1
	((seed % 2)) && charset=EUC-JP
	trees make "$seed" tree
	trees list tree >before
	"$tool" scan --fix --log log --from "$charset" --form nfc tree >/dev/null 2>err
	trees list tree >after
	trees check "${charset/-/_}" before after 2>why || bad+=("$seed: $(cat why err)")
	cmp -s before after && bad+=("$seed: nothing to do")
	"$tool" scan --undo log >/dev/null 2>err || bad+=("$seed: undo $? $(cat err)")
	trees list tree | cmp -s - before || bad+=("$seed: not as before")
done
is "60 random trees, mended and back" "${bad[*]}" ""

# A crash before any of the calls that change something, there and back.
rm -rf tree log
trees make 7 tree
trees list tree >before
bad=()
midway=0
for ((n = 1; ; n++)); do
	rm -f log
	END_AT=$n SIGNAL=9 shim "$tool" scan --fix --log log --from EUC-JP --form nfc tree >/dev/null 2>&1
	[ $? = 137 ] || break
	trees list tree | cmp -s - before || midway=$((midway + 1))
	END_AT=$((n / 2)) SIGNAL=9 shim "$tool" scan --undo log >/dev/null 2>&1
	"$tool" scan --undo log >/dev/null 2>&1 || bad+=("$n: $?")
	trees list tree | cmp -s - before || bad+=("$n: not as before")
done 2>/dev/null
is "killed, undone, killed in that, undone" "${bad[*]}" ""
ok "... often with some of the names mended" [ "$midway" -gt 10 ]
not_ok "... and when it is not killed, all is done" cmp before <(trees list tree)

# A crash at any time, of many names.
many() {
	mkdir tree
	/usr/bin/python3 -c '
import os
for d in range(40):
    os.mkdir(b"tree/\xe9%d" % d)
    for f in range(50):
        open(b"tree/\xe9%d/\xfc%d" % (d, f), "w").close()'
}
rm -rf tree log
many
trees list tree >before
bad=()
for try in $(seq 1 20); do
	rm -f log said
	"$tool" scan --fix --log log --from latin1 tree >/dev/null &
	sleep "0.0$((RANDOM % 60 + 10))"
	kill -9 $! 2>/dev/null
	wait $!
	[ -e log ] && "$tool" scan --undo log >/dev/null 2>said
	[ ! -s said ] || grep -q "has no end\|no log" said || bad+=("$try: $(cat said)")
	trees list tree | cmp -s - before || bad+=("$try: not as before")
done 2>/dev/null
is "killed at any time, and undone" "${bad[*]}" ""

# Signals that ask the tool to end. Whoever runs this may have them ignored.
rm -f log
END_AT=3 SIGNAL=2 run env --default-signal=INT LD_PRELOAD="$tap/shim.so" "$tool" scan --fix --log log --from latin1 tree
like "SIGINT" "$status $err" "^1 utf8guard: interrupted: 1 renamed; --undo renames them back"
END_AT=1 SIGNAL=15 run env --default-signal=TERM LD_PRELOAD="$tap/shim.so" "$tool" scan --undo log
like "SIGTERM while undoing" "$status $err" "^1 utf8guard: interrupted: 1 renamed back; the rest by the same command"
is "as before" "$(trees list tree)" "$(cat before)"

# What was started by nohup goes on when the terminal is gone, and in the background of a script
# nobody's Control-C is for it.
# shellcheck disable=SC2016 # the shell in there expands it
for signal in HUP INT TERM; do
	rm -f log
	run env END_AT=3 SIGNAL="$(kill -l $signal)" \
		bash -c 'trap "" "$1"; exec env LD_PRELOAD="$2" "$0" scan --fix --log log --from latin1 tree' "$tool" $signal "$tap/shim.so"
	is "SIG$signal that was ignored still is" "$status $(wc -l <"$tap/out") $err" "0 2040 "
	run env END_AT=1 SIGNAL="$(kill -l $signal)" \
		bash -c 'trap "" "$1"; exec env LD_PRELOAD="$2" "$0" scan --undo log' "$tool" $signal "$tap/shim.so"
	is "... while undoing" "$status $err$(trees list tree)" "0 $(cat before)"
done

# What was renamed can no longer be printed. That ends it, too.
again
touch tree/$'\xe9'{100..400}
trees list tree >before
run bash -c '"$0" scan --fix --log log --from latin1 tree >/dev/full' "$tool"
like "a full disk" "$status $err" "^2 utf8guard: interrupted: [0-9]+ renamed; --undo renames them back"
run bash -c '"$0" scan --undo log >/dev/full' "$tool"
like "a full disk while undoing" "$status $err" "^2 utf8guard: interrupted: [0-9]+ renamed back; the rest by the same command"
run "$tool" scan --undo log
is "as before, after a full disk" "$(trees list tree)" "$(cat before)"

# Nobody reads any more, as after "| head", or the output is as long as a file may be. By default,
# the signal for either would end the tool between two renames, without a word.
unread() { # WORD...: with a pipe for output that nobody reads
	mkfifo pipe && run bash -c 'exec 9<>pipe >pipe 9>&-; exec "$@"' - "$@"
	rm pipe
}
longest() { # WORD...: with output to a file that may not grow
	head -c 1M /dev/zero >said && run bash -c 'ulimit -f 1024; exec "$@" >>said' - "$@"
}
for ended in unread longest; do
	rm -f log
	"$ended" "$tool" scan --fix --log log --from latin1 tree
	like "$ended" "$status $err" "^2 utf8guard: interrupted: [0-9]+ renamed; --undo renames them back"
	"$ended" "$tool" scan --undo log
	like "$ended, while undoing" "$status $err" "^2 utf8guard: interrupted: [0-9]+ renamed back; the rest by the same command"
	run "$tool" scan --undo log
	is "$ended: as before" "$(trees list tree)" "$(cat before)"
done
rm -f log
unread "$tool" scan --fix --log log --from ascii tree
like "unread, while it looks" "$status $err" "^2 utf8guard: interrupted: nothing was renamed"
ok "... and no log is left" [ ! -e log ]
run bash -c 'ulimit -f 4; exec "$@"' - "$tool" scan --fix --log log --from latin1 tree
is "a log that is longer than a file may be" "$status $out|$err" "2 |utf8guard: log: File too large
utf8guard: without a log nothing was renamed"
ok "... of which nothing is left" [ ! -e log ]

# Two at once.
rm -f log log2
"$tool" scan --fix --log log --from latin1 tree >/dev/null 2>&1 &
"$tool" scan --fix --log log2 --from latin1 tree >/dev/null 2>&1
wait $!
is "two at once: all is mended" "$("$tool" scan tree)" ""
"$tool" scan --undo log >/dev/null 2>&1 &
"$tool" scan --undo log2 >/dev/null 2>&1
wait $!
"$tool" scan --undo log >/dev/null
is "undone by two at once" "$(trees list tree)" "$(cat before)"
rm -f log log2
AT_SYNC="'$tool' scan --fix --log log2 --from latin1 tree" \
	run env LD_PRELOAD="$tap/shim.so" "$tool" scan --fix --log log --from latin1 tree
is "one between the two halves of the other" "$("$tool" scan tree)" ""
run "$tool" scan --undo log
is "either log undoes it" "$(trees list tree)" "$(cat before)"
rm -rf tree

# What others change between the two halves, the plan and the renames.
again
mkdir -p $'tree/d\xe9/in' $'tree/w\xe9'
touch $'tree/v\xe9' $'tree/r\xe9' $'tree/t\xe9' $'tree/w\xe9/x\xe9' $'tree/d\xe9/in/y\xe9'
AT_SYNC=$'rm tree/v\xe9; touch tree/t\xc3\xa9 tree/new; mv tree/new tree/r\xe9; mv tree/w\xe9 gone; mkdir tree/w\xe9' \
	run env LD_PRELOAD="$tap/shim.so" "$tool" scan --fix --log log --from latin1 tree
is "gone, replaced, taken, moved" "$status $(sorted | sed "s|$tap/||")
${err//"$tap"\//}" '1 tree/d\xE9 -> dé
tree/d\xE9/in/y\xE9 -> yé
tree/r\xE9: left: gone, or another file by now
tree/t\xE9: left: its new name exists
tree/v\xE9: left: gone, or another file by now
tree/w\xE9: left: gone, or another file by now
utf8guard: tree/w\xE9: another directory by now; its contents are left as they are'
rm -rf gone
# A directory whose old name is taken keeps its new one; what is below it is renamed back.
mkdir $'tree/d\xe9'
run "$tool" scan --undo log
is "a name that is taken when it is undone" "$status $(sorted | sed "s|$tap/||")" '1 tree/dé/in/yé -> y\xE9
tree/dé: left: its new name exists
tree/ré: left: gone, or another file by now
tree/vé: left: gone, or another file by now
tree/wé: left: gone, or another file by now'
is "nothing is overwritten" "$(LC_ALL=C ls tree/dé/in)" $'y\xe9'

# Directories that are moved while what is far below them is read: tree/a/z/d, so that the
# way up from it leads out of the tree; then tree/a/z, too, so that it cannot be found again.
deep() {
	again
	rm -rf away
	/usr/bin/python3 -c '
import os
os.mkdir("away")
for part in range(0, 150), "z" + "/d" * 100 + "/last", range(150, 300):
    for name in part if isinstance(part, range) else [part]:
        os.makedirs(b"tree/a/%s" % str(name).encode())
        open(b"tree/a/%s/\xff" % str(name).encode(), "wb").write(b"\xff")'
	touch $'away/\xfd' $'tree/\xfe' $'tree/a/z/\xfe' $'tree/a/z/d/\xfe'
	trees list tree >before
}
others() { sorted | grep -v '/a/z/'; }
deep
run "$tool" scan tree
undisturbed=$(sorted) of_others=$(others)
# 38 and 1: before Linux 5.6 and below some filters of system calls
for error in 38 1; do
	OPENAT2=$error run env LD_PRELOAD="$tap/shim.so" "$tool" scan tree
	is "where openat2() gives errno $error" "$status $(sorted)$err" "1 $undisturbed"
done
moves='mv tree/a/z/d away/d'
AT_LAST=$moves run env LD_PRELOAD="$tap/shim.so" "$tool" scan tree
is "a directory that is moved away while it is read: all is looked at" "$(sorted)" "$undisturbed"
may='changed meanwhile: part of it may not have been looked at'
is "but nobody knows that, as it was changed, and so was what it was in" "$status $err" \
	"2 utf8guard: tree/a/z/d: $may
utf8guard: tree/a/z: $may"
deep
AT_LAST="$moves; mv tree/a/z away/z" run env LD_PRELOAD="$tap/shim.so" "$tool" scan tree
is "two of them, one in the other: what cannot be reached is said" "$status $err" \
	"2 utf8guard: tree/a/z/d: $may
utf8guard: tree/a/z: moved away meanwhile: part of it was not looked at
utf8guard: tree/a: $may"
is "... and the names of all others are found" "$(others)" "$of_others"
unlike "nobody is followed out of the tree" "$out" 'xFD'
deep
AT_LAST="$moves; mv tree/a/z away/z; mkdir tree/a/z" run env LD_PRELOAD="$tap/shim.so" \
	"$tool" scan --fix --log log --from latin1 tree
is "--fix says it, too" "$status $(grep -c 'z: moved away' <<<"$err")" "2 1"
is "... and mends the names of all others" \
	"$(find tree -name $'\xff' -o -name $'\xfe' | wc -l) $(find tree -name ÿ | wc -l) $(find tree -name þ)" "0 300 tree/þ"
rm -rf away
deep
run "$tool" validate -r tree
undisturbed=$(sorted)
is "validate -r" "$status $(grep -c . <<<"$out")" "1 301"
AT_LAST=$moves run env LD_PRELOAD="$tap/shim.so" "$tool" validate -r tree
is "validate -r comes back to all of them, too" "$status $(sorted) $(grep -c "$may" <<<"$err")" "2 $undisturbed 2"
rm -rf away

on() { # VARIABLE=VALUE... -- ARGUMENTS: scan, and what it says without where that is
	local with=()
	while [ "$1" != -- ]; do
		with+=("$1")
		shift
	done
	run env LD_PRELOAD="$tap/shim.so" "${with[@]}" "$tool" scan "${@:2}"
}
fix=(--fix --log log --from latin1 tree)

# Nobody follows a link that is put in the place of a directory meanwhile. On an overlay, nothing
# but its being a link tells it from that directory.
swap='mv tree/last away; ln -s ../other tree/last' overlay=FS_TYPE=0x794c7630
led_away() {
	again
	rm -rf log away other
	mkdir tree/last other
	touch $'tree/last/d\xfc' $'other/d\xfc'
}
where_they_are() { find away other -type f | LC_ALL=C sort | tr '\n' ' '; }
left='1 utf8guard: tree/last: another directory by now, or a symbolic link leads there; its contents are left as they are'
for with in openat2=there OPENAT2=38; do
	led_away
	on $with AT_LAST="$swap" -- "${fix[@]}"
	is "a link put there while --fix looks, $with" "$status $out$err $(where_they_are)" \
		$'0  away/d\xfc other/d\xfc '
	led_away
	on $with $overlay AT_SYNC="$swap" -- "${fix[@]}"
	is "... before it renames" "$status $out${err//"$tap/"/} $(where_they_are)" "$left"$' away/d\xfc other/d\xfc '
	led_away
	on $overlay -- "${fix[@]}"
	mv $'other/d\xfc' other/dü
	on $with $overlay AT_LAST="$swap" -- --undo log
	is "... before --undo does" "$status $out${err//"$tap/"/} $(where_they_are)" "$left away/dü other/dü "
done

# The same with a file. Nobody waits for a pipe in its place, into which nobody may ever write.
instead() { # COMMAND [VARIABLE=VALUE]: it puts something in the place of the file
	again
	touch tree/last
	run env LD_PRELOAD="$tap/shim.so" AT_LAST="rm tree/last; $1 tree/last" "${@:2}" \
		timeout -s KILL 60 "$tool" validate -r tree
}
printf 'x\xff' >other/text
instead 'ln -s ../other/text'
is "a link put there before validate -r opens the file" "$status $out$err" \
	"2 utf8guard: tree/last: Too many levels of symbolic links"
instead 'ln -s ../other/text' LEASED=1
is "... on which there is a lease" "$status $out$err" \
	"2 utf8guard: tree/last: Too many levels of symbolic links"
instead mkfifo
is "a pipe put there" "$status $out$err" "0 "
instead mkfifo LEASED=1
is "... with a lease" "$status $out$err" "0 "
rm -rf away other

# Who keeps a lease on each of many files is waited for a minute, once.
again
for i in {1..12}; do printf 'x\xff' >"tree/$i"; done
waiting() { run env LD_PRELOAD="$tap/shim.so" "$@" timeout -s KILL 60 "$tool" validate -rs tree; }
waiting LEASED=10000 NAPS=10100
like "a lease that is given back within a minute" "$status $err" "^1 files 12, refused 12, unread 0:"
waiting LEASED=12006 NAPS=12100
like "leases that are not: the files are unread, and the walk goes on" "$status $err" \
	$'^2 (utf8guard: tree/[0-9]+: Resource temporarily unavailable\n){6}files 12, refused 6, unread 6:'

# What a file is known by. On most file systems: its inode number, which may be another one's as
# soon as it is gone, and when it was born.
made() {
	again
	rm -f log log2
	mkdir $'tree/d\xe9'
	echo >$'tree/d\xe9/x\xe9'
	ln -s nowhere $'tree/l\xe9'
	trees list tree >before
}
halfway=$'. ./d\xe9 ./d\xe9/x\xc3\xa9 ./l\xc3\xa9 '
all() { (cd tree && find . -print0 | LC_ALL=C sort -z | tr '\0' ' '); }
ext4=FS_TYPE=0xef53 fat=FS_TYPE=0x4d44 fuse=FS_TYPE=0x65735546
made
on $ext4 BIRTH=1 -- "${fix[@]}"
echo more >>tree/dé/xé
on $ext4 BIRTH=2 -- --undo log
is "the same number, born later: left" "$status $(sorted | sed "s|$tap/||")" '1 tree/d\xE9/xé: left: gone, or another file by now
tree/dé -> d\xE9
tree/lé: left: gone, or another file by now'
on $ext4 BIRTH=1 INODE_PLUS=9 -- --undo log
like "another number: left" "$status $(all)$err" "^1 $halfway.*tree: another directory by now; its"
on $ext4 BIRTH=1 -- --undo log
is "a file that was written to since is the same" "$status $(trees list tree)" "0 $(cat before)"
made
on $ext4 BIRTH=1 -- "${fix[@]}"
is "when it was born is in the log" "$(grep -c '"inode":"[0-9]*","born":"1123456789"}$' log)" 7
sed 's/,"born":"[0-9]*"//' log >log2
on $ext4 BIRTH=1 -- --undo log2
is "a log of an older version is undone" "$status $(trees list tree)" "0 $(cat before)"
made
on $ext4 BIRTH=0 -- "${fix[@]}"
is "where nobody knows, it is not" "$(grep -c '"inode":"[0-9]*"}$' log)" 7
on $ext4 BIRTH=1 -- --undo log
is "... and the number alone counts" "$status $(trees list tree)" "0 $(cat before)"
made
on $ext4 BIRTH=1 -- "${fix[@]}"
mended=$(all)
for type in FS_TYPE=0x794c7630 FS_TYPE=0x2011bab0 "$fuse BIRTH=0"; do
	# shellcheck disable=SC2086 # two words
	on BIRTH=1 $type INODE_PLUS=9 -- --undo log
	like "what was born on another file system is none of $type" "$status $(all)$err" "^1 $mended.*tree: another directory by now; its"
done
made
on FS_TYPE=0x794c7630 BIRTH=1 -- "${fix[@]}"
on FS_TYPE=0x794c7630 BIRTH=2 -- --undo log
is "overlay: a rename may make it another birth" "$status $(trees list tree)" "0 $(cat before)"
made
on FS_TYPE=0x794c7630 BIRTH=1 -- "${fix[@]}"
on FS_TYPE=0x794c7630 BIRTH=2 INODE_PLUS=9 -- --undo log
is "... and another number" "$status $(trees list tree)" "0 $(cat before)"

# On some, the number changes: there it is when it was born alone, or what is in it.
for type in $fat FS_TYPE=0x2011bab0 $fuse FS_TYPE=0xff534d42 FS_TYPE=0xfe534d42; do
	made
	on "$type" BIRTH=1 -- "${fix[@]}"
	on "$type" BIRTH=2 -- --undo log
	is "$type: the same number, born later: left" "$status $(all)" "1 $halfway"
	on "$type" BIRTH=1 INODE_PLUS=9 -- --undo log
	is "... another number, born at the same time" "$status $(trees list tree)" "0 $(cat before)"
done
made
on FS_TYPE=0x2011bab0 BIRTH=1 -- "${fix[@]}"
on FS_TYPE=0x2011bab0 BIRTH=1 DIR_BIRTH=2 INODE_PLUS=9 -- --undo log
is "exfat: a rename in a directory makes it another birth" "$status $(trees list tree)" "0 $(cat before)"
made
on $fat BIRTH=1 -- "${fix[@]}"
on $fat BIRTH=1 DIR_BIRTH=2 INODE_PLUS=9 -- --undo log
like "fat: it does not" "$status $err" '^1 .*: another directory by now; its contents are left'
made
rm -rf $'tree/d\xe9'
mkdir tree/d
echo >$'tree/d/x\xe9'
echo >$'tree/y\xe9'
on $fuse BIRTH=0 -- "${fix[@]}"
like "fuse, without birth: when it was changed and its size are in the log" "$(cat log)" \
	'"inode":"[0-9]*","changed":"[0-9]*","size":"1"'
echo more >>tree/yé
on $fuse BIRTH=0 INODE_PLUS=9 -- --undo log
is "... another number: what was written to since is left" "$status $(all)" \
	$'1 . ./d ./d/x\xe9 ./l\xe9 ./y\xc3\xa9 '

# File systems that know no RENAME_NOREPLACE.
again
touch $'tree/f\xe9' $'tree/g\xe9' tree/gé
ln -s nowhere $'tree/l\xe9'
mkdir $'tree/d\xe9'
touch $'tree/d\xe9/x\xe9'
trees list tree >before
PLAIN=1 run env LD_PRELOAD="$tap/shim.so" "$tool" scan --fix --log log --from latin1 tree
like "files are mended, directories not" "$status $out" '^1 .*/d\\xE9: left: this file system might overwrite another name'
is "... these" "$(cd tree && find . | LC_ALL=C sort)" "$(printf '%s\n' . $'./d\xe9' ./$'d\xe9'/xé ./fé ./gé $'./g\xe9' ./lé | LC_ALL=C sort)"
PLAIN=1 run env LD_PRELOAD="$tap/shim.so" "$tool" scan --undo log
is "... and back" "$status $(trees list tree)" "0 $(cat before)"
rm -f log
PLAIN=1 END_AT=5 SIGNAL=9 run env LD_PRELOAD="$tap/shim.so" "$tool" scan --fix --log log --from latin1 tree
run "$tool" scan --undo log
like "a crash between the two names is said" "$status $out" '^1 .*: left: its new name exists'

# An editor saves what it has open: it writes another file, and renames that to the old name.
again
rm -f log
printf old >$'tree/g\xe9'
save=$'printf saved >tree/.tmp && mv tree/.tmp tree/g\xe9'
PLAIN=1 AT_TAKE=$save run env LD_PRELOAD="$tap/shim.so" "$tool" scan --fix --log log --from latin1 tree
is "what was saved while it had both names is not lost" "$(cd tree && grep -r . . | LC_ALL=C sort)" $'./g\xe9:saved'
like "... and is left" "$status $out" '^1 .*: left: gone, or another file by now'
rm -f log
PLAIN=1 run env LD_PRELOAD="$tap/shim.so" "$tool" scan --fix --log log --from latin1 tree
PLAIN=1 AT_TAKE='printf more >tree/.tmp && mv tree/.tmp tree/gé' \
	run env LD_PRELOAD="$tap/shim.so" "$tool" scan --undo log
is "... nor by --undo" "$status $(cd tree && grep -r . . | LC_ALL=C sort)" "1 ./gé:more"
rm -f log tree/*
printf old >$'tree/g\xe9'
PLAIN=1 AT_TAKE=$'rm tree/g*; mkdir tree/g\xe9' \
	run env LD_PRELOAD="$tap/shim.so" "$tool" scan --fix --log log --from latin1 tree
is "a directory in its place is not lost either, and told of" "$status $(grep -c "it is called $(cd tree && echo .utf8guard-*)\$" <<<"$out") $(find tree -type d | wc -l)" "1 1 2"
bad=()
midway=0
for ((n = 3; ; n++)); do
	again
	printf one >$'tree/f\xe9'
	printf two >$'tree/g\xe9'
	PLAIN=1 END_AT=$n SIGNAL=9 shim "$tool" scan --fix --log log --from latin1 tree >/dev/null 2>&1
	[ $? = 137 ] || break
	[ -n "$(find tree -name '.utf8guard-*')" ] && midway=$((midway + 1))
	PLAIN=1 END_AT=$((n / 2)) SIGNAL=9 shim "$tool" scan --undo log >/dev/null 2>&1
	PLAIN=1 shim "$tool" scan --undo log >/dev/null 2>&1
	[ "$(cat $'tree/f\xe9') $(cat $'tree/g\xe9')" = "one two" ] || bad+=("$n: $(ls -A tree)")
done 2>/dev/null
is "a crash at any time loses nothing" "${bad[*]} $midway" " 2"

# SMB: the client looks whether there is such a name, and tells the server to replace it.
smb=FS_TYPE=0xfe534d42
again
rm -f log
echo mine >$'tree/f\xe9'
echo mine >$'tree/g\xe9'
mkdir $'tree/d\xe9'
on $smb REPLACE=1 AT_SYNC='echo theirs >tree/gé' -- "${fix[@]}"
is "smb: what another client made meanwhile is not overwritten" "$(cat tree/gé $'tree/g\xe9' tree/fé)" $'theirs\nmine\nmine'
is "... directories are left" "$status $(sorted | sed "s|$tap/||")" '1 tree/d\xE9: left: this file system might overwrite another name
tree/f\xE9 -> fé
tree/g\xE9: left: its new name exists'
rm tree/gé
echo theirs >$'tree/f\xe9'
on $smb REPLACE=1 -- --undo log
is "... nor by --undo" "$status $(cat $'tree/f\xe9' tree/fé)" $'1 theirs\nmine'

# Hard links: each name is one of its own.
again
touch tree/a
ln tree/a $'tree/\xe9'
ln tree/a $'tree/\xe8'
ln tree/a tree/è
trees list tree >before
run "$tool" scan --fix --log log --from latin1 tree
is "hard links" "$status $(cd tree && find . | LC_ALL=C sort | tr '\n' ' ')" $'1 . ./a ./\xc3\xa8 ./\xc3\xa9 ./\xe8 '
run "$tool" scan --undo log
is "... and back" "$status $(trees list tree)" "0 $(cat before)"

# Deep, and each level is mended.
again
(cd tree && /usr/bin/python3 -c '
import os
for i in range(5000):
    name = b"\xe9" * 4 if i % 3 else "e\u0301".encode()
    os.mkdir(name)
    os.mkdir(name + b"+")
    os.chdir(name)')
trees list tree >before
run bash -c 'ulimit -n 30; "$0" scan -0 --fix --log log --from latin1 --form nfc tree' "$tool"
is "5000 levels" "$status$out$err" "0"
run "$tool" scan --form nfc tree
is "all of them" "$status$out" "0"
run bash -c 'ulimit -n 30; "$0" scan -0 --undo log' "$tool"
is "... and back" "$status$out$err" "0"
ok "... as before" cmp before <(trees list tree)
rm -rf tree

# The log.
again
touch $'tree/\xe9'
run "$tool" scan --fix --log /none/log --from latin1 tree
like "a log that cannot be made" "$status $err" "^2 utf8guard: /none/log: No such file or directory"
touch log
run "$tool" scan --fix --log log --from latin1 tree
like "one that is there" "$status $err" "^2 utf8guard: log: File exists"
run "$tool" scan --undo tree
is "what cannot be read" "$status $err" "2 utf8guard: tree: Is a directory"
run "$tool" scan --undo log
like "an empty one" "$status $err" "^1 utf8guard: log: has no end: if it was never finished, nothing was renamed"
is "nothing was renamed" "$("$tool" scan tree)" 'tree/\xE9:0: truncated: E9'
run "$tool" scan --undo none
like "none" "$status $err" "^2 utf8guard: none: No such file"
run "$tool" scan --undo "$tool"
like "something else" "$status $err" "^2 .*: damaged, or not a log of scan --fix"
rm log
"$tool" scan --fix --log log --from latin1 tree >/dev/null
said=
for less in 1 5 20 60 100; do
	head -c "-$less" log >short
	run "$tool" scan --undo short
	said+="$status "
done
is "cut off, wherever" "$said" "1 1 1 1 1 "
ok "... and nothing renamed" [ -e tree/é ]
damaged() { # NAME SED: a log that was made up
	sed "$2" log >bad
	run "$tool" scan --undo bad
	like "damaged: $1" "$status $err" "^2 utf8guard: bad: damaged, or not a log"
	ok "... and nothing renamed" [ -e tree/é ]
}
damaged "a name that leads away" 's|"rename":"[^"]*"|"rename":"../away"|'
damaged "a name in between that leads away" 's|"to":|"through":"../../outside",&|'
damaged "a directory elsewhere" '/"rename"/a {"in":"../other","inode":"1"}\n{"out":"../other","inode":"1"}'
damaged "dots" 's|"rename":"[^"]*"|"rename":".."|'
damaged "nothing" 's|"rename":"[^"]*"|"rename":""|'
damaged "NUL" 's|"rename":"[^"]*"|"rename":"a\\\\x00"|'
damaged "an escape that is none" 's|"rename":"[^"]*"|"rename":"a\\\\x0"|'
damaged "no place" '/"out"/d'
damaged "a place that is none" 's|"out":"[^"]*"|"out":"tree"|'
damaged "no JSON" 's|"to"|to|'
damaged "another version" 's|"version":1|"version":2|'

# Directories and file systems that cannot be written.
if [ "$(id -u)" = 0 ] && command -v setpriv >/dev/null; then
	user() { setpriv --reuid=65534 --regid=65534 --clear-groups "$@"; }
	chmod 755 . && mkdir mine && chown 65534 mine
else
	user() { "$@"; }
	mkdir mine
fi
again
mkdir -p tree/open tree/closed/in
touch $'tree/open/\xe9' $'tree/closed/\xe9' $'tree/closed/in/\xe9'
chmod 700 tree/closed/in
chmod 777 tree/open
chmod 555 tree/closed
[ "$(id -u)" = 0 ] || chmod 000 tree/closed/in
run user "$tool" scan --fix --log mine/log --from latin1 tree
is "no permission" "$status $out $err" "2 $tap/tree/open/\\xE9 -> é
$tap/tree/closed/\\xE9: left: Permission denied utf8guard: tree/closed/in: Permission denied"
chmod 711 tree
chmod 777 tree/closed/in
run user "$tool" scan tree tree/closed/in
is "what is below a directory that cannot be read is read by itself" "$status $out $err" \
	"2 tree/closed/in/\\xE9:0: truncated: E9 utf8guard: tree: Permission denied"
chmod -R u+rwx tree

# shellcheck disable=SC2016 # for the shell in there
small='mount -t tmpfs -o size=64k tmpfs small && cd small && touch $(printf "\\377")'
if unshare -rm true 2>/dev/null; then
	mkdir small
	rm -rf tree
	many
	trees list tree >before
	run unshare -rm bash -c "$small; \"\$0\" scan --fix --log log --from latin1 ../tree; ls" "$tool"
	is "a full disk below the log" "$out|$err" $'\xff|utf8guard: log: No space left on device
utf8guard: without a log nothing was renamed'
	is "... nothing was renamed" "$(trees list tree)" "$(cat before)"
	run unshare -rm bash -c "$small; mount -o remount,ro small . 2>/dev/null || mount -o remount,ro ../small
		\"\$0\" scan --fix --log ../ro --from latin1 ." "$tool"
	like "a file system that is read-only" "$status $out" '^1 .*/small/\\xFF: left: Read-only file system'
	rm -rf tree
else
	skip 3 "no mount namespace"
fi

# Other mounts are entered only by a log that was made with --mounts, or by --undo --mounts.
# shellcheck disable=SC2016 # for the shell in there
mounted='rm -rf m log; mkdir -p m/sub m/other; mount -t tmpfs tmpfs m/other || exit 9
	touch m/sub/$(printf "\351") m/other/$(printf "\350")
	said() { "$@" | LC_ALL=C sort | sed "s|^$PWD/||"; echo "${PIPESTATUS[0]}"; }
	fix() { "$0" scan --fix --log log --from latin1 "$@" m >/dev/null; }
	names() { find m -type f | LC_ALL=C sort; }'
if unshare -rm true 2>/dev/null; then
	# What was renamed has the same number and time of birth on the other mount.
	run unshare -rm bash -c "$mounted; fix; mount --bind m/sub m/sub; said \"\$0\" scan --undo log; names" "$tool"
	is "--undo does not enter what was mounted since" "$out|${err//"$tap/"/}" \
		$'1\nm/other/\xe8\nm/sub/é|utf8guard: m/sub: something is mounted there; its contents are left as they are'
	run unshare -rm bash -c "$mounted; fix; mount --bind m/sub m/sub
		said \"\$0\" scan --undo log --mounts; names" "$tool"
	is "... but with --mounts" "$out|$err" $'m/sub/é -> \\xE9\n0\nm/other/\xe8\nm/sub/\xe9|'
	run unshare -rm bash -c "$mounted; export LD_PRELOAD=$tap/shim.so AT_SYNC='mount --bind m/sub m/sub'
		fix; echo \$?; unset LD_PRELOAD; names" "$tool"
	is "nor does --fix, what was mounted while it looked" "$out|${err//"$tap/"/}" \
		$'1\nm/other/\xe8\nm/sub/\xe9|utf8guard: m/sub: something is mounted there; its contents are left as they are'
	run unshare -rm bash -c "$mounted; fix --mounts; names; said \"\$0\" scan --undo log; names" "$tool"
	is "--fix --mounts is undone, without that word" "$out|$err" \
		$'m/other/è\nm/sub/é\nm/other/è -> \\xE8\nm/sub/é -> \\xE9\n0\nm/other/\xe8\nm/sub/\xe9|'
	run unshare -rm bash -c "$mounted; fix --mounts; sed -i 's/,\"mounts\":true//' log
		said \"\$0\" scan --undo log; names" "$tool"
	is "a log in which nothing is said of it: mounts are left" "$out|${err//"$tap/"/}" \
		$'m/sub/é -> \\xE9\n1\nm/other/è\nm/sub/\xe9|utf8guard: m/other: something is mounted there; its contents are left as they are'
	run unshare -rm bash -c "$mounted; said \"\$0\" scan m m/other; said \"\$0\" scan --mounts m m/other; fix m/other; names" "$tool"
	is "what is mounted below another directory is read by itself, but with --mounts" "$out|$err" \
		$'m/other/\\xE8:0: truncated: E8\nm/sub/\\xE9:0: truncated: E9\n1\nm/other/\\xE8:0: truncated: E8\nm/sub/\\xE9:0: truncated: E9\n1\nm/other/è\nm/sub/é|'
else
	skip 6 "no mount namespace"
fi

# A log has a path without symbolic links: whoever puts one there leads nobody away. On an overlay, a
# directory is known by its name alone.
# shellcheck disable=SC2016 # for the shell in there
led='rm -rf d x log; mkdir -p d/low d/share d/up d/work d/over
	mount -t overlay overlay -o lowerdir=d/low,upperdir=d/up,workdir=d/work d/over || exit 9
	mkdir -p d/over/other/bin
	bin=$(printf "\357\275\202in")
	fix() { "$0" scan --fix --form nfkc --log log "$1"; echo $?; }
	undo() { "$0" scan --undo log; echo $?; }
	names() { (cd d && find over share x -name "*in" 2>/dev/null | LC_ALL=C sort); }'
if unshare -rm bash -c "$led" 2>/dev/null; then
	for with in openat2=there OPENAT2=38 OPENAT2=1; do
		export_it="export LD_PRELOAD=$tap/shim.so $with"
		run unshare -rm bash -c "$led; mkdir d/share/\$bin; fix d/share; mv d/share d/x; ln -s over/other d/share
			($export_it; undo); names" "$tool"
		is "a link to an overlay at the path of the log, $with" "${out//"$tap/"/}|${err//"$tap/"/}" "d/share/ｂin -> bin
0
1
over/other/bin
x/bin|utf8guard: d/share: another directory by now, or a symbolic link leads there; its contents are left as they are"
		run unshare -rm bash -c "$led; mkdir -p d/over/a/share/\$bin d/over/b/share/bin; fix d/over/a/share
			mv d/over/a d/over/x; ln -s b d/over/a; ($export_it; undo); names" "$tool"
		is "... above it, within one overlay" "${out//"$tap/"/}|${err//"$tap/"/}" "d/over/a/share/ｂin -> bin
0
1
over/b/share/bin
over/other/bin
over/x/share/bin|utf8guard: d/over/a/share: another directory by now, or a symbolic link leads there; its contents are left as they are"
		run unshare -rm bash -c "$led; mkdir d/share/\$bin; ($export_it; fix d/share; undo); names" "$tool"
		is "... and where nobody did that" "${out//"$tap/"/}|$err" "d/share/ｂin -> bin
0
d/share/bin -> ｂin
0
over/other/bin
share/ｂin|"
	done
	race="$led; mkdir d/share/\$bin d/over/\$bin
		export LD_PRELOAD=$tap/shim.so AT_READ='mv d/share d/x; ln -s over d/share'
		fix d/share; unset LD_PRELOAD; names"
	run unshare -rm bash -c "$race" "$tool"
	is "a link put there while --fix looks: the directory that was looked at is mended" "${out//"$tap/"/}|$err" "d/x/ｂin -> bin
0
over/other/bin
over/ｂin
x/bin|"
	run unshare -rm bash -c "mount -t tmpfs tmpfs /proc; $race" "$tool"
	is "... without /proc, none" "$out|$err" "2
over/other/bin
over/ｂin
x/ｂin|utf8guard: log: Stale file handle
utf8guard: without a log nothing was renamed"
else
	skip 11 "no overlay in a user namespace"
fi

# A server of FUSE that answers nothing is not waited for.
# shellcheck disable=SC2016 # for the shell in there
dead='exec 9<>/dev/fuse || exit 9
	serve() { mkdir -p "$1"; mount -i -t fuse -o fd=9,rootmode=40000,user_id=0,group_id=0 none "$1" || exit 9; }
	scan() { timeout -s KILL 5 "$0" scan "$@"; echo $?; }
	rm -rf f log; mkdir f; touch f/$(printf "\351")'
if unshare -rm bash -c "$dead; serve f" 2>/dev/null; then
	run unshare -rm bash -c "$dead; serve f/é; scan --fix --dry-run --from latin1 f" "$tool"
	is "one at a new name" "$out|$err" $'f/\\xE9:0: truncated: E9: left: its new name exists\n1|'
	run unshare -rm bash -c "$dead; scan --fix --log log --from latin1 f; rm f/é; serve f/é; scan --undo log" "$tool"
	is "... and where --undo looks for what it renames" "${out//"$tap/"/}|$err" \
		$'f/\\xE9 -> é\n0\nf/é: left: something is mounted there\n1|'
	run unshare -rm bash -c "$dead; scan --fix --log log --from latin1 f; rm f/é; serve f/\$(printf '\\351'); scan --undo log" "$tool"
	is "... or would put it" "${out//"$tap/"/}|$err" \
		$'f/\\xE9 -> é\n0\nf/é: left: gone, or another file by now\n1|'
else
	skip 3 "no FUSE in a user namespace"
fi

# Words that do not go together.
again
wrong() { # NAME EXPECTED WORD...
	run "$tool" scan "${@:3}"
	like "$1" "$status $err" "^2 utf8guard: $2"
}
wrong "no log" "scan: --fix takes a --log, .* or --dry-run" --fix --from latin1 tree
wrong "nothing to mend by" "scan: --fix needs --from" --fix --log log tree
wrong "no --fix" "scan: --from, .* mean nothing without --fix" --from latin1 tree
wrong "a dry log" "scan: --dry-run writes no log" --fix --dry-run --log log --form nfc tree
wrong "a charset" "what: unknown character set" --fix --dry-run --from what tree
wrong "--undo and a directory" "scan: --undo takes a log" --undo log tree
wrong "--undo and --form" "scan: --undo takes a log" --undo log --form nfc
wrong "no directory" "scan: a word is missing" --fix --dry-run --form nfc
not_ok "none of them makes a log" [ -e log ]
done_testing
