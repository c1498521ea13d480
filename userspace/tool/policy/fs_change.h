/* SPDX-License-Identifier: GPL-2.0 */
/* Words that change the rules of the name check, as a request. */
#ifndef UTF8GUARD_TOOL_FS_CHANGE_H
#define UTF8GUARD_TOOL_FS_CHANGE_H

#include "change.h"

/* False after a complaint; words_left() says whether there are any more. */
bool fs_parse(struct words *words, struct change *change);

#endif /* UTF8GUARD_TOOL_FS_CHANGE_H */
