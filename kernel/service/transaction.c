// SPDX-License-Identifier: GPL-2.0
/*
 * Who changes rules: a socket with a transaction changes its draft until it
 * commits; anybody else makes, changes and publishes a draft at once.
 *
 * A transaction belongs to the socket itself, which is held, and not to its
 * port: another socket can have the port as soon as the first is closed.
 */
#include <linux/slab.h>
#include <net/netlink.h>
#include <net/sock.h>

#include "draft.h"
#include "policy.h"
#include "ruleset.h"
#include "transaction.h"

/* The open transaction of a socket, or NULL. The ruleset is locked. */
struct utf8guard_draft *utf8guard_transaction_of(const struct utf8guard_ruleset *ruleset,
						 const struct sock *owner)
{
	struct utf8guard_draft *draft;

	list_for_each_entry(draft, &ruleset->drafts, open)
		if (draft->owner == owner)
			return draft;
	return NULL;
}

static void take_out(struct utf8guard_draft *draft)
{
	list_del(&draft->open);
	WRITE_ONCE(draft->ruleset->open, draft->ruleset->open - 1);
}

/* A draft that was taken out. Outside of the lock, for its rules may be many. */
static void forget(struct utf8guard_draft *draft)
{
	if (!draft)
		return;
	sock_put(draft->owner);
	utf8guard_draft_free(draft);
}

static int check_generation(const struct utf8guard_ruleset *ruleset, const u32 *generation,
			    struct netlink_ext_ack *extack)
{
	if (!generation || *generation == utf8guard_ruleset_policy(ruleset)->generation)
		return 0;
	NL_SET_ERR_MSG(extack, "the rules have been changed by another");
	return -ERESTART;
}

static struct utf8guard_version version_of(const struct utf8guard_ruleset *ruleset)
{
	const struct utf8guard_policy *policy = utf8guard_ruleset_policy(ruleset);

	return (struct utf8guard_version) { policy->generation, policy->count };
}

static int begin(struct utf8guard_ruleset *ruleset, struct sock *owner,
		 const u32 *generation, struct netlink_ext_ack *extack)
{
	struct utf8guard_draft *draft;
	int err;

	err = utf8guard_ruleset_may_change(ruleset, extack) ?:
	      check_generation(ruleset, generation, extack);
	if (err)
		return err;
	if (utf8guard_transaction_of(ruleset, owner)) {
		NL_SET_ERR_MSG(extack, "this socket has a transaction already");
		return -EBUSY;
	}
	if (ruleset->open >= UTF8GUARD_MAX_TRANSACTIONS) {
		NL_SET_ERR_MSG(extack, "too many transactions are open");
		return -EMFILE;
	}
	draft = utf8guard_draft_new(ruleset);
	if (!draft)
		return -ENOMEM;
	sock_hold(owner);
	draft->owner = owner;
	list_add_tail(&draft->open, &ruleset->drafts);
	WRITE_ONCE(ruleset->open, ruleset->open + 1);
	return 0;
}

/**
 * utf8guard_transaction_begin() - begin a transaction
 * @ruleset: the rules
 * @owner: the socket that asks
 * @generation: what that of the rules must be, or NULL
 * @version: set to what it begins with
 * @extack: told why not
 *
 * Context: process context; may sleep.
 * Return: 0; -EPERM where the rules are locked; -EBUSY where a commit waits to
 * be confirmed, or the socket has a transaction; -ERESTART for another
 * generation; -EMFILE; -ENOMEM.
 */
int utf8guard_transaction_begin(struct utf8guard_ruleset *ruleset, struct sock *owner,
				const u32 *generation, struct utf8guard_version *version,
				struct netlink_ext_ack *extack)
{
	int err;

	mutex_lock(&ruleset->lock);
	err = begin(ruleset, owner, generation, extack);
	*version = version_of(ruleset);
	mutex_unlock(&ruleset->lock);
	return err;
}

static int commit(struct utf8guard_ruleset *ruleset, struct utf8guard_draft *draft,
		  const u32 *generation, u32 confirm, struct netlink_ext_ack *extack)
{
	int err;

	err = utf8guard_ruleset_may_change(ruleset, extack);
	if (err)
		return err;
	if (!draft) {
		NL_SET_ERR_MSG(extack, "this socket has no transaction");
		return -ENOENT;
	}
	err = check_generation(ruleset, &draft->generation, extack) ?:
	      check_generation(ruleset, generation, extack) ?:
	      utf8guard_policy_publish(ruleset, draft, confirm, extack);
	if (err > 0)
		utf8guard_ruleset_report(ruleset, "commit", 0, confirm);
	return min(err, 0);
}

/**
 * utf8guard_transaction_commit() - put the rules of a transaction in force
 * @ruleset: the rules
 * @owner: the socket that asks
 * @generation: what that of the rules must be, or NULL; that of begin, always
 * @confirm: seconds to wait for confirmation, or 0
 * @version: set to what it ends in
 * @extack: told why not
 *
 * Ends the transaction where it succeeds, and where the rules have changed since
 * begin, for then it never can. Otherwise it may be tried again. Where the rules are
 * those in force, nothing happens: the generation stays, nobody is told, and nothing
 * waits to be confirmed.
 *
 * Context: process context; may sleep.
 * Return: 0; -EPERM where the rules are locked; -EBUSY where a commit waits to
 * be confirmed; -ENOENT without transaction; -ERESTART for another generation;
 * -ENOMEM and errors of the family: nothing changed.
 */
int utf8guard_transaction_commit(struct utf8guard_ruleset *ruleset,
				 const struct sock *owner, const u32 *generation,
				 u32 confirm, struct utf8guard_version *version,
				 struct netlink_ext_ack *extack)
{
	struct utf8guard_draft *draft;
	int err;

	mutex_lock(&ruleset->lock);
	draft = utf8guard_transaction_of(ruleset, owner);
	err = commit(ruleset, draft, generation, confirm, extack);
	*version = version_of(ruleset);
	if (err && err != -ERESTART)
		draft = NULL;
	else
		take_out(draft);
	utf8guard_ruleset_unlock(ruleset);
	forget(draft);
	return err;
}

/**
 * utf8guard_ruleset_abort() - forget the transaction of a socket
 * @ruleset: the rules
 * @owner: the socket; one without transaction is fine
 *
 * Context: process context; may sleep.
 */
void utf8guard_ruleset_abort(struct utf8guard_ruleset *ruleset, const struct sock *owner)
{
	struct utf8guard_draft *draft;

	mutex_lock(&ruleset->lock);
	draft = utf8guard_transaction_of(ruleset, owner);
	if (draft)
		take_out(draft);
	mutex_unlock(&ruleset->lock);
	forget(draft);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_abort, "UTF8GUARD");

/* Forget the transactions that @chosen chooses; NULL for all. */
static void abort_some(struct utf8guard_ruleset *ruleset, bool (*chosen)(const struct sock *))
{
	struct utf8guard_draft *draft, *next;
	LIST_HEAD(forgotten);

	mutex_lock(&ruleset->lock);
	list_for_each_entry_safe(draft, next, &ruleset->drafts, open)
		if (!chosen || chosen(draft->owner)) {
			take_out(draft);
			list_add(&draft->open, &forgotten);
		}
	mutex_unlock(&ruleset->lock);
	list_for_each_entry_safe(draft, next, &forgotten, open)
		forget(draft);
}

/* Nobody asks for anything any more. May sleep. */
static void abort_all(struct utf8guard_ruleset *ruleset)
{
	abort_some(ruleset, NULL);
}

static bool is_closed(const struct sock *owner)
{
	return sock_flag(owner, SOCK_DEAD);
}

/**
 * utf8guard_ruleset_release() - a netlink socket of the namespace was closed
 * @ruleset: the rules of that namespace
 *
 * For a family's notifier, on NETLINK_URELEASE. What was asked on the socket is
 * over, for whoever asks holds the file; and the socket is marked dead before
 * the notifiers are called.
 *
 * Context: process context; may sleep.
 */
void utf8guard_ruleset_release(struct utf8guard_ruleset *ruleset)
{
	/* Every close of such a socket comes here: cost it nothing. */
	if (READ_ONCE(ruleset->open))
		abort_some(ruleset, is_closed);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_release, "UTF8GUARD");

static int change_at_once(struct utf8guard_ruleset *ruleset, struct utf8guard_change *change)
{
	struct utf8guard_draft *draft = utf8guard_draft_new(ruleset);
	int err;

	if (!draft)
		return -ENOMEM;
	err = change->make(draft, change);
	/* The rule that will do is in force. */
	if (!err && !change->existed)
		err = utf8guard_policy_publish(ruleset, draft, 0, change->extack);
	if (err >= 0)
		change->generation = utf8guard_ruleset_policy(ruleset)->generation;
	if (err > 0)
		utf8guard_ruleset_report(ruleset, change->action, change->handle, 0);
	utf8guard_draft_free(draft);
	return min(err, 0);
}

/**
 * utf8guard_ruleset_change() - make one change, now or in a transaction
 * @ruleset: the rules
 * @owner: the socket that asks
 * @change: what
 *
 * Context: process context; may sleep.
 * Return: 0; -EPERM where the rules are locked; -EBUSY where a commit waits to
 * be confirmed; -ENOMEM; errors of the change and of the family: nothing changed.
 */
int utf8guard_ruleset_change(struct utf8guard_ruleset *ruleset, struct sock *owner,
			     struct utf8guard_change *change)
{
	struct utf8guard_draft *draft;
	int err;

	mutex_lock(&ruleset->lock);
	draft = change->always ? NULL : utf8guard_transaction_of(ruleset, owner);
	err = change->always ? utf8guard_ruleset_may_swap(ruleset, change->extack) :
			       utf8guard_ruleset_may_change(ruleset, change->extack);
	if (!err && draft) {
		change->generation = draft->generation;
		err = change->make(draft, change);
	} else if (!err) {
		err = change_at_once(ruleset, change);
	}
	utf8guard_ruleset_unlock(ruleset);
	return err;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_change, "UTF8GUARD");

/**
 * utf8guard_ruleset_close() - from now on, rules do not change of themselves
 * @ruleset: nobody asks for changes any more
 *
 * Transactions that are open are forgotten; a commit that waits is as good as
 * confirmed, for what it is about goes away.
 *
 * Context: process context; may sleep.
 */
void utf8guard_ruleset_close(struct utf8guard_ruleset *ruleset)
{
	abort_all(ruleset);
	cancel_delayed_work_sync(&ruleset->timeout);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_close, "UTF8GUARD");
