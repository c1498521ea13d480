// SPDX-License-Identifier: GPL-2.0
/*
 * Many requests to a family, without waiting for each answer: a window of them
 * goes in one datagram, then its acknowledgements are read.
 */
#include <errno.h>
#include <string.h>

#include "pipeline.h"

/*
 * The kernel handles a datagram and answers while sendto() runs, so all answers of
 * a window must fit into the socket's receive buffer: each is at most a message with
 * a rule, which is charged as a page or two, and an acknowledgement. A rule with a
 * long path is more: on a disk, its path comes back twice, and twice as much is charged for that.
 */
#define WINDOW 16
#define WINDOW_OCTETS (16U << 10)

/**
 * struct window - the messages that are on their way
 * @first: place of the first
 * @count: of them
 * @open: of those, how many were not answered yet
 */
struct window {
	size_t first, count, open;
};

/* As many messages as one datagram takes, with sequence numbers from 1 on. */
static size_t fill(char *buffer, size_t size, const struct pipeline *p, struct window *w)
{
	size_t used = 0;

	for (w->count = 0; w->count < WINDOW && w->first + w->count < p->count; w->count++) {
		struct nlmsghdr *message = p->messages[w->first + w->count];

		if (used + message->nlmsg_len > size ||
		    (used && used + message->nlmsg_len > WINDOW_OCTETS))
			break;
		message->nlmsg_seq = (u32)w->count + 1;
		message->nlmsg_flags |= NLM_F_ACK;
		memcpy(buffer + used, message, message->nlmsg_len);
		used += MNL_ALIGN(message->nlmsg_len);
	}
	w->open = w->count;
	return used;
}

/* Replies are of no use here: only acknowledgements count. */
static void on_message(const struct nlmsghdr *header, const struct pipeline *p,
		       struct window *w)
{
	struct refusal refusal = { 0 };
	size_t at = header->nlmsg_seq - 1;

	if (header->nlmsg_type != NLMSG_ERROR || at >= w->count)
		return;
	w->open--;
	netlink_read_error(header, &refusal);
	if (refusal.error)
		p->refused(w->first + at, &refusal, p->context);
}

static int collect(const struct netlink *nl, const struct pipeline *p, struct window *w)
{
	static char buffer[NETLINK_BUFFER] __attribute__((aligned(NLMSG_ALIGNTO)));

	while (w->open) {
		ssize_t got = netlink_receive(nl, buffer, sizeof(buffer));
		const struct nlmsghdr *header = (const struct nlmsghdr *)buffer;
		int length = (int)got;

		if (got < 0)
			return errno;
		for (; mnl_nlmsg_ok(header, length); header = mnl_nlmsg_next(header, &length))
			on_message(header, p, w);
	}
	return 0;
}

/**
 * pipeline_run() - send all, and hear of all that was refused
 * @nl: the family
 * @pipeline: the messages; they go in order, and none is held back by another's
 *	refusal
 *
 * Return: 0, or errno, positive, where they could not be sent or answered.
 */
int pipeline_run(const struct netlink *nl, const struct pipeline *pipeline)
{
	static char buffer[2 * NETLINK_BUFFER] __attribute__((aligned(NLMSG_ALIGNTO)));
	struct window w = { 0 };
	size_t i;
	int error = 0;

	for (i = 0; i < pipeline->count; i++)
		pipeline->messages[i]->nlmsg_type = nl->id;
	for (; !error && w.first < pipeline->count; w.first += w.count) {
		size_t used = fill(buffer, sizeof(buffer), pipeline, &w);

		if (mnl_socket_sendto(nl->socket, buffer, used) < 0)
			return errno;
		error = collect(nl, pipeline, &w);
	}
	return error;
}
