// SPDX-License-Identifier: GPL-2.0
/* A policy as text: its lines, the files that it includes, and what it defines. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "output/text.h"
#include "policy.h"

/* How deep files include files, and how many in all, for each may include others several times. */
#define DEEPEST 16
#define MOST_FILES 256

/**
 * struct source - a file that is being read
 * @policy: to which its lines go
 * @path: of it
 * @from: that includes it, or NULL
 * @depth: how many include it, one through the other
 * @device, @inode: which file it is; 0 of standard input
 */
struct source {
	struct policy *policy;
	const char *path;
	const struct source *from;
	unsigned int depth;
	u64 device, inode;
};

static bool read_source(struct source *source, const char *text, size_t length);

/* The file is text that any editor shows: other octets are to be escaped. */
static bool is_text(const char *line, size_t length)
{
	struct utf8guard_error err;
	char *hex;

	if (memchr(line, '\0', length)) {
		complain("expected text; there is a NUL in this line");
		return false;
	}
	if (!utf8guard_validate(line, length, &err))
		return true;
	hex = text_hex(line + err.offset, err.span);
	complain("not UTF-8 at offset %zu of the line: %s: %s; write octets as $'\\xHH'",
		 err.offset, utf8guard_class_name(err.class), hex);
	free(hex);
	return false;
}

static bool split(const struct source *source, struct line *line, const char *text,
		  size_t length)
{
	struct line_error error;

	if (!is_text(text, length))
		return false;
	if (line_split_defined(line, text, length, source->policy->defined, &error))
		return true;
	complain_word(error.word, "%s", error.reason);
	free(error.word);
	return false;
}

static void identify(struct source *source)
{
	struct stat status;

	if (!strcmp(source->path, "-") || stat(source->path, &status))
		return;
	source->device = status.st_dev;
	source->inode = status.st_ino;
}

static bool is_open(const struct source *source, const struct source *file)
{
	while (source && (!file->inode || source->device != file->device ||
			  source->inode != file->inode))
		source = source->from;
	return source;
}

/* The path of an included file, by the directory of @source; kept for the places of complaints. */
static const char *resolve(struct source *source, const char *word)
{
	const char *slash = *word == '/' ? NULL : strrchr(source->path, '/');
	struct policy_file *file = no_null(malloc(sizeof(*file)));

	/* A file called "-" becomes "./-", because "-" alone is standard input. */
	if (asprintf(&file->path, "%.*s%s%s", slash ? (int)(slash - source->path) + 1 : 0,
		     slash ? source->path : "", !slash && *word == '-' ? "./" : "", word) < 0)
		no_null(NULL);
	file->next = source->policy->files;
	source->policy->files = file;
	return file->path;
}

static bool read_included(struct source *source)
{
	const struct place *place = complain_place;
	size_t length;
	char *text = policy_read(source->policy, source->path, &length);
	bool good = text;

	complain_place = NULL;
	if (text)
		good = read_source(source, text, length);
	complain_place = place;
	free(text);
	return good;
}

/* include FILE */
static bool include(struct source *source, const struct line *line)
{
	struct source file = { .policy = source->policy, .from = source,
			       .depth = source->depth + 1 };

	if (line->count != 2 || !*line->words[1]) {
		complain("include takes one file: include FILE");
		return false;
	}
	file.path = resolve(source, line->words[1]);
	identify(&file);
	if (is_open(source, &file))
		complain_word(file.path, "includes itself, by this line");
	else if (file.depth > DEEPEST)
		complain_word(file.path, "includes are nested more than %d deep", DEEPEST);
	else if (++source->policy->included > MOST_FILES)
		complain_word(file.path, "more than %d files are included", MOST_FILES);
	else
		return read_included(&file);
	return false;
}

/* define NAME = WORD... */
static bool define(struct source *source, const struct line *line)
{
	struct definition *definition;
	const char *name = line->count > 1 ? line->words[1] : "";
	size_t i;

	if (line->count < 4 || strcmp(line->words[2], "=")) {
		complain("expected define NAME = WORD..., with spaces around the =");
		return false;
	}
	if (!definition_is_name(name)) {
		complain_word(name, "not a name; expected letters, digits and _, no digit first");
		return false;
	}
	if (definition_find(source->policy->defined, name, strlen(name))) {
		complain_word(name, "is defined already");
		return false;
	}
	definition = no_null(calloc(1, sizeof(*definition)));
	definition->name = no_null(strdup(name));
	for (i = 3; i < line->count; i++)
		line_add(&definition->line, line->words[i]);
	definition->next = source->policy->defined;
	source->policy->defined = definition;
	return true;
}

/* The function for a line that makes no rule: include or define; NULL for all others. */
static bool (*directive(const struct line *line))(struct source *, const struct line *)
{
	if (!strcmp(line->words[0], "include"))
		return include;
	return strcmp(line->words[0], "define") ? NULL : define;
}

static bool read_line(struct source *source, unsigned int number, const char *text,
		      size_t length)
{
	struct place place = { source->path, NULL, number };
	bool (*carry_out)(struct source *source, const struct line *line) = NULL;
	struct line line = { 0 };
	bool good;

	complain_place = &place;
	good = split(source, &line, text, length);
	if (good && line.count)
		carry_out = directive(&line);
	if (good && line.count && !carry_out)
		return policy_add(source->policy, &place, &line);
	if (carry_out)
		good = carry_out(source, &line);
	complain_place = NULL;
	line_free(&line);
	return good;
}

/**
 * policy_skip_mark() - complain of a byte order mark, which some editors put there unseen
 * @path: of the file
 * @text: what is in it
 * @length: of @text
 *
 * Return: the length of the mark, or 0.
 */
size_t policy_skip_mark(const char *path, const char *text, size_t length)
{
	static const char mark[] = "\xef\xbb\xbf";
	const struct place place = { path, NULL, 1 };

	if (length < strlen(mark) || memcmp(text, mark, strlen(mark)))
		return 0;
	complain_place = &place;
	complain("the file begins with a byte order mark (EF BB BF); save it as UTF-8 without BOM");
	complain_place = NULL;
	return strlen(mark);
}

/* Does the line end with CR? Complains of the first such line only, which @said tells. */
static bool is_dos(const struct source *source, unsigned int number, const char *line,
		   size_t length, bool said)
{
	const struct place place = { source->path, NULL, number };

	if (!length || line[length - 1] != '\r')
		return false;
	if (said)
		return true;
	complain_place = &place;
	complain("the line ends with a carriage return, as in files of DOS (CRLF); remove these with: sed -i 's/\\r$//' FILE");
	complain_place = NULL;
	return true;
}

/* Is the file something that ends as if all were there when its other end dies? */
static bool is_stream(const struct source *source)
{
	struct stat status;
	int err = strcmp(source->path, "-") ? stat(source->path, &status) :
					      fstat(STDIN_FILENO, &status);

	return !err && (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode));
}

/*
 * A line that was cut may be a weaker rule. Some editors write no line feed at the end of a file;
 * but a pipe that ends so has most likely lost its sender.
 */
static bool may_end_so(const struct source *source, unsigned int number)
{
	const struct place place = { source->path, NULL, number };
	bool stream = is_stream(source);

	complain_place = &place;
	complain("%sthe last line has no line feed; it may have been cut off",
		 stream ? "" : "warning: ");
	complain_place = NULL;
	return !stream;
}

static bool is_line(const char *text, size_t length, const char *line)
{
	return length == strlen(line) && !memcmp(text, line, length);
}

/* What utf8guard save wrote has come to its end, where it began. */
static bool is_whole(const struct source *source, unsigned int number, bool saved)
{
	const struct place place = { source->path, NULL, number };

	if (!saved)
		return true;
	complain_place = &place;
	complain("the file ends here, without the line \"" POLICY_SAVED_END "\", which utf8guard save writes last: the rest is missing");
	complain_place = NULL;
	return false;
}

static bool read_source(struct source *source, const char *text, size_t length)
{
	const char *end = text + length;
	size_t mark = policy_skip_mark(source->path, text, length);
	bool good = !mark, dos = false, saved = false;
	unsigned int number = 0;

	text += mark;
	while (text < end && !source->policy->full) {
		const char *feed = memchr(text, '\n', (size_t)(end - text));
		const char *stop = feed ? feed : end;
		bool cr;

		cr = is_dos(source, ++number, text, (size_t)(stop - text), dos);
		dos |= cr;
		length = (size_t)(stop - text) - cr;
		good &= read_line(source, number, text, length) && !cr;
		if (!feed)
			good &= may_end_so(source, number);
		saved = is_line(text, length, POLICY_SAVED) ||
			(saved && !is_line(text, length, POLICY_SAVED_END));
		text = stop + 1;
	}
	return !source->policy->full && is_whole(source, number, saved) && good;
}

/* Complains of every wrong line, not of the first one only. Return: false if there is one. */
bool policy_read_text(struct policy *policy, const char *text, size_t length)
{
	struct source source = { .policy = policy, .path = policy->path };

	/* The end of the list, without a name: with a list, $NAME stands for a definition. */
	policy->defined = no_null(calloc(1, sizeof(*policy->defined)));
	policy->defined->name = no_null(strdup(""));
	identify(&source);
	return read_source(&source, text, length);
}
