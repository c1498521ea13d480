/* SPDX-License-Identifier: GPL-2.0 */
/* The decision on a name. */
#ifndef _UTF8GUARD_FS_CHECK_H
#define _UTF8GUARD_FS_CHECK_H

#include <linux/utf8guard.h>

struct qstr;
struct ugfs_attempt;
struct ugfs_beyond;
struct ugfs_rule;
struct utf8guard_counts;
struct utf8guard_error;

/**
 * struct ugfs_totals - counters of the name check, since the module was loaded or reset
 * @checked: names looked at
 * @refused: system calls failed
 * @audited: names reported and let through
 * @exempt: names that a rule might refuse, let through by an exemption
 * @exempt_overlay: of @exempt, the work of overlays
 * @userns_overlay: names judged in upper layers of overlays of other user namespaces
 * @missed: names that could not be looked at
 * @deep: names of which it is not known which subtrees they are in
 */
struct ugfs_totals {
	u64 checked, refused, audited, exempt, exempt_overlay, userns_overlay, missed, deep;
};

bool ugfs_check_clean(const struct qstr *name);
int ugfs_check(const struct ugfs_attempt *attempt);
const struct ugfs_rule *ugfs_refusing_rule(const struct ugfs_attempt *attempt,
					   const struct ugfs_rule *known,
					   const struct ugfs_beyond *beyond,
					   struct utf8guard_error *error);
u8 ugfs_outcome(const struct ugfs_rule *rule, bool is_certain, bool is_admin);
void ugfs_count_missed(void);
void ugfs_totals(struct ugfs_totals *totals);
const struct utf8guard_counts *ugfs_counts(void);
void ugfs_totals_reset(void);
bool ugfs_enforcing(void);

#endif /* _UTF8GUARD_FS_CHECK_H */
