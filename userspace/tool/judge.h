/* SPDX-License-Identifier: GPL-2.0 */
/* What is asked of a name. */
#ifndef UTF8GUARD_TOOL_JUDGE_H
#define UTF8GUARD_TOOL_JUDGE_H

#include "words.h"

/**
 * struct judge - what is asked of a name, beside that it is UTF-8
 * @form: enum utf8guard_form, or -1 for any
 * @refuse: mask of text classes
 */
struct judge {
	int form;
	u32 refuse;
};

bool judge_take_form(struct judge *judge, struct words *words);
bool judge_take_classes(struct judge *judge, struct words *words);
bool judge_name(const struct judge *judge, const char *name, size_t length,
		struct utf8guard_error *error);

#endif /* UTF8GUARD_TOOL_JUDGE_H */
