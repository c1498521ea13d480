// SPDX-License-Identifier: GPL-2.0
/*
 * What waits for a server that does not answer, or for a lock of another process, cannot even be
 * killed. So a child does it, is asked by a socket, and is given up where that takes too long.
 */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "child.h"

/*
 * The child does not outlive its parent, even while it waits, and keeps nothing else: no pipe that
 * somebody reads to its end, and no directory of another file system, which could not be unmounted.
 */
static void be_child(int fd, pid_t parent, void (*serve)(int from))
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || dup2(fd, STDIN_FILENO) < 0 ||
	    close_range(STDIN_FILENO + 1, ~0U, 0) || chdir("/"))
		_exit(1);
	serve(STDIN_FILENO);
	_exit(0);
}

/**
 * child_start() - a child that answers
 * @child: filled in; nobody is asked by it
 * @serve: what the child does: it receives questions and sends answers until there are no more
 *
 * Return: 0 or errno.
 */
int child_start(struct child *child, void (*serve)(int from))
{
	pid_t parent = getpid();
	int ends[2], error;

	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return errno;
	child->pid = fork();
	error = errno;
	if (!child->pid)
		be_child(ends[1], parent, serve);
	close(ends[1]);
	if (child->pid < 0) {
		child->pid = 0;
		close(ends[0]);
		return error;
	}
	child->channel = ends[0];
	return 0;
}

/**
 * child_has_ended() - is the child gone that was given up, or was there none?
 * @child: nobody is asked by it
 */
bool child_has_ended(struct child *child)
{
	if (child->pid && !waitpid(child->pid, NULL, WNOHANG))
		return false;
	child->pid = 0;
	return true;
}

/* Is there an answer, or no child any more, within @milliseconds? */
bool child_answers(const struct child *child, int milliseconds)
{
	struct pollfd poll_for = { .fd = child->channel, .events = POLLIN };
	int ready;

	do {
		ready = poll(&poll_for, 1, milliseconds);
	} while (ready < 0 && errno == EINTR);
	return ready == 1;
}

/* It may not end before what it waits for, so this does not wait for its end. */
void child_give_up(struct child *child)
{
	close(child->channel);
	child->channel = -1;
	kill(child->pid, SIGKILL);
}
