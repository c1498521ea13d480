// SPDX-License-Identifier: GPL-2.0
/*
 * Makes a good name of a bad one: converts it from another character set, puts U+FFFD where
 * nothing else helps, and normalizes it. The result is judged again: a name is either good
 * afterwards or left alone.
 */
#include <errno.h>
#include <string.h>
#include <linux/utf8guard_normalize.h>

#include "output/output.h"
#include "new_name.h"

/* Octets of a name while it is changed: more than a name may have, for its form may be shorter. */
#define ROOM 4096

static const char replacement[] = "\xef\xbf\xbd";

struct draft {
	char text[ROOM];
	size_t length;
};

static bool is_utf8(const struct draft *draft)
{
	return !utf8guard_validate(draft->text, draft->length, NULL);
}

/**
 * new_name_begin() - prepare to convert names
 * @how: its member from is set; give it to new_name_end()
 * @charset: as iconv(1) knows it, or NULL
 *
 * Return: false with a complaint if there is no such charset.
 */
bool new_name_begin(struct new_name *how, const char *charset)
{
	how->from = NULL;
	if (!charset)
		return true;
	/* "" would be that of the locale, which nobody named. */
	how->from = *charset ? iconv_open("UTF-8", charset) : (iconv_t)-1;
	if (how->from != (iconv_t)-1)
		return true;
	how->from = NULL;
	complain_word(charset, "unknown character set; iconv -l lists them");
	return false;
}

void new_name_end(struct new_name *how)
{
	if (how->from)
		iconv_close(how->from);
}

/* Converts all of the draft, without what iconv(3) calls nonreversible; or leaves it as it is. */
static void convert(iconv_t from, struct draft *draft)
{
	struct draft converted;
	char *in = draft->text, *out = converted.text;
	size_t left = draft->length, room = sizeof(converted.text);

	iconv(from, NULL, NULL, NULL, NULL);
	if (iconv(from, &in, &left, &out, &room) || left ||
	    iconv(from, NULL, NULL, &out, &room))
		return;
	converted.length = sizeof(converted.text) - room;
	*draft = converted;
}

/* Return: false if there is no more room. */
static bool replace_at(struct draft *draft, const struct utf8guard_error *error)
{
	char *at = draft->text + error->offset;
	size_t rest = draft->length - error->offset - error->length;

	if (error->offset + rest + strlen(replacement) > sizeof(draft->text))
		return false;
	memmove(at + strlen(replacement), at + error->length, rest);
	memcpy(at, replacement, strlen(replacement));
	draft->length = error->offset + strlen(replacement) + rest;
	return true;
}

/* Puts U+FFFD for each maximal subpart that is ill-formed, and each character that is refused. */
static void replace(const struct judge *judge, struct draft *draft)
{
	struct utf8guard_error error;

	while (utf8guard_classify(draft->text, draft->length, judge->refuse, &error))
		if (!replace_at(draft, &error))
			return;
}

static void normalize(int form, struct draft *draft)
{
	struct draft normalized;

	if (!utf8guard_normalize(form, draft->text, draft->length, normalized.text,
				 sizeof(normalized.text), &normalized.length, NULL))
		*draft = normalized;
}

/* Can this be the name of a file? A conversion may make anything, slashes and NUL, too. */
static bool is_name(const struct draft *draft)
{
	return draft->length && !memchr(draft->text, '\0', draft->length) &&
	       !memchr(draft->text, '/', draft->length) &&
	       !(draft->length <= 2 && !memcmp(draft->text, "..", draft->length));
}

static const char *reject(const struct new_name *how, const struct judge *judge,
			  const struct draft *draft)
{
	struct utf8guard_error error;

	if (!is_utf8(draft))
		return how->from ? "not in that character set" : "its character set is unknown";
	if (!is_name(draft))
		return "what comes of it cannot be a file name";
	if (draft->length > NAME_MAX)
		return "its new name would be too long";
	if (judge_name(judge, draft->text, draft->length, &error))
		return NULL;
	return how->replace ? "its new name would be refused" : "nothing but --replace helps";
}

/**
 * new_name_find() - a good name instead of a bad one
 * @how: what may be done
 * @judge: what is asked of the new name
 * @name: the bad one
 * @to: the good one
 *
 * What is UTF-8 is never converted: it would be mangled.
 *
 * Return: NULL, or why there is none.
 */
const char *new_name_find(const struct new_name *how, const struct judge *judge,
			  const char *name, char to[NAME_MAX + 1])
{
	struct draft draft = { .length = strlen(name) };
	const char *reason;

	if (draft.length > sizeof(draft.text))
		return "its name is too long";
	memcpy(draft.text, name, draft.length);
	if (how->from && !is_utf8(&draft))
		convert(how->from, &draft);
	if (how->replace)
		replace(judge, &draft);
	if (judge->form >= 0)
		normalize(judge->form, &draft);
	reason = reject(how, judge, &draft);
	if (!reason)
		*(char *)mempcpy(to, draft.text, draft.length) = '\0';
	return reason;
}
