// SPDX-License-Identifier: GPL-2.0
/* utf8guard_fs.ko: the module's init and exit. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <net/net_namespace.h>

#include "../service/identity/build.h"
#include "../service/ruleset_netlink.h"
#include "family.h"
#include "hook.h"
#include "policy.h"
#include "rule/volume.h"
#include "subvolume.h"

/* There is one set of rules for names, and only the initial network namespace has the family. */
static struct utf8guard_ruleset *ruleset_of(struct net *net)
{
	return net_eq(net, &init_net) ? &ugfs_ruleset : NULL;
}

static struct utf8guard_rule_family family = {
	.netlink = &utf8guard_fs_nl_family,
	.ruleset = ruleset_of,
};

static int __init utf8guard_fs_init(void)
{
	int err = utf8guard_check_build();

	if (err)
		return err;
	/* The handler's locks and allocations may sleep there: scripts/README.md, PREEMPT_RT. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		pr_err("not for kernels with PREEMPT_RT: names are judged with preemption off, and locks sleep there\n");
		return -EOPNOTSUPP;
	}
	err = ugfs_volume_init();
	if (err)
		return err;
	err = ugfs_policy_init();
	if (err)
		goto no_policy;
	err = ugfs_hooks_attach();
	if (err)
		goto no_hooks;
	err = ugfs_subvolumes_attach();
	if (err)
		goto no_subvolumes;
	err = utf8guard_rule_family_register(&family);
	if (err)
		goto no_family;
	return 0;

no_family:
	/* It may have been there for a moment, and changed the rules. */
	ugfs_policy_close();
	ugfs_subvolumes_detach();
no_subvolumes:
	ugfs_hooks_detach();
no_hooks:
	ugfs_policy_exit();
no_policy:
	ugfs_volume_exit();
	return err;
}

static void __exit utf8guard_fs_exit(void)
{
	utf8guard_rule_family_unregister(&family);
	ugfs_policy_close();
	ugfs_subvolumes_detach();
	ugfs_hooks_detach();
	ugfs_policy_exit();
	ugfs_volume_exit();
}

module_init(utf8guard_fs_init);
module_exit(utf8guard_fs_exit);

MODULE_DESCRIPTION("Refuse file names that are not valid UTF-8");
MODULE_LICENSE("GPL");
MODULE_VERSION(UTF8GUARD_VERSION);
MODULE_IMPORT_NS("UTF8GUARD");
