// SPDX-License-Identifier: GPL-2.0
/* A message to the kernel, and which word of the user made what of it. */
#include <linux/genetlink.h>
#include <stdlib.h>
#include <string.h>

#include "output/exit_status.h"
#include "output/output.h"
#include "request.h"

void request_init(struct request *request, u8 command)
{
	struct genlmsghdr *genl;

	request->count = 0;
	request->header = mnl_nlmsg_put_header(request->buffer);
	request->header->nlmsg_flags = NLM_F_REQUEST;
	genl = mnl_nlmsg_put_extra_header(request->header, sizeof(*genl));
	genl->cmd = command;
	genl->version = UTF8GUARD_FAMILY_VERSION;
}

void request_data(struct request *request, u16 type, const void *data,
		  size_t length, const char *word)
{
	if (request->count < MNL_ARRAY_SIZE(request->words)) {
		request->words[request->count].offset = request->header->nlmsg_len;
		request->words[request->count++].word = word;
	}
	if (!mnl_attr_put_check(request->header, sizeof(request->buffer), type,
				length, data)) {
		complain("the request is too long to send");
		exit(STATUS_USAGE);
	}
}

void request_u8(struct request *request, u16 type, u8 value, const char *word)
{
	request_data(request, type, &value, sizeof(value), word);
}

void request_u16(struct request *request, u16 type, u16 value, const char *word)
{
	request_data(request, type, &value, sizeof(value), word);
}

void request_u32(struct request *request, u16 type, u32 value, const char *word)
{
	request_data(request, type, &value, sizeof(value), word);
}

/* @attrs: whole attributes, one after the other */
void request_nest(struct request *request, u16 type, const void *attrs,
		  size_t length, const char *word)
{
	request_data(request, type | NLA_F_NESTED, attrs, length, word);
}

void request_flag(struct request *request, u16 type, const char *word)
{
	request_data(request, type, "", 0, word);
}

void request_string(struct request *request, u16 type, const char *value,
		    const char *word)
{
	request_data(request, type, value, strlen(value) + 1, word);
}

/* The user's word that made the attribute at @offset, or that which it is nested in; or NULL. */
const char *request_word(const struct request *request, u32 offset)
{
	const char *word = NULL;
	unsigned int i;

	for (i = 0; offset && i < request->count && request->words[i].offset <= offset; i++)
		word = request->words[i].word;
	return word;
}
