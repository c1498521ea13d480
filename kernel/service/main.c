// SPDX-License-Identifier: GPL-2.0
/* utf8guard.ko: the module's init and exit. */
#include <linux/module.h>
#include <net/genetlink.h>

#include "engine.h"
#include "family.h"
#include "policy.h"

static int __init utf8guard_init(void)
{
	int err;

	err = utf8guard_engine_init() ?: utf8guard_ruleset_queue_init();
	if (err)
		return err;
	err = utf8guard_family_register(&utf8guard_nl_family);
	if (err)
		utf8guard_ruleset_queue_exit();
	return err;
}

static void __exit utf8guard_exit(void)
{
	genl_unregister_family(&utf8guard_nl_family);
	utf8guard_ruleset_queue_exit();
}

module_init(utf8guard_init);
module_exit(utf8guard_exit);

MODULE_DESCRIPTION("Strict UTF-8 validation and normalization");
MODULE_LICENSE("GPL");
MODULE_VERSION(UTF8GUARD_VERSION);
