// SPDX-License-Identifier: GPL-2.0
/*
 * Command lines of processes. Who reads one waits for the lock of the memory of that process, and
 * the process can hold that as long as it likes: it unmaps a file of its own FUSE server, which
 * answers nothing. So a child reads it; and all waiting is limited, because many slow answers
 * would do as much harm as none.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "child.h"
#include "command_line.h"
#include "netlink/watch.h"
#include "output/text.h"

/* How long to wait for one, and for all that are asked for within a period. */
#define PATIENCE_MS 200
#define BUDGET_MS 1000
#define PERIOD_MS 10000

const char *command_line_proc = "/proc";

static struct child child = { .channel = -1 };
static long long budget;
static u64 period_end;

/* The octets of it, as far as there is room for them. */
static size_t read_process(u64 pid, char *text, size_t room)
{
	char path[64];
	ssize_t size;
	int fd;

	snprintf(path, sizeof(path), "%s/%llu/cmdline", command_line_proc, (unsigned long long)pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	size = fd < 0 ? 0 : read(fd, text, room);
	if (fd >= 0)
		close(fd);
	return size < 0 ? 0 : (size_t)size;
}

/* One octet comes first: a message without any would be the end. */
static void serve(int from)
{
	char text[256] = "=";
	u64 pid;

	while (recv(from, &pid, sizeof(pid), 0) == sizeof(pid)) {
		size_t size = read_process(pid, text + 1, sizeof(text) - 1);

		if (send(from, text, size + 1, MSG_NOSIGNAL) < 0)
			break;
	}
}

/* There is one child at a time: not even a signal may end one that waits, on an old kernel. */
static bool start(void)
{
	return child_has_ended(&child) && !child_start(&child, serve);
}

static int patience(void)
{
	return budget < PATIENCE_MS ? (int)budget : PATIENCE_MS;
}

/* Return: how many octets, after the first one; 0 without an answer. */
static size_t ask(u64 pid, char *text, size_t room)
{
	ssize_t got = -1;

	if (send(child.channel, &pid, sizeof(pid), MSG_NOSIGNAL) == sizeof(pid) &&
	    child_answers(&child, patience()))
		got = recv(child.channel, text, room, 0);
	if (got > 0)
		return (size_t)got - 1;
	child_give_up(&child);
	budget = 0;
	return 0;
}

/* Is there time left to wait in this period? */
static bool may_wait(u64 now)
{
	if (now >= period_end) {
		period_end = now + PERIOD_MS;
		budget = BUDGET_MS;
	}
	return budget > 0;
}

/**
 * command_line() - the command line of a process, which a server may have set to tell for whom
 *	it works
 * @pid: of the process; it may have ended meanwhile, and another one may have its PID
 *
 * Return: the words with spaces between them, escaped, to be freed; NULL where there is none, or
 * where reading it took too long, and then for all processes until ten seconds are over.
 */
char *command_line(u64 pid)
{
	u64 begin = watch_milliseconds();
	char text[256];
	size_t size, i;

	if (!may_wait(begin) || (child.channel < 0 && !start()))
		return NULL;
	size = ask(pid, text, sizeof(text));
	budget -= (long long)(watch_milliseconds() - begin);
	while (size && !text[size])
		size--;
	for (i = 1; i <= size; i++)
		if (!text[i])
			text[i] = ' ';
	return size ? text_escape(text + 1, size) : NULL;
}
