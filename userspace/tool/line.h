/* SPDX-License-Identifier: GPL-2.0 */
/* A line of a policy file: words, quoted as a shell would have them. */
#ifndef UTF8GUARD_TOOL_LINE_H
#define UTF8GUARD_TOOL_LINE_H

#include <stdbool.h>
#include <stddef.h>

/**
 * struct line - the words of one command line
 * @words: ends with NULL, all of it malloc'd; NULL where there is none
 * @count: of words
 */
struct line {
	char **words;
	size_t count;
};

/* A place in a line of which a word cannot be made, and why; malloc'd. */
struct line_error {
	char *word;
	const char *reason;
};

void line_add(struct line *line, const char *word);
bool line_split(struct line *line, const char *text, size_t length,
		struct line_error *error);
char *line_text(const struct line *line);
void line_free(struct line *line);

#endif /* UTF8GUARD_TOOL_LINE_H */
