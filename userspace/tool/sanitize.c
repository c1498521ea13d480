// SPDX-License-Identifier: GPL-2.0
/* utf8guard sanitize: removes or replaces what is not UTF-8 in a text. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output/output.h"
#include "text/input.h"

static void sanitize(enum utf8guard_repair repair, const u8 *text, size_t length)
{
	size_t size = length + 64, written;
	u8 *out;

	for (;;) {
		out = no_null(malloc(size));
		written = size;
		if (!utf8guard_sanitize(repair, text, length, out, &written))
			break;
		free(out);
		size = written;
	}
	fwrite(out, 1, written, stdout);
	free(out);
}

/* Which of the two was said. */
static bool replaces, skips;

static int run(struct words *words)
{
	const char *path;
	size_t length;
	u8 *text;

	if (replaces && skips) {
		complain("sanitize: --replace and --skip cannot be combined");
		return STATUS_USAGE;
	}
	text = input_take(words, &path, &length);
	if (!text)
		return STATUS_USAGE;
	sanitize(skips ? UTF8GUARD_SKIP : UTF8GUARD_REPLACE, text, length);
	free(text);
	return STATUS_DONE;
}

const struct command command_sanitize = {
	.name = "sanitize",
	.options = OPTIONS({ .name = "replace", .flag = &replaces },
			   { .name = "skip", .flag = &skips }),
	.summary = "a text without what is not UTF-8 in it",
	.help =
"utf8guard sanitize [--replace|--skip] [FILE|-]\n"
"\n"
"Writes the text as well-formed UTF-8 to standard output. Without a FILE, or\n"
"where it is -, reads standard input. Works without the modules.\n"
"\n"
"  --replace  U+FFFD instead of each maximal subpart of an ill-formed sequence\n"
"             (The Unicode Standard, chapter 3); what it does without a word\n"
"  --skip     leave it out\n"
"  --         what follows is a file\n"
"\n"
"To leave out may join what was apart: 3C FF 2F becomes 3C 2F.\n"
"\n"
"Exit status: 0 done, 2 the file cannot be read.\n",
	.run = run,
};
