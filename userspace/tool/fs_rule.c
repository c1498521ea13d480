// SPDX-License-Identifier: GPL-2.0
/* The words that make a rule of the name check. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/linux/utf8guard_fs.h>

#include "attributes.h"
#include "fs_rule.h"
#include "judge.h"
#include "output.h"
#include "profile.h"
#include "userns.h"

#define ATTR(name) UTF8GUARD_FS_A_RULE_##name

/* The kernel is told the real path: where a rule stands does not depend on us. */
bool fs_rule_path(const char *word, struct request *request)
{
	char path[PATH_MAX];

	if (!realpath(word, path)) {
		complain_word(word, "%s", strerror(errno));
		return false;
	}
	request_string(request, ATTR(PATH), path, word);
	return true;
}

static bool take_path(struct words *words, struct request *request, const char *expected)
{
	const char *word = words_take(words, expected);

	return word && fs_rule_path(word, request);
}

static bool take_text(struct words *words, struct request *request, u16 type,
		      const char *expected)
{
	const char *word = words_take(words, expected);

	if (word)
		request_string(request, type, word, word);
	return word;
}

static bool take_scope(struct words *words, struct request *request)
{
	int scope = words_choose(words, words_scope);

	if (scope < 0)
		return false;
	request_u32(request, ATTR(SCOPE), (u32)scope, words->next[-1]);
	switch (scope) {
	case UTF8GUARD_FS_SCOPE_SUBTREE:
		return take_path(words, request, "a directory");
	case UTF8GUARD_FS_SCOPE_SUPERBLOCK:
		return take_path(words, request, "a path on the file system");
	case UTF8GUARD_FS_SCOPE_FSTYPE:
		return take_text(words, request, ATTR(FSTYPE),
				 "a type of file system, as in ext4 or fuse.sshfs");
	default:
		return true;
	}
}

static bool take_uids(struct words *words, struct request *request)
{
	struct range uids;

	if (!words_range(words, "a user ID, or two as in 1000-1999", &uids))
		return false;
	request_u32(request, ATTR(UID_MIN), uids.min, words->next[-1]);
	request_u32(request, ATTR(UID_MAX), uids.max, words->next[-1]);
	return true;
}

static bool take_userns(struct words *words, struct request *request)
{
	static const char expected[] =
		"self, the number of a user namespace, or a file as /proc/PID/ns/user";
	const char *word = words_take(words, expected);
	u32 pid;

	if (!word)
		return false;
	if (!userns_process(word, &pid)) {
		complain_word(word, "no such namespace, or nobody is in it; expected %s", expected);
		return false;
	}
	request_u32(request, ATTR(USERNS_PID), pid, word);
	return true;
}

/* A request with the same attribute twice would mean the last one. */
static bool once(bool *said, const struct words *words)
{
	if (!*said)
		return *said = true;
	complain_word(words->next[-1], "said twice");
	return false;
}

/* For whom, as far as that is said, up to the mode. */
static bool take_who(struct words *words, struct request *request)
{
	static const char *const known[] = {
		"uid", "userns", "cgroup", "off", "audit", "enforce", NULL };
	bool said[3] = { false };

	for (;;) {
		int word = words_choose(words, known);

		if (word < 0)
			return false;
		if (word > 2) {
			words->next--;
			return true;
		}
		if (!once(&said[word], words))
			return false;
		if (word == 0 && !take_uids(words, request))
			return false;
		if (word == 1 && !take_userns(words, request))
			return false;
		if (word == 2 && !take_text(words, request, ATTR(CGROUP), "a cgroup, from /"))
			return false;
	}
}

bool fs_rule_mode(struct words *words, struct request *request)
{
	int mode = words_choose(words, words_mode);

	if (mode < 0)
		return false;
	request_u32(request, ATTR(MODE), (u32)mode, words->next[-1]);
	return true;
}

/**
 * struct what - what a rule refuses, and whom and what it spares
 * @judge: text classes and form
 * @classes, @form: the words that said so, or NULL
 * @admin, @onto, @move: said
 */
struct what {
	struct judge judge;
	const char *classes, *form;
	bool admin, onto, move;
};

static bool take_profile(struct words *words, struct what *what)
{
	const char *word = words_take(words, "utf8, safe or portable-nfc");
	const struct profile *profile = word ? profile_find(word, strlen(word)) : NULL;

	if (!word)
		return false;
	if (!profile) {
		complain_word(word, "unknown profile; expected utf8, safe or portable-nfc");
		return false;
	}
	what->classes = word;
	what->judge.refuse |= profile->refuse;
	if (what->judge.form < 0)
		what->judge.form = profile->form;
	return true;
}

static bool take_classes(struct words *words, struct what *what)
{
	what->classes = words_left(words) ? *words->next : NULL;
	return judge_take_classes(&what->judge, words);
}

static bool take_form(struct words *words, struct what *what)
{
	what->form = words_left(words) ? *words->next : NULL;
	return judge_take_form(&what->judge, words);
}

/* What is not said twice, and is one of two words. */
static bool take_choice(struct words *words, struct request *request, bool *said,
			const char *const *choices, u16 type)
{
	int choice;

	if (!once(said, words))
		return false;
	choice = words_choose(words, choices);
	if (choice == 1)
		request_flag(request, type, words->next[-1]);
	return choice >= 0;
}

/* The first of each is what is without the word, too. */
static const char *const admins[] = { "judge", "exempt", NULL };
static const char *const ontos[] = { "allow", "judge", NULL };
static const char *const moves[] = { "judge", "allow", NULL };

static bool take_what(struct words *words, struct request *request, struct what *what)
{
	bool good = true;

	while (good) {
		if (words_skip(words, "profile"))
			good = take_profile(words, what);
		else if (words_skip(words, "refuse"))
			good = take_classes(words, what);
		else if (words_skip(words, "form"))
			good = take_form(words, what);
		else if (words_skip(words, "admin"))
			good = take_choice(words, request, &what->admin, admins, ATTR(ADMIN_EXEMPT));
		else if (words_skip(words, "onto"))
			good = take_choice(words, request, &what->onto, ontos, ATTR(JUDGE_ONTO));
		else if (words_skip(words, "move"))
			good = take_choice(words, request, &what->move, moves, ATTR(ALLOW_MOVE));
		else
			return true;
	}
	return false;
}

/* From the mode on: what every new rule ends with. */
bool fs_rule_rest(struct words *words, struct request *request)
{
	struct what what = { .judge = { .form = -1 } };
	const char *comment;

	if (!fs_rule_mode(words, request) || !take_what(words, request, &what) ||
	    !words_comment(words, &comment))
		return false;
	if (what.judge.refuse)
		request_u32(request, ATTR(REFUSE), what.judge.refuse, what.classes);
	if (what.judge.form >= 0)
		request_u32(request, ATTR(FORM), (u32)what.judge.form,
			    what.form ? what.form : what.classes);
	if (comment)
		request_string(request, ATTR(COMMENT), comment, comment);
	return true;
}

bool fs_rule_take(struct words *words, struct request *request)
{
	return take_scope(words, request) && take_who(words, request) &&
	       fs_rule_rest(words, request);
}
