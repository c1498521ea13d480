/* SPDX-License-Identifier: GPL-2.0 */
/* What a module was built from. build.mk defines UTF8GUARD_SOURCES for whoever includes this. */
#ifndef _UTF8GUARD_SERVICE_BUILD_H
#define _UTF8GUARD_SERVICE_BUILD_H

#include <linux/utf8guard.h>

#define UTF8GUARD_BUILD UTF8GUARD_VERSION " (" UTF8GUARD_SOURCES ")"

int utf8guard_same_build(const char *module, const char *build);

/* Each module of ours but the service asks this before it does anything else. */
static inline int utf8guard_check_build(void)
{
	return utf8guard_same_build(KBUILD_MODNAME, UTF8GUARD_BUILD);
}

#endif /* _UTF8GUARD_SERVICE_BUILD_H */
