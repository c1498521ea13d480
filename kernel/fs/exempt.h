/* SPDX-License-Identifier: GPL-2.0 */
/* Names that are not judged. */
#ifndef _UTF8GUARD_FS_EXEMPT_H
#define _UTF8GUARD_FS_EXEMPT_H

#include <linux/types.h>

struct inode;

bool ugfs_exempt(const struct inode *dir);
bool ugfs_exempt_type(const char *fstype);

#endif /* _UTF8GUARD_FS_EXEMPT_H */
