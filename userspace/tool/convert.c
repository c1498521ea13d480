// SPDX-License-Identifier: GPL-2.0
/* utf8guard convert: from one encoding of Unicode to another. */
#include <errno.h>
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output/output.h"
#include "output/text.h"
#include "text/input.h"

/* In the order of enum utf8guard_encoding; the last four are never written. */
static const char *const encodings[] = {
	"utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be",
	"cesu-8", "modified-utf-8", "utf-16", "utf-32", NULL,
};

static const char *const written[] = {
	"utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be", NULL,
};

/* In the order of enum utf8guard_bom. */
static const char *const boms[] = { "keep", "strip", "require", NULL };

static void refuse(const char *path, const u8 *text,
		   const struct utf8guard_error *error)
{
	if (error->class == UTF8GUARD_CLASS_BOM)
		complain_word(path, "does not begin with a byte order mark");
	else
		input_complain(path, text, error);
}

static int convert(const struct utf8guard_conversion *how, const char *path,
		   const u8 *text, size_t length)
{
	size_t size = 2 * length + 4, written_size;
	struct utf8guard_error error;
	u8 *out;
	int ret;

	for (;;) {
		out = no_null(malloc(size));
		written_size = size;
		ret = utf8guard_convert(how, text, length, out, &written_size, &error);
		if (ret != -EMSGSIZE)
			break;
		free(out);
		size = written_size;
	}
	if (ret)
		refuse(path, text, &error);
	else
		fwrite(out, 1, written_size, stdout);
	free(out);
	return ret ? STATUS_NO : STATUS_DONE;
}

/* As the options say; -1 for one that is missing. */
static int from = -1, to = -1, bom = UTF8GUARD_BOM_KEEP;

/* What people write for them: names of charsets have no case (RFC 2978 section 2.3). */
static const char *usual(const char *word)
{
	static const char *const aliases[][2] = {
		{ "utf8", "utf-8" }, { "utf16le", "utf-16le" }, { "utf16be", "utf-16be" },
		{ "utf32le", "utf-32le" }, { "utf32be", "utf-32be" }, { "utf16", "utf-16" },
		{ "utf32", "utf-32" }, { "cesu8", "cesu-8" }, { "mutf-8", "modified-utf-8" },
		{ "mutf8", "modified-utf-8" },
	};
	size_t i;

	for (i = 0; i < sizeof(aliases) / sizeof(aliases[0]); i++)
		if (!strcasecmp(word, aliases[i][0]))
			return aliases[i][1];
	return word;
}

/* An encoding that iconv(3) knows, but not of Unicode, is no typing error: iconv(1) converts it. */
static bool is_foreign(const char *word)
{
	iconv_t known = *word ? iconv_open("UTF-8", word) : (iconv_t)-1;
	char *shown;

	if (known == (iconv_t)-1)
		return false;
	iconv_close(known);
	shown = text_escape(word, strlen(word));
	complain_word(word, "is not an encoding of Unicode; use iconv(1): iconv -f %s -t utf-8", shown);
	free(shown);
	return true;
}

static bool take_encoding(struct words *value, const char *const *list, int *choice)
{
	const char *word = *value->next;
	size_t i;

	for (i = 0; word && list[i]; i++) {
		if (strcasecmp(usual(word), list[i]))
			continue;
		*choice = (int)i;
		return true;
	}
	if (list == encodings && word && is_foreign(word))
		return false;
	return words_choose(value, list) >= 0;
}

static bool take_from(struct words *value)
{
	return take_encoding(value, encodings, &from);
}

static bool take_to(struct words *value)
{
	return take_encoding(value, written, &to);
}

static bool take_bom(struct words *value)
{
	bom = words_choose(value, boms);
	return bom >= 0;
}

static int run(struct words *words)
{
	struct utf8guard_conversion how;
	const char *path;
	size_t length;
	int status;
	u8 *text;

	if (from < 0 || to < 0) {
		complain("--%s ENCODING is missing", from < 0 ? "from" : "to");
		return STATUS_USAGE;
	}
	how = (struct utf8guard_conversion){ .from = from, .to = to, .bom = bom };
	text = input_take(words, &path, &length);
	if (!text)
		return STATUS_USAGE;
	status = convert(&how, path, text, length);
	free(text);
	return status;
}

const struct command command_convert = {
	.name = "convert",
	.options = OPTIONS({ .name = "from", .take = take_from },
			   { .name = "to", .take = take_to },
			   { .name = "bom", .take = take_bom }),
	.summary = "a text from one encoding of Unicode to another",
	.help =
"utf8guard convert --from ENCODING --to ENCODING [--bom WHAT] [FILE|-]\n"
"\n"
"Writes the text in the other encoding to standard output. Strict: of text that\n"
"is ill-formed the first mistake is reported, and nothing written. Without a\n"
"FILE, or where it is -, reads standard input. Works without the modules.\n"
"\n"
"  --from  utf-8, utf-16le, utf-16be, utf-32le, utf-32be, cesu-8,\n"
"          modified-utf-8, utf-16 or utf-32; the last two in the byte order that\n"
"          their mark tells, big-endian without one\n"
"  --to    one of the first five\n"
"  --bom   a byte order mark at the beginning: keep it, strip it, or require that\n"
"          there is one and keep it; without this word keep\n"
"  --      what follows is a file\n"
"\n"
"Exit status: 0 done, 1 the text is ill-formed, 2 the file cannot be read.\n",
	.run = run,
};
