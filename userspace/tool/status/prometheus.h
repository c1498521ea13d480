/* SPDX-License-Identifier: GPL-2.0 */
/* All counters in the text format of Prometheus. */
#ifndef UTF8GUARD_TOOL_PROMETHEUS_H
#define UTF8GUARD_TOOL_PROMETHEUS_H

#include "module_status.h"

void prometheus_print(const struct module_status *modules, bool by_rule);

#endif /* UTF8GUARD_TOOL_PROMETHEUS_H */
