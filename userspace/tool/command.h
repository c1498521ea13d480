/* SPDX-License-Identifier: GPL-2.0 */
/* What every command of the tool shares: its entry in the table, its status. */
#ifndef UTF8GUARD_TOOL_COMMAND_H
#define UTF8GUARD_TOOL_COMMAND_H

#include "words/options.h"
#include "words/words.h"

enum status {
	STATUS_DONE = 0,
	STATUS_NO = 1,		/* a negative answer */
	STATUS_USAGE = 2,	/* wrong words, unreadable input, output that failed */
	STATUS_REFUSED = 3,	/* the kernel said no */
	STATUS_ABSENT = 4,	/* no module, or no netlink */
};

/**
 * struct command - a word that the tool knows
 * @name: the word
 * @options: those that it takes, or NULL where there are none but those of all
 * @summary: a line for the list of commands
 * @help: how it is used, for "help WORD"
 * @run: does it and returns enum status
 */
struct command {
	const char *name;
	const struct option_row *options;
	const char *summary;
	const char *help;
	int (*run)(struct words *words);
};

/* For @options: the rows, without the one that ends them. */
#define OPTIONS(...)	((const struct option_row[]){ __VA_ARGS__, { 0 } })

/* In the order in which help lists them; ends with NULL. */
extern const struct command *const commands[];

extern const struct command command_show, command_validate, command_explain, command_compare,
	command_fs, command_net, command_save, command_load, command_confirm, command_lock,
	command_stats, command_reset, command_monitor,
	command_normalize, command_convert, command_sanitize, command_scan, command_version, command_help;

const struct command *command_find(const char *name);
void command_unknown(const char *word);

#endif /* UTF8GUARD_TOOL_COMMAND_H */
