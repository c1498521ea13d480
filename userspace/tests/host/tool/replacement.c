// SPDX-License-Identifier: GPL-2.0
/*
 * A file that is written anew, while signals ask the program to end: the file is the old one or
 * the new one, and nothing is left beside it. So that this holds after a crash, too, the new one
 * is on the disk before it takes the name.
 *
 * promise administrator by mistake: a crash, and a disk that fails, leave the old file or the new
 *   one, whole
 * shown by: what was printed is on the disk, then it takes the name, then that is on the disk
 * shown by: the disk fails: it is said
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/posix_acl.h>
#include <linux/posix_acl_xattr.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "../../../tool/output/replacement.h"
#include "../../tap.h"

#define LIST "system.posix_acl_access"
#define DEFAULT_LIST "system.posix_acl_default"

/* An access control list as an attribute of a file. */
struct list {
	struct posix_acl_xattr_header header;
	struct posix_acl_xattr_entry entries[5];
};

/* What was called, in the order of it, by whatever process; its first letter. */
static char *calls;
/* The first letter of the calls that fail; 0: none. */
static char failing;

static int record(const char *call)
{
	strcat(calls, call);
	errno = EIO;
	return *call == failing ? -1 : 0;
}

static bool is_here(const struct stat *status)
{
	struct stat here;

	return !stat(".", &here) && here.st_ino == status->st_ino && here.st_dev == status->st_dev;
}

/* These two stand in the place of those of the C library. */
int fsync(int fd)
{
	char call[64] = "";
	struct stat status;

	if (fstat(fd, &status))
		return -1;
	if (is_here(&status))
		snprintf(call, sizeof(call), "directory ");
	else
		snprintf(call, sizeof(call), "sync %lld ", (long long)status.st_size);
	return record(call) ? -1 : (int)syscall(SYS_fsync, fd);
}

int rename(const char *from, const char *to)
{
	return record("rename ") ? -1 : renameat(AT_FDCWD, from, AT_FDCWD, to);
}

static unsigned int files(void)
{
	unsigned int count = 0;
	DIR *directory = opendir(".");

	while (readdir(directory))
		count++;
	closedir(directory);
	return count - 2;	/* . and .. */
}

static bool holds(const char *wanted)
{
	char text[64] = "";
	FILE *file = fopen("file", "r");
	size_t length = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	if (file)
		fclose(file);
	return length == strlen(wanted) && !memcmp(text, wanted, length);
}

static void write_old(void)
{
	FILE *file = fopen("file", "w");

	fputs("old\n", file);
	fclose(file);
}

/*
 * The signal @number comes when all is printed, and nothing written; with @full, no file may be
 * longer than it is. Return: what wait() says.
 */
static int replace(int number, bool full)
{
	const struct rlimit none = { 0, 0 };
	struct replacement replacement;
	int status = 0;
	pid_t pid;

	fflush(stdout);
	pid = fork();
	if (!pid) {
		bool good;

		setrlimit(RLIMIT_CORE, &none);
		if (full) {
			setrlimit(RLIMIT_FSIZE, &none);
			if (!freopen("/dev/null", "w", stderr))
				_exit(9);
		}
		if (!replacement_begin(&replacement, "file"))
			_exit(2);
		printf("new\n");
		if (number)
			raise(number);
		good = replacement_end(&replacement);
		_exit(good ? 0 : 2);
	}
	waitpid(pid, &status, 0);
	return status;
}

/* Whoever opens a FIFO to read it waits until somebody writes. */
static void fifo(void)
{
	struct replacement replacement;
	int status = 0;
	pid_t pid;

	fflush(stdout);
	mkfifo("fifo", 0600);
	pid = fork();
	if (!pid) {
		alarm(20);
		_exit(replacement_begin(&replacement, "fifo") ? 0 : 2);
	}
	waitpid(pid, &status, 0);
	unlink("fifo");
	tap_ok(WIFEXITED(status) && WEXITSTATUS(status) == 2 && files() == 1,
	       "a FIFO is not replaced, and not waited for");
}

/* Nobody reads a complaint that comes meanwhile. */
static void unheard(void)
{
	struct replacement replacement;
	int ends[2], status = 0;
	pid_t pid;

	write_old();
	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (pipe(ends) || dup2(ends[1], STDERR_FILENO) < 0 || close(ends[0]) ||
		    !replacement_begin(&replacement, "file"))
			_exit(2);
		fprintf(stderr, "warning\n");
		printf("new\n");
		_exit(replacement_end(&replacement) ? 0 : 2);
	}
	waitpid(pid, &status, 0);
	tap_ok(WIFEXITED(status) && !WEXITSTATUS(status), "complaints that nobody reads end nothing");
	tap_ok(holds("new\n") && files() == 1, "... and the file is replaced");
}

/* The first line of what the child says of a call of this letter that fails; see replace(). */
static const char *said(char letter, int *status)
{
	static char text[128];
	int ends[2], kept = dup(STDERR_FILENO);
	ssize_t length = -1;

	failing = letter;
	if (kept >= 0 && !pipe(ends)) {
		dup2(ends[1], STDERR_FILENO);
		close(ends[1]);
		*status = replace(0, false);
		dup2(kept, STDERR_FILENO);
		length = read(ends[0], text, sizeof(text) - 1);
		close(ends[0]);
	}
	close(kept);
	failing = 0;
	text[length > 0 ? length : 0] = '\0';
	return text;
}

/* The file is the old one until the new one is on the disk, whole. */
static void on_disk(void)
{
	static const char order[] = "sync 4 rename directory ";
	const char *text;
	int status = 0;

	write_old();
	*calls = '\0';
	replace(0, false);
	tap_ok(!strcmp(calls, order) && holds("new\n"),
	       "what was printed is on the disk, then it takes the name, then that is on the disk: %s",
	       calls);
	write_old();
	*calls = '\0';
	text = said('s', &status);
	tap_ok(WEXITSTATUS(status) == 2 && strstr(text, "/file: Input/output error\n"),
	       "the disk fails: it is said");
	tap_ok(!strcmp(calls, "sync 4 ") && holds("old\n") && files() == 1,
	       "... the old file stays, and no other");
	text = said('r', &status);
	tap_ok(WEXITSTATUS(status) == 2 && strstr(text, "/file: Input/output error\n"),
	       "it cannot take the name: it is said");
	tap_ok(holds("old\n") && files() == 1, "... the old file stays, and no other");
	text = said('d', &status);
	tap_ok(!status && !*text && holds("new\n") && files() == 1,
	       "a file system that has no fsync() of directories: it is replaced");
}

/* The permission of a user who is in the list of the file, and is not its owner; -1: no list. */
static int listed(void)
{
	struct list list;

	if (getxattr("file", LIST, &list, sizeof(list)) != sizeof(list))
		return -1;
	return list.entries[1].e_perm & list.entries[3].e_perm;
}

static mode_t mode(void)
{
	struct stat status;

	return stat("file", &status) ? 0 : status.st_mode & 07777;
}

/* The bits of the group are those of the mask, if there is a list: the group has none here. */
static void with_list(void)
{
	const struct list list = {
		.header.a_version = POSIX_ACL_XATTR_VERSION,
		.entries = { { ACL_USER_OBJ, 6, -1 }, { ACL_USER, 4, 12345 }, { ACL_GROUP_OBJ, 0, -1 },
			     { ACL_MASK, 4, -1 }, { ACL_OTHER, 0, -1 } },
	};

	write_old();
	if (setxattr("file", LIST, &list, sizeof(list), 0)) {
		tap_ok(true, "its list # SKIP no access control lists here");
		tap_ok(true, "no list # SKIP no access control lists here");
		return;
	}
	replace(0, false);
	tap_ok(holds("new\n") && listed() == 4 && mode() == 0640, "the access control list is kept");
	unlink("file");
	if (mkdir("default", 0700) || setxattr("default", DEFAULT_LIST, &list, sizeof(list), 0) ||
	    chdir("default"))
		return;
	write_old();
	removexattr("file", LIST);
	chmod("file", 0640);
	replace(0, false);
	tap_ok(holds("new\n") && listed() < 0 && mode() == 0640,
	       "a file that has none gets none from its directory");
	if (chdir(".."))
		return;
}

static bool write_map(const char *path, const char *text)
{
	FILE *file = fopen(path, "w");

	return file && fputs(text, file) >= 0 && !fclose(file);
}

/* Its owner is nobody whom the user namespace knows. */
static void unmapped(void)
{
	int status = 0;
	pid_t pid;

	write_old();
	if (geteuid() || chown("file", 12345, 12345)) {
		tap_ok(true, "an owner who is not mapped # SKIP only root can give files away");
		return;
	}
	fflush(stdout);
	pid = fork();
	if (!pid) {
		if (unshare(CLONE_NEWUSER) || !write_map("/proc/self/setgroups", "deny") ||
		    !write_map("/proc/self/uid_map", "0 0 1") ||
		    !write_map("/proc/self/gid_map", "0 0 1"))
			_exit(99);
		_exit(WEXITSTATUS(replace(0, false)));
	}
	waitpid(pid, &status, 0);
	if (WEXITSTATUS(status) == 99)
		tap_ok(true, "an owner who is not mapped # SKIP no user namespaces here");
	else
		tap_ok(!status && holds("new\n") && mode() == 0600,
		       "a file whose owner is not mapped becomes one's own");
	unlink("file");
}

/* Does the kernel refuse to follow links of others in a sticky directory? Debian sets it so. */
static bool kernel_refuses(void)
{
	FILE *file = fopen("/proc/sys/fs/protected_symlinks", "r");
	int answer = file ? fgetc(file) : '0';

	if (file)
		fclose(file);
	return answer == '1';
}

/* In a directory such as /tmp: a link and a file that another user has put there. */
static void planted(void)
{
	struct stat status;
	int status_of;

	if (geteuid()) {
		tap_ok(true, "planted by another user # SKIP only root can plant for another");
		return;
	}
	mkdir("sticky", 0700);
	if (chmod("sticky", 01777) || chdir("sticky"))
		return;
	write_old();
	if (chown("file", 65534, 65534) || chmod("file", 0666))
		return;
	replace(0, false);
	tap_ok(!stat("file", &status) && !status.st_uid && !(status.st_mode & 022) &&
	       holds("new\n"), "the file of another user does not stay his");
	unlink("file");
	if (chdir(".."))
		return;
	write_old();
	if (chdir("sticky") || symlink("../file", "file") || lchown("file", 65534, 65534))
		return;
	status_of = kernel_refuses() ? replace(0, false) : -1;
	if (chdir(".."))
		return;
	if (status_of >= 0)
		tap_ok(WEXITSTATUS(status_of) == 2 && holds("old\n"),
		       "the link of another user is not followed");
	else
		tap_ok(true, "the link of another user # SKIP fs.protected_symlinks is off");
}

int main(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	char path[] = "/tmp/replacement.XXXXXX", remove[64];
	unsigned int i;
	int status;

	calls = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (calls == MAP_FAILED || !mkdtemp(path) || chdir(path))
		return 1;
	write_old();
	status = replace(0, false);
	tap_ok(WIFEXITED(status) && !WEXITSTATUS(status) && holds("new\n"), "it is replaced");
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const char *name = strsignal(numbers[i]);

		write_old();
		status = replace(numbers[i], false);
		tap_ok(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i],
		       "%s ends the program", name);
		tap_ok(holds("new\n"), "%s: which has replaced the file before", name);
		tap_ok(files() == 1, "%s: and leaves nothing beside it", name);
		write_old();
		status = replace(numbers[i], true);
		tap_ok(WIFSIGNALED(status) && WTERMSIG(status) == numbers[i],
		       "%s, and the disk is full: it ends, too", name);
		tap_ok(holds("old\n") && files() == 1, "%s: the old file stays, and no other", name);
	}
	fifo();
	unheard();
	on_disk();
	with_list();
	unmapped();
	planted();
	snprintf(remove, sizeof(remove), "rm -rf %s", path);
	if (system(remove))
		return 1;
	return tap_done();
}
