/* SPDX-License-Identifier: GPL-2.0 */
/* Signals that ask for an end. They are obeyed between two steps. */
#ifndef UTF8GUARD_TOOL_INTERRUPT_H
#define UTF8GUARD_TOOL_INTERRUPT_H

#include <stdbool.h>

void interrupt_catch(void);
bool interrupted(void);

#endif /* UTF8GUARD_TOOL_INTERRUPT_H */
