// SPDX-License-Identifier: GPL-2.0
/*
 * The decision on one name. Preemption is off, and most callers hold the lock of the
 * directory. So nothing here sleeps, and the time it takes grows with the length of the name
 * and the depth of the directory, and with nothing else.
 */
#include <linux/capability.h>
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/user_namespace.h>
#include <linux/utf8guard.h>
#include <uapi/linux/utf8guard_fs.h>

#include "../service/counts.h"
#include "../service/refusal.h"
#include "../service/report.h"
#include "attempt.h"
#include "check.h"
#include "exempt.h"
#include "overlay.h"
#include "policy.h"
#include "rule/beyond.h"
#include "rule/constraint.h"
#include "rule/location.h"
#include "rule/rule.h"

/* On the kernel's command line, enforce=0 boots a host that its policy keeps from booting. */
static bool enforce = true;
module_param(enforce, bool, 0444);
MODULE_PARM_DESC(enforce, "0: report what would be refused, refuse nothing (default 1)");

static DEFINE_PER_CPU(struct ugfs_totals, totals);

/* Refusals of all rules, by class. The counters of a rule go with it; these stay. */
static struct utf8guard_counts counts;

/* False where enforce=0 makes rules that enforce only audit. Any context. */
bool ugfs_enforcing(void)
{
	return enforce;
}

/* Counts a name that could not be judged. Any context; preemption may be on. */
void ugfs_count_missed(void)
{
	this_cpu_inc(totals.missed);
}

/* The sums over all processors. This is no snapshot: what is counted meanwhile may be missing. */
void ugfs_totals(struct ugfs_totals *sum)
{
	int cpu;

	*sum = (struct ugfs_totals) {};
	for_each_possible_cpu(cpu) {
		const struct ugfs_totals *t = per_cpu_ptr(&totals, cpu);

		sum->checked += READ_ONCE(t->checked);
		sum->refused += READ_ONCE(t->refused);
		sum->audited += READ_ONCE(t->audited);
		sum->exempt += READ_ONCE(t->exempt);
		sum->exempt_overlay += READ_ONCE(t->exempt_overlay);
		sum->userns_overlay += READ_ONCE(t->userns_overlay);
		sum->missed += READ_ONCE(t->missed);
		sum->deep += READ_ONCE(t->deep);
	}
}

/* Refusals of all rules, by class. Any context. */
const struct utf8guard_counts *ugfs_counts(void)
{
	return &counts;
}

/* Sets the counters to zero. Process context. What is counted meanwhile may be lost or kept. */
void ugfs_totals_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&totals, cpu), 0, sizeof(totals));
	utf8guard_counts_reset(&counts);
}

static const char *const scopes[] = {
	[UTF8GUARD_FS_SCOPE_DEFAULT] = "default",
	[UTF8GUARD_FS_SCOPE_SUBTREE] = "subtree",
	[UTF8GUARD_FS_SCOPE_SUPERBLOCK] = "superblock",
	[UTF8GUARD_FS_SCOPE_FSTYPE] = "fstype",
};

/*
 * Reports a name that the rule minds. @exempt: "admin" or "overlay" where the name passes for
 * that reason; else NULL. Returns false where the rate limit left it to the tracepoint alone.
 */
static bool report(const struct ugfs_attempt *attempt, const struct ugfs_rule *rule,
		   u8 outcome, const char *exempt, const struct utf8guard_error *error)
{
	struct utf8guard_refusal refusal = {
		.op = attempt->op,
		.outcome = outcome,
		.rule = rule->rule.handle,
		.family = ugfs_ruleset_type.name,
		.comment = rule->rule.comment,
		.error = *error,
	};
	struct utf8guard_name name = {
		.dir = attempt->dir,
		.parent = attempt->parent,
		.name = attempt->name,
		.scope = scopes[rule->locations[0]->scope],
		.pending = attempt->dentry && d_in_lookup(attempt->dentry),
		.exempt = exempt,
	};

	memcpy(refusal.bytes, attempt->name->name + error->offset,
	       min_t(size_t, error->span, UTF8GUARD_MAX_SPAN));
	return utf8guard_report_name(&refusal, &name);
}

/* nfsd and ksmbd are kernel threads. Their protocols cannot express EILSEQ. */
static int errno_for_caller(void)
{
	return current->flags & PF_KTHREAD ? -EINVAL : -EILSEQ;
}

/*
 * Is the caller an administrator? Its own credentials and those that override them must both be
 * his. An overlay acts with the credentials of its mounter for any user, and a privileged server
 * acts with those of an unprivileged client.
 */
static bool is_by_admin(void)
{
	return ugfs_caller_is_admin(current, current_cred()) &&
	       ugfs_caller_is_admin(current, rcu_dereference_protected(current->real_cred, 1));
}

static bool enforces(const struct ugfs_rule *rule)
{
	return rule->mode == UTF8GUARD_FS_MODE_ENFORCE && enforce;
}

/**
 * ugfs_outcome() - what becomes of a name that a rule minds?
 * @rule: the rule, from ugfs_refusing_rule()
 * @is_certain: it is the rule for this directory and caller; if not, because it is not known which
 *	subtrees the name is in, it exempts nobody
 * @is_admin: the caller is an administrator, whom the rule may exempt
 *
 * Context: any; pure.
 * Return: enum utf8guard_outcome.
 */
u8 ugfs_outcome(const struct ugfs_rule *rule, bool is_certain, bool is_admin)
{
	bool exempt = is_certain && is_admin && rule->terms->admin_exempt;

	return enforces(rule) && !exempt ? UTF8GUARD_OUTCOME_REFUSED : UTF8GUARD_OUTCOME_AUDITED;
}

/* The rule minds the name: counts and reports it. Returns 0, or the errno to refuse it with. */
static int decide(const struct ugfs_attempt *attempt, const struct ugfs_rule *rule,
		  bool is_certain, const struct utf8guard_error *error)
{
	/* LSMs are asked only where a rule exempts anybody. */
	bool is_admin = rule->terms->admin_exempt && is_by_admin();
	u8 outcome = ugfs_outcome(rule, is_certain, is_admin);
	bool exempt = enforces(rule) && outcome != UTF8GUARD_OUTCOME_REFUSED;

	utf8guard_counts_add(&rule->terms->counts, error->class, outcome);
	utf8guard_counts_add(&counts, error->class, outcome);
	report(attempt, rule, outcome, exempt ? "admin" : NULL, error);
	if (outcome != UTF8GUARD_OUTCOME_REFUSED) {
		this_cpu_inc(totals.audited);
		return 0;
	}
	this_cpu_inc(totals.refused);
	return errno_for_caller();
}

/*
 * Does a rename change the directory alone, and not the name? Where case is folded, the name that
 * is known may be the spelling by which somebody has looked for it, and not that of the directory.
 */
static bool is_move(const struct ugfs_attempt *attempt)
{
	const struct qstr *from = &attempt->from->d_name, *to = attempt->name;

	return !(attempt->from->d_flags & DCACHE_OP_COMPARE) && from->len == to->len &&
	       !memcmp(from->name, to->name, to->len);
}

static bool is_as_demanded(const struct ugfs_attempt *attempt,
			   const struct ugfs_constraint *constraint, struct utf8guard_error *error)
{
	return !ugfs_constraint_check(constraint, attempt->name->name, attempt->name->len, error);
}

/*
 * May the name, which is there, be stored with another spelling? Where case is folded it may, but
 * ill-formed names are compared octet by octet.
 */
static bool may_be_respelled(const struct ugfs_attempt *attempt)
{
	static const struct ugfs_constraint well_formed;

	return IS_CASEFOLDED(attempt->dir) && is_as_demanded(attempt, &well_formed, NULL);
}

/*
 * A file system that folds case finds an existing name by another spelling. Does a rename onto
 * that name store the new spelling, or a rename that leaves a whiteout there? Those listed here
 * keep the directory entry, and with it the old spelling; but f2fs makes a new one for a whiteout.
 * All others are assumed to store the new one.
 */
static bool is_respelled(const struct ugfs_attempt *attempt)
{
	const struct dentry *dentry = attempt->dentry;

	if (!(dentry->d_flags & DCACHE_OP_COMPARE))
		return false;
	switch (dentry->d_sb->s_magic) {
	case F2FS_SUPER_MAGIC:
		return attempt->is_whiteout && may_be_respelled(attempt);
	case EXT4_SUPER_MAGIC:
	case MSDOS_SUPER_MAGIC:
	case TMPFS_MAGIC:
		return false;
	default:
		return true;
	}
}

static bool makes_no_name(const struct ugfs_attempt *attempt)
{
	return d_is_positive(attempt->dentry) && !is_respelled(attempt);
}

/* Does the rule judge the name? It may spare a rename onto an existing name, and a mere move. */
static bool is_judged(const struct ugfs_attempt *attempt, const struct ugfs_terms *terms)
{
	if (!attempt->is_rename)
		return true;
	if (makes_no_name(attempt) && !terms->judge_onto)
		return false;
	return !(terms->allow_move && is_move(attempt));
}

static bool minds(const struct ugfs_rule *rule, const struct ugfs_attempt *attempt,
		  struct utf8guard_error *error)
{
	return rule->mode != UTF8GUARD_FS_MODE_OFF && is_judged(attempt, rule->terms) &&
	       !is_as_demanded(attempt, &rule->terms->constraint, error);
}

/*
 * Lets a name through that an overlay makes: for a name of a lower layer, or a new one for which
 * no rule names a path, or which replaces a whiteout. If a rule would mind the name, it is
 * reported, unless a name of the same overlay was reported within the last hour.
 */
static int pass_overlay(const struct ugfs_attempt *attempt)
{
	const struct inode *top = ugfs_overlay_top(attempt);
	const struct ugfs_beyond *beyond = NULL;
	struct utf8guard_error error;
	const struct ugfs_rule *rule;

	this_cpu_inc(totals.exempt);
	this_cpu_inc(totals.exempt_overlay);
	if (ugfs_overlay_is_told(top))
		return 0;
	rule = ugfs_policy_match(attempt->parent, false, &beyond);
	if (rule && minds(rule, attempt, &error) &&
	    report(attempt, rule, UTF8GUARD_OUTCOME_AUDITED, "overlay", &error))
		ugfs_overlay_set_told(top);
	return 0;
}

/*
 * It is not known which subtrees the name is in. Then the name must meet the constraints of all
 * rules for subtrees of this file system, for whichever callers these rules are, and whatever they
 * spare. Where @known enforces and minds the name, no rule that audits is returned. Returns the
 * rule to report, or NULL.
 */
static const struct ugfs_rule *strictest(const struct ugfs_attempt *attempt,
					 const struct ugfs_beyond *beyond,
					 const struct ugfs_rule *known,
					 struct utf8guard_error *error)
{
	const struct ugfs_strictest *enforce = &beyond->enforce, *audit = &beyond->audit;

	if (enforce->rule && !is_as_demanded(attempt, &enforce->constraint, error))
		return enforce->rule;
	if (known && known->mode == UTF8GUARD_FS_MODE_ENFORCE && minds(known, attempt, error))
		return known;
	if (audit->rule && !is_as_demanded(attempt, &audit->constraint, error))
		return audit->rule;
	return NULL;
}

/**
 * ugfs_refusing_rule() - which rule refuses or audits a name?
 * @attempt: the name
 * @known: the rule that ugfs_policy_match() found for it, or NULL
 * @beyond: what is demanded besides where it is not known which subtrees the name is in, from
 *	ugfs_policy_match(); or NULL
 * @error: set to what is wrong, where there is such a rule
 *
 * Context: rcu_read_lock() held; does not sleep.
 * Return: the rule; NULL where the name is as it is demanded.
 */
const struct ugfs_rule *ugfs_refusing_rule(const struct ugfs_attempt *attempt,
					   const struct ugfs_rule *known,
					   const struct ugfs_beyond *beyond,
					   struct utf8guard_error *error)
{
	const struct ugfs_rule *rule = beyond ? strictest(attempt, beyond, known, error) : NULL;

	if (rule)
		return rule;
	return known && minds(known, attempt, error) ? known : NULL;
}

/*
 * Does the exchange swap two names that are both there, as they are spelt? Users exchange such
 * names only, and make none by it, unless another spelling is stored. An overlay exchanges with a
 * whiteout, too, by which it makes a name.
 */
static bool swaps_names(const struct ugfs_attempt *attempt, enum ugfs_layer_kind layer)
{
	const struct inode *target = d_inode(attempt->dentry);

	if (is_respelled(attempt))
		return false;
	return layer == UGFS_LAYER_NONE || (target && !IS_WHITEOUT(target));
}

/*
 * Is the name there already? The kernel makes none again but by a rename. cachefiles asks whether
 * it may make its directory, which is there, to find out whether it could make others. The name of
 * a whiteout is that of what is renamed.
 */
static bool is_made(const struct ugfs_attempt *attempt)
{
	if (attempt->is_whiteout)
		return !is_respelled(attempt);
	return !attempt->is_rename && attempt->dentry && d_is_positive(attempt->dentry);
}

/*
 * Does an overlay put a bad name in the place of its whiteout, and the rule spare that, as a rename
 * onto a name that is there? Above, the name is new.
 */
static bool replaces_whiteout(const struct ugfs_attempt *attempt, enum ugfs_layer_kind layer,
			      const struct ugfs_rule *known)
{
	const struct inode *target = attempt->dentry ? d_inode(attempt->dentry) : NULL;
	struct utf8guard_error error;

	return layer == UGFS_LAYER_NEW && attempt->is_rename && target && IS_WHITEOUT(target) &&
	       known && known->mode != UTF8GUARD_FS_MODE_OFF &&
	       !is_as_demanded(attempt, &known->terms->constraint, &error);
}

/* Some rule minds the name. Is that the rule for this directory and caller? RCU read lock held. */
static int ask_rule(const struct ugfs_attempt *attempt)
{
	enum ugfs_layer_kind layer = ugfs_overlay_layer(attempt);
	const struct ugfs_beyond *beyond = NULL;
	const struct ugfs_rule *known, *rule;
	struct utf8guard_error error;

	if (layer == UGFS_LAYER_COPY)
		return pass_overlay(attempt);
	if (attempt->is_exchange && swaps_names(attempt, layer))
		return 0;
	if (layer == UGFS_LAYER_USERNS)
		this_cpu_inc(totals.userns_overlay);
	known = ugfs_policy_match(attempt->parent, layer == UGFS_LAYER_NEW, &beyond);
	if (beyond)
		this_cpu_inc(totals.deep);
	else if (!known)
		return pass_overlay(attempt);
	rule = ugfs_refusing_rule(attempt, known, beyond, &error);
	if (rule)
		return decide(attempt, rule, rule == known, &error);
	return replaces_whiteout(attempt, layer, known) ? pass_overlay(attempt) : 0;
}

/**
 * ugfs_check_clean() - does a name meet what all rules demand?
 * @name: the name, which is counted as one that was looked at
 *
 * Context: process context, preemption off, for which RCU waits; does not sleep.
 * Return: true if no rule minds the name; if not, ugfs_check() decides.
 */
bool ugfs_check_clean(const struct qstr *name)
{
	this_cpu_inc(totals.checked);
	return !ugfs_constraint_check(ugfs_policy_constraint(), name->name, name->len, NULL);
}

/**
 * ugfs_check() - may this name be made, which ugfs_check_clean() did not let through?
 * @attempt: the name
 *
 * Context: process context, preemption off; does not sleep.
 * Return: 0, or the errno to refuse it with: -EILSEQ, or -EINVAL for a kernel
 * thread.
 */
int ugfs_check(const struct ugfs_attempt *attempt)
{
	int ret = 0;

	rcu_read_lock();
	if (ugfs_exempt(attempt->dir))
		this_cpu_inc(totals.exempt);
	else if (!is_made(attempt))
		ret = ask_rule(attempt);
	rcu_read_unlock();
	return ret;
}
