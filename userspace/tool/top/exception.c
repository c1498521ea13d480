// SPDX-License-Identifier: GPL-2.0
/*
 * Makes the rule that would let a refusal pass, as narrow as the event allows: for names, that
 * directory and that user; for packets, that sender and that port. The rule audits or counts,
 * so that whoever adds it goes on seeing what it lets pass.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exception.h"
#include "location/mounts.h"
#include "output/output.h"
#include "output/text.h"
#include "status/event.h"

static void add_number(struct line *line, unsigned long long number)
{
	char text[24];

	snprintf(text, sizeof(text), "%llu", number);
	line_add(line, text);
}

/*
 * The path of the directory of a name within its file system; malloc'd, or NULL. The audit log has
 * "..." before the end of a long path, and does not tell where that is.
 */
char *exception_inside(const json_t *e)
{
	char *inside = member_present(e, "path") ? text_unescape(member_text(e, "path")) : NULL;

	if (inside && *inside == '/')
		return inside;
	free(inside);
	return NULL;
}

/* Where that directory is in the file systems that are mounted; malloc'd, or NULL. */
char *exception_directory(const json_t *e)
{
	char *inside = exception_inside(e), *path;

	if (!inside)
		return NULL;
	path = mounts_path((unsigned int)member_number(e, "major"),
			   (unsigned int)member_number(e, "minor"), inside);
	free(inside);
	return path;
}

static const char *for_name(const json_t *e, struct line *line)
{
	char *path = exception_directory(e);

	if (!path)
		return "the directory is in no file system that is mounted here";
	line_add(line, "fs");
	line_add(line, "add");
	line_add(line, "subtree");
	line_add(line, path);
	line_add(line, "uid");
	add_number(line, event_user(e));
	line_add(line, "audit");
	free(path);
	return NULL;
}

/* It is inserted before the rule that refused, because the first rule that fits decides. */
static const char *for_packet(const json_t *e, struct line *line)
{
	if (event_is_of_nft(e))
		return "a rule of nft gave the packet to the helper utf8";
	line_add(line, "net");
	line_add(line, "insert");
	add_number(line, member_number(e, "rule"));
	line_add(line, member_text(e, "op"));
	line_add(line, strchr(member_text(e, "saddr"), ':') ? "ip6" : "ip");
	line_add(line, member_text(e, "protocol"));
	line_add(line, "saddr");
	line_add(line, member_text(e, "saddr"));
	line_add(line, "dport");
	add_number(line, member_number(e, "dport"));
	line_add(line, "count");
	return NULL;
}

/**
 * exception_line() - the rule that would let pass what was refused
 * @event: of the refusal
 * @line: empty; filled in, give it to line_free()
 *
 * Return: NULL, or why there is none.
 */
const char *exception_line(const json_t *event, struct line *line)
{
	return event_is_packet(event) ? for_packet(event, line) : for_name(event, line);
}
