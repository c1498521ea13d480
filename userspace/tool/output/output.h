/* SPDX-License-Identifier: GPL-2.0 */
/* Output of the tool: complaints, and JSON on standard output. */
#ifndef UTF8GUARD_TOOL_OUTPUT_H
#define UTF8GUARD_TOOL_OUTPUT_H

#include <jansson.h>
#include <stdbool.h>

#include "memory.h"

/**
 * struct options - the options that mean the same in each command that has them
 * @json: -j, JSON instead of text
 * @pretty: -p, JSON over several lines
 * @stats: -s, counters too
 * @numeric: -n, numbers instead of dates and the names of users
 * @null: -0, paths alone, each ended by NUL
 * @check: -c, see what would happen and change nothing
 * @human: -H, counters of three digits and a power of a thousand
 * @color: --color, an enum style_when
 * @help: -h, nothing but how the command is used
 * @version: -V, nothing but the version of the tool
 */
struct options {
	bool json, pretty, stats, numeric, null, check, human, help, version;
	int color;
};

extern struct options options;

/**
 * struct place - what a complaint is about
 * @file: a policy file
 * @list: in a policy of JSON, the member that is an array; NULL where @number is that of a line
 * @number: of the line from 1, or of the element of @list from 0
 */
struct place {
	const char *file, *list;
	unsigned int number;
};

/* Put in front of every complaint; NULL where there is no file to speak of. */
extern const struct place *complain_place;

void complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
void complain_word(const char *word, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* The version of what -j prints: it rises if a member is removed or changes its meaning. */
#define JSON_VERSION 1

void output_json(json_t *object);
json_t *decimal(unsigned long long number);

/* Members of objects of attributes.c; 0 and "" where absent. What decimal() made is a number. */
unsigned long long member_number(const json_t *object, const char *name);
const char *member_text(const json_t *object, const char *name);
bool member_present(const json_t *object, const char *name);

/*
 * A member that says what a number means, for people: its digits, if only a newer module knows the
 * word. They stay until the eighth call after this one.
 */
const char *member_word(const json_t *object, const char *name);

#endif /* UTF8GUARD_TOOL_OUTPUT_H */
