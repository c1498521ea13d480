/* SPDX-License-Identifier: GPL-2.0 */
/* A name for a file that has to be called something else for a moment. */
#ifndef UTF8GUARD_TOOL_ASIDE_H
#define UTF8GUARD_TOOL_ASIDE_H

#define ASIDE_SIZE 32

int aside_name(char name[ASIDE_SIZE]);

#endif /* UTF8GUARD_TOOL_ASIDE_H */
