// SPDX-License-Identifier: GPL-2.0
/* The attribute sets of the specs in include/netlink/: a row for each attribute. */
#include <linux/utf8guard.h>
#include <uapi/linux/utf8guard_fs.h>
#include <uapi/linux/utf8guard_nf.h>

#include "../../kernel/service/words.h"
#include "attribute.h"
#include "attributes.h"
#include "enumerations.h"

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
const struct attributes attributes_fs_status = SET_OF_COUNTS(fs_status);

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
const struct attributes attributes_nf_status = SET_OF_COUNTS(nf_status);

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
	[UTF8GUARD_NF_A_RULE_FAMILY] = NAMED("family", address_family_name),
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
