// SPDX-License-Identifier: GPL-2.0
/* Attributes of messages, as JSON objects. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include <linux/utf8guard.h>

#include "attribute.h"
#include "attributes.h"
#include "enumerations.h"
#include "output/output.h"
#include "output/text.h"

/* Takes over @made. */
static json_t *json_of_made(char *made)
{
	json_t *value = json_string(made);

	free(made);
	return value;
}

static const char *word_for(const struct attribute *attribute, u64 number)
{
	const char *const *word = attribute->list;

	if (attribute->word)
		return attribute->word(number);
	while (word && *word && number--)
		word++;
	return word ? *word : NULL;
}

unsigned int attributes_left_out;
unsigned int attributes_unknown[UNKNOWN_MOST], attributes_unknown_count;

static void note_unknown(const struct attributes *set, unsigned int type)
{
	unsigned int i;

	for (i = 0; i < attributes_unknown_count; i++)
		if (attributes_unknown[i] == type && set->of_rule)
			return;
	if (set->of_rule && attributes_unknown_count < UNKNOWN_MOST)
		attributes_unknown[attributes_unknown_count++] = type;
	else
		attributes_left_out++;
}

/* A number without a word stays a number; a module may be newer than the tool. */
static json_t *meaning(const struct attribute *attribute, u64 number)
{
	const char *word = word_for(attribute, number);

	if (word)
		return json_string(word);
	if (attribute->word == note_text && !number)
		return json_null();
	attributes_left_out += attribute->list || attribute->word;
	return json_integer((json_int_t)number);
}

static json_t *decode_number(const struct attribute *attribute,
			     const struct nlattr *nla)
{
	u64 number;

	switch (mnl_attr_get_payload_len(nla)) {
	case 1:
		number = mnl_attr_get_u8(nla);
		break;
	case 2:
		number = mnl_attr_get_u16(nla);
		break;
	case 4:
		number = mnl_attr_get_u32(nla);
		break;
	case 8:
		number = mnl_attr_get_u64(nla);
		break;
	default:
		return json_null();
	}
	return attribute->kind == KIND_DECIMAL ? decimal(number) : meaning(attribute, number);
}

/* A class that only a newer module knows stays a number. */
static json_t *decode_classes(const struct nlattr *nla)
{
	u32 mask = mnl_attr_get_payload_len(nla) == 4 ? mnl_attr_get_u32(nla) : 0;
	json_t *array = no_null(json_array());
	unsigned int class;

	for (class = 0; class < 32; class++) {
		const char *name = class_name(class);

		if (!(mask & UTF8GUARD_CLASS_BIT(class)))
			continue;
		attributes_left_out += !name;
		json_array_append_new(array, name ? json_string(name) : json_integer(class));
	}
	return array;
}

static json_t *decode_address(const struct nlattr *nla)
{
	char shown[INET6_ADDRSTRLEN];
	size_t length = mnl_attr_get_payload_len(nla);
	int family = length == 4 ? AF_INET : AF_INET6;

	if (length != 4 && length != 16)
		return json_of_made(text_hex(mnl_attr_get_payload(nla), length));
	inet_ntop(family, mnl_attr_get_payload(nla), shown, sizeof(shown));
	return json_string(shown);
}

static json_t *decode_value(const struct attribute *attribute,
			    const struct nlattr *nla)
{
	const char *payload = mnl_attr_get_payload(nla);
	size_t length = mnl_attr_get_payload_len(nla);

	switch (attribute->kind) {
	case KIND_NUMBER:
	case KIND_DECIMAL:
		return decode_number(attribute, nla);
	case KIND_FLAG:
		return json_true();
	case KIND_STRING:
		return json_of_made(text_escape(payload, strnlen(payload, length)));
	case KIND_BYTES:
		return json_of_made(text_escape(payload, length));
	case KIND_TEXT:
		return json_stringn(payload, length);
	case KIND_HEX:
		return json_of_made(text_hex(payload, length));
	case KIND_ADDRESS:
		return decode_address(nla);
	case KIND_CLASSES:
		return decode_classes(nla);
	case KIND_NEST:
	case KIND_OBJECT:
		return attributes_decode(attribute->nest, payload, length);
	default:
		return NULL;
	}
}

static void put(json_t *object, const struct attribute *attribute, json_t *value)
{
	json_t *array;

	if (attribute->kind != KIND_NEST) {
		json_object_set_new(object, attribute->name, value);
		return;
	}
	array = json_object_get(object, attribute->name);
	if (!array) {
		array = json_array();
		json_object_set_new(object, attribute->name, array);
	}
	json_array_append_new(array, value);
}

/* A module newer than the tool may send attributes without a name here. */
json_t *attributes_decode(const struct attributes *set, const void *first,
			  size_t length)
{
	const unsigned int left_out = attributes_left_out;
	json_t *object = no_null(json_object());
	const struct nlattr *attr;

	mnl_attr_for_each_payload(first, length) {
		unsigned int type = mnl_attr_get_type(attr);

		if (type >= set->count)
			note_unknown(set, type);
		if (type < set->count && set->at[type].kind != KIND_HIDDEN)
			put(object, &set->at[type], decode_value(&set->at[type], attr));
	}
	/* Of a class that only a newer module knows, for example. */
	if (set->counts)
		attributes_left_out = left_out;
	return object;
}

const char *attributes_name(const struct attributes *set, unsigned int type)
{
	return type < set->count ? set->at[type].name : NULL;
}

static const struct attribute *attribute_called(const struct attributes *set, const char *name)
{
	size_t i;

	for (i = 0; i < set->count; i++)
		if (set->at[i].kind != KIND_HIDDEN && !strcmp(set->at[i].name, name))
			return &set->at[i];
	return NULL;
}

/* Has an element of @array a member that is none of the set, or is it no object? */
static bool stranger_in(const struct attributes *set, json_t *array)
{
	json_t *element;
	size_t i;

	json_array_foreach(array, i, element) {
		if (!json_is_object(element) || attributes_stranger(set, element))
			return true;
	}
	return false;
}

static bool fits(const struct attribute *attribute, json_t *value)
{
	switch (attribute->kind) {
	case KIND_NUMBER:
		return json_is_integer(value) ||
		       ((attribute->list || attribute->word) && json_is_string(value));
	case KIND_DECIMAL:
		/* A number is from the JSON of an older tool. */
		return json_is_string(value) || json_is_integer(value);
	case KIND_FLAG:
		return json_is_true(value);
	case KIND_NEST:
		return json_is_array(value) && !stranger_in(attribute->nest, value);
	case KIND_CLASSES:
		return json_is_array(value);
	case KIND_OBJECT:
		return json_is_object(value);
	default:
		return json_is_string(value);
	}
}

/*
 * A member of @object that is none of the set or has a value of another type;
 * NULL if all are right. A rule with a match that is not understood would
 * apply to more than was meant.
 */
const char *attributes_stranger(const struct attributes *set, json_t *object)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value) {
		const struct attribute *attribute = attribute_called(set, name);

		if (!attribute || !fits(attribute, value))
			return name;
	}
	return NULL;
}

/* What the kernel said of a text, as the codec would have. */
struct utf8guard_error attributes_error(const json_t *reply)
{
	return (struct utf8guard_error){
		.offset = member_number(reply, "offset"),
		.class = member_number(reply, "class"),
		.note = member_number(reply, "note"),
		.length = member_number(reply, "length"),
		.span = member_number(reply, "span"),
	};
}
