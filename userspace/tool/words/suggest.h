/* SPDX-License-Identifier: GPL-2.0 */
/* What a word was meant to be that nobody knows. */
#ifndef UTF8GUARD_TOOL_SUGGEST_H
#define UTF8GUARD_TOOL_SUGGEST_H

const char *suggest(const char *word, const char *const *list);

#endif /* UTF8GUARD_TOOL_SUGGEST_H */
