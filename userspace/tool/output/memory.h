/* SPDX-License-Identifier: GPL-2.0 */
/* Memory, or the end: a tool of an administrator has nothing to fall back to without. */
#ifndef UTF8GUARD_TOOL_MEMORY_H
#define UTF8GUARD_TOOL_MEMORY_H

void *no_null(void *pointer);

#endif /* UTF8GUARD_TOOL_MEMORY_H */
