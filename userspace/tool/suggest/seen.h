/* SPDX-License-Identifier: GPL-2.0 */
/* The refusals and audits of a file, counted. */
#ifndef UTF8GUARD_TOOL_SEEN_H
#define UTF8GUARD_TOOL_SEEN_H

#include <jansson.h>
#include <linux/utf8guard.h>

#include "good.h"

/**
 * struct seen - refusals and audits that a rule cannot tell apart
 * @place: of names, their directory; of packets, hook, protocol and port as the words of
 *	a rule. NULL where the directory is on no file system that is mounted here
 * @inside: of names, the path of their directory within the file system
 * @class: bit of what was wrong, or 0 for a reason, which is no class
 * @packet: about packets, not names
 * @refused: they were refused, so a rule was there for them already
 * @good: they are marked so
 * @by: the mark for the user of the names or for the sender of the packets, or NULL
 * @major, @minor: of names, number of the device of the file system
 * @count: how many
 */
struct seen {
	char *place, *inside;
	u32 class;
	bool packet, refused, good;
	const struct good *by;
	unsigned int major, minor;
	unsigned long long count;
};

/* Memory for what a rule could tell apart: users choose the paths in a log. */
#define SEEN_OCTETS (64U << 20)

/**
 * struct seen_all - all of a file
 * @at: @count of them, with room for @room
 * @index: where in @at they are, by key_of()
 * @octets: of what is kept
 * @unkept: refusals and audits that there was no room for
 * @suppressed: events that the kernel did not send
 * @strange: lines that were not understood
 * @known: lines that monitor or audit have written about these modules
 */
struct seen_all {
	struct seen *at;
	size_t count, room, octets;
	json_t *index;
	unsigned long long unkept, suppressed, strange, known;
};

bool seen_read(struct seen_all *all, const char *path);
u32 seen_class(const char *name);
bool seen_is_marked(const struct seen *seen, const struct good *good);
void seen_free(struct seen_all *all);

#endif /* UTF8GUARD_TOOL_SEEN_H */
