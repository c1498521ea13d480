/* SPDX-License-Identifier: GPL-2.0 */
/* Profiles: names for sets of what a policy refuses. */
#ifndef UTF8GUARD_TOOL_PROFILE_H
#define UTF8GUARD_TOOL_PROFILE_H

#include <stddef.h>
#include <linux/utf8guard.h>

/**
 * struct profile - a named policy for names; ill-formed ones are always refused
 * @name: as users write it
 * @refuse: mask of text classes
 * @form: enum utf8guard_form that is required, or -1
 */
struct profile {
	const char *name;
	u32 refuse;
	int form;
};

/* Each contains the one before; ends with a NULL name. */
extern const struct profile profiles[];

const struct profile *profile_find(const char *word, size_t length);

#endif /* UTF8GUARD_TOOL_PROFILE_H */
