// SPDX-License-Identifier: GPL-2.0
/* utf8guard version: the version of the tool; "show" prints that of the modules. */
#include <stdio.h>

#include "command.h"
#include "output/output.h"

static int run(struct words *words)
{
	if (!words_end(words))
		return STATUS_USAGE;
	if (options.json)
		output_json(json_pack("{s:s}", "tool", UTF8GUARD_VERSION));
	else
		puts("utf8guard " UTF8GUARD_VERSION);
	return STATUS_DONE;
}

const struct command command_version = {
	.name = "version",
	.options = OPTIONS(OPTION_JSON, OPTION_PRETTY),
	.summary = "the version of the tool",
	.help =
"utf8guard version [-j]\n"
"\n"
"The version of the tool. That of the modules is shown by: utf8guard show\n",
	.run = run,
};
