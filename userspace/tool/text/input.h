/* SPDX-License-Identifier: GPL-2.0 */
/* A whole file as a text, and what is wrong with it; or a file line by line. */
#ifndef UTF8GUARD_TOOL_INPUT_H
#define UTF8GUARD_TOOL_INPUT_H

#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>
#include <linux/utf8guard.h>

/* Of a log, the longest line: records, and the JSON of monitor, have some ten thousand octets. */
#define INPUT_LINE_MOST (1 << 20)

struct words;

u8 *input_read(const char *path, size_t *length);
u8 *input_read_most(const char *path, size_t *length, size_t most);
u8 *input_take(struct words *words, const char **path, size_t *length);
ssize_t input_line(char **text, size_t *room, size_t most, FILE *in);
void input_complain_line(const char *path, unsigned long long line, int error);
void input_complain(const char *path, const u8 *text,
		    const struct utf8guard_error *error);

#endif /* UTF8GUARD_TOOL_INPUT_H */
