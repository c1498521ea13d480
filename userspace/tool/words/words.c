// SPDX-License-Identifier: GPL-2.0
/* The words of a command line, taken one by one. */
#include <arpa/inet.h>
#include <errno.h>
#include <netdb.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "output/output.h"
#include "output/text.h"
#include "suggest.h"
#include "words.h"

/* The kernel takes comments up to this length and without these; see include/netlink/. */
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

static void complain_missing(const struct words *words, const char *expected)
{
	char *last = words->last ? text_escape(words->last, strlen(words->last)) : NULL;

	complain("%s: a word is missing%s%s%s; expected %s", words->command,
		 last ? " after \"" : "", last ? last : "", last ? "\"" : "", expected);
	free(last);
}

const char *words_take(struct words *words, const char *expected)
{
	if (words_left(words))
		return words->last = *words->next++;
	complain_missing(words, expected);
	return NULL;
}

/* Takes the next word if it is @word. */
bool words_skip(struct words *words, const char *word)
{
	if (!words_left(words) || strcmp(*words->next, word))
		return false;
	words->last = *words->next++;
	return true;
}

/* As words_choose(), whatever the case of letters: for names of charsets and forms. */
int words_choose_any_case(struct words *words, const char *const *list)
{
	int i;

	for (i = 0; words_left(words) && list[i]; i++) {
		if (strcasecmp(*words->next, list[i]))
			continue;
		words->last = *words->next++;
		return i;
	}
	return words_choose(words, list);
}

/* Takes the next word. Return: its index in @list, or -1 after a complaint. */
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

/* Reads decimal digits up to @limit, and moves @text past them: no sign, no space, no 0x. */
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

/* A user by name. The rule gets the ID that the name has on this host, now. */
static bool user(const char *word, unsigned long *uid)
{
	const struct passwd *entry = getpwnam(word);

	if (entry)
		*uid = entry->pw_uid;
	return entry;
}

/* A user, by number or name. UINT32_MAX is no user: (uid_t)-1 means none. */
bool words_user(struct words *words, const char *expected, u32 *uid)
{
	const char *word = words_take(words, expected), *rest = word;
	unsigned long n;

	if (!word)
		return false;
	if ((!number(&rest, UINT32_MAX - 1, &n) || *rest) && !user(word, &n)) {
		complain_word(word, "no such user; expected %s", expected);
		return false;
	}
	*uid = (u32)n;
	return true;
}

/* A user, by number or name, or the numbers from one to another. */
bool words_users(struct words *words, struct range *range)
{
	static const char expected[] = "a user ID, two as in 1000-1999, or the name of a user";
	const char *word = words_take(words, expected);
	unsigned long min, max;

	if (!word)
		return false;
	if (!parse_range(word, UINT32_MAX - 1, &min, &max)) {
		if (!user(word, &min)) {
			complain_word(word, "no such user; expected %s", expected);
			return false;
		}
		max = min;
	}
	if (min > max) {
		complain_word(word, "the lower number comes first");
		return false;
	}
	*range = (struct range){ .min = (u32)min, .max = (u32)max };
	return true;
}

/* To 8000:8099, which other tools take, the answer is how a range is written here. */
static bool complain_ports(const char *word, const char *item, const char *expected)
{
	const char *end = item + strspn(item, "0123456789");

	if (end > item && *end == ':' && end[1])
		complain_word(word, "a range is written %.*s-%s", (int)(end - item), item, end + 1);
	else if (!*item || (*item >= '0' && *item <= '9'))
		complain_word(word, "expected %s", expected);
	else
		complain_word(word, "no such service; expected %s", expected);
	return false;
}

/* A service by name, as getservbyname() finds it, mostly in /etc/services. */
static bool service(const char *word, const char *protocol, struct ports *ports)
{
	const struct servent *entry = getservbyname(word, protocol);

	if (entry)
		ports->min = ports->max = ntohs((u16)entry->s_port);
	return entry;
}

/* Reads @item, one element of the list @word. */
static bool take_range(const char *word, const char *item, const char *protocol,
		       struct ports *ports)
{
	static const char expected[] = "a port of 0 to 65535, two as in 8000-8099, or the name of a "
				       "service; or several of these, as in 80,443";
	unsigned long min, max;

	if (!parse_range(item, UINT16_MAX, &min, &max))
		return service(item, protocol, ports) || complain_ports(word, item, expected);
	*ports = (struct ports){ .min = (u16)min, .max = (u16)max };
	if (min <= max)
		return true;
	complain_word(word, "the lower port comes first");
	return false;
}

static int by_port(const void *a, const void *b)
{
	const struct ports *one = a, *other = b;

	return one->min < other->min ? -1 : one->min > other->min;
}

/* Sorts @ranges, joins those that overlap or touch. Return: false if they are too many for @set. */
static bool merge(struct ports *ranges, size_t count, struct port_set *set)
{
	struct ports *last = NULL;
	size_t i;

	qsort(ranges, count, sizeof(*ranges), by_port);
	for (i = 0; i < count; i++) {
		if (last && ranges[i].min <= last->max + 1) {
			last->max = ranges[i].max > last->max ? ranges[i].max : last->max;
			continue;
		}
		if (set->count == PORT_RANGES)
			return false;
		last = &set->ranges[set->count++];
		*last = ranges[i];
	}
	return true;
}

/**
 * words_ports() - "80,443,8000-8080"
 * @words: the next one is taken
 * @protocol: whose services may be named, as tcp
 * @set: filled in; ranges that overlap or touch become one
 *
 * Return: false after a complaint.
 */
bool words_ports(struct words *words, const char *protocol, struct port_set *set)
{
	const char *word = words_take(words, "ports, as in 80 or 80,443,8000-8080");
	char *copy, *rest, *item;
	struct ports *ranges;
	size_t count = 0;
	bool good = true;

	*set = (struct port_set){ .count = 0 };
	if (!word)
		return false;
	ranges = no_null(malloc((strlen(word) + 1) * sizeof(*ranges)));
	copy = rest = no_null(strdup(word));
	while (good && (item = strsep(&rest, ",")))
		good = take_range(word, item, protocol, &ranges[count++]);
	if (good && !merge(ranges, count, set)) {
		complain_word(word, "more than %u ranges of ports; write two rules", PORT_RANGES);
		good = false;
	}
	free(copy);
	free(ranges);
	return good;
}

static bool parse_network(const char *word, struct network *network)
{
	char address[INET6_ADDRSTRLEN];
	size_t length = strcspn(word, "/");
	unsigned long prefix;

	memset(network, 0, sizeof(*network));
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
	network->prefix = 8U * network->length;
	word += length;
	if (!*word++)
		return true;
	if (!number(&word, network->prefix, &prefix) || *word)
		return false;
	network->prefix = (unsigned int)prefix;
	return true;
}

/* @network with all bits after its prefix cleared. */
static struct network begin_of(struct network network)
{
	unsigned int i;

	for (i = 0; i < network.length; i++) {
		unsigned int bits = network.prefix > 8 * i ? network.prefix - 8 * i : 0;

		if (bits < 8)
			network.octets[i] &= (u8)(0xff00 >> bits);
	}
	return network;
}

/* Bits that are set after the prefix are a typing error. The kernel refuses them, too. */
static bool has_host_bits(const char *word, const struct network *network)
{
	const struct network good = begin_of(*network);
	char address[INET6_ADDRSTRLEN] = "";

	if (!memcmp(good.octets, network->octets, sizeof(good.octets)))
		return false;
	inet_ntop(good.length == 4 ? AF_INET : AF_INET6, good.octets, address, sizeof(address));
	complain_word(word, "the address has bits set after its prefix; expected %s/%u", address,
		      good.prefix);
	return true;
}

/* Reads @item, one element of the list @word; its family must be that of @first, the first one. */
static bool take_network(const char *word, const char *item, const struct network *first,
			 struct network *network)
{
	if (!parse_network(item, network))
		complain_word(word, "expected an address as 192.0.2.0/24 or 2001:db8::/32, or several "
				    "with commas between");
	else if (has_host_bits(word, network))
		return false;
	else if (network->length != first->length)
		complain_word(word, "addresses of both families; write two rules");
	else
		return true;
	return false;
}

/* A network before those that are parts of it. */
static int by_network(const void *a, const void *b)
{
	const struct network *one = a, *other = b;
	int order = memcmp(one->octets, other->octets, sizeof(one->octets));

	return order ? order : (int)one->prefix - (int)other->prefix;
}

/* Is all of @inner in @outer? */
bool network_covers(const struct network *outer, struct network inner)
{
	if (inner.length != outer->length || inner.prefix < outer->prefix)
		return false;
	inner.prefix = outer->prefix;
	inner = begin_of(inner);
	return !memcmp(inner.octets, outer->octets, sizeof(inner.octets));
}

/* Two networks whose prefixes differ only in their last bit become the one that holds both. */
static bool join(struct network *one, const struct network *other)
{
	struct network both = *one;

	if (one->prefix != other->prefix || !one->prefix)
		return false;
	both.prefix--;
	both = begin_of(both);
	if (memcmp(both.octets, one->octets, sizeof(both.octets)) ||
	    !network_covers(&both, *other))
		return false;
	*one = both;
	return true;
}

/* Sorts networks, drops what is in another, joins halves. Return: how many are left. */
static size_t join_all(struct network *networks, size_t count)
{
	size_t i, made = 0;

	qsort(networks, count, sizeof(*networks), by_network);
	for (i = 0; i < count; i++) {
		if (made && network_covers(&networks[made - 1], networks[i]))
			continue;
		networks[made++] = networks[i];
		while (made > 1 && join(&networks[made - 2], &networks[made - 1]))
			made--;
	}
	return made;
}

/**
 * words_networks() - "192.0.2.0/24,198.51.100.7"
 * @words: the next one is taken
 * @set: filled in; without networks that are in another, and with two halves as one
 *
 * Return: false after a complaint.
 */
bool words_networks(struct words *words, struct network_set *set)
{
	const char *word = words_take(words, "an address as 192.0.2.0/24 or 2001:db8::/32");
	char *copy, *rest, *item;
	struct network *networks;
	size_t count = 0;
	bool good = true;

	if (!word)
		return false;
	networks = no_null(malloc((strlen(word) + 1) * sizeof(*networks)));
	copy = rest = no_null(strdup(word));
	for (; good && (item = strsep(&rest, ",")); count++)
		good = take_network(word, item, &networks[0], &networks[count]);
	count = good ? join_all(networks, count) : 0;
	if (count > NETWORKS) {
		complain_word(word, "more than %u networks; write two rules", NETWORKS);
		count = 0;
	}
	memcpy(set->networks, networks, count * sizeof(*networks));
	set->count = (unsigned int)count;
	free(copy);
	free(networks);
	return count;
}

/* As the kernel takes it. Without controls and line ends, a rule stays one line of a terminal. */
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

/* Where in a rule @word belongs, if it is one of its words: before what. NULL for others. */
static const char *place_of(const char *word)
{
	static const struct {
		const char *word, *place;
	} places[] = {
		{ "uid", "off, audit or enforce" }, { "userns", "off, audit or enforce" },
		{ "cgroup", "off, audit or enforce" },
		{ "sport", "the action" }, { "dport", "the action" }, { "any-port", "the action" },
		{ "saddr", "the action" }, { "daddr", "the action" }, { "iif", "the action" },
		{ "oif", "the action" }, { "marked", "the action" }, { "direction", "the action" },
		{ "refuse", "comment" }, { "form", "comment" }, { "profile", "comment" },
		{ "scope", "comment" }, { "stream", "comment" }, { "gate", "comment" },
	};
	size_t i;

	for (i = 0; i < sizeof(places) / sizeof(places[0]); i++)
		if (!strcmp(word, places[i].word))
			return places[i].place;
	return NULL;
}

bool words_end(const struct words *words)
{
	const char *last = words->last ? words->last : words->command, *place;
	char *shown;

	if (!words_left(words))
		return true;
	place = place_of(*words->next);
	shown = text_escape(last, strlen(last));
	complain_word(*words->next, "unexpected word after \"%s\"%s%s", shown,
		      place ? "; it stands before " : "", place ? place : "");
	free(shown);
	return false;
}
