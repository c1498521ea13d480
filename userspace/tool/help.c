// SPDX-License-Identifier: GPL-2.0
/* utf8guard help: the commands, a line each, or all about one. */
#include <stdio.h>

#include "command.h"
#include "output/output.h"

static void list(void)
{
	const struct command *const *command;

	puts("utf8guard [OPTION...] COMMAND [WORD...]\n");
	for (command = commands; *command; command++)
		printf("  %-10s %s\n", (*command)->name, (*command)->summary);
	puts("\n"
	     "  -h, --help     how a command is used: utf8guard COMMAND --help\n"
	     "  -V, --version  the version of the tool\n"
	     "  -j, --json     JSON              -p, --pretty   JSON over several lines\n"
	     "  -s, --stats    counters too      -n, --numeric  no dates, no names of users\n"
	     "  -H, --human    short counters    -r, --recurse  into directories\n"
	     "  -0, --null     NUL after paths   -c, --check    change nothing\n"
	     "  -b, --batch    plain lines       -s, --summary  of validate and scan\n"
	     "  -N, --netns NETNS  in another network namespace\n"
	     "  --color WHEN       colours: auto, always or never\n"
	     "\n"
	     "Options stand anywhere before --, also as --name=VALUE, and may be shortened\n"
	     "while it is clear which is meant. Each command says which ones it takes.\n"
	     "\n"
	     "Exit status: 0 done, 1 a negative answer, 2 wrong use, 3 refused by the\n"
	     "kernel, 4 no module or no netlink. More: utf8guard help COMMAND");
}

static int run(struct words *words)
{
	const struct command *command;
	const char *word;

	if (!words_left(words)) {
		list();
		return STATUS_DONE;
	}
	word = words_take(words, NULL);
	command = command_find(word);
	if (!command) {
		command_unknown(word);
		return STATUS_USAGE;
	}
	if (!words_end(words))
		return STATUS_USAGE;
	fputs(command->help, stdout);
	return STATUS_DONE;
}

const struct command command_help = {
	.name = "help",
	.summary = "this list, or all about one command",
	.help = "utf8guard help [COMMAND]\n",
	.run = run,
};
