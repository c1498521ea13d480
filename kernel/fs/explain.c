// SPDX-License-Identifier: GPL-2.0
/* Which rules are asked for a name, told to users. */
#include <linux/dcache.h>
#include <linux/namei.h>
#include <linux/rcupdate.h>
#include <linux/seqlock.h>
#include <net/netlink.h>

#include "fs.h"

static bool note(const struct fs_rule *rule, void *data)
{
	struct fs_steps *steps = data;
	bool fits = fs_who_fits(&rule->terms->who, &steps->asker);

	if (fits && !steps->decides)
		steps->decides = rule->rule.handle;
	if (steps->count < FS_MAX_STEPS) {
		steps->handle[steps->count] = rule->rule.handle;
		steps->fits[steps->count++] = fits;
	}
	/* Those behind are of interest as long as there is room. */
	return steps->decides && steps->count == FS_MAX_STEPS;
}

static void walk(struct fs_steps *steps, const struct dentry *dir, const u32 *uid)
{
	unsigned int seq;

	rcu_read_lock();
	steps->asker = fs_asker_current();
	if (uid)
		steps->asker.uid = *uid;
	do {
		seq = read_seqbegin(&rename_lock);
		steps->count = 0;
		steps->decides = 0;
		fs_index_walk(rcu_dereference(fs_ruleset.policy)->index, dir, false, note, steps);
	} while (read_seqretry(&rename_lock, seq));
	rcu_read_unlock();
}

/**
 * fs_explain() - the rules that are asked for a new name in a directory
 * @steps: filled in
 * @name: path of the directory
 * @uid: who makes it; NULL for the caller
 * @extack: told why not
 *
 * Context: process context of the user who named the path; may sleep for long.
 * Return: 0, or errors of path lookup.
 */
int fs_explain(struct fs_steps *steps, const char *name, const u32 *uid,
	       struct netlink_ext_ack *extack)
{
	struct path path;
	int err = fs_place_find(name, LOOKUP_DIRECTORY, &path, extack);

	if (err)
		return err;
	walk(steps, path.dentry, uid);
	path_put(&path);
	return 0;
}
