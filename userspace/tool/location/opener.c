// SPDX-License-Identifier: GPL-2.0
/*
 * Opens paths for the kernel, which is handed the descriptor. A path may lead to a server that
 * does not answer; a process that waits for it cannot even be killed. So a child opens the path,
 * and is given up where that takes too long.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "mounts.h"
#include "opener.h"

#define PATIENCE_MS 5000

/* What comes back, with the descriptor unless there is an error. */
struct answer {
	int error;
	char path[PATH_MAX];
	char below[PATH_MAX];
};

static int channel = -1;
static pid_t child;

/* Cuts the last name off @path and returns it; NULL where only the root is left. */
static char *cut(char *path)
{
	size_t length = strlen(path);
	char *slash;

	while (length > 1 && path[length - 1] == '/')
		path[--length] = '\0';
	slash = strrchr(path, '/');
	if (!slash || !slash[1])
		return NULL;
	*slash = '\0';
	return slash + 1;
}

static bool is_dots(const char *name)
{
	return !strcmp(name, ".") || !strcmp(name, "..");
}

/* Moves names from the end of @path to the front of @answer->below until the rest is there. */
static int find(char *path, struct answer *answer)
{
	char below[PATH_MAX], *name;

	while (!realpath(*path ? path : "/", answer->path)) {
		if (errno != ENOENT)
			return errno;
		name = cut(path);
		if (!name || is_dots(name))
			return ENOENT;
		strcpy(below, answer->below);
		strcpy(answer->below, name);
		if (*below && strlen(name) + strlen(below) + 2 < PATH_MAX) {
			strcat(answer->below, "/");
			strcat(answer->below, below);
		}
	}
	return 0;
}

static void send_answer(int to, struct answer *answer, int fd)
{
	struct iovec data = { answer, sizeof(*answer) };
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control = { .header = {
		.cmsg_len = CMSG_LEN(sizeof(int)),
		.cmsg_level = SOL_SOCKET,
		.cmsg_type = SCM_RIGHTS,
	} };
	struct msghdr message = { .msg_iov = &data, .msg_iovlen = 1 };

	if (fd >= 0) {
		memcpy(CMSG_DATA(&control.header), &fd, sizeof(fd));
		message.msg_control = &control;
		message.msg_controllen = sizeof(control.room);
	}
	if (sendmsg(to, &message, MSG_NOSIGNAL) < 0)
		_exit(1);
}

/* realpath() has followed all links. One that is there now was put there since: not followed. */
static int open_real(const char *path)
{
	struct open_how how = { .flags = O_PATH | O_CLOEXEC, .resolve = RESOLVE_NO_SYMLINKS };

	return (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
}

/*
 * Does @path lead elsewhere than to @fd, the file at its real path? A link in /proc, such as the root
 * of a process, leads to what is in another mount namespace, while its text is "/".
 */
static bool is_elsewhere(const char *path, int fd)
{
	int direct = open(*path ? path : "/", O_PATH | O_CLOEXEC);
	struct stat meant, found;
	bool elsewhere = direct >= 0 && !fstat(direct, &meant) && !fstat(fd, &found) &&
			 (meant.st_dev != found.st_dev || meant.st_ino != found.st_ino);

	if (direct >= 0)
		close(direct);
	return elsewhere;
}

/*
 * A child that waits for a dead server keeps nothing else: no pipe that somebody reads to its
 * end, and no directory of another file system, which could not be unmounted.
 */
static int keep_only(int fd)
{
	if (dup2(fd, STDIN_FILENO) < 0 || close_range(STDIN_FILENO + 1, ~0U, 0) || chdir("/"))
		_exit(1);
	return STDIN_FILENO;
}

static void serve(int from)
{
	static struct answer answer;
	static char path[PATH_MAX];
	ssize_t got;

	while ((got = recv(from, path, sizeof(path) - 1, 0)) > 0) {
		int fd = -1;

		path[got] = '\0';
		answer = (struct answer){ 0 };
		answer.error = find(path, &answer);
		if (!answer.error) {
			fd = open_real(answer.path);
			answer.error = fd < 0 ? errno : 0;
		}
		if (fd >= 0 && is_elsewhere(path, fd)) {
			answer.error = EXDEV;
			close(fd);
			fd = -1;
		}
		send_answer(from, &answer, fd);
		if (fd >= 0)
			close(fd);
	}
	_exit(0);
}

/* A policy holds a descriptor for each path of its rules. */
static void raise_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return;
	if (limit.rlim_max < 1 << 17)
		limit.rlim_max = 1 << 17;
	limit.rlim_cur = limit.rlim_max;
	if (!setrlimit(RLIMIT_NOFILE, &limit) || getrlimit(RLIMIT_NOFILE, &limit))
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int start(void)
{
	int ends[2];

	raise_limit();
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return errno;
	child = fork();
	if (child < 0)
		return errno;
	if (!child)
		serve(keep_only(ends[1]));
	close(ends[1]);
	channel = ends[0];
	return 0;
}

/* Gives the child up. It may not die before the dead server answers, so it is not waited for. */
static int give_up(int error)
{
	close(channel);
	channel = -1;
	kill(child, SIGKILL);
	return error;
}

static int receive(struct answer *answer, int *fd)
{
	struct iovec data = { answer, sizeof(*answer) };
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *header;

	if (recvmsg(channel, &message, MSG_CMSG_CLOEXEC) != sizeof(*answer))
		return EIO;
	if (answer->error)
		return answer->error;
	header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_type != SCM_RIGHTS)
		return EMFILE;
	memcpy(fd, CMSG_DATA(header), sizeof(*fd));
	return 0;
}

/* Mount points whose servers have not answered. No path on them is tried again. */
static char **dead;
static size_t dead_count;

static bool is_dead(const char *point)
{
	size_t i;

	for (i = 0; i < dead_count; i++)
		if (!strcmp(dead[i], point))
			return true;
	return false;
}

/* Not for the root, which does answer: then a symbolic link leads to the dead server. */
static void remember_dead(const char *path)
{
	char *point = mounts_nearest(path);
	char **more;

	if (!point || !strcmp(point, "/")) {
		free(point);
		return;
	}
	more = realloc(dead, (dead_count + 1) * sizeof(*dead));
	if (!more) {
		free(point);
		return;
	}
	dead = more;
	dead[dead_count++] = point;
}

static bool is_on_dead(const char *path)
{
	char *point = dead_count ? mounts_nearest(path) : NULL;
	bool found = point && is_dead(point);

	free(point);
	return found;
}

static int ask(const char *path, struct answer *answer, int *fd)
{
	struct pollfd poll_for = { .events = POLLIN };
	int error;

	if (send(channel, path, strlen(path), MSG_NOSIGNAL) < 0)
		return give_up(errno);
	poll_for.fd = channel;
	if (poll(&poll_for, 1, PATIENCE_MS) != 1) {
		remember_dead(path);
		return give_up(ETIMEDOUT);
	}
	error = receive(answer, fd);
	return error == EIO ? give_up(EIO) : error;
}

static int absolute(const char *word, char *path)
{
	size_t length = 0;

	if (*word != '/') {
		if (!getcwd(path, PATH_MAX))
			return errno;
		length = strlen(path);
		path[length++] = '/';
	}
	if (length + strlen(word) >= PATH_MAX)
		return ENAMETOOLONG;
	strcpy(path + length, word);
	return *word ? 0 : ENOENT;
}

/**
 * opener_open() - open a path for the kernel
 * @path: the path; the end of it need not be there
 * @opened: filled in
 *
 * Return: 0; ETIMEDOUT where there was no answer within five seconds, now or for another
 * path on the same mount; EXDEV where the path leads into another mount namespace; or another
 * errno.
 */
int opener_open(const char *path, struct opened *opened)
{
	static struct answer answer;
	static char whole[PATH_MAX];
	int error = absolute(path, whole);

	if (error)
		return error;
	if (is_on_dead(whole))
		return ETIMEDOUT;
	error = channel < 0 ? start() : 0;
	if (!error)
		error = ask(whole, &answer, &opened->fd);
	if (error)
		return error;
	strcpy(opened->path, answer.path);
	strcpy(opened->below, answer.below);
	return 0;
}
