/* SPDX-License-Identifier: GPL-2.0 */
/* All that the modules report about themselves: what show and stats print. */
#ifndef UTF8GUARD_TOOL_MODULE_STATUS_H
#define UTF8GUARD_TOOL_MODULE_STATUS_H

#include <jansson.h>

#include "policy/rules.h"

/**
 * struct part - one module, as far as it can be asked
 * @family: its netlink family
 * @unasked: netlink could not be asked, so it is not known whether it is there
 * @loaded: it is there
 * @answered: it answered what it was asked
 * @forbidden: it did not, because the tool lacks the privilege to ask
 * @status: its state, with the reference; or NULL
 * @list: its rules, with the reference; or NULL
 */
struct part {
	const char *family;
	bool unasked, loaded, answered, forbidden;
	json_t *status;
	json_t *list;
};

struct module_status {
	struct part service, fs, net;
};

/**
 * enum ask - how modules are asked; bits
 * @ASK_RULES: their rules, too, which may be many
 * @ASK_ANSWER: complain where none is loaded
 */
enum ask {
	ASK_RULES = 1,
	ASK_ANSWER = 2,
};

int module_status_take(struct module_status *modules, unsigned int asks);
const char *module_status_silence(const struct part *part);
bool module_status_is_unasked(const struct module_status *modules);
const char *module_status_other_build(const struct module_status *modules);
void module_status_drop(struct module_status *modules);

#endif /* UTF8GUARD_TOOL_MODULE_STATUS_H */
