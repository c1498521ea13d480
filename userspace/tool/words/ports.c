// SPDX-License-Identifier: GPL-2.0
/* Ports, as a rule for packets names them: "80,443,8000-8080". */
#include <netdb.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>

#include "number.h"
#include "output/output.h"
#include "ports.h"
#include "words.h"

/* To 8000:8099, which other tools take, the answer is how a range is written here. */
static bool complain_ports(const char *word, const char *item, const char *expected)
{
	const char *end = item + strspn(item, "0123456789");

	if (end > item && *end == ':' && end[1])
		complain_word(word, "a range is written %.*s-%s", (int)(end - item), item, end + 1);
	else if (!*item || (*item >= '0' && *item <= '9'))
		complain_word(word, "expected %s", expected);
	else
		complain_word(word, "no such service; expected %s", expected);
	return false;
}

/* A service by name, as getservbyname() finds it, mostly in /etc/services. */
static bool service(const char *word, const char *protocol, struct ports *ports)
{
	const struct servent *entry = getservbyname(word, protocol);

	if (entry)
		ports->min = ports->max = ntohs((u16)entry->s_port);
	return entry;
}

/* Reads @item, one element of the list @word. */
static bool take_range(const char *word, const char *item, const char *protocol,
		       struct ports *ports)
{
	static const char expected[] = "a port of 0 to 65535, two as in 8000-8099, or the name of a "
				       "service; or several of these, as in 80,443";
	unsigned long min, max;

	if (!number_read_range(item, UINT16_MAX, &min, &max))
		return service(item, protocol, ports) || complain_ports(word, item, expected);
	*ports = (struct ports){ .min = (u16)min, .max = (u16)max };
	if (min <= max)
		return true;
	complain_word(word, "the lower port comes first");
	return false;
}

static int by_port(const void *a, const void *b)
{
	const struct ports *one = a, *other = b;

	return one->min < other->min ? -1 : one->min > other->min;
}

/* Sorts @ranges, joins those that overlap or touch. Return: false if they are too many for @set. */
static bool merge(struct ports *ranges, size_t count, struct port_set *set)
{
	struct ports *last = NULL;
	size_t i;

	qsort(ranges, count, sizeof(*ranges), by_port);
	for (i = 0; i < count; i++) {
		if (last && ranges[i].min <= last->max + 1) {
			last->max = ranges[i].max > last->max ? ranges[i].max : last->max;
			continue;
		}
		if (set->count == PORT_RANGES)
			return false;
		last = &set->ranges[set->count++];
		*last = ranges[i];
	}
	return true;
}

/**
 * words_ports() - "80,443,8000-8080"
 * @words: the next one is taken
 * @protocol: whose services may be named, as tcp
 * @set: filled in; ranges that overlap or touch become one
 *
 * Return: false after a complaint.
 */
bool words_ports(struct words *words, const char *protocol, struct port_set *set)
{
	const char *word = words_take(words, "ports, as in 80 or 80,443,8000-8080");
	char *copy, *rest, *item;
	struct ports *ranges;
	size_t count = 0;
	bool good = true;

	*set = (struct port_set){ .count = 0 };
	if (!word)
		return false;
	ranges = no_null(malloc((strlen(word) + 1) * sizeof(*ranges)));
	copy = rest = no_null(strdup(word));
	while (good && (item = strsep(&rest, ",")))
		good = take_range(word, item, protocol, &ranges[count++]);
	if (good && !merge(ranges, count, set)) {
		complain_word(word, "more than %u ranges of ports; write two rules", PORT_RANGES);
		good = false;
	}
	free(copy);
	free(ranges);
	return good;
}
