/* SPDX-License-Identifier: GPL-2.0 */
/* The words of a command line, taken one by one. */
#ifndef UTF8GUARD_TOOL_WORDS_H
#define UTF8GUARD_TOOL_WORDS_H

#include <linux/utf8guard.h>

/**
 * struct words - what is left of a command line
 * @command: the words before, for complaints
 * @next: the next word; NULL is the end
 * @last: the word that was taken last, or NULL
 * @of_policy: they are a line of a policy, where "show" is no word
 */
struct words {
	const char *command;
	char **next;
	const char *last;
	bool of_policy;
};

struct range {
	u32 min, max;
};

/*
 * Those that take a word complain where it is missing or wrong, naming the word and what was
 * expected, and return NULL, false or -1. words_skip() alone never complains. Lists end with NULL.
 */
bool words_left(const struct words *words);
const char *words_take(struct words *words, const char *expected);
bool words_skip(struct words *words, const char *word);
int words_choose(struct words *words, const char *const *list);
int words_choose_any_case(struct words *words, const char *const *list);
bool words_number(struct words *words, const char *expected, u32 *number);
bool words_positive(struct words *words, const char *expected, u32 *number);
bool words_user(struct words *words, const char *expected, u32 *uid);
bool words_users(struct words *words, struct range *range);
bool words_comment(struct words *words, const char **comment);
bool words_end(const struct words *words);
void words_unknown(const char *word, const char *const *list);
char *words_alternatives(const char *prefix, const char *const *list);

#endif /* UTF8GUARD_TOOL_WORDS_H */
