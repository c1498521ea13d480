/* SPDX-License-Identifier: GPL-2.0 */
/* What an attribute is called, and how its value is shown: a row of attribute_sets.c. */
#ifndef UTF8GUARD_TOOL_ATTRIBUTE_H
#define UTF8GUARD_TOOL_ATTRIBUTE_H

struct attributes;

enum kind {
	KIND_HIDDEN,
	KIND_NUMBER,	/* 1, 2, 4 or 8 octets; a word where there is one for it */
	KIND_DECIMAL,	/* may exceed 2^53 - 1: a string of digits, always */
	KIND_FLAG,
	KIND_STRING,	/* escaped */
	KIND_BYTES,	/* as text, escaped */
	KIND_TEXT,	/* as it is: UTF-8 */
	KIND_HEX,
	KIND_ADDRESS,
	KIND_NEST,	/* an array, of one or more */
	KIND_OBJECT,	/* attributes of another set, once */
	KIND_CLASSES,	/* a mask, as an array of names */
};

/* @list and @word: two ways to say what a number means */
struct attribute {
	const char *name;
	enum kind kind;
	const char *const *list;
	const char *(*word)(unsigned long long number);
	const struct attributes *nest;
};

#endif /* UTF8GUARD_TOOL_ATTRIBUTE_H */
