/* SPDX-License-Identifier: GPL-2.0 */
/* Command lines of processes, which may not want to be asked. */
#ifndef UTF8GUARD_TOOL_COMMAND_LINE_H
#define UTF8GUARD_TOOL_COMMAND_LINE_H

#include <linux/utf8guard.h>

/* For tests: where it looks instead of in /proc. Only before the first command_line(). */
extern const char *command_line_proc;

char *command_line(u64 pid);

#endif /* UTF8GUARD_TOOL_COMMAND_LINE_H */
