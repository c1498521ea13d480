/* SPDX-License-Identifier: GPL-2.0 */
/* Rules by file system and path. */
#ifndef _UTF8GUARD_FS_INDEX_H
#define _UTF8GUARD_FS_INDEX_H

struct netlink_ext_ack;
struct ugfs_constraint;
struct ugfs_index;
struct utf8guard_policy;

int ugfs_index_build(struct utf8guard_policy *policy, struct netlink_ext_ack *extack);
void ugfs_index_free(struct ugfs_index *index);
const struct ugfs_constraint *ugfs_index_constraint(const struct ugfs_index *index);

#endif /* _UTF8GUARD_FS_INDEX_H */
