/* SPDX-License-Identifier: GPL-2.0 */
/* A message to the kernel, and which word of the user made what of it. */
#ifndef UTF8GUARD_TOOL_REQUEST_H
#define UTF8GUARD_TOOL_REQUEST_H

#include <libmnl/libmnl.h>
#include <linux/utf8guard.h>

/* The longest text of the command validate, with the headers around it. */
#define NETLINK_BUFFER	(UTF8GUARD_MAX_TEXT + 4096)

/**
 * struct request - a message to the kernel
 * @header: the message
 * @words: where the kernel's complaint about an attribute leads: the offset of
 *	each attribute in the message and the user's word that made it. The longest
 *	rule has some 180: two sets of 64 networks, two of 16 ranges of ports, the rest
 * @count: of @words
 */
struct request {
	struct nlmsghdr *header;
	struct {
		u32 offset;
		const char *word;
	} words[192];
	unsigned int count;
	char buffer[NETLINK_BUFFER] __attribute__((aligned(NLMSG_ALIGNTO)));
};

void request_init(struct request *request, u8 command);
void request_u8(struct request *request, u16 type, u8 value, const char *word);
void request_u16(struct request *request, u16 type, u16 value, const char *word);
void request_u32(struct request *request, u16 type, u32 value, const char *word);
void request_nest(struct request *request, u16 type, const void *attrs,
		  size_t length, const char *word);
void request_flag(struct request *request, u16 type, const char *word);
void request_string(struct request *request, u16 type, const char *value,
		    const char *word);
void request_data(struct request *request, u16 type, const void *data,
		  size_t length, const char *word);
const char *request_word(const struct request *request, u32 offset);

#endif /* UTF8GUARD_TOOL_REQUEST_H */
