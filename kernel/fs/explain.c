// SPDX-License-Identifier: GPL-2.0
/* Which rules are asked for a name, told to users. */
#include <linux/dcache.h>
#include <linux/namei.h>
#include <linux/rcupdate.h>
#include <net/netlink.h>

#include "fs.h"

/* For fs_explain(). */
struct explanation {
	struct fs_search search;
	struct fs_steps *steps;
	const struct fs_rule *decides;
};

static void begin(struct fs_search *search)
{
	struct explanation *explanation = container_of(search, struct explanation, search);

	explanation->decides = NULL;
	explanation->steps->count = 0;
}

static bool note(const struct fs_rule *rule, void *data)
{
	struct explanation *explanation = container_of(data, struct explanation, search);
	struct fs_steps *steps = explanation->steps;
	bool fits = fs_who_fits(&rule->terms->who, &steps->asker);

	if (fits && !explanation->decides)
		explanation->decides = rule;
	if (steps->count < FS_MAX_STEPS) {
		steps->handle[steps->count] = rule->rule.handle;
		steps->fits[steps->count++] = fits;
	}
	/* Those after it are of interest as long as there is room. */
	return explanation->decides && steps->count == FS_MAX_STEPS;
}

static bool enforces(const struct fs_rule *rule)
{
	return rule && rule->mode == UTF8GUARD_FS_MODE_ENFORCE;
}

/* As fs_check() asks them, of a name that all of them mind. */
static const struct fs_rule *strictest(const struct fs_beyond *beyond,
				       const struct fs_rule *known)
{
	if (beyond->enforce.rule)
		return beyond->enforce.rule;
	return enforces(known) || !beyond->audit.rule ? known : beyond->audit.rule;
}

static void walk(struct fs_steps *steps, const struct dentry *dir, const u32 *uid)
{
	struct explanation explanation = {
		.search = { .dir = dir, .begin = begin, .visit = note },
		.steps = steps,
	};
	const struct fs_rule *decides;

	rcu_read_lock();
	steps->asker = fs_asker_current();
	if (uid)
		steps->asker.uid = *uid;
	fs_policy_walk(&explanation.search);
	decides = explanation.decides;
	steps->deep = explanation.search.beyond;
	if (steps->deep)
		decides = strictest(explanation.search.beyond, decides);
	steps->decides = decides ? decides->rule.handle : 0;
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
