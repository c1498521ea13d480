/* SPDX-License-Identifier: GPL-2.0 */
/* The words that make a rule of the name check. */
#ifndef UTF8GUARD_TOOL_FS_RULE_H
#define UTF8GUARD_TOOL_FS_RULE_H

#include "netlink/request.h"
#include "words/words.h"

extern bool fs_rule_may_wait;

/* It is to be deleted: what it waits for is no news. */
extern bool fs_rule_is_old;

const char *fs_rule_open(const char *word, struct request *request);
bool fs_rule_mode(struct words *words, struct request *request);
bool fs_rule_rest(struct words *words, struct request *request);
bool fs_rule_take(struct words *words, struct request *request, bool *left_out);

#endif /* UTF8GUARD_TOOL_FS_RULE_H */
