/* SPDX-License-Identifier: GPL-2.0 */
/* Whoever opens paths on a server that may not answer does so in turn. */
#ifndef UTF8GUARD_TOOL_TURN_H
#define UTF8GUARD_TOOL_TURN_H

void turn_begin(const char *path);
void turn_end(void);

#endif /* UTF8GUARD_TOOL_TURN_H */
