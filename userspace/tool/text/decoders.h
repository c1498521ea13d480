/* SPDX-License-Identifier: GPL-2.0 */
/* What other decoders have made of ill-formed sequences. */
#ifndef UTF8GUARD_TOOL_DECODERS_H
#define UTF8GUARD_TOOL_DECODERS_H

#include <linux/utf8guard.h>

/* The longest that decoders_say() writes, and its NUL. */
#define OTHERS_MAX 200

unsigned int decoders_replace(const struct utf8guard_error *error);
void decoders_say(char *to, const u8 *text, size_t length,
		  const struct utf8guard_error *error);

#endif /* UTF8GUARD_TOOL_DECODERS_H */
