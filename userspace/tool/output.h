/* SPDX-License-Identifier: GPL-2.0 */
/* Where the tool's words go: complaints, and JSON on standard output. */
#ifndef UTF8GUARD_TOOL_OUTPUT_H
#define UTF8GUARD_TOOL_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>

/**
 * struct options - the flags that hold for all commands
 * @json: -j, JSON instead of text
 * @pretty: -p, JSON over several lines
 * @stats: -s, counters too
 * @numeric: -n, numbers instead of dates and the names of users
 * @null: -0, paths alone, each ended by NUL
 */
struct options {
	bool json, pretty, stats, numeric, null;
};

extern struct options options;

void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void complain_word(const char *word, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void *no_null(void *pointer);

void output_json(json_t *value);

/* Members of objects that attributes.c made; 0 and "" where absent. */
unsigned long long member_number(const json_t *object, const char *name);
const char *member_text(const json_t *object, const char *name);
bool member_present(const json_t *object, const char *name);

#endif /* UTF8GUARD_TOOL_OUTPUT_H */
