/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The attributes of the specs in include/netlink/, as JSON objects whose
 * members are called as the attributes there: all that is shown comes from
 * these.
 */
#ifndef UTF8GUARD_TOOL_ATTRIBUTES_H
#define UTF8GUARD_TOOL_ATTRIBUTES_H

#include <jansson.h>
#include <libmnl/libmnl.h>
#include <linux/utf8guard.h>

struct attribute;

/* Attributes of a message that it does not know, noted by their types: more are left out. */
#define UNKNOWN_MOST 64

/**
 * struct attributes - an attribute set
 * @at: indexed by type; a hole is an attribute that is not shown
 * @count: of entries of @at: one for each type that the spec has
 * @counts: it has what was counted, and nothing of which a rule is made
 * @of_rule: it is a rule, so that those that are not known are noted
 */
struct attributes {
	const struct attribute *at;
	size_t count;
	bool counts, of_rule;
};

/* attribute_sets.c has them. */
extern const struct attributes attributes_info, attributes_text,
	attributes_event, attributes_fs_status, attributes_fs_rule,
	attributes_nf_status, attributes_nf_rule;

/* How many attributes, and how many of their values, attributes_decode() did not know so far. */
extern unsigned int attributes_left_out;

/* The types of those of rules; a counter may be among them. Not counted in attributes_left_out. */
extern unsigned int attributes_unknown[UNKNOWN_MOST], attributes_unknown_count;

json_t *attributes_decode(const struct attributes *set, const void *first,
			  size_t length);
struct utf8guard_error attributes_error(const json_t *reply);
const char *attributes_stranger(const struct attributes *set, json_t *object);
const char *attributes_name(const struct attributes *set, unsigned int type);

#endif /* UTF8GUARD_TOOL_ATTRIBUTES_H */
