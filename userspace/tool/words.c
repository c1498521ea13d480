// SPDX-License-Identifier: GPL-2.0
/* The words of a command line, taken one by one. */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output.h"
#include "suggest.h"
#include "words.h"

/* As the kernel takes them; see include/netlink/. */
#define COMMENT_MAX 255
#define COMMENT_REFUSED (UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_CONTROL) | \
			 UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_NEWLINE))

/* "show, add or del", each with @prefix; malloc'd */
char *words_alternatives(const char *prefix, const char *const *list)
{
	char *text = NULL;
	size_t size, i;
	FILE *out = no_null(open_memstream(&text, &size));

	for (i = 0; list[i]; i++)
		fprintf(out, "%s%s%s", !i ? "" : list[i + 1] ? ", " : " or ", prefix, list[i]);
	fclose(out);
	return no_null(text);
}

void words_unknown(const char *word, const char *const *list)
{
	char *expected = words_alternatives("", list);
	const char *near = suggest(word, list);

	complain_word(word, "unknown word; expected %s%s%s%s", expected,
		      near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
	free(expected);
}

bool words_left(const struct words *words)
{
	return *words->next != NULL;
}

const char *words_take(struct words *words, const char *expected)
{
	if (words_left(words))
		return *words->next++;
	complain("%s: a word is missing; expected %s", words->command, expected);
	return NULL;
}

/* Takes the next word if it is @word. */
bool words_skip(struct words *words, const char *word)
{
	if (!words_left(words) || strcmp(*words->next, word))
		return false;
	words->next++;
	return true;
}

/* The place in @list of the next word. */
int words_choose(struct words *words, const char *const *list)
{
	int i;

	if (!words_left(words)) {
		char *expected = words_alternatives("", list);

		words_take(words, expected);
		free(expected);
		return -1;
	}
	for (i = 0; list[i]; i++)
		if (words_skip(words, list[i]))
			return i;
	words_unknown(*words->next, list);
	return -1;
}

/* Decimal digits and nothing else: no sign, no space, no 0x. */
static bool number(const char **text, unsigned long limit, unsigned long *value)
{
	char *end;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	*value = strtoul(*text, &end, 10);
	*text = end;
	return !errno && *value <= limit;
}

bool words_number(struct words *words, const char *expected, u32 *value)
{
	const char *word = words_take(words, expected), *rest = word;
	unsigned long n;

	if (!word)
		return false;
	if (!number(&rest, UINT32_MAX, &n) || *rest) {
		complain_word(word, "expected %s", expected);
		return false;
	}
	*value = n;
	return true;
}

static bool parse_range(const char *word, unsigned long limit, unsigned long *min,
			unsigned long *max)
{
	if (!number(&word, limit, min))
		return false;
	*max = *min;
	if (*word == '-') {
		word++;
		if (!number(&word, limit, max))
			return false;
	}
	return !*word;
}

/* One number, or two with a minus between them. */
static bool take_range(struct words *words, const char *expected, unsigned long limit,
		       const char *disorder, struct range *range)
{
	const char *word = words_take(words, expected);
	unsigned long min, max;

	if (!word)
		return false;
	if (!parse_range(word, limit, &min, &max)) {
		complain_word(word, "expected %s", expected);
		return false;
	}
	if (min > max) {
		complain_word(word, "%s", disorder);
		return false;
	}
	*range = (struct range){ .min = min, .max = max };
	return true;
}

bool words_range(struct words *words, const char *expected, struct range *range)
{
	return take_range(words, expected, UINT32_MAX - 1, "the lower number comes first", range);
}

bool words_ports(struct words *words, struct ports *ports)
{
	struct range range;

	if (!take_range(words, "a port of 0 to 65535, or two as in 8000-8099", UINT16_MAX,
			"the lower port comes first", &range))
		return false;
	*ports = (struct ports){ .min = range.min, .max = range.max };
	return true;
}

static bool parse_network(const char *word, struct network *network)
{
	char address[INET6_ADDRSTRLEN];
	size_t length = strcspn(word, "/");
	unsigned long prefix;

	if (length >= sizeof(address))
		return false;
	memcpy(address, word, length);
	address[length] = '\0';
	if (inet_pton(AF_INET, address, network->octets) == 1)
		network->length = 4;
	else if (inet_pton(AF_INET6, address, network->octets) == 1)
		network->length = 16;
	else
		return false;
	network->prefix = -1;
	word += length;
	if (!*word++)
		return true;
	if (!number(&word, 8UL * network->length, &prefix) || *word)
		return false;
	network->prefix = (int)prefix;
	return true;
}

bool words_network(struct words *words, struct network *network)
{
	static const char expected[] = "an address as 192.0.2.0/24 or 2001:db8::/32";
	const char *word = words_take(words, expected);

	if (!word)
		return false;
	if (parse_network(word, network))
		return true;
	complain_word(word, "expected %s", expected);
	return false;
}

/* May it be shown wherever a rule is? A line of a terminal must hold it. */
static bool is_comment(const char *text)
{
	struct utf8guard_error err;
	size_t length = strlen(text);

	return length && length <= COMMENT_MAX &&
	       !utf8guard_classify(text, length, COMMENT_REFUSED, &err);
}

/* "comment TEXT", the last words of a rule, or nothing: @comment is NULL then. */
bool words_comment(struct words *words, const char **comment)
{
	static const char expected[] = "a text of 1 to 255 octets of UTF-8 without control characters";

	*comment = NULL;
	if (!words_skip(words, "comment"))
		return true;
	*comment = words_take(words, expected);
	if (!*comment)
		return false;
	if (is_comment(*comment))
		return true;
	complain_word(*comment, "expected %s", expected);
	return false;
}

bool words_end(const struct words *words)
{
	if (!words_left(words))
		return true;
	complain_word(*words->next, "unexpected word after \"%s\"", words->command);
	return false;
}
