// SPDX-License-Identifier: GPL-2.0
/*
 * A line of the log of scan --fix: an object of JSON whose first member is
 * called as the kind. Names are written as text_escape() has them, and no octet
 * is lost.
 */
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "record.h"
#include "text.h"

static const char *const kinds[] = {
	[RECORD_IN] = "in",
	[RECORD_OUT] = "out",
	[RECORD_RENAME] = "rename",
	[RECORD_END] = "end",
};

static json_t *escaped(const char *name)
{
	char *text = text_escape(name, strlen(name));
	json_t *value = no_null(json_string(text));

	free(text);
	return value;
}

static int digit(char c)
{
	static const char digits[] = "0123456789ABCDEF";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* The octet of "\xHH" or "\\"; -1 if it is neither. */
static int unescape_octet(const char **text)
{
	const char *from = *text;

	if (from[1] == '\\') {
		*text = from + 2;
		return '\\';
	}
	if (from[1] != 'x' || digit(from[2]) < 0 || digit(from[3]) < 0)
		return -1;
	*text = from + 4;
	return digit(from[2]) << 4 | digit(from[3]);
}

/* What text_escape() was given; malloc'd. NULL if it cannot have made @text. */
static char *unescape(const char *text)
{
	char *name, *to;

	if (!text)
		return NULL;
	name = to = no_null(malloc(strlen(text) + 1));
	while (*text) {
		int octet = *text == '\\' ? unescape_octet(&text) : *text++;

		if (octet == -1 || !octet) {
			free(name);
			return NULL;
		}
		*to++ = (char)octet;
	}
	*to = '\0';
	return name;
}

/* Without a line feed; malloc'd. */
char *record_format(const struct record *record)
{
	json_t *object = no_null(json_object());
	char *line;

	json_object_set_new(object, kinds[record->kind],
			    record->name ? escaped(record->name) : json_true());
	if (record->to)
		json_object_set_new(object, "to", escaped(record->to));
	if (record->name)
		json_object_set_new(object, "inode", json_integer((json_int_t)record->inode));
	line = no_null(json_dumps(object, JSON_COMPACT));
	json_decref(object);
	return line;
}

/* The log may come from anywhere: no name may lead out of its directory. */
static bool is_name(const char *name)
{
	return name && *name && !strchr(name, '/') && strcmp(name, ".") && strcmp(name, "..");
}

static bool is_sound(const struct record *record)
{
	switch (record->kind) {
	case RECORD_END:
		return true;
	case RECORD_RENAME:
		return is_name(record->name) && is_name(record->to);
	default:
		return is_name(record->name) || (record->name && *record->name == '/');
	}
}

static bool take(struct record *record, const json_t *object)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const json_t *value = json_object_get(object, kinds[i]);

		if (!value)
			continue;
		record->kind = i;
		record->name = unescape(json_string_value(value));
		record->to = unescape(json_string_value(json_object_get(object, "to")));
		record->inode = member_number(object, "inode");
		return is_sound(record);
	}
	return false;
}

/* Give it to record_drop(), whatever is returned: false if it is no record. */
bool record_parse(struct record *record, const char *line, size_t length)
{
	json_t *object = json_loadb(line, length, 0, NULL);
	bool good;

	*record = (struct record){ .kind = RECORD_END };
	good = take(record, object);
	json_decref(object);
	return good;
}

void record_drop(struct record *record)
{
	free(record->name);
	free(record->to);
}
