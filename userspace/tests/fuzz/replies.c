// SPDX-License-Identifier: GPL-2.0
/*
 * Answers of a kernel, of any module or of none: as JSON, as words, as lines of events.
 *
 * promise others in the kernel: whatever a kernel answers, the tool makes JSON of it that reads
 *   back as the same
 * shown by: replies
 */
#include <linux/netlink.h>

#include "../../tool/netlink/netlink.h"
#include "../../tool/output/output.h"
#include "../../tool/policy/rules.h"
#include "../../tool/status/config_event.h"
#include "../../tool/status/event.h"
#include "../../tool/status/prometheus.h"
#include "fuzz.h"

static const struct attributes *const sets[] = {
	&attributes_info, &attributes_text, &attributes_event, &attributes_fs_status,
	&attributes_fs_rule, &attributes_nf_status, &attributes_nf_rule,
};

/* The JSON that the tool prints can be read back, and is the same object then. */
static void check_json(json_t *object)
{
	char *text = json_dumps(object, JSON_COMPACT);
	json_t *again;

	fuzz_check(text);
	again = json_loads(text, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL);
	fuzz_check(again && json_equal(again, object));
	json_decref(again);
	free(text);
}

static void show_rule(const struct rules *of, json_t *rule)
{
	struct line line = { 0 };
	json_t *list = json_array();

	if (of->line(rule, &line))
		free(line_text(&line));
	line_free(&line);
	rules_print_one(of, rule, NULL);
	config_event_print(of, rule);
	json_array_append(list, rule);
	rules_print(of, list);
	if (of->doubt)
		of->doubt(list);
	json_decref(list);
}

static void show_status(const struct attributes *set, json_t *status)
{
	struct module_status modules = {
		.service = { .family = NETLINK_SERVICE },
		.fs = { .family = NETLINK_FS },
		.net = { .family = NETLINK_NF },
	};
	struct part *part = set == &attributes_info ? &modules.service :
			    set == &attributes_fs_status ? &modules.fs : &modules.net;

	part->loaded = part->answered = true;
	part->status = status;
	prometheus_print(&modules, true);
}

static void show(const struct attributes *set, json_t *object)
{
	if (set == &attributes_fs_rule)
		show_rule(&rules_fs, object);
	else if (set == &attributes_nf_rule)
		show_rule(&rules_net, object);
	else if (set == &attributes_event)
		event_print_refusal(object);
	else if (set == &attributes_text)
		attributes_error(object);
	else
		show_status(set, object);
}

/* An error in answer to a request, with extended acknowledgment or without. */
static void check_error(const u8 *data, size_t len)
{
	struct nlmsghdr *header = malloc(sizeof(*header) + len);
	struct refusal refusal = { 0 };

	*header = (struct nlmsghdr) { .nlmsg_len = sizeof(*header) + len,
				      .nlmsg_type = NLMSG_ERROR };
	if (len)
		memcpy(header + 1, data, len);
	if (len)
		header->nlmsg_flags = data[len - 1] << 8;
	netlink_read_error(header, &refusal);
	fuzz_check(refusal.error >= 0);
	fuzz_check(memchr(refusal.text, '\0', sizeof(refusal.text)));
	free(header);
}

FUZZ_BEGINS_SILENTLY

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input input = { data, size };
	const struct attributes *set;
	u8 how = fuzz_octet(&input);
	json_t *object;
	size_t len;
	u8 *copy;

	/* So that what follows is aligned, as it is in a message. */
	fuzz_number(&input, 3);
	copy = fuzz_take(&input, size, &len);
	if (how & 0x80) {
		check_error(copy, len);
	} else {
		set = sets[how % (sizeof(sets) / sizeof(sets[0]))];
		object = attributes_decode(set, copy, len);
		check_json(object);
		options.numeric = how & 0x40;
		show(set, object);
		json_decref(object);
	}
	free(copy);
	return 0;
}
