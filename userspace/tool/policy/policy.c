// SPDX-License-Identifier: GPL-2.0
/* A policy file: command lines that change rules, each turned into a request. */
#include <stdlib.h>
#include <string.h>

#include "fs_rule.h"
#include "policy.h"
#include "text/input.h"
#include "words/options.h"

static const struct rules *choose_rules(struct words *words)
{
	const char *names[8] = { NULL };
	int count, i;

	for (count = 0; rules_all[count]; count++)
		names[count] = rules_all[count]->command;
	/* Named for the complaint alone: policy_text.c takes them where they may be, in text. */
	names[count] = "include";
	names[count + 1] = "define";
	words->command = "policy";
	i = words_choose(words, names);
	return i < 0 || i >= count ? NULL : rules_all[i];
}

/* The word is looked for before others are: complaints of these do not name it. */
static bool shows(struct words *words)
{
	if (!words_skip(words, "show"))
		return false;
	complain_word("show", "changes nothing; a policy is of what does");
	return true;
}

/**
 * policy_parse() - the request that an entry is
 * @entry: the entry
 * @change: filled in
 *
 * By the parser of the command line. Return: false after a complaint.
 */
bool policy_parse(const struct entry *entry, struct change *change)
{
	char **operands = options_take(NULL, NULL, entry->line.words);
	struct words words = { .next = operands, .of_policy = true };
	const struct rules *of;
	bool good;

	if (!operands)
		return false;
	of = choose_rules(&words);
	good = of && !shows(&words) && change_parse(change, of, &words);
	free(operands);
	return good;
}

/* Keeps what is needed of a change, whose buffer is large, while other lines are read. */
static void keep(struct entry *entry, const struct change *change)
{
	const struct nlmsghdr *header = change->request.header;

	entry->of = change->of;
	entry->of_default = change->of_default;
	entry->length = header->nlmsg_len;
	entry->message = no_null(malloc(header->nlmsg_len + MNL_ATTR_HDRLEN + sizeof(u32)));
	memcpy(entry->message, header, header->nlmsg_len);
}

/**
 * policy_find_again() - make the request anew, of what is there now
 * @entry: refused because what it is for was taken away, as @entry->lost says
 *
 * All that can be warned of was, unless the entry has been parsed again often enough: then its rule
 * is for what cannot be found, or it is left out.
 *
 * Return: false after a complaint.
 */
bool policy_find_again(struct entry *entry)
{
	const bool is_old = fs_rule_is_old, gives_up = ++entry->attempts == POLICY_ATTEMPTS;
	static struct change change;
	bool good;

	complain_place = &entry->place;
	fs_rule_lost = gives_up ? entry->lost : 0;
	fs_rule_is_old = is_old || !gives_up;
	good = policy_parse(entry, &change);
	fs_rule_is_old = is_old;
	fs_rule_lost = 0;
	complain_place = NULL;
	entry->lost = 0;
	entry->left_out = change.left_out;
	entry->of = NULL;
	free(entry->message);
	entry->message = NULL;
	if (good && !change.left_out)
		keep(entry, &change);
	return good;
}

/* All of a file of the policy, to be freed; NULL after a complaint. */
char *policy_read(struct policy *policy, const char *path, size_t *length)
{
	char *text = (char *)input_read_most(path, length, POLICY_OCTETS - policy->octets);

	if (text)
		policy->octets += *length;
	return text;
}

static struct entry *append(struct policy *policy)
{
	if (policy->count == policy->room) {
		policy->room = policy->room ? 2 * policy->room : 64;
		policy->entries = no_null(realloc(policy->entries,
						  policy->room * sizeof(*policy->entries)));
	}
	return &policy->entries[policy->count++];
}

/**
 * policy_add() - one line more
 * @policy: to put it at the end of
 * @place: where it stands
 * @line: its words, at least one; taken over
 *
 * Return: false after a complaint about a line that changes no rules; true for one that
 * is left out, of which there was a warning.
 */
bool policy_add(struct policy *policy, const struct place *place, const struct line *line)
{
	static struct change change;
	struct entry *entry;
	bool good;

	complain_place = place;
	policy->full = policy->count == POLICY_LINES;
	if (policy->full) {
		complain("there are more than %u lines that change rules", POLICY_LINES);
		complain_place = NULL;
		line_free(&(struct line){ line->words, line->count });
		return false;
	}
	entry = append(policy);
	*entry = (struct entry){ .place = *place, .line = *line };
	good = policy_parse(entry, &change);
	complain_place = NULL;
	entry->left_out = change.left_out;
	if (good && !change.left_out)
		keep(entry, &change);
	return good;
}

void policy_free(struct policy *policy)
{
	size_t i;

	for (i = 0; i < policy->count; i++) {
		line_free(&policy->entries[i].line);
		free(policy->entries[i].message);
	}
	free(policy->entries);
	while (policy->files) {
		struct policy_file *file = policy->files;

		policy->files = file->next;
		free(file->path);
		free(file);
	}
	while (policy->defined) {
		struct definition *definition = policy->defined;

		policy->defined = definition->next;
		line_free(&definition->line);
		free(definition->name);
		free(definition);
	}
	*policy = (struct policy){ 0 };
}
