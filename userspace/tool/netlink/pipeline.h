/* SPDX-License-Identifier: GPL-2.0 */
/* Many requests to a family, without waiting for each answer. */
#ifndef UTF8GUARD_TOOL_PIPELINE_H
#define UTF8GUARD_TOOL_PIPELINE_H

#include "netlink.h"

/**
 * struct pipeline - what is sent, and who hears of what was refused
 * @messages: made with request_init() and its like
 * @count: of them
 * @refused: called with the index of a message and why; the @word of that is not set
 * @context: for @refused
 */
struct pipeline {
	struct nlmsghdr *const *messages;
	size_t count;
	void (*refused)(size_t at, struct refusal *refusal, void *context);
	void *context;
};

int pipeline_run(const struct netlink *nl, const struct pipeline *pipeline);

#endif /* UTF8GUARD_TOOL_PIPELINE_H */
