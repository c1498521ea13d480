// SPDX-License-Identifier: GPL-2.0
/*
 * A line of the log of scan --fix: a JSON object whose first member is named after the kind of
 * record. Names are written by text_escape(), so no octet is lost.
 */
#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "output/text.h"
#include "record.h"

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

/* What escaped() was given; malloc'd. NULL if it cannot have made @text. */
static char *unescaped(const char *text)
{
	return text ? text_unescape(text) : NULL;
}

/* What is not known is not written. */
static void put_number(json_t *object, const char *name, u64 number)
{
	if (number)
		json_object_set_new(object, name, decimal(number));
}

static void put_identity(json_t *object, const struct identity *identity)
{
	json_object_set_new(object, "inode", decimal(identity->inode));
	put_number(object, "born", identity->born);
	put_number(object, "changed", identity->changed);
	put_number(object, "size", identity->size);
}

/* The line of a record, without a line feed; malloc'd. */
char *record_format(const struct record *record)
{
	json_t *object = no_null(json_object());
	char *line;

	json_object_set_new(object, kinds[record->kind],
			    record->name ? escaped(record->name) : json_true());
	if (record->to)
		json_object_set_new(object, "to", escaped(record->to));
	if (record->through)
		json_object_set_new(object, "through", escaped(record->through));
	if (record->name)
		put_identity(object, &record->identity);
	if (record->mounts)
		json_object_set_new(object, "mounts", json_true());
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
		return is_name(record->name) && is_name(record->to) &&
		       (!record->through || is_name(record->through));
	default:
		return is_name(record->name) || (record->name && *record->name == '/');
	}
}

static void take_identity(struct identity *identity, const json_t *object)
{
	identity->inode = member_number(object, "inode");
	identity->born = member_number(object, "born");
	identity->changed = member_number(object, "changed");
	identity->size = member_number(object, "size");
}

static bool take(struct record *record, const json_t *object)
{
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		const json_t *value = json_object_get(object, kinds[i]);

		if (!value)
			continue;
		record->kind = i;
		record->name = unescaped(json_string_value(value));
		record->to = unescaped(json_string_value(json_object_get(object, "to")));
		record->through = unescaped(json_string_value(json_object_get(object, "through")));
		record->mounts = json_is_true(json_object_get(object, "mounts"));
		take_identity(&record->identity, object);
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
	free(record->through);
}
