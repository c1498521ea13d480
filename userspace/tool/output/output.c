// SPDX-License-Identifier: GPL-2.0
/* Where the tool's words go: complaints, and JSON on standard output. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "text.h"

struct options options;

const struct place *complain_place;

/* "utf8guard: FILE:LINE: ", or what there is of it */
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

/* The word comes from the user, or from a file system: it may hold anything. */
void complain_word(const char *word, const char *format, ...)
{
	char *shown = text_escape(word, strlen(word));
	va_list arguments;

	va_start(arguments, format);
	begin_complaint();
	fprintf(stderr, "%s: ", *shown ? shown : "\"\"");
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	free(shown);
}

/* One value a line, unless pretty; takes over the reference. */
void output_json(json_t *value)
{
	json_dumpf(no_null(value), stdout,
		   options.pretty ? JSON_INDENT(2) : JSON_COMPACT);
	putchar('\n');
	json_decref(value);
}

unsigned long long member_number(const json_t *object, const char *name)
{
	return (unsigned long long)json_integer_value(json_object_get(object, name));
}

const char *member_text(const json_t *object, const char *name)
{
	const char *text = json_string_value(json_object_get(object, name));

	return text ? text : "";
}

bool member_present(const json_t *object, const char *name)
{
	return json_object_get(object, name) != NULL;
}
