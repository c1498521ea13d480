/* SPDX-License-Identifier: GPL-2.0 */
/* Mounts on which the names on disk are not those that are judged. */
#ifndef UTF8GUARD_TOOL_MOUNTS_H
#define UTF8GUARD_TOOL_MOUNTS_H

void mounts_warn(char *const *words);

#endif /* UTF8GUARD_TOOL_MOUNTS_H */
