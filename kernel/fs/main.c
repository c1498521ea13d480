// SPDX-License-Identifier: GPL-2.0
/* utf8guard_fs.ko: the module's init and exit. */
#define pr_fmt(fmt) KBUILD_MODNAME ": " fmt

#include <linux/module.h>
#include <net/genetlink.h>
#include <net/net_namespace.h>

#include "../service/transaction.h"
#include "family.h"
#include "hook.h"
#include "policy.h"
#include "rule/location.h"
#include "subvolume.h"

/* A socket was closed: its transaction, if it has one, is forgotten. */
static int socket_released(struct notifier_block *block, unsigned long event, void *data)
{
	const struct netlink_notify *notify = data;

	if (event == NETLINK_URELEASE && notify->protocol == NETLINK_GENERIC &&
	    net_eq(notify->net, &init_net))
		utf8guard_ruleset_release(&ugfs_ruleset);
	return NOTIFY_DONE;
}

static struct notifier_block notifier = { .notifier_call = socket_released };

static int __init utf8guard_fs_init(void)
{
	int err;

	/* The handler's locks and allocations may sleep there; see "PREEMPT_RT" in scripts/README.md. */
	if (IS_ENABLED(CONFIG_PREEMPT_RT)) {
		pr_err("not for kernels with PREEMPT_RT: names are judged with preemption off, and locks sleep there\n");
		return -EOPNOTSUPP;
	}
	err = ugfs_location_init();
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
	err = netlink_register_notifier(&notifier);
	if (err)
		goto no_notifier;
	err = genl_register_family(&utf8guard_fs_nl_family);
	if (err)
		goto no_family;
	return 0;

no_family:
	netlink_unregister_notifier(&notifier);
no_notifier:
	ugfs_subvolumes_detach();
no_subvolumes:
	ugfs_hooks_detach();
no_hooks:
	ugfs_policy_exit();
no_policy:
	ugfs_location_exit();
	return err;
}

static void __exit utf8guard_fs_exit(void)
{
	genl_unregister_family(&utf8guard_fs_nl_family);
	netlink_unregister_notifier(&notifier);
	ugfs_policy_close();
	ugfs_subvolumes_detach();
	ugfs_hooks_detach();
	ugfs_policy_exit();
	ugfs_location_exit();
}

module_init(utf8guard_fs_init);
module_exit(utf8guard_fs_exit);

MODULE_DESCRIPTION("Refuse file names that are not valid UTF-8");
MODULE_LICENSE("GPL");
MODULE_VERSION(UTF8GUARD_VERSION);
MODULE_IMPORT_NS("UTF8GUARD");
