// SPDX-License-Identifier: GPL-2.0
/*
 * Reads refusals from the audit log (ausearch --raw, audit.log, the kernel's log): NAME=VALUE,
 * with the octets of names and paths in hexadecimal.
 *
 * Other records and messages of the kernel quote text of users, and that text may look like a
 * record of ours. So a record is only what begins the line, or follows what a log puts first.
 *
 * The label of the process (subj=) is written as it is, and users choose labels of AppArmor: one
 * may look like fields, or like a record. So what stands before it is read, and of what comes
 * after it only the end.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "audit_record.h"
#include "event_line.h"
#include "netlink/enumerations.h"
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

/* Where @fits takes the value. */
static void put_text(json_t *event, const char *text, const char *name, const char *member,
		     bool (*fits)(const char *value))
{
	char *value = field(text, name);

	if (value && fits(value))
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
	char *value = field(text, "proto");
	const char *name = value ? protocol_name(strtoull(value, NULL, 10)) : NULL;

	if (name)
		json_object_set_new(event, "protocol", json_string(name));
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

/* What comes after @prefix, or NULL where @text does not begin with that. */
static const char *after(const char *text, const char *prefix)
{
	const size_t length = strlen(prefix);

	return strncmp(text, prefix, length) ? NULL : text + length;
}

/* Past "[   12.345678] ", or what else dmesg has between brackets, if that is there. */
static const char *after_time(const char *text)
{
	const char *end = *text == '[' ? strstr(text, "] ") : NULL;

	return end ? end + 2 : text;
}

/*
 * The message of a line of the kernel's log. Before it, /dev/kmsg has "5,1,2,-;"; dmesg, "<5>" and
 * the time in brackets; the journal and syslog, time and host, and "kernel: " after them.
 */
static const char *kernel_message(const char *text)
{
	const char *kernel = strstr(text, " kernel: "), *colon = strstr(text, ": ");
	const size_t kmsg = strspn(text, "0123456789,");

	if (kmsg && text[kmsg] == '-' && strchr(text, ';'))
		return strchr(text, ';') + 1;
	/* What is before the first colon and space is the host's; the rest may be of users. */
	if (kernel && colon == kernel + strlen(" kernel"))
		return after_time(colon + 2);
	if (*text == '<')
		text += strspn(text, "<0123456789>");
	return after_time(text);
}

/* The fields of a record of ours, from "op=" on; NULL where the line is of something else. */
static const char *fields_of(const char *text)
{
	const char *of_auditd = after(text, "node="), *fields;

	of_auditd = of_auditd ? strchr(of_auditd, ' ') : NULL;
	fields = after(of_auditd ? of_auditd + 1 : text, "type=KERNEL_OTHER msg=audit(");
	if (!fields)
		fields = after(kernel_message(text), "audit: type=1316 audit(");
	if (!fields)
		return NULL;
	fields = after(fields + strspn(fields, "0123456789.:"), "): ");
	if (!fields)
		return NULL;
	return after(fields, "op=utf8guard-name ") || after(fields, "op=utf8guard-payload ") ?
	       fields : NULL;
}

static json_t *read_fields(const char *text, const char *end)
{
	static const char *const words[] = { "outcome", "class", "reason" };
	static const char *const numbers[] = {
		"rule", "uid", "fsuid", "offset", "sport", "dport", "netns" };
	json_t *event = no_null(json_object());
	size_t i;

	put_text(event, text, "act", "op", event_is_word);
	put_text(event, text, "src", "saddr", event_is_address);
	put_text(event, text, "dst", "daddr", event_is_address);
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		put_text(event, text, words[i], words[i], event_is_word);
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		put_number(event, text, numbers[i], numbers[i]);
	put_octets(event, text, "bytes", true);
	if (after(text, "op=utf8guard-name ")) {
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
	const char *fields = fields_of(text), *label;
	char *before;
	json_t *event;

	if (!fields)
		return NULL;
	label = strstr(fields, " subj=");
	before = no_null(label ? strndup(fields, (size_t)(label - fields)) : strdup(fields));
	event = read_fields(before, label ? label : fields);
	free(before);
	return event;
}
