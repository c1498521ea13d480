/* SPDX-License-Identifier: GPL-2.0 */
/* The words that make a rule of the name check. */
#ifndef UTF8GUARD_TOOL_FS_RULE_H
#define UTF8GUARD_TOOL_FS_RULE_H

#include "change.h"
#include "netlink/request.h"
#include "words/words.h"

/* The rule may be for what is not there yet. */
extern bool fs_rule_may_wait;

/* The rule is a line of a policy, which is loaded from any directory, before mounts and after. */
extern bool fs_rule_of_file;

/* The rule is to be deleted: no warning of what it waits for. */
extern bool fs_rule_is_old;

/* A path is refused if a symbolic link on its way leads elsewhere: others may have put it there. */
extern bool fs_rule_no_links;

/*
 * Why the kernel refused the rule again and again, as an errno; else 0. ESRCH is for the process in
 * its user namespace, all else for a location. What others took away is not looked for any more.
 */
extern int fs_rule_lost;

const char *fs_rule_open(const char *word, struct request *request);
bool fs_rule_mode(struct words *words, struct request *request);
bool fs_rule_rest(struct words *words, struct request *request);
bool fs_rule_take(struct words *words, struct request *request, enum left_out *left_out);

#endif /* UTF8GUARD_TOOL_FS_RULE_H */
