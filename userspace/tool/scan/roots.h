/* SPDX-License-Identifier: GPL-2.0 */
/* The directories that scan was given. */
#ifndef UTF8GUARD_TOOL_ROOTS_H
#define UTF8GUARD_TOOL_ROOTS_H

#include <stdbool.h>

void roots_leave_out(char **paths, bool mounts);
void roots_put_lower_first(char **paths);

#endif /* UTF8GUARD_TOOL_ROOTS_H */
