/* SPDX-License-Identifier: GPL-2.0 */
/* What every command of the tool shares: its entry in the table. */
#ifndef UTF8GUARD_TOOL_COMMAND_H
#define UTF8GUARD_TOOL_COMMAND_H

#include "output/exit_status.h"
#include "words/options.h"
#include "words/words.h"

/**
 * struct command - a word that the tool knows
 * @name: the word
 * @options: those that it takes beside --help and --version; NULL for none
 * @summary: a line for the list of commands
 * @help: how it is used, for "help WORD"
 * @wrong_line: what it prints on standard output where the words are wrong; NULL for nothing
 * @wrong: its exit status where the words are wrong, if that is not STATUS_USAGE
 * @run: does it and returns enum status
 */
struct command {
	const char *name;
	const struct option_row *options;
	const char *summary;
	const char *help;
	const char *wrong_line;
	int wrong;
	int (*run)(struct words *words);
};

/* For @options: the rows, without the one that ends them. */
#define OPTIONS(...)	((const struct option_row[]){ __VA_ARGS__, { 0 } })

/* In the order in which help lists them; ends with NULL. */
extern const struct command *const commands[];

extern const struct command command_show, command_validate, command_explain, command_compare,
	command_fs, command_net, command_save, command_load, command_diff, command_confirm, command_lock,
	command_follow, command_check, command_stats, command_reset, command_monitor, command_top, command_suggest,
	command_normalize, command_convert, command_sanitize, command_scan, command_version, command_help;

const struct command *command_find(const char *name);
void command_unknown(const char *word);

#endif /* UTF8GUARD_TOOL_COMMAND_H */
