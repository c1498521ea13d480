/* SPDX-License-Identifier: GPL-2.0 */
/* What a command line asks of the rules, on its way to the kernel. */
#ifndef UTF8GUARD_TOOL_CHANGE_H
#define UTF8GUARD_TOOL_CHANGE_H

#include "netlink/request.h"
#include "words/words.h"

struct rules;

/**
 * struct change - what a command line asks of the rules
 * @of: the rules of which check
 * @shows: it changes nothing; it asks to be shown the rules
 * @left_out: a line of a policy that would decide nothing, as a warning said
 * @ensures: adds a rule unless an equal one exists; the output says which of the two it is
 * @words: of the rule that is to be deleted, where these name it; else NULL
 * @of_default: the user's word for the default rule, where the request lacks
 *	its handle; else NULL
 * @request: for the kernel
 */
struct change {
	const struct rules *of;
	bool shows, left_out, ensures;
	char *const *words;
	const char *of_default;
	struct request request;
};

#endif /* UTF8GUARD_TOOL_CHANGE_H */
