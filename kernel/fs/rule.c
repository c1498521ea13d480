// SPDX-License-Identifier: GPL-2.0
/* One rule: its memory and its references. */
#include <linux/module.h>
#include <linux/slab.h>
#include <net/netlink.h>

#include "fs.h"

/* Under the policy's mutex. 0 is no handle; none is given twice. */
static u32 last_handle;

/**
 * fs_rule_new() - make a rule that is tied to nothing yet
 * @scope: enum utf8guard_fs_scope
 * @path: of the directory, for users; NULL for the default
 * @extack: told why not
 *
 * Context: the policy's mutex is held; may sleep.
 * Return: the rule, with one reference, or NULL where there is no memory.
 */
struct fs_rule *fs_rule_new(u8 scope, const char *path, struct netlink_ext_ack *extack)
{
	struct fs_rule *rule = kzalloc(sizeof(*rule), GFP_KERNEL_ACCOUNT);

	if (!rule)
		goto no_memory;
	if (path) {
		rule->path = kstrdup(path, GFP_KERNEL_ACCOUNT);
		if (!rule->path)
			goto no_memory;
	}
	refcount_set(&rule->ref, 1);
	rule->handle = ++last_handle;
	rule->scope = scope;
	return rule;

no_memory:
	kfree(rule);
	NL_SET_ERR_MSG(extack, "out of memory");
	return NULL;
}

void fs_rule_get(struct fs_rule *rule)
{
	refcount_inc(&rule->ref);
}

/* The last one frees it: no policy that readers can see has it any more. */
void fs_rule_put(struct fs_rule *rule)
{
	if (!refcount_dec_and_test(&rule->ref))
		return;
	kfree(rule->path);
	kfree(rule);
}
