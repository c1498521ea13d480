// SPDX-License-Identifier: GPL-2.0
/* utf8guard: the table of commands, and which of them is run. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "output/output.h"
#include "words/suggest.h"

const struct command *const commands[] = {
	&command_show,
	&command_validate,
	&command_explain,
	&command_compare,
	&command_normalize,
	&command_convert,
	&command_sanitize,
	&command_scan,
	&command_fs,
	&command_net,
	&command_save,
	&command_load,
	&command_diff,
	&command_check,
	&command_confirm,
	&command_lock,
	&command_follow,
	&command_stats,
	&command_reset,
	&command_monitor,
	&command_top,
	&command_suggest,
	&command_version,
	&command_help,
	NULL,
};

const struct command *command_find(const char *name)
{
	const struct command *const *command;

	for (command = commands; *command; command++)
		if (!strcmp((*command)->name, name))
			return *command;
	return NULL;
}

/* Complains of a word that is no command. */
void command_unknown(const char *word)
{
	const char *names[sizeof(commands) / sizeof(commands[0])] = { NULL };
	size_t i;

	for (i = 0; commands[i]; i++)
		names[i] = commands[i]->name;
	words_unknown(word, names);
}

/* Complains of an option that no command has, where no command follows it. */
static void complain_option(const char *word)
{
	const char *known[sizeof(commands) / sizeof(commands[0]) + 4] = { NULL };
	const char *near;
	size_t i;

	for (i = 0; commands[i]; i++)
		known[i] = commands[i]->name;
	known[i++] = "--help";
	known[i++] = "--version";
	known[i++] = "--json";
	near = suggest(word, known);
	complain_word(word, "unknown option; utf8guard --help lists the commands%s%s%s",
		      near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

/**
 * choose() - which command the words are for
 * @argv: the words; that which names the command is taken out of them
 * @named: whether a word names it; without one, it is "show"
 *
 * Return: NULL after a complaint.
 */
static const struct command *choose(char **argv, bool *named)
{
	const struct option_row *tables[sizeof(commands) / sizeof(commands[0])] = { NULL };
	const struct command *command;
	const char *unknown;
	size_t i, n = 0;
	int at;

	for (i = 0; commands[i]; i++)
		if (commands[i]->options)
			tables[n++] = commands[i]->options;
	at = options_skip(tables, argv, &unknown);
	if (at < 0)
		return NULL;
	*named = argv[at];
	command = *named ? command_find(argv[at]) : unknown ? NULL : &command_show;
	if (!command && unknown)
		complain_option(unknown);
	else if (!command)
		command_unknown(argv[at]);
	for (; command && *named && argv[at]; at++)
		argv[at] = argv[at + 1];
	return command;
}

static int act(const struct command *command, bool named, char **operands)
{
	struct words words = { .command = command->name, .next = operands };
	struct words none = { .command = "version", .next = (char *[]){ NULL } };

	if (options.pretty)
		options.json = true;
	if (options.version)
		return command_version.run(&none);
	if (options.help && named)
		return fputs(command->help, stdout), STATUS_DONE;
	return (options.help ? &command_help : command)->run(&words);
}

static int run(char **argv)
{
	bool named;
	const struct command *command = choose(argv, &named);
	char **operands;
	int status;

	if (!command)
		return STATUS_USAGE;
	status_wrong = command->wrong ? command->wrong : STATUS_USAGE;
	operands = options_take(named ? command->name : "", command->options, argv);
	if (!operands) {
		if (command->wrong_line)
			puts(command->wrong_line);
		return status_wrong;
	}
	status = act(command, named, operands);
	free(operands);
	return status;
}

/*
 * What is opened later must not become one of these: output would go into it. Where one is closed,
 * reading and writing it fail all the same; only complaints are lost.
 */
static void fill_standard_files(void)
{
	static const int modes[] = { O_WRONLY, O_RDONLY, O_WRONLY };
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", modes[fd]) < 0)
			exit(STATUS_USAGE);
}

int main(int argc, char **argv)
{
	int status;

	fill_standard_files();
	if (argc < 1)
		return STATUS_USAGE;
	status = run(argv + 1);
	if (fflush(stdout) || ferror(stdout)) {
		complain("standard output: %s", strerror(errno));
		return status_wrong;
	}
	return status;
}
