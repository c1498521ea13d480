/* SPDX-License-Identifier: GPL-2.0 */
/* Why a module does not answer, as far as the host shows it. */
#ifndef UTF8GUARD_TOOL_ABSENCE_H
#define UTF8GUARD_TOOL_ABSENCE_H

const char *absence_state(const char *module);
const char *absence(const char *module);

#endif /* UTF8GUARD_TOOL_ABSENCE_H */
