// SPDX-License-Identifier: GPL-2.0
/* Words that change the rules of the payload check, as a request. */
#include <uapi/linux/utf8guard_nf.h>

#include "net_change.h"
#include "net_rule.h"

static bool take_handle(struct words *words, struct request *request, u16 type)
{
	u32 handle;

	if (!words_number(words, "the handle of a rule, as \"net show\" prints it", &handle))
		return false;
	request_u32(request, type, handle, words->next[-1]);
	return true;
}

static bool add(struct words *words, struct change *change)
{
	request_init(&change->request, UTF8GUARD_NF_CMD_RULE_ADD);
	return net_rule_take(words, &change->request);
}

static bool ensure(struct words *words, struct change *change)
{
	change->ensures = true;
	request_init(&change->request, UTF8GUARD_NF_CMD_RULE_ADD);
	request_flag(&change->request, UTF8GUARD_NF_A_RULE_EXIST, words->next[-1]);
	return net_rule_take(words, &change->request);
}

static bool is_digit(const char *word)
{
	return word && *word >= '0' && *word <= '9';
}

/* Before a rule; before all where none is named. */
static bool insert(struct words *words, struct change *change)
{
	struct request *request = &change->request;

	request_init(request, UTF8GUARD_NF_CMD_RULE_ADD);
	if (!is_digit(*words->next))
		request_u32(request, UTF8GUARD_NF_A_RULE_BEFORE, 0, words->next[-1]);
	else if (!take_handle(words, request, UTF8GUARD_NF_A_RULE_BEFORE))
		return false;
	return net_rule_take(words, request);
}

static bool replace(struct words *words, struct change *change)
{
	request_init(&change->request, UTF8GUARD_NF_CMD_RULE_REPLACE);
	return take_handle(words, &change->request, UTF8GUARD_NF_A_RULE_HANDLE) &&
	       net_rule_take(words, &change->request);
}

static bool del(struct words *words, struct change *change)
{
	request_init(&change->request, UTF8GUARD_NF_CMD_RULE_DEL);
	if (words_left(words) && !is_digit(*words->next)) {
		change->words = words->next;
		return net_rule_take(words, &change->request);
	}
	return take_handle(words, &change->request, UTF8GUARD_NF_A_RULE_HANDLE) &&
	       words_end(words);
}

static bool flush(struct words *words, struct change *change)
{
	request_init(&change->request, UTF8GUARD_NF_CMD_FLUSH);
	return words_end(words);
}

static bool show(struct words *words, struct change *change)
{
	change->shows = true;
	return words_end(words);
}

bool net_parse(struct words *words, struct change *change)
{
	static const char *const verbs[] = {
		"show", "add", "ensure", "insert", "replace", "del", "flush", NULL };
	static bool (*const functions[])(struct words *, struct change *) = {
		show, add, ensure, insert, replace, del, flush };
	/* "show" is the first. */
	int first = words->of_policy, verb = words_choose(words, verbs + first);

	return verb >= 0 && functions[first + verb](words, change);
}
