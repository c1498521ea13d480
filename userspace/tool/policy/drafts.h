/* SPDX-License-Identifier: GPL-2.0 */
/* A policy file carried out in drafts of the kernel, one for each check that the file is about. */
#ifndef UTF8GUARD_TOOL_DRAFTS_H
#define UTF8GUARD_TOOL_DRAFTS_H

#include "policy.h"
#include "transaction.h"

#define DRAFTS_MOST 2

struct rejection;

/**
 * struct drafts - a file, carried out in drafts that nobody else sees
 * @policy: the file; its path is the caller's
 * @rejections: lines that the kernel refused, in the order in which it said so
 * @rejected: how many
 * @checks: one for each check that the file is about
 * @before: the rules of each that were in force, where these were wanted
 * @count: of checks
 * @only_loaded: leave out the lines for a check that is not loaded; the caller's
 * @left_out: such lines were left out
 */
struct drafts {
	struct policy policy;
	struct rejection *rejections;
	size_t rejected;
	struct transaction checks[DRAFTS_MOST];
	json_t *before[DRAFTS_MOST];
	unsigned int count;
	bool only_loaded, left_out;
};

bool drafts_read(struct drafts *drafts);
bool drafts_are_about(const struct drafts *drafts, const struct rules *of);
int drafts_open(struct drafts *drafts);
int drafts_open_check(struct drafts *drafts, const struct rules *of);
int drafts_renew(struct drafts *drafts);
int drafts_fill(struct drafts *drafts, unsigned int i, bool wants_before, bool alone);
void drafts_tell_rejections(struct drafts *drafts);
void drafts_close(struct drafts *drafts);

#endif /* UTF8GUARD_TOOL_DRAFTS_H */
