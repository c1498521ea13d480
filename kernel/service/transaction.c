// SPDX-License-Identifier: GPL-2.0
/*
 * How rules change. A socket with a transaction changes its draft until it commits. A change
 * without a transaction makes a draft, changes it and publishes it at once.
 *
 * Definitions. A ruleset is the rules of one family in one network namespace. A policy is the
 * rules in force; it is never changed, and its generation is its number. A draft is rules that
 * are being changed: it begins as a copy of a policy, whose generation it keeps. A transaction
 * is a draft that belongs to a socket, until its commit, an abort, or the end of the socket.
 *
 *	        begin                   commit
 *	none ----------> open --------------------------> none, and the next policy is in force
 *	  ^              |  ^ \
 *	  |              |  |  \ change, or a commit that fails for another reason
 *	  |              |  \__/
 *	  +--------------+
 *	   abort, the socket is closed, or a commit that fails with -ERESTART
 *
 * At the same time, other sockets change rules, hooks read them, processes that have a
 * socket die, a commit waits to be confirmed, and memory runs out.
 *
 * Claim. At any time, hooks see one whole policy. A commit succeeds only if the rules have not
 * been changed since its transaction began. A change that fails leaves the policy in force as
 * it is. A process that dies leaves no transaction.
 *
 * 1. Of two writers, one is first: ruleset->lock is held from check_generation() to the swap.
 *    The generation of the other is old then, and does not come again within 2^32 changes. So
 *    the other gets -ERESTART, and its transaction is over.
 * 2. A change without transaction is a draft that lives under the lock (change_at_once()), so it
 *    counts as a writer in 1, and the transactions that are open fail at commit. So does a
 *    revert. Rules that go by themselves (utf8guard_ruleset_reap()) stay while one is open.
 * 3. utf8guard_policy_publish() makes all of the next policy before it swaps a pointer. After
 *    an error but -ERESTART the draft is as it was, and may be committed again.
 * 4. A process that dies closes its socket. The notifier of the family then calls
 *    utf8guard_ruleset_release(), whose worker ends the transactions of dead sockets. A transaction
 *    belongs to the socket itself, to which it has a reference, and not to the port: another
 *    socket can have the port as soon as the first is closed. ruleset->open may be read without
 *    the lock, because a transaction was counted before its socket was closed.
 * 5. While a commit waits to be confirmed, nobody begins, changes, commits or locks (-EBUSY). So
 *    the previous policy comes back whole, as it was, and needs no memory for that.
 * 6. Once the rules are locked, nobody changes them or commits (-EPERM). Drafts may still be
 *    begun and changed, so that a policy can be compared with the one in force, but not
 *    committed. utf8guard_change.always is allowed: it does not change what the rules say.
 * 7. No more than UTF8GUARD_MAX_TRANSACTIONS are open; drafts are freed outside of the lock.
 *
 * Tests: userspace/tests/vm/policy/transactions.py. visibility(): 1 and 2. reaped(): 2. race()
 * and mixture(): 1, with four writers and with hooks. famine(): 3, each allocation in turn.
 * killed(): 4. confirm(), counters() and gone(): 5. lock(): 6. limits(): 7.
 */
#include <linux/slab.h>
#include <net/netlink.h>
#include <net/sock.h>

#include "draft.h"
#include "notice.h"
#include "policy.h"
#include "ruleset.h"
#include "transaction.h"

/* The draft of the transaction that a socket has open, or NULL. The ruleset is locked. */
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

/* Frees a draft that was taken out, or NULL. The lock is not held: there may be many rules. */
static void forget(struct utf8guard_draft *draft)
{
	if (!draft)
		return;
	sock_put(draft->owner);
	utf8guard_draft_free(draft);
}

/* Forgets the transactions whose socket @chosen returns true for; all, if it is NULL. May sleep. */
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

static bool is_closed(const struct sock *owner)
{
	return sock_flag(owner, SOCK_DEAD);
}

static int check_generation(const struct utf8guard_ruleset *ruleset, const u32 *generation,
			    struct netlink_ext_ack *extack)
{
	if (!generation || *generation == utf8guard_ruleset_policy(ruleset)->generation)
		return 0;
	NL_SET_ERR_MSG(extack, "somebody else has changed the rules");
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

	err = utf8guard_policy_may_swap(ruleset, extack) ?:
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
 * @generation: the generation that the rules must have, or NULL for any
 * @version: set to the rules in force
 * @extack: told why not
 *
 * Context: process context; may sleep.
 * Return: 0; -EBUSY where a commit waits to be confirmed, or the socket has a
 * transaction; -ERESTART for another generation; -EMFILE; -ENOMEM.
 */
int utf8guard_transaction_begin(struct utf8guard_ruleset *ruleset, struct sock *owner,
				const u32 *generation, struct utf8guard_version *version,
				struct netlink_ext_ack *extack)
{
	int err;

	/* Those of sockets that were closed may still wait for their worker. */
	if (READ_ONCE(ruleset->open) >= UTF8GUARD_MAX_TRANSACTIONS)
		abort_some(ruleset, is_closed);
	mutex_lock(&ruleset->lock);
	err = begin(ruleset, owner, generation, extack);
	*version = version_of(ruleset);
	mutex_unlock(&ruleset->lock);
	return err;
}

static int commit(struct utf8guard_ruleset *ruleset, struct utf8guard_draft *draft,
		  const u32 *generation, u32 confirm, struct netlink_ext_ack *extack)
{
	const struct utf8guard_notice notice = {
		.action = "commit", .draft = draft, .confirm = confirm };
	int err;

	err = draft ? utf8guard_policy_may_swap(ruleset, extack) :
		      utf8guard_policy_may_change(ruleset, extack);
	if (err)
		return err;
	if (!draft) {
		NL_SET_ERR_MSG(extack, "this socket has no transaction");
		return -ENOENT;
	}
	err = check_generation(ruleset, &draft->generation, extack) ?:
	      check_generation(ruleset, generation, extack) ?:
	      utf8guard_policy_publish(ruleset, draft, &notice, extack);
	if (err > 0)
		utf8guard_ruleset_report(ruleset, "commit", 0, confirm);
	if (err >= 0)
		ruleset->reverted = false;
	return min(err, 0);
}

/**
 * utf8guard_transaction_commit() - put the rules of a transaction in force
 * @ruleset: the rules
 * @owner: the socket that asks
 * @generation: the generation that the rules must have, or NULL. In any case it must be that
 *	with which the transaction began
 * @confirm: seconds for which the commit waits to be confirmed, or 0
 * @version: set to the rules in force
 * @extack: set to why it fails
 *
 * Success ends the transaction, and so does -ERESTART: either the rules have changed since
 * it began, so that it never can succeed, or the caller expected another @generation. After
 * other errors it may be tried again. Where the rules of the transaction are in force
 * already, nothing happens, locked or not: the generation stays, nobody is told, and nothing
 * waits to be confirmed.
 *
 * Context: process context; may sleep.
 * Return: 0; -EPERM where other rules are locked; -EBUSY where a commit waits to
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

/* Forgets all transactions. May sleep. */
static void abort_all(struct utf8guard_ruleset *ruleset)
{
	abort_some(ruleset, NULL);
}

static void release(struct work_struct *work)
{
	abort_some(container_of(work, struct utf8guard_ruleset, release), is_closed);
}

/**
 * utf8guard_ruleset_release() - a netlink socket of the namespace was closed
 * @ruleset: the rules of that namespace
 *
 * A family's notifier calls it on NETLINK_URELEASE, to forget the transaction of the socket. The
 * kernel has marked that socket as dead by then. No request on it is still being carried out, for
 * whoever sends one holds its file.
 *
 * Every closed generic netlink socket comes here, and must not wait for the lock: all others that
 * are closed on the host could wait for this one.
 *
 * Context: process context; may sleep.
 */
void utf8guard_ruleset_release(struct utf8guard_ruleset *ruleset)
{
	if (READ_ONCE(ruleset->open))
		queue_work(utf8guard_ruleset_queue, &ruleset->release);
}

static int change_at_once(struct utf8guard_ruleset *ruleset, struct utf8guard_change *change)
{
	struct utf8guard_draft *draft = utf8guard_draft_new(ruleset);
	const struct utf8guard_notice notice = { .action = change->action, .draft = draft };
	int err;

	if (!draft)
		return -ENOMEM;
	err = change->make(draft, change);
	/* An equal rule is in force already. */
	if (!err && !change->existed)
		err = utf8guard_policy_publish(ruleset, draft, &notice, change->extack);
	if (err >= 0)
		change->generation = utf8guard_ruleset_policy(ruleset)->generation;
	if (err > 0)
		utf8guard_ruleset_report(ruleset, change->action, change->handle, 0);
	/* Whoever has changed the rules since knows what they are. */
	if (err > 0 && !change->always)
		ruleset->reverted = false;
	utf8guard_draft_free(draft);
	return min(err, 0);
}

/**
 * utf8guard_ruleset_change() - make one change, now or in a transaction
 * @ruleset: the rules
 * @owner: the socket that asks
 * @change: the change; it is made to the draft of the socket's transaction, if it has one open
 *
 * Context: process context; takes the lock of @ruleset; may sleep.
 * Return: 0; -EPERM where the rules are locked and the socket has no draft; -EBUSY where a commit
 * waits to be confirmed; -ENOMEM; errors of the change and of the family. On error nothing has
 * changed.
 */
int utf8guard_ruleset_change(struct utf8guard_ruleset *ruleset, struct sock *owner,
			     struct utf8guard_change *change)
{
	struct utf8guard_draft *draft;
	int err;

	mutex_lock(&ruleset->lock);
	draft = change->always ? NULL : utf8guard_transaction_of(ruleset, owner);
	err = change->always || draft ? utf8guard_policy_may_swap(ruleset, change->extack) :
					utf8guard_policy_may_change(ruleset, change->extack);
	if (!err && draft) {
		change->generation = draft->generation;
		err = change->make(draft, change);
	} else if (!err && change->in_draft) {
		NL_SET_ERR_MSG(change->extack, UTF8GUARD_LATE);
		err = -EBUSY;
	} else if (!err) {
		err = change_at_once(ruleset, change);
	}
	utf8guard_ruleset_unlock(ruleset);
	return err;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_change, "UTF8GUARD");

/**
 * utf8guard_ruleset_open() - let transactions begin
 * @ruleset: after utf8guard_ruleset_init(); utf8guard_ruleset_close() is to follow
 *
 * Context: process context.
 */
void utf8guard_ruleset_open(struct utf8guard_ruleset *ruleset)
{
	INIT_LIST_HEAD(&ruleset->drafts);
	INIT_WORK(&ruleset->release, release);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_open, "UTF8GUARD");

/**
 * utf8guard_ruleset_close() - end transactions and reverts, so that the rules do not change again
 * @ruleset: the rules; no request for a change can come any more
 *
 * Open transactions are forgotten. A commit that waits to be confirmed is not reverted any more,
 * for the rules are about to be freed.
 *
 * Context: process context; may sleep.
 */
void utf8guard_ruleset_close(struct utf8guard_ruleset *ruleset)
{
	abort_all(ruleset);
	cancel_work_sync(&ruleset->release);
	cancel_delayed_work_sync(&ruleset->timeout);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_ruleset_close, "UTF8GUARD");
