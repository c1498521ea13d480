// SPDX-License-Identifier: GPL-2.0
/* The words for the values of the enumerations in include/netlink/. */
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>

#include <linux/utf8guard.h>
#include <uapi/linux/utf8guard_fs.h>
#include <uapi/linux/utf8guard_nf.h>

#include "enumerations.h"

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

const char *const words_subvolumes[] = {
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

const char *const words_outcome[] = {
	[UTF8GUARD_OUTCOME_AUDITED] = "audited",
	[UTF8GUARD_OUTCOME_REFUSED] = "refused",
	NULL,
};

/* Both families say it with the same numbers. */
const char *const words_difference[] = {
	[UTF8GUARD_FS_DIFFERENCE_ADDED] = "added",
	[UTF8GUARD_FS_DIFFERENCE_REPLACED] = "replaced",
	[UTF8GUARD_FS_DIFFERENCE_DELETED] = "deleted",
	NULL,
};

const char *class_name(unsigned long long number)
{
	return number <= UTF8GUARD_CLASS_MAX ? utf8guard_class_name(number) : NULL;
}

const char *note_text(unsigned long long number)
{
	return number <= UTF8GUARD_NOTE_NEVER_USED ? utf8guard_note_text(number) : NULL;
}

const char *address_family_name(unsigned long long number)
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
