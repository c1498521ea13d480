/* SPDX-License-Identifier: GPL-2.0 */
/* Options, wherever they stand among the words of a command line. */
#ifndef UTF8GUARD_TOOL_OPTIONS_H
#define UTF8GUARD_TOOL_OPTIONS_H

#include <stddef.h>

#include "output/output.h"

struct words;

/**
 * struct option_row - an option of a command; a table of them ends with a row of zeros
 * @letter: as in -j, or 0
 * @name: as in --json; every option has one
 * @flag: of an option without a value: set to true
 * @take: of an option with a value: takes it, the only word that there is, or
 *	complains and returns false
 *
 * Of an option that is said twice, the last value counts, unless its @take adds them up.
 *
 * Options of one name take a value either in all commands or in none: options_skip()
 * passes over the options before the command, and does not know yet whose they are.
 */
struct option_row {
	char letter;
	const char *name;
	bool *flag;
	bool (*take)(struct words *value);
};

/* What means the same in every command that has it. */
#define OPTION_JSON	{ .letter = 'j', .name = "json", .flag = &options.json }
#define OPTION_PRETTY	{ .letter = 'p', .name = "pretty", .flag = &options.pretty }
#define OPTION_STATS	{ .letter = 's', .name = "stats", .flag = &options.stats }
#define OPTION_NUMERIC	{ .letter = 'n', .name = "numeric", .flag = &options.numeric }
#define OPTION_HUMAN	{ .letter = 'H', .name = "human", .flag = &options.human }
#define OPTION_COLOR	{ .name = "color", .take = options_take_color }
#define OPTION_NULL	{ .letter = '0', .name = "null", .flag = &options.null }

bool options_take_color(struct words *value);
char **options_take(const char *command, const struct option_row *rows, char *const *words);
int options_skip(const struct option_row *const *tables, char *const *words,
		 const char **unknown);

#endif /* UTF8GUARD_TOOL_OPTIONS_H */
