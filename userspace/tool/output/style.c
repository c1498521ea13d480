// SPDX-License-Identifier: GPL-2.0
/* Colours, and numbers for people, if standard output is for people. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "output.h"
#include "style.h"

/* Is the output for a person? Then it need not be what "load" reads. */
bool style_terminal(void)
{
	return isatty(STDOUT_FILENO);
}

/* By no-color.org, NO_COLOR counts with any value that is not empty. */
bool style_colors(void)
{
	const char *no = getenv("NO_COLOR");

	return options.color == STYLE_ALWAYS || (options.color == STYLE_AUTO && !(no && *no));
}

static bool is_wanted(void)
{
	const char *term = getenv("TERM");

	if (options.json || !style_colors())
		return false;
	if (options.color == STYLE_ALWAYS)
		return true;
	return style_terminal() && term && *term && strcmp(term, "dumb");
}

/* Only of the eight colours that every terminal has; "" where there shall be none. */
const char *style_begin(enum style style)
{
	static const char *const sequences[] = {
		[STYLE_REFUSED] = "\033[31m",
		[STYLE_AUDITED] = "\033[33m",
		[STYLE_NOTE] = "\033[2m",
		[STYLE_TITLE] = "\033[1m",
	};

	return is_wanted() ? sequences[style] : "";
}

const char *style_end(void)
{
	return is_wanted() ? "\033[0m" : "";
}

/* Three digits and the power of a thousand: "12.3k". Rounded down. */
static void shorten(char *text, size_t size, unsigned long long count)
{
	static const char powers[] = "kMGTPE";
	unsigned long long unit = 1000;
	size_t power = 0;

	while (count / unit >= 1000) {
		unit *= 1000;
		power++;
	}
	if (count / unit >= 100)
		snprintf(text, size, "%llu%c", count / unit, powers[power]);
	else if (count / unit >= 10)
		snprintf(text, size, "%llu.%llu%c", count / unit, count % unit / (unit / 10),
			 powers[power]);
	else
		snprintf(text, size, "%llu.%02llu%c", count / unit, count % unit / (unit / 100),
			 powers[power]);
}

/**
 * count_text() - a counter, short with -H
 * @count: the counter
 *
 * Return: the text, good until eight others were asked for.
 */
const char *count_text(unsigned long long count)
{
	static char texts[8][48];
	static unsigned int last;
	char *text = texts[last++ % 8];

	if (options.human && count >= 1000)
		shorten(text, sizeof(texts[0]), count);
	else
		snprintf(text, sizeof(texts[0]), "%llu", count);
	return text;
}
