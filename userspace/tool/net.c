// SPDX-License-Identifier: GPL-2.0
/* utf8guard net: the rules of the payload check. */
#include <netinet/in.h>
#include <sys/socket.h>

#include <uapi/linux/utf8guard_nf.h>

#include "command.h"
#include "netlink.h"
#include "output.h"
#include "rules.h"

/* What a rule may say once each, in any order, before its action. */
enum selector {
	SELECT_SPORT,
	SELECT_DPORT,
	SELECT_ANY_PORT,
	SELECT_SADDR,
	SELECT_DADDR,
	SELECT_STREAM,
	SELECT_FAIL,
	SELECT_ACTION,
};

/**
 * struct draft - what has been said so far
 * @said: a bit for each enum selector
 * @family: AF_INET or AF_INET6, or 0
 * @request: made of it
 */
struct draft {
	unsigned int said;
	u8 family;
	struct request *request;
};

static bool take_ports(struct words *words, struct draft *draft, u16 min, u16 max)
{
	struct ports ports;

	if (!words_ports(words, &ports))
		return false;
	request_u16(draft->request, min, ports.min, words->next[-1]);
	request_u16(draft->request, max, ports.max, words->next[-1]);
	return true;
}

/* An address says which family the rule is of. */
static bool take_address(struct words *words, struct draft *draft, u16 address,
			 u16 prefix)
{
	struct network network;
	const char *word;

	if (!words_network(words, &network))
		return false;
	word = words->next[-1];
	request_data(draft->request, address, network.octets, network.length, word);
	if (network.prefix >= 0)
		request_u8(draft->request, prefix, (u8)network.prefix, word);
	if (!draft->family) {
		draft->family = network.length == 4 ? AF_INET : AF_INET6;
		request_u8(draft->request, UTF8GUARD_NF_A_RULE_FAMILY, draft->family, word);
	}
	return true;
}

/* "stream", with or without how; strict is meant. */
static bool take_stream(struct words *words, struct draft *draft)
{
	const char *word = words->next[-1];
	u32 how = 0;

	while (words_stream[how] && !words_skip(words, words_stream[how]))
		how++;
	request_u32(draft->request, UTF8GUARD_NF_A_RULE_STREAM, words_stream[how] ? how : 0, word);
	return true;
}

static bool take_fail(struct words *words, struct draft *draft)
{
	int fail = words_choose(words, words_fail);

	if (fail < 0)
		return false;
	request_u32(draft->request, UTF8GUARD_NF_A_RULE_FAIL, (u32)fail, words->next[-1]);
	return true;
}

static bool take_selector(struct words *words, struct draft *draft,
			  enum selector selector)
{
	switch (selector) {
	case SELECT_SPORT:
		return take_ports(words, draft, UTF8GUARD_NF_A_RULE_SPORT_MIN,
				  UTF8GUARD_NF_A_RULE_SPORT_MAX);
	case SELECT_DPORT:
		return take_ports(words, draft, UTF8GUARD_NF_A_RULE_DPORT_MIN,
				  UTF8GUARD_NF_A_RULE_DPORT_MAX);
	case SELECT_SADDR:
		return take_address(words, draft, UTF8GUARD_NF_A_RULE_SADDR,
				    UTF8GUARD_NF_A_RULE_SADDR_PREFIX);
	case SELECT_DADDR:
		return take_address(words, draft, UTF8GUARD_NF_A_RULE_DADDR,
				    UTF8GUARD_NF_A_RULE_DADDR_PREFIX);
	case SELECT_STREAM:
		return take_stream(words, draft);
	case SELECT_FAIL:
		return take_fail(words, draft);
	default:
		request_flag(draft->request, UTF8GUARD_NF_A_RULE_ANY_PORT, words->next[-1]);
		return true;
	}
}

/* Selectors up to the action, which is the last word. */
static bool take_selectors(struct words *words, struct draft *draft)
{
	static const char *const list[] = {
		[SELECT_SPORT] = "sport", [SELECT_DPORT] = "dport",
		[SELECT_ANY_PORT] = "any-port", [SELECT_SADDR] = "saddr",
		[SELECT_DADDR] = "daddr", [SELECT_STREAM] = "stream",
		[SELECT_FAIL] = "fail", [SELECT_ACTION] = "count", "audit", "drop", NULL,
	};

	for (;;) {
		int said = words_choose(words, list);

		if (said < 0)
			return false;
		if (said >= SELECT_ACTION) {
			request_u32(draft->request, UTF8GUARD_NF_A_RULE_ACTION,
				    (u32)(said - SELECT_ACTION), words->next[-1]);
			return true;
		}
		if (draft->said & 1U << said) {
			complain_word(list[said], "said twice");
			return false;
		}
		draft->said |= 1U << said;
		if (!take_selector(words, draft, (enum selector)said))
			return false;
	}
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
	static const char *const either[] = { "ip", "ip6", "tcp", "udp", NULL };
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
	request_u8(draft->request, UTF8GUARD_NF_A_RULE_PROTOCOL,
		   said ? IPPROTO_UDP : IPPROTO_TCP, words->next[-1]);
	return true;
}

/* The kernel insists on it too; here it can be said what to write. */
static bool ports_said(const struct draft *draft)
{
	if (draft->said & (1U << SELECT_SPORT | 1U << SELECT_DPORT | 1U << SELECT_ANY_PORT))
		return true;
	complain("net: no ports; expected sport, dport or any-port");
	return false;
}

/* All of a rule, from its hook on. */
static bool take_rule(struct words *words, struct request *request)
{
	struct draft draft = { .request = request };
	const char *comment;

	if (!take_hook(words, &draft) || !take_family_and_protocol(words, &draft) ||
	    !take_selectors(words, &draft) || !words_comment(words, &comment))
		return false;
	if (comment)
		request_string(request, UTF8GUARD_NF_A_RULE_COMMENT, comment, comment);
	return words_end(words) && ports_said(&draft);
}

static bool take_handle(struct words *words, struct request *request, u16 type)
{
	u32 handle;

	if (!words_number(words, "the handle of a rule, as \"net show\" prints it", &handle))
		return false;
	request_u32(request, type, handle, words->next[-1]);
	return true;
}

static bool add(struct words *words, struct change *change)
{
	request_init(&change->request, UTF8GUARD_NF_CMD_RULE_ADD);
	return take_rule(words, &change->request);
}

static bool is_digit(const char *word)
{
	return word && *word >= '0' && *word <= '9';
}

/* Ahead of a rule; ahead of all where none is named. */
static bool insert(struct words *words, struct change *change)
{
	struct request *request = &change->request;

	request_init(request, UTF8GUARD_NF_CMD_RULE_ADD);
	if (!is_digit(*words->next))
		request_u32(request, UTF8GUARD_NF_A_RULE_BEFORE, 0, words->next[-1]);
	else if (!take_handle(words, request, UTF8GUARD_NF_A_RULE_BEFORE))
		return false;
	return take_rule(words, request);
}

static bool replace(struct words *words, struct change *change)
{
	request_init(&change->request, UTF8GUARD_NF_CMD_RULE_REPLACE);
	return take_handle(words, &change->request, UTF8GUARD_NF_A_RULE_HANDLE) &&
	       take_rule(words, &change->request);
}

static bool del(struct words *words, struct change *change)
{
	request_init(&change->request, UTF8GUARD_NF_CMD_RULE_DEL);
	return take_handle(words, &change->request, UTF8GUARD_NF_A_RULE_HANDLE) &&
	       words_end(words);
}

static bool flush(struct words *words, struct change *change)
{
	request_init(&change->request, UTF8GUARD_NF_CMD_FLUSH);
	return words_end(words);
}

static bool show(struct words *words, struct change *change)
{
	change->shows = true;
	return words_end(words);
}

bool net_parse(struct words *words, struct change *change)
{
	static const char *const verbs[] = {
		"show", "add", "insert", "replace", "del", "flush", NULL };
	static bool (*const functions[])(struct words *, struct change *) = {
		show, add, insert, replace, del, flush };
	int verb = words_choose(words, verbs);

	return verb >= 0 && functions[verb](words, change);
}

static int run(struct words *words)
{
	return rules_run(&rules_net, words);
}

const struct command command_net = {
	.name = "net",
	.flags = "jps",
	.summary = "the rules of the payload check",
	.help =
"utf8guard net [show] [-j] [-s]\n"
"utf8guard net add RULE\n"
"utf8guard net insert [HANDLE] RULE\n"
"utf8guard net replace HANDLE RULE\n"
"utf8guard net del HANDLE\n"
"utf8guard net flush\n"
"\n"
"A RULE is: HOOK [ip|ip6] tcp|udp SELECTOR... count|audit|drop [comment TEXT]\n"
"HOOK is input, forward or output. A SELECTOR is one of\n"
"\n"
"  sport PORT[-PORT]    the source port, or a range of them\n"
"  dport PORT[-PORT]    the destination port\n"
"  any-port             every port: a rule applies to all only if it says so\n"
"  saddr ADDR[/LEN]     the source address, or the first LEN bits of it\n"
"  daddr ADDR[/LEN]     the destination address\n"
"\n"
"or says how it judges:\n"
"\n"
"  stream [strict|lenient]  TCP: the stream as its receiver will see it, whatever\n"
"                           the cuts and the order of the segments. What is sent\n"
"                           again and cannot be compared, strict (the default)\n"
"                           refuses and lenient lets through\n"
"  fail open|closed         what becomes of a packet that cannot be judged: let\n"
"                           through, or treated as refused; closed by default with\n"
"                           a strict stream, else open\n"
"\n"
"Rules are tried in order. add puts one behind the others, insert ahead of the one\n"
"with that handle or of all; replace puts it in another's place, with the same\n"
"handle and new counters. A packet whose payload is not UTF-8 is counted, or\n"
"reported and let through (audit), or reported and dropped. Without stream, each\n"
"packet is judged alone: a character that its edge cuts is not held against it.\n"
"\n"
"TEXT is up to 255 octets of UTF-8 in one word, kept with the rule and shown with\n"
"it; \"comment --\" where it begins with a minus.\n"
"\n"
"  -s  show the counters of each class too\n"
"  -j  JSON; with add, insert and replace, the rule with its handle\n",
	.run = run,
};
