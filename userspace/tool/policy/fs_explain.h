/* SPDX-License-Identifier: GPL-2.0 */
/* Which rules of the name check are asked for a name, and which decides. */
#ifndef UTF8GUARD_TOOL_FS_EXPLAIN_H
#define UTF8GUARD_TOOL_FS_EXPLAIN_H

#include "words/words.h"

int fs_explain(const char *path, struct words *words);

#endif /* UTF8GUARD_TOOL_FS_EXPLAIN_H */
