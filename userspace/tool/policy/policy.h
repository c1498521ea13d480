/* SPDX-License-Identifier: GPL-2.0 */
/* A policy file: command lines that change rules, as text or as JSON. */
#ifndef UTF8GUARD_TOOL_POLICY_H
#define UTF8GUARD_TOOL_POLICY_H

#include "line.h"
#include "output/output.h"
#include "rules.h"

/*
 * The first and the last line of what utf8guard save writes. A file with the first one and without
 * the last one is not whole. Checkouts of earlier days wrote another first line, and no last one.
 */
#define POLICY_SAVED "# utf8guard.conf(5), as utf8guard save writes it; the last line is \"# end\""
#define POLICY_SAVED_END "# end"

/*
 * What a policy may have, in all of its files together: more than any whose rules the kernel takes,
 * and little enough to be held in memory. Nobody knows how long a pipe goes on.
 */
#define POLICY_OCTETS (128U << 20)
#define POLICY_LINES (1U << 20)

/* How often a line is parsed again because others took away what it is for. */
#define POLICY_ATTEMPTS 4

/**
 * struct entry - a line that says something
 * @place: where it stands
 * @line: its words
 * @of: whose rules it changes; NULL where it is wrong, or left out
 * @left_out: why it is left out, if it is
 * @message: the request, with room for a handle at its end
 * @length: of @message without that handle
 * @of_default: the message lacks the handle of the default rule
 * @lost: why the kernel refused it, where others took away what it is for; an errno, or 0
 * @attempts: how often it was parsed again for that
 */
struct entry {
	struct place place;
	struct line line;
	const struct rules *of;
	enum left_out left_out;
	struct nlmsghdr *message;
	u32 length;
	bool of_default;
	int lost;
	unsigned int attempts;
};

/**
 * struct policy_file - a file that was included
 * @path: as places name it
 * @next: the one before, or NULL
 */
struct policy_file {
	char *path;
	struct policy_file *next;
};

/**
 * struct policy - a file
 * @path: for complaints
 * @files: those that it includes, and @included how many
 * @defined: what its lines may use
 * @entries: in the order of the file
 * @count: of them
 * @room: entries that @entries has room for
 * @octets: of the files that were read
 * @full: there are more than POLICY_LINES entries
 */
struct policy {
	const char *path;
	struct policy_file *files;
	unsigned int included;
	struct definition *defined;
	struct entry *entries;
	size_t count, room, octets;
	bool full;
};

char *policy_read(struct policy *policy, const char *path, size_t *length);

bool policy_add(struct policy *policy, const struct place *place, const struct line *line);
size_t policy_skip_mark(const char *path, const char *text, size_t length);
bool policy_read_text(struct policy *policy, const char *text, size_t length);
bool policy_read_json(struct policy *policy, const char *text, size_t length);
bool policy_parse(const struct entry *entry, struct change *change);
bool policy_find_again(struct entry *entry);
void policy_free(struct policy *policy);

#endif /* UTF8GUARD_TOOL_POLICY_H */
