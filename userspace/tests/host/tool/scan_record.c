// SPDX-License-Identifier: GPL-2.0
/*
 * A line of the log of scan --fix is read back, whatever names a server of FUSE makes up: since
 * Linux 6.15, they are as long as a path may be.
 */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../../../tool/scan/record.h"
#include "../../tap.h"

static bool is_same(const char *text, const char *other)
{
	return text == other || (text && other && !strcmp(text, other));
}

static void check(const struct record *record, const char *what)
{
	struct record found;
	char *line = record_format(record);
	bool read = record_parse(&found, line, strlen(line));

	/* A line feed and a NUL are read with it. */
	tap_ok(strlen(line) + 2 <= RECORD_MAX, "%s: there is room for it", what);
	tap_ok(read && found.kind == record->kind && is_same(found.name, record->name) &&
	       is_same(found.to, record->to) && is_same(found.through, record->through),
	       "%s: it is read back", what);
	record_drop(&found);
	free(line);
}

int main(void)
{
	static char path[PATH_MAX] = "/", name[PATH_MAX], to[NAME_MAX + 1];
	char through[] = ".utf8guard-0123456789abcdef";
	const struct identity identity = {
		.inode = ~0ULL, .born = ~0ULL, .changed = ~0ULL, .size = ~0ULL,
	};

	/* Each octet is written as five. */
	memset(path + 1, '\xff', PATH_MAX - 2);
	memset(name, '\xff', PATH_MAX - 1);
	memset(to, '\x01', NAME_MAX);
	check(&(struct record){ .kind = RECORD_IN, .name = path, .identity = identity },
	      "the longest path");
	check(&(struct record){ .kind = RECORD_OUT, .name = name, .identity = identity },
	      "the longest directory");
	check(&(struct record){ .kind = RECORD_RENAME, .name = name, .to = to, .through = through,
				.identity = identity },
	      "the longest rename");
	return tap_done();
}
