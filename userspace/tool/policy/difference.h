/* SPDX-License-Identifier: GPL-2.0 */
/* What a policy changes. */
#ifndef UTF8GUARD_TOOL_DIFFERENCE_H
#define UTF8GUARD_TOOL_DIFFERENCE_H

#include <stdbool.h>

#include "rules.h"

bool difference_print(const struct rules *of, const json_t *before, const json_t *after,
		      const char *file);

#endif /* UTF8GUARD_TOOL_DIFFERENCE_H */
