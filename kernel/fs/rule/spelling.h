/* SPDX-License-Identifier: GPL-2.0 */
/* Names that a file system may take for the same, as far as this can be told without its tables. */
#ifndef _UTF8GUARD_FS_SPELLING_H
#define _UTF8GUARD_FS_SPELLING_H

#include <linux/types.h>

bool ugfs_spelling_is_ascii(const char *name, size_t len);
bool ugfs_spelling_is_short(const char *name, size_t len);
bool ugfs_spelling_is_alike(const char *a, size_t a_len, const char *b, size_t b_len);
u32 ugfs_spelling_hash(const void *salt, const char *name, size_t len);

#endif /* _UTF8GUARD_FS_SPELLING_H */
