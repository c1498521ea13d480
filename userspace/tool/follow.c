// SPDX-License-Identifier: GPL-2.0
/*
 * utf8guard follow: moves rules to file systems that are other ones after each mount. The kernel
 * says which rules those are, and decides whether what is open at the path of one is what the
 * rule is for. A child looks at the mounts each time, so that descriptors, and the memory of
 * servers that do not answer, last no longer than one look.
 */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <uapi/linux/utf8guard_fs.h>

#include "command.h"
#include "location/mounts.h"
#include "location/opener.h"
#include "netlink/attributes.h"
#include "netlink/watch.h"
#include "output/output.h"
#include "output/text.h"
#include "policy/rule_line.h"
#include "policy/rules.h"

/*
 * Exit status of a child: a rule could not follow yet, for a reason that may go by itself. No
 * change of mounts or of rules need tell when it does, as where a server answers again. So there are
 * looks each ten seconds, and after six of them each minute.
 */
#define STATUS_AGAIN	100
#define STATUS_SILENT	101
#define AGAIN_MS	10000
#define AGAIN_TIMES	6
#define LATER_MS	60000

/*
 * Where a server does not answer, each look at a path there may leave a process that nothing can
 * end. So after the first minute such paths are left out of most looks: they are tried in the 1st,
 * 2nd, 4th and so on, and from the 64th on in each 64th.
 */
#define RAREST		64

/* Which paths those are, by slot_of(); the children write it. Two paths may share a slot. */
#define SLOTS		4096
static bool *is_silent;
static bool asks_silent = true;

/* Time between two looks, for users may mount as often as they like, with fusermount. */
#define CALM_MS		200

static bool once;

/* The next look is the only one, or it is time to say why a rule waits. */
static bool says_why;

/*
 * Is the file system of the location one that is not recognised after the next mount, because it
 * has no UUID that stays? Only the kernel knows whether it is gone, once it is asked to move the
 * rule. It says of a tmpfs that the rule waits, some seconds later, and of a file system without a
 * UUID nothing; and another one may soon have its device number.
 */
static bool may_be_lost(const json_t *location)
{
	return member_present(location, "path") && !member_present(location, "uuid");
}

/* A rule has sixteen paths at most. */
static bool *slot_of(const json_t *rule, size_t path)
{
	return &is_silent[(member_number(rule, "handle") * 16 + path) % SLOTS];
}

/* What is there is not what the rule is for, which is no error. */
static bool is_other(int error)
{
	return error == ENOENT || error == EINVAL || error == ENOTDIR || error == ENAMETOOLONG;
}

/* What is said of a rule that waits begins with this; malloc'd. */
static char *label_of(const json_t *rule, const char *path)
{
	char *label;

	if (asprintf(&label, "handle %llu, %s", member_number(rule, "handle"), path) < 0)
		no_null(NULL);
	return label;
}

static bool is_tree(const json_t *rule)
{
	return !strcmp(member_text(rule, "scope"), "subtree");
}

/*
 * Asks the kernel to move a rule from what was at @path to what is open. A rule that cannot
 * follow keeps no other rule from that: it waits, for example until the rule is deleted that is
 * there already.
 */
static int hand_over(struct netlink *nl, const json_t *rule, const char *path,
		     const struct opened *opened)
{
	static struct request request;
	struct refusal refusal;
	json_t *found = NULL;
	char *label;
	int error;

	request_init(&request, UTF8GUARD_FS_CMD_RULE_FIND);
	request_u32(&request, UTF8GUARD_FS_A_RULE_HANDLE, (u32)member_number(rule, "handle"), NULL);
	request_u32(&request, UTF8GUARD_FS_A_RULE_FD, (u32)opened->fd, NULL);
	/* Older modules know one location, and not this attribute. */
	if (member_present(rule, "location"))
		request_string(&request, UTF8GUARD_FS_A_RULE_PATH, path, NULL);
	/* Nor this one: the location must be where the file system is mounted for them. */
	if (path[opened->at] && is_tree(rule))
		request_string(&request, UTF8GUARD_FS_A_RULE_INSIDE, path + opened->at, NULL);
	error = netlink_ask(nl, &request, &attributes_fs_rule, &found, &refusal);
	if (!error && json_object_size(found))
		rules_print_one(&rules_fs, found, ", found again");
	json_decref(found);
	if (!error || is_other(error))
		return STATUS_DONE;
	if (error == EPERM || says_why) {
		label = label_of(rule, path);
		refusal.word = label;
		netlink_complain(nl, &attributes_fs_rule, &refusal);
		free(label);
	}
	return error == EPERM ? STATUS_REFUSED : STATUS_AGAIN;
}

/* Is what is open, with what is not there yet below it, at the path itself? */
static bool is_at(const struct opened *opened, const char *path)
{
	size_t length = strlen(opened->path);

	if (strncmp(opened->path, path, length))
		return false;
	path += length;
	if (!*opened->below)
		return !*path;
	/* The root ends with its slash. */
	if (length > 1 && *path++ != '/')
		return false;
	return !strcmp(path, opened->below);
}

/*
 * The path of a rule had no symbolic links when the rule was added. A link that is there now may
 * have been made by anybody who can write to a directory on the way, and may lead to any mount.
 */
static int find(struct netlink *nl, const json_t *rule, const json_t *location)
{
	char *path = text_unescape(member_text(location, "path"));
	static struct opened opened;
	int error, status = STATUS_DONE;

	/* A look would mount it, and again whenever it is unmounted for want of use. */
	error = mounts_is_automount(path) ? ENOENT : opener_open(path, &opened);
	/* A superblock has no path: where nothing is mounted yet, another one would be taken. */
	if (!error && is_at(&opened, path) && (is_tree(rule) || opened.is_mount))
		status = hand_over(nl, rule, path, &opened);
	if (!error)
		close(opened.fd);
	free(path);
	return error == ETIMEDOUT ? STATUS_SILENT : status;
}

static void complain_silent(const json_t *rule, const json_t *location)
{
	char *path = text_unescape(member_text(location, "path")), *label = label_of(rule, path);

	complain_word(label, "it waits: what is mounted there does not answer");
	free(label);
	free(path);
}

static int find_unless_silent(struct netlink *nl, const json_t *rule, const json_t *location,
			      bool *silent)
{
	int status = *silent && !asks_silent ? STATUS_SILENT : find(nl, rule, location);

	*silent |= status == STATUS_SILENT;
	if (status == STATUS_SILENT && says_why)
		complain_silent(rule, location);
	return status;
}

static int find_all(struct netlink *nl, const json_t *list)
{
	int status = STATUS_DONE, worst = STATUS_DONE;
	const json_t *rule, *location;
	size_t i, which;

	json_array_foreach(list, i, rule) {
		rule_for_each_location(rule, which, location) {
			if (!may_be_lost(location))
				continue;
			status = find_unless_silent(nl, rule, location, slot_of(rule, which));
			if (status == STATUS_REFUSED)
				return status;
			worst = status > worst ? status : worst;
		}
	}
	return worst;
}

static int look(void)
{
	struct netlink nl;
	json_t *list = NULL;
	int status = netlink_open_or_complain(&nl, rules_fs.family);

	if (status)
		return status;
	status = rules_list(&rules_fs, &nl, &list);
	if (!status)
		status = find_all(&nl, list);
	json_decref(list);
	netlink_close(&nl);
	return status;
}

static int look_in_child(void)
{
	pid_t child;
	int status;

	if (asks_silent)
		memset(is_silent, false, SLOTS * sizeof(*is_silent));
	fflush(stdout);
	child = fork();
	if (!child) {
		status = look();
		fflush(stdout);
		_exit(status);
	}
	if (child < 0 || waitpid(child, &status, 0) != child) {
		complain("cannot look at the mounts: %s", strerror(errno));
		return STATUS_REFUSED;
	}
	if (WIFSIGNALED(status))
		complain("the look at the mounts was ended: %s", strsignal(WTERMSIG(status)));
	return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_REFUSED;
}

/**
 * struct follower - what a look may be needed for
 * @mounts: mountinfo, opened before the first look, so that no later mount is missed
 * @families: which families of netlink come and go; joined before the first look, too
 * @rules: changes of rules, as a revert, which brings back rules that nobody has looked at while
 *	others were on trial; joined anew before each look, for the module may be another by then
 * @absent: the module was not there at the last look
 * @told: users know of @absent
 * @was_there: the module has been there before
 */
struct follower {
	int mounts;
	struct watch families, rules;
	bool absent, told, was_there;
};

static bool is_absent(void)
{
	struct netlink nl;
	int error = netlink_open(&nl, rules_fs.family);

	netlink_close(&nl);
	return error == ENOENT;
}

/*
 * Did the module go during a look? Then it refused what it was asked, or was not found. Netlink
 * tells of that after it has taken the family away, so it may be missed where the family is still
 * away; and the module may be back by now.
 */
static bool has_gone(const struct follower *f)
{
	struct pollfd poll_for = { .fd = watch_fd(&f->families), .events = POLLIN };

	return is_absent() || poll(&poll_for, 1, 0) > 0;
}

/*
 * What netlink tells from the beginning of this on ends the next wait; so do the moves of this look,
 * after which another one finds nothing to move.
 */
static int look_if_there(struct follower *f)
{
	bool absent;
	int status;

	watch_drain(&f->families);
	watch_close(&f->rules);
	absent = watch_open(&f->rules) == ENOENT;
	f->told = f->told && f->absent == absent;
	f->absent = absent;
	if (absent)
		return STATUS_DONE;
	status = look_in_child();
	if ((status == STATUS_REFUSED || status == STATUS_ABSENT) && has_gone(f))
		return STATUS_AGAIN;
	return status;
}

/* Whoever starts it in the background can wait for these lines. */
static void tell(struct follower *f)
{
	if (f->told)
		return;
	f->told = true;
	if (!f->absent) {
		f->was_there = true;
		complain("following");
		return;
	}
	/* Later, somebody has unloaded it, and may not be done with that. */
	if (!f->was_there)
		netlink_complain_absent(rules_fs.family, ENOENT);
	complain("waiting for %s", rules_fs.family);
}

/* How long to wait for a change of mounts, in milliseconds; -1 for ever. */
static int patience(int status, int again)
{
	if (status == STATUS_DONE)
		return -1;
	return again < AGAIN_TIMES ? AGAIN_MS : LATER_MS;
}

/* Are paths whose servers did not answer tried in this look? See RAREST. */
static bool is_their_turn(int again)
{
	int late = again - AGAIN_TIMES;

	return late <= 0 || !(late & (late - 1)) || !(late % RAREST);
}

/*
 * Does the next look say why rules wait? At the end of a minute without a change of mounts; and if
 * they change more often, once rules have waited for a minute.
 */
static bool is_time_to_say(int status, int again)
{
	static time_t since;
	static bool told;
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	if (status == STATUS_DONE || !since) {
		since = status == STATUS_DONE ? 0 : now.tv_sec;
		told = false;
	}
	if (status == STATUS_DONE)
		return false;
	if (again != AGAIN_TIMES && (told || now.tv_sec - since < AGAIN_TIMES * AGAIN_MS / 1000))
		return false;
	told = true;
	return true;
}

static bool may_go_on(int status)
{
	return status == STATUS_DONE || status == STATUS_AGAIN || status == STATUS_SILENT;
}

/* Without the module there are no rules, so no mount matters. As poll(). */
static int wait_for_change(const struct follower *f, int timeout)
{
	struct pollfd polls[] = {
		{ .fd = f->absent ? -1 : f->mounts, .events = POLLPRI },
		{ .fd = watch_fd(&f->families), .events = POLLIN },
		{ .fd = watch_fd(&f->rules), .events = POLLIN },
	};

	/* What changes meanwhile, the next poll tells. */
	poll(NULL, 0, CALM_MS);
	return poll(polls, sizeof(polls) / sizeof(polls[0]), timeout);
}

static int follow(struct follower *f)
{
	int status = look_if_there(f), again = 0;

	while (may_go_on(status)) {
		int changed;

		tell(f);
		changed = wait_for_change(f, patience(status, again));
		if (changed < 0 && errno != EINTR) {
			complain("poll: %s", strerror(errno));
			return STATUS_USAGE;
		}
		again = changed ? 0 : again + 1;
		says_why = is_time_to_say(status, again);
		asks_silent = is_their_turn(again);
		status = look_if_there(f);
	}
	return status;
}

static int look_once(void)
{
	int status;

	says_why = true;
	status = look_in_child();
	return status != STATUS_DONE && may_go_on(status) ? STATUS_NO : status;
}

static int run(struct words *words)
{
	struct follower f = {
		.families = { .family = "nlctrl", .group = "notify" },
		.rules = { .family = rules_fs.family, .group = "config" },
	};
	int status;

	if (!words_end(words))
		return STATUS_USAGE;
	is_silent = mmap(NULL, SLOTS * sizeof(*is_silent), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (is_silent == MAP_FAILED) {
		complain("mmap: %s", strerror(errno));
		return STATUS_USAGE;
	}
	if (once)
		return look_once();
	f.mounts = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC);
	if (f.mounts < 0) {
		complain("/proc/self/mountinfo: %s", strerror(errno));
		return STATUS_USAGE;
	}
	status = watch_open_or_complain(&f.families, true);
	if (!status)
		status = follow(&f);
	watch_close(&f.families);
	watch_close(&f.rules);
	close(f.mounts);
	return status;
}

const struct command command_follow = {
	.name = "follow",
	.options = OPTIONS({ .name = "once", .flag = &once }),
	.summary = "put rules on file systems that are mounted again",
	.help =
"utf8guard follow [--once]\n"
"\n"
"Some file systems, as tmpfs and FUSE, have nothing by which they are known again after\n"
"an unmount, so a rule for one of them waits for ever once it is unmounted. While this\n"
"command runs, such a rule is put on the next file system of the same type that is\n"
"mounted at its path, with its handle and its counters. That is done for locked rules,\n"
"too. A line is printed for each; nothing else changes.\n"
"\n"
"The rule does nothing between the mount and the moment at which it is put there.\n"
"\"following\" on standard error says that no mount from then on is missed.\n"
"While utf8guard_fs is not loaded, the command waits for it, and says so.\n"
"utf8guard-follow.service runs this command.\n"
"\n"
"  --once  look once, after a mount; exit status 1 if a rule could not follow yet,\n"
"          4 if utf8guard_fs is not loaded\n",
	.run = run,
};
