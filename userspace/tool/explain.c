// SPDX-License-Identifier: GPL-2.0
/* utf8guard explain: what these bytes are, and why they are refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "output/output.h"
#include "output/text.h"
#include "text/character.h"
#include "text/guess.h"
#include "text/input.h"
#include "text/notation.h"
#include "text/decoders.h"

/* How the high bits of an octet mark its role (RFC 3629 section 3, RFC 2044). */
static const struct role {
	u8 mask, value;
	unsigned int marks;
	const char *text;
} roles[] = {
	{ 0x80, 0x00, 1, "stands alone" },
	{ 0xc0, 0x80, 2, "continuation" },
	{ 0xe0, 0xc0, 3, "lead of 2 octets" },
	{ 0xf0, 0xe0, 4, "lead of 3 octets" },
	{ 0xf8, 0xf0, 5, "lead of 4 octets" },
	{ 0xfc, 0xf8, 6, "lead of 5 octets in RFC 2044, of nothing in UTF-8" },
	{ 0xfe, 0xfc, 7, "lead of 6 octets in RFC 2044, of nothing in UTF-8" },
	{ 0xfe, 0xfe, 8, "of no use in any UTF-8" },
};

static const struct role *role_of(u8 octet)
{
	const struct role *role = roles;

	while ((octet & role->mask) != role->value)
		role++;
	return role;
}

/* "110 00000": the mark, and what it leaves for the code point. */
static void format_bits(char *to, u8 octet)
{
	unsigned int i, marks = role_of(octet)->marks;

	for (i = 0; i < 8; i++) {
		if (i && i == marks)
			*to++ = ' ';
		*to++ = octet & 0x80 >> i ? '1' : '0';
	}
	*to = '\0';
}

static const char *overlong_rule(u8 lead)
{
	switch (lead) {
	case 0xe0:
		return "section 4: after E0 comes A0..BF: what is below fits into 2 octets";
	case 0xf0:
		return "section 4: after F0 comes 90..BF: what is below fits into 3 octets";
	default:
		return "section 1: C0 and C1 never appear: what they begin fits into 1 octet";
	}
}

/* What RFC 3629 says against it. */
static const char *rule_of(u8 class, u8 lead)
{
	switch (class) {
	case UTF8GUARD_CLASS_OVERLONG:
		return overlong_rule(lead);
	case UTF8GUARD_CLASS_SURROGATE:
		return "section 3: U+D800..U+DFFF are not encoded; after ED comes 80..9F";
	case UTF8GUARD_CLASS_TOO_LARGE:
		return lead == 0xf4 ?
		       "section 4: after F4 comes 80..8F: U+10FFFF is the last code point" :
		       "section 1: F5..FF never appear, for U+10FFFF is the last";
	case UTF8GUARD_CLASS_HEADER_BITS:
		return "section 1: F5..FF never appear; sequences have 1 to 4 octets";
	case UTF8GUARD_CLASS_TOO_LONG:
		return "section 4: a character begins with 00..7F or C2..F4";
	default:
		return "section 4: a lead is followed by all of its continuations, 80..BF";
	}
}

/**
 * struct sequence - one character, or one ill-formed sequence
 * @bytes: what it is made of
 * @length: how many
 * @error: NULL if it is well-formed
 * @code_point: what it is or pretends to be, or UTF8GUARD_NO_CODE_POINT
 * @replaced: of an error, how many U+FFFD stand for it elsewhere
 * @others: and what else others make of it; or ""
 */
struct sequence {
	const u8 *bytes;
	size_t length;
	const struct utf8guard_error *error;
	u32 code_point;
	unsigned int replaced;
	char others[OTHERS_MAX];
};

/* "U+002E" */
static void format_code_point(char *to, size_t size, u32 code_point)
{
	snprintf(to, size, "U+%04X", code_point);
}

/* The character itself, where a terminal may be sent it and there is one. */
static const char *shown(const struct sequence *s)
{
	static char character[16];

	character[0] = '\0';
	if (!s->error && text_shows(s->code_point))
		snprintf(character, sizeof(character), " '%.*s'", (int)s->length,
			 (const char *)s->bytes);
	else if (s->code_point >= 0x20 && s->code_point < 0x7f)
		snprintf(character, sizeof(character), " '%c'", (char)s->code_point);
	return character;
}

static void print_octets(const struct sequence *s)
{
	char bits[10];
	size_t i;

	for (i = 0; i < s->length; i++) {
		format_bits(bits, s->bytes[i]);
		printf("  %02X  %-9s  %s\n", s->bytes[i], bits, role_of(s->bytes[i])->text);
	}
}

/* Where the octets do not add up to a code point: why not. */
static void print_lack(const struct sequence *s)
{
	unsigned int announced = role_of(s->bytes[0])->marks - 1;

	if (announced == 1)
		printf("  continues nothing");
	else if (announced < 7)
		printf("  has %zu of %u octets", s->length, announced);
	else
		printf("  begins nothing");
}

static void print_pretence(const struct sequence *s, const char *code_point)
{
	const char *note = utf8guard_note_text(s->error->note);

	if (s->code_point == UTF8GUARD_NO_CODE_POINT)
		print_lack(s);
	else
		printf("  pretends to be %s%s", code_point, shown(s));
	printf("%s%s\n", note ? ": " : "", note ? note : "");
	printf("  RFC 3629 %s\n", rule_of(s->error->class, s->bytes[0]));
	if (*s->others)
		printf("  elsewhere: %s\n", s->others);
	printf("  where errors are replaced (WHATWG): %u U+FFFD\n", s->replaced);
}

/* The names of the classes in a mask, with commas. */
static void print_classes(u32 classes)
{
	const char *comma = "";
	unsigned int class;

	for (class = 0; class <= UTF8GUARD_CLASS_MAX; class++) {
		if (!(classes & UTF8GUARD_CLASS_BIT(class)))
			continue;
		printf("%s%s", comma, utf8guard_class_name(class));
		comma = ", ";
	}
}

static void print_character(const struct sequence *s)
{
	struct character c;

	character_describe(&c, s->bytes, s->length);
	printf("  %s%s%s%s%s%s\n", c.name, *c.name ? ", " : "",
	       character_category(&c),
	       c.block ? ", in " : "", c.block ?: "", c.invisible ? ", invisible" : "");
	if (*c.nfd)
		printf("  decomposed (NFD): %s\n", c.nfd);
	if (*c.nfkd)
		printf("  decomposed for compatibility (NFKD): %s\n", c.nfkd);
	if (c.classes) {
		printf("  classes: ");
		print_classes(c.classes);
		putchar('\n');
	}
	if (c.profile)
		printf("  refused by profile %s%s\n", c.profile,
		       c.only_at_edge ? ", at the beginning and the end" : "");
	if (c.history)
		printf("  %s\n", c.history);
}

static void print_text(const struct sequence *s)
{
	char *hex = text_hex(s->bytes, s->length);
	char code_point[16];

	format_code_point(code_point, sizeof(code_point), s->code_point);
	if (s->error)
		printf("%s: %s\n", hex, utf8guard_class_name(s->error->class));
	else
		printf("%s: well-formed, %s%s\n", hex, code_point, shown(s));
	print_octets(s);
	if (s->error)
		print_pretence(s, code_point);
	else
		print_character(s);
	free(hex);
}

static json_t *json_octets(const struct sequence *s)
{
	json_t *octets = json_array();
	char hex[3], bits[10];
	size_t i;

	for (i = 0; i < s->length; i++) {
		format_bits(bits, s->bytes[i]);
		snprintf(hex, sizeof(hex), "%02X", s->bytes[i]);
		json_array_append_new(octets, json_pack("{s:s s:s s:s}", "byte", hex,
							"bits", bits, "role",
							role_of(s->bytes[i])->text));
	}
	return octets;
}

static json_t *json_classes(u32 classes)
{
	json_t *names = json_array();
	unsigned int class;

	for (class = 0; class <= UTF8GUARD_CLASS_MAX; class++)
		if (classes & UTF8GUARD_CLASS_BIT(class))
			json_array_append_new(names, json_string(utf8guard_class_name(class)));
	return names;
}

static json_t *json_character(const struct sequence *s)
{
	struct character c;

	character_describe(&c, s->bytes, s->length);
	return json_pack("{s:s* s:s* s:s* s:b s:s* s:s* s:o s:s? s:s*}",
			 "name", *c.name ? c.name : NULL, "category", c.category,
			 "block", c.block, "invisible", c.invisible,
			 "nfd", *c.nfd ? c.nfd : NULL, "nfkd", *c.nfkd ? c.nfkd : NULL,
			 "classes", json_classes(c.classes), "profile", c.profile,
			 "history", c.history);
}

static void print_json(const struct sequence *s, size_t offset)
{
	const struct utf8guard_error *e = s->error;
	bool pretends = s->code_point != UTF8GUARD_NO_CODE_POINT;
	char *hex = text_hex(s->bytes, s->length);
	char code_point[16];

	format_code_point(code_point, sizeof(code_point), s->code_point);
	output_json(json_pack("{s:I s:i s:s s:s s:s? s:s? s:s? s:s? s:o* s:o s:o*}",
			      "offset", (json_int_t)offset,
			      "length", e ? (int)e->length : (int)s->length,
			      "class", utf8guard_class_name(e ? e->class : UTF8GUARD_CLASS_NONE),
			      "bytes", hex,
			      "note", e ? utf8guard_note_text(e->note) : NULL,
			      "code-point", pretends ? code_point : NULL,
			      "rule", e ? rule_of(e->class, s->bytes[0]) : NULL,
			      "elsewhere", *s->others ? s->others : NULL,
			      "replaced", e ? json_integer(s->replaced) : NULL,
			      "octets", json_octets(s),
			      "character", e ? NULL : json_character(s)));
	free(hex);
}

/*
 * Of a long text: what was said of it already; of how many sequences nothing is said, because
 * it was or is not worth it; and of how many because SAID_MAX were explained.
 */
#define SAID_MAX 64
static struct {
	bool in_force;
	u64 said[SAID_MAX];
	unsigned int count;
	size_t left_out, unexplained;
} brief;

static bool is_remarkable(const struct sequence *s)
{
	static const u32 common = UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_EDGE_SPACE);

	if (s->error)
		return true;
	return s->code_point != '\n' && s->code_point != '\t' &&
	       (utf8guard_code_point_classes(s->code_point) & ~common ||
		!text_shows(s->code_point));
}

/* Of a long text: is it the first of its kind, remarkable, and none too many? Else it is counted. */
static bool is_news(const struct sequence *s)
{
	u64 key = s->length;
	unsigned int i;

	for (i = 0; i < s->length; i++)
		key = key << 8 | s->bytes[i];
	for (i = 0; i < brief.count && brief.said[i] != key; i++)
		;
	if (i < brief.count || !is_remarkable(s)) {
		brief.left_out++;
		return false;
	}
	if (i == SAID_MAX) {
		brief.unexplained++;
		return false;
	}
	brief.said[brief.count++] = key;
	return true;
}

static void print_sequence(const struct sequence *s, size_t offset)
{
	if (brief.in_force && !is_news(s))
		return;
	if (options.json)
		print_json(s, offset);
	else
		print_text(s);
}

/* Prints the well-formed characters, then the ill-formed sequence after them. */
static size_t explain_up_to(const u8 *bytes, size_t offset, size_t length)
{
	struct utf8guard_error error;
	size_t end = utf8guard_next_error(bytes, length, offset);
	struct sequence s;

	for (; offset < end; offset += s.length) {
		s = (struct sequence){ .bytes = bytes + offset };
		s.code_point = text_decode(s.bytes, &s.length);
		print_sequence(&s, offset);
	}
	if (end == length)
		return length;
	utf8guard_explain(bytes, length, end, &error);
	s = (struct sequence){ .bytes = bytes + end, .length = error.span,
			       .error = &error, .code_point = error.code_point,
			       .replaced = decoders_replace(&error) };
	decoders_say(s.others, bytes, length, &error);
	print_sequence(&s, end);
	return end + error.span;
}

/* How many sequences were not printed. */
static void print_rest(void)
{
	if (options.json) {
		if (brief.unexplained)
			output_json(json_pack("{s:I}", "unexplained",
					      (json_int_t)brief.unexplained));
		return;
	}
	if (brief.left_out)
		printf("%zu more sequences: explained above, or well-formed and of no class\n",
		       brief.left_out);
	if (brief.unexplained)
		printf("%zu more sequences: not explained, for %d different ones were\n",
		       brief.unexplained, SAID_MAX);
}

/* The beginning of what a text says in another encoding. */
#define GUESS_SHOWN 120

static void print_guess(const char *encoding, const u8 *text, size_t length)
{
	char *sample;

	if (length > GUESS_SHOWN)
		length = utf8guard_boundary(text, length, GUESS_SHOWN);
	sample = text_escape(text, length);
	if (options.json)
		output_json(json_pack("{s:s s:s}", "guess", encoding, "text", sample));
	else if (!length)
		printf("could be %s: begins with its byte order mark\n", encoding);
	else
		printf("could be %s: %s\n", encoding, sample);
	free(sample);
}

/* As the options say. */
static const char *file;
static bool as_text;

static int explain(const u8 *bytes, size_t length)
{
	size_t offset = 0;

	brief.in_force = file && length > 256;
	while (offset < length)
		offset = explain_up_to(bytes, offset, length);
	print_rest();
	guess(bytes, length, print_guess);
	return STATUS_DONE;
}

static const char expected[] = "bytes as C0 AE, \\xC0\\xAE, 0xC0 or %C0%AE";
static bool take_file(struct words *words)
{
	file = words_take(words, "a file, or -");
	return file;
}

static size_t room(const struct words *words)
{
	size_t size = 1;
	char **word;

	for (word = words->next; *word; word++)
		size += strlen(*word);
	return size;
}

/* The octets that the words stand for, to be freed; NULL after a complaint. */
static u8 *read_words(struct words *words, size_t *length)
{
	u8 *bytes = no_null(malloc(room(words)));

	for (*length = 0; words_left(words);) {
		const char *word = words_take(words, expected);
		ssize_t n = as_text ? -1 : notation_read(word, bytes + *length);

		if (as_text) {
			n = (ssize_t)strlen(word);
			memcpy(bytes + *length, word, (size_t)n);
		}
		if (n <= 0) {
			complain_word(word, n ? "expected %s; put --text before text" :
				      "there is nothing in it; expected %s", expected);
			free(bytes);
			return NULL;
		}
		*length += (size_t)n;
	}
	return bytes;
}

static int run(struct words *words)
{
	size_t length;
	u8 *bytes;
	int status;

	if (!file && words_left(words) && !strcmp(*words->next, "-"))
		file = words_take(words, NULL);
	if (!file && !words_left(words)) {
		words_take(words, expected);
		return STATUS_USAGE;
	}
	if (file && !words_end(words))
		return STATUS_USAGE;
	bytes = file ? input_read(file, &length) : read_words(words, &length);
	if (!bytes)
		return STATUS_USAGE;
	status = explain(bytes, length);
	free(bytes);
	return status;
}

const struct command command_explain = {
	.name = "explain",
	.options = OPTIONS({ .name = "text", .flag = &as_text },
			   { .name = "file", .take = take_file },
			   OPTION_JSON, OPTION_PRETTY),
	.summary = "what bytes or characters are, and why they are refused",
	.help =
"utf8guard explain [-j] [--text] WORD...\n"
"utf8guard explain [-j] --file FILE|-\n"
"\n"
"Explains each sequence: its bytes in bits and their roles, and of what is\n"
"ill-formed the class, the code point that it pretends to be, the rule of RFC\n"
"3629 against it, and what other decoders have made of it; of a character its\n"
"name, its normal forms, its classes and the first profile that refuses it. At\n"
"the end, which other encodings all of it could be in. Works without the modules.\n"
"\n"
"Words are bytes as C0 AE, C0AE, \\xC0\\xAE, 0xC0 or %C0%AE, code points as U+202E,\n"
"or text that is not ASCII alone, with such bytes in it.\n"
"\n"
"  --text  words are text as it stands\n"
"  --file  explain the bytes of a file, or of standard input; of more than 256\n"
"          bytes only what is ill-formed, of a class, or invisible, each once,\n"
"          and 64 of these; at the end, how many others there are\n"
"  -j      an object a line for every sequence, and for every such encoding\n"
"\n"
"Exit status: 0 explained, whether well-formed or not, 2 a word is none of these, or\n"
"the file cannot be read.\n",
	.run = run,
};
