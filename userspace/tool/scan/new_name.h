/* SPDX-License-Identifier: GPL-2.0 */
/* A good name instead of a bad one. */
#ifndef UTF8GUARD_TOOL_NEW_NAME_H
#define UTF8GUARD_TOOL_NEW_NAME_H

#include <iconv.h>
#include <limits.h>

#include "text/judge.h"

/**
 * struct new_name - what may be done to a name
 * @from: to UTF-8, for iconv(); NULL where nothing is to be converted
 * @replace: U+FFFD may stand for what is left
 */
struct new_name {
	iconv_t from;
	bool replace;
};

bool new_name_begin(struct new_name *how, const char *charset);
void new_name_end(struct new_name *how);
const char *new_name_find(const struct new_name *how, const struct judge *judge,
			  const char *name, char to[NAME_MAX + 1]);

#endif /* UTF8GUARD_TOOL_NEW_NAME_H */
