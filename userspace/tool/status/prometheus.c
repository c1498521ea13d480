// SPDX-License-Identifier: GPL-2.0
/*
 * All counters in the text format of Prometheus, version 0.0.4: families of
 * metrics, each announced once, its samples together.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "policy/rule_line.h"
#include "prometheus.h"

/**
 * struct metric - a family of metrics
 * @name: of a counter it ends with "_total"
 * @member: of the JSON it is taken from
 * @help: a sentence
 */
struct metric {
	const char *name, *member, *help;
};

static bool is_counter(const char *name)
{
	const char *last = strrchr(name, '_');

	return last && !strcmp(last, "_total");
}

static void announce(const char *name, const char *help)
{
	printf("# HELP utf8guard_%s %s\n# TYPE utf8guard_%s %s\n", name, help, name,
	       is_counter(name) ? "counter" : "gauge");
}

/* The three characters that would end a value early. */
static void print_value(const char *value)
{
	for (; *value; value++) {
		if (*value == '\\' || *value == '"')
			putchar('\\');
		if (*value == '\n')
			fputs("\\n", stdout);
		else
			putchar(*value);
	}
}

static void print_label(const char *before, const char *name, const char *value)
{
	printf("%s%s=\"", before, name);
	print_value(value);
	putchar('"');
}

/* Numbers of the check as a whole. */
static void print_status(const struct part *part, const struct metric *metrics, size_t count)
{
	size_t i;

	for (i = 0; i < count && part->answered; i++) {
		announce(metrics[i].name, metrics[i].help);
		printf("utf8guard_%s %llu\n", metrics[i].name,
		       member_number(part->status, metrics[i].member));
	}
}

/* A rule is known by its handle, and by its words to whoever looks at a graph. */
static void print_rule_labels(const struct rules *of, const json_t *rule)
{
	char handle[16], *text = rule_text(of, rule);

	snprintf(handle, sizeof(handle), "%llu", member_number(rule, "handle"));
	print_label("{", "handle", handle);
	print_label(",", "rule", text);
	free(text);
}

static void print_classes(const struct rules *of, const struct metric *metric,
			  const json_t *rule)
{
	const json_t *count;
	size_t i;

	json_array_foreach(json_object_get(rule, "count"), i, count) {
		printf("utf8guard_%s", metric->name);
		print_rule_labels(of, rule);
		print_label(",", "class", member_text(count, "class"));
		printf("} %llu\n", member_number(count, metric->member));
	}
}

static void print_sample(const struct rules *of, const struct metric *metric,
			 const json_t *rule)
{
	printf("utf8guard_%s", metric->name);
	print_rule_labels(of, rule);
	printf("} %llu\n", member_number(rule, metric->member));
}

static void print_rules(const struct rules *of, const struct part *part,
			const struct metric *metric,
			void (*print)(const struct rules *, const struct metric *,
				      const json_t *))
{
	const json_t *rule;
	size_t i;

	if (!json_array_size(part->list))
		return;
	announce(metric->name, metric->help);
	json_array_foreach(part->list, i, rule) {
		print(of, metric, rule);
	}
}

static void print_loaded(const struct module_status *modules)
{
	const struct part *const parts[] = { &modules->service, &modules->fs, &modules->net };
	size_t i;

	announce("loaded", "Whether the module is loaded.");
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		printf("utf8guard_loaded{module=\"%s\"} %d\n", parts[i]->family,
		       parts[i]->loaded);
}

static void print_service(const struct part *part)
{
	static const struct metric metrics[] = {
		{ "events_total", "events", "Refusals that were reported or could have been." },
		{ "suppressed_total", "suppressed", "Refusals not reported: too many a second." },
		{ "lost_total", "lost", "Refusals not reported: no memory." },
	};

	if (!part->answered)
		return;
	announce("info", "Version of the service, of its Unicode tables, and its engine.");
	printf("utf8guard_info");
	print_label("{", "version", member_text(part->status, "version"));
	print_label(",", "unicode", member_text(part->status, "unicode"));
	print_label(",", "engine", member_text(part->status, "engine"));
	printf("} 1\n");
	print_status(part, metrics, sizeof(metrics) / sizeof(metrics[0]));
}

static void print_subvolumes(const struct part *part)
{
	if (!part->answered)
		return;
	announce("fs_subvolumes_uncovered",
		 "1 if btrfs is loaded and the subvolumes that it makes are not judged.");
	printf("utf8guard_fs_subvolumes_uncovered %d\n",
	       member_present(part->status, "subvolumes-why"));
}

static void print_fs(const struct part *part)
{
	static const struct metric metrics[] = {
		{ "fs_rules", "rules", "Rules of the name check." },
		{ "fs_generation", "generation", "Changes made to the rules of the name check." },
		{ "fs_enforcing", "enforcing", "0 if utf8guard_fs.enforce=0 keeps rules from enforcing." },
		{ "fs_locked", "locked", "1 if the rules cannot be changed." },
		{ "fs_confirm_seconds", "confirm", "Until the rules of before come back; 0 if they do not." },
		{ "fs_checked_total", "checked", "New names that were looked at." },
		{ "fs_refused_total", "refused", "New names that were refused." },
		{ "fs_audited_total", "audited", "New names that were reported and let through." },
		{ "fs_exempt_total", "exempt", "New names that no rule is for." },
		{ "fs_exempt_overlay_total", "exempt-overlay",
		  "Of these, the work of overlays of the initial user namespace." },
		{ "fs_userns_overlay_total", "userns-overlay",
		  "New names judged in upper layers of other user namespaces' overlays." },
		{ "fs_missed_total", "missed", "New names that could not be looked at." },
		{ "fs_deep_total", "deep", "New names in directories too deep to find all their rules." },
	};
	static const struct metric refused = {
		"fs_rule_refused_total", "refused", "New names refused, by rule and class." };
	static const struct metric audited = {
		"fs_rule_audited_total", "audited", "New names reported and let through, by rule and class." };

	print_status(part, metrics, sizeof(metrics) / sizeof(metrics[0]));
	print_subvolumes(part);
	print_rules(&rules_fs, part, &refused, print_classes);
	print_rules(&rules_fs, part, &audited, print_classes);
}

static void print_net(const struct part *part)
{
	static const struct metric metrics[] = {
		{ "net_rules", "rules", "Rules of the payload check." },
		{ "net_generation", "generation", "Changes made to the rules of the payload check." },
		{ "net_locked", "locked", "1 if the rules cannot be changed." },
		{ "net_flows", "flows", "Connections whose streams are followed." },
		{ "net_copies_bytes", "copies", "Memory of copies of out-of-order segments." },
		{ "net_copies_max_bytes", "copies-max", "What that may be." },
		{ "net_copies_refused_total", "copies-refused", "Times that there was no memory for a copy." },
		{ "net_copies_given_up_total", "copies-given-up", "Copies taken away for others." },
		{ "net_unmatched_total", "unmatched", "Packets that no rule is for." },
		{ "net_empty_total", "empty", "Packets without payload, or of other protocols." },
		{ "net_unparsed_total", "unparsed", "Packets whose headers do not tell which rule they are for." },
		{ "net_fragments_total", "fragments", "Fragments kept until all of the packet is there, or dropped." },
		{ "net_confirm_seconds", "confirm", "Until the rules of before come back; 0 if they do not." },
	};
	static const struct metric sums[] = {
		{ "net_rule_packets_total", "packets", "Packets that were looked at, by rule." },
		{ "net_rule_octets_total", "octets", "Octets of payload that were looked at, by rule." },
		{ "net_rule_split_total", "split", "Packets whose edge divides a character, by rule." },
		{ "net_rule_unreadable_total", "unreadable", "Packets that could not be read whole, by rule." },
		{ "net_rule_binary_total", "binary", "Packets that were no text, by rule." },
		{ "net_rule_unfollowed_total", "unfollowed", "Packets whose framing was not followed, by rule." },
		{ "net_rule_differs_total", "differs", "Segments that send other octets again, by rule." },
		{ "net_rule_full_total", "full", "Segments of streams that could not be remembered, by rule." },
		{ "net_rule_window_total", "window", "Segments outside of any window, by rule." },
		{ "net_rule_urgent_total", "urgent", "Segments with urgent data, by rule." },
		{ "net_rule_resync_total", "resync", "Streams that were in their middle when they were judged, by rule." },
		{ "net_rule_untracked_total", "untracked", "Segments of no known connection, by rule." },
		{ "net_rule_picked_up_total", "picked-up", "Streams picked up in their middle and let through, by rule." },
		{ "net_rule_ahead_total", "ahead", "Segments before others that must be judged first, without a copy, by rule." },
		{ "net_rule_early_total", "early", "Segments before others that must be judged first, with a copy, by rule." },
	};
	static const struct metric refused = {
		"net_rule_refused_total", "refused", "Packets dropped, by rule and class." };
	static const struct metric audited = {
		"net_rule_audited_total", "audited", "Packets counted or reported and let through, by rule and class." };
	size_t i;

	print_status(part, metrics, sizeof(metrics) / sizeof(metrics[0]));
	for (i = 0; i < sizeof(sums) / sizeof(sums[0]); i++)
		print_rules(&rules_net, part, &sums[i], print_sample);
	print_rules(&rules_net, part, &refused, print_classes);
	print_rules(&rules_net, part, &audited, print_classes);
}

/* What could not be asked is left out, as Prometheus expects of what is absent. */
void prometheus_print(const struct module_status *modules)
{
	print_loaded(modules);
	print_service(&modules->service);
	print_fs(&modules->fs);
	print_net(&modules->net);
}
