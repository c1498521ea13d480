/* SPDX-License-Identifier: GPL-2.0 */
/* A file that is written anew: it has its old octets until all of the new ones are on the disk. */
#ifndef UTF8GUARD_TOOL_REPLACEMENT_H
#define UTF8GUARD_TOOL_REPLACEMENT_H

#include <signal.h>
#include <stdbool.h>

/**
 * struct replacement - what takes the place of a file
 * @path: the file
 * @temporary: what is written meanwhile, beside it
 * @signals: that were blocked before
 * @pipe: what SIGPIPE did before
 * @too_long: what SIGXFSZ did before
 */
struct replacement {
	char *path, *temporary;
	sigset_t signals;
	struct sigaction pipe, too_long;
};

bool replacement_begin(struct replacement *replacement, const char *path);
bool replacement_end(struct replacement *replacement);

#endif /* UTF8GUARD_TOOL_REPLACEMENT_H */
