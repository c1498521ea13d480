// SPDX-License-Identifier: GPL-2.0
/*
 * libxt_utf8.so: the options of the match "utf8", for iptables and ip6tables.
 *
 * There is no xlate function, because nft has no such match. So iptables-translate prints the rule
 * as a comment, and without its "!".
 */
#include <stdio.h>
#include <string.h>
#include <xtables.h>

#include <linux/utf8guard.h>
#include <uapi/linux/netfilter/xt_utf8.h>

enum { OPTION_CLASS };

struct word {
	const char *name;
	uint32_t bits;
};

/* In the order in which they are printed; after the last, the name is NULL. */
static struct word word_at(unsigned int i)
{
	static const struct word words[] = {
		{ "ill-formed", XT_UTF8_ILL_FORMED },
		{ "valid", XT_UTF8_VALID },
		{ "split", XT_UTF8_SPLIT },
		{ "unreadable", XT_UTF8_UNREADABLE },
	};
	const unsigned int n = sizeof(words) / sizeof(*words);
	unsigned int class = i - n + UTF8GUARD_CLASS_OVERLONG;

	if (i < n)
		return words[i];
	if (class > UTF8GUARD_CLASS_TRUNCATED)
		return (struct word) { NULL, 0 };
	return (struct word) { utf8guard_class_name(class), 1U << class };
}

static void put_classes(uint32_t classes)
{
	const char *comma = "";
	struct word word;
	unsigned int i;

	for (i = 0; (word = word_at(i)).name; i++) {
		if ((classes & word.bits) != word.bits)
			continue;
		printf("%s%s", comma, word.name);
		comma = ",";
		/* "ill-formed" is a set of classes, which are not named again. */
		classes &= ~word.bits;
	}
}

static void utf8_help(void)
{
	struct word word;
	unsigned int i;

	printf("utf8 match options (the payload of one packet, with -p tcp or -p udp):\n"
	       "[!] --utf8-class class[,class...]\n"
	       "                                what the payload is (default: ill-formed);\n"
	       "                                classes:");
	for (i = 0; (word = word_at(i)).name; i++)
		printf("%s%s", i % 4 ? " " : "\n                                  ", word.name);
	printf("\n");
}

static void utf8_init(struct xt_entry_match *match)
{
	struct xt_utf8_info *info = (void *)match->data;

	info->classes = XT_UTF8_ILL_FORMED;
}

static uint32_t parse_class(const char *name, size_t len)
{
	struct word word;
	unsigned int i;

	/* The former name of "split", for rules that were saved with it. */
	if (len == strlen("cut") && !memcmp(name, "cut", len))
		return XT_UTF8_SPLIT;
	for (i = 0; (word = word_at(i)).name; i++)
		if (strlen(word.name) == len && !memcmp(word.name, name, len))
			return word.bits;
	xtables_error(PARAMETER_PROBLEM,
		      "utf8: \"%.*s\" is not a class; -m utf8 -h lists them", (int)len, name);
}

static void utf8_parse(struct xt_option_call *call)
{
	struct xt_utf8_info *info = call->data;
	const char *next = call->arg;
	size_t len;

	xtables_option_parse(call);
	info->classes = 0;
	for (;; next += len + 1) {
		len = strcspn(next, ",");
		info->classes |= parse_class(next, len);
		if (!next[len])
			break;
	}
	if (call->invert)
		info->flags |= XT_UTF8_INVERT;
}

static void utf8_print(const void *ip, const struct xt_entry_match *match, int numeric)
{
	const struct xt_utf8_info *info = (const void *)match->data;

	(void)ip;
	(void)numeric;
	printf("%s utf8 ", info->flags & XT_UTF8_INVERT ? " !" : "");
	put_classes(info->classes);
}

static void utf8_save(const void *ip, const struct xt_entry_match *match)
{
	const struct xt_utf8_info *info = (const void *)match->data;

	(void)ip;
	if (info->classes == XT_UTF8_ILL_FORMED && !info->flags)
		return;
	printf("%s --utf8-class ", info->flags & XT_UTF8_INVERT ? " !" : "");
	put_classes(info->classes);
}

static const struct xt_option_entry utf8_options[] = {
	{
		.name = "utf8-class",
		.id = OPTION_CLASS,
		.type = XTTYPE_STRING,
		.flags = XTOPT_INVERT,
	},
	XTOPT_TABLEEND,
};

static struct xtables_match utf8_match = {
	.version = XTABLES_VERSION,
	.name = "utf8",
	.revision = 0,
	.family = NFPROTO_UNSPEC,
	.size = XT_ALIGN(sizeof(struct xt_utf8_info)),
	.userspacesize = XT_ALIGN(sizeof(struct xt_utf8_info)),
	.help = utf8_help,
	.init = utf8_init,
	.print = utf8_print,
	.save = utf8_save,
	.x6_parse = utf8_parse,
	.x6_options = utf8_options,
};

__attribute__((constructor)) static void utf8_register(void)
{
	xtables_register_match(&utf8_match);
}
