// SPDX-License-Identifier: GPL-2.0
/* The words of a command line, taken one by one. */
#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "output/text.h"
#include "number.h"
#include "suggest.h"
#include "words.h"

/* The kernel takes comments up to this length and without these; see include/netlink/. */
#define COMMENT_MAX 255
#define COMMENT_REFUSED (UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_CONTROL) | \
			 UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_NEWLINE))

/* "show, add or del", each with @prefix; malloc'd */
char *words_alternatives(const char *prefix, const char *const *list)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = no_null(open_memstream(&text, &size));

	for (i = 0; list[i]; i++)
		fprintf(out, "%s%s%s", !i ? "" : list[i + 1] ? ", " : " or ", prefix, list[i]);
	fclose(out);
	return no_null(text);
}

void words_unknown(const char *word, const char *const *list)
{
	char *expected = words_alternatives("", list);
	const char *near = suggest(word, list);

	complain_word(word, "unknown word; expected %s%s%s%s", expected,
		      near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	free(expected);
}

bool words_left(const struct words *words)
{
	return *words->next != NULL;
}

static void complain_missing(const struct words *words, const char *expected)
{
	char *last = words->last ? text_escape(words->last, strlen(words->last)) : NULL;

	complain("%s: a word is missing%s%s%s; expected %s", words->command,
		 last ? " after \"" : "", last ? last : "", last ? "\"" : "", expected);
	free(last);
}

const char *words_take(struct words *words, const char *expected)
{
	if (words_left(words))
		return words->last = *words->next++;
	complain_missing(words, expected);
	return NULL;
}

/* Takes the next word if it is @word. */
bool words_skip(struct words *words, const char *word)
{
	if (!words_left(words) || strcmp(*words->next, word))
		return false;
	words->last = *words->next++;
	return true;
}

/* As words_choose(), whatever the case of letters: for names of charsets and forms. */
int words_choose_any_case(struct words *words, const char *const *list)
{
	int i;

	for (i = 0; words_left(words) && list[i]; i++) {
		if (strcasecmp(*words->next, list[i]))
			continue;
		words->last = *words->next++;
		return i;
	}
	return words_choose(words, list);
}

/* Takes the next word. Return: its index in @list, or -1 after a complaint. */
int words_choose(struct words *words, const char *const *list)
{
	int i;

	if (!words_left(words)) {
		char *expected = words_alternatives("", list);

		words_take(words, expected);
		free(expected);
		return -1;
	}
	for (i = 0; list[i]; i++)
		if (words_skip(words, list[i]))
			return i;
	words_unknown(*words->next, list);
	return -1;
}

bool words_number(struct words *words, const char *expected, u32 *value)
{
	const char *word = words_take(words, expected), *rest = word;
	unsigned long n;

	if (!word)
		return false;
	if (!number_read(&rest, UINT32_MAX, &n) || *rest) {
		complain_word(word, "expected %s", expected);
		return false;
	}
	*value = n;
	return true;
}

/* A number from 1 on. */
bool words_positive(struct words *words, const char *expected, u32 *value)
{
	if (!words_number(words, expected, value))
		return false;
	if (*value)
		return true;
	complain_word(words->next[-1], "expected %s", expected);
	return false;
}

/* A user by name. The rule gets the ID that the name has on this host, now. */
static bool user(const char *word, unsigned long *uid)
{
	const struct passwd *entry = getpwnam(word);

	if (entry)
		*uid = entry->pw_uid;
	return entry;
}

/* A user, by number or name. UINT32_MAX is no user: (uid_t)-1 means none. */
bool words_user(struct words *words, const char *expected, u32 *uid)
{
	const char *word = words_take(words, expected), *rest = word;
	unsigned long n;

	if (!word)
		return false;
	if ((!number_read(&rest, UINT32_MAX - 1, &n) || *rest) && !user(word, &n)) {
		complain_word(word, "no such user; expected %s", expected);
		return false;
	}
	*uid = (u32)n;
	return true;
}

/* A user, by number or name, or the numbers from one to another. */
bool words_users(struct words *words, struct range *range)
{
	static const char expected[] = "a user ID, two as in 1000-1999, or the name of a user";
	const char *word = words_take(words, expected);
	unsigned long min, max;

	if (!word)
		return false;
	if (!number_read_range(word, UINT32_MAX - 1, &min, &max)) {
		if (!user(word, &min)) {
			complain_word(word, "no such user; expected %s", expected);
			return false;
		}
		max = min;
	}
	if (min > max) {
		complain_word(word, "the lower number comes first");
		return false;
	}
	*range = (struct range){ .min = (u32)min, .max = (u32)max };
	return true;
}

/* As the kernel takes it. Without controls and line ends, a rule stays one line of a terminal. */
static bool is_comment(const char *text)
{
	struct utf8guard_error err;
	size_t length = strlen(text);

	return length && length <= COMMENT_MAX &&
	       !utf8guard_classify(text, length, COMMENT_REFUSED, &err);
}

/* "comment TEXT", the last words of a rule, or nothing: @comment is NULL then. */
bool words_comment(struct words *words, const char **comment)
{
	static const char expected[] = "a text of 1 to 255 octets of UTF-8 without control characters";

	*comment = NULL;
	if (!words_skip(words, "comment"))
		return true;
	*comment = words_take(words, expected);
	if (!*comment)
		return false;
	if (is_comment(*comment))
		return true;
	complain_word(*comment, "expected %s", expected);
	return false;
}

/* Where in a rule @word belongs, if it is one of its words: before what. NULL for others. */
static const char *place_of(const char *word)
{
	static const struct {
		const char *word, *place;
	} places[] = {
		{ "uid", "off, audit or enforce" }, { "userns", "off, audit or enforce" },
		{ "cgroup", "off, audit or enforce" },
		{ "sport", "the action" }, { "dport", "the action" }, { "any-port", "the action" },
		{ "saddr", "the action" }, { "daddr", "the action" }, { "iif", "the action" },
		{ "oif", "the action" }, { "marked", "the action" }, { "direction", "the action" },
		{ "refuse", "comment" }, { "form", "comment" }, { "profile", "comment" },
		{ "scope", "comment" }, { "stream", "comment" }, { "gate", "comment" },
	};
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (!strcmp(word, places[i].word))
			return places[i].place;
	return NULL;
}

bool words_end(const struct words *words)
{
	const char *last = words->last ? words->last : words->command, *place;
	char *shown;

	if (!words_left(words))
		return true;
	place = place_of(*words->next);
	shown = text_escape(last, strlen(last));
	complain_word(*words->next, "unexpected word after \"%s\"%s%s", shown,
		      place ? "; it stands before " : "", place ? place : "");
	free(shown);
	return false;
}
