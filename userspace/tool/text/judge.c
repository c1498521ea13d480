// SPDX-License-Identifier: GPL-2.0
/* The constraints on a name, as the options of a command give them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/utf8guard_normalize.h>

#include "judge.h"
#include "netlink/enumerations.h"
#include "output/output.h"
#include "profile.h"

/* All that --refuse knows, and the end of the list. */
#define WORDS (UTF8GUARD_CLASS_MAX + 8)

/* A form that is given by itself takes the place of that of a profile, whichever comes first. */
bool judge_take_form(struct judge *judge, struct words *words)
{
	judge->form = words_choose_any_case(words, words_form);
	return judge->form >= 0;
}

static bool take_profile(struct judge *judge, const char *word, size_t length)
{
	const struct profile *profile = profile_find(word, length);

	if (!profile)
		return false;
	judge->refuse |= profile->refuse;
	if (judge->form < 0)
		judge->form = profile->form;
	return true;
}

/* One profile, and no classes. */
bool judge_take_profile(struct judge *judge, struct words *words)
{
	const char *word = words_take(words, "utf8, safe or portable-nfc");

	if (!word || take_profile(judge, word, strlen(word)))
		return word;
	complain_word(word, "unknown profile; expected utf8, safe or portable-nfc");
	return false;
}

static bool is_asked_for(const struct judge *judge, unsigned int class)
{
	u32 known = UTF8GUARD_TEXT_CLASSES | (judge->has_escapes ? UTF8GUARD_PERCENT_CLASSES : 0);

	return known & UTF8GUARD_CLASS_BIT(class);
}

static bool take_class(struct judge *judge, const char *word, size_t length)
{
	unsigned int class;

	for (class = 0; class <= UTF8GUARD_CLASS_MAX; class++) {
		const char *name = utf8guard_class_name(class);

		if (!is_asked_for(judge, class) || strlen(name) != length ||
		    memcmp(name, word, length))
			continue;
		judge->refuse |= UTF8GUARD_CLASS_BIT(class);
		return true;
	}
	return false;
}

static void unknown(const struct judge *judge, const char *word, size_t length)
{
	const char *known[WORDS] = { NULL };
	const struct profile *profile;
	unsigned int class, n = 0;
	char *copy = no_null(strndup(word, length));

	for (class = 0; class <= UTF8GUARD_CLASS_MAX; class++)
		if (is_asked_for(judge, class))
			known[n++] = utf8guard_class_name(class);
	for (profile = profiles; profile->name; profile++)
		known[n++] = profile->name;
	words_unknown(copy, known);
	free(copy);
}

/* Classes and profiles, separated by commas. */
bool judge_take_classes(struct judge *judge, struct words *words)
{
	const char *list = words_take(words, "classes, as in control,bidi, or a profile");
	size_t length;

	for (; list; list += length + 1) {
		length = strcspn(list, ",");
		if (!take_profile(judge, list, length) && !take_class(judge, list, length)) {
			unknown(judge, list, length);
			return false;
		}
		if (!list[length])
			return true;
	}
	return false;
}

/* ": control 1, bidi 2" and the end of the line, on standard error. */
void tally_print(const struct tally *tally)
{
	const char *before = ": ";
	unsigned int class;

	for (class = 0; class <= UTF8GUARD_CLASS_MAX; class++) {
		if (!tally->counts[class])
			continue;
		fprintf(stderr, "%s%s %llu", before, utf8guard_class_name(class),
			tally->counts[class]);
		before = ", ";
	}
	fputc('\n', stderr);
}

/**
 * judge_name() - is a name as it should be?
 * @judge: what is asked
 * @name: of any bytes
 * @length: of them
 * @error: if not, what is wrong and where
 */
bool judge_name(const struct judge *judge, const char *name, size_t length,
		struct utf8guard_error *error)
{
	size_t offset;

	*error = (struct utf8guard_error){ .class = UTF8GUARD_CLASS_NONE };
	if (utf8guard_classify(name, length, judge->refuse, error))
		return false;
	if (judge->form < 0 ||
	    utf8guard_is_normalized(judge->form, name, length, &offset, NULL))
		return true;
	error->class = UTF8GUARD_CLASS_NOT_NORMALIZED;
	error->offset = offset;
	return false;
}
