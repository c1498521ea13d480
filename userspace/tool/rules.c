// SPDX-License-Identifier: GPL-2.0
/* Rules of both checks, listed and shown as the command lines that make them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <uapi/linux/utf8guard_fs.h>
#include <uapi/linux/utf8guard_nf.h>

#include "output.h"
#include "rules.h"
#include "text.h"

/* Counters are comments, so that what is shown can be fed back. */
static void print_counts(const json_t *rule)
{
	const json_t *count;
	size_t i;

	json_array_foreach(json_object_get(rule, "count"), i, count) {
		printf("    # %s: refused %llu, audited %llu\n",
		       member_text(count, "class"), member_number(count, "refused"),
		       member_number(count, "audited"));
	}
}

static void print_fs(const json_t *rule)
{
	const char *mode = member_text(rule, "mode");
	unsigned long long handle = member_number(rule, "handle");
	char *path;

	if (!member_present(rule, "path")) {
		printf("fs set %s %s # handle %llu\n", member_text(rule, "scope"),
		       mode, handle);
		return;
	}
	path = text_quote(member_text(rule, "path"));
	printf("fs add %s %s %s # handle %llu\n", member_text(rule, "scope"), path,
	       mode, handle);
	free(path);
}

const struct rules rules_fs = {
	.family = NETLINK_FS,
	.get = UTF8GUARD_FS_CMD_RULE_GET,
	.rule = &attributes_fs_rule,
	.print = print_fs,
};

/* " dport 80", " dport 8000-8099", or nothing */
static void print_ports(const json_t *rule, const char *word, const char *min_name,
			const char *max_name)
{
	unsigned long long min = member_number(rule, min_name);
	unsigned long long max = member_number(rule, max_name);

	if (!member_present(rule, min_name) && !member_present(rule, max_name))
		return;
	printf(" %s %llu", word, min);
	if (max != min)
		printf("-%llu", max);
}

static void print_network(const json_t *rule, const char *word, const char *prefix)
{
	const char *address = member_text(rule, word);
	unsigned long long all = strchr(address, ':') ? 128 : 32;

	if (!*address)
		return;
	printf(" %s %s", word, address);
	if (member_present(rule, prefix) && member_number(rule, prefix) != all)
		printf("/%llu", member_number(rule, prefix));
}

static void print_net(const json_t *rule)
{
	const char *family = member_text(rule, "family");

	printf("net add %s%s%s %s", member_text(rule, "hook"), *family ? " " : "",
	       family, member_text(rule, "protocol"));
	print_ports(rule, "sport", "sport-min", "sport-max");
	print_ports(rule, "dport", "dport-min", "dport-max");
	if (member_present(rule, "any-port"))
		printf(" any-port");
	print_network(rule, "saddr", "saddr-prefix");
	print_network(rule, "daddr", "daddr-prefix");
	printf(" %s # handle %llu\n", member_text(rule, "action"),
	       member_number(rule, "handle"));
}

static void print_traffic(const json_t *rule)
{
	printf("    # packets %llu, octets %llu, cut %llu, unreadable %llu\n",
	       member_number(rule, "packets"), member_number(rule, "octets"),
	       member_number(rule, "cut"), member_number(rule, "unreadable"));
}

const struct rules rules_net = {
	.family = NETLINK_NF,
	.get = UTF8GUARD_NF_CMD_RULE_GET,
	.rule = &attributes_nf_rule,
	.print = print_net,
	.traffic = print_traffic,
};

int rules_list(const struct rules *of, struct netlink *nl, json_t **list)
{
	static struct request request;

	request_init(&request, of->get);
	return netlink_list(nl, &request, of->rule, list);
}

void rules_print(const struct rules *of, const json_t *list)
{
	const json_t *rule;
	size_t i;

	json_array_foreach(list, i, rule) {
		of->print(rule);
		if (!options.stats)
			continue;
		if (of->traffic)
			of->traffic(rule);
		print_counts(rule);
	}
}

int rules_show(const struct rules *of)
{
	struct netlink nl;
	json_t *list = NULL;
	int status = netlink_open_or_complain(&nl, of->family);

	if (status)
		return status;
	status = rules_list(of, &nl, &list);
	if (!status && options.json)
		output_json(json_incref(list));
	else if (!status)
		rules_print(of, list);
	json_decref(list);
	netlink_close(&nl);
	return status;
}

/* The reply is the rule that was made or changed, if there is one: for -j. */
int rules_submit(const struct rules *of, struct request *request)
{
	struct netlink nl;
	json_t *reply = NULL;
	int status = netlink_open_or_complain(&nl, of->family);

	if (status)
		return status;
	status = netlink_do(&nl, request, of->rule, &reply);
	if (!status && options.json && json_object_size(reply))
		output_json(json_incref(reply));
	json_decref(reply);
	netlink_close(&nl);
	return status;
}
