/* SPDX-License-Identifier: GPL-2.0 */
/* What other decoders have made of ill-formed sequences. */
#ifndef UTF8GUARD_TOOL_OTHERS_H
#define UTF8GUARD_TOOL_OTHERS_H

#include <linux/utf8guard.h>

/* The longest that others_say() writes, and its NUL. */
#define OTHERS_MAX 200

unsigned int others_replace(const struct utf8guard_error *error);
void others_say(char *to, const u8 *text, size_t length,
		const struct utf8guard_error *error);

#endif /* UTF8GUARD_TOOL_OTHERS_H */
