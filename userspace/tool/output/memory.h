/* SPDX-License-Identifier: GPL-2.0 */
/* Without memory the tool ends: it could do nothing useful. */
#ifndef UTF8GUARD_TOOL_MEMORY_H
#define UTF8GUARD_TOOL_MEMORY_H

/* The exit status of what is no fault of the kernel; commands for plugins have one of their own. */
extern int status_wrong;

void *no_null(void *pointer);

#endif /* UTF8GUARD_TOOL_MEMORY_H */
