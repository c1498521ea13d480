/* SPDX-License-Identifier: GPL-2.0 */
/* What a policy changes. */
#ifndef UTF8GUARD_TOOL_DIFFERENCE_H
#define UTF8GUARD_TOOL_DIFFERENCE_H

#include <stdbool.h>

#include "policy/rules.h"

/**
 * struct changes - how many rules would change, and how
 * @added, @removed, @moved, @kept: would come, go, stand elsewhere, stay
 */
struct changes {
	size_t added, removed, moved, kept;
};

struct changes difference_count(const struct rules *of, const json_t *before, const json_t *after);
bool difference_print(const struct rules *of, const json_t *before, const json_t *after,
		      const char *file);

#endif /* UTF8GUARD_TOOL_DIFFERENCE_H */
