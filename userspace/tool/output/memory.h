/* SPDX-License-Identifier: GPL-2.0 */
/* Without memory the tool ends: it could do nothing useful. */
#ifndef UTF8GUARD_TOOL_MEMORY_H
#define UTF8GUARD_TOOL_MEMORY_H

void *no_null(void *pointer);

#endif /* UTF8GUARD_TOOL_MEMORY_H */
