/* SPDX-License-Identifier: GPL-2.0 */
/* Changes of the rules, as lines. */
#ifndef UTF8GUARD_TOOL_CONFIG_EVENT_H
#define UTF8GUARD_TOOL_CONFIG_EVENT_H

#include "policy/rules.h"

void config_event_print(const struct rules *of, const json_t *attributes);

#endif /* UTF8GUARD_TOOL_CONFIG_EVENT_H */
