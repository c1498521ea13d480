/* SPDX-License-Identifier: GPL-2.0 */
/* The netlink family of the name check; netlink.c defines it. */
#ifndef _UTF8GUARD_FS_FAMILY_H
#define _UTF8GUARD_FS_FAMILY_H

extern struct genl_family utf8guard_fs_nl_family;

#endif /* _UTF8GUARD_FS_FAMILY_H */
