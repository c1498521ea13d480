// SPDX-License-Identifier: GPL-2.0
/*
 * Opens paths for the kernel, which is handed the descriptor. A path may lead to a server that
 * does not answer, so a child opens it.
 */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "mounts.h"
#include "opener.h"
#include "output/memory.h"
#include "process/child.h"
#include "resolver.h"
#include "turn.h"

#define PATIENCE_MS 5000

/**
 * struct question - a path to be opened
 * @any_link: follow symbolic links of everybody, and open the path itself, not its mount
 * @path: the path, from the root; only as much as it needs is sent
 */
struct question {
	bool any_link;
	char path[PATH_MAX];
};

/* What comes back, with the descriptor unless there is an error. */
struct answer {
	int error;
	struct opened opened;
};

static struct child child = { .channel = -1 };

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

static void serve(int from)
{
	static struct question question;
	static struct answer answer;
	struct opened *opened = &answer.opened;

	while (recv(from, &question, sizeof(question), 0) > 0) {
		turn_begin(question.path);
		answer.error = resolver_resolve(question.path, question.any_link, opened);
		turn_end();
		send_answer(from, &answer, opened->fd);
		if (opened->fd >= 0)
			close(opened->fd);
	}
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
	raise_limit();
	/* The one before may still wait: then it is left alone, and another one is asked. */
	child_has_ended(&child);
	return child_start(&child, serve);
}

static int give_up(int error)
{
	child_give_up(&child);
	return error;
}

static int receive(struct opened *opened)
{
	static struct answer answer;
	struct iovec data = { &answer, sizeof(answer) };
	union {
		struct cmsghdr header;
		char room[CMSG_SPACE(sizeof(int))];
	} control;
	struct msghdr message = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = &control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *header;

	if (recvmsg(child.channel, &message, MSG_CMSG_CLOEXEC) != sizeof(answer))
		return EIO;
	*opened = answer.opened;
	if (answer.error)
		return answer.error;
	header = CMSG_FIRSTHDR(&message);
	if (!header || header->cmsg_type != SCM_RIGHTS)
		return EMFILE;
	memcpy(&opened->fd, CMSG_DATA(header), sizeof(opened->fd));
	return 0;
}

/*
 * Mount points whose servers have not answered, of which no path is tried again; and single paths
 * that took too long elsewhere, because of a link to such a server, for example.
 */
static char **dead;
static size_t dead_count;

static bool is_dead(const char *path)
{
	size_t i;

	for (i = 0; i < dead_count; i++)
		if (!strcmp(dead[i], path))
			return true;
	return false;
}

/* The root, of all mounts, does answer: else nobody would ask. */
static void remember_dead(const char *path)
{
	char *point = mounts_served(path);

	if (!point || !strcmp(point, "/")) {
		free(point);
		point = no_null(strdup(path));
	}
	dead = no_null(realloc(dead, (dead_count + 1) * sizeof(*dead)));
	dead[dead_count++] = point;
}

static bool is_on_dead(const char *path)
{
	char *point = dead_count ? mounts_nearest(path) : NULL;
	bool found = is_dead(path) || (point && is_dead(point));

	free(point);
	return found;
}

static int ask(const struct question *question, struct opened *opened)
{
	size_t size = offsetof(struct question, path) + strlen(question->path) + 1;
	int error;

	if (send(child.channel, question, size, MSG_NOSIGNAL) < 0)
		return give_up(errno);
	if (!child_answers(&child, PATIENCE_MS)) {
		remember_dead(question->path);
		return give_up(ETIMEDOUT);
	}
	error = receive(opened);
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

static int open_by(const char *path, bool any_link, struct opened *opened)
{
	static struct question question;
	int error = absolute(path, question.path);

	if (error)
		return error;
	if (is_on_dead(question.path))
		return ETIMEDOUT;
	question.any_link = any_link;
	error = child.channel < 0 ? start() : 0;
	return error ? error : ask(&question, opened);
}

/**
 * opener_open() - open the mount that the path of a rule is on, which the kernel is handed
 * @path: the path; the end of it need not be there
 * @opened: filled in
 *
 * Return: 0; ETIMEDOUT where there was no answer within five seconds, now or for another
 * path on the same mount; ENOLINK for a symbolic link that others than root may have put there,
 * whose path @opened->path is then; EXDEV where the path leads into another mount namespace; or
 * another errno.
 */
int opener_open(const char *path, struct opened *opened)
{
	return open_by(path, false, opened);
}

/*
 * As opener_open(), for a question about a path, which is opened itself: nothing is lost if others
 * lead it elsewhere.
 */
int opener_open_by_any_link(const char *path, struct opened *opened)
{
	return open_by(path, true, opened);
}
