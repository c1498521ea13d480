// SPDX-License-Identifier: GPL-2.0
/* Generic netlink: a socket to one family, requests and what comes back. */
#include <errno.h>
#include <linux/genetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "absence.h"
#include "netlink.h"
#include "output/exit_status.h"
#include "output/output.h"
#include "output/text.h"

/* A dump is asked for again if the rules changed under it, but not forever. */
#define DUMP_ATTEMPTS 16

/* For ten seconds, with pauses from 10 ms to 320 ms. */
#define BUSY_ATTEMPTS 36

/* The largest errno, by the kernel. */
#define MAX_ERRNO 4095

/**
 * struct exchange - one request on its way
 * @reply: called for each message of the family
 * @context: for @reply
 * @changed: what was listed changed meanwhile
 */
struct exchange {
	void (*reply)(const struct nlmsghdr *header, void *context);
	void *context;
	struct refusal *refusal;
	bool changed;
};

static void read_extack(struct refusal *refusal, const void *first, size_t length)
{
	const struct nlattr *attr;

	mnl_attr_for_each_payload(first, length) {
		switch (mnl_attr_get_type(attr)) {
		case NLMSGERR_ATTR_MSG:
			snprintf(refusal->text, sizeof(refusal->text), "%.*s",
				 (int)mnl_attr_get_payload_len(attr),
				 mnl_attr_get_str(attr));
			break;
		case NLMSGERR_ATTR_OFFS:
			refusal->offset = mnl_attr_get_u32(attr);
			break;
		case NLMSGERR_ATTR_MISS_TYPE:
			refusal->missing = mnl_attr_get_u32(attr);
			break;
		}
	}
}

/* The attributes of an extended ack follow a fixed part of @fixed octets. */
static void read_extack_after(struct refusal *refusal, const struct nlmsghdr *header,
			      size_t fixed)
{
	size_t length = mnl_nlmsg_get_payload_len(header);

	fixed = MNL_ALIGN(fixed);
	if ((header->nlmsg_flags & NLM_F_ACK_TLVS) && length > fixed)
		read_extack(refusal, mnl_nlmsg_get_payload_offset(header, fixed),
			    length - fixed);
}

/* The kernel sends 0 or an errno, negated. Anything else is malformed. */
static int errno_of(int error)
{
	return error > 0 || error < -MAX_ERRNO ? EBADMSG : -error;
}

/* Reads an acknowledgement into @refusal; its word is left for the caller to find. */
void netlink_read_error(const struct nlmsghdr *header, struct refusal *refusal)
{
	const struct nlmsgerr *error = mnl_nlmsg_get_payload(header);
	size_t fixed = sizeof(*error);

	if (mnl_nlmsg_get_payload_len(header) < fixed) {
		refusal->error = EBADMSG;
		return;
	}
	refusal->error = errno_of(error->error);
	if (!(header->nlmsg_flags & NLM_F_CAPPED))
		fixed += mnl_nlmsg_get_payload_len(&error->msg);
	read_extack_after(refusal, header, fixed);
}

/* A dump that fails half-way says so in its last message. */
static void read_done(const struct exchange *exchange,
		      const struct nlmsghdr *header)
{
	const int *error = mnl_nlmsg_get_payload(header);

	if (exchange->changed)
		exchange->refusal->error = EINTR;
	if (mnl_nlmsg_get_payload_len(header) < sizeof(*error) || *error >= 0)
		return;
	exchange->refusal->error = errno_of(*error);
	read_extack_after(exchange->refusal, header, sizeof(*error));
}

/* Returns whether the answer goes on after this message. */
static bool read_message(struct exchange *exchange, const struct nlmsghdr *header)
{
	if (header->nlmsg_flags & NLM_F_DUMP_INTR)
		exchange->changed = true;
	switch (header->nlmsg_type) {
	case NLMSG_ERROR:
		netlink_read_error(header, exchange->refusal);
		return false;
	case NLMSG_DONE:
		read_done(exchange, header);
		return false;
	default:
		if (header->nlmsg_len >= NLMSG_LENGTH(GENL_HDRLEN))
			exchange->reply(header, exchange->context);
		return true;
	}
}

static bool read_messages(struct exchange *exchange, const void *buffer, int length)
{
	const struct nlmsghdr *header = buffer;

	for (; mnl_nlmsg_ok(header, length); header = mnl_nlmsg_next(header, &length))
		if (!read_message(exchange, header))
			return false;
	return true;
}

/**
 * netlink_receive_one() - read one datagram
 *
 * Return: its length; 0 if a process sent it and not the kernel, as whoever has CAP_NET_ADMIN
 * over this network namespace may; -1 and errno, ENOSPC if the datagram is longer than @size.
 */
ssize_t netlink_receive_one(const struct netlink *nl, char *buffer, size_t size)
{
	struct sockaddr_nl sender = { 0 };
	socklen_t sender_size = sizeof(sender);
	ssize_t got = recvfrom(mnl_socket_get_fd(nl->socket), buffer, size, MSG_TRUNC,
			       (struct sockaddr *)&sender, &sender_size);

	if (got >= 0 && sender.nl_pid)
		return 0;
	if (got > (ssize_t)size) {
		errno = ENOSPC;
		return -1;
	}
	return got;
}

/* Waits for a datagram of the kernel's. */
ssize_t netlink_receive(const struct netlink *nl, char *buffer, size_t size)
{
	ssize_t got;

	do {
		got = netlink_receive_one(nl, buffer, size);
	} while (!got || (got < 0 && errno == EINTR));
	return got;
}

/* Sends, and reads to the end of the answer; errno in the refusal. */
static int transact_once(struct netlink *nl, u16 type, struct request *request,
			 struct exchange *exchange)
{
	static char buffer[2 * NETLINK_BUFFER] __attribute__((aligned(NLMSG_ALIGNTO)));
	ssize_t got;

	*exchange->refusal = (struct refusal){ 0 };
	exchange->changed = false;
	request->header->nlmsg_type = type;
	if (mnl_socket_sendto(nl->socket, request->header, request->header->nlmsg_len) < 0)
		return exchange->refusal->error = errno;
	do {
		got = netlink_receive(nl, buffer, sizeof(buffer));
		if (got < 0)
			return exchange->refusal->error = errno;
	} while (read_messages(exchange, buffer, (int)got));
	exchange->refusal->word = request_word(request, exchange->refusal->offset);
	return exchange->refusal->error;
}

/**
 * netlink_wait() - let some time go by before what the kernel had no time for is asked again
 * @attempt: how often it was asked before: 0, and one more each time
 *
 * Return: false where it was asked often enough.
 */
bool netlink_wait(unsigned int attempt)
{
	const long unit = 10L * 1000 * 1000;
	const struct timespec pause = { .tv_nsec = unit << (attempt < 5 ? attempt : 5) };

	return attempt < BUSY_ATTEMPTS && !nanosleep(&pause, NULL);
}

/* The kernel carries out some requests of a user at the same time, and has others come again. */
static int transact(struct netlink *nl, u16 type, struct request *request,
		    struct exchange *exchange)
{
	unsigned int attempt = 0;
	int error;

	do {
		error = transact_once(nl, type, request, exchange);
	} while (error == EAGAIN && netlink_wait(attempt++));
	return error;
}

static void read_group(struct netlink_group *group, const struct nlattr *nest)
{
	const struct nlattr *attr;

	mnl_attr_for_each_nested(attr, nest) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GRP_NAME)
			snprintf(group->name, sizeof(group->name), "%s",
				 mnl_attr_get_str(attr));
		else if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GRP_ID)
			group->id = mnl_attr_get_u32(attr);
	}
}

static void read_groups(struct netlink *nl, const struct nlattr *nest)
{
	const struct nlattr *attr;
	size_t i = 0;

	mnl_attr_for_each_nested(attr, nest)
		if (i < MNL_ARRAY_SIZE(nl->groups))
			read_group(&nl->groups[i++], attr);
}

static void on_family(const struct nlmsghdr *header, void *context)
{
	struct netlink *nl = context;
	const struct nlattr *attr, *id = NULL, *groups = NULL;
	const char *name = "";

	mnl_attr_for_each(attr, header, GENL_HDRLEN) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_NAME)
			name = mnl_attr_get_str(attr);
		else if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			id = attr;
		else if (mnl_attr_get_type(attr) == CTRL_ATTR_MCAST_GROUPS)
			groups = attr;
	}
	if (strcmp(name, nl->family) || !id)
		return;
	nl->id = mnl_attr_get_u16(id);
	if (groups)
		read_groups(nl, groups);
}

/*
 * All families are listed, for asking for one by its name would load its
 * module: to look whether the name check is there must not arm it.
 */
static int find_family(struct netlink *nl)
{
	struct request *request = no_null(malloc(sizeof(*request)));
	struct refusal refusal;
	struct exchange exchange = {
		.reply = on_family, .context = nl, .refusal = &refusal,
	};
	int error, attempts = DUMP_ATTEMPTS;

	do {
		request_init(request, CTRL_CMD_GETFAMILY);
		request->header->nlmsg_flags |= NLM_F_DUMP;
		error = transact(nl, GENL_ID_CTRL, request, &exchange);
	} while (error == EINTR && --attempts);
	free(request);
	return error ? error : nl->id ? 0 : ENOENT;
}

static int open_socket(struct netlink *nl)
{
	static const int on = 1;

	nl->socket = mnl_socket_open2(NETLINK_GENERIC, SOCK_CLOEXEC);
	if (!nl->socket || mnl_socket_bind(nl->socket, 0, MNL_SOCKET_AUTOPID) < 0)
		return errno;
	/* A kernel without these options sends less; nothing else depends on them. */
	mnl_socket_setsockopt(nl->socket, NETLINK_EXT_ACK, (void *)&on, sizeof(on));
	mnl_socket_setsockopt(nl->socket, NETLINK_CAP_ACK, (void *)&on, sizeof(on));
	return 0;
}

/**
 * netlink_open() - a socket to a family
 * @nl: filled in; needs no netlink_close() after an error
 * @family: its name
 *
 * Return: 0, ENOENT where there is no such family here, or another errno.
 */
int netlink_open(struct netlink *nl, const char *family)
{
	int error;

	*nl = (struct netlink){ .family = family };
	error = open_socket(nl);
	if (!error)
		error = find_family(nl);
	if (error)
		netlink_close(nl);
	return error;
}

void netlink_close(struct netlink *nl)
{
	if (nl->socket)
		mnl_socket_close(nl->socket);
	nl->socket = NULL;
}

void netlink_complain_absent(const char *family, int error)
{
	if (error == ENOENT)
		complain("%s is %s", family, absence(family));
	else
		complain("netlink: %s", strerror(error));
}

int netlink_open_or_complain(struct netlink *nl, const char *family)
{
	int error = netlink_open(nl, family);

	if (!error)
		return STATUS_DONE;
	netlink_complain_absent(family, error);
	return STATUS_ABSENT;
}

/**
 * struct collection - replies, decoded
 * @last: the reply to a request
 * @all: those to a dump, or NULL
 */
struct collection {
	const struct attributes *set;
	json_t *last;
	json_t *all;
};

static void on_reply(const struct nlmsghdr *header, void *context)
{
	struct collection *collection = context;
	json_t *reply = attributes_decode(collection->set,
					  mnl_nlmsg_get_payload_offset(header, GENL_HDRLEN),
					  mnl_nlmsg_get_payload_len(header) - GENL_HDRLEN);

	if (collection->all) {
		json_array_append_new(collection->all, reply);
		return;
	}
	json_decref(collection->last);
	collection->last = reply;
}

/**
 * netlink_ask() - a request and its acknowledgement
 * @set: how to decode the reply
 * @reply: the reply, a reference for the caller, or NULL if it is of no use
 * @refusal: filled in
 *
 * Return: 0, or errno, positive.
 */
int netlink_ask(struct netlink *nl, struct request *request,
		const struct attributes *set, json_t **reply,
		struct refusal *refusal)
{
	struct collection collection = { .set = set };
	struct exchange exchange = {
		.reply = on_reply, .context = &collection, .refusal = refusal,
	};
	int error;

	request->header->nlmsg_flags |= NLM_F_ACK;
	error = transact(nl, nl->id, request, &exchange);
	if (!error && reply)
		*reply = collection.last ? collection.last : json_object();
	else
		json_decref(collection.last);
	return error;
}

/* As netlink_ask(); @replies is an array. */
int netlink_dump(struct netlink *nl, struct request *request,
		 const struct attributes *set, json_t **replies,
		 struct refusal *refusal)
{
	struct collection collection = { .set = set };
	struct exchange exchange = {
		.reply = on_reply, .context = &collection, .refusal = refusal,
	};
	int error, attempts = DUMP_ATTEMPTS;

	request->header->nlmsg_flags |= NLM_F_DUMP;
	do {
		json_decref(collection.all);
		collection.all = no_null(json_array());
		error = transact(nl, nl->id, request, &exchange);
	} while (error == EINTR && --attempts);
	if (error)
		json_decref(collection.all);
	else
		*replies = collection.all;
	return error;
}

/**
 * struct policy_search - is an attribute in the policy of a command?
 * @type: of the attribute
 * @policy: number of the policy, once the kernel has said it; it does so first
 * @known: it has
 * @found: is it?
 */
struct policy_search {
	unsigned int type;
	u32 policy;
	bool known, found;
};

/* Of one command alone, because that was asked for. */
static void read_op_policy(struct policy_search *search, const struct nlattr *nest)
{
	const struct nlattr *op, *attr;

	mnl_attr_for_each_nested(op, nest) {
		mnl_attr_for_each_nested(attr, op) {
			if (mnl_attr_get_type(attr) != CTRL_ATTR_POLICY_DO)
				continue;
			search->policy = mnl_attr_get_u32(attr);
			search->known = true;
		}
	}
}

static void read_policy(struct policy_search *search, const struct nlattr *nest)
{
	const struct nlattr *policy, *attr;

	mnl_attr_for_each_nested(policy, nest) {
		if (!search->known || mnl_attr_get_type(policy) != search->policy)
			continue;
		mnl_attr_for_each_nested(attr, policy) {
			search->found |= mnl_attr_get_type(attr) == search->type;
		}
	}
}

static void on_policy(const struct nlmsghdr *header, void *context)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, header, GENL_HDRLEN) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_OP_POLICY)
			read_op_policy(context, attr);
		else if (mnl_attr_get_type(attr) == CTRL_ATTR_POLICY)
			read_policy(context, attr);
	}
}

/**
 * netlink_takes() - does the module take that attribute with that command?
 * @nl: a socket to its family
 * @command: of the family
 * @type: of the attribute
 *
 * Return: false only if the kernel says that it does not.
 */
bool netlink_takes(struct netlink *nl, u8 command, unsigned int type)
{
	struct request *request = no_null(malloc(sizeof(*request)));
	struct policy_search search = { .type = type };
	struct refusal refusal;
	struct exchange exchange = {
		.reply = on_policy, .context = &search, .refusal = &refusal,
	};
	int error;

	request_init(request, CTRL_CMD_GETPOLICY);
	request->header->nlmsg_flags |= NLM_F_DUMP;
	request_u16(request, CTRL_ATTR_FAMILY_ID, nl->id, NULL);
	request_u32(request, CTRL_ATTR_OP, command, NULL);
	error = transact(nl, GENL_ID_CTRL, request, &exchange);
	free(request);
	return error || !search.known || search.found;
}

static const char *needed(const char *family)
{
	if (!strcmp(family, NETLINK_FS))
		return "CAP_MAC_ADMIN and CAP_NET_ADMIN in the initial user namespace";
	return "CAP_NET_ADMIN over this network namespace";
}

/*
 * Is this from the kernel's netlink code, which checks a request before the module does? Then
 * the versions differ, because the tool sends what the module of its own version takes.
 */
static bool is_of_netlink(const char *text)
{
	static const char *const texts[] = {
		"Attribute failed policy validation", "Unknown attribute type",
		"Unsupported attribute", "integer out of range", "binary attribute size",
		"reserved bit set", "invalid attribute length", "NLA_F_NESTED" };
	size_t i;

	for (i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		if (!strncasecmp(text, texts[i], strlen(texts[i])))
			return true;
	return false;
}

void netlink_complain(const struct netlink *nl, const struct attributes *set,
		      const struct refusal *refusal)
{
	const char *reason = strerror(refusal->error);
	const char *missing = attributes_name(set, refusal->missing);
	struct refusal own;

	if (is_of_netlink(refusal->text)) {
		own = *refusal;
		snprintf(own.text, sizeof(own.text), "the module does not take this value here; do tool and module have the same version? See: utf8guard show");
		refusal = &own;
	}
	if (refusal->error == EPERM && !*refusal->text)
		complain("refused by the kernel: %s; this needs %s", reason,
			 needed(nl->family));
	else if (refusal->word)
		complain_word(refusal->word, "refused by the kernel: %s%s%s%s",
			      refusal->text, *refusal->text ? " (" : "", reason,
			      *refusal->text ? ")" : "");
	else if (*refusal->text)
		complain("refused by the kernel: %s (%s)", refusal->text, reason);
	else if (missing)
		complain("refused by the kernel: %s is missing (%s)", missing, reason);
	else
		complain("refused by the kernel: %s", reason);
}

int netlink_do(struct netlink *nl, struct request *request,
	       const struct attributes *set, json_t **reply)
{
	struct refusal refusal;

	if (!netlink_ask(nl, request, set, reply, &refusal))
		return STATUS_DONE;
	netlink_complain(nl, set, &refusal);
	return STATUS_REFUSED;
}

int netlink_list(struct netlink *nl, struct request *request,
		 const struct attributes *set, json_t **replies)
{
	struct refusal refusal;

	if (!netlink_dump(nl, request, set, replies, &refusal))
		return STATUS_DONE;
	netlink_complain(nl, set, &refusal);
	return STATUS_REFUSED;
}

/* A burst of refusals must fit: the default holds some 200. */
static void grow(const struct netlink *nl)
{
	static const int size = 4 << 20;

	setsockopt(mnl_socket_get_fd(nl->socket), SOL_SOCKET, SO_RCVBUFFORCE, &size,
		   sizeof(size));
}

/* Return: 0 or errno, positive. */
int netlink_join(struct netlink *nl, const char *group)
{
	size_t i;

	grow(nl);
	for (i = 0; i < MNL_ARRAY_SIZE(nl->groups); i++) {
		if (strcmp(nl->groups[i].name, group))
			continue;
		return mnl_socket_setsockopt(nl->socket, NETLINK_ADD_MEMBERSHIP,
					     &nl->groups[i].id, sizeof(u32)) ? errno : 0;
	}
	return ENOENT;
}
