// SPDX-License-Identifier: GPL-2.0
/* A policy file: command lines that change rules, each turned into a request. */
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "policy.h"
#include "text.h"

/* The file is text that any editor shows: other octets are to be escaped. */
static bool is_text(const char *line, size_t length)
{
	struct utf8guard_error err;
	char *hex;

	if (memchr(line, '\0', length)) {
		complain("expected text; there is a NUL in this line");
		return false;
	}
	if (!utf8guard_validate(line, length, &err))
		return true;
	hex = text_hex(line + err.offset, err.span);
	complain("not UTF-8 at offset %zu of the line: %s: %s; write octets as $'\\xHH'",
		 err.offset, utf8guard_class_name(err.class), hex);
	free(hex);
	return false;
}

static bool split(struct line *line, const char *text, size_t length)
{
	struct line_error error;

	if (!is_text(text, length))
		return false;
	if (line_split(line, text, length, &error))
		return true;
	complain_word(error.word, "%s", error.reason);
	free(error.word);
	return false;
}

static const struct rules *choose_rules(struct words *words)
{
	const char *names[8] = { NULL };
	int i;

	for (i = 0; rules_all[i]; i++)
		names[i] = rules_all[i]->command;
	words->command = "policy";
	i = words_choose(words, names);
	return i < 0 ? NULL : rules_all[i];
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
	struct words words = { .next = operands };
	const struct rules *of;
	bool good;

	if (!operands)
		return false;
	of = choose_rules(&words);
	good = of && change_parse(change, of, &words);
	if (good && change->shows)
		complain_word("show", "changes nothing; a policy is of what does");
	free(operands);
	return good && !change->shows;
}

/* What is kept of a change while the others are read. */
static void keep(struct entry *entry, const struct change *change)
{
	const struct nlmsghdr *header = change->request.header;

	entry->of = change->of;
	entry->of_default = change->of_default;
	entry->message = no_null(malloc(header->nlmsg_len + MNL_ATTR_HDRLEN + sizeof(u32)));
	memcpy(entry->message, header, header->nlmsg_len);
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
 * @policy: to put it behind
 * @place: where it stands
 * @line: its words, at least one; taken over
 *
 * Return: false after a complaint about a line that changes no rules.
 */
bool policy_add(struct policy *policy, const struct place *place, const struct line *line)
{
	static struct change change;
	struct entry *entry = append(policy);
	bool good;

	*entry = (struct entry){ .place = *place, .line = *line };
	complain_place = place;
	good = policy_parse(entry, &change);
	complain_place = NULL;
	if (good)
		keep(entry, &change);
	return good;
}

static bool read_line(struct policy *policy, unsigned int number, const char *text,
		      size_t length)
{
	struct place place = { policy->path, NULL, number };
	struct line line = { 0 };
	bool good;

	complain_place = &place;
	good = split(&line, text, length);
	if (good && line.count)
		return policy_add(policy, &place, &line);
	complain_place = NULL;
	line_free(&line);
	return good;
}

/* Complains of every line that is none. */
bool policy_read_text(struct policy *policy, const char *text, size_t length)
{
	const char *end = text + length;
	unsigned int number = 0;
	bool good = true;

	while (text < end) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));

		stop = stop ? stop : end;
		good &= read_line(policy, ++number, text, (size_t)(stop - text));
		text = stop + 1;
	}
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
	*policy = (struct policy){ 0 };
}
