// SPDX-License-Identifier: GPL-2.0
/*
 * A line of a policy file: words, quoted as in a shell.
 *
 * What is accepted here means the same to bash. Whatever bash would treat specially (variables,
 * patterns, pipes) is an error, unless it is quoted. One thing is different: where definitions
 * are given, $NAME outside of quotes stands for one of them.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "line.h"
#include "output/output.h"
#include "output/text.h"

/* The longest list that definitions make, in octets: each may be a list of earlier ones. */
#define LIST_MOST 65536

/**
 * struct reader - a line on its way into words
 * @at, @end: what is left of it
 * @word: the bytes of the word so far; room for them and for what is left of the line
 * @length: how many
 * @defined: what $NAME may stand for; NULL where that is an error, as in a shell
 * @reason: what is wrong at @at, or NULL
 */
struct reader {
	const char *at, *end;
	char *word;
	size_t length;
	const struct definition *defined;
	const char *reason;
};

static void put(struct reader *r, char c)
{
	r->word[r->length++] = c;
}

static bool wrong(struct reader *r, const char *reason)
{
	r->reason = reason;
	return false;
}

static bool unfinished(struct reader *r, const char *from, const char *reason)
{
	r->at = from;
	return wrong(r, reason);
}

/* The digit of a number in @base that comes next, or -1. */
static int next_digit(const struct reader *r, int base)
{
	int digit = r->at < r->end ? text_digit(*r->at) : -1;

	return digit < base ? digit : -1;
}

/* Reads an octet of a word, of up to @most digits in @base. */
static bool read_octet(struct reader *r, int base, int most)
{
	int value = 0, n;

	for (n = 0; n < most && next_digit(r, base) >= 0; n++)
		value = value * base + text_digit(*r->at++);
	if (!n)
		return wrong(r, "expected digits after \\x");
	if (!value || value > 0xff)
		return wrong(r, "a word cannot have an octet of this value");
	put(r, (char)value);
	return true;
}

/* What follows a backslash in $'...', as in C. */
static bool read_escape(struct reader *r)
{
	static const char letters[] = "abeEfnrtv\\'\"?";
	static const char values[] = "\a\b\033\033\f\n\r\t\v\\'\"?";
	const char *letter;

	if (r->at == r->end)
		return true;
	if (*r->at == 'x') {
		r->at++;
		return read_octet(r, 16, 2);
	}
	if (next_digit(r, 8) >= 0)
		return read_octet(r, 8, 3);
	letter = strchr(letters, *r->at);
	if (!letter)
		return wrong(r, "unknown escape; expected \\xHH, \\\\ or \\' and the like");
	put(r, values[letter - letters]);
	r->at++;
	return true;
}

/* Reads from the octet after the opening quote to that after the closing one. */
static bool read_single(struct reader *r)
{
	const char *from = r->at - 1;

	while (r->at < r->end) {
		if (*r->at++ == '\'')
			return true;
		put(r, r->at[-1]);
	}
	return unfinished(r, from, "a closing ' is missing");
}

static bool read_dollar(struct reader *r)
{
	const char *from = r->at - 2;

	while (r->at < r->end) {
		char c = *r->at++;

		if (c == '\'')
			return true;
		if (c != '\\')
			put(r, c);
		else if (!read_escape(r))
			return false;
	}
	return unfinished(r, from, "a closing ' is missing");
}

static bool read_double(struct reader *r)
{
	const char *from = r->at - 1;

	while (r->at < r->end) {
		char c = *r->at++;

		if (c == '"')
			return true;
		if (c == '$' || c == '`' || c == '!')
			return unfinished(r, r->at - 1,
					  "stands for nothing here; write it in '...'");
		if (c == '\\' && r->at < r->end && strchr("\\\"$`", *r->at))
			c = *r->at++;
		put(r, c);
	}
	return unfinished(r, from, "a closing \" is missing");
}

static bool read_plain(struct reader *r, char c)
{
	if (c == '\\') {
		if (r->at == r->end)
			return unfinished(r, r->at - 1, "a line cannot continue on the next one");
		c = *r->at++;
	} else if (strchr("$`*?[]{}()<>|&;!~^", c)) {
		return unfinished(r, r->at - 1, "a shell would not take this as it is; quote it");
	}
	put(r, c);
	return true;
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* How much of a text is a name: letters, digits and _, no digit first. */
static size_t name_length(const char *text, const char *end)
{
	const char *at = text;

	while (at < end && (*at == '_' || (*at >= 'A' && *at <= 'Z') || (*at >= 'a' && *at <= 'z') ||
			    (at > text && *at >= '0' && *at <= '9')))
		at++;
	return (size_t)(at - text);
}

static bool is_reference(const struct reader *r)
{
	return r->defined && *r->at == '$' && name_length(r->at + 1, r->end);
}

/* Takes the "$NAME" that comes next. Return: what it stands for, or NULL and a reason. */
static const struct definition *take_reference(struct reader *r)
{
	const char *from = r->at, *name = from + 1;
	const size_t length = name_length(name, r->end);
	const struct definition *definition = definition_find(r->defined, name, length);

	r->at = name + length;
	if (definition && definition->name[0])
		return definition;
	unfinished(r, from, "nothing of this name is defined in a line before");
	return NULL;
}

/* "$NAME" with a comma on one side or both: an element of a list, or a list itself. */
static bool read_element(struct reader *r)
{
	const char *from = r->at;
	const struct definition *definition = take_reference(r);
	size_t length;

	if (!definition)
		return false;
	if (r->at < r->end && *r->at != ',' && !is_blank(*r->at))
		return unfinished(r, from,
				  "a definition stands for whole words, or for what is between commas");
	if (definition->line.count != 1)
		return unfinished(r, from, "several words cannot be part of a list");
	length = strlen(definition->line.words[0]);
	if (r->length + length > LIST_MOST)
		return unfinished(r, from, "too long a list");
	r->word = no_null(realloc(r->word, r->length + length + (size_t)(r->end - r->at) + 1));
	memcpy(r->word + r->length, definition->line.words[0], length);
	r->length += length;
	return true;
}

/* Reads the word that begins at @at. */
static bool read_word(struct reader *r)
{
	bool good = true;

	r->length = 0;
	while (good && r->at < r->end && !is_blank(*r->at)) {
		char c;

		if (is_reference(r) && (!r->length || r->word[r->length - 1] == ',')) {
			good = read_element(r);
			continue;
		}
		c = *r->at++;
		if (c == '\'') {
			good = read_single(r);
		} else if (c == '"') {
			good = read_double(r);
		} else if (c == '$' && r->at < r->end && *r->at == '\'') {
			r->at++;
			good = read_dollar(r);
		} else {
			good = read_plain(r, c);
		}
	}
	return good;
}

static void add(struct line *line, const char *word, size_t length)
{
	line->words = no_null(realloc(line->words,
				      (line->count + 2) * sizeof(*line->words)));
	line->words[line->count++] = no_null(strndup(word, length));
	line->words[line->count] = NULL;
}

/* Adds a word after those that are there. */
void line_add(struct line *line, const char *word)
{
	add(line, word, strlen(word));
}

bool definition_is_name(const char *word)
{
	const char *end = word + strlen(word);

	return *word && name_length(word, end) == strlen(word);
}

/* NULL where nothing of this name is defined. */
const struct definition *definition_find(const struct definition *defined, const char *name,
					 size_t length)
{
	while (defined && (strlen(defined->name) != length || memcmp(defined->name, name, length)))
		defined = defined->next;
	return defined;
}

/* Is the next word a "$NAME", and nothing else? */
static bool is_whole_reference(const struct reader *r)
{
	const char *after = r->at + 1 + name_length(r->at + 1, r->end);

	return is_reference(r) && (after == r->end || is_blank(*after));
}

/* Takes the "$NAME" that is a word, and adds the words that it stands for. */
static bool read_reference(struct reader *r, struct line *line)
{
	const char *from = r->at;
	const struct definition *definition = take_reference(r);
	size_t i;

	if (!definition)
		return false;
	if (line->count + definition->line.count > LINE_MOST)
		return unfinished(r, from, "too many words for a line");
	for (i = 0; i < definition->line.count; i++)
		line_add(line, definition->line.words[i]);
	return true;
}

static bool read_words(struct reader *r, struct line *line)
{
	for (;;) {
		while (r->at < r->end && is_blank(*r->at))
			r->at++;
		if (r->at == r->end || *r->at == '#')
			return true;
		if (is_whole_reference(r)) {
			if (!read_reference(r, line))
				return false;
			continue;
		}
		if (!read_word(r))
			return false;
		add(line, r->word, r->length);
	}
}

/**
 * line_split_defined() - the words of a line
 * @line: filled in; to be given to line_free(), after an error too
 * @text: without the end of line, and without NUL
 * @length: of @text
 * @defined: what may stand in it for other words, or NULL
 * @error: filled in on failure; the rest of the line from what is wrong
 *
 * A line without words, or with a comment only, has a count of 0.
 */
bool line_split_defined(struct line *line, const char *text, size_t length,
			const struct definition *defined, struct line_error *error)
{
	struct reader r = {
		.at = text, .end = text + length, .word = no_null(malloc(length + 1)),
		.defined = defined,
	};
	bool good;

	*line = (struct line){ 0 };
	good = read_words(&r, line);
	if (!good)
		*error = (struct line_error){ no_null(strndup(r.at, (size_t)(r.end - r.at))),
					      r.reason };
	free(r.word);
	return good;
}

/* As line_split_defined(), without definitions. */
bool line_split(struct line *line, const char *text, size_t length, struct line_error *error)
{
	return line_split_defined(line, text, length, NULL, error);
}

/* A text of which line_split(), and bash, make these words; malloc'd. */
char *line_text(const struct line *line)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = no_null(open_memstream(&text, &size));

	for (i = 0; i < line->count; i++) {
		char *escaped = text_escape(line->words[i], strlen(line->words[i]));
		char *quoted = text_quote(escaped);

		fprintf(out, i ? " %s" : "%s", quoted);
		free(quoted);
		free(escaped);
	}
	fclose(out);
	return no_null(text);
}

void line_free(struct line *line)
{
	size_t i;

	for (i = 0; i < line->count; i++)
		free(line->words[i]);
	free(line->words);
	*line = (struct line){ 0 };
}
