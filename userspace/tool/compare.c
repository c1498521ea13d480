// SPDX-License-Identifier: GPL-2.0
/* utf8guard compare: are two texts the same, in which way, and where do they part? */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <linux/utf8guard_normalize.h>

#include "command.h"
#include "output/output.h"
#include "output/text.h"
#include "text/character.h"
#include "text/input.h"

/* The closest relation first. */
static const struct relation {
	const char *name, *text;
	int form;	/* in which they are the same, or -1 */
} relations[] = {
	{ "equal", "equal", -1 },
	{ "canonical", "canonically equivalent: the same in NFC and in NFD", UTF8GUARD_FORM_NFC },
	{ "compatible", "compatibility equivalent: the same in NFKC and in NFKD",
	  UTF8GUARD_FORM_NFKC },
	{ "caseless", "the same by NFKC_Casefold: but for case, compatibility and what is ignorable",
	  UTF8GUARD_FORM_NFKC_CASEFOLD },
	{ "different", "different", -1 },
};

#define EQUAL (&relations[0])
#define DIFFERENT (&relations[4])

/* One of the two texts. */
struct text {
	const char *name;
	u8 *octets;
	size_t length;
};

/* Both are well-formed. */
static const struct relation *relation_of(const struct text *a, const struct text *b)
{
	const struct relation *relation = EQUAL;
	int order;

	if (a->length == b->length && !memcmp(a->octets, b->octets, a->length))
		return EQUAL;
	while (++relation != DIFFERENT)
		if (!utf8guard_compare((enum utf8guard_form)relation->form, a->octets, a->length,
				       b->octets, b->length, &order, NULL) && !order)
			break;
	return relation;
}

/* The beginning of the first character that is not in both. */
static size_t parting(const struct text *a, const struct text *b)
{
	size_t i = 0;

	while (i < a->length && i < b->length && a->octets[i] == b->octets[i])
		i++;
	return i < a->length ? utf8guard_boundary(a->octets, a->length, i) :
			       utf8guard_boundary(b->octets, b->length, i);
}

/* "U+00E9", or "" at the end of the text. */
static void format_code_point(char *to, size_t size, const struct text *text, size_t at)
{
	size_t n;

	*to = '\0';
	if (at < text->length)
		snprintf(to, size, "U+%04X", text_decode(text->octets + at, &n));
}

static void print_place(const struct text *text, size_t at)
{
	struct character character;
	char *name = text_escape(text->name, strlen(text->name));
	char code_point[16];
	size_t n;

	format_code_point(code_point, sizeof(code_point), text, at);
	if (*code_point) {
		text_decode(text->octets + at, &n);
		character_describe(&character, text->octets + at, n);
		printf("  %s: %s %s\n", name, code_point,
		       *character.name ? character.name : character_category(&character));
	} else {
		printf("  %s: ends here\n", name);
	}
	free(name);
}

static void print_text(const struct relation *relation, const struct text *a,
		       const struct text *b, size_t at)
{
	puts(relation->text);
	if (relation == EQUAL)
		return;
	printf("they part at offset %zu, after %zu characters:\n", at,
	       utf8guard_count(a->octets, at));
	print_place(a, at);
	print_place(b, at);
}

static void print_json(const struct relation *relation, const struct text *a,
		       const struct text *b, size_t at)
{
	char of_a[16], of_b[16];

	if (relation == EQUAL) {
		output_json(json_pack("{s:s}", "relation", relation->name));
		return;
	}
	format_code_point(of_a, sizeof(of_a), a, at);
	format_code_point(of_b, sizeof(of_b), b, at);
	output_json(json_pack("{s:s s:I s:s? s:s?}", "relation", relation->name,
			      "offset", (json_int_t)at, "a", *of_a ? of_a : NULL,
			      "b", *of_b ? of_b : NULL));
}

/* Complains of an ill-formed text, which is equivalent to no other. */
static bool is_well_formed(const struct text *text)
{
	struct utf8guard_error error;

	if (!utf8guard_validate(text->octets, text->length, &error))
		return true;
	input_complain(text->name, text->octets, &error);
	return false;
}

/* As the options say. */
static bool as_files;

static bool take(struct text *text, const char *name, struct words *words)
{
	const char *word = words_take(words, as_files ? "a file" : "a text");

	if (!word)
		return false;
	text->name = as_files ? word : name;
	if (as_files) {
		text->octets = input_read(word, &text->length);
		return text->octets;
	}
	text->length = strlen(word);
	text->octets = no_null(strdup(word));
	return true;
}

static int compare(const struct text *a, const struct text *b)
{
	const struct relation *relation;
	size_t at;

	if (!is_well_formed(a) || !is_well_formed(b))
		return STATUS_USAGE;
	relation = relation_of(a, b);
	at = parting(a, b);
	if (options.json)
		print_json(relation, a, b, at);
	else
		print_text(relation, a, b, at);
	return relation == DIFFERENT ? STATUS_NO : STATUS_DONE;
}

/* Standard input can be read once: the second file would be empty. */
static bool is_standard_twice(const struct words *words)
{
	return as_files && words->next[0] && !strcmp(words->next[0], "-") && words->next[1] &&
	       !strcmp(words->next[1], "-");
}

static int run(struct words *words)
{
	struct text a = { 0 }, b = { 0 };
	int status = STATUS_USAGE;

	if (is_standard_twice(words)) {
		complain("compare: only one of the files can be -");
		return STATUS_USAGE;
	}
	if (take(&a, "the first", words) && take(&b, "the second", words) && words_end(words))
		status = compare(&a, &b);
	free(a.octets);
	free(b.octets);
	return status;
}

const struct command command_compare = {
	.name = "compare",
	.options = OPTIONS({ .name = "files", .flag = &as_files }, OPTION_JSON, OPTION_PRETTY),
	.summary = "are two texts the same, and in which way?",
	.help =
"utf8guard compare [-j] [--files] A B\n"
"\n"
"Says whether two texts are equal, canonically equivalent (the same in NFC),\n"
"compatibility equivalent (the same in NFKC), the same by NFKC_Casefold, or\n"
"different; and where they part. Works without the modules.\n"
"\n"
"  --files  A and B are files; one of them may be -, standard input\n"
"  -j       an object\n"
"  --       what follows are texts\n"
"\n"
"Exit status: 0 the same in one of these ways, 1 different, 2 ill-formed.\n",
	.run = run,
};
