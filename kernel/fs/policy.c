// SPDX-License-Identifier: GPL-2.0
/* The rules for names: their type for kernel/service, and the walk that finds one for a name. */
#include <linux/dcache.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include <linux/user_namespace.h>
#include <linux/workqueue.h>
#include <net/net_namespace.h>
#include <uapi/linux/utf8guard_fs.h>

#include "../service/counts.h"
#include "../service/notice.h"
#include "../service/policy.h"
#include "../service/report.h"
#include "../service/rule.h"
#include "../service/ruleset.h"
#include "../service/ruleset_types.h"
#include "../service/transaction.h"
#include "describe.h"
#include "family.h"
#include "netlink_gen.h"
#include "policy.h"
#include "rule/constraint.h"
#include "rule/index.h"
#include "rule/index_walk.h"
#include "rule/location.h"
#include "rule/rule.h"
#include "rule/subject.h"

/*
 * How often the worker looks whether the cgroups and file systems that rules name are there,
 * for the kernel does not tell modules when they come and go. Only what users see and the log
 * says depends on the worker: a rule itself acts as soon as they are there.
 */
#define LOOK_INTERVAL (10 * HZ)

/*
 * With a file system, thousands of rules may cease to act. audit queues 64 records by default, and
 * may be set up to panic rather than lose one; so this many are written in a second.
 */
#define NEWS_MOST 8

static void look(struct work_struct *work);
static DECLARE_DEFERRABLE_WORK(look_work, look);

/* What the log says of a rule: it acts again, or it waits. */
struct news {
	u32 handle;
	bool acts;
};

static u32 gather_news(const struct utf8guard_policy *policy, struct news *news)
{
	u32 i, count = 0;

	for (i = 0; i < policy->count; i++) {
		const struct ugfs_rule *rule = ugfs_rule_of(policy->rules[i]);
		bool acts;

		ugfs_subject_look(&rule->terms->subject);
		acts = ugfs_rule_acts(rule);
		if (acts == rule->terms->told || count == NEWS_MOST)
			continue;
		rule->terms->told = acts;
		news[count++] = (struct news) { rule->rule.handle, acts };
	}
	return count;
}

/*
 * Writes to the log which rules have begun or ceased to act, after the lock is released.
 *
 * Return: whether there may be more.
 */
static bool tell(void)
{
	struct utf8guard_config config = { .family = "fs", .userns = &init_user_ns };
	const struct utf8guard_policy *policy;
	struct news news[NEWS_MOST];
	u32 i, count;

	mutex_lock(&ugfs_ruleset.lock);
	policy =
		rcu_dereference_protected(ugfs_ruleset.policy, lockdep_is_held(&ugfs_ruleset.lock));
	count = gather_news(policy, news);
	config.generation = policy->generation;
	mutex_unlock(&ugfs_ruleset.lock);
	for (i = 0; i < count; i++) {
		config.action = news[i].acts ? "rule-acts" : "rule-waits";
		config.handle = news[i].handle;
		utf8guard_report_config(&config);
	}
	return count == NEWS_MOST;
}

static void look(struct work_struct *work)
{
	utf8guard_ruleset_reap(&ugfs_ruleset);
	ugfs_location_look();
	schedule_delayed_work(&look_work, tell() ? HZ : LOOK_INTERVAL);
}

static struct ugfs_location *location_at(const struct ugfs_rule *rule, const char *path,
					 u32 *which)
{
	const char *its = rule->terms->paths;

	for (*which = 0; path && rule->terms->length && *which < rule->count; (*which)++) {
		if (!strcmp(path, its))
			return rule->locations[*which];
		its += strlen(its) + 1;
	}
	*which = 0;
	return path ? NULL : rule->locations[0];
}

/**
 * ugfs_policy_location() - a location of a rule
 * @handle: of the rule
 * @path: of the location, as the rule has it; NULL for the first one
 * @which: set to its place among those of the rule
 *
 * Context: process context; may sleep.
 * Return: the location, with a reference for ugfs_location_put(); NULL where there is no such
 * rule, or it has no such path.
 */
struct ugfs_location *ugfs_policy_location(u32 handle, const char *path, u32 *which)
{
	const struct utf8guard_policy *policy;
	struct ugfs_location *location = NULL;
	u32 i;

	mutex_lock(&ugfs_ruleset.lock);
	policy =
		rcu_dereference_protected(ugfs_ruleset.policy, lockdep_is_held(&ugfs_ruleset.lock));
	for (i = 0; i < policy->count && !location; i++)
		if (policy->rules[i]->handle == handle)
			location = location_at(ugfs_rule_of(policy->rules[i]), path, which);
	if (location)
		ugfs_location_get(location);
	mutex_unlock(&ugfs_ruleset.lock);
	return location;
}

static bool any_to_look_for(const struct utf8guard_policy *policy)
{
	u32 i;

	for (i = 0; i < policy->count; i++) {
		const struct ugfs_terms *terms = ugfs_rule_of(policy->rules[i])->terms;

		if (terms->subject.userns || terms->subject.cgroup || terms->length)
			return true;
	}
	return false;
}

static int prepare(struct utf8guard_ruleset *ruleset, struct utf8guard_policy *next,
		   struct netlink_ext_ack *extack)
{
	int err = ugfs_index_build(next, extack);

	if (err)
		return err;
	if (any_to_look_for(next))
		schedule_delayed_work(&look_work, LOOK_INTERVAL);
	return 0;
}

static void release(struct utf8guard_policy *policy)
{
	ugfs_index_free(policy->index);
}

/* So many walks are tried without the lock, before one with it. */
#define FREE_WALKS 2

static void walk(struct ugfs_search *search)
{
	const struct ugfs_index *index = rcu_dereference(ugfs_ruleset.policy)->index;

	search->begin(search);
	search->beyond = NULL;
	ugfs_index_walk(index, search->dir, search->by_path, search->visit, search,
			&search->beyond);
}

/**
 * ugfs_policy_walk() - visit the rules that are asked for a name
 * @search: from which directory, and what is called for each rule
 *
 * A rename of a directory on the way up could hide rules from the walk. So the walk is repeated
 * if there was a rename meanwhile. After FREE_WALKS such walks, the next one holds rename_lock.
 * The worst that a user can do by endless renames is to cause that last walk: all renames of
 * the host wait while it looks at UGFS_MAX_DEPTH directories at most, or at twice as many where the
 * file system also has former locations.
 *
 * Context: rcu_read_lock() held; takes rename_lock; does not sleep.
 */
void ugfs_policy_walk(struct ugfs_search *search)
{
	unsigned int seq;
	int i;

	for (i = 0; i < FREE_WALKS; i++) {
		/* Does not wait for a rename that goes on: read_seqcount_retry() sees it. */
		seq = raw_seqcount_begin(&rename_lock.seqcount);
		walk(search);
		if (!read_seqcount_retry(&rename_lock.seqcount, seq))
			return;
	}
	read_seqlock_excl(&rename_lock);
	walk(search);
	read_sequnlock_excl(&rename_lock);
}

/* For ugfs_policy_match(). */
struct match {
	struct ugfs_search search;
	struct ugfs_caller caller;
	const struct ugfs_rule *found;
};

static void begin(struct ugfs_search *search)
{
	container_of(search, struct match, search)->found = NULL;
}

static bool match(const struct ugfs_rule *rule, void *data)
{
	struct match *match = container_of(data, struct match, search);

	if (!ugfs_subject_fits(&rule->terms->subject, &match->caller))
		return false;
	match->found = rule;
	return true;
}

/**
 * ugfs_policy_match() - the rule for a new name that the caller makes
 * @dir: the directory
 * @by_path: only a rule for a subtree or a super block
 * @beyond: set to NULL; or, where it is not known which subtrees the directory is in, to the
 *	constraints of all rules for subtrees of the file system
 *
 * Context: rcu_read_lock() held; does not sleep.
 * Return: the rule; NULL where there is none, which can be with @by_path only.
 */
const struct ugfs_rule *ugfs_policy_match(const struct dentry *dir, bool by_path,
					  const struct ugfs_beyond **beyond)
{
	struct match search = {
		.search = { .dir = dir, .by_path = by_path, .begin = begin, .visit = match },
		.caller = ugfs_caller_current(),
	};

	ugfs_policy_walk(&search.search);
	*beyond = search.search.beyond;
	return search.found;
}

static const struct utf8guard_counts *counts_of(const struct utf8guard_rule *rule)
{
	return &ugfs_rule_of(rule)->terms->counts;
}

static void reset(struct utf8guard_rule *rule)
{
	utf8guard_counts_reset(&ugfs_rule_of(rule)->terms->counts);
}

UTF8GUARD_ASSERT_NOTICE_KINDS(FS);

const struct utf8guard_ruleset_type ugfs_ruleset_type = {
	.name = "fs",
	.owner = THIS_MODULE,
	.family = &utf8guard_fs_nl_family,
	UTF8GUARD_RULESET_NUMBERS(FS),
	.max = UGFS_MAX_RULES,
	.fixed = true,
	.taken = "a rule for the same location and the same callers exists already",
	.unlike = "the rule for this location and these callers says something else",
	.same = ugfs_rule_same,
	.equal = ugfs_rule_equal,
	.same_words = ugfs_rule_same_words,
	.gone = ugfs_rule_gone,
	.put = ugfs_describe,
	.counts = counts_of,
	.reset = reset,
	.free = ugfs_rule_free,
	.prepare = prepare,
	.release = release,
};

struct utf8guard_ruleset ugfs_ruleset;

/**
 * ugfs_policy_init() - make the ruleset, with the default rule, which audits
 *
 * Context: process context; may sleep; module init only, before the hooks are attached.
 * Return: 0 or -ENOMEM.
 */
int ugfs_policy_init(void)
{
	struct nlattr *none[UTF8GUARD_FS_A_RULE_MAX + 1] = {};
	struct ugfs_rule *rule = ugfs_rule_new(UTF8GUARD_FS_MODE_AUDIT, none, NULL, NULL);
	int err;

	if (IS_ERR(rule))
		return PTR_ERR(rule);
	err = utf8guard_ruleset_init(&ugfs_ruleset, &ugfs_ruleset_type, &init_net, &rule->rule);
	if (err)
		utf8guard_rule_put(&ugfs_ruleset_type, &rule->rule);
	else
		utf8guard_ruleset_open(&ugfs_ruleset);
	return err;
}

/* From now on the rules do not change. The netlink family is gone, so nobody asks for changes. */
void ugfs_policy_close(void)
{
	utf8guard_ruleset_close(&ugfs_ruleset);
	cancel_delayed_work_sync(&look_work);
}

/* Frees the rules. The hooks are detached, so there are no readers any more. */
void ugfs_policy_exit(void)
{
	utf8guard_ruleset_exit(&ugfs_ruleset);
	utf8guard_ruleset_drain();
}
