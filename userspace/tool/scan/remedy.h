/* SPDX-License-Identifier: GPL-2.0 */
/* A good name instead of a bad one. */
#ifndef UTF8GUARD_TOOL_REMEDY_H
#define UTF8GUARD_TOOL_REMEDY_H

#include <iconv.h>
#include <limits.h>

#include "text/judge.h"

/**
 * struct remedy - what may be done to a name
 * @from: to UTF-8, for iconv(); NULL where nothing is to be converted
 * @replace: U+FFFD may stand for what is left
 */
struct remedy {
	iconv_t from;
	bool replace;
};

bool remedy_begin(struct remedy *remedy, const char *charset);
void remedy_end(struct remedy *remedy);
const char *remedy_find(const struct remedy *remedy, const struct judge *judge,
			const char *name, char to[NAME_MAX + 1]);

#endif /* UTF8GUARD_TOOL_REMEDY_H */
