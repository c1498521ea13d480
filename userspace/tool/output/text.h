/* SPDX-License-Identifier: GPL-2.0 */
/* Bytes of any origin as text that is safe to show. All results are malloc'd. */
#ifndef UTF8GUARD_TOOL_TEXT_H
#define UTF8GUARD_TOOL_TEXT_H

#include <stddef.h>
#include <linux/utf8guard.h>

bool text_shows(u32 code_point);
u32 text_decode(const u8 *character, size_t *length);
int text_digit(char c);
int text_octet(const char *digits);
char *text_escape(const void *bytes, size_t length);
size_t text_path_cut(const char *path, size_t length);
char *text_path(const char *path, size_t length);
char *text_unescape(const char *escaped);
char *text_quote(const char *escaped);
char *text_hex(const void *bytes, size_t length);

#endif /* UTF8GUARD_TOOL_TEXT_H */
