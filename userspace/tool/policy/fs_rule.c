// SPDX-License-Identifier: GPL-2.0
/* The words that make a rule of the name check. */
#include <errno.h>
#include <limits.h>
#include <linux/genetlink.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <uapi/linux/utf8guard_fs.h>

#include "fs_rule.h"
#include "location/mounts.h"
#include "location/opener.h"
#include "location/userns.h"
#include "netlink/enumerations.h"
#include "output/output.h"
#include "output/text.h"
#include "text/judge.h"

#define ATTR(name) UTF8GUARD_FS_A_RULE_##name

/* A policy may come before the directories that it is for. */
bool fs_rule_may_wait;
bool fs_rule_of_file;
bool fs_rule_is_old;
bool fs_rule_no_links;
int fs_rule_lost;

/* Why a path is not that of a rule. What is no error of a system call has one of its own here. */
static const char *reason(int error)
{
	switch (error) {
	case ETIMEDOUT:
		return "no answer within five seconds; is its server dead?";
	case EXDEV:
		return "a link in /proc leads into another mount namespace; try nsenter";
	case ENODEV:
		return "no file system is mounted there, and a policy names one by its mount point";
	case ESTALE:
		return "what is mounted there was removed, or moved too far down";
	default:
		return strerror(error);
	}
}

/* @before and @after: what is said with the reason. */
static void complain_error(const char *word, int error, const struct opened *opened,
			   const char *before, const char *after)
{
	char *link;

	if (error != ENOLINK) {
		complain_word(word, "%s%s%s", before, reason(error), after);
		return;
	}
	link = text_escape(opened->path, strlen(opened->path));
	complain_word(word, "%s%s is a symbolic link that others than root may change; name what it leads to%s",
		      before, link, after);
	free(link);
}

/* Adds the descriptor of a directory. Return: its real path, until the next call; or NULL. */
const char *fs_rule_open(const char *word, struct request *request)
{
	static struct opened opened;
	int error = opener_open_by_any_link(word, &opened);

	if (!error && *opened.below)
		error = ENOENT;
	if (error) {
		complain_error(word, error, &opened, "", "");
		return NULL;
	}
	request_u32(request, ATTR(FD), (u32)opened.fd, word);
	return opened.path;
}

/* Has the path a file system of its own by now, or the root? An automount has none yet. */
static bool is_mounted(const struct opened *opened)
{
	return !strcmp(opened->path, "/") ||
	       (opened->is_mount && !mounts_is_automount(opened->path));
}

/*
 * Can a rule be for what was opened? Return: 0 or an errno. A file system that is mounted later is
 * not to be taken for the one that has the directory.
 */
static int check_opened(const struct opened *opened, bool is_tree)
{
	if (*opened->below && (!is_tree || !fs_rule_may_wait))
		return ENOENT;
	if (is_tree)
		return opened->is_dir ? 0 : ENOTDIR;
	return !fs_rule_of_file || is_mounted(opened) ? 0 : ENODEV;
}

static int open_location(const char *word, struct opened *opened, bool is_tree)
{
	int error = opener_open(word, opened);

	if (error)
		return error;
	error = check_opened(opened, is_tree);
	if (error)
		close(opened->fd);
	return error;
}

/*
 * Others than the administrator can bring all of these errors about, so none of them keeps the
 * other rules of a policy from being loaded.
 */
static bool take_unfound(struct request *request, const char *word, int error,
			 const struct opened *opened)
{
	if (!fs_rule_may_wait || *word != '/' || strlen(word) >= PATH_MAX) {
		complain_error(word, error, opened, "", "");
		return false;
	}
	if (!fs_rule_is_old)
		complain_error(word, error, opened, "warning: ",
			       " (the rule does nothing until it is loaded again)");
	else if (error != ENOENT && error != ENODEV)
		complain_error(word, error, opened, "warning: ", "");
	request_string(request, ATTR(PATH), word, word);
	return true;
}

/*
 * Adds what was opened. The kernel is told the real path: our working directory and symbolic links
 * are not part of it. "save" writes the path of a rule, and a policy names a file system by its
 * mount point.
 */
static void take_opened(struct request *request, const char *word, struct opened *opened,
			bool is_tree)
{
	char path[2 * PATH_MAX];
	const char *inside = path + opened->at;

	if (!is_tree && opened->at)
		opened->path[opened->at] = '\0';
	else if (!is_tree)
		strcpy(opened->path, "/");
	snprintf(path, sizeof(path), "%s%s%s", opened->path,
		 *opened->below && strcmp(opened->path, "/") ? "/" : "", opened->below);
	request_string(request, ATTR(PATH), path, word);
	request_u32(request, ATTR(FD), (u32)opened->fd, word);
	if (is_tree && *inside && strcmp(inside, "/"))
		request_string(request, ATTR(INSIDE), inside, word);
}

static bool take_path(struct request *request, const char *word, bool is_tree)
{
	static struct opened opened;
	int error;

	if (fs_rule_of_file && *word != '/') {
		complain_word(word, "expected a path from the root: a policy is loaded from any directory");
		return false;
	}
	error = fs_rule_lost && fs_rule_lost != ESRCH ? ESTALE : open_location(word, &opened, is_tree);
	if (error)
		return take_unfound(request, word, error, &opened);
	if (fs_rule_no_links && strcmp(opened.path, word)) {
		complain_word(word, "a link on the way leads to another location");
		return false;
	}
	take_opened(request, word, &opened, is_tree);
	if (*opened.below && !fs_rule_is_old)
		complain_word(word, "warning: no such directory yet; the rule waits for it");
	return true;
}

/* Reads the digits of a UUID, with hyphens or without. */
static bool read_uuid(const char *text, size_t length, u8 *uuid)
{
	unsigned int digits = 0;
	size_t i;

	memset(uuid, 0, 16);
	for (i = 0; i < length; i++) {
		int digit = text_digit(text[i]);

		if (text[i] == '-')
			continue;
		if (digit < 0 || digits == 32)
			return false;
		uuid[digits / 2] |= (u8)(digit << (digits % 2 ? 0 : 4));
		digits++;
	}
	return digits == 32;
}

/* TYPE:UUID:INSIDE, as "save" writes it: the file system need not be there. */
static bool take_volume(struct words *words, struct request *request, const char *path)
{
	static const char expected[] = "TYPE:UUID:PATH of a file system";
	const char *word = words_take(words, expected);
	const char *uuid = word ? strchr(word, ':') : NULL;
	const char *inside = uuid ? strchr(uuid + 1, ':') : NULL;
	static struct opened opened;
	char type[32];
	u8 number[16];

	if (!word)
		return false;
	if (!inside || uuid == word || (size_t)(uuid - word) >= sizeof(type) ||
	    !read_uuid(uuid + 1, (size_t)(inside - uuid - 1), number)) {
		complain_word(word, "expected %s", expected);
		return false;
	}
	snprintf(type, sizeof(type), "%.*s", (int)(uuid - word), word);
	request_string(request, ATTR(PATH), path, path);
	request_data(request, ATTR(UUID), number, sizeof(number), word);
	request_string(request, ATTR(VOLUME_TYPE), type, word);
	request_string(request, ATTR(INSIDE), inside + 1, word);
	/* If the path is there, its descriptor shows it to the kernel at once. */
	if (mounts_is_automount(path) || opener_open(path, &opened))
		return true;
	if (*opened.below)
		close(opened.fd);
	else
		request_u32(request, ATTR(FD), (u32)opened.fd, path);
	return true;
}

static bool take_place(struct words *words, struct request *request, bool is_tree)
{
	const char *word = words_take(words, is_tree ? "a directory" : "a path on the file system");

	if (!word)
		return false;
	if (words_skip(words, "volume"))
		return take_volume(words, request, word);
	return take_path(request, word, is_tree);
}

/* The attribute of a further location for an attribute of the first one, which is in the rule. */
static u16 other_type(u16 type)
{
	switch (type) {
	case ATTR(PATH):
		return UTF8GUARD_FS_A_LOCATION_PATH;
	case ATTR(FD):
		return UTF8GUARD_FS_A_LOCATION_FD;
	case ATTR(UUID):
		return UTF8GUARD_FS_A_LOCATION_UUID;
	case ATTR(VOLUME_TYPE):
		return UTF8GUARD_FS_A_LOCATION_VOLUME_TYPE;
	default:
		return UTF8GUARD_FS_A_LOCATION_INSIDE;
	}
}

/* Adds a location as a nest: take_place() makes a rule of it alone, which is then copied. */
static bool take_other_place(struct words *words, struct request *request, bool is_tree)
{
	static struct request alone;
	const char *word = *words->next;
	struct nlattr *attr;

	request_init(&alone, 0);
	if (!take_place(words, &alone, is_tree))
		return false;
	mnl_attr_for_each(attr, alone.header, sizeof(struct genlmsghdr)) {
		attr->nla_type = other_type(mnl_attr_get_type(attr));
	}
	request_nest(request, ATTR(LOCATION), mnl_nlmsg_get_payload_offset(alone.header,
									    sizeof(struct genlmsghdr)),
		     mnl_nlmsg_get_payload_len(alone.header) - sizeof(struct genlmsghdr), word);
	return true;
}

/* Paths: the first one, whatever it begins with, and those after it that begin with a slash. */
static bool take_places(struct words *words, struct request *request, bool is_tree)
{
	bool good = take_place(words, request, is_tree);

	while (good && words_left(words) && **words->next == '/')
		good = take_other_place(words, request, is_tree);
	return good;
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
		return take_places(words, request, true);
	case UTF8GUARD_FS_SCOPE_SUPERBLOCK:
		return take_places(words, request, false);
	case UTF8GUARD_FS_SCOPE_FSTYPE:
		return take_text(words, request, ATTR(FSTYPE),
				 "a type of file system, as in ext4 or fuse.sshfs");
	default:
		return true;
	}
}

/* Does this host know the user by itself? Who asks LDAP or the like needs the network. */
static bool is_local(const char *name)
{
	FILE *in = fopen("/etc/passwd", "re");
	const struct passwd *entry;
	bool found = !in;

	while (!found && (entry = fgetpwent(in)))
		found = !strcmp(entry->pw_name, name);
	if (in)
		fclose(in);
	return found;
}

/* A file that is loaded at boot, before the network, is tried when all users are known. */
static void warn_of_user(const char *word, u32 uid)
{
	if (!fs_rule_of_file || fs_rule_is_old || !word[strspn(word, "0123456789-")] || is_local(word))
		return;
	complain_word(word, "warning: not in /etc/passwd; at boot, before the network, nobody knows this user, and nothing of the file is loaded: write %u",
		      uid);
}

static bool take_uids(struct words *words, struct request *request)
{
	struct range uids;

	if (!words_users(words, &uids))
		return false;
	request_u32(request, ATTR(UID_MIN), uids.min, words->next[-1]);
	request_u32(request, ATTR(UID_MAX), uids.max, words->next[-1]);
	warn_of_user(words->next[-1], uids.min);
	return true;
}

/* Where a rule may wait: true after a warning. Otherwise, false after a complaint. */
static bool leave_out(const char *word, int error, const char *expected, enum left_out *left_out)
{
	const bool unseen = error == EACCES;
	const char *why = unseen ?
		"not all processes may be looked at, so whether one is in it is unknown (CAP_SYS_PTRACE)" :
		"no such namespace, or nobody is in it";

	if (!fs_rule_may_wait) {
		complain_word(word, "%s; expected %s", why, expected);
		return false;
	}
	complain_word(word, "warning: %s; the line is left out", why);
	*left_out = unseen ? LEFT_OUT_UNSEEN : LEFT_OUT_ABSENT;
	return true;
}

static bool take_userns(struct words *words, struct request *request, enum left_out *left_out)
{
	static const char expected[] =
		"self, owner, the number of a user namespace, or a file as /proc/PID/ns/user";
	const char *word = words_take(words, expected);
	u32 pid, number, owner;
	int error;

	if (!word)
		return false;
	if (!strcmp(word, "owner")) {
		if (!words_user(words, "the user ID of an owner, or the name", &owner))
			return false;
		request_u32(request, ATTR(USERNS_OWNER), owner, words->next[-1]);
		warn_of_user(words->next[-1], owner);
		return true;
	}
	error = fs_rule_lost == ESRCH ? ENOENT : userns_process(word, &pid, &number);
	if (error)
		return leave_out(word, error, expected, left_out);
	request_u32(request, ATTR(USERNS_PID), pid, word);
	if (number)
		request_u32(request, ATTR(USERNS), number, word);
	return true;
}

static bool take_cgroup(struct words *words, struct request *request)
{
	if (!take_text(words, request, ATTR(CGROUP), "a cgroup, from /"))
		return false;
	if (fs_rule_may_wait)
		request_flag(request, ATTR(MAY_WAIT), words->next[-1]);
	return true;
}

/* Return: false after a complaint: of an attribute given twice, the kernel would take the last. */
static bool once(bool *said, const struct words *words)
{
	if (!*said)
		return *said = true;
	complain_word(words->next[-1], "given twice");
	return false;
}

/* For whom the rule is, as far as that is said. The mode, which comes next, is not taken. */
static bool take_who(struct words *words, struct request *request, enum left_out *left_out)
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
		if (word == 1 && !take_userns(words, request, left_out))
			return false;
		if (word == 2 && !take_cgroup(words, request))
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
	what->classes = words_left(words) ? *words->next : NULL;
	return judge_take_profile(&what->judge, words);
}

static bool take_classes(struct words *words, struct what *what)
{
	what->classes = words_left(words) ? *words->next : NULL;
	return judge_take_classes(&what->judge, words);
}

static bool take_form(struct words *words, struct what *what)
{
	bool said = what->form;

	if (!once(&said, words))
		return false;
	what->form = words_left(words) ? *words->next : NULL;
	return judge_take_form(&what->judge, words);
}

/* Takes one of two words, once for a rule: the second sets the flag @type. */
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

/* The first word of each list is the default. */
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

/* @left_out: set, with a warning, where fs_rule_may_wait and the namespace of the rule is not found. */
bool fs_rule_take(struct words *words, struct request *request, enum left_out *left_out)
{
	return take_scope(words, request) && take_who(words, request, left_out) &&
	       fs_rule_rest(words, request);
}
