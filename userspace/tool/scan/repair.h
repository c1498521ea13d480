/* SPDX-License-Identifier: GPL-2.0 */
/* The second half of utf8guard scan: carries out a log, or undoes it. */
#ifndef UTF8GUARD_TOOL_REPAIR_H
#define UTF8GUARD_TOOL_REPAIR_H

#include "scan.h"

void repair(struct scan *scan);

#endif /* UTF8GUARD_TOOL_REPAIR_H */
