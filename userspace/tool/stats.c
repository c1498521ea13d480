// SPDX-License-Identifier: GPL-2.0
/* utf8guard stats: all counters, of the service and of each rule and class. */
#include <stdio.h>

#include "command.h"
#include "netlink/netns.h"
#include "output/output.h"
#include "output/style.h"
#include "status/prometheus.h"
#include "status/module_status.h"

/* "checked 12, refused 3": the numbers of a status, whatever they are. */
static void print_numbers(const char *title, const json_t *status)
{
	const char *name, *comma = " ";
	json_t *value;

	printf("# %s:", title);
	json_object_foreach((json_t *)status, name, value) {
		if (!json_is_integer(value))
			continue;
		printf("%s%s %s", comma, name, count_text(member_number(status, name)));
		comma = ", ";
	}
	putchar('\n');
}

static void print_part(const char *title, const struct rules *of, const struct part *part)
{
	if (!part->answered) {
		printf("# %s: %s\n", title, part->loaded ? module_status_silence(part) : "not loaded");
		return;
	}
	print_numbers(title, part->status);
	if (of)
		rules_print(of, part->list);
}

/* {"status": …, "rules": …}, or null */
static json_t *json_part(const struct part *part)
{
	if (!part->answered)
		return json_null();
	return json_pack("{s:O s:O}", "status", part->status, "rules", part->list);
}

static void print_json(const struct module_status *modules)
{
	output_json(json_pack("{s:O? s:o s:o}", "service", modules->service.status,
			      "fs", json_part(&modules->fs), "net", json_part(&modules->net)));
}

static void print_text(const struct module_status *modules)
{
	options.stats = true;
	print_part("service", NULL, &modules->service);
	print_part(rules_fs.title, &rules_fs, &modules->fs);
	print_part(rules_net.title, &rules_net, &modules->net);
}

/* --prometheus and --rules */
static bool prometheus, by_rule;

/*
 * Those who collect metrics want to be told that there is nothing, too: it is no failure. That
 * nothing could be asked is one.
 */
static int run_prometheus(void)
{
	struct module_status modules;
	int status = module_status_take(&modules, ASK_RULES);

	prometheus_print(&modules, by_rule);
	if (status == STATUS_ABSENT)
		status = module_status_is_unasked(&modules) ? STATUS_REFUSED : STATUS_DONE;
	module_status_drop(&modules);
	return status;
}

static int run(struct words *words)
{
	void (*print)(const struct module_status *modules) = options.json ? print_json : print_text;
	struct module_status modules;
	int status;

	if (!words_end(words))
		return STATUS_USAGE;
	if (prometheus && options.json) {
		complain("stats: --prometheus and -j cannot be combined");
		return STATUS_USAGE;
	}
	if (by_rule && !prometheus) {
		complain("stats: --rules needs --prometheus");
		return STATUS_USAGE;
	}
	if (prometheus)
		return run_prometheus();
	status = module_status_take(&modules, ASK_RULES | ASK_ANSWER);
	if (status != STATUS_ABSENT)
		print(&modules);
	module_status_drop(&modules);
	return status;
}

const struct command command_stats = {
	.name = "stats",
	.options = OPTIONS(OPTION_JSON, OPTION_PRETTY, OPTION_STATS, OPTION_HUMAN, OPTION_COLOR,
			   { .name = "prometheus", .flag = &prometheus },
			   { .name = "rules", .flag = &by_rule }, OPTION_NETNS),
	.summary = "all counters",
	.help =
"utf8guard stats [-j] [-s] [-H] [--color WHEN] [-N NETNS] [--prometheus [--rules]]\n"
"\n"
"The counters of the service, and of each rule and class of both checks. All but\n"
"those of the service are set to zero by: utf8guard reset. On a terminal the rules\n"
"are a table.\n"
"\n"
"  -s            accepted; they are always shown\n"
"  -H            counters of three digits: 12.3k, 4.56M\n"
"  --color WHEN  auto (on a terminal, if NO_COLOR is not set), always or never\n"
"  --prometheus  in the text format of Prometheus, for its node exporter's\n"
"                textfile collector; of both checks as a whole, so it is as long with\n"
"                10,000 rules as with one; exit status 0 where no module is loaded, 3\n"
"                where one did not answer, or netlink could not be asked\n"
"  --rules       and of each rule; rules of the same words are one series\n",
	.run = run,
};
