/* SPDX-License-Identifier: GPL-2.0 */
/* Paths opened for the kernel, which is handed the descriptor. */
#ifndef UTF8GUARD_TOOL_OPENER_H
#define UTF8GUARD_TOOL_OPENER_H

#include "resolver.h"

int opener_open(const char *path, struct opened *opened);
int opener_open_by_any_link(const char *path, struct opened *opened);

#endif /* UTF8GUARD_TOOL_OPENER_H */
