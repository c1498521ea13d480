/* SPDX-License-Identifier: GPL-2.0 */
/* What a rule demands of a name. */
#ifndef _UTF8GUARD_FS_CONSTRAINT_H
#define _UTF8GUARD_FS_CONSTRAINT_H

#include <linux/utf8guard.h>

struct netlink_ext_ack;
struct nlattr;
struct utf8guard_error;

/**
 * struct ugfs_constraint - what a rule demands of a name besides that it is UTF-8
 * @refuse: mask of the text classes that it must not have characters of
 * @forms: mask of the normalization forms that it must be in, bits by enum utf8guard_form
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
