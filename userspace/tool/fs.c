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

static struct request request;

static int show(struct words *words)
{
	return words_end(words) ? rules_show(&rules_fs) : STATUS_USAGE;
}

/* The kernel is told the real path: where a rule stands does not depend on us. */
static bool take_path(struct words *words)
{
	const char *word = words_take(words, "a directory");
	char path[PATH_MAX];

	if (!word)
		return false;
	if (!realpath(word, path)) {
		complain_word(word, "%s", strerror(errno));
		return false;
	}
	request_string(&request, UTF8GUARD_FS_A_RULE_PATH, path, word);
	return true;
}

static bool take_mode(struct words *words)
{
	int mode = words_choose(words, words_mode);

	if (mode < 0)
		return false;
	request_u32(&request, UTF8GUARD_FS_A_RULE_MODE, (u32)mode, words->next[-1]);
	return true;
}

static bool take_handle(struct words *words)
{
	u32 handle;

	if (!words_number(words, "the handle of a rule, as \"fs show\" prints it", &handle))
		return false;
	request_u32(&request, UTF8GUARD_FS_A_RULE_HANDLE, handle, words->next[-1]);
	return true;
}

static int add(struct words *words)
{
	static const char *const scopes[] = { "subtree", NULL };

	request_init(&request, UTF8GUARD_FS_CMD_RULE_ADD);
	if (words_choose(words, scopes) < 0)
		return STATUS_USAGE;
	request_u32(&request, UTF8GUARD_FS_A_RULE_SCOPE, UTF8GUARD_FS_SCOPE_SUBTREE,
		    words->next[-1]);
	if (!take_path(words) || !take_mode(words) || !words_end(words))
		return STATUS_USAGE;
	return rules_submit(&rules_fs, &request);
}

static bool default_in(const json_t *rules, u32 *handle)
{
	const json_t *rule;
	size_t i;

	json_array_foreach(rules, i, rule) {
		if (strcmp(member_text(rule, "scope"), "default"))
			continue;
		*handle = (u32)member_number(rule, "handle");
		return true;
	}
	return false;
}

/* The kernel knows rules by their handles only. */
static int find_default(u32 *handle)
{
	struct netlink nl;
	json_t *rules;
	int status = netlink_open_or_complain(&nl, NETLINK_FS);

	if (status)
		return status;
	status = rules_list(&rules_fs, &nl, &rules);
	netlink_close(&nl);
	if (status)
		return status;
	if (!default_in(rules, handle)) {
		complain("the kernel lists no default rule");
		status = STATUS_REFUSED;
	}
	json_decref(rules);
	return status;
}

static int set_default(struct words *words)
{
	const char *word = words->next[-1];
	u32 handle;
	int status;

	if (!take_mode(words) || !words_end(words))
		return STATUS_USAGE;
	status = find_default(&handle);
	if (status)
		return status;
	request_u32(&request, UTF8GUARD_FS_A_RULE_HANDLE, handle, word);
	return rules_submit(&rules_fs, &request);
}

static int set(struct words *words)
{
	request_init(&request, UTF8GUARD_FS_CMD_RULE_SET);
	if (words_skip(words, "default"))
		return set_default(words);
	if (!take_handle(words) || !take_mode(words) || !words_end(words))
		return STATUS_USAGE;
	return rules_submit(&rules_fs, &request);
}

static int del(struct words *words)
{
	request_init(&request, UTF8GUARD_FS_CMD_RULE_DEL);
	if (!take_handle(words) || !words_end(words))
		return STATUS_USAGE;
	return rules_submit(&rules_fs, &request);
}

static int flush(struct words *words)
{
	request_init(&request, UTF8GUARD_FS_CMD_FLUSH);
	return words_end(words) ? rules_submit(&rules_fs, &request) : STATUS_USAGE;
}

static int run(struct words *words)
{
	static const char *const verbs[] = { "show", "add", "set", "del", "flush", NULL };
	static int (*const functions[])(struct words *) = { show, add, set, del, flush };
	int verb = words_left(words) ? words_choose(words, verbs) : 0;

	return verb < 0 ? STATUS_USAGE : functions[verb](words);
}

const struct command command_fs = {
	.name = "fs",
	.flags = "jps",
	.summary = "the rules of the name check",
	.help =
"utf8guard fs [show] [-j] [-s]\n"
"utf8guard fs add subtree PATH off|audit|enforce\n"
"utf8guard fs set HANDLE|default off|audit|enforce\n"
"utf8guard fs del HANDLE\n"
"utf8guard fs flush\n"
"\n"
"A rule says what is done about a new name that is not UTF-8: nothing (off),\n"
"report it (audit), or report it and fail the system call (enforce). A subtree\n"
"is a directory and all below it on the same file system; the rule nearest to\n"
"the name decides, and the default where there is none. flush goes back to the\n"
"one rule after loading: fs set default audit.\n"
"\n"
"  -s  show the counters of each class too\n"
"  -j  JSON; with add and set, the rule with its handle\n",
	.run = run,
};
