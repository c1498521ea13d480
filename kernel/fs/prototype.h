/* SPDX-License-Identifier: GPL-2.0 */
/* Prototypes of functions, read from the types that the kernel has of itself (BTF). */
#ifndef _UTF8GUARD_FS_PROTOTYPE_H
#define _UTF8GUARD_FS_PROTOTYPE_H

#include <linux/utf8guard.h>

/**
 * struct ugfs_btf - the types of the kernel or of a module
 * @types: records, one after the other, each of a type
 * @types_len: octets of them
 * @strings: names, each terminated, the last one too
 * @strings_len: octets of them
 * @first: number of the first type
 * @end: that of the last one, and one
 * @first_string: offset that the first octet of @strings has
 * @base: the kernel's, of a module: what comes before @first and @first_string; or NULL
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

/* Arguments that are looked at: those in registers. */
#define UGFS_MAX_PARAMETERS 6

/**
 * struct ugfs_prototype - a function
 * @result: type of what it returns
 * @count: number of its parameters
 * @parameter: the first ones
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
