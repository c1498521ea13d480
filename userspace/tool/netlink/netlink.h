/* SPDX-License-Identifier: GPL-2.0 */
/* Generic netlink: a socket to one family, requests and what comes back. */
#ifndef UTF8GUARD_TOOL_NETLINK_H
#define UTF8GUARD_TOOL_NETLINK_H

#include <jansson.h>
#include <libmnl/libmnl.h>
#include <linux/utf8guard.h>

#include "attributes.h"
#include "request.h"

#define NETLINK_SERVICE	"utf8guard"
#define NETLINK_FS	"utf8guard_fs"
#define NETLINK_NF	"utf8guard_nf"

/**
 * struct netlink - a socket, and the family that it talks to
 * @family: the family's name, which is the module's too
 * @socket: NULL when closed
 * @id: the family's number as a message type
 * @groups: its multicast groups
 */
struct netlink {
	const char *family;
	struct mnl_socket *socket;
	u16 id;
	struct netlink_group {
		char name[16];
		u32 id;
	} groups[4];
};

/**
 * struct refusal - why a request failed
 * @error: errno, positive
 * @text: the kernel's own words (extended ack), or ""
 * @offset: of the attribute that it complained about in the request, or 0
 * @word: the user's word that made that attribute, or NULL
 * @missing: type of the attribute that it missed, or 0
 */
struct refusal {
	int error;
	char text[256];
	u32 offset;
	const char *word;
	u32 missing;
};

int netlink_open(struct netlink *nl, const char *family);
bool netlink_takes(struct netlink *nl, u8 command, unsigned int type);
void netlink_close(struct netlink *nl);
int netlink_open_or_complain(struct netlink *nl, const char *family);
void netlink_complain_absent(const char *family, int error);

int netlink_ask(struct netlink *nl, struct request *request,
		const struct attributes *set, json_t **reply,
		struct refusal *refusal);
int netlink_dump(struct netlink *nl, struct request *request,
		 const struct attributes *set, json_t **replies,
		 struct refusal *refusal);
void netlink_complain(const struct netlink *nl, const struct attributes *set,
		      const struct refusal *refusal);

/* As above, and complain: return enum status. */
int netlink_do(struct netlink *nl, struct request *request,
	       const struct attributes *set, json_t **reply);
int netlink_list(struct netlink *nl, struct request *request,
		 const struct attributes *set, json_t **replies);

ssize_t netlink_receive_one(const struct netlink *nl, char *buffer, size_t size);
ssize_t netlink_receive(const struct netlink *nl, char *buffer, size_t size);
void netlink_read_error(const struct nlmsghdr *header, struct refusal *refusal);
bool netlink_wait(unsigned int attempt);
int netlink_join(struct netlink *nl, const char *group);

#endif /* UTF8GUARD_TOOL_NETLINK_H */
