/* SPDX-License-Identifier: GPL-2.0 */
/* Decimal numbers in words. */
#ifndef UTF8GUARD_TOOL_NUMBER_H
#define UTF8GUARD_TOOL_NUMBER_H

#include <stdbool.h>

bool number_read(const char **text, unsigned long limit, unsigned long *value);
bool number_read_range(const char *word, unsigned long limit, unsigned long *min,
		       unsigned long *max);

#endif /* UTF8GUARD_TOOL_NUMBER_H */
