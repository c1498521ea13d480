// SPDX-License-Identifier: GPL-2.0
/*
 * A file that is written anew. What is printed goes to another file beside it, which takes its
 * name once it is whole and on the disk. If the disk is full or the host stops, the old file stays.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <linux/limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "memory.h"
#include "output.h"
#include "replacement.h"

static bool complain_of(const char *path, int error)
{
	complain_word(path, "%s", strerror(error));
	return false;
}

/* Does the kernel follow the links of @path? It follows none of others in a sticky directory. */
static bool may_follow(const char *path)
{
	int fd = open(path, O_PATH | O_CLOEXEC);

	if (fd < 0)
		return errno != EACCES;
	close(fd);
	return true;
}

/* The file that a symbolic link leads to is replaced, not the link; so it must be there. */
static char *resolve(const char *path)
{
	char *real = may_follow(path) ? realpath(path, NULL) : NULL;
	struct stat link;

	if (real || errno != ENOENT || !lstat(path, &link))
		return real;
	return no_null(strdup(path));
}

/* May somebody else have put the file there, in a sticky directory such as /tmp? */
static bool is_planted(const char *path, const struct stat *old)
{
	char *copy = no_null(strdup(path));
	struct stat directory;
	bool sticky = stat(dirname(copy), &directory) || directory.st_mode & S_ISVTX;

	free(copy);
	return sticky && old->st_uid != geteuid();
}

static int copy_attribute(int fd, const char *path, const char *name)
{
	static char value[XATTR_SIZE_MAX];
	ssize_t size = getxattr(path, name, value, sizeof(value));

	return size < 0 ? -1 : fsetxattr(fd, name, value, (size_t)size, 0);
}

/*
 * A list of access that the old file has, or none, although its directory may have given one to
 * the new file. Return: false if the new file cannot have the list.
 */
static bool copy_list(int fd, const char *path)
{
	static const char list[] = "system.posix_acl_access";

	if (!copy_attribute(fd, path, list))
		return true;
	if (errno == ENODATA)
		return !fremovexattr(fd, list) || errno == ENODATA || errno == EOPNOTSUPP;
	return errno == EOPNOTSUPP;
}

/*
 * As the old file, unless somebody else may have made that; a new one as the shell would make it.
 * Where the list of access is lost, so are the bits of the group: they were the mask of the list.
 */
static int set_mode(int fd, const char *path)
{
	mode_t mask = umask(0);
	struct stat old;

	umask(mask);
	if (stat(path, &old))
		return errno == ENOENT ? fchmod(fd, 0666 & ~mask) : -1;
	if (!S_ISREG(old.st_mode)) {
		errno = EINVAL;
		return -1;
	}
	if (is_planted(path, &old))
		return fchmod(fd, 0666 & ~mask);
	/* Where the label of SELinux may not be given, that which the kernel has given stays. */
	copy_attribute(fd, path, "security.selinux");
	/* Whoever may not give the file away, or not to an owner who is not mapped, has it alone. */
	if (fchown(fd, old.st_uid, old.st_gid))
		return errno == EPERM || errno == EINVAL ? 0 : -1;
	return copy_list(fd, path) ? fchmod(fd, old.st_mode & 07777) : 0;
}

/*
 * Signals that ask for an end have to wait: the temporary file would be left. A file that may
 * not be that long, and a complaint that nobody reads, are errors of writing.
 */
static void hold_signals(struct replacement *replacement)
{
	const struct sigaction ignore = { .sa_handler = SIG_IGN };
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigaddset(&signals, SIGQUIT);
	sigprocmask(SIG_BLOCK, &signals, &replacement->signals);
	sigaction(SIGPIPE, &ignore, &replacement->pipe);
	sigaction(SIGXFSZ, &ignore, &replacement->too_long);
}

/* A signal that has waited ends the program here. */
static void forget(struct replacement *replacement)
{
	free(replacement->path);
	free(replacement->temporary);
	sigaction(SIGPIPE, &replacement->pipe, NULL);
	sigaction(SIGXFSZ, &replacement->too_long, NULL);
	sigprocmask(SIG_SETMASK, &replacement->signals, NULL);
}

static bool give_up(struct replacement *replacement, int error)
{
	complain_of(replacement->path, error);
	unlink(replacement->temporary);
	forget(replacement);
	return false;
}

/**
 * replacement_begin() - begin to write a file anew; standard output is that file from now on
 * @replacement: the file, for replacement_end()
 * @path: its path; it need not exist
 *
 * Until replacement_end(), SIGINT, SIGTERM, SIGHUP and SIGQUIT wait, and SIGPIPE and SIGXFSZ are
 * ignored.
 *
 * Return: false after a complaint.
 */
bool replacement_begin(struct replacement *replacement, const char *path)
{
	int fd, error = 0;

	replacement->path = resolve(path);
	if (!replacement->path)
		return complain_of(path, errno);
	if (asprintf(&replacement->temporary, "%s.XXXXXX", replacement->path) < 0)
		replacement->temporary = no_null(NULL);
	hold_signals(replacement);
	fd = mkostemp(replacement->temporary, O_CLOEXEC);
	if (fd < 0) {
		complain_of(replacement->temporary, errno);
		forget(replacement);
		return false;
	}
	if (set_mode(fd, replacement->path) || fflush(stdout) || dup2(fd, STDOUT_FILENO) < 0)
		error = errno;
	close(fd);
	return error ? give_up(replacement, error) : true;
}

/* So that the name is on the disk, too. Not every file system has that. */
static void sync_directory(char *path)
{
	int fd = open(dirname(path), O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return;
	fsync(fd);
	close(fd);
}

/**
 * replacement_end() - all was printed: put it in the place of the file
 * @replacement: as replacement_begin() has set it
 *
 * Return: false after a complaint; the old file is as it was.
 */
bool replacement_end(struct replacement *replacement)
{
	/* For a write that failed earlier, whose reason is not known any more. */
	errno = EIO;
	if (fflush(stdout) || ferror(stdout) || fsync(STDOUT_FILENO) ||
	    rename(replacement->temporary, replacement->path)) {
		int error = errno;

		/* What is left in the buffer must not fail once more. */
		__fpurge(stdout);
		clearerr(stdout);
		return give_up(replacement, error);
	}
	sync_directory(replacement->temporary);
	forget(replacement);
	return true;
}
