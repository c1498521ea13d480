// SPDX-License-Identifier: GPL-2.0
/* Network namespaces, as users name them. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "netns.h"
#include "output/output.h"
#include "output/text.h"
#include "words/words.h"

/* Where ip-netns(8) keeps those that have a name. */
#define NAMED "/run/netns/"

/* As the user named it, or NULL where none was named. */
static const char *taken;

static const char *reason_of(int error)
{
	switch (error) {
	case ENOENT:
		return "there is no such network namespace; see: ip netns";
	case EINVAL:
		return "not a network namespace";
	case EPERM:
		return "entering a network namespace needs CAP_SYS_ADMIN";
	default:
		return strerror(error);
	}
}

/* Return: 0 or errno, positive. */
static int enter(const char *word)
{
	char *path = NULL;
	int fd, error = 0;

	if (asprintf(&path, "%s%s", strchr(word, '/') ? "" : NAMED, word) < 0)
		no_null(NULL);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	free(path);
	if (fd < 0)
		return errno;
	if (setns(fd, CLONE_NEWNET))
		error = errno;
	close(fd);
	return error;
}

/**
 * netns_take() - go on in another network namespace
 * @value: its name, as ip-netns(8) gives it, or the path of a file as /proc/PID/ns/net
 *
 * Return: false after a complaint.
 */
bool netns_take(struct words *value)
{
	const char *word = words_take(value, "the name of a network namespace, or its file");
	int error;

	if (!word)
		return false;
	error = *word ? enter(word) : ENOENT;
	if (error)
		complain_word(word, "%s", reason_of(error));
	taken = word;
	return !error;
}

/**
 * netns_option() - the option for commands that the user is told to run
 *
 * Return: " -N NETNS", as a word of a shell, where netns_take() went to another namespace; else "".
 */
const char *netns_option(void)
{
	static char *option;
	char *escaped, *quoted;

	if (!taken || option)
		return option ? option : "";
	escaped = text_escape(taken, strlen(taken));
	quoted = text_quote(escaped);
	if (asprintf(&option, " -N %s", quoted) < 0)
		no_null(NULL);
	free(quoted);
	free(escaped);
	return option;
}
