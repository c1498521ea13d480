/* SPDX-License-Identifier: GPL-2.0 */
/* The progress of a long command, shown on a terminal. */
#ifndef UTF8GUARD_TOOL_PROGRESS_H
#define UTF8GUARD_TOOL_PROGRESS_H

#include <stdbool.h>

void progress_begin(bool wanted);
bool progress_is_on(void);
void progress_show(const char *format, ...) __attribute__((format(printf, 1, 2)));
unsigned long long progress_rate(unsigned long long done);
void progress_clear(void);

#endif /* UTF8GUARD_TOOL_PROGRESS_H */
