// SPDX-License-Identifier: GPL-2.0
/*
 * The decision on one name. Preemption is off, the caller holds the lock of the
 * directory: nothing here sleeps, nothing takes longer than the name and the
 * depth of the directory.
 */
#include <linux/dcache.h>
#include <linux/fs.h>
#include <linux/moduleparam.h>
#include <linux/percpu.h>
#include <linux/sched.h>

#include "fs.h"

/* For the kernel's command line: the way back in when a policy locks one out. */
static bool enforce = true;
module_param(enforce, bool, 0444);
MODULE_PARM_DESC(enforce, "0: report what would be refused, refuse nothing (default 1)");

static DEFINE_PER_CPU(struct fs_totals, totals);

bool fs_enforcing(void)
{
	return enforce;
}

void fs_count_missed(void)
{
	this_cpu_inc(totals.missed);
}

/* The sums over all processors; not a snapshot, each sum is at most behind. */
void fs_totals(struct fs_totals *sum)
{
	int cpu;

	*sum = (struct fs_totals) {};
	for_each_possible_cpu(cpu) {
		const struct fs_totals *t = per_cpu_ptr(&totals, cpu);

		sum->checked += READ_ONCE(t->checked);
		sum->refused += READ_ONCE(t->refused);
		sum->audited += READ_ONCE(t->audited);
		sum->exempt += READ_ONCE(t->exempt);
		sum->missed += READ_ONCE(t->missed);
	}
}

void fs_totals_reset(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		memset(per_cpu_ptr(&totals, cpu), 0, sizeof(totals));
}

static void report(const char *op, const struct inode *dir, const struct dentry *dentry,
		   const struct fs_rule *rule, u8 outcome,
		   const struct utf8guard_error *error)
{
	struct utf8guard_refusal refusal = {
		.op = op,
		.outcome = outcome,
		.rule = rule->rule.handle,
		.error = *error,
	};
	struct utf8guard_name name = {
		.dir = dir,
		.dentry = dentry,
		.pending = d_in_lookup(dentry),
	};

	memcpy(refusal.bytes, dentry->d_name.name + error->offset, error->span);
	utf8guard_report_name(&refusal, &name);
}

/* nfsd and ksmbd are kernel threads, and have no way to say EILSEQ. */
static int errno_for_caller(void)
{
	return current->flags & PF_KTHREAD ? -EINVAL : -EILSEQ;
}

static int decide(const char *op, const struct inode *dir, const struct dentry *dentry,
		  const struct fs_rule *rule, const struct utf8guard_error *error)
{
	u8 outcome = UTF8GUARD_OUTCOME_AUDITED;

	if (rule->mode == UTF8GUARD_FS_MODE_OFF)
		return 0;
	if (rule->mode == UTF8GUARD_FS_MODE_ENFORCE && enforce)
		outcome = UTF8GUARD_OUTCOME_REFUSED;
	utf8guard_counts_add(&rule->place->counts, error->class, outcome);
	report(op, dir, dentry, rule, outcome, error);
	if (outcome != UTF8GUARD_OUTCOME_REFUSED) {
		this_cpu_inc(totals.audited);
		return 0;
	}
	this_cpu_inc(totals.refused);
	return errno_for_caller();
}

/**
 * fs_check() - may this name be made?
 * @op: what makes it, for reports
 * @dir: the directory, locked by the caller
 * @dentry: the new name; stable, for its directory is locked
 *
 * Context: process context, preemption off; does not sleep.
 * Return: 0, or the errno to refuse it with: -EILSEQ, or -EINVAL for a kernel
 * thread.
 */
int fs_check(const char *op, const struct inode *dir, struct dentry *dentry)
{
	struct utf8guard_error error;
	int ret;

	this_cpu_inc(totals.checked);
	if (!utf8guard_validate(dentry->d_name.name, dentry->d_name.len, &error))
		return 0;
	if (fs_exempt(dir, dentry)) {
		this_cpu_inc(totals.exempt);
		return 0;
	}
	rcu_read_lock();
	ret = decide(op, dir, dentry, fs_policy_match(dentry), &error);
	rcu_read_unlock();
	return ret;
}
