/* SPDX-License-Identifier: GPL-2.0 */
/* Data for tests of the normaliser and of text classes: files of the UCD, and texts. */
#ifndef _UTF8GUARD_NORMALIZATION_DATA_H
#define _UTF8GUARD_NORMALIZATION_DATA_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <linux/utf8guard_normalize.h>

#include "../../kunit/sample.h"

#define CODE_POINTS 0x110000U

/*
 * The path of a file of the Unicode Character Database: of the directory in
 * the environment variable UCD, else of ../shared beside the tree, else
 * Debian's (an older version). NULL if none is there.
 */
static inline const char *data_path(const char *name)
{
	static char path[4096];
	const char *directory[] = {
		getenv("UCD"), "../shared/ucd/18.0.0", "/usr/share/unicode",
	};
	unsigned int i;

	for (i = 0; i < 3; i++) {
		if (!directory[i])
			continue;
		snprintf(path, sizeof(path), "%s/%s", directory[i], name);
		if (!access(path, R_OK))
			return path;
	}
	return NULL;
}

static inline unsigned int data_encode(u32 c, u8 *p)
{
	static const u8 lead[] = { 0, 0, 0xc0, 0xe0, 0xf0 };
	unsigned int i, length = c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;

	for (i = length - 1; i > 0; i--, c >>= 6)
		p[i] = 0x80 | (c & 0x3f);
	p[0] = lead[length] | c;
	return length;
}

/* A column of hexadecimal code points, as UTF-8; return: the next column. */
static inline char *data_column(char *text, u8 *octets, size_t *len)
{
	char *end = text + strcspn(text, ";#\n");

	*len = 0;
	for (text += strspn(text, " "); text < end; text += strspn(text, " "))
		*len += data_encode(strtoul(text, &text, 16), octets + *len);
	return *end ? end + 1 : end;
}

#endif /* _UTF8GUARD_NORMALIZATION_DATA_H */
