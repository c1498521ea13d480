// SPDX-License-Identifier: GPL-2.0
/*
 * The choice of an engine, once, at load: the best that the processor has, or
 * the one that the parameter "engine" names.
 */
#include <linux/moduleparam.h>
#include <linux/printk.h>

#include "../codec/engine.h"
#include "engine.h"

DEFINE_STATIC_CALL(utf8guard_prefix, utf8guard_prefix_general);
DEFINE_STATIC_CALL(utf8guard_prefix_nofpu, utf8guard_prefix_general);

static const struct utf8guard_engine *chosen;

static char *engine_name = "";
module_param_named(engine, engine_name, charp, 0444);
MODULE_PARM_DESC(engine, "general, bmi2, avx2, avx512 or avx512vbmi, on arm64 general or neon; default: the best that the processor has");

/**
 * utf8guard_engine_name() - the engine that judges long text here
 *
 * Context: any.
 * Return: its name, for people.
 */
const char *utf8guard_engine_name(void)
{
	return chosen->name;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_engine_name, "UTF8GUARD");

/* Chooses the engine. Called once, at module init, before anything is judged. */
int __init utf8guard_engine_init(void)
{
	chosen = utf8guard_engine_find(engine_name, true);
	if (!chosen) {
		pr_err("utf8guard: engine=%s: this processor has no such engine\n",
		       engine_name);
		return -EINVAL;
	}
	static_call_update(utf8guard_prefix_nofpu,
			   (chosen->fpu ? utf8guard_engine_find(NULL, false) : chosen)->prefix);
	static_call_update(utf8guard_prefix,
			   chosen->fpu ? utf8guard_fpu_init(chosen) : chosen->prefix);
	return 0;
}
