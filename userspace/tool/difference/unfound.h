/* SPDX-License-Identifier: GPL-2.0 */
/* Rules of a file whose paths cannot be looked up at present. */
#ifndef UTF8GUARD_TOOL_UNFOUND_H
#define UTF8GUARD_TOOL_UNFOUND_H

#include <jansson.h>
#include <stddef.h>

size_t unfound_replace(json_t *draft, const json_t *in_force);

#endif /* UTF8GUARD_TOOL_UNFOUND_H */
