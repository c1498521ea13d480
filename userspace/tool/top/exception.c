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

/* Where a mount of @root on @point shows the path @inside its file system; malloc'd, or NULL. */
static char *path_from(const char *root, const char *point, const char *inside)
{
	size_t length = strcmp(root, "/") ? strlen(root) : 0;
	char *path;

	if (strncmp(inside, root, length) || (inside[length] && inside[length] != '/'))
		return NULL;
	inside += length;
	point = strcmp(point, "/") ? point : "";
	/* Neither ends in a slash but the root itself. */
	if (asprintf(&path, "%s%s", point, strcmp(inside, "/") || !*point ? inside : "") < 0)
		no_null(NULL);
	if (!*path) {
		free(path);
		path = no_null(strdup("/"));
	}
	return path;
}

/* Where the path @inside a file system is in those that are mounted; malloc'd, or NULL. */
char *exception_path(unsigned long long major, unsigned long long minor, const char *inside)
{
	FILE *file = fopen("/proc/self/mountinfo", "re");
	char *text = NULL, *path = NULL;
	size_t size = 0;

	while (file && !path && getline(&text, &size, file) > 0) {
		unsigned long long its_major, its_minor;
		char *root = NULL, *point = NULL;

		if (sscanf(text, "%*u %*u %llu:%llu %ms %ms", &its_major, &its_minor, &root,
			   &point) == 4 && its_major == major && its_minor == minor) {
			mounts_unescape(root);
			mounts_unescape(point);
			path = path_from(root, point, inside);
		}
		free(root);
		free(point);
	}
	if (file)
		fclose(file);
	free(text);
	return path;
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
	path = exception_path(member_number(e, "major"), member_number(e, "minor"), inside);
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
	return member_present(event, "protocol") ? for_packet(event, line) : for_name(event, line);
}
