// SPDX-License-Identifier: GPL-2.0
/*
 * Options, wherever they stand among the words of a command line. getopt_long() reads them by
 * the table of the command; this file reports errors.
 *
 * The letters begin with "-", so getopt_long() returns the words that are no options in their
 * turn, too. Then neither the order of the words nor POSIXLY_CORRECT decides what is an option.
 * Only "--" does: after it, no word is an option.
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options.h"
#include "output/style.h"
#include "suggest.h"
#include "words.h"

/* Options of a table. All commands together have fewer. */
#define MOST 62
/* What getopt_long() returns for the first long option; above any letter. */
#define FIRST 256
#define WORD 1

static const struct option_row common[] = {
	{ .letter = 'h', .name = "help", .flag = &options.help },
	{ .letter = 'V', .name = "version", .flag = &options.version },
	{ 0 },
};

/**
 * struct table - options as getopt_long() takes them
 * @rows: which they are
 * @names: in the same order
 * @letters: those that have one
 * @count: of rows
 */
struct table {
	const struct option_row *rows[MOST + 1];
	struct option names[MOST + 1];
	char letters[2 * MOST + 3];
	size_t count;
};

/**
 * struct reader - the words, and how far they have been read
 * @command: whose words they are; "" where it was not named, NULL for a policy,
 *	which takes no options
 * @table: the options that it takes
 * @words: a copy; the first is passed over
 * @count: of words
 * @at: the word that was read last
 */
struct reader {
	const char *command;
	struct table table;
	char **words;
	int count, at;
};

static bool has(const struct table *table, const char *name)
{
	size_t i;

	for (i = 0; i < table->count; i++)
		if (!strcmp(table->rows[i]->name, name))
			return true;
	return false;
}

static void add_row(struct table *table, const struct option_row *row)
{
	size_t end = strlen(table->letters);

	table->names[table->count] = (struct option){
		.name = row->name,
		.has_arg = row->take ? required_argument : no_argument,
		.val = FIRST + (int)table->count,
	};
	table->rows[table->count++] = row;
	if (!row->letter)
		return;
	table->letters[end++] = row->letter;
	if (row->take)
		table->letters[end] = ':';
}

static void add_rows(struct table *table, const struct option_row *row)
{
	for (; row && row->name; row++)
		if (table->count < MOST && !has(table, row->name))
			add_row(table, row);
}

static void begin(struct reader *r, char *const *words)
{
	size_t count = 0;

	while (words[count])
		count++;
	r->words = no_null(calloc(count + 2, sizeof(*r->words)));
	r->words[0] = (char *)"utf8guard";
	memcpy(r->words + 1, words, count * sizeof(*words));
	r->count = (int)count + 1;
	/* By ':', getopt_long() tells a missing value from an unknown option, and is silent. */
	strcpy(r->table.letters, "-:");
	/* In glibc and musl, 0 makes getopt_long() begin again, and read the letters. */
	optind = 0;
}

/* Return: WORD, an option, '?', ':' or -1. */
static int step(struct reader *r)
{
	r->at = optind ? optind : 1;
	return getopt_long(r->count, r->words, r->table.letters, r->table.names, NULL);
}

static const struct option_row *row_of(const struct table *table, int found)
{
	size_t i;

	if (found >= FIRST)
		return table->rows[found - FIRST];
	for (i = 0; found && i < table->count; i++)
		if (table->rows[i]->letter == found)
			return table->rows[i];
	return NULL;
}

/* Lists the options whose names begin like the shortened @word. Return: how many. */
static size_t meant(const struct table *table, const char *word, const char **list)
{
	size_t length = strcspn(word, "="), n = 0, i;

	for (i = 0; !strncmp(word, "--", 2) && length > 2 && i < table->count; i++)
		if (!strncmp(table->rows[i]->name, word + 2, length - 2))
			list[n++] = table->rows[i]->name;
	list[n] = NULL;
	return n;
}

/* "-j" for an option with a letter, else "--form"; with @long_too, both. malloc'd, as each is. */
static char **spell(const struct table *table, bool long_too)
{
	char **list = no_null(calloc(2 * table->count + 1, sizeof(*list)));
	size_t n = 0, i;

	for (i = 0; i < table->count; i++) {
		const struct option_row *row = table->rows[i];
		int bad = row->letter ? asprintf(&list[n++], "-%c", row->letter) : 0;

		if (!row->letter || long_too)
			bad |= asprintf(&list[n++], "--%s", row->name);
		if (bad < 0)
			no_null(NULL);
	}
	return list;
}

static void drop(char **list)
{
	size_t i;

	for (i = 0; list[i]; i++)
		free(list[i]);
	free(list);
}

static void complain_ambiguous(const char *word, const char *const *names)
{
	char *list = words_alternatives("--", names);

	complain_word(word, "may mean %s; write more of it", list);
	free(list);
}

/* What begins a part of a rule; other tools write it as an option: --dport 80. */
static bool is_of_rules(const char *word)
{
	static const char *const parts[] = {
		"show", "add", "set", "insert", "replace", "del", "flush", "subtree", "superblock",
		"fstype", "default", "uid", "userns", "cgroup", "off", "audit", "enforce", "profile",
		"refuse", "form", "admin", "onto", "move", "comment", "input", "forward", "output",
		"ip", "ip6", "tcp", "udp", "sctp", "udplite", "sport", "dport", "any-port", "saddr",
		"daddr", "iif", "oif", "marked", "direction", "count", "drop", "reject", "mark",
		"ctmark", "allow", "scope", "decode", "gate", "fail", "stream", NULL };
	const size_t length = strcspn(word, "=");
	size_t i;

	for (i = 0; parts[i]; i++)
		if (length == strlen(parts[i]) && !strncmp(word, parts[i], length))
			return true;
	return false;
}

/* Return: false, without a complaint, where the word is wrong for another reason. */
static bool complain_dashes(const struct reader *r)
{
	const char *word = r->words[r->at], *bare = word + strspn(word, "-");

	if (r->command && strcmp(r->command, "fs") && strcmp(r->command, "net"))
		return false;
	if (!is_of_rules(bare))
		return false;
	complain_word(word, "is written without dashes: %.*s%s%s", (int)strcspn(bare, "="), bare,
		      strchr(bare, '=') ? " " : "", strchr(bare, '=') ? strchr(bare, '=') + 1 : "");
	return true;
}

/* Of several letters in one word, as in "-jx", the complaint names the one that is unknown. */
static void complain_unknown(const struct reader *r)
{
	const char *word = r->words[r->at];
	char **expected = spell(&r->table, false), **all = spell(&r->table, true);
	char *list = words_alternatives("", (const char *const *)expected);
	const char *near = suggest(word, (const char *const *)all);
	char letter[] = { ' ', '-', (char)optopt, '\0' };

	if (word[1] == '-' || !word[2] || optopt <= ' ' || optopt > '~')
		letter[0] = '\0';
	complain_word(word, "unknown option%s%s%s; expected %s%s%s%s", letter,
		      *r->command ? " of " : "", r->command, list,
		      near ? "; did you mean " : "; other words have no dash in front, or stand after --",
		      near ? near : "", near ? "?" : "");
	free(list);
	drop(expected);
	drop(all);
}

/* Complains of a word that getopt_long() did not take. @take complains of a missing value. */
static void complain_option(const struct reader *r, int found)
{
	const char *word = r->words[r->at], *names[MOST + 1];
	const struct option_row *row = row_of(&r->table, optopt);

	if (complain_dashes(r))
		return;
	if (!r->command) {
		complain_word(word, "a policy takes no options; put -- before a word like this");
	} else if (found == ':' && row) {
		char name[64];

		snprintf(name, sizeof(name), "--%s", row->name);
		row->take(&(struct words){ .command = name, .next = (char *[]){ NULL } });
	} else if (row) {
		complain_word(word, "--%s takes no value", row->name);
	} else if (meant(&r->table, word, names) > 1) {
		complain_ambiguous(word, names);
	} else {
		complain_unknown(r);
	}
}

/*
 * "--log --dry-run DIR" would write a log of that name, and rename: the value of
 * an option may look like another one only where it is beyond doubt a value.
 */
static bool is_value(const struct reader *r, const char *name)
{
	const bool apart = optarg == r->words[optind - 1];

	if (!apart || optarg[0] != '-' || !optarg[1])
		return true;
	complain_word(optarg, "looks like an option, and %s needs a value; if this is the value, write %s=%s",
		      name, name, optarg);
	return false;
}

static bool take_value(const struct reader *r, const struct option_row *row)
{
	char name[64], *value[] = { optarg, NULL };
	struct words words = { .command = name, .next = value };

	snprintf(name, sizeof(name), "--%s", row->name);
	return is_value(r, name) && row->take(&words);
}

static bool take(const struct reader *r, int found)
{
	const struct option_row *row;

	if (found == '?' || found == ':') {
		complain_option(r, found);
		return false;
	}
	row = row_of(&r->table, found);
	if (row->take)
		return take_value(r, row);
	return *row->flag = true;
}

/* The @take of OPTION_COLOR. */
bool options_take_color(struct words *value)
{
	static const char *const known[] = {
		[STYLE_AUTO] = "auto", [STYLE_ALWAYS] = "always", [STYLE_NEVER] = "never", NULL };
	const int chosen = words_choose(value, known);

	if (chosen >= 0)
		options.color = chosen;
	return chosen >= 0;
}

/**
 * options_take() - carry out the options of a command line
 * @command: its name, for complaints; "" where nobody named it, NULL for a line
 *	of a policy, which takes no options
 * @rows: the options that it takes, beside --help and --version
 * @words: all words but the name; they stay in use
 *
 * Return: the words that are no options, ending with NULL, to be freed; NULL
 * after a complaint.
 */
char **options_take(const char *command, const struct option_row *rows, char *const *words)
{
	struct reader r = { .command = command };
	size_t kept = 0;
	int found;

	begin(&r, words);
	add_rows(&r.table, rows);
	add_rows(&r.table, command ? common : NULL);
	/* The words that are kept are written over words that have been read already. */
	while ((found = step(&r)) != -1) {
		if (found == WORD) {
			r.words[kept++] = optarg;
		} else if (!take(&r, found)) {
			free(r.words);
			return NULL;
		}
	}
	while (r.words[optind])
		r.words[kept++] = r.words[optind++];
	r.words[kept] = NULL;
	return r.words;
}

/**
 * options_skip() - find the first word that is no option, nor the value of one
 * @tables: of all commands, for it is not known yet which one this is; ends with NULL
 * @words: the command line
 * @unknown: set to the first option on the way that no command has, or NULL
 *
 * Return: the place of the word, or of the end, or -1 after a complaint.
 */
int options_skip(const struct option_row *const *tables, char *const *words,
		 const char **unknown)
{
	struct reader r = { .command = "" };
	const char *names[MOST + 1];
	int found, at;

	begin(&r, words);
	while (*tables)
		add_rows(&r.table, *tables++);
	add_rows(&r.table, common);
	*unknown = NULL;
	while ((found = step(&r)) != -1 && found != WORD) {
		/* What is wrong with a known option, options_take() says. */
		if (found != '?' || row_of(&r.table, optopt) || *unknown)
			continue;
		if (!optopt && meant(&r.table, r.words[r.at], names) > 1) {
			complain_ambiguous(r.words[r.at], names);
			free(r.words);
			return -1;
		}
		*unknown = r.words[r.at];
	}
	at = found == WORD ? r.at : optind;
	free(r.words);
	return at - 1;
}
