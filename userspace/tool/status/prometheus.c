// SPDX-License-Identifier: GPL-2.0
/*
 * All counters in the text format of Prometheus, version 0.0.4: families of metrics, each
 * announced once, with its samples together. Counters are printed as zero before there is
 * anything to count, and before their module is loaded, because Prometheus sees no increase in
 * a counter that first appears as 5. Of a module that is there and did not answer, none are
 * printed: Prometheus would take a zero for a counter that began anew, and a gap for none. Gauges
 * are printed only for modules that answered.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/utf8guard.h>

#include "output/output.h"
#include "policy/checksum.h"
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

/* Is it known what it has counted? Without the module, that is nothing. */
static bool is_known(const struct part *part)
{
	return part->answered || (!part->loaded && !part->unasked);
}

/* Numbers of the check as a whole. */
static void print_status(const struct part *part, const struct metric *metrics, size_t count)
{
	size_t i;

	for (i = 0; i < count; i++) {
		if (is_counter(metrics[i].name) ? !is_known(part) : !part->answered)
			continue;
		announce(metrics[i].name, metrics[i].help);
		printf("utf8guard_%s %llu\n", metrics[i].name,
		       member_number(part->status, metrics[i].member));
	}
}

static const json_t *count_of(const json_t *counts, const char *class)
{
	const json_t *count;
	size_t i;

	json_array_foreach(counts, i, count) {
		if (!strcmp(member_word(count, "class"), class))
			return count;
	}
	return NULL;
}

/* By class, over all rules, also those that were deleted. @last: the last class of the check. */
static void print_classes(const struct part *part, const struct metric *metric, unsigned int last)
{
	const json_t *counts = json_object_get(part->status, "count");
	unsigned int class;

	if (!is_known(part))
		return;
	announce(metric->name, metric->help);
	for (class = UTF8GUARD_CLASS_OVERLONG; class <= last; class++) {
		const char *name = utf8guard_class_name(class);

		printf("utf8guard_%s", metric->name);
		print_label("{", "class", name);
		printf("} %llu\n", member_number(count_of(counts, name), metric->member));
	}
}

/* The checksum of the policy; of the name check, also how many rules wait. */
static void print_policy(const struct rules *of, const struct part *part)
{
	char text[CHECKSUM_SIZE], name[64];
	unsigned long long count = 0;
	const json_t *rule;
	size_t i;

	if (!part->answered)
		return;
	snprintf(name, sizeof(name), "%s_policy_info", of->command);
	announce(name, "A checksum of the rules, the same for the same policy on every host.");
	printf("utf8guard_%s", name);
	print_label("{", "checksum", checksum_of(of, part->list, text));
	puts("} 1");
	json_array_foreach(part->list, i, rule) {
		count += rule_waits(rule);
	}
	if (of != &rules_fs)
		return;
	announce("fs_rules_waiting", "Rules that wait for their file system or cgroup.");
	printf("utf8guard_fs_rules_waiting %llu\n", count);
}

static void add_number(json_t *sum, const char *name, unsigned long long number)
{
	json_object_set_new(sum, name, decimal(member_number(sum, name) + number));
}

static void add_counts(json_t *sum, const json_t *counts)
{
	const json_t *count, *known;
	size_t i;

	json_array_foreach(counts, i, count) {
		known = count_of(sum, member_word(count, "class"));
		if (!known) {
			json_array_append_new(sum, json_deep_copy(count));
			continue;
		}
		add_number((json_t *)known, "refused", member_number(count, "refused"));
		add_number((json_t *)known, "audited", member_number(count, "audited"));
	}
}

/*
 * A series is named by the words of its rule. They stay the same when a policy is loaded again,
 * after a boot, too; a handle does not. So two rules with the same words, of which the payload
 * check may have several, are one series, and their counters are added.
 */
static json_t *merge(const struct rules *of, const json_t *list, const struct metric *sums,
		     size_t count)
{
	json_t *merged = no_null(json_object()), *known;
	const json_t *rule;
	size_t i, n;

	json_array_foreach(list, i, rule) {
		char *text = rule_text_by_path(of, rule);

		known = json_object_get(merged, text);
		for (n = 0; known && n < count; n++)
			add_number(known, sums[n].member, member_number(rule, sums[n].member));
		if (known && json_object_get(known, "count"))
			add_counts(json_object_get(known, "count"), json_object_get(rule, "count"));
		else if (known && json_object_get(rule, "count"))
			json_object_set_new(known, "count", json_deep_copy(json_object_get(rule, "count")));
		if (!known)
			json_object_set_new_nocheck(merged, text, json_deep_copy(rule));
		free(text);
	}
	return merged;
}

static void print_sample(const struct metric *metric, const char *text, const json_t *rule)
{
	printf("utf8guard_%s", metric->name);
	print_label("{", "rule", text);
	printf("} %llu\n", member_number(rule, metric->member));
}

static void print_rule_classes(const struct metric *metric, const char *text, const json_t *rule)
{
	const json_t *count;
	size_t i;

	json_array_foreach(json_object_get(rule, "count"), i, count) {
		printf("utf8guard_%s", metric->name);
		print_label("{", "rule", text);
		print_label(",", "class", member_word(count, "class"));
		printf("} %llu\n", member_number(count, metric->member));
	}
}

static void print_rules(json_t *merged, const struct metric *metric,
			void (*print)(const struct metric *, const char *, const json_t *))
{
	const char *text;
	json_t *rule;

	if (!json_object_size(merged))
		return;
	announce(metric->name, metric->help);
	json_object_foreach(merged, text, rule) {
		print(metric, text, rule);
	}
}

static void print_modules(const struct module_status *modules)
{
	const struct part *const parts[] = { &modules->service, &modules->fs, &modules->net };
	bool any = false, all = true;
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		any |= parts[i]->loaded;
		all &= is_known(parts[i]);
	}
	announce("up", "1 if something of utf8guard is loaded, and all that is has answered.");
	printf("utf8guard_up %d\n", any && all);
	/* It is asked first; where that fails, so do the others. */
	if (!modules->service.unasked)
		announce("loaded", "1 if the module is loaded.");
	for (i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!parts[i]->unasked)
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

	if (part->answered) {
		announce("info", "Version and build of the service, its Unicode tables, and its engine.");
		printf("utf8guard_info");
		print_label("{", "version", member_text(part->status, "version"));
		print_label(",", "build", member_text(part->status, "build"));
		print_label(",", "unicode", member_text(part->status, "unicode"));
		print_label(",", "engine", member_text(part->status, "engine"));
		printf("} 1\n");
	}
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

static void print_fs(const struct part *part, bool by_rule)
{
	static const struct metric metrics[] = {
		{ "fs_rules", "rules", "Rules of the name check." },
		{ "fs_generation", "generation", "Changes made to the rules of the name check." },
		{ "fs_enforcing", "enforcing", "0 if utf8guard_fs.enforce=0 keeps rules from enforcing." },
		{ "fs_locked", "locked", "1 if the rules cannot be changed." },
		{ "fs_confirm_seconds", "confirm", "Until the previous rules come back; 0 if they do not." },
		{ "fs_checked_total", "checked", "New names that were looked at." },
		{ "fs_exempt_total", "exempt",
		  "New names that a rule might refuse, let through for a file system or an overlay's own work." },
		{ "fs_exempt_overlay_total", "exempt-overlay",
		  "Of these, the work of overlays of the initial user namespace." },
		{ "fs_userns_overlay_total", "userns-overlay",
		  "New names judged in upper layers of other user namespaces' overlays." },
		{ "fs_missed_total", "missed", "New names that could not be looked at." },
		{ "fs_deep_total", "deep",
		  "New names judged by the strictest rule: it is not known which subtrees they are in." },
	};
	static const struct metric refused = {
		"fs_refused_total", "refused", "New names that were refused, by class." };
	static const struct metric audited = {
		"fs_audited_total", "audited", "New names that were reported and let through, by class." };
	static const struct metric rule_refused = {
		"fs_rule_refused_total", "refused", "New names refused, by rule and class." };
	static const struct metric rule_audited = {
		"fs_rule_audited_total", "audited", "New names reported and let through, by rule and class." };
	json_t *rules;

	print_status(part, metrics, sizeof(metrics) / sizeof(metrics[0]));
	print_classes(part, &refused, UTF8GUARD_CLASS_NOT_NORMALIZED);
	print_classes(part, &audited, UTF8GUARD_CLASS_NOT_NORMALIZED);
	print_subvolumes(part);
	print_policy(&rules_fs, part);
	if (!by_rule)
		return;
	rules = merge(&rules_fs, part->list, NULL, 0);
	print_rules(rules, &rule_refused, print_rule_classes);
	print_rules(rules, &rule_audited, print_rule_classes);
	json_decref(rules);
}

static void print_net(const struct part *part, bool by_rule)
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
		{ "net_confirm_seconds", "confirm", "Until the previous rules come back; 0 if they do not." },
	};
	static const struct metric sums[] = {
		{ "net_rule_packets_total", "packets", "Packets that were looked at, by rule." },
		{ "net_rule_bytes_total", "octets", "Bytes of payload that were looked at, by rule." },
		{ "net_rule_split_total", "split", "Packets whose edge divides a character, by rule." },
		{ "net_rule_unreadable_total", "unreadable", "Packets that could not be read whole, by rule." },
		{ "net_rule_binary_total", "binary", "Packets that were no text, by rule." },
		{ "net_rule_unfollowed_total", "unfollowed", "Packets whose framing was not followed, by rule." },
		{ "net_rule_differs_total", "differs", "Segments that send other octets again, by rule." },
		{ "net_rule_full_total", "full", "Segments of streams that could not be remembered, by rule." },
		{ "net_rule_window_total", "window", "Segments outside of any window, by rule." },
		{ "net_rule_urgent_total", "urgent", "Segments with urgent data, by rule." },
		{ "net_rule_resync_total", "resync", "Streams that were in their middle when they were judged, by rule." },
		{ "net_rule_untracked_total", "untracked", "Segments that connection tracking does not vouch for, by rule." },
		{ "net_rule_picked_up_total", "picked-up", "Streams picked up in their middle and let through, by rule." },
		{ "net_rule_ahead_total", "ahead", "Segments before others that must be judged first, without a copy, by rule." },
		{ "net_rule_early_total", "early", "Segments before others that must be judged first, with a copy, by rule." },
	};
	static const struct metric refused = {
		"net_refused_total", "refused", "Packets that were dropped or rejected, by class." };
	static const struct metric audited = {
		"net_audited_total", "audited", "Packets that were counted, reported or marked, and let through, by class." };
	static const struct metric rule_refused = {
		"net_rule_refused_total", "refused", "Packets dropped or rejected, by rule and class." };
	static const struct metric rule_audited = {
		"net_rule_audited_total", "audited", "Packets counted, reported or marked, and let through, by rule and class." };
	json_t *rules;
	size_t i;

	print_status(part, metrics, sizeof(metrics) / sizeof(metrics[0]));
	print_classes(part, &refused, UTF8GUARD_CLASS_MAX);
	print_classes(part, &audited, UTF8GUARD_CLASS_MAX);
	print_policy(&rules_net, part);
	if (!by_rule)
		return;
	rules = merge(&rules_net, part->list, sums, sizeof(sums) / sizeof(sums[0]));
	for (i = 0; i < sizeof(sums) / sizeof(sums[0]); i++)
		print_rules(rules, &sums[i], print_sample);
	print_rules(rules, &rule_refused, print_rule_classes);
	print_rules(rules, &rule_audited, print_rule_classes);
	json_decref(rules);
}

/**
 * prometheus_print() - print all metrics
 * @modules: whatever is known of them
 * @by_rule: and those of each rule
 */
void prometheus_print(const struct module_status *modules, bool by_rule)
{
	print_modules(modules);
	print_service(&modules->service);
	print_fs(&modules->fs, by_rule);
	print_net(&modules->net, by_rule);
}
