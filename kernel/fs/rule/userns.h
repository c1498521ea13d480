/* SPDX-License-Identifier: GPL-2.0 */
/* User namespaces that rules name. */
#ifndef _UTF8GUARD_FS_USERNS_H
#define _UTF8GUARD_FS_USERNS_H

#include <linux/types.h>

struct ugfs_userns;
struct user_namespace;

struct ugfs_userns *ugfs_userns_of_pid(u32 pid);
void ugfs_userns_put(struct ugfs_userns *userns);
u32 ugfs_userns_number(const struct ugfs_userns *userns);
bool ugfs_userns_gone(const struct ugfs_userns *userns);
bool ugfs_userns_has(const struct ugfs_userns *userns, const struct user_namespace *other);

#endif /* _UTF8GUARD_FS_USERNS_H */
