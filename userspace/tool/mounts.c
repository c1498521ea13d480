// SPDX-License-Identifier: GPL-2.0
/*
 * Mounts on which the names on disk are not those that are judged: the file system
 * changes them after the check. A rule there does less than it says, and its author
 * is told so.
 *
 * No path is looked up: on a dead FUSE or NFS mount that would last. A symbolic link
 * on the way is not followed, and then the warning is about what has its name.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mounts.h"

/**
 * struct mount - a line of /proc/self/mountinfo
 * @point: where it is mounted
 * @type: of file system
 * @options: of the super block, between commas
 */
struct mount {
	char *point, *type, *options;
};

/* Spaces and so on are written as octal numbers. */
static void unescape(char *text)
{
	char *to = text;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1] && text[2] && text[3]) {
			*to++ = (text[1] - '0') * 64 + (text[2] - '0') * 8 + (text[3] - '0');
			text += 3;
		} else {
			*to++ = *text;
		}
	}
	*to = '\0';
}

/* "36 35 98:0 /root /point options shared:1 - type source options", see proc(5). */
static bool parse(char *line, struct mount *mount)
{
	char *rest = strstr(line, " - "), *state;
	int field;

	if (!rest)
		return false;
	*rest = '\0';
	mount->point = strtok_r(line, " ", &state);
	for (field = 1; mount->point && field < 5; field++)
		mount->point = strtok_r(NULL, " ", &state);
	mount->type = strtok_r(rest + 3, "\n ", &state);
	strtok_r(NULL, "\n ", &state);
	mount->options = strtok_r(NULL, "\n ", &state);
	if (!mount->point || !mount->type || !mount->options)
		return false;
	unescape(mount->point);
	return true;
}

/* The value of an option; "" where it has none, NULL where it is not given. */
static const char *option(const char *options, const char *name, char *value, size_t size)
{
	size_t len = strlen(name), end;

	for (;; options += end + 1) {
		end = strcspn(options, ",");
		if (end >= len && !strncmp(options, name, len) &&
		    (end == len || options[len] == '=')) {
			snprintf(value, size, "%.*s", (int)(end - len - (end > len)),
				 options + len + (end > len));
			return value;
		}
		if (!options[end])
			return NULL;
	}
}

/* What becomes of names there, or NULL. */
static const char *change_of(const struct mount *mount, char *text, size_t size)
{
	static const char *const charsets[] = { "iocharset", "nls", NULL };
	const char *const *charset;
	char value[64];

	if (!strcmp(mount->type, "msdos"))
		return "cuts names to eight octets and three, in upper case, after they are judged";
	if (!strcmp(mount->type, "hfs"))
		return "cuts names at 31 octets after they are judged";
	if (option(mount->options, "utf8", value, sizeof(value)))
		return NULL;
	for (charset = charsets; *charset; charset++) {
		if (!option(mount->options, *charset, value, sizeof(value)) ||
		    !strcmp(value, "utf8") || !strcmp(value, "utf-8"))
			continue;
		snprintf(text, size, "takes names for %s, by %s, and stores others than are judged",
			 value, *charset);
		return text;
	}
	return NULL;
}

static void warn(const struct mount *mount)
{
	char text[160];
	const char *change = change_of(mount, text, sizeof(text));

	if (change)
		fprintf(stderr, "utf8guard: warning: %s: %s %s\n", mount->point, mount->type,
			change);
}

static bool is_within(const char *path, const char *point)
{
	size_t len = strlen(point);

	return !strcmp(point, "/") ||
	       (!strncmp(path, point, len) && (!path[len] || path[len] == '/'));
}

static void mount_copy(struct mount *to, const struct mount *from)
{
	free(to->point);
	free(to->type);
	free(to->options);
	to->point = strdup(from->point);
	to->type = strdup(from->type);
	to->options = strdup(from->options);
}

/* Of the mounts that a path is within, the longest, and the last one of that length. */
static void warn_of_path(FILE *mounts, const char *path)
{
	struct mount mount, nearest = {};
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, mounts) > 0) {
		if (parse(line, &mount) && is_within(path, mount.point) &&
		    (!nearest.point || strlen(mount.point) >= strlen(nearest.point)))
			mount_copy(&nearest, &mount);
	}
	if (nearest.point && nearest.type && nearest.options)
		warn(&nearest);
	free(nearest.point);
	free(nearest.type);
	free(nearest.options);
	free(line);
}

static void warn_of_type(FILE *mounts, const char *type)
{
	struct mount mount;
	char *line = NULL;
	size_t size = 0;

	while (getline(&line, &size, mounts) > 0) {
		if (parse(line, &mount) && !strcmp(mount.type, type))
			warn(&mount);
	}
	free(line);
}

/**
 * mounts_warn() - tell of mounts that a rule is for, and which change names later
 * @words: of the rule, from its scope on
 */
void mounts_warn(char *const *words)
{
	FILE *mounts;

	if (!words[0] || !words[1])
		return;
	mounts = fopen("/proc/self/mountinfo", "re");
	if (!mounts)
		return;
	if (!strcmp(words[0], "fstype"))
		warn_of_type(mounts, words[1]);
	else if (words[1][0] == '/')
		warn_of_path(mounts, words[1]);
	fclose(mounts);
}
