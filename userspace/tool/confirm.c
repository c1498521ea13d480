// SPDX-License-Identifier: GPL-2.0
/* utf8guard confirm and lock: what is asked of both checks, where they are loaded. */
#include <errno.h>

#include "command.h"
#include "output.h"
#include "transaction.h"

/**
 * struct answers - how many checks said what
 * @there: are loaded
 * @done: did as they were told
 * @idle: had nothing to do
 * @status: the worst of it
 */
struct answers {
	unsigned int there, done, idle;
	int status;
};

static void note(struct answers *answers, const struct transaction *t,
		 const struct refusal *refusal)
{
	if (!refusal->error) {
		answers->done++;
	} else if (refusal->error == ENOENT) {
		answers->idle++;
	} else {
		netlink_complain(&t->nl, t->of->status, refusal);
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

static int give_all(struct answers *answers, enum order order)
{
	const struct rules *const *of;

	*answers = (struct answers){ 0 };
	for (of = rules_all; *of; of++)
		give(answers, *of, order);
	if (answers->status || answers->there)
		return answers->status;
	for (of = rules_all; *of; of++)
		netlink_complain_absent((*of)->family, ENOENT);
	return STATUS_ABSENT;
}

static bool revert;

static int run_confirm(struct words *words)
{
	enum order order = revert ? ORDER_REVERT : ORDER_CONFIRM;
	struct answers answers;
	int status;

	if (!words_end(words))
		return STATUS_USAGE;
	status = give_all(&answers, order);
	if (status || answers.done)
		return status;
	complain("no rules wait to be confirmed");
	return STATUS_NO;
}

static int run_lock(struct words *words)
{
	struct answers answers;

	if (!words_end(words))
		return STATUS_USAGE;
	return give_all(&answers, ORDER_LOCK);
}

const struct command command_confirm = {
	.name = "confirm",
	.options = OPTIONS({ .name = "revert", .flag = &revert }),
	.summary = "keep the rules of load --confirm, or take them back",
	.help =
"utf8guard confirm [--revert]\n"
"\n"
"Keeps the rules that \"load --confirm\" put in force. Exit status 1 if none wait\n"
"to be confirmed: too late, or there were none.\n"
"\n"
"  --revert  bring the rules of before back at once\n",
	.run = run_confirm,
};

const struct command command_lock = {
	.name = "lock",
	.summary = "nobody changes the rules until the next boot",
	.help =
"utf8guard lock\n"
"\n"
"From now on, and until the host is booted anew, the rules of the checks that are\n"
"loaded cannot be changed and their modules cannot be unloaded, by anybody. It\n"
"takes CAP_NET_ADMIN and CAP_MAC_ADMIN in the initial user namespace.\n",
	.run = run_lock,
};
