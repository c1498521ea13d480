/* SPDX-License-Identifier: GPL-2.0 */
/* What a command line asks of the rules, on its way to the kernel. */
#ifndef UTF8GUARD_TOOL_CHANGE_H
#define UTF8GUARD_TOOL_CHANGE_H

#include "netlink/request.h"
#include "words/words.h"

struct rules;

/**
 * enum left_out - a line of a policy that would decide nothing, as a warning said
 * @LEFT_OUT_ABSENT: what it is for is not there
 * @LEFT_OUT_UNSEEN: the caller may not look whether that is there
 */
enum left_out {
	LEFT_OUT_NOT = 0,
	LEFT_OUT_ABSENT,
	LEFT_OUT_UNSEEN,
};

/**
 * struct change - what a command line asks of the rules
 * @of: the rules of which check
 * @shows: it changes nothing; it asks to be shown the rules
 * @left_out: it is not to be sent to the kernel
 * @ensures: adds a rule unless an equal one exists; the output says which of the two it is
 * @words: of the rule that is to be deleted, where these name it; else NULL
 * @of_default: the user's word for the default rule, where the request lacks
 *	its handle; else NULL
 * @request: for the kernel
 */
struct change {
	const struct rules *of;
	bool shows, ensures;
	enum left_out left_out;
	char *const *words;
	const char *of_default;
	struct request request;
};

#endif /* UTF8GUARD_TOOL_CHANGE_H */
