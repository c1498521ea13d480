/* SPDX-License-Identifier: GPL-2.0 */
/* The first half of utf8guard scan: every name below a directory, and what is to be done. */
#ifndef UTF8GUARD_TOOL_PLAN_H
#define UTF8GUARD_TOOL_PLAN_H

#include "scan.h"

bool plan_can(struct scan *scan, const char *path);
bool plan_take(struct scan *scan, const char *path);

#endif /* UTF8GUARD_TOOL_PLAN_H */
