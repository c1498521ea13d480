// SPDX-License-Identifier: GPL-2.0
/* The attributes of the specs in include/netlink/, as JSON objects. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include <linux/utf8guard.h>
#include <uapi/linux/utf8guard_fs.h>
#include <uapi/linux/utf8guard_nf.h>

#include "../../kernel/service/words.h"
#include "attributes.h"
#include "output/output.h"
#include "output/text.h"

const char *const words_mode[] = {
	[UTF8GUARD_FS_MODE_OFF] = "off",
	[UTF8GUARD_FS_MODE_AUDIT] = "audit",
	[UTF8GUARD_FS_MODE_ENFORCE] = "enforce",
	NULL,
};

const char *const words_scope[] = {
	[UTF8GUARD_FS_SCOPE_DEFAULT] = "default",
	[UTF8GUARD_FS_SCOPE_SUBTREE] = "subtree",
	[UTF8GUARD_FS_SCOPE_SUPERBLOCK] = "superblock",
	[UTF8GUARD_FS_SCOPE_FSTYPE] = "fstype",
	NULL,
};

static const char *const words_subvolumes[] = {
	[UTF8GUARD_FS_SUBVOLUMES_ABSENT] = "absent",
	[UTF8GUARD_FS_SUBVOLUMES_COVERED] = "covered",
	[UTF8GUARD_FS_SUBVOLUMES_UNCOVERED] = "uncovered",
	NULL,
};

const char *const words_hook[] = {
	[UTF8GUARD_NF_HOOK_INPUT] = "input",
	[UTF8GUARD_NF_HOOK_FORWARD] = "forward",
	[UTF8GUARD_NF_HOOK_OUTPUT] = "output",
	NULL,
};

const char *const words_action[] = {
	[UTF8GUARD_NF_ACTION_COUNT] = "count",
	[UTF8GUARD_NF_ACTION_AUDIT] = "audit",
	[UTF8GUARD_NF_ACTION_DROP] = "drop",
	[UTF8GUARD_NF_ACTION_REJECT] = "reject",
	[UTF8GUARD_NF_ACTION_MARK] = "mark",
	[UTF8GUARD_NF_ACTION_CTMARK] = "ctmark",
	NULL,
};

const char *const words_direction[] = {
	[UTF8GUARD_NF_DIRECTION_ORIGINAL] = "original",
	[UTF8GUARD_NF_DIRECTION_REPLY] = "reply",
	NULL,
};

const char *const words_part[] = {
	[UTF8GUARD_NF_SCOPE_PAYLOAD] = "payload",
	[UTF8GUARD_NF_SCOPE_PART] = "part",
	[UTF8GUARD_NF_SCOPE_DNS_LABELS] = "dns-labels",
	[UTF8GUARD_NF_SCOPE_HTTP_TARGET] = "http-target",
	[UTF8GUARD_NF_SCOPE_HTTP_HEADERS] = "http-headers",
	[UTF8GUARD_NF_SCOPE_SMTP_LINE] = "smtp-line",
	[UTF8GUARD_NF_SCOPE_SMTP_HEADERS] = "smtp-headers",
	NULL,
};

const char *const words_decode[] = {
	[UTF8GUARD_NF_DECODE_RAW] = "raw",
	[UTF8GUARD_NF_DECODE_PERCENT] = "percent",
	NULL,
};

const char *const words_fail[] = {
	[UTF8GUARD_NF_FAIL_OPEN] = "open",
	[UTF8GUARD_NF_FAIL_CLOSED] = "closed",
	NULL,
};

const char *const words_stream[] = {
	[UTF8GUARD_NF_STREAM_STRICT] = "strict",
	[UTF8GUARD_NF_STREAM_LENIENT] = "lenient",
	NULL,
};

const char *const words_form[] = {
	[UTF8GUARD_FORM_NFC] = "nfc",
	[UTF8GUARD_FORM_NFD] = "nfd",
	[UTF8GUARD_FORM_NFKC] = "nfkc",
	[UTF8GUARD_FORM_NFKD] = "nfkd",
	[UTF8GUARD_FORM_NFKC_CASEFOLD] = "nfkc-casefold",
	NULL,
};

static const char *const words_outcome[] = {
	[UTF8GUARD_OUTCOME_AUDITED] = "audited",
	[UTF8GUARD_OUTCOME_REFUSED] = "refused",
	NULL,
};

/* Both families say it with the same numbers. */
static const char *const words_difference[] = {
	[UTF8GUARD_FS_DIFFERENCE_ADDED] = "added",
	[UTF8GUARD_FS_DIFFERENCE_REPLACED] = "replaced",
	[UTF8GUARD_FS_DIFFERENCE_DELETED] = "deleted",
	NULL,
};

static const char *class_name(unsigned long long number)
{
	return number <= UTF8GUARD_CLASS_MAX ? utf8guard_class_name(number) : NULL;
}

static const char *note_text(unsigned long long number)
{
	return number <= UTF8GUARD_NOTE_NEVER_USED ? utf8guard_note_text(number) : NULL;
}

static const char *family_name(unsigned long long number)
{
	return number == AF_INET ? "ip" : number == AF_INET6 ? "ip6" : NULL;
}

/* NULL where payload of that protocol is not judged. */
const char *protocol_name(unsigned long long number)
{
	switch (number) {
	case IPPROTO_TCP:
		return "tcp";
	case IPPROTO_UDP:
		return "udp";
	case IPPROTO_SCTP:
		return "sctp";
	case IPPROTO_UDPLITE:
		return "udplite";
	default:
		return NULL;
	}
}

enum kind {
	KIND_HIDDEN,
	KIND_NUMBER,	/* 1, 2, 4 or 8 octets; a word where there is one for it */
	KIND_DECIMAL,	/* may exceed 2^53 - 1: a string of digits, always */
	KIND_FLAG,
	KIND_STRING,	/* escaped */
	KIND_BYTES,	/* as text, escaped */
	KIND_TEXT,	/* as it is: UTF-8 */
	KIND_HEX,
	KIND_ADDRESS,
	KIND_NEST,	/* an array, of one or more */
	KIND_OBJECT,	/* attributes of another set, once */
	KIND_CLASSES,	/* a mask, as an array of names */
};

/* @list and @word: two ways to say what a number means */
struct attribute {
	const char *name;
	enum kind kind;
	const char *const *list;
	const char *(*word)(unsigned long long number);
	const struct attributes *nest;
};

#define OF_KIND(called, what) { .name = (called), .kind = (what) }
#define NUMBER(called) OF_KIND(called, KIND_NUMBER)
#define DECIMAL(called) OF_KIND(called, KIND_DECIMAL)
#define FLAG(called) OF_KIND(called, KIND_FLAG)
#define STRING(called) OF_KIND(called, KIND_STRING)
#define BYTES(called) OF_KIND(called, KIND_BYTES)
#define TEXT(called) OF_KIND(called, KIND_TEXT)
#define CLASSES(called) OF_KIND(called, KIND_CLASSES)
#define HEX(called) OF_KIND(called, KIND_HEX)
#define ADDRESS(called) OF_KIND(called, KIND_ADDRESS)
#define LISTED(called, words) { .name = (called), .kind = KIND_NUMBER, .list = (words) }
#define NAMED(called, function) { .name = (called), .kind = KIND_NUMBER, .word = (function) }
#define OBJECT(called, set) { .name = (called), .kind = KIND_OBJECT, .nest = (set) }
#define NEST(called, set) { .name = (called), .kind = KIND_NEST, .nest = (set) }

#define SET_WITH(set, ...) { .at = (set), .count = sizeof(set) / sizeof((set)[0]), __VA_ARGS__ }
#define SET(set) SET_WITH(set, .counts = false)
#define SET_OF_COUNTS(set) SET_WITH(set, .counts = true)
#define SET_OF_RULE(set) SET_WITH(set, .of_rule = true)

static const struct attribute info[UTF8GUARD_A_INFO_MAX + 1] = {
	[UTF8GUARD_A_INFO_VERSION] = STRING("version"),
	[UTF8GUARD_A_INFO_BUILD] = STRING("build"),
	[UTF8GUARD_A_INFO_UNICODE] = STRING("unicode"),
	[UTF8GUARD_A_INFO_ENGINE] = STRING("engine"),
	[UTF8GUARD_A_INFO_EVENTS] = NUMBER("events"),
	[UTF8GUARD_A_INFO_SUPPRESSED] = NUMBER("suppressed"),
	[UTF8GUARD_A_INFO_LOST] = NUMBER("lost"),
};
const struct attributes attributes_info = SET(info);

/* The class stays a number: the codec's own functions take it from here. */
static const struct attribute text[UTF8GUARD_A_TEXT_MAX + 1] = {
	[UTF8GUARD_A_TEXT_DATA] = TEXT("data"),
	[UTF8GUARD_A_TEXT_CLASS] = NUMBER("class"),
	[UTF8GUARD_A_TEXT_NOTE] = NUMBER("note"),
	[UTF8GUARD_A_TEXT_OFFSET] = NUMBER("offset"),
	[UTF8GUARD_A_TEXT_LENGTH] = NUMBER("length"),
	[UTF8GUARD_A_TEXT_SPAN] = NUMBER("span"),
	[UTF8GUARD_A_TEXT_CODE_POINT] = NUMBER("code-point"),
	[UTF8GUARD_A_TEXT_FORM] = LISTED("form", words_form),
	[UTF8GUARD_A_TEXT_CHECK] = FLAG("check"),
	[UTF8GUARD_A_TEXT_QUICK_CHECK] = NUMBER("quick-check"),
	[UTF8GUARD_A_TEXT_SIZE] = NUMBER("size"),
};
const struct attributes attributes_text = SET(text);

static const struct attribute event[UTF8GUARD_A_EVENT_MAX + 1] = {
	[UTF8GUARD_A_EVENT_TIME] = DECIMAL("time"),
	[UTF8GUARD_A_EVENT_OP] = STRING("op"),
	[UTF8GUARD_A_EVENT_OUTCOME] = LISTED("outcome", words_outcome),
	[UTF8GUARD_A_EVENT_RULE] = NUMBER("rule"),
	[UTF8GUARD_A_EVENT_CLASS] = NAMED("class", class_name),
	[UTF8GUARD_A_EVENT_NOTE] = NAMED("note", note_text),
	[UTF8GUARD_A_EVENT_OFFSET] = NUMBER("offset"),
	[UTF8GUARD_A_EVENT_CODE_POINT] = NUMBER("code-point"),
	[UTF8GUARD_A_EVENT_BYTES] = HEX("bytes"),
	[UTF8GUARD_A_EVENT_SUPPRESSED] = NUMBER("suppressed"),
	[UTF8GUARD_A_EVENT_NAME] = BYTES("name"),
	[UTF8GUARD_A_EVENT_DEVICE] = STRING("device"),
	[UTF8GUARD_A_EVENT_FSTYPE] = STRING("fstype"),
	[UTF8GUARD_A_EVENT_INODE] = DECIMAL("inode"),
	[UTF8GUARD_A_EVENT_PENDING] = FLAG("pending"),
	[UTF8GUARD_A_EVENT_PID] = NUMBER("pid"),
	[UTF8GUARD_A_EVENT_UID] = NUMBER("uid"),
	[UTF8GUARD_A_EVENT_COMM] = BYTES("comm"),
	[UTF8GUARD_A_EVENT_PROTOCOL] = NAMED("protocol", protocol_name),
	[UTF8GUARD_A_EVENT_SADDR] = ADDRESS("saddr"),
	[UTF8GUARD_A_EVENT_DADDR] = ADDRESS("daddr"),
	[UTF8GUARD_A_EVENT_SPORT] = NUMBER("sport"),
	[UTF8GUARD_A_EVENT_DPORT] = NUMBER("dport"),
	[UTF8GUARD_A_EVENT_LENGTH] = NUMBER("length"),
	[UTF8GUARD_A_EVENT_REASON] = LISTED("reason", utf8guard_reason_words),
	[UTF8GUARD_A_EVENT_FAMILY] = STRING("family"),
	[UTF8GUARD_A_EVENT_COMMENT] = STRING("comment"),
	[UTF8GUARD_A_EVENT_PATH] = BYTES("path"),
	[UTF8GUARD_A_EVENT_MAJOR] = NUMBER("major"),
	[UTF8GUARD_A_EVENT_MINOR] = NUMBER("minor"),
	[UTF8GUARD_A_EVENT_EXEMPT] = STRING("exempt"),
	[UTF8GUARD_A_EVENT_CAUSE] = LISTED("cause", utf8guard_cause_words),
	[UTF8GUARD_A_EVENT_FSUID] = NUMBER("fsuid"),
};
const struct attributes attributes_event = SET(event);

static const struct attribute fs_change[UTF8GUARD_FS_A_CHANGE_MAX + 1] = {
	[UTF8GUARD_FS_A_CHANGE_KIND] = LISTED("kind", words_difference),
	[UTF8GUARD_FS_A_CHANGE_RULE] = OBJECT("rule", &attributes_fs_rule),
};
static const struct attributes attributes_fs_change = SET(fs_change);

static const struct attribute fs_count[UTF8GUARD_FS_A_COUNT_MAX + 1] = {
	[UTF8GUARD_FS_A_COUNT_CLASS] = NAMED("class", class_name),
	[UTF8GUARD_FS_A_COUNT_REFUSED] = NUMBER("refused"),
	[UTF8GUARD_FS_A_COUNT_AUDITED] = NUMBER("audited"),
};
static const struct attributes attributes_fs_count = SET_OF_COUNTS(fs_count);

static const struct attribute fs_status[UTF8GUARD_FS_A_STATUS_MAX + 1] = {
	[UTF8GUARD_FS_A_STATUS_GENERATION] = NUMBER("generation"),
	[UTF8GUARD_FS_A_STATUS_RULES] = NUMBER("rules"),
	[UTF8GUARD_FS_A_STATUS_ENFORCING] = NUMBER("enforcing"),
	[UTF8GUARD_FS_A_STATUS_CHECKED] = NUMBER("checked"),
	[UTF8GUARD_FS_A_STATUS_REFUSED] = NUMBER("refused"),
	[UTF8GUARD_FS_A_STATUS_AUDITED] = NUMBER("audited"),
	[UTF8GUARD_FS_A_STATUS_EXEMPT] = NUMBER("exempt"),
	[UTF8GUARD_FS_A_STATUS_MISSED] = NUMBER("missed"),
	[UTF8GUARD_FS_A_STATUS_LOCKED] = NUMBER("locked"),
	[UTF8GUARD_FS_A_STATUS_CONFIRM] = NUMBER("confirm"),
	[UTF8GUARD_FS_A_STATUS_DEEP] = NUMBER("deep"),
	[UTF8GUARD_FS_A_STATUS_EXEMPT_OVERLAY] = NUMBER("exempt-overlay"),
	[UTF8GUARD_FS_A_STATUS_USERNS_OVERLAY] = NUMBER("userns-overlay"),
	[UTF8GUARD_FS_A_STATUS_SUBVOLUMES] = LISTED("subvolumes", words_subvolumes),
	[UTF8GUARD_FS_A_STATUS_SUBVOLUMES_WHY] = STRING("subvolumes-why"),
	[UTF8GUARD_FS_A_STATUS_ACTION] = STRING("action"),
	[UTF8GUARD_FS_A_STATUS_ADDED] = NUMBER("added"),
	[UTF8GUARD_FS_A_STATUS_REPLACED] = NUMBER("replaced"),
	[UTF8GUARD_FS_A_STATUS_DELETED] = NUMBER("deleted"),
	[UTF8GUARD_FS_A_STATUS_CHANGE] = NEST("change", &attributes_fs_change),
	[UTF8GUARD_FS_A_STATUS_COUNT] = NEST("count", &attributes_fs_count),
};
const struct attributes attributes_fs_status = SET(fs_status);

static const struct attribute fs_step[UTF8GUARD_FS_A_STEP_MAX + 1] = {
	[UTF8GUARD_FS_A_STEP_HANDLE] = NUMBER("handle"),
	[UTF8GUARD_FS_A_STEP_FITS] = FLAG("fits"),
};
static const struct attributes attributes_fs_step = SET(fs_step);

static const struct attribute fs_location[UTF8GUARD_FS_A_LOCATION_MAX + 1] = {
	[UTF8GUARD_FS_A_LOCATION_PATH] = STRING("path"),
	[UTF8GUARD_FS_A_LOCATION_UUID] = HEX("uuid"),
	[UTF8GUARD_FS_A_LOCATION_VOLUME_TYPE] = STRING("volume-type"),
	[UTF8GUARD_FS_A_LOCATION_INSIDE] = STRING("inside"),
	[UTF8GUARD_FS_A_LOCATION_DEVICE] = STRING("device"),
	[UTF8GUARD_FS_A_LOCATION_WAITING] = FLAG("waiting"),
	[UTF8GUARD_FS_A_LOCATION_MAJOR] = NUMBER("major"),
	[UTF8GUARD_FS_A_LOCATION_MINOR] = NUMBER("minor"),
};
static const struct attributes attributes_fs_location = SET(fs_location);

static const struct attribute fs_rule[UTF8GUARD_FS_A_RULE_MAX + 1] = {
	[UTF8GUARD_FS_A_RULE_HANDLE] = NUMBER("handle"),
	[UTF8GUARD_FS_A_RULE_SCOPE] = LISTED("scope", words_scope),
	[UTF8GUARD_FS_A_RULE_MODE] = LISTED("mode", words_mode),
	[UTF8GUARD_FS_A_RULE_PATH] = STRING("path"),
	[UTF8GUARD_FS_A_RULE_DEVICE] = STRING("device"),
	[UTF8GUARD_FS_A_RULE_INODE] = DECIMAL("inode"),
	[UTF8GUARD_FS_A_RULE_COUNT] = NEST("count", &attributes_fs_count),
	[UTF8GUARD_FS_A_RULE_GENERATION] = NUMBER("generation"),
	[UTF8GUARD_FS_A_RULE_COMMENT] = STRING("comment"),
	[UTF8GUARD_FS_A_RULE_FSTYPE] = STRING("fstype"),
	[UTF8GUARD_FS_A_RULE_UID_MIN] = NUMBER("uid-min"),
	[UTF8GUARD_FS_A_RULE_UID_MAX] = NUMBER("uid-max"),
	[UTF8GUARD_FS_A_RULE_USERNS_PID] = NUMBER("userns-pid"),
	[UTF8GUARD_FS_A_RULE_USERNS] = NUMBER("userns"),
	[UTF8GUARD_FS_A_RULE_CGROUP] = STRING("cgroup"),
	[UTF8GUARD_FS_A_RULE_REFUSE] = CLASSES("refuse"),
	[UTF8GUARD_FS_A_RULE_FORM] = LISTED("form", words_form),
	[UTF8GUARD_FS_A_RULE_ADMIN_EXEMPT] = FLAG("admin-exempt"),
	[UTF8GUARD_FS_A_RULE_JUDGE_ONTO] = FLAG("judge-onto"),
	[UTF8GUARD_FS_A_RULE_ALLOW_MOVE] = FLAG("allow-move"),
	[UTF8GUARD_FS_A_RULE_GONE] = FLAG("gone"),
	[UTF8GUARD_FS_A_RULE_DEEP] = FLAG("deep"),
	[UTF8GUARD_FS_A_RULE_INSIDE] = STRING("inside"),
	[UTF8GUARD_FS_A_RULE_UUID] = HEX("uuid"),
	[UTF8GUARD_FS_A_RULE_VOLUME_TYPE] = STRING("volume-type"),
	[UTF8GUARD_FS_A_RULE_WAITING] = FLAG("waiting"),
	[UTF8GUARD_FS_A_RULE_USERNS_OWNER] = NUMBER("userns-owner"),
	[UTF8GUARD_FS_A_RULE_MAY_WAIT] = FLAG("may-wait"),
	[UTF8GUARD_FS_A_RULE_CGROUP_WAITING] = FLAG("cgroup-waiting"),
	[UTF8GUARD_FS_A_RULE_STEP] = NEST("step", &attributes_fs_step),
	[UTF8GUARD_FS_A_RULE_EXEMPT] = FLAG("exempt"),
	[UTF8GUARD_FS_A_RULE_MAJOR] = NUMBER("major"),
	[UTF8GUARD_FS_A_RULE_MINOR] = NUMBER("minor"),
	[UTF8GUARD_FS_A_RULE_PID] = NUMBER("pid"),
	[UTF8GUARD_FS_A_RULE_NAME] = STRING("name"),
	[UTF8GUARD_FS_A_RULE_OUTCOME] = LISTED("outcome", words_outcome),
	[UTF8GUARD_FS_A_RULE_CLASS] = NAMED("class", class_name),
	[UTF8GUARD_FS_A_RULE_OFFSET] = NUMBER("offset"),
	[UTF8GUARD_FS_A_RULE_LENGTH] = NUMBER("length"),
	[UTF8GUARD_FS_A_RULE_EXIST] = FLAG("exist"),
	[UTF8GUARD_FS_A_RULE_LOCATION] = NEST("location", &attributes_fs_location),
};
const struct attributes attributes_fs_rule = SET_OF_RULE(fs_rule);

static const struct attribute nf_change[UTF8GUARD_NF_A_CHANGE_MAX + 1] = {
	[UTF8GUARD_NF_A_CHANGE_KIND] = LISTED("kind", words_difference),
	[UTF8GUARD_NF_A_CHANGE_RULE] = OBJECT("rule", &attributes_nf_rule),
};
static const struct attributes attributes_nf_change = SET(nf_change);

static const struct attribute nf_count[UTF8GUARD_NF_A_COUNT_MAX + 1] = {
	[UTF8GUARD_NF_A_COUNT_CLASS] = NAMED("class", class_name),
	[UTF8GUARD_NF_A_COUNT_REFUSED] = NUMBER("refused"),
	[UTF8GUARD_NF_A_COUNT_AUDITED] = NUMBER("audited"),
};
static const struct attributes attributes_nf_count = SET_OF_COUNTS(nf_count);

static const struct attribute nf_status[UTF8GUARD_NF_A_STATUS_MAX + 1] = {
	[UTF8GUARD_NF_A_STATUS_GENERATION] = NUMBER("generation"),
	[UTF8GUARD_NF_A_STATUS_RULES] = NUMBER("rules"),
	[UTF8GUARD_NF_A_STATUS_LOCKED] = NUMBER("locked"),
	[UTF8GUARD_NF_A_STATUS_CONFIRM] = NUMBER("confirm"),
	[UTF8GUARD_NF_A_STATUS_FLOWS] = NUMBER("flows"),
	[UTF8GUARD_NF_A_STATUS_COPIES] = NUMBER("copies"),
	[UTF8GUARD_NF_A_STATUS_COPIES_MAX] = NUMBER("copies-max"),
	[UTF8GUARD_NF_A_STATUS_COPIES_REFUSED] = NUMBER("copies-refused"),
	[UTF8GUARD_NF_A_STATUS_COPIES_GIVEN_UP] = NUMBER("copies-given-up"),
	[UTF8GUARD_NF_A_STATUS_UNMATCHED] = NUMBER("unmatched"),
	[UTF8GUARD_NF_A_STATUS_EMPTY] = NUMBER("empty"),
	[UTF8GUARD_NF_A_STATUS_UNPARSED] = NUMBER("unparsed"),
	[UTF8GUARD_NF_A_STATUS_FRAGMENTS] = NUMBER("fragments"),
	[UTF8GUARD_NF_A_STATUS_ACTION] = STRING("action"),
	[UTF8GUARD_NF_A_STATUS_ADDED] = NUMBER("added"),
	[UTF8GUARD_NF_A_STATUS_REPLACED] = NUMBER("replaced"),
	[UTF8GUARD_NF_A_STATUS_DELETED] = NUMBER("deleted"),
	[UTF8GUARD_NF_A_STATUS_CHANGE] = NEST("change", &attributes_nf_change),
	[UTF8GUARD_NF_A_STATUS_COUNT] = NEST("count", &attributes_nf_count),
};
const struct attributes attributes_nf_status = SET(nf_status);

static const struct attribute nf_port_range[UTF8GUARD_NF_A_PORT_RANGE_MAX + 1] = {
	[UTF8GUARD_NF_A_PORT_RANGE_FROM] = NUMBER("from"),
	[UTF8GUARD_NF_A_PORT_RANGE_TO] = NUMBER("to"),
};
static const struct attributes attributes_nf_port_range = SET(nf_port_range);

static const struct attribute nf_network[UTF8GUARD_NF_A_NETWORK_MAX + 1] = {
	[UTF8GUARD_NF_A_NETWORK_ADDRESS] = ADDRESS("address"),
	[UTF8GUARD_NF_A_NETWORK_PREFIX] = NUMBER("prefix"),
};
static const struct attributes attributes_nf_network = SET(nf_network);

static const struct attribute nf_rule[UTF8GUARD_NF_A_RULE_MAX + 1] = {
	[UTF8GUARD_NF_A_RULE_HANDLE] = NUMBER("handle"),
	[UTF8GUARD_NF_A_RULE_HOOK] = LISTED("hook", words_hook),
	[UTF8GUARD_NF_A_RULE_ACTION] = LISTED("action", words_action),
	[UTF8GUARD_NF_A_RULE_FAMILY] = NAMED("family", family_name),
	[UTF8GUARD_NF_A_RULE_PROTOCOL] = NAMED("protocol", protocol_name),
	[UTF8GUARD_NF_A_RULE_SPORT_MIN] = NUMBER("sport-min"),
	[UTF8GUARD_NF_A_RULE_SPORT_MAX] = NUMBER("sport-max"),
	[UTF8GUARD_NF_A_RULE_DPORT_MIN] = NUMBER("dport-min"),
	[UTF8GUARD_NF_A_RULE_DPORT_MAX] = NUMBER("dport-max"),
	[UTF8GUARD_NF_A_RULE_SPORT_RANGE] = NEST("sport-range", &attributes_nf_port_range),
	[UTF8GUARD_NF_A_RULE_DPORT_RANGE] = NEST("dport-range", &attributes_nf_port_range),
	[UTF8GUARD_NF_A_RULE_ANY_PORT] = FLAG("any-port"),
	[UTF8GUARD_NF_A_RULE_SADDR] = ADDRESS("saddr"),
	[UTF8GUARD_NF_A_RULE_SADDR_PREFIX] = NUMBER("saddr-prefix"),
	[UTF8GUARD_NF_A_RULE_DADDR] = ADDRESS("daddr"),
	[UTF8GUARD_NF_A_RULE_DADDR_PREFIX] = NUMBER("daddr-prefix"),
	[UTF8GUARD_NF_A_RULE_SADDR_NETWORK] = NEST("saddr-network", &attributes_nf_network),
	[UTF8GUARD_NF_A_RULE_DADDR_NETWORK] = NEST("daddr-network", &attributes_nf_network),
	[UTF8GUARD_NF_A_RULE_PACKETS] = NUMBER("packets"),
	[UTF8GUARD_NF_A_RULE_OCTETS] = DECIMAL("octets"),
	[UTF8GUARD_NF_A_RULE_SPLIT] = NUMBER("split"),
	[UTF8GUARD_NF_A_RULE_UNREADABLE] = NUMBER("unreadable"),
	[UTF8GUARD_NF_A_RULE_STREAM] = LISTED("stream", words_stream),
	[UTF8GUARD_NF_A_RULE_DIFFERS] = NUMBER("differs"),
	[UTF8GUARD_NF_A_RULE_FULL] = NUMBER("full"),
	[UTF8GUARD_NF_A_RULE_WINDOW] = NUMBER("window"),
	[UTF8GUARD_NF_A_RULE_URGENT] = NUMBER("urgent"),
	[UTF8GUARD_NF_A_RULE_RESYNC] = NUMBER("resync"),
	[UTF8GUARD_NF_A_RULE_PICKED_UP] = NUMBER("picked-up"),
	[UTF8GUARD_NF_A_RULE_UNTRACKED] = NUMBER("untracked"),
	[UTF8GUARD_NF_A_RULE_AHEAD] = NUMBER("ahead"),
	[UTF8GUARD_NF_A_RULE_EARLY] = NUMBER("early"),
	[UTF8GUARD_NF_A_RULE_COUNT] = NEST("count", &attributes_nf_count),
	[UTF8GUARD_NF_A_RULE_GENERATION] = NUMBER("generation"),
	[UTF8GUARD_NF_A_RULE_COMMENT] = STRING("comment"),
	[UTF8GUARD_NF_A_RULE_IIF] = STRING("iif"),
	[UTF8GUARD_NF_A_RULE_OIF] = STRING("oif"),
	[UTF8GUARD_NF_A_RULE_MARK] = NUMBER("mark"),
	[UTF8GUARD_NF_A_RULE_MARK_MASK] = NUMBER("mark-mask"),
	[UTF8GUARD_NF_A_RULE_DIRECTION] = LISTED("direction", words_direction),
	[UTF8GUARD_NF_A_RULE_REFUSE] = CLASSES("refuse"),
	[UTF8GUARD_NF_A_RULE_ALLOW] = CLASSES("allow"),
	[UTF8GUARD_NF_A_RULE_SCOPE] = LISTED("scope", words_part),
	[UTF8GUARD_NF_A_RULE_OFFSET] = NUMBER("offset"),
	[UTF8GUARD_NF_A_RULE_LENGTH] = NUMBER("length"),
	[UTF8GUARD_NF_A_RULE_DECODE] = LISTED("decode", words_decode),
	[UTF8GUARD_NF_A_RULE_UNGATED] = FLAG("ungated"),
	[UTF8GUARD_NF_A_RULE_GATED] = FLAG("gated"),
	[UTF8GUARD_NF_A_RULE_FAIL] = LISTED("fail", words_fail),
	[UTF8GUARD_NF_A_RULE_SET_MARK] = NUMBER("set-mark"),
	[UTF8GUARD_NF_A_RULE_SET_MASK] = NUMBER("set-mask"),
	[UTF8GUARD_NF_A_RULE_BINARY] = NUMBER("binary"),
	[UTF8GUARD_NF_A_RULE_UNFOLLOWED] = NUMBER("unfollowed"),
	[UTF8GUARD_NF_A_RULE_EXIST] = FLAG("exist"),
};
const struct attributes attributes_nf_rule = SET_OF_RULE(nf_rule);

/* Takes over @made. */
static json_t *json_of_made(char *made)
{
	json_t *value = json_string(made);

	free(made);
	return value;
}

static const char *word_for(const struct attribute *attribute, u64 number)
{
	const char *const *word = attribute->list;

	if (attribute->word)
		return attribute->word(number);
	while (word && *word && number--)
		word++;
	return word ? *word : NULL;
}

unsigned int attributes_left_out;
unsigned int attributes_unknown[UNKNOWN_MOST], attributes_unknown_count;

static void note_unknown(const struct attributes *set, unsigned int type)
{
	unsigned int i;

	for (i = 0; i < attributes_unknown_count; i++)
		if (attributes_unknown[i] == type && set->of_rule)
			return;
	if (set->of_rule && attributes_unknown_count < UNKNOWN_MOST)
		attributes_unknown[attributes_unknown_count++] = type;
	else
		attributes_left_out++;
}

/* A number without a word stays a number; a module may be newer than the tool. */
static json_t *meaning(const struct attribute *attribute, u64 number)
{
	const char *word = word_for(attribute, number);

	if (word)
		return json_string(word);
	if (attribute->word == note_text && !number)
		return json_null();
	attributes_left_out += attribute->list || attribute->word;
	return json_integer((json_int_t)number);
}

static json_t *decode_number(const struct attribute *attribute,
			     const struct nlattr *nla)
{
	u64 number;

	switch (mnl_attr_get_payload_len(nla)) {
	case 1:
		number = mnl_attr_get_u8(nla);
		break;
	case 2:
		number = mnl_attr_get_u16(nla);
		break;
	case 4:
		number = mnl_attr_get_u32(nla);
		break;
	case 8:
		number = mnl_attr_get_u64(nla);
		break;
	default:
		return json_null();
	}
	return attribute->kind == KIND_DECIMAL ? decimal(number) : meaning(attribute, number);
}

/* A class that only a newer module knows stays a number. */
static json_t *decode_classes(const struct nlattr *nla)
{
	u32 mask = mnl_attr_get_payload_len(nla) == 4 ? mnl_attr_get_u32(nla) : 0;
	json_t *array = no_null(json_array());
	unsigned int class;

	for (class = 0; class < 32; class++) {
		const char *name = class_name(class);

		if (!(mask & UTF8GUARD_CLASS_BIT(class)))
			continue;
		attributes_left_out += !name;
		json_array_append_new(array, name ? json_string(name) : json_integer(class));
	}
	return array;
}

static json_t *decode_address(const struct nlattr *nla)
{
	char shown[INET6_ADDRSTRLEN];
	size_t length = mnl_attr_get_payload_len(nla);
	int family = length == 4 ? AF_INET : AF_INET6;

	if (length != 4 && length != 16)
		return json_of_made(text_hex(mnl_attr_get_payload(nla), length));
	inet_ntop(family, mnl_attr_get_payload(nla), shown, sizeof(shown));
	return json_string(shown);
}

static json_t *decode_value(const struct attribute *attribute,
			    const struct nlattr *nla)
{
	const char *payload = mnl_attr_get_payload(nla);
	size_t length = mnl_attr_get_payload_len(nla);

	switch (attribute->kind) {
	case KIND_NUMBER:
	case KIND_DECIMAL:
		return decode_number(attribute, nla);
	case KIND_FLAG:
		return json_true();
	case KIND_STRING:
		return json_of_made(text_escape(payload, strnlen(payload, length)));
	case KIND_BYTES:
		return json_of_made(text_escape(payload, length));
	case KIND_TEXT:
		return json_stringn(payload, length);
	case KIND_HEX:
		return json_of_made(text_hex(payload, length));
	case KIND_ADDRESS:
		return decode_address(nla);
	case KIND_CLASSES:
		return decode_classes(nla);
	case KIND_NEST:
	case KIND_OBJECT:
		return attributes_decode(attribute->nest, payload, length);
	default:
		return NULL;
	}
}

static void put(json_t *object, const struct attribute *attribute, json_t *value)
{
	json_t *array;

	if (attribute->kind != KIND_NEST) {
		json_object_set_new(object, attribute->name, value);
		return;
	}
	array = json_object_get(object, attribute->name);
	if (!array) {
		array = json_array();
		json_object_set_new(object, attribute->name, array);
	}
	json_array_append_new(array, value);
}

/* A module newer than the tool may send attributes without a name here. */
json_t *attributes_decode(const struct attributes *set, const void *first,
			  size_t length)
{
	const unsigned int left_out = attributes_left_out;
	json_t *object = no_null(json_object());
	const struct nlattr *attr;

	mnl_attr_for_each_payload(first, length) {
		unsigned int type = mnl_attr_get_type(attr);

		if (type >= set->count)
			note_unknown(set, type);
		if (type < set->count && set->at[type].kind != KIND_HIDDEN)
			put(object, &set->at[type], decode_value(&set->at[type], attr));
	}
	/* Of a class that only a newer module knows, for example. */
	if (set->counts)
		attributes_left_out = left_out;
	return object;
}

const char *attributes_name(const struct attributes *set, unsigned int type)
{
	return type < set->count ? set->at[type].name : NULL;
}

static const struct attribute *attribute_called(const struct attributes *set, const char *name)
{
	size_t i;

	for (i = 0; i < set->count; i++)
		if (set->at[i].kind != KIND_HIDDEN && !strcmp(set->at[i].name, name))
			return &set->at[i];
	return NULL;
}

/* Has an element of @array a member that is none of the set, or is it no object? */
static bool stranger_in(const struct attributes *set, json_t *array)
{
	json_t *element;
	size_t i;

	json_array_foreach(array, i, element) {
		if (!json_is_object(element) || attributes_stranger(set, element))
			return true;
	}
	return false;
}

static bool fits(const struct attribute *attribute, json_t *value)
{
	switch (attribute->kind) {
	case KIND_NUMBER:
		return json_is_integer(value) ||
		       ((attribute->list || attribute->word) && json_is_string(value));
	case KIND_DECIMAL:
		/* A number is from the JSON of an older tool. */
		return json_is_string(value) || json_is_integer(value);
	case KIND_FLAG:
		return json_is_true(value);
	case KIND_NEST:
		return json_is_array(value) && !stranger_in(attribute->nest, value);
	case KIND_CLASSES:
		return json_is_array(value);
	case KIND_OBJECT:
		return json_is_object(value);
	default:
		return json_is_string(value);
	}
}

/*
 * A member of @object that is none of the set or has a value of another type;
 * NULL if all are right. A rule with a match that is not understood would
 * apply to more than was meant.
 */
const char *attributes_stranger(const struct attributes *set, json_t *object)
{
	const char *name;
	json_t *value;

	json_object_foreach(object, name, value) {
		const struct attribute *attribute = attribute_called(set, name);

		if (!attribute || !fits(attribute, value))
			return name;
	}
	return NULL;
}

/* What the kernel said of a text, as the codec would have. */
struct utf8guard_error attributes_error(const json_t *reply)
{
	return (struct utf8guard_error){
		.offset = member_number(reply, "offset"),
		.class = member_number(reply, "class"),
		.note = member_number(reply, "note"),
		.length = member_number(reply, "length"),
		.span = member_number(reply, "span"),
	};
}
