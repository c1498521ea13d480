/* SPDX-License-Identifier: GPL-2.0 */
/* Changes of rules that are in a policy: for utf8guard_change.make. */
#ifndef _UTF8GUARD_FS_CHANGE_H
#define _UTF8GUARD_FS_CHANGE_H

#include <linux/types.h>

#include "../../service/ruleset_types.h"

struct ugfs_location;
struct utf8guard_draft;

/* A change with a mode, for ugfs_change_mode(). */
struct ugfs_mode_change {
	struct utf8guard_change change;
	u8 mode;
};

/* A change with a place that was another one, for ugfs_change_location(). */
struct ugfs_location_change {
	struct utf8guard_change change;
	struct ugfs_location *location;
	const struct ugfs_location *old;
};

int ugfs_change_mode(struct utf8guard_draft *draft, struct utf8guard_change *change);
int ugfs_change_location(struct utf8guard_draft *draft, struct utf8guard_change *change);
int ugfs_change_rule(struct utf8guard_draft *draft, struct utf8guard_change *change);
int ugfs_change_to_default(struct utf8guard_draft *draft, struct utf8guard_change *change);

#endif /* _UTF8GUARD_FS_CHANGE_H */
