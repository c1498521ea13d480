/* SPDX-License-Identifier: GPL-2.0 */
/* Prototypes of functions, read from BTF, the kernel's description of its own types. */
#ifndef _UTF8GUARD_FS_PROTOTYPE_H
#define _UTF8GUARD_FS_PROTOTYPE_H

#include <linux/utf8guard.h>

/**
 * struct ugfs_btf - the types of the kernel or of a module
 * @types: records, one after the other, one for each type
 * @types_len: octets of @types
 * @strings: names; each ends with a NUL, the last one too
 * @strings_len: octets of @strings
 * @first: number of the first type
 * @end: number of the last type, plus one
 * @first_string: offset by which types refer to the first octet of @strings
 * @base: for the types of a module, those of the kernel, which have the numbers before @first
 *	and the offsets before @first_string; else NULL
 */
struct ugfs_btf {
	const u8 *types;
	u32 types_len;
	const char *strings;
	u32 strings_len;
	u32 first, end;
	u32 first_string;
	const struct ugfs_btf *base;
};

/* Parameters that are looked at: the arguments that are in registers. */
#define UGFS_MAX_PARAMETERS 6

/**
 * struct ugfs_prototype - a function
 * @result: number of the type that it returns
 * @count: number of its parameters, which may be more than @parameter has room for
 * @parameter: the first parameters
 */
struct ugfs_prototype {
	u32 result;
	u32 count;
	struct {
		const char *name;
		u32 type;
	} parameter[UGFS_MAX_PARAMETERS];
};

int ugfs_btf_init(struct ugfs_btf *btf, const void *data, size_t len, const struct ugfs_btf *base);
int ugfs_btf_prototype(const struct ugfs_btf *btf, const char *function,
		       struct ugfs_prototype *prototype);
bool ugfs_btf_is(const struct ugfs_btf *btf, u32 type, const char *text);
int ugfs_prototype_find(const struct ugfs_prototype *prototype, const char *name);

#endif /* _UTF8GUARD_FS_PROTOTYPE_H */
