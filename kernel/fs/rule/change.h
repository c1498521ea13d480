/* SPDX-License-Identifier: GPL-2.0 */
/* Changes of the rules for names, as functions for the member make of struct utf8guard_change. */
#ifndef _UTF8GUARD_FS_CHANGE_H
#define _UTF8GUARD_FS_CHANGE_H

#include <linux/types.h>

#include "../../service/ruleset_types.h"

struct ugfs_location;
struct utf8guard_draft;

/* For ugfs_change_mode(): a change, and the mode that the rule gets. */
struct ugfs_mode_change {
	struct utf8guard_change change;
	u8 mode;
};

/*
 * For ugfs_change_location(): a change, the location that the rule gets, the one it has, which of
 * its locations that is, and whether the rule stays there, too.
 */
struct ugfs_location_change {
	struct utf8guard_change change;
	struct ugfs_location *location;
	const struct ugfs_location *old;
	u32 which;
	bool stays;
};

int ugfs_change_mode(struct utf8guard_draft *draft, struct utf8guard_change *change);
int ugfs_change_location(struct utf8guard_draft *draft, struct utf8guard_change *change);
int ugfs_change_rule(struct utf8guard_draft *draft, struct utf8guard_change *change);
int ugfs_change_to_default(struct utf8guard_draft *draft, struct utf8guard_change *change);

#endif /* _UTF8GUARD_FS_CHANGE_H */
