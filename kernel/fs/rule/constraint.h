/* SPDX-License-Identifier: GPL-2.0 */
/* What a rule asks of a name. */
#ifndef _UTF8GUARD_FS_CONSTRAINT_H
#define _UTF8GUARD_FS_CONSTRAINT_H

#include <linux/utf8guard.h>

struct netlink_ext_ack;
struct nlattr;
struct utf8guard_error;

/**
 * struct ugfs_constraint - what a name must not have, beside ill-formed text
 * @refuse: mask of text classes
 * @forms: mask of the normalization forms that it must be in, by number
 */
struct ugfs_constraint {
	u32 refuse;
	u8 forms;
};

int ugfs_constraint_parse(struct ugfs_constraint *constraint, struct nlattr **attrs,
			  struct netlink_ext_ack *extack);
int ugfs_constraint_check(const struct ugfs_constraint *constraint, const u8 *name, size_t len,
			  struct utf8guard_error *error);

#endif /* _UTF8GUARD_FS_CONSTRAINT_H */
