// SPDX-License-Identifier: GPL-2.0
/*
 * Reads refusals that monitor -j has written. The file may be anybody's: what it says goes to a
 * terminal, and into a policy that is proposed. So a text that monitor would not have written is
 * not taken.
 */
#include <arpa/inet.h>
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

static bool is_refusal(json_t *event)
{
	const bool packet = !strcmp(member_text(event, "event"), "packet");

	if (packet != event_is_packet(event) || !event_is_word(member_text(event, "op")) ||
	    !all_show(event))
		return false;
	return !packet || (is_protocol(member_text(event, "protocol")) &&
			   member_number(event, "sport") <= UINT16_MAX &&
			   member_number(event, "dport") <= UINT16_MAX &&
			   event_is_address(member_text(event, "saddr")));
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
