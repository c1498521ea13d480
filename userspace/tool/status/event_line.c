// SPDX-License-Identifier: GPL-2.0
/*
 * Reads refusals that monitor -j has written. The file may be anybody's: what it says goes to a
 * terminal, and into a policy that is proposed. So a text that monitor would not have written is
 * not taken.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "event.h"
#include "event_line.h"
#include "netlink/enumerations.h"
#include "output/output.h"
#include "output/text.h"

/* The modules write words of lower-case letters, digits and hyphens. */
bool event_is_word(const char *text)
{
	return !text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789-")];
}

bool event_is_address(const char *text)
{
	struct in6_addr address;

	return inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1;
}

static bool is_protocol(const char *text)
{
	unsigned int number;
	const char *name;

	for (number = 0; number <= UINT8_MAX; number++) {
		name = protocol_name(number);
		if (name && !strcmp(text, name))
			return true;
	}
	return false;
}

static bool shows(const char *text)
{
	size_t length;

	for (; *text; text += length)
		if (!text_shows(text_decode((const u8 *)text, &length)))
			return false;
	return true;
}

static bool all_show(json_t *event)
{
	const char *name, *text;
	json_t *value;

	json_object_foreach(event, name, value) {
		text = json_string_value(value);
		if (text && !shows(text))
			return false;
	}
	return true;
}

static bool is_among(const char *text, const char *const *words)
{
	while (*words && strcmp(text, *words))
		words++;
	return *words;
}

/* What the name check calls what was attempted; of packets, it is the hook, or the helper for nft. */
static const char *const words_attempt[] = {
	"create", "mkdir", "mknod", "symlink", "link", "rename", "subvolume", NULL };

/* A number that may be missing, as older modules tell less. */
static bool fits(const json_t *event, const char *name, json_int_t most)
{
	const json_t *value = json_object_get(event, name);
	const json_int_t number = json_integer_value(value);

	return !value || (json_is_integer(value) && number >= 0 && number <= most);
}

/* The same of a number that is a string of digits. */
static bool fits_decimal(const json_t *event, const char *name)
{
	const char *text = member_text(event, name);

	return !member_present(event, name) || (*text && !text[strspn(text, "0123456789")]);
}

static bool numbers_fit(const json_t *event)
{
	static const char *const numbers[] = {
		"rule", "suppressed", "pid", "uid", "fsuid", "major", "minor", "length", "code-point" };
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		if (!fits(event, numbers[i], UINT32_MAX))
			return false;
	return fits(event, "offset", INT64_MAX) && fits(event, "sport", UINT16_MAX) &&
	       fits(event, "dport", UINT16_MAX) && fits_decimal(event, "time") &&
	       fits_decimal(event, "inode");
}

/* Whatever the kernel calls a directory, it goes there without detours. */
static bool is_path(const char *escaped)
{
	char *path = text_unescape(escaped), *at = path;
	bool is_right = path && *path == '/';
	size_t length;

	for (; is_right && *at; at += length) {
		at += strspn(at, "/");
		length = strcspn(at, "/");
		/* Neither "." nor ".." */
		is_right = !length || length > 2 || strncmp(at, "..", length);
	}
	free(path);
	return is_right;
}

static bool is_name_event(const json_t *event)
{
	return is_among(member_text(event, "op"), words_attempt) &&
	       (!member_present(event, "path") || is_path(member_text(event, "path")));
}

static bool is_packet_event(const json_t *event)
{
	return (is_among(member_text(event, "op"), words_hook) || event_is_of_nft(event)) &&
	       is_protocol(member_text(event, "protocol")) && member_present(event, "dport") &&
	       event_is_address(member_text(event, "saddr")) &&
	       (!member_present(event, "daddr") || event_is_address(member_text(event, "daddr")));
}

static bool is_refusal(json_t *event)
{
	const bool packet = !strcmp(member_text(event, "event"), "packet");

	if (packet != event_is_packet(event) || !all_show(event) || !numbers_fit(event))
		return false;
	return packet ? is_packet_event(event) : is_name_event(event);
}

/**
 * event_line_read() - a refusal or an audit, as monitor -j has it
 * @text: a line
 * @understood: set to whether monitor may have written it, be it about something else
 *
 * Return: the event, or NULL.
 */
json_t *event_line_read(const char *text, bool *understood)
{
	json_t *event = json_loads(text, 0, NULL);
	const char *kind = member_text(event, "event");
	const bool refusal = !strcmp(kind, "name") || !strcmp(kind, "packet");

	*understood = *kind && (!refusal || is_refusal(event));
	if (refusal && *understood)
		return event;
	json_decref(event);
	return NULL;
}
