// SPDX-License-Identifier: GPL-2.0
/* Modules of ours look into each other's structures, so they have to be of one build. */
#include <linux/errno.h>
#include <linux/export.h>
#include <linux/printk.h>
#include <linux/ratelimit.h>
#include <linux/string.h>

#include "build.h"

/**
 * utf8guard_same_build() - is that module of the same build as this one?
 * @module: its name
 * @build: UTF8GUARD_BUILD, as it was compiled into it
 *
 * Packages replace the files of modules that stay loaded, so a front end that is loaded later may
 * be newer than these, or older. The checksums of CONFIG_MODVERSIONS are not enough: kernels may
 * do without, and what functions do with the same types is not in them. This function must stay as
 * it is, because modules of other versions call it.
 *
 * Context: process context, first of all in a module's init.
 * Return: 0, or -ENOEXEC with a line in the kernel's log.
 */
int utf8guard_same_build(const char *module, const char *build)
{
	if (!strcmp(build, UTF8GUARD_BUILD))
		return 0;
	/* Root of a user namespace can have a module loaded again and again, as by a match. */
	pr_err_ratelimited("%s: is of utf8guard %s, but %s is loaded: boot, or unload all modules of utf8guard first\n",
			   module, build, UTF8GUARD_BUILD);
	return -ENOEXEC;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_same_build, "UTF8GUARD");
