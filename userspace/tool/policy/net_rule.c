// SPDX-License-Identifier: GPL-2.0
/* The words that make a rule of the payload check. */
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <uapi/linux/utf8guard_nf.h>

#include "net_rule.h"
#include "netlink/enumerations.h"
#include "output/output.h"
#include "text/judge.h"
#include "words/networks.h"
#include "words/ports.h"

/* What a rule may say once each, in any order, before its action. */
enum match {
	MATCH_SPORT,
	MATCH_DPORT,
	MATCH_ANY_PORT,
	MATCH_SADDR,
	MATCH_DADDR,
	MATCH_IIF,
	MATCH_OIF,
	MATCH_MARKED,
	MATCH_DIRECTION,
	MATCH_ACTION,
};

/**
 * struct draft - what has been said so far
 * @said: a bit for each enum match
 * @family: AF_INET or AF_INET6, or 0
 * @protocol: its name
 * @request: made of it
 */
struct draft {
	unsigned int said;
	u8 family;
	const char *protocol;
	struct request *request;
};

/* Attributes of a nest, one after the other. */
struct nest {
	u8 octets[64] __attribute__((aligned(NLA_ALIGNTO)));
	size_t length;
};

static void put(struct nest *nest, u16 type, const void *data, size_t length)
{
	const struct nlattr header = {
		.nla_len = (u16)(NLA_HDRLEN + length), .nla_type = type };

	memcpy(nest->octets + nest->length, &header, sizeof(header));
	memcpy(nest->octets + nest->length + NLA_HDRLEN, data, length);
	nest->length += NLA_ALIGN(header.nla_len);
}

static void put_range(struct draft *draft, u16 type, const struct ports *ports, const char *word)
{
	struct nest nest = { .length = 0 };

	put(&nest, UTF8GUARD_NF_A_PORT_RANGE_FROM, &ports->min, sizeof(ports->min));
	put(&nest, UTF8GUARD_NF_A_PORT_RANGE_TO, &ports->max, sizeof(ports->max));
	request_nest(draft->request, type, nest.octets, nest.length, word);
}

/* One range in the attributes that every module knows; several in those of modules with sets. */
static bool take_ports(struct words *words, struct draft *draft, u16 min, u16 max, u16 range)
{
	struct port_set set;
	const char *word;
	unsigned int i;

	if (!words_ports(words, draft->protocol, &set))
		return false;
	word = words->next[-1];
	if (set.count > 1) {
		for (i = 0; i < set.count; i++)
			put_range(draft, range, &set.ranges[i], word);
		return true;
	}
	request_u16(draft->request, min, set.ranges[0].min, word);
	request_u16(draft->request, max, set.ranges[0].max, word);
	return true;
}

static void put_network(struct draft *draft, u16 type, const struct network *network,
			const char *word)
{
	const u8 prefix = (u8)network->prefix;
	struct nest nest = { .length = 0 };

	put(&nest, UTF8GUARD_NF_A_NETWORK_ADDRESS, network->octets, network->length);
	put(&nest, UTF8GUARD_NF_A_NETWORK_PREFIX, &prefix, sizeof(prefix));
	request_nest(draft->request, type, nest.octets, nest.length, word);
}

/* One network in the attributes that every module knows; several in those of modules with sets. */
static void put_networks(struct draft *draft, u16 address, u16 prefix, u16 network,
			 const struct network_set *set, const char *word)
{
	const struct network *first = &set->networks[0];
	unsigned int i;

	for (i = 0; set->count > 1 && i < set->count; i++)
		put_network(draft, network, &set->networks[i], word);
	if (set->count > 1)
		return;
	request_data(draft->request, address, first->octets, first->length, word);
	request_u8(draft->request, prefix, (u8)first->prefix, word);
}

/* Without a word for the family, the addresses say it. */
static bool take_addresses(struct words *words, struct draft *draft, u16 address, u16 prefix,
			   u16 network)
{
	struct network_set set;
	const char *word;

	if (!words_networks(words, &set))
		return false;
	word = words->next[-1];
	put_networks(draft, address, prefix, network, &set, word);
	if (!draft->family) {
		draft->family = set.networks[0].length == 4 ? AF_INET : AF_INET6;
		request_u8(draft->request, UTF8GUARD_NF_A_RULE_FAMILY, draft->family, word);
	}
	return true;
}

static bool take_interface(struct words *words, struct draft *draft, u16 type)
{
	const char *word = words_take(words, "the name of an interface, as in eth0 or eth*");

	if (word)
		request_string(draft->request, type, word, word);
	return word;
}

/* A number as in C, decimal, 0x or octal, of up to 32 bits. */
static bool mark_number(const char **text, u32 *number)
{
	char *end;
	unsigned long value;

	if (**text < '0' || **text > '9')
		return false;
	errno = 0;
	value = strtoul(*text, &end, 0);
	*text = end;
	*number = (u32)value;
	return !errno && value <= UINT32_MAX;
}

static bool take_mark(struct words *words, struct draft *draft, u16 mark_type, u16 mask_type)
{
	static const char expected[] = "a mark, as in 7 or 0x10/0xff";
	const char *word = words_take(words, expected), *rest = word;
	u32 mark, mask = UINT32_MAX;
	bool good;

	if (!word)
		return false;
	good = mark_number(&rest, &mark);
	if (good && *rest == '/') {
		rest++;
		good = mark_number(&rest, &mask);
	}
	if (!good || *rest) {
		complain_word(word, "expected %s", expected);
		return false;
	}
	request_u32(draft->request, mark_type, mark, word);
	request_u32(draft->request, mask_type, mask, word);
	return true;
}

/* Takes a word of @list; its index there is the value. */
static bool take_choice(struct words *words, struct draft *draft, u16 type,
			const char *const *list)
{
	int choice = words_choose(words, list);

	if (choice < 0)
		return false;
	request_u32(draft->request, type, (u32)choice, words->next[-1]);
	return true;
}

static bool take_match(struct words *words, struct draft *draft, enum match match)
{
	switch (match) {
	case MATCH_SPORT:
		return take_ports(words, draft, UTF8GUARD_NF_A_RULE_SPORT_MIN,
				  UTF8GUARD_NF_A_RULE_SPORT_MAX,
				  UTF8GUARD_NF_A_RULE_SPORT_RANGE);
	case MATCH_DPORT:
		return take_ports(words, draft, UTF8GUARD_NF_A_RULE_DPORT_MIN,
				  UTF8GUARD_NF_A_RULE_DPORT_MAX,
				  UTF8GUARD_NF_A_RULE_DPORT_RANGE);
	case MATCH_SADDR:
		return take_addresses(words, draft, UTF8GUARD_NF_A_RULE_SADDR,
				      UTF8GUARD_NF_A_RULE_SADDR_PREFIX,
				      UTF8GUARD_NF_A_RULE_SADDR_NETWORK);
	case MATCH_DADDR:
		return take_addresses(words, draft, UTF8GUARD_NF_A_RULE_DADDR,
				      UTF8GUARD_NF_A_RULE_DADDR_PREFIX,
				      UTF8GUARD_NF_A_RULE_DADDR_NETWORK);
	case MATCH_IIF:
		return take_interface(words, draft, UTF8GUARD_NF_A_RULE_IIF);
	case MATCH_OIF:
		return take_interface(words, draft, UTF8GUARD_NF_A_RULE_OIF);
	case MATCH_MARKED:
		return take_mark(words, draft, UTF8GUARD_NF_A_RULE_MARK,
				 UTF8GUARD_NF_A_RULE_MARK_MASK);
	case MATCH_DIRECTION:
		return take_choice(words, draft, UTF8GUARD_NF_A_RULE_DIRECTION, words_direction);
	default:
		request_flag(draft->request, UTF8GUARD_NF_A_RULE_ANY_PORT, words->next[-1]);
		return true;
	}
}

static bool take_action(struct words *words, struct draft *draft, int action)
{
	request_u32(draft->request, UTF8GUARD_NF_A_RULE_ACTION, (u32)action, words->next[-1]);
	if (action != UTF8GUARD_NF_ACTION_MARK && action != UTF8GUARD_NF_ACTION_CTMARK)
		return true;
	return take_mark(words, draft, UTF8GUARD_NF_A_RULE_SET_MARK,
			 UTF8GUARD_NF_A_RULE_SET_MASK);
}

/* Matches up to the action. */
static bool take_matches(struct words *words, struct draft *draft)
{
	static const char *const list[] = {
		[MATCH_SPORT] = "sport", [MATCH_DPORT] = "dport",
		[MATCH_ANY_PORT] = "any-port", [MATCH_SADDR] = "saddr",
		[MATCH_DADDR] = "daddr", [MATCH_IIF] = "iif", [MATCH_OIF] = "oif",
		[MATCH_MARKED] = "marked", [MATCH_DIRECTION] = "direction",
		[MATCH_ACTION] = "count", "audit", "drop", "reject", "mark", "ctmark", NULL,
	};

	for (;;) {
		int said = words_choose(words, list);

		if (said < 0)
			return false;
		if (said >= MATCH_ACTION)
			return take_action(words, draft, said - MATCH_ACTION);
		if (draft->said & 1U << said) {
			complain_word(list[said], "given twice");
			return false;
		}
		draft->said |= 1U << said;
		if (!take_match(words, draft, (enum match)said))
			return false;
	}
}

static bool take_first(struct words *words, struct draft *draft)
{
	u32 length;

	if (!words_number(words, "a number of octets", &length))
		return false;
	request_u32(draft->request, UTF8GUARD_NF_A_RULE_OFFSET, 0, words->next[-1]);
	request_u32(draft->request, UTF8GUARD_NF_A_RULE_LENGTH, length, words->next[-1]);
	return true;
}

/* OFFSET:LENGTH, as in 4:16. Return: false, without a complaint, for another word. */
static bool take_part(struct draft *draft, const char *word)
{
	const char *rest = word;
	u32 offset, length;

	if (!mark_number(&rest, &offset) || *rest++ != ':' || !mark_number(&rest, &length) || *rest)
		return false;
	request_u32(draft->request, UTF8GUARD_NF_A_RULE_OFFSET, offset, word);
	request_u32(draft->request, UTF8GUARD_NF_A_RULE_LENGTH, length, word);
	return true;
}

static bool take_scope(struct words *words, struct draft *draft)
{
	static const char *const list[] = { "payload", "first", "dns-labels", "http-target",
					    "http-headers", "smtp-line", "smtp-headers",
					    "OFFSET:LENGTH", NULL };
	const char *word = words_take(words, "payload, first, OFFSET:LENGTH, dns-labels, http-target, "
						  "http-headers, smtp-line or smtp-headers");
	u32 scope;

	if (!word)
		return false;
	if (!strcmp(word, "first") || take_part(draft, word)) {
		request_u32(draft->request, UTF8GUARD_NF_A_RULE_SCOPE, UTF8GUARD_NF_SCOPE_PART, word);
		return strcmp(word, "first") || take_first(words, draft);
	}
	for (scope = 0; words_part[scope]; scope++) {
		if (scope == UTF8GUARD_NF_SCOPE_PART || strcmp(word, words_part[scope]))
			continue;
		request_u32(draft->request, UTF8GUARD_NF_A_RULE_SCOPE, scope, word);
		return true;
	}
	words_unknown(word, list);
	return false;
}

static bool take_classes(struct words *words, struct draft *draft, u16 type)
{
	struct judge judge = { .form = -1, .has_escapes = true };
	const char *word = words_left(words) ? *words->next : NULL;

	if (!judge_take_classes(&judge, words))
		return false;
	if (judge.form >= 0) {
		complain_word(word, "a normal form is for names, not for payload");
		return false;
	}
	request_u32(draft->request, type, judge.refuse, word);
	return true;
}

static bool take_gate(struct words *words, struct draft *draft)
{
	static const char *const list[] = { "on", "off", NULL };
	int gate = words_choose(words, list);

	if (gate >= 0)
		request_flag(draft->request, gate ? UTF8GUARD_NF_A_RULE_UNGATED :
						    UTF8GUARD_NF_A_RULE_GATED, words->next[-1]);
	return gate >= 0;
}

/* "stream", after which "strict" or "lenient" may stand; without, it is strict. */
static bool take_stream(struct words *words, struct draft *draft)
{
	const char *word = words->next[-1];
	u32 how = 0;

	while (words_stream[how] && !words_skip(words, words_stream[how]))
		how++;
	request_u32(draft->request, UTF8GUARD_NF_A_RULE_STREAM, words_stream[how] ? how : 0, word);
	return true;
}

/* What a rule may say once each after its action. */
enum what {
	WHAT_REFUSE,
	WHAT_ALLOW,
	WHAT_SCOPE,
	WHAT_DECODE,
	WHAT_GATE,
	WHAT_FAIL,
	WHAT_STREAM,
	WHATS,
};

static bool take_this(struct words *words, struct draft *draft, enum what what)
{
	switch (what) {
	case WHAT_REFUSE:
		return take_classes(words, draft, UTF8GUARD_NF_A_RULE_REFUSE);
	case WHAT_ALLOW:
		return take_classes(words, draft, UTF8GUARD_NF_A_RULE_ALLOW);
	case WHAT_SCOPE:
		return take_scope(words, draft);
	case WHAT_DECODE:
		return take_choice(words, draft, UTF8GUARD_NF_A_RULE_DECODE, words_decode);
	case WHAT_GATE:
		return take_gate(words, draft);
	case WHAT_STREAM:
		return take_stream(words, draft);
	case WHAT_FAIL:
		return take_choice(words, draft, UTF8GUARD_NF_A_RULE_FAIL, words_fail);
	case WHATS:
		break;
	}
	return false;
}

/* Takes words of enum what, in any order, up to the first word that is none. */
static bool take_what(struct words *words, struct draft *draft)
{
	static const char *const list[] = { "refuse", "allow", "scope", "decode", "gate",
					    "fail", "stream" };
	unsigned int said = 0, what = 0;

	while (what < WHATS) {
		if (!words_skip(words, list[what])) {
			what++;
			continue;
		}
		if (said & 1U << what) {
			complain_word(list[what], "given twice");
			return false;
		}
		said |= 1U << what;
		if (!take_this(words, draft, (enum what)what))
			return false;
		what = 0;
	}
	return true;
}

static bool take_hook(struct words *words, struct draft *draft)
{
	int hook = words_choose(words, words_hook);

	if (hook < 0)
		return false;
	request_u32(draft->request, UTF8GUARD_NF_A_RULE_HOOK, (u32)hook, words->next[-1]);
	return true;
}

static bool take_family_and_protocol(struct words *words, struct draft *draft)
{
	static const char *const either[] = {
		"ip", "ip6", "tcp", "udp", "sctp", "udplite", NULL };
	static const u8 numbers[] = { IPPROTO_TCP, IPPROTO_UDP, IPPROTO_SCTP, IPPROTO_UDPLITE };
	static const char *const *const protocols = either + 2;
	int said = words_choose(words, either);

	if (said == 0 || said == 1) {
		draft->family = said ? AF_INET6 : AF_INET;
		request_u8(draft->request, UTF8GUARD_NF_A_RULE_FAMILY, draft->family,
			   words->next[-1]);
		said = words_choose(words, protocols);
	} else {
		said -= said < 0 ? 0 : 2;
	}
	if (said < 0)
		return false;
	draft->protocol = protocols[said];
	request_u8(draft->request, UTF8GUARD_NF_A_RULE_PROTOCOL, numbers[said], words->next[-1]);
	return true;
}

/* The kernel insists on it too; here it can be said what to write. */
static bool ports_said(const struct draft *draft)
{
	if (draft->said & (1U << MATCH_SPORT | 1U << MATCH_DPORT | 1U << MATCH_ANY_PORT))
		return true;
	complain("net: no ports; expected sport, dport or any-port");
	return false;
}

/* All of a rule, from its hook on. */
bool net_rule_take(struct words *words, struct request *request)
{
	struct draft draft = { .request = request };
	const char *comment;

	if (!take_hook(words, &draft) || !take_family_and_protocol(words, &draft) ||
	    !take_matches(words, &draft) || !take_what(words, &draft) ||
	    !words_comment(words, &comment))
		return false;
	if (comment)
		request_string(request, UTF8GUARD_NF_A_RULE_COMMENT, comment, comment);
	return words_end(words) && ports_said(&draft);
}
