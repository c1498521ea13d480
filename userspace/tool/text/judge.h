/* SPDX-License-Identifier: GPL-2.0 */
/* The constraints on a name, as the options of a command give them. */
#ifndef UTF8GUARD_TOOL_JUDGE_H
#define UTF8GUARD_TOOL_JUDGE_H

#include "words/words.h"

/**
 * struct judge - what is asked of a name, beside that it is UTF-8
 * @form: enum utf8guard_form, or -1 for any
 * @refuse: mask of text classes
 * @has_escapes: the classes of percent encoding can be asked for, too
 */
struct judge {
	int form;
	u32 refuse;
	bool has_escapes;
};

bool judge_take_form(struct judge *judge, struct words *words);
bool judge_take_profile(struct judge *judge, struct words *words);
bool judge_take_classes(struct judge *judge, struct words *words);
/* How often each class was found; by enum utf8guard_class. */
struct tally {
	unsigned long long counts[UTF8GUARD_CLASS_MAX + 1];
};

void tally_print(const struct tally *tally);

bool judge_name(const struct judge *judge, const char *name, size_t length,
		struct utf8guard_error *error);

#endif /* UTF8GUARD_TOOL_JUDGE_H */
