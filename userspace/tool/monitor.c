// SPDX-License-Identifier: GPL-2.0
/* utf8guard monitor: what is refused and changed, as it happens. */
#include <errno.h>
#include <linux/genetlink.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <uapi/linux/utf8guard_fs.h>
#include <uapi/linux/utf8guard_nf.h>

#include "command.h"
#include "event.h"
#include "netlink.h"
#include "output.h"

#define SOURCES 3

/**
 * struct monitor - what is watched
 * @names, @packets: which of them
 * @count: events to show until the end; 0 is no end
 * @shown: so far
 * @timeout: in seconds; 0 is none
 * @deadline: in milliseconds of the monotonic clock
 * @sources: a socket for each multicast group
 */
struct monitor {
	bool names, packets;
	u32 count, shown, timeout;
	u64 deadline;
	struct netlink sources[SOURCES];
	unsigned int open;
};

static u64 milliseconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (u64)ts.tv_sec * 1000 + (u64)ts.tv_nsec / 1000000;
}

static bool enough(const struct monitor *m)
{
	return (m->count && m->shown >= m->count) || ferror(stdout);
}

static void on_refusal(struct monitor *m, const json_t *attributes)
{
	bool packet = event_is_packet(attributes);

	if (packet ? !m->packets : !m->names)
		return;
	event_print_refusal(attributes);
	m->shown++;
}

static void on_change(struct monitor *m, const char *family, const json_t *attributes)
{
	event_print_change(family, attributes);
	m->shown++;
}

/* What a message of a family is, by its command. */
static const struct attributes *set_of(const char *family, u8 command)
{
	if (!strcmp(family, NETLINK_SERVICE))
		return command == UTF8GUARD_CMD_REFUSAL ? &attributes_event : NULL;
	if (!strcmp(family, NETLINK_FS))
		return command == UTF8GUARD_FS_CMD_CHANGED ? &attributes_fs_status : NULL;
	return command == UTF8GUARD_NF_CMD_CHANGED ? &attributes_nf_status : NULL;
}

static void on_message(struct monitor *m, const struct netlink *source,
		       const struct nlmsghdr *header)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(header);
	const struct attributes *set;
	json_t *attributes;

	if (header->nlmsg_type != source->id ||
	    header->nlmsg_len < NLMSG_LENGTH(GENL_HDRLEN))
		return;
	set = set_of(source->family, genl->cmd);
	if (!set)
		return;
	attributes = attributes_decode(set, mnl_nlmsg_get_payload_offset(header, GENL_HDRLEN),
				       mnl_nlmsg_get_payload_len(header) - GENL_HDRLEN);
	if (set == &attributes_event)
		on_refusal(m, attributes);
	else
		on_change(m, source->family, attributes);
	json_decref(attributes);
}

/* Returns enum status. */
static int drain(struct monitor *m, const struct netlink *source)
{
	static char buffer[65536] __attribute__((aligned(NLMSG_ALIGNTO)));
	const struct nlmsghdr *header = (const struct nlmsghdr *)buffer;
	ssize_t got = mnl_socket_recvfrom(source->socket, buffer, sizeof(buffer));
	int length = (int)got;

	if (got < 0 && (errno == ENOBUFS || errno == ENOSPC)) {
		event_print_lost();
		return STATUS_DONE;
	}
	if (got < 0 && errno != EINTR && errno != EAGAIN) {
		complain("netlink: %s", strerror(errno));
		return STATUS_ABSENT;
	}
	for (; got > 0 && !enough(m) && mnl_nlmsg_ok(header, length);
	     header = mnl_nlmsg_next(header, &length))
		on_message(m, source, header);
	return STATUS_DONE;
}

/* Milliseconds for poll(): -1 for ever, 0 when time is up. */
static int time_left(const struct monitor *m)
{
	u64 now = milliseconds();

	if (!m->timeout)
		return -1;
	if (now >= m->deadline)
		return 0;
	return m->deadline - now < 3600000 ? (int)(m->deadline - now) : 3600000;
}

/* Waits, and drains what has something. */
static int round_of(struct monitor *m)
{
	struct pollfd polls[SOURCES];
	int status = STATUS_DONE;
	unsigned int i;

	for (i = 0; i < m->open; i++)
		polls[i] = (struct pollfd){
			.fd = mnl_socket_get_fd(m->sources[i].socket), .events = POLLIN };
	if (poll(polls, m->open, time_left(m)) < 0 && errno != EINTR) {
		complain("poll: %s", strerror(errno));
		return STATUS_ABSENT;
	}
	for (i = 0; i < m->open && !status && !enough(m); i++)
		if (polls[i].revents)
			status = drain(m, &m->sources[i]);
	return status;
}

/* With a count, an end before it is a negative answer. */
static int watch(struct monitor *m)
{
	int status = STATUS_DONE;

	m->deadline = milliseconds() + 1000ULL * m->timeout;
	while (!status && !enough(m) && time_left(m))
		status = round_of(m);
	if (status)
		return status;
	return m->count > m->shown ? STATUS_NO : STATUS_DONE;
}

/* A check that is not loaded changes nothing: only the service must be there. */
static int join(struct monitor *m, const char *family, const char *group, bool needed)
{
	struct netlink *source = &m->sources[m->open];
	int error = netlink_open(source, family);

	if (error == ENOENT && !needed)
		return STATUS_DONE;
	if (error) {
		netlink_complain_absent(family, error);
		return STATUS_ABSENT;
	}
	m->open++;
	error = netlink_join(source, group);
	if (!error)
		return STATUS_DONE;
	netlink_complain(source, &attributes_info, &(struct refusal){ .error = error });
	return STATUS_REFUSED;
}

static int join_all(struct monitor *m)
{
	int status = join(m, NETLINK_SERVICE, UTF8GUARD_MCGRP_EVENTS, true);

	if (!status && m->names)
		status = join(m, NETLINK_FS, UTF8GUARD_FS_MCGRP_CONFIG, !m->packets);
	if (!status && m->packets)
		status = join(m, NETLINK_NF, UTF8GUARD_NF_MCGRP_CONFIG, !m->names);
	return status;
}

static bool take_words(struct monitor *m, struct words *words)
{
	static const char *const known[] = { "fs", "net", "--count", "--timeout", NULL };

	while (words_left(words)) {
		switch (words_choose(words, known)) {
		case 0:
			m->names = true;
			break;
		case 1:
			m->packets = true;
			break;
		case 2:
			if (!words_number(words, "a number of events", &m->count))
				return false;
			break;
		case 3:
			if (!words_number(words, "a number of seconds", &m->timeout))
				return false;
			break;
		default:
			return false;
		}
	}
	if (!m->names && !m->packets)
		m->names = m->packets = true;
	return true;
}

static int run(struct words *words)
{
	struct monitor m = { 0 };
	unsigned int i;
	int status;

	if (!take_words(&m, words))
		return STATUS_USAGE;
	status = join_all(&m);
	if (!status) {
		/* Who starts it in the background can wait for this line. */
		complain("listening");
		status = watch(&m);
	}
	for (i = 0; i < m.open; i++)
		netlink_close(&m.sources[i]);
	return status;
}

const struct command command_monitor = {
	.name = "monitor",
	.flags = "jpn",
	.summary = "what is refused and changed, as it happens",
	.help =
"utf8guard monitor [-j] [-n] [fs|net] [--count N] [--timeout SECONDS]\n"
"\n"
"A line for each name and packet that is refused or audited, and for each\n"
"change of the rules; only those of one check with fs or net. Bytes of names\n"
"that are not UTF-8 or do not show are printed as \\xHH. Events that came too\n"
"fast are reported as lost. \"listening\" on standard error says that no event\n"
"from then on is missed.\n"
"\n"
"  --count N          end after N lines\n"
"  --timeout SECONDS  end then; exit status 1 if --count was not reached\n"
"  -n                 seconds since 1970 and numbers of users, not dates and names\n"
"  -j                 an object a line\n",
	.run = run,
};
