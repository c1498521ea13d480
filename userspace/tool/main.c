// SPDX-License-Identifier: GPL-2.0
/* utf8guard: the table of commands, and the flags that all of them know. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "output.h"

const struct command *const commands[] = {
	&command_show,
	&command_validate,
	&command_explain,
	&command_normalize,
	&command_convert,
	&command_sanitize,
	&command_scan,
	&command_fs,
	&command_net,
	&command_save,
	&command_load,
	&command_confirm,
	&command_lock,
	&command_stats,
	&command_reset,
	&command_monitor,
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

/* Where options keeps the flag @letter, or NULL where there is no such flag. */
static bool *flag(char letter)
{
	switch (letter) {
	case 'j':
		return &options.json;
	case 'p':
		return &options.pretty;
	case 's':
		return &options.stats;
	case 'n':
		return &options.numeric;
	case '0':
		return &options.null;
	case 'c':
		return &options.check;
	default:
		return NULL;
	}
}

static bool take_flags(const char *word, char *taken)
{
	const char *letter;

	for (letter = word + 1; *letter; letter++) {
		bool *value = flag(*letter);

		if (!value) {
			complain_word(word, "unknown flag; expected -j, -p, -s, -n, -c or -0");
			return false;
		}
		if (!*value)
			taken[strlen(taken)] = *letter;
		*value = true;
	}
	return true;
}

/* Moves the flags out of the words; what follows "--" is left alone. */
static bool separate(char **argv, char *taken)
{
	char **from = argv, **to = argv;

	for (; *from && strcmp(*from, "--"); from++) {
		if (!words_is_flags(*from))
			*to++ = *from;
		else if (!take_flags(*from, taken))
			return false;
	}
	while ((*to++ = *from))
		from++;
	return true;
}

static bool flags_fit(const struct command *command, const char *taken)
{
	for (; *taken; taken++) {
		if (strchr(command->flags, *taken))
			continue;
		complain("%s: the flag -%c means nothing here", command->name, *taken);
		return false;
	}
	if (options.pretty)
		options.json = true;
	return true;
}

static const char *alias(const char *word)
{
	if (!strcmp(word, "-h") || !strcmp(word, "--help"))
		return "help";
	if (!strcmp(word, "-V") || !strcmp(word, "--version"))
		return "version";
	return word;
}

static int run(struct words *words, const char *taken)
{
	const char *word = words_left(words) ? words_take(words, NULL) : "show";
	const struct command *command = command_find(alias(word));

	if (!command) {
		const char *names[sizeof(commands) / sizeof(commands[0])] = { NULL };
		size_t i;

		for (i = 0; commands[i]; i++)
			names[i] = commands[i]->name;
		words_unknown(word, names);
		return STATUS_USAGE;
	}
	words->command = command->name;
	return flags_fit(command, taken) ? command->run(words) : STATUS_USAGE;
}

int main(int argc, char **argv)
{
	char taken[7] = "";
	struct words words = { .next = argv + 1 };
	int status;

	if (argc < 1)
		return STATUS_USAGE;
	if (argc > 1)
		argv[1] = (char *)alias(argv[1]);
	if (!separate(argv + 1, taken))
		return STATUS_USAGE;
	status = run(&words, taken);
	if (fflush(stdout) || ferror(stdout)) {
		complain("standard output: %s", strerror(errno));
		return STATUS_USAGE;
	}
	return status;
}
