// SPDX-License-Identifier: GPL-2.0
/*
 * Reads refusals from the audit log (ausearch --raw, audit.log, the kernel's log): NAME=VALUE,
 * with the octets of names and paths in hexadecimal.
 *
 * The label of the process (subj=) is written as it is, and users choose labels of AppArmor: one
 * may look like fields, or like a record. So what stands before it is read, and of what comes
 * after it only the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_record.h"
#include "output/output.h"
#include "output/text.h"

/* The value of a field, up to the next space; malloc'd, or NULL. */
static char *field(const char *text, const char *name)
{
	const size_t length = strlen(name);
	const char *at = text;

	while ((at = strstr(at, name))) {
		if ((at == text || at[-1] == ' ') && at[length] == '=')
			return no_null(strndup(at + length + 1, strcspn(at + length + 1, " \n")));
		at += length;
	}
	return NULL;
}

static void put_word(json_t *event, const char *text, const char *name, const char *member)
{
	char *value = field(text, name);

	if (value)
		json_object_set_new(event, member, json_string(value));
	free(value);
}

static void put_number(json_t *event, const char *text, const char *name, const char *member)
{
	char *value = field(text, name);

	if (value)
		json_object_set_new(event, member,
				    json_integer((json_int_t)strtoull(value, NULL, 10)));
	free(value);
}

/* Octets, as text_escape() or, @as_hex, text_hex() have them. */
static void put_octets(json_t *event, const char *text, const char *name, bool as_hex)
{
	char *value = field(text, name), *shown;
	size_t length = value ? strlen(value) / 2 : 0, i;

	for (i = 0; i < length; i++)
		value[i] = (char)text_octet(value + 2 * i);
	if (value) {
		shown = as_hex ? text_hex(value, length) : text_escape(value, length);
		json_object_set_new(event, name, json_string(shown));
		free(shown);
	}
	free(value);
}

static void put_device(json_t *event, const char *text)
{
	unsigned int major, minor;
	char *value = field(text, "devno");

	if (value && sscanf(value, "%u:%u", &major, &minor) == 2) {
		json_object_set_new(event, "major", json_integer(major));
		json_object_set_new(event, "minor", json_integer(minor));
	}
	free(value);
}

static void put_protocol(json_t *event, const char *text)
{
	static const struct {
		const char *number, *name;
	} known[] = { { "6", "tcp" }, { "17", "udp" }, { "132", "sctp" }, { "136", "udplite" } };
	char *value = field(text, "proto");
	size_t i;

	for (i = 0; value && i < sizeof(known) / sizeof(known[0]); i++)
		if (!strcmp(value, known[i].number))
			json_object_set_new(event, "protocol", json_string(known[i].name));
	free(value);
}

/* Stands before the last field, which is " res=". Whatever the label is, that comes after it. */
static void put_suppressed(json_t *event, const char *text)
{
	const char *at, *end = NULL;

	for (at = text; (at = strstr(at, " res=")); at++)
		end = at;
	for (at = end; at && at > text && at[-1] != ' '; at--)
		;
	if (at && !strncmp(at, "suppressed=", strlen("suppressed=")))
		put_number(event, at, "suppressed", "suppressed");
}

static json_t *read_fields(const char *text, const char *end)
{
	static const char *const words[] = { "outcome", "class", "reason" };
	static const char *const numbers[] = { "rule", "uid", "offset", "sport", "dport", "netns" };
	const bool name = strstr(text, "op=utf8guard-name ");
	json_t *event;
	size_t i;

	if (!name && !strstr(text, "op=utf8guard-payload "))
		return NULL;
	event = no_null(json_object());
	put_word(event, text, "act", "op");
	put_word(event, text, "src", "saddr");
	put_word(event, text, "dst", "daddr");
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		put_word(event, text, words[i], words[i]);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		put_number(event, text, numbers[i], numbers[i]);
	put_octets(event, text, "bytes", true);
	if (name) {
		put_octets(event, text, "name", false);
		put_octets(event, text, "path", false);
		put_device(event, text);
	} else {
		put_protocol(event, text);
	}
	put_suppressed(event, end);
	return event;
}

/**
 * audit_record_read() - a refusal of the audit log, as an event of monitor
 * @text: a line of the log
 *
 * Return: the event, with the members that tell what was refused, and "netns" of packets; NULL
 * where the line is of something else.
 */
json_t *audit_record_read(const char *text)
{
	const char *label = strstr(text, " subj=");
	char *before = no_null(label ? strndup(text, (size_t)(label - text)) : strdup(text));
	json_t *event = read_fields(before, label ? label : text);

	free(before);
	return event;
}
