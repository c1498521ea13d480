// SPDX-License-Identifier: GPL-2.0
/* Words that change the rules of the name check, as a request. */
#include <string.h>

#include <uapi/linux/utf8guard_fs.h>

#include "fs_change.h"
#include "fs_rule.h"
#include "location/mounts.h"

static bool take_handle(struct words *words, struct request *request)
{
	u32 handle;

	if (!words_number(words, "the handle of a rule, as \"fs show\" prints it, or what the rule says", &handle))
		return false;
	request_u32(request, UTF8GUARD_FS_A_RULE_HANDLE, handle, words->next[-1]);
	return true;
}

/* A handle, or "default", whose handle is asked for later. */
static bool take_rule(struct words *words, struct change *change)
{
	if (!words_skip(words, "default"))
		return take_handle(words, &change->request);
	change->of_default = words->next[-1];
	return true;
}

static bool take_new(struct words *words, struct change *change)
{
	char *const *rule = words->next;

	if (!fs_rule_take(words, &change->request, &change->left_out))
		return false;
	if (!change->left_out)
		mounts_warn(rule);
	return true;
}

static bool add(struct words *words, struct change *change)
{
	request_init(&change->request, UTF8GUARD_FS_CMD_RULE_ADD);
	return take_new(words, change);
}

static bool ensure(struct words *words, struct change *change)
{
	change->ensures = true;
	request_init(&change->request, UTF8GUARD_FS_CMD_RULE_ADD);
	request_flag(&change->request, UTF8GUARD_FS_A_RULE_EXIST, words->next[-1]);
	return take_new(words, change);
}

static bool set(struct words *words, struct change *change)
{
	request_init(&change->request, UTF8GUARD_FS_CMD_RULE_SET);
	return take_rule(words, change) && fs_rule_mode(words, &change->request);
}

static bool replace(struct words *words, struct change *change)
{
	struct request *request = &change->request;

	request_init(request, UTF8GUARD_FS_CMD_RULE_REPLACE);
	if (!take_rule(words, change))
		return false;
	if (!change->of_default)
		return fs_rule_take(words, request, &change->left_out);
	request_u32(request, UTF8GUARD_FS_A_RULE_SCOPE, UTF8GUARD_FS_SCOPE_DEFAULT,
		    change->of_default);
	return fs_rule_rest(words, request);
}

/*
 * Do the next words describe a rule, or are they a handle? "default" alone describes none: the
 * default for all, which it would be, cannot be deleted.
 */
static bool is_rule(const struct words *words)
{
	static const char *const scopes[] = { "default", "subtree", "superblock", "fstype" };
	const char *word = *words->next;
	size_t i;

	for (i = 0; word && i < sizeof(scopes) / sizeof(*scopes); i++)
		if (!strcmp(word, scopes[i]))
			return i || words->next[1];
	return false;
}

static bool del(struct words *words, struct change *change)
{
	bool may_wait = fs_rule_may_wait, is_old = fs_rule_is_old, good;

	request_init(&change->request, UTF8GUARD_FS_CMD_RULE_DEL);
	if (!is_rule(words))
		return take_handle(words, &change->request);
	/* The rule may be for what is not there any more. */
	change->words = words->next;
	fs_rule_may_wait = true;
	fs_rule_is_old = true;
	good = fs_rule_take(words, &change->request, &change->left_out);
	fs_rule_may_wait = may_wait;
	fs_rule_is_old = is_old;
	return good;
}

static bool flush(struct words *words, struct change *change)
{
	(void)words;
	request_init(&change->request, UTF8GUARD_FS_CMD_FLUSH);
	return true;
}

static bool show(struct words *words, struct change *change)
{
	(void)words;
	change->shows = true;
	return true;
}

bool fs_parse(struct words *words, struct change *change)
{
	static const char *const verbs[] = {
		"show", "add", "ensure", "set", "replace", "del", "flush", NULL };
	static bool (*const functions[])(struct words *, struct change *) = {
		show, add, ensure, set, replace, del, flush };
	/* "show" is the first. */
	int first = words->of_policy, verb = words_choose(words, verbs + first);

	return verb >= 0 && functions[first + verb](words, change) && words_end(words);
}
