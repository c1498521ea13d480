// SPDX-License-Identifier: GPL-2.0
/* utf8guard confirm and lock: what is asked of both checks, where they are loaded. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "command.h"
#include "netlink/netns.h"
#include "output/output.h"
#include "policy/transaction.h"

/**
 * struct names - checks that have said the same
 * @count: of them
 * @text: "name check, payload check"
 */
struct names {
	unsigned int count;
	char text[64];
};

/**
 * struct answers - which checks said what
 * @there: how many are loaded
 * @done: did as they were told
 * @reverted: have the previous rules again; or, asked to revert, had none on trial
 * @idle: have nothing on trial, and the last rules that were are in force
 * @status: the worst of it
 */
struct answers {
	unsigned int there;
	struct names done, reverted, idle;
	int status;
};

static void add_name(struct names *names, const struct rules *of)
{
	if (names->count++)
		strcat(names->text, ", ");
	strcat(names->text, of->title);
}

static void note(struct answers *answers, const struct transaction *t,
		 const struct refusal *refusal)
{
	if (!refusal->error) {
		add_name(&answers->done, t->of);
	} else if (refusal->error == ENOENT) {
		add_name(&answers->reverted, t->of);
	} else if (refusal->error == EALREADY) {
		add_name(&answers->idle, t->of);
	} else {
		netlink_complain(&t->nl, t->of->status, refusal);
		complain("%s: nothing was done", t->of->title);
		answers->status = STATUS_REFUSED;
	}
}

static void give(struct answers *answers, const struct rules *of, enum order order)
{
	struct transaction t = { .of = of };
	struct refusal refusal;
	int error = netlink_open(&t.nl, of->family);

	if (error == ENOENT)
		return;
	if (error) {
		netlink_complain_absent(of->family, error);
		answers->status = STATUS_ABSENT;
		return;
	}
	answers->there++;
	transaction_order(&t, order, &refusal);
	note(answers, &t, &refusal);
	transaction_close(&t);
}

/* To each of @checks, which end with NULL. */
static int give_all(struct answers *answers, const struct rules *const *checks, enum order order)
{
	const struct rules *const *of;

	*answers = (struct answers){ 0 };
	for (of = checks; *of; of++)
		give(answers, *of, order);
	if (answers->status || answers->there)
		return answers->status;
	for (of = checks; *of; of++)
		netlink_complain_absent((*of)->family, ENOENT);
	return STATUS_ABSENT;
}

static bool revert;

static int tell_reverted(const struct answers *answers)
{
	if (answers->done.count) {
		printf("the previous rules are back: %s\n", answers->done.text);
		return STATUS_DONE;
	}
	complain("no rules are waiting to be confirmed");
	return STATUS_NO;
}

static int tell_confirmed(const struct answers *answers)
{
	const struct names *done = &answers->done, *reverted = &answers->reverted;

	if (done->count)
		printf("kept: %s\n", done->text);
	if (done->count && reverted->count)
		complain("warning: only the %s: the %s has its previous rules, "
			 "because its last trial was not confirmed", done->text, reverted->text);
	if (done->count)
		return STATUS_DONE;
	if (!reverted->count) {
		puts("nothing is waiting to be confirmed: the rules in force stay");
		return STATUS_DONE;
	}
	complain("too late: the previous rules are back: %s", reverted->text);
	if (answers->idle.count)
		printf("nothing is waiting to be confirmed, and the rules in force stay: %s\n",
		       answers->idle.text);
	return STATUS_NO;
}

/* The one that is named, or both; NULL after a complaint. Ends with NULL. */
static const struct rules *const *take_checks(struct words *words)
{
	static const char *const list[] = { "fs", "net", NULL };
	static const struct rules *one[] = { NULL, NULL };
	int choice;

	if (!words_left(words))
		return rules_all;
	choice = words_choose(words, list);
	if (choice < 0)
		return NULL;
	one[0] = rules_all[choice];
	return one;
}

static int run_confirm(struct words *words)
{
	const struct rules *const *checks = take_checks(words);
	struct answers answers;
	int status;

	if (!checks || !words_end(words))
		return STATUS_USAGE;
	status = give_all(&answers, checks, revert ? ORDER_REVERT : ORDER_CONFIRM);
	/* Also where the other check has refused: what is kept stays so. */
	if (status && !answers.done.count)
		return status;
	return (revert ? tell_reverted : tell_confirmed)(&answers) ?: status;
}

static bool says_yes(void)
{
	char line[16];

	fflush(stdout);
	return fgets(line, sizeof(line), stdin) && !strcmp(line, "yes\n");
}

/* A script that locks at boot is not asked; somebody at a terminal may have made a mistake. */
static bool agrees_to_lock(void)
{
	if (!isatty(STDIN_FILENO))
		return true;
	printf("From now on and until the next boot, nobody can change the rules or unload the\n"
	       "modules of utf8guard.\n"
	       "Type \"yes\" to do that: ");
	return says_yes();
}

/* There is no way back before the next boot, so no script can do this. */
static bool agrees(void)
{
	printf("From now on and until the next boot, no kernel module can be loaded or unloaded:\n"
	       "no driver, no file system, no protocol that is not loaded by now.\n"
	       "Type \"yes\" to do that: ");
	return says_yes();
}

/* The file needs CAP_SYS_MODULE, and Linux 2.6.31. Once it is 1, the kernel takes no 0. */
static int disable_modules(void)
{
	static const char file[] = "/proc/sys/kernel/modules_disabled";
	int fd = open(file, O_WRONLY | O_CLOEXEC);
	int error = fd < 0 || write(fd, "1\n", 2) != 2 ? errno : 0;

	if (fd >= 0)
		close(fd);
	if (!error)
		return STATUS_DONE;
	complain("the rules are locked, but %s: %s", file, strerror(error));
	return STATUS_REFUSED;
}

/* Are rules on trial? Where the status cannot be asked, the order to lock tells why. */
static bool is_on_trial(const struct rules *of)
{
	struct transaction t = { .of = of };
	struct refusal refusal;
	json_t *reply = NULL;
	bool trial;

	if (netlink_open(&t.nl, of->family))
		return false;
	trial = !rules_status(of, &t.nl, &reply, &refusal) && member_number(reply, "confirm");
	json_decref(reply);
	transaction_close(&t);
	return trial;
}

/*
 * The kernel does not lock rules that are on trial. The rules of the other check would be locked
 * then, which cannot be taken back. So both are asked before one is locked.
 */
static bool can_lock(void)
{
	const struct rules *const *of;
	bool can = true;

	for (of = rules_all; *of; of++) {
		if (!is_on_trial(*of))
			continue;
		complain("%s: the rules are on trial; before that ends, nothing is locked: keep them with utf8guard confirm%s %s, or take them back with utf8guard confirm%s --revert %s",
			 (*of)->title, netns_option(), (*of)->command, netns_option(), (*of)->command);
		can = false;
	}
	return can;
}

static int run_lock(struct words *words)
{
	bool modules = words_skip(words, "modules"), disabled = false;
	struct answers answers;
	int status;

	if (!words_end(words))
		return STATUS_USAGE;
	if (modules && !isatty(STDIN_FILENO)) {
		complain("\"lock modules\" asks first, but standard input is not a terminal");
		return STATUS_USAGE;
	}
	if (!can_lock())
		return STATUS_REFUSED;
	if (!(modules ? agrees() : agrees_to_lock())) {
		complain("nothing was locked");
		return STATUS_NO;
	}
	status = give_all(&answers, rules_all, ORDER_LOCK);
	if (status && modules)
		complain("so kernel.modules_disabled was not set");
	if (!status && modules) {
		status = disable_modules();
		disabled = !status;
	}
	/* Also where the other check has refused: what is locked stays so. */
	if (answers.done.count)
		printf("locked until the next boot: %s%s\n", answers.done.text,
		       disabled ? ", and the kernel's modules" : "");
	return status;
}

const struct command command_confirm = {
	.name = "confirm",
	.options = OPTIONS({ .name = "revert", .flag = &revert }, OPTION_NETNS),
	.summary = "keep the rules of load --confirm, or take them back",
	.help =
"utf8guard confirm [-N NETNS] [--revert] [fs|net]\n"
"\n"
"Keeps the rules that \"load --confirm\" put in force, those for names (fs), for packets\n"
"(net) or both, and says which check has kept some. Where none wait, as they were in\n"
"force before or are confirmed already, it says so.\n"
"\n"
"  --revert  bring the previous rules back at once\n"
"\n"
"Exit status: 0 the rules in force stay, 1 it is too late for one of them, and for none\n"
"in time: its previous rules are back; of --revert: 0 they are back, 1 none waited.\n",
	.run = run_confirm,
};

const struct command command_lock = {
	.name = "lock",
	.options = OPTIONS(OPTION_NETNS),
	.summary = "nobody changes the rules until the next boot",
	.help =
"utf8guard lock [-N NETNS] [modules]\n"
"\n"
"From now on, and until the next boot, the rules of the checks that are\n"
"loaded cannot be changed, and rmmod does not unload their modules. Asks first, on\n"
"a terminal, and says what it has locked. It takes\n"
"CAP_NET_ADMIN and CAP_MAC_ADMIN in the initial user namespace.\n"
"\n"
"  modules  set kernel.modules_disabled, too: nobody can load any module, or unload\n"
"           one, not even by force (rmmod -f). Asks first, on a terminal.\n",
	.run = run_lock,
};
