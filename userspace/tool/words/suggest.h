/* SPDX-License-Identifier: GPL-2.0 */
/* Guesses which word was meant by an unknown one. */
#ifndef UTF8GUARD_TOOL_SUGGEST_H
#define UTF8GUARD_TOOL_SUGGEST_H

const char *suggest(const char *word, const char *const *list);

#endif /* UTF8GUARD_TOOL_SUGGEST_H */
