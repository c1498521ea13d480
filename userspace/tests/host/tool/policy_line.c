// SPDX-License-Identifier: GPL-2.0
/*
 * Nothing changes on its way through a policy file: any words come back from the
 * line that is made of them, out of our parser and out of bash; any rule comes back
 * as the request that makes it.
 *
 * promise administrator by mistake: the line that the tool writes of a rule makes the same rule
 *   again, and bash reads the same words in it
 * shown by: rules of %s come back from their lines
 * shown by: bash makes the same words
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../../../tool/netlink/attributes.h"
#include "../../../tool/netlink/enumerations.h"
#include "../../../tool/policy/line.h"
#include "../../../tool/policy/policy.h"
#include "../../../tool/policy/rule_line.h"
#include "../../../tool/policy/rules.h"
#include "../../../tool/output/text.h"
#include "../../tap.h"

#define ROUNDS 20000

static u64 seed = 1;

/* xorshift64*: the same in every run. */
static u32 any(u32 limit)
{
	seed ^= seed >> 12;
	seed ^= seed << 25;
	seed ^= seed >> 27;
	return (u32)((seed * 0x2545f4914f6cdd1dULL) >> 33) % limit;
}

static bool same(const struct line *a, const struct line *b)
{
	size_t i;

	if (a->count != b->count)
		return false;
	for (i = 0; i < a->count; i++)
		if (strcmp(a->words[i], b->words[i]))
			return false;
	return true;
}

/* Octets that have a meaning in a line, and all others, too. */
static void any_word(char *word, u32 limit)
{
	static const char special[] = "\\\\''\"$#x0 \t\n-/ab\xc3\xa9\xe2\x80\xae";
	u32 length = any(limit), i;

	for (i = 0; i < length; i++)
		word[i] = any(2) ? special[any(sizeof(special) - 1)] : (char)(1 + any(255));
	word[length] = '\0';
}

static void any_line(struct line *line)
{
	u32 count = 1 + any(6);
	char word[300];

	*line = (struct line){ 0 };
	while (count--) {
		any_word(word, any(8) ? 12 : sizeof(word));
		line_add(line, word);
	}
}

static bool comes_back(const struct line *line)
{
	char *text = line_text(line);
	struct line_error error = { NULL, NULL };
	struct line again;
	bool good = line_split(&again, text, strlen(text), &error) && same(line, &again);

	if (!good)
		tap_note("%s: %s", text, error.reason ? error.reason : "other words");
	line_free(&again);
	free(error.word);
	free(text);
	return good;
}

static void check_lines(void)
{
	unsigned int good = 0, i;
	struct line line;

	for (i = 0; i < ROUNDS; i++) {
		any_line(&line);
		good += comes_back(&line);
		line_free(&line);
	}
	tap_ok(good == ROUNDS, "words of any octets come back from their line: %u of %u", good,
	       ROUNDS);
}

static void check_octets(void)
{
	unsigned int good = 0, octet;

	for (octet = 1; octet < 256; octet++) {
		char word[] = { 'a', (char)octet, 'b', '\0' };
		char alone[] = { (char)octet, '\0' };
		struct line line = { 0 };

		line_add(&line, word);
		line_add(&line, alone);
		good += comes_back(&line);
		line_free(&line);
	}
	tap_ok(good == 255, "every octet, in a word and alone: %u of 255", good);
}

/* What bash makes of lines, each word ended by NUL, each line by \1 NUL. */
static bool bash_agrees(unsigned int rounds)
{
	static const char script[] = "while IFS= read -r line; do\n"
		"eval \"printf '%s\\\\0' $line\"; printf '\\1\\0'; done <\"$1\"";
	char name[] = "/tmp/policy_line.XXXXXX", command[400];
	FILE *out = fdopen(mkstemp(name), "w"), *in;
	struct line *lines = calloc(rounds, sizeof(*lines));
	char *word = NULL;
	size_t room = 0, i;
	bool good = true;

	for (i = 0; i < rounds; i++) {
		char *text;

		any_line(&lines[i]);
		text = line_text(&lines[i]);
		fprintf(out, "%s\n", text);
		free(text);
	}
	fclose(out);
	setenv("SCRIPT", script, 1);
	snprintf(command, sizeof(command), "LC_ALL=C bash -c \"$SCRIPT\" bash %s", name);
	in = popen(command, "r");
	for (i = 0; i < rounds; i++) {
		struct line got = { 0 };

		while (getdelim(&word, &room, '\0', in) > 0 && strcmp(word, "\1"))
			line_add(&got, word);
		good = same(&lines[i], &got) && good;
		line_free(&got);
		line_free(&lines[i]);
	}
	pclose(in);
	unlink(name);
	free(word);
	free(lines);
	return good;
}

static const struct {
	const char *text, *first, *second;
} readings[] = {
	{ "a b", "a", "b" },
	{ "\t a\tb # c", "a", "b" },
	{ "a#b c", "a#b", "c" },
	{ "a'b c'd e", "ab cd", "e" },
	{ "\"a b\" \"c\\\"\\\\d\\e\"", "a b", "c\"\\d\\e" },
	{ "a\\ b \\#c", "a b", "#c" },
	{ "$'\\x41\\101\\e\\t\\'\\\\' ''", "AA\033\t'\\", "" },
	{ "$'\\x4g' '$x`y`\\'", "\004g", "$x`y`\\" },
};

static const struct {
	const char *text, *word, *reason;
} mistakes[] = {
	{ "a 'b c", "'b c", "a closing ' is missing" },
	{ "a $'b\\'", "$'b\\'", "a closing ' is missing" },
	{ "a \"b", "\"b", "a closing \" is missing" },
	{ "a $b c", "$b c", "a shell would not take this as it is; quote it" },
	{ "a \"x$b\"", "$b\"", "stands for nothing here; write it in '...'" },
	{ "a *.c", "*.c", "a shell would not take this as it is; quote it" },
	{ "a; b", "; b", "a shell would not take this as it is; quote it" },
	{ "a \\", "\\", "a line cannot continue on the next one" },
	{ "$'\\x00'", "'", "a word cannot have an octet of this value" },
	{ "$'\\777'", "'", "a word cannot have an octet of this value" },
	{ "$'\\xg'", "g'", "expected digits after \\x" },
	{ "$'\\q'", "q'", "unknown escape; expected \\xHH, \\\\ or \\' and the like" },
};

static void check_readings(void)
{
	struct line_error error;
	struct line line;
	size_t i;

	for (i = 0; i < sizeof(readings) / sizeof(readings[0]); i++) {
		bool good = line_split(&line, readings[i].text, strlen(readings[i].text), &error);

		tap_ok(good && line.count == 2 && !strcmp(line.words[0], readings[i].first) &&
			       !strcmp(line.words[1], readings[i].second),
		       "two words: %s", readings[i].text);
		line_free(&line);
	}
	for (i = 0; i < sizeof(mistakes) / sizeof(mistakes[0]); i++) {
		bool good = line_split(&line, mistakes[i].text, strlen(mistakes[i].text), &error);

		tap_ok(!good && !strcmp(error.word, mistakes[i].word) &&
			       !strcmp(error.reason, mistakes[i].reason),
		       "a mistake: %s", mistakes[i].text);
		line_free(&line);
		if (!good)
			free(error.word);
	}
}

static bool is_taken(const char *before, char c, const char *after)
{
	struct line_error error;
	struct line line;
	char text[16];
	bool good;

	snprintf(text, sizeof(text), "a %s%c%s", before, c, after);
	good = line_split(&line, text, strlen(text), &error);
	line_free(&line);
	if (!good)
		free(error.word);
	return good;
}

/* What a shell treats specially is a mistake, unless it is quoted. */
static void check_special(void)
{
	const char *c;
	unsigned int wrong = 0;

	for (c = "$`*?[]{}()<>|&;!~^"; *c; c++)
		if (is_taken("x", *c, "") || !is_taken("'x", *c, "'") || !is_taken("x\\", *c, "") ||
		    is_taken("\"x", *c, "\"") != !strchr("$`!", *c)) {
			tap_note("%c", *c);
			wrong++;
		}
	tap_ok(!wrong, "what a shell treats specially is to be quoted: %u wrong", wrong);
}

static void set_text(json_t *rule, const char *name, const char *bytes)
{
	char *escaped = text_escape(bytes, strlen(bytes));

	json_object_set_new(rule, name, json_string(escaped));
	free(escaped);
}

/* Text that a comment may be: no controls. */
static void any_comment(json_t *rule)
{
	static const char *const parts[] = {
		" ", "-", "--", "a", "\\", "'", "\"", "#", "$", "\xc3\xa9", "\xe2\x80\xae",
		"\xf0\x9f\x98\x80", "comment", "*", "~" };
	char comment[200] = "";
	u32 count = 1 + any(16);

	while (count--)
		strcat(comment, parts[any(sizeof(parts) / sizeof(parts[0]))]);
	if (any(2))
		set_text(rule, "comment", comment);
}

static const char *one_of(const char *const *list)
{
	u32 count = 0;

	while (list[count])
		count++;
	return list[any(count)];
}

/* Up to four ranges, as a list of them is kept: in order, with ports between. */
static json_t *any_port_set(void)
{
	u32 count = 2 + any(3), from = any(1000), to;
	json_t *set = json_array();

	for (; count--; from = to + 2 + any(1000)) {
		to = from + (any(2) ? 0 : any(1000));
		json_array_append_new(set, json_pack("{s:i, s:i}", "from", from, "to", to));
	}
	return set;
}

static void any_ports(json_t *rule, const char *min_name, const char *max_name,
		      const char *set_name)
{
	u32 min = any(65536), max = any(3) ? min : min + any(65536 - min);

	if (!any(4)) {
		json_object_set_new(rule, set_name, any_port_set());
		return;
	}
	json_object_set_new(rule, min_name, json_integer(min));
	json_object_set_new(rule, max_name, json_integer(max));
}

/* Clears the bits after a prefix: no rule has an address with some of them set. */
static void mask(u8 *octets, u32 size, u32 prefix)
{
	u32 i;

	for (i = 0; i < size; i++, prefix -= prefix < 8 ? prefix : 8)
		octets[i] &= prefix < 8 ? 0xff00 >> prefix : 0xff;
}

static void set_network(json_t *rule, bool six, u32 words[4], u32 len, const char *address,
			const char *prefix)
{
	char text[INET6_ADDRSTRLEN];

	mask((u8 *)words, six ? 16 : 4, len);
	inet_ntop(six ? AF_INET6 : AF_INET, words, text, sizeof(text));
	json_object_set_new(rule, address, json_string(text));
	/* The kernel always tells the length of the prefix, and the tool always sends it. */
	json_object_set_new(rule, prefix, json_integer(len));
}

/* Networks as a list of them is kept: in order, and no two of which make up a larger one. */
static json_t *any_network_set(bool six)
{
	u32 count = 2 + any(4), size = six ? 16 : 4;
	json_t *set = json_array();
	u8 first = any(16);

	for (; count--; first += 2 + any(20)) {
		u32 words[4] = { any(~0U), any(~0U), any(~0U), any(~0U) };
		json_t *network = json_object();

		*(u8 *)words = first;
		set_network(network, six, words, 8 + any(8 * size - 7), "address", "prefix");
		json_array_append_new(set, network);
	}
	return set;
}

static void any_network(json_t *rule, bool six, const char *address, const char *prefix,
			const char *set)
{
	u32 words[4] = { any(~0U), any(2) ? 0 : any(~0U), any(2) ? 0 : any(~0U), any(~0U) };
	u32 size = six ? 16 : 4, len = any(2) ? any(8 * size) : 8 * size;

	if (any(4))
		set_network(rule, six, words, len, address, prefix);
	else
		json_object_set_new(rule, set, any_network_set(six));
}

static void any_mark(json_t *rule, const char *mark, const char *mask)
{
	json_object_set_new(rule, mark, json_integer(any(~0U)));
	json_object_set_new(rule, mask, json_integer(any(2) ? UINT32_MAX : any(~0U)));
}

static void any_word_of(json_t *rule, const char *name, const char *const *list)
{
	if (any(2))
		json_object_set_new(rule, name, json_string(one_of(list)));
}

static void any_reaction(json_t *rule)
{
	const char *action = one_of(words_action);

	json_object_set_new(rule, "action", json_string(action));
	if (strstr(action, "mark"))
		any_mark(rule, "set-mark", "set-mask");
	any_word_of(rule, "fail", words_fail);
}

static void any_conditions(json_t *rule)
{
	static const char *const names[] = { "eth0", "wl*", "a b", "-", "-x", "--help",
					     "--", "*", "comment", "\xc3\xa9", NULL };

	if (any(2))
		set_text(rule, "iif", one_of(names));
	if (any(2))
		set_text(rule, "oif", one_of(names));
	if (any(2))
		any_mark(rule, "mark", "mark-mask");
	any_word_of(rule, "direction", words_direction);
}

/* In the order of their bits. */
static void any_classes(json_t *rule, const char *name)
{
	static const char *const classes[] = { "nul", "control", "newline", "bom", "bidi",
					       "noncharacter", "private-use", "unassigned" };
	json_t *list = json_array();
	size_t i;

	for (i = 0; i < sizeof(classes) / sizeof(classes[0]); i++)
		if (any(2))
			json_array_append_new(list, json_string(classes[i]));
	if (json_array_size(list))
		json_object_set(rule, name, list);
	json_decref(list);
}

static void any_demand(json_t *rule)
{
	any_classes(rule, any(2) ? "refuse" : "allow");
	any_word_of(rule, "scope", words_part);
	if (!strcmp(member_text(rule, "scope"), "part")) {
		json_object_set_new(rule, "offset", json_integer(any(2) ? 0 : any(65536)));
		json_object_set_new(rule, "length", json_integer(any(65536)));
	}
	any_word_of(rule, "decode", words_decode);
	if (any(2))
		json_object_set_new(rule, any(2) ? "gated" : "ungated", json_true());
}

static json_t *any_net_rule(void)
{
	static const char *const protocols[] = { "tcp", "udp", "sctp", "udplite", NULL };
	json_t *rule = json_object();
	bool six = any(2);

	json_object_set_new(rule, "hook", json_string(one_of(words_hook)));
	any_reaction(rule);
	any_conditions(rule);
	any_demand(rule);
	json_object_set_new(rule, "protocol", json_string(one_of(protocols)));
	if (any(2))
		json_object_set_new(rule, "any-port", json_true());
	else
		any_ports(rule, "dport-min", "dport-max", "dport-range");
	if (any(2))
		any_ports(rule, "sport-min", "sport-max", "sport-range");
	if (any(2))
		any_network(rule, six, "saddr", "saddr-prefix", "saddr-network");
	if (any(2))
		any_network(rule, six, "daddr", "daddr-prefix", "daddr-network");
	if (member_present(rule, "saddr") || member_present(rule, "saddr-network") ||
	    member_present(rule, "daddr") || member_present(rule, "daddr-network") || any(2))
		json_object_set_new(rule, "family", json_string(six ? "ip6" : "ip"));
	any_word_of(rule, "stream", words_stream);
	any_comment(rule);
	return rule;
}

/* A directory below the working directory, of any name; or a file system that need not be there. */
static void any_location(json_t *location, const char *below)
{
	char name[200], path[4096], uuid[48], *c;
	u32 i;

	any_word(name, 100);
	for (c = name; *c; c++)
		*c = *c == '/' ? '_' : *c;
	snprintf(path, sizeof(path), "%s/d%s", below, name);
	if (any(3)) {
		if (mkdir(path, 0700) && errno != EEXIST)
			perror(path);
		set_text(location, "path", path);
		return;
	}
	set_text(location, "path", path);
	for (i = 0; i < 16; i++)
		sprintf(uuid + 3 * i, "%02X%s", any(256), i < 15 ? " " : "");
	json_object_set_new(location, "uuid", json_string(uuid));
	json_object_set_new(location, "volume-type", json_string(any(2) ? "ext4" : "btrfs"));
	snprintf(path, sizeof(path), "/%s", name);
	set_text(location, "inside", path);
}

static void any_locations(json_t *rule, const char *below)
{
	json_t *others = json_array();
	u32 count = any(2) ? 0 : 1 + any(3);

	any_location(rule, below);
	while (count--) {
		json_array_append_new(others, json_object());
		any_location(json_array_get(others, json_array_size(others) - 1), below);
	}
	if (json_array_size(others))
		json_object_set(rule, "location", others);
	json_decref(others);
}

/* Where a rule is for. The default itself is not added, but one for some users is. */
static void any_fs_scope(json_t *rule, const char *below)
{
	static const char *const types[] = { "ext4", "fuse.sshfs", "a b", "-x", "\xc3\xa9", NULL };
	const char *scope = one_of(words_scope);

	json_object_set_new(rule, "scope", json_string(scope));
	if (!strcmp(scope, "subtree"))
		any_locations(rule, below);
	else if (!strcmp(scope, "superblock"))
		set_text(rule, "path", "/");
	else if (!strcmp(scope, "fstype"))
		set_text(rule, "fstype", one_of(types));
}

/* Users by their numbers: whether they are known does not matter. */
static void any_who(json_t *rule, bool must)
{
	u32 min = any(~0U), max = any(2) ? min : min + any(~0U - min);

	if (must || any(2)) {
		json_object_set_new(rule, "uid-min", json_integer(min));
		json_object_set_new(rule, "uid-max", json_integer(max));
	}
	if (any(2))
		json_object_set_new(rule, "userns-owner", json_integer(any(~0U)));
	if (any(2))
		set_text(rule, "cgroup", any(2) ? "/" : "/a b/-c");
}

static json_t *any_fs_rule(const char *below)
{
	static const char *const flags[] = { "admin-exempt", "judge-onto", "allow-move" };
	json_t *rule = json_object();
	size_t i;

	any_fs_scope(rule, below);
	any_who(rule, !strcmp(member_text(rule, "scope"), "default"));
	json_object_set_new(rule, "mode", json_string(one_of(words_mode)));
	any_classes(rule, "refuse");
	any_word_of(rule, "form", words_form);
	for (i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
		if (any(2))
			json_object_set_new(rule, flags[i], json_true());
	any_comment(rule);
	return rule;
}

/* The rule that the only line of a policy requests. */
static json_t *only_rule(const struct policy *policy, const struct rules *of)
{
	const struct nlmsghdr *message = policy->entries[0].message;

	return attributes_decode(of->rule, mnl_nlmsg_get_payload_offset(message, sizeof(u32)),
				 mnl_nlmsg_get_payload_len(message) - sizeof(u32));
}

/*
 * With a descriptor of a mount go the names from there, which the rule does not show like that: takes
 * them out. False where the path does not end with them.
 */
static bool take_inside(json_t *rule)
{
	json_t *location;
	bool good = true;
	size_t i;

	rule_for_each_location(rule, i, location) {
		const char *path = member_text(location, "path");
		const char *inside = member_text(location, "inside");
		size_t all = strlen(path), end = strlen(inside);

		if (json_object_get(location, "uuid") || !json_object_get(location, "inside"))
			continue;
		good &= *inside == '/' && end <= all && !strcmp(path + all - end, inside);
		json_object_del(location, "inside");
	}
	return good;
}

/* A rule, the line that shows it, what that line requests: the same rule again? */
static bool rule_comes_back(const struct rules *of, const json_t *rule)
{
	struct policy policy = { .path = "text" };
	struct line line = { 0 };
	char *text;
	bool good;

	of->line(rule, &line);
	text = line_text(&line);
	line_free(&line);
	good = policy_read_text(&policy, text, strlen(text)) && policy.count == 1;
	if (good) {
		json_t *again = only_rule(&policy, of);

		good = take_inside(again) && json_equal(rule, again);
		if (!good)
			tap_note("%s: %s", text, json_dumps(again, JSON_SORT_KEYS));
		json_decref(again);
	}
	policy_free(&policy);
	free(text);
	return good;
}

static void check_rules(const struct rules *of, const char *below, unsigned int rounds)
{
	unsigned int good = 0, i;

	for (i = 0; i < rounds; i++) {
		json_t *rule = below ? any_fs_rule(below) : any_net_rule();

		good += rule_comes_back(of, rule);
		json_decref(rule);
	}
	tap_ok(good == rounds, "rules of %s come back from their lines: %u of %u", of->command,
	       good, rounds);
}

/* Lists of ports and networks, and as what they are kept: in order, and as few as they can be. */
static const struct {
	const char *word, *list, *kept;
} lists[] = {
	{ "dport", "443,80", "80,443" },
	{ "dport", "80,81,443", "80-81,443" },
	{ "dport", "90-95,80,92-99", "80,90-99" },
	{ "dport", "90-99,92-95", "90-99" },
	{ "sport", "1-2,5-6,3-4", "1-6" },
	{ "saddr", "198.51.100.7,192.0.2.0/24", "192.0.2.0/24,198.51.100.7" },
	{ "saddr", "10.128.0.0/9,10.0.0.0/9", "10.0.0.0/8" },
	{ "saddr", "10.192.0.0/10,10.128.0.0/10,10.64.0.0/10,10.0.0.0/10", "10.0.0.0/8" },
	{ "daddr", "10.1.2.3,10.0.0.0/8,192.0.2.1", "10.0.0.0/8,192.0.2.1" },
	{ "daddr", "2001:db8::/34,2001:db8:4000::/34,2001:db8:8000::/33", "2001:db8::/32" },
	{ "daddr", "10.64.0.0/10,10.128.0.0/10", "10.64.0.0/10,10.128.0.0/10" },
};

/* The word after @word of the line of the only rule; "" if there is none. For free(). */
static char *kept_after(const struct policy *policy, const char *word)
{
	json_t *rule = only_rule(policy, &rules_net);
	struct line line = { 0 };
	char *found = NULL;
	size_t i;

	rules_net.line(rule, &line);
	for (i = 0; i + 1 < line.count; i++)
		if (!strcmp(line.words[i], word))
			found = strdup(line.words[i + 1]);
	line_free(&line);
	json_decref(rule);
	return found ? found : strdup("");
}

static void check_lists(void)
{
	struct policy policy = { .path = "text" };
	char text[4096];
	size_t i;

	for (i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
		char *kept = NULL;

		policy = (struct policy){ .path = "text" };
		snprintf(text, sizeof(text), "net add input tcp %s%s %s audit",
			 strcmp(lists[i].word, "dport") ? "dport 1 " : "", lists[i].word,
			 lists[i].list);
		if (policy_read_text(&policy, text, strlen(text)) && policy.count == 1)
			kept = kept_after(&policy, lists[i].word);
		tap_ok(kept && !strcmp(kept, lists[i].kept), "%s %s is %s", lists[i].word,
		       lists[i].list, lists[i].kept);
		free(kept);
		policy_free(&policy);
	}
}

/* The member @name of the only rule of a text; "" if there is none. For free(). */
static char *member_of(const char *text, const struct rules *of, const char *name)
{
	struct policy policy = { .path = "text" };
	char *value = NULL;

	if (policy_read_text(&policy, text, strlen(text)) && policy.count == 1) {
		json_t *rule = only_rule(&policy, of);

		value = strdup(member_word(rule, name));
		json_decref(rule);
	}
	policy_free(&policy);
	return value ? value : strdup("");
}

/* What a line does not say by itself. */
static const struct {
	const char *text;
	const struct rules *of;
	const char *member, *value;
} implied[] = {
	{ "net add input tcp dport 1 saddr 192.0.2.1 audit", &rules_net, "family", "ip" },
	{ "net add input tcp dport 1 daddr 2001:db8::1 audit", &rules_net, "family", "ip6" },
	{ "net add input tcp dport 1 audit", &rules_net, "family", "" },
	{ "net add input tcp dport 1 marked 7 audit", &rules_net, "mark-mask", "4294967295" },
	{ "net add input tcp dport 1 audit stream", &rules_net, "stream", "strict" },
	{ "net add input tcp dport 1 audit scope first 8", &rules_net, "offset", "0" },
	{ "fs add fstype ext4 audit admin judge", &rules_fs, "admin-exempt", "" },
	{ "fs add fstype ext4 audit onto allow", &rules_fs, "judge-onto", "" },
	{ "fs add fstype ext4 audit move judge", &rules_fs, "allow-move", "" },
	{ "fs add fstype ext4 audit profile portable-nfc", &rules_fs, "form", "nfc" },
	{ "fs add fstype ext4 audit profile portable-nfc form nfd", &rules_fs, "form", "nfd" },
	{ "fs add fstype ext4 audit form nfd profile portable-nfc", &rules_fs, "form", "nfd" },
	{ "fs add default cgroup / audit", &rules_fs, "may-wait", "" },
};

static void check_implied(void)
{
	size_t i;

	for (i = 0; i < sizeof(implied) / sizeof(implied[0]); i++) {
		char *value = member_of(implied[i].text, implied[i].of, implied[i].member);

		tap_ok(!strcmp(value, implied[i].value), "%s: %s is %s", implied[i].text,
		       implied[i].member, *implied[i].value ? implied[i].value : "not said");
		if (strcmp(value, implied[i].value))
			tap_note("%s", value);
		free(value);
	}
}

/* A list of @count that cannot be made shorter. */
static bool has_room(const char *word, const char *format, unsigned int count)
{
	struct policy policy = { .path = "text" };
	char text[4096];
	unsigned int i;
	bool good;
	int len;

	len = sprintf(text, "net add input tcp %s%s ", *word == 'd' ? "" : "dport 1 ", word);
	for (i = 0; i < count; i++)
		len += sprintf(text + len, format, i ? "," : "", 2 * i + 1);
	sprintf(text + len, " audit");
	good = policy_read_text(&policy, text, strlen(text));
	policy_free(&policy);
	return good;
}

static void check_room(void)
{
	tap_ok(has_room("dport", "%s%u", 16) && !has_room("dport", "%s%u", 17),
	       "16 ranges of ports, and no more");
	tap_ok(has_room("saddr", "%s10.0.0.%u", 64) && !has_room("saddr", "%s10.0.0.%u", 65),
	       "64 networks, and no more");
}

int main(void)
{
	char below[] = "/tmp/policy_line.XXXXXX", remove[64];

	if (!mkdtemp(below))
		return 1;
	check_octets();
	check_lines();
	tap_ok(bash_agrees(2000), "bash makes the same words of 2000 lines");
	check_readings();
	check_special();
	check_lists();
	check_implied();
	check_room();
	check_rules(&rules_net, NULL, ROUNDS);
	/* The tool opens paths by it, but Debian 12's emulator of programs does not know it. */
	if (syscall(SYS_openat2, -1, "", NULL, 0) < 0 && errno == ENOSYS)
		tap_skip("rules of fs come back from their lines", "there is no openat2() here");
	else
		check_rules(&rules_fs, below, 1000);
	snprintf(remove, sizeof(remove), "rm -rf %s", below);
	return system(remove) || tap_done();
}
