/* SPDX-License-Identifier: GPL-2.0 */
/* User namespaces, as users name them. */
#ifndef UTF8GUARD_TOOL_USERNS_H
#define UTF8GUARD_TOOL_USERNS_H

#include <linux/utf8guard.h>

int userns_process(const char *word, u32 *pid, u32 *number);

#endif /* UTF8GUARD_TOOL_USERNS_H */
