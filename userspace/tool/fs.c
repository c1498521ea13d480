// SPDX-License-Identifier: GPL-2.0
/* utf8guard fs: the rules of the name check. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/linux/utf8guard_fs.h>

#include "command.h"
#include "netlink.h"
#include "output.h"
#include "rules.h"

/* The kernel is told the real path: where a rule stands does not depend on us. */
static bool take_path(struct words *words, struct request *request)
{
	const char *word = words_take(words, "a directory");
	char path[PATH_MAX];

	if (!word)
		return false;
	if (!realpath(word, path)) {
		complain_word(word, "%s", strerror(errno));
		return false;
	}
	request_string(request, UTF8GUARD_FS_A_RULE_PATH, path, word);
	return true;
}

static bool take_mode(struct words *words, struct request *request)
{
	int mode = words_choose(words, words_mode);

	if (mode < 0)
		return false;
	request_u32(request, UTF8GUARD_FS_A_RULE_MODE, (u32)mode, words->next[-1]);
	return true;
}

static bool take_handle(struct words *words, struct request *request)
{
	u32 handle;

	if (!words_number(words, "the handle of a rule, as \"fs show\" prints it", &handle))
		return false;
	request_u32(request, UTF8GUARD_FS_A_RULE_HANDLE, handle, words->next[-1]);
	return true;
}

/* "default", whose handle comes later, or a handle. */
static bool take_rule(struct words *words, struct change *change)
{
	if (!words_skip(words, "default"))
		return take_handle(words, &change->request);
	change->of_default = words->next[-1];
	return true;
}

static bool take_scope(struct words *words, struct request *request)
{
	static const char *const scopes[] = { "subtree", NULL };

	if (words_choose(words, scopes) < 0)
		return false;
	request_u32(request, UTF8GUARD_FS_A_RULE_SCOPE, UTF8GUARD_FS_SCOPE_SUBTREE,
		    words->next[-1]);
	return take_path(words, request);
}

/* What every new rule ends with. */
static bool take_rest(struct words *words, struct request *request)
{
	const char *comment;

	if (!take_mode(words, request) || !words_comment(words, &comment))
		return false;
	if (comment)
		request_string(request, UTF8GUARD_FS_A_RULE_COMMENT, comment, comment);
	return true;
}

static bool add(struct words *words, struct change *change)
{
	request_init(&change->request, UTF8GUARD_FS_CMD_RULE_ADD);
	return take_scope(words, &change->request) && take_rest(words, &change->request);
}

static bool set(struct words *words, struct change *change)
{
	request_init(&change->request, UTF8GUARD_FS_CMD_RULE_SET);
	return take_rule(words, change) && take_mode(words, &change->request);
}

static bool replace(struct words *words, struct change *change)
{
	struct request *request = &change->request;

	request_init(request, UTF8GUARD_FS_CMD_RULE_REPLACE);
	if (!take_rule(words, change))
		return false;
	if (!change->of_default)
		return take_scope(words, request) && take_rest(words, request);
	request_u32(request, UTF8GUARD_FS_A_RULE_SCOPE, UTF8GUARD_FS_SCOPE_DEFAULT,
		    change->of_default);
	return take_rest(words, request);
}

static bool del(struct words *words, struct change *change)
{
	request_init(&change->request, UTF8GUARD_FS_CMD_RULE_DEL);
	return take_handle(words, &change->request);
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
		"show", "add", "set", "replace", "del", "flush", NULL };
	static bool (*const functions[])(struct words *, struct change *) = {
		show, add, set, replace, del, flush };
	int verb = words_choose(words, verbs);

	return verb >= 0 && functions[verb](words, change) && words_end(words);
}

static int run(struct words *words)
{
	return rules_run(&rules_fs, words);
}

const struct command command_fs = {
	.name = "fs",
	.flags = "jps",
	.summary = "the rules of the name check",
	.help =
"utf8guard fs [show] [-j] [-s]\n"
"utf8guard fs add subtree PATH off|audit|enforce [comment TEXT]\n"
"utf8guard fs set HANDLE|default off|audit|enforce\n"
"utf8guard fs replace HANDLE subtree PATH off|audit|enforce [comment TEXT]\n"
"utf8guard fs replace default off|audit|enforce [comment TEXT]\n"
"utf8guard fs del HANDLE\n"
"utf8guard fs flush\n"
"\n"
"A rule says what is done about a new name that is not UTF-8: nothing (off),\n"
"report it (audit), or report it and fail the system call (enforce). A subtree\n"
"is a directory and all below it on the same file system; the rule nearest to\n"
"the name decides, and the default where there is none. set changes the mode and\n"
"nothing else; replace makes another rule with the same handle, whose counters\n"
"begin anew. flush goes back to the one rule after loading: fs set default audit.\n"
"\n"
"TEXT is up to 255 octets of UTF-8 in one word, kept with the rule and shown with\n"
"it; \"comment --\" where it begins with a minus.\n"
"\n"
"  -s  show the counters of each class too\n"
"  -j  JSON; with add, set and replace, the rule with its handle\n",
	.run = run,
};
