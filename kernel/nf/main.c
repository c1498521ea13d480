// SPDX-License-Identifier: GPL-2.0
/* utf8guard_nf.ko: init and exit, of the module and of each network namespace. */
#include <linux/module.h>
#include <net/net_namespace.h>

#include "../service/identity/build.h"
#include "../service/policy.h"
#include "../service/ruleset.h"
#include "../service/ruleset_netlink.h"
#include "../service/transaction.h"
#include "hook.h"
#include "net.h"
#include "netlink.h"
#include "policy.h"
#include "rule/counters.h"
#include "rule/rule.h"
#include "stream/direction.h"
#include "tcp/flow.h"
#include "tcp/memory.h"
#include "tcp/owner.h"

static int __net_init ugnf_net_init(struct net *net)
{
	struct utf8guard_ruleset *ruleset = &ugnf_net_of(net)->ruleset;
	int err = utf8guard_ruleset_init(ruleset, &ugnf_ruleset_type, net, NULL);

	mutex_init(&ugnf_net_of(net)->dumping);
	if (!err)
		utf8guard_ruleset_open(ruleset);
	return err;
}

/* An RCU grace period passes between this and ugnf_net_exit(). */
static void __net_exit ugnf_net_pre_exit(struct net *net)
{
	utf8guard_ruleset_close(&ugnf_net_of(net)->ruleset);
	ugnf_hooks_remove(net);
	ugnf_flows_close(&ugnf_net_of(net)->flows, net);
}

static void __net_exit ugnf_net_exit(struct net *net)
{
	ugnf_flows_exit(&ugnf_net_of(net)->flows);
	utf8guard_ruleset_exit(&ugnf_net_of(net)->ruleset);
	utf8guard_nf_counters_free(&ugnf_net_of(net)->unruled);
	ugnf_owner_put(ugnf_net_of(net)->flows.memory.owner);
}

static struct pernet_operations net_ops = {
	.init = ugnf_net_init,
	.pre_exit = ugnf_net_pre_exit,
	.exit = ugnf_net_exit,
	.id = &ugnf_net_id,
	.size = sizeof(struct ugnf_net),
};

static struct utf8guard_ruleset *ruleset_of(struct net *net)
{
	return &ugnf_net_of(net)->ruleset;
}

static struct utf8guard_rule_family family = {
	.netlink = &utf8guard_nf_nl_family,
	.ruleset = ruleset_of,
};

static int __init utf8guard_nf_init(void)
{
	int err = utf8guard_check_build();

	if (err)
		return err;
	err = ugnf_rule_cache_init();
	if (err)
		return err;
	err = ugnf_direction_cache_init();
	if (err)
		goto no_directions;
	err = register_pernet_subsys(&net_ops);
	if (err)
		goto no_pernet;
	err = utf8guard_rule_family_register(&family);
	if (err)
		goto no_family;
	return 0;

no_family:
	unregister_pernet_subsys(&net_ops);
no_pernet:
	ugnf_direction_cache_exit();
	/* The family may have been there for a moment, and changed rules. */
	utf8guard_ruleset_drain();
no_directions:
	ugnf_rule_cache_exit();
	return err;
}

static void __exit utf8guard_nf_exit(void)
{
	utf8guard_rule_family_unregister(&family);
	unregister_pernet_subsys(&net_ops);
	ugnf_direction_cache_exit();
	utf8guard_ruleset_drain();
	ugnf_rule_cache_exit();
}

module_init(utf8guard_nf_init);
module_exit(utf8guard_nf_exit);

MODULE_DESCRIPTION("Drop packets whose payload is not valid UTF-8");
MODULE_LICENSE("GPL");
MODULE_VERSION(UTF8GUARD_VERSION);
MODULE_IMPORT_NS("UTF8GUARD");
