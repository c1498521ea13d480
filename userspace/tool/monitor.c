// SPDX-License-Identifier: GPL-2.0
/* utf8guard monitor: what is refused and changed, as it happens. */
#include <errno.h>
#include <linux/genetlink.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <uapi/linux/utf8guard_fs.h>
#include <uapi/linux/utf8guard_nf.h>

#include "command.h"
#include "netlink/netlink.h"
#include "netlink/netns.h"
#include "netlink/watch.h"
#include "output/output.h"
#include "status/config_event.h"
#include "status/event.h"

/* Milliseconds between two requests for how many events the service did not send. */
#define ASK_MILLISECONDS 1000

enum source {
	SOURCE_FAMILIES,	/* netlink itself: which families come and go */
	SOURCE_REFUSALS,
	SOURCE_NAMES,
	SOURCE_PACKETS,
	SOURCES,
};

/**
 * struct monitor - what is watched
 * @names, @packets: which of them
 * @count: events to show until the end; 0 is no end
 * @shown: so far
 * @timeout: in seconds; 0 is none
 * @deadline: in milliseconds of the monotonic clock
 * @sources: a socket for each multicast group
 * @ask_at: when to ask the service what it did not tell; 0 is never
 * @unread: nobody reads what is printed any more, as after "| head"
 * @lost, @suppressed: what it had not told when it was asked last, or in events
 */
struct monitor {
	bool names, packets;
	u32 count, shown, timeout;
	u64 deadline;
	struct watch sources[SOURCES];
	u64 ask_at;
	bool unread;
	u64 lost, suppressed;
};

static bool enough(const struct monitor *m)
{
	return (m->count && m->shown >= m->count) || m->unread || ferror(stdout);
}

static void on_refusal(struct monitor *m, json_t *attributes)
{
	bool packet = event_is_packet(attributes);

	/* Reported by this event, so not to be reported again by ask(). */
	m->suppressed += member_number(attributes, "suppressed");
	if (packet ? !m->packets : !m->names)
		return;
	if (!m->ask_at)
		m->ask_at = watch_milliseconds() + ASK_MILLISECONDS;
	event_add_command(attributes);
	event_print_refusal(attributes);
	m->shown++;
}

static void on_change(struct monitor *m, const char *family, const json_t *attributes)
{
	config_event_print(!strcmp(family, NETLINK_FS) ? &rules_fs : &rules_net, attributes);
	m->shown++;
}

static json_t *ask_service(void)
{
	static struct request request;
	struct refusal refusal;
	struct netlink nl;
	json_t *info = NULL;

	if (netlink_open(&nl, NETLINK_SERVICE))
		return NULL;
	request_init(&request, UTF8GUARD_CMD_INFO_GET);
	netlink_ask(&nl, &request, &attributes_info, &info, &refusal);
	netlink_close(&nl);
	return info;
}

/* Less than before means that the module was loaded again, and its counters began at 0. */
static void compare(u64 *told, u64 counted, const char *reason)
{
	if (reason && counted > *told)
		event_print_lost(reason, counted - *told);
	*told = counted;
}

/* The service counts these together, whatever this monitor sees of them. */
#define OF_ALL ", names and packets of all network namespaces together"

/* Prints how many events the service did not send since the last call; the first notes it only. */
static void ask(struct monitor *m, bool first)
{
	json_t *info = ask_service();

	m->ask_at = 0;
	if (!info)
		return;
	compare(&m->lost, member_number(info, "lost"),
		first ? NULL : "the kernel had no memory for them" OF_ALL);
	compare(&m->suppressed, member_number(info, "suppressed"),
		first ? NULL : "more than the kernel reports in a second" OF_ALL);
	json_decref(info);
}

static void on_family(struct monitor *m, const struct nlmsghdr *header)
{
	struct watch *source = &m->sources[SOURCE_REFUSALS];

	for (; source < m->sources + SOURCES; source++) {
		if (!source->family || !watch_follow(source, header))
			continue;
		event_print_module(source->family, watch_is_open(source));
		if (source == &m->sources[SOURCE_REFUSALS] && watch_is_open(source))
			ask(m, true);
	}
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

static void on_event(struct monitor *m, const char *family, const struct nlmsghdr *header,
		     u8 command)
{
	const struct attributes *set = set_of(family, command);
	json_t *attributes;

	if (!set)
		return;
	attributes = attributes_decode(set, mnl_nlmsg_get_payload_offset(header, GENL_HDRLEN),
				       mnl_nlmsg_get_payload_len(header) - GENL_HDRLEN);
	if (set == &attributes_event)
		on_refusal(m, attributes);
	else
		on_change(m, family, attributes);
	json_decref(attributes);
}

static void on_message(struct monitor *m, const struct watch *source,
		       const struct nlmsghdr *header)
{
	const struct genlmsghdr *genl = mnl_nlmsg_get_payload(header);

	if (header->nlmsg_type != source->nl.id ||
	    header->nlmsg_len < NLMSG_LENGTH(GENL_HDRLEN))
		return;
	if (source == &m->sources[SOURCE_FAMILIES])
		on_family(m, header);
	else
		on_event(m, source->family, header, genl->cmd);
}

/* Reads one datagram. Return: enum status. */
static int drain(struct monitor *m, struct watch *source)
{
	static char buffer[65536] __attribute__((aligned(NLMSG_ALIGNTO)));
	const struct nlmsghdr *header = (const struct nlmsghdr *)buffer;
	ssize_t got = netlink_receive_one(&source->nl, buffer, sizeof(buffer));
	int length = (int)got, error = errno;
	u32 dropped = watch_dropped(source);

	if (dropped)
		event_print_lost("they came faster than they were read", dropped);
	if (got < 0 && error != EINTR && error != EAGAIN && error != ENOBUFS &&
	    error != ENOSPC) {
		complain("netlink: %s", strerror(error));
		return STATUS_ABSENT;
	}
	for (; got > 0 && !enough(m) && mnl_nlmsg_ok(header, length);
	     header = mnl_nlmsg_next(header, &length))
		on_message(m, source, header);
	return STATUS_DONE;
}

/* Milliseconds for poll(), up to @at: 0 when it is past. */
static int until(u64 at)
{
	u64 now = watch_milliseconds();

	if (now >= at)
		return 0;
	return at - now < 3600000 ? (int)(at - now) : 3600000;
}

/* -1 is for ever, 0 when time is up. */
static int time_left(const struct monitor *m)
{
	return m->timeout ? until(m->deadline) : -1;
}

static int wait_time(const struct monitor *m)
{
	int left = time_left(m), ask = m->ask_at ? until(m->ask_at) : -1;

	return ask < 0 || (left >= 0 && left < ask) ? left : ask;
}

/*
 * Reads a datagram from each source that has one; from the families only if no other source
 * has one. So what a module reported before it was unloaded is printed before that it was.
 */
static int drain_all(struct monitor *m, const struct pollfd *polls)
{
	int status = STATUS_DONE, i;
	bool busy = false;

	for (i = SOURCES - 1; i >= 0 && !status && !enough(m); i--) {
		if (!polls[i].revents || (busy && i == SOURCE_FAMILIES))
			continue;
		busy = true;
		status = drain(m, &m->sources[i]);
	}
	return status;
}

static int round_of(struct monitor *m)
{
	struct pollfd polls[SOURCES + 1] = { [SOURCES] = { .fd = STDOUT_FILENO } };
	int status, i;

	for (i = 0; i < SOURCES; i++)
		polls[i] = (struct pollfd){ .fd = watch_fd(&m->sources[i]), .events = POLLIN };
	if (poll(polls, SOURCES + 1, wait_time(m)) < 0) {
		if (errno == EINTR)
			return STATUS_DONE;
		complain("poll: %s", strerror(errno));
		return STATUS_ABSENT;
	}
	status = drain_all(m, polls);
	/* No event is asked for, so this is an end. A write would tell, but the next may be far away. */
	m->unread = polls[SOURCES].revents;
	if (m->ask_at && !until(m->ask_at) && !m->unread)
		ask(m, false);
	return status;
}

/* With a count, an end before it is a negative answer. */
static int watch_all(struct monitor *m)
{
	int status = STATUS_DONE;

	m->deadline = watch_milliseconds() + 1000ULL * m->timeout;
	while (!status && !enough(m) && time_left(m))
		status = round_of(m);
	if (m->ask_at && !m->unread)
		ask(m, false);
	if (status)
		return status;
	return m->count > m->shown ? STATUS_NO : STATUS_DONE;
}

/* A check that is not loaded changes nothing yet: only what is @needed must be there. */
static int join(struct watch *source, const char *family, const char *group, bool needed)
{
	*source = (struct watch){ .family = family, .group = group };
	return watch_open_or_complain(source, needed);
}

/* The families first: none must come or go unseen. */
static int join_all(struct monitor *m)
{
	struct watch *sources = m->sources;
	int status;

	sources[SOURCE_FAMILIES] = (struct watch)WATCH_FAMILIES;
	status = watch_open_or_complain(&sources[SOURCE_FAMILIES], true);
	if (!status)
		status = join(&sources[SOURCE_REFUSALS], NETLINK_SERVICE,
			      UTF8GUARD_MCGRP_EVENTS, true);
	if (!status && m->names)
		status = join(&sources[SOURCE_NAMES], NETLINK_FS,
			      UTF8GUARD_FS_MCGRP_CONFIG, !m->packets);
	if (!status && m->packets)
		status = join(&sources[SOURCE_PACKETS], NETLINK_NF,
			      UTF8GUARD_NF_MCGRP_CONFIG, !m->names);
	return status;
}

static struct monitor asked;

static bool take_count(struct words *value)
{
	return words_positive(value, "a number of events from 1 on", &asked.count);
}

static bool take_timeout(struct words *value)
{
	return words_positive(value, "a number of seconds from 1 on", &asked.timeout);
}

/* Which checks; both where none is named. */
static bool take_words(struct monitor *m, struct words *words)
{
	static const char *const known[] = { "fs", "net", NULL };
	bool *const named[] = { &m->names, &m->packets };

	while (words_left(words)) {
		int check = words_choose(words, known);

		if (check < 0)
			return false;
		*named[check] = true;
	}
	if (!m->names && !m->packets)
		m->names = m->packets = true;
	return true;
}

static int run(struct words *words)
{
	struct monitor m = asked;
	enum source i;
	int status;

	if (!take_words(&m, words))
		return STATUS_USAGE;
	status = join_all(&m);
	if (!status) {
		ask(&m, true);
		/* Whoever starts it in the background can wait for this line. */
		complain("listening");
		status = watch_all(&m);
	}
	for (i = 0; i < SOURCES; i++)
		watch_close(&m.sources[i]);
	return status;
}

const struct command command_monitor = {
	.name = "monitor",
	.options = OPTIONS(OPTION_JSON, OPTION_PRETTY, OPTION_NUMERIC, OPTION_COLOR,
			   { .name = "count", .take = take_count },
			   { .name = "timeout", .take = take_timeout }, OPTION_NETNS),
	.summary = "what is refused and changed, as it happens",
	.help =
"utf8guard monitor [-j] [-n] [-N NETNS] [--color WHEN] [fs|net] [--count N] [--timeout SECONDS]\n"
"\n"
"Prints a line for each name and packet that is refused or audited, and for each rule\n"
"that is added, replaced or deleted; where many rules change at once, the first 16 and\n"
"how many they are. With fs or net, the events of that check only. Bytes of a name\n"
"that are not UTF-8, or that do not show, are printed as \\xHH. When a module is\n"
"unloaded and loaded again, monitor says so and goes on. A line says how many events\n"
"were lost because they came faster than they were read, or because the kernel did\n"
"not send them. \"listening\" on standard error says that no event from then on is\n"
"missed.\n"
"\n"
"  --count N          end after N events\n"
"  --timeout SECONDS  end then; exit status 1 if --count was not reached\n"
"  --color WHEN       auto (on a terminal, if NO_COLOR is not set), always or never\n"
"  -n                 seconds since 1970 and numbers of users, not dates and names\n"
"  -j                 an object a line\n",
	.run = run,
};
