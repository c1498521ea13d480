/* SPDX-License-Identifier: GPL-2.0 */
/* Which other encodings a text could be in. */
#ifndef UTF8GUARD_TOOL_GUESS_H
#define UTF8GUARD_TOOL_GUESS_H

#include <stddef.h>
#include <linux/utf8guard.h>

/**
 * typedef guess_fn - told of each guess, the likeliest first
 * @encoding: its name
 * @text: the beginning of what the text says in it: UTF-8, not yet safe to show
 * @length: of that
 */
typedef void guess_fn(const char *encoding, const u8 *text, size_t length);

bool guess_is_utf_7(const u8 *text, size_t length);
void guess(const u8 *text, size_t length, guess_fn *tell);

#endif /* UTF8GUARD_TOOL_GUESS_H */
