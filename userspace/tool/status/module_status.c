// SPDX-License-Identifier: GPL-2.0
/* All that the modules report about themselves: what show and stats print. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <linux/utf8guard.h>
#include <uapi/linux/utf8guard_fs.h>
#include <uapi/linux/utf8guard_nf.h>

#include "module_status.h"
#include "netlink/absence.h"
#include "output/exit_status.h"
#include "output/output.h"

/* What to ask a module; @rules: NULL if not for those. */
struct question {
	u8 command;
	const struct attributes *status;
	const struct rules *rules;
};

static int ask(struct netlink *nl, const struct question *question, struct part *part)
{
	static struct request request;
	struct refusal refusal;
	int status = STATUS_DONE;

	request_init(&request, question->command);
	if (netlink_ask(nl, &request, question->status, &part->status, &refusal)) {
		netlink_complain(nl, question->status, &refusal);
		part->forbidden = refusal.error == EPERM;
		status = STATUS_REFUSED;
	}
	if (!status && question->rules)
		status = rules_list(question->rules, nl, &part->list);
	return status;
}

/* A module that is not there is part of the answer, netlink's absence is not. */
static int take(const struct question *question, struct part *part)
{
	struct netlink nl;
	int status, error = netlink_open(&nl, part->family);

	part->unasked = error && error != ENOENT;
	if (part->unasked) {
		netlink_complain_absent(part->family, error);
		return STATUS_ABSENT;
	}
	if (error)
		return STATUS_DONE;
	part->loaded = true;
	status = ask(&nl, question, part);
	part->answered = status == STATUS_DONE;
	netlink_close(&nl);
	return status;
}

/**
 * module_status_take() - ask all modules
 * @modules: filled in; give it to module_status_drop()
 * @asks: of enum ask
 *
 * Return: STATUS_ABSENT if none of them is there, or if netlink could not be asked, with a
 * complaint; STATUS_REFUSED if one of them did not answer, with a complaint; else STATUS_DONE.
 */
int module_status_take(struct module_status *modules, unsigned int asks)
{
	const bool rules = asks & ASK_RULES;
	const struct question service = { UTF8GUARD_CMD_INFO_GET, &attributes_info, NULL };
	const struct question fs = { UTF8GUARD_FS_CMD_STATUS_GET, &attributes_fs_status,
				     rules ? &rules_fs : NULL };
	const struct question net = { UTF8GUARD_NF_CMD_STATUS_GET, &attributes_nf_status,
				      rules ? &rules_net : NULL };
	int status, worst;

	*modules = (struct module_status){
		.service = { .family = NETLINK_SERVICE, .unasked = true },
		.fs = { .family = NETLINK_FS, .unasked = true },
		.net = { .family = NETLINK_NF, .unasked = true },
	};
	worst = take(&service, &modules->service);
	if (worst == STATUS_ABSENT)
		return worst;
	status = take(&fs, &modules->fs);
	worst = status > worst ? status : worst;
	status = take(&net, &modules->net);
	worst = status > worst ? status : worst;
	if (worst || modules->service.loaded || modules->fs.loaded || modules->net.loaded)
		return worst;
	if (asks & ASK_ANSWER)
		netlink_complain_absent(NETLINK_SERVICE, ENOENT);
	return STATUS_ABSENT;
}

/* Why there is nothing to be shown of a module. */
const char *module_status_silence(const struct part *part)
{
	if (part->unasked)
		return "not known: netlink could not be asked";
	if (!part->loaded)
		return absence(part->family);
	return part->forbidden ? "loaded; you are not permitted to ask it" : "loaded, but did not answer";
}

/* Is it not known of one of them whether it is loaded? */
bool module_status_is_unasked(const struct module_status *modules)
{
	return modules->service.unasked || modules->fs.unasked || modules->net.unasked;
}

/**
 * module_status_other_build() - are the modules of another build than this tool?
 * @modules: what they said
 *
 * So it is after an upgrade, until the host boots or all modules are replaced: those of different
 * builds refuse each other, so that one says it for all. The Makefile defines UTF8GUARD_SOURCES.
 *
 * Return: a sentence that says so, until the next call; NULL if they are not, or say nothing.
 */
const char *module_status_other_build(const struct module_status *modules)
{
	static char text[200];
	const json_t *service = modules->service.status;
	const char *build = member_text(service, "build");

	if (!modules->service.answered || !strcmp(build, UTF8GUARD_SOURCES))
		return NULL;
	snprintf(text, sizeof(text),
		 "this tool is of build %s (%s), the modules that are loaded are of %s (%s): after an upgrade, see AT BOOT in utf8guard(8)",
		 UTF8GUARD_VERSION, UTF8GUARD_SOURCES, member_text(service, "version"),
		 *build ? build : "older");
	return text;
}

void module_status_drop(struct module_status *modules)
{
	struct part *const parts[] = { &modules->service, &modules->fs, &modules->net };
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		json_decref(parts[i]->status);
		json_decref(parts[i]->list);
	}
}
