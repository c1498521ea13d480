// SPDX-License-Identifier: GPL-2.0
/*
 * Reads prototypes of functions from BTF. BTF has the types that the running kernel was compiled
 * with, which may differ from those in the headers that a module is built with. The data is not
 * trusted, except that nobody changes it meanwhile. ugfs_btf_init() checks all offsets and
 * lengths in a first walk; the number of a type or a name is checked whenever it is used.
 */
#include "../codec/codec.h"
#include "prototype.h"

#define MAGIC 0xeb9f
#define VERSION 1

struct header {
	u16 magic;
	u8 version;
	u8 flags;
	u32 header_len;
	u32 types_at;
	u32 types_len;
	u32 strings_at;
	u32 strings_len;
};

/* What each type begins with. For some kinds, @type is not a type but a size. */
struct record {
	u32 name;
	u32 info;
	u32 type;
};

enum kind {
	KIND_INT = 1,
	KIND_PTR,
	KIND_ARRAY,
	KIND_STRUCT,
	KIND_UNION,
	KIND_ENUM,
	KIND_FWD,
	KIND_TYPEDEF,
	KIND_VOLATILE,
	KIND_CONST,
	KIND_RESTRICT,
	KIND_FUNC,
	KIND_FUNC_PROTO,
	KIND_VAR,
	KIND_DATASEC,
	KIND_FLOAT,
	KIND_DECL_TAG,
	KIND_TYPE_TAG,
	KIND_ENUM64,
	KIND_COUNT,
};

/* A parameter of a KIND_FUNC_PROTO. */
struct parameter {
	u32 name;
	u32 type;
};

static u32 kind_of(const struct record *record)
{
	return record->info >> 24 & 0x1f;
}

/* Does it declare a union? Forward declarations of structs and unions have the same kind. */
static bool is_forward_union(const struct record *record)
{
	return record->info >> 31;
}

static u32 members_of(const struct record *record)
{
	return record->info & 0xffff;
}

/* Octets of the type after its record. SIZE_MAX for an unknown kind: so much data cannot be. */
static size_t length_after(const struct record *record)
{
	static const struct {
		u8 once, each;
	} lengths[KIND_COUNT] = {
		[KIND_INT] = { .once = 4 },
		[KIND_ARRAY] = { .once = 12 },
		[KIND_STRUCT] = { .each = 12 },
		[KIND_UNION] = { .each = 12 },
		[KIND_ENUM] = { .each = 8 },
		[KIND_FUNC_PROTO] = { .each = sizeof(struct parameter) },
		[KIND_VAR] = { .once = 4 },
		[KIND_DATASEC] = { .each = 12 },
		[KIND_DECL_TAG] = { .once = 4 },
		[KIND_ENUM64] = { .each = 12 },
	};
	u32 kind = kind_of(record);

	if (!kind || kind >= KIND_COUNT)
		return SIZE_MAX;
	return lengths[kind].once + (size_t)lengths[kind].each * members_of(record);
}

/* Copies @size octets, at any alignment. False where the data ends before. */
static bool read_at(const u8 *data, size_t len, size_t at, void *to, size_t size)
{
	if (at > len || size > len - at)
		return false;
	memcpy(to, data + at, size);
	return true;
}

/**
 * struct cursor - one of the types of a struct ugfs_btf
 * @btf: the types
 * @number: number of this type
 * @at: offset of its record in @btf->types
 * @record: a copy of its record
 */
struct cursor {
	const struct ugfs_btf *btf;
	u32 number;
	size_t at;
	struct record record;
};

/* Moves @cursor to the type at the offset @at. False where there is none. */
static bool step_to(struct cursor *cursor, size_t at)
{
	cursor->at = at;
	return read_at(cursor->btf->types, cursor->btf->types_len, at, &cursor->record,
		       sizeof(cursor->record));
}

static bool begin(struct cursor *cursor, const struct ugfs_btf *btf)
{
	*cursor = (struct cursor) { .btf = btf, .number = btf->first };
	return step_to(cursor, 0);
}

static bool next(struct cursor *cursor)
{
	cursor->number++;
	return step_to(cursor, cursor->at + sizeof(cursor->record) +
			       length_after(&cursor->record));
}

/* Counts the types. -EINVAL where they do not end where @types_len says. */
static int count_types(struct ugfs_btf *btf)
{
	struct cursor cursor;
	size_t end = 0, after;
	bool more;

	btf->end = btf->first;
	for (more = begin(&cursor, btf); more; more = next(&cursor)) {
		after = length_after(&cursor.record);
		end = cursor.at + sizeof(cursor.record);
		if (after > btf->types_len - end)
			return -EINVAL;
		end += after;
		btf->end = cursor.number + 1;
	}
	return end == btf->types_len ? 0 : -EINVAL;
}

/* Sets @part to the @size octets of @data from @at on. False where @data ends before. */
static bool take(const u8 **part, u32 *part_len, const u8 *data, size_t len, u32 at, u32 size)
{
	if (at > len || size > len - at)
		return false;
	*part = data + at;
	*part_len = size;
	return true;
}

/**
 * ugfs_btf_init() - check and count the types in a file of BTF
 * @btf: filled in; it points into @data
 * @data: the contents of the file; must stay, and must not change, as long as @btf is used
 * @len: its length
 * @base: for a module's file, the types of the kernel; or NULL
 *
 * Context: any; time grows with the number of types, of which the kernel has some 100,000.
 * Return: 0; -EINVAL where @data is no BTF, or has a type of an unknown kind.
 */
int ugfs_btf_init(struct ugfs_btf *btf, const void *data, size_t len, const struct ugfs_btf *base)
{
	const u8 *strings;
	struct header header;

	if (!read_at(data, len, 0, &header, sizeof(header)) || header.magic != MAGIC ||
	    header.version != VERSION || header.header_len < sizeof(header) ||
	    header.header_len > len)
		return -EINVAL;
	*btf = (struct ugfs_btf) {
		.first = base ? base->end : 1,
		.first_string = base ? base->strings_len : 0,
		.base = base,
	};
	data = (const u8 *)data + header.header_len;
	len -= header.header_len;
	if (!take(&btf->types, &btf->types_len, data, len, header.types_at, header.types_len) ||
	    !take(&strings, &btf->strings_len, data, len, header.strings_at, header.strings_len) ||
	    !btf->strings_len || strings[btf->strings_len - 1])
		return -EINVAL;
	btf->strings = (const char *)strings;
	return count_types(btf);
}

/* The name at an offset; NULL where there is none. */
static const char *string_at(const struct ugfs_btf *btf, u32 offset)
{
	if (btf->base && offset < btf->first_string)
		btf = btf->base;
	offset -= btf->first_string;
	return offset < btf->strings_len ? btf->strings + offset : NULL;
}

static bool is_string(const struct ugfs_btf *btf, u32 offset, const char *text)
{
	const char *string = string_at(btf, offset);

	return string && !strcmp(string, text);
}

/* Moves @cursor to the type with this number. False where there is none. */
static bool find(struct cursor *cursor, const struct ugfs_btf *btf, u32 number)
{
	bool more;

	if (btf->base && number < btf->first)
		btf = btf->base;
	if (number < btf->first || number >= btf->end)
		return false;
	for (more = begin(cursor, btf); more && cursor->number != number; more = next(cursor))
		;
	return more;
}

/* Fills in @prototype from the KIND_FUNC_PROTO at @cursor. */
static int read_parameters(struct ugfs_prototype *prototype, const struct cursor *cursor,
			   const struct ugfs_btf *btf)
{
	size_t at = cursor->at + sizeof(cursor->record);
	struct parameter parameter;
	u32 i;

	prototype->result = cursor->record.type;
	prototype->count = members_of(&cursor->record);
	for (i = 0; i < prototype->count && i < UGFS_MAX_PARAMETERS; i++) {
		if (!read_at(cursor->btf->types, cursor->btf->types_len,
			     at + i * sizeof(parameter), &parameter, sizeof(parameter)))
			return -EINVAL;
		prototype->parameter[i].type = parameter.type;
		prototype->parameter[i].name = string_at(btf, parameter.name);
		if (!prototype->parameter[i].name)
			return -EINVAL;
	}
	return 0;
}

/**
 * ugfs_btf_prototype() - the prototype of a function
 * @btf: types; the functions of @btf->base are not looked at
 * @function: its name
 * @prototype: filled in; its names point into the data of @btf
 *
 * Context: any; time grows with the number of types.
 * Return: 0; -ENOENT where there is no such function; -EEXIST where there are several;
 * -EINVAL where the data is damaged.
 */
int ugfs_btf_prototype(const struct ugfs_btf *btf, const char *function,
		       struct ugfs_prototype *prototype)
{
	struct cursor cursor;
	u32 type = 0;
	bool more;

	*prototype = (struct ugfs_prototype) {};
	for (more = begin(&cursor, btf); more; more = next(&cursor)) {
		if (kind_of(&cursor.record) != KIND_FUNC ||
		    !is_string(btf, cursor.record.name, function))
			continue;
		if (type)
			return -EEXIST;
		type = cursor.record.type;
	}
	if (!type)
		return -ENOENT;
	if (!find(&cursor, btf, type) || kind_of(&cursor.record) != KIND_FUNC_PROTO)
		return -EINVAL;
	return read_parameters(prototype, &cursor, btf);
}

/* So many qualifiers of a type are followed, because damaged data may have them in a circle. */
#define MAX_WORDS 8

static bool is_qualifier(u32 kind)
{
	return kind == KIND_CONST || kind == KIND_VOLATILE || kind == KIND_RESTRICT ||
	       kind == KIND_TYPE_TAG;
}

/* As find(), for the type without its qualifiers. */
static bool find_bare(struct cursor *cursor, const struct ugfs_btf *btf, u32 number)
{
	unsigned int i;

	for (i = 0; i < MAX_WORDS; i++) {
		if (!find(cursor, btf, number))
			return false;
		if (!is_qualifier(kind_of(&cursor->record)))
			return true;
		number = cursor->record.type;
	}
	return false;
}

static bool is_struct(const struct cursor *cursor)
{
	u32 kind = kind_of(&cursor->record);

	return kind == KIND_STRUCT || (kind == KIND_FWD && !is_forward_union(&cursor->record));
}

/**
 * ugfs_btf_is() - is a type the one that is written as @text?
 * @btf: types
 * @type: number of the type
 * @text: the name of an integer type, or "struct NAME"; with " *" after it for a pointer to
 *	that. Qualifiers, as "const", are ignored.
 *
 * Context: any; time grows with the number of types.
 * Return: whether it is; false also where the data is damaged.
 */
bool ugfs_btf_is(const struct ugfs_btf *btf, u32 type, const char *text)
{
	bool structure = !strncmp(text, "struct ", 7), pointer;
	const char *name = structure ? text + 7 : text, *string;
	size_t len = strcspn(name, " ");
	struct cursor cursor;

	pointer = !strcmp(name + len, " *");
	if (!find_bare(&cursor, btf, type))
		return false;
	if (pointer && (kind_of(&cursor.record) != KIND_PTR ||
			!find_bare(&cursor, btf, cursor.record.type)))
		return false;
	if (structure ? !is_struct(&cursor) : kind_of(&cursor.record) != KIND_INT)
		return false;
	string = string_at(btf, cursor.record.name);
	return string && strlen(string) == len && !strncmp(string, name, len);
}

/**
 * ugfs_prototype_find() - which parameter has this name?
 * @prototype: a function
 * @name: the name
 *
 * Context: any.
 * Return: the number of the parameter, from 0; or -1, where none of the first
 * UGFS_MAX_PARAMETERS has this name.
 */
int ugfs_prototype_find(const struct ugfs_prototype *prototype, const char *name)
{
	u32 i;

	for (i = 0; i < prototype->count && i < UGFS_MAX_PARAMETERS; i++)
		if (!strcmp(prototype->parameter[i].name, name))
			return i;
	return -1;
}
