/* SPDX-License-Identifier: GPL-2.0 */
/* Reads refusals from the audit log. */
#ifndef UTF8GUARD_TOOL_AUDIT_RECORD_H
#define UTF8GUARD_TOOL_AUDIT_RECORD_H

#include <jansson.h>

json_t *audit_record_read(const char *text);

#endif /* UTF8GUARD_TOOL_AUDIT_RECORD_H */
