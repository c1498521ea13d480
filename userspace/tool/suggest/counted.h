/* SPDX-License-Identifier: GPL-2.0 */
/* Rules that would refuse what the rules in force have audited. */
#ifndef UTF8GUARD_TOOL_COUNTED_H
#define UTF8GUARD_TOOL_COUNTED_H

int counted_print(void);

#endif /* UTF8GUARD_TOOL_COUNTED_H */
