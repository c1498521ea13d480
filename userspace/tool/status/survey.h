/* SPDX-License-Identifier: GPL-2.0 */
/* All that the modules say of themselves: what show and stats print. */
#ifndef UTF8GUARD_TOOL_SURVEY_H
#define UTF8GUARD_TOOL_SURVEY_H

#include <jansson.h>

#include "policy/rules.h"

/**
 * struct part - one module, as far as it can be asked
 * @family: its netlink family
 * @loaded: it is there
 * @answered: it said what it was asked
 * @forbidden: it did not, for it is not for us to ask
 * @status: its state, with the reference; or NULL
 * @list: its rules, with the reference; or NULL
 */
struct part {
	const char *family;
	bool loaded, answered, forbidden;
	json_t *status;
	json_t *list;
};

struct survey {
	struct part service, fs, net;
};

int survey_take(struct survey *survey);
const char *survey_silence(const struct part *part);
void survey_drop(struct survey *survey);

#endif /* UTF8GUARD_TOOL_SURVEY_H */
