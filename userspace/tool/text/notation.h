/* SPDX-License-Identifier: GPL-2.0 */
/* Octets in the notations of people and programs. */
#ifndef UTF8GUARD_TOOL_NOTATION_H
#define UTF8GUARD_TOOL_NOTATION_H

#include <sys/types.h>
#include <linux/utf8guard.h>

ssize_t notation_read(const char *word, u8 *to);

#endif /* UTF8GUARD_TOOL_NOTATION_H */
