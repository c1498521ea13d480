// SPDX-License-Identifier: GPL-2.0
/* Output of the tool: complaints, and JSON on standard output. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "text.h"

struct options options;

const struct place *complain_place;

/* "utf8guard: FILE:LINE: " or "utf8guard: FILE:LIST[INDEX]: "; without a place, "utf8guard: " */
static void begin_complaint(void)
{
	const struct place *place = complain_place;
	char *file;

	fputs("utf8guard: ", stderr);
	if (!place)
		return;
	file = text_escape(place->file, strlen(place->file));
	if (place->list)
		fprintf(stderr, "%s:%s[%u]: ", file, place->list, place->number);
	else
		fprintf(stderr, "%s:%u: ", file, place->number);
	free(file);
}

void complain(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	begin_complaint();
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
}

/* Octets that a complaint shows of a word: a file that is no policy may be one long word. */
#define SHOWN_MOST 4200

/* The word comes from the user, or from a file system: it may hold anything. */
void complain_word(const char *word, const char *format, ...)
{
	size_t length = strlen(word);
	char *shown = text_escape(word, length > SHOWN_MOST ? SHOWN_MOST : length);
	va_list arguments;

	va_start(arguments, format);
	begin_complaint();
	fprintf(stderr, "%s: ", *shown ? shown : "\"\"");
	if (length > SHOWN_MOST)
		fprintf(stderr, "(and %zu octets more): ", length - SHOWN_MOST);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	free(shown);
}

/**
 * output_json() - print a document
 * @object: its members, after the version; the reference is taken over
 *
 * One a line, unless pretty.
 */
void output_json(json_t *object)
{
	json_t *document = no_null(json_pack("{s:i}", "version", JSON_VERSION));

	json_object_update(document, no_null(object));
	/* Without memory it stops in the middle; that standard output fails, main() sees. */
	if (json_dumpf(document, stdout, options.pretty ? JSON_INDENT(2) : JSON_COMPACT) && !ferror(stdout))
		no_null(NULL);
	putchar('\n');
	json_decref(document);
	json_decref(object);
}

/**
 * decimal() - a number that may exceed 2^53 - 1, for JSON
 * @number: the number
 *
 * By RFC 8259, programs agree only on the integers that a double holds exactly. So
 * such a number is a string of digits, whatever its value: times in nanoseconds,
 * inode numbers, sums of octets. What is counted one by one stays a number: at ten
 * million a second, 2^53 is reached after 28 years.
 *
 * Return: the string.
 */
json_t *decimal(unsigned long long number)
{
	char digits[24];

	snprintf(digits, sizeof(digits), "%llu", number);
	return no_null(json_string(digits));
}

unsigned long long member_number(const json_t *object, const char *name)
{
	const json_t *value = json_object_get(object, name);

	if (json_is_string(value))
		return strtoull(json_string_value(value), NULL, 10);
	return (unsigned long long)json_integer_value(value);
}

const char *member_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

const char *member_word(const json_t *object, const char *name)
{
	static char texts[8][24];
	static unsigned int last;
	char *text;

	if (!json_is_integer(json_object_get(object, name)))
		return member_text(object, name);
	text = texts[last++ % 8];
	snprintf(text, sizeof(texts[0]), "%llu", member_number(object, name));
	return text;
}

bool member_present(const json_t *object, const char *name)
{
	return json_object_get(object, name) != NULL;
}
