/* SPDX-License-Identifier: GPL-2.0 */
/* A line of a policy file: words, quoted as in a shell. */
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

/**
 * struct definition - a name that stands for words in the lines after it
 * @name: without the dollar
 * @line: what it stands for
 * @next: the one before, or NULL
 */
struct definition {
	char *name;
	struct line line;
	struct definition *next;
};

/* More words than any line needs: what is defined by other definitions grows fast. */
#define LINE_MOST 4096

const struct definition *definition_find(const struct definition *defined, const char *name,
					 size_t length);
bool definition_is_name(const char *word);

void line_add(struct line *line, const char *word);
bool line_split_defined(struct line *line, const char *text, size_t length,
			const struct definition *defined, struct line_error *error);
bool line_split(struct line *line, const char *text, size_t length,
		struct line_error *error);
char *line_text(const struct line *line);
void line_free(struct line *line);

#endif /* UTF8GUARD_TOOL_LINE_H */
