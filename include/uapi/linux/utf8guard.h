/* SPDX-License-Identifier: ((GPL-2.0 WITH Linux-syscall-note) OR BSD-3-Clause) */
/* Do not edit directly, auto-generated from: */
/*	include/netlink/utf8guard.yaml */
/* YNL-GEN uapi header */

#ifndef _UAPI_LINUX_UTF8GUARD_H
#define _UAPI_LINUX_UTF8GUARD_H

#define UTF8GUARD_FAMILY_NAME		"utf8guard"
#define UTF8GUARD_FAMILY_VERSION	1

#define UTF8GUARD_MAX_TEXT	32768
#define UTF8GUARD_MAX_FORM	65531

/**
 * enum utf8guard_class - What is wrong with a text. The number is also the bit
 *   of the class in a mask of classes to refuse. 1 to 7 are the ways to break
 *   RFC 3629, the others are well-formed text that a policy may not want.
 * @UTF8GUARD_CLASS_NONE: Nothing is wrong.
 * @UTF8GUARD_CLASS_OVERLONG: A longer sequence than the code point needs (C0,
 *   C1, E0 80..9F, F0 80..8F).
 * @UTF8GUARD_CLASS_SURROGATE: A code point of U+D800..U+DFFF (ED A0..BF).
 * @UTF8GUARD_CLASS_TOO_LARGE: A code point above U+10FFFF (F4 90.., F5..F7).
 * @UTF8GUARD_CLASS_HEADER_BITS: An octet that begins nothing (F8..FF).
 * @UTF8GUARD_CLASS_TOO_SHORT: A lead octet without all of its continuation
 *   octets.
 * @UTF8GUARD_CLASS_TOO_LONG: A continuation octet that continues nothing.
 * @UTF8GUARD_CLASS_TRUNCATED: The text ends inside a sequence that is
 *   well-formed so far.
 * @UTF8GUARD_CLASS_NUL: U+0000.
 * @UTF8GUARD_CLASS_CONTROL: C0 and C1 controls and DEL, but for NUL and the
 *   newlines.
 * @UTF8GUARD_CLASS_NEWLINE: LF, CR, NEL, LINE SEPARATOR, PARAGRAPH SEPARATOR.
 * @UTF8GUARD_CLASS_BOM: U+FEFF at the beginning (RFC 3629 section 6).
 * @UTF8GUARD_CLASS_BIDI: Explicit bidirectional controls (UAX 9).
 * @UTF8GUARD_CLASS_NONCHARACTER: U+FDD0..U+FDEF and the last two code points
 *   of each plane.
 * @UTF8GUARD_CLASS_PRIVATE_USE: General category Co.
 * @UTF8GUARD_CLASS_UNASSIGNED: Not assigned in the Unicode version of the
 *   codec.
 * @UTF8GUARD_CLASS_DEFAULT_IGNORABLE: Default_Ignorable_Code_Point.
 * @UTF8GUARD_CLASS_EDGE_SPACE: White space at the beginning or at the end.
 * @UTF8GUARD_CLASS_NOT_NORMALIZED: Not in the normalization form that is asked
 *   for.
 * @UTF8GUARD_CLASS_PERCENT_MALFORMED: A percent sign without its two
 *   hexadecimal digits, where text is percent-decoded.
 * @UTF8GUARD_CLASS_PERCENT_DOUBLE: Percent-encoded twice; %25 and what a
 *   second decoding would decode.
 * @UTF8GUARD_CLASS_PERCENT_UNICODE: An escape of the form %uXXXX, which RFC
 *   3986 does not know.
 * @UTF8GUARD_CLASS_PERCENT_NUL: NUL, percent-encoded.
 */
enum utf8guard_class {
	UTF8GUARD_CLASS_NONE,
	UTF8GUARD_CLASS_OVERLONG,
	UTF8GUARD_CLASS_SURROGATE,
	UTF8GUARD_CLASS_TOO_LARGE,
	UTF8GUARD_CLASS_HEADER_BITS,
	UTF8GUARD_CLASS_TOO_SHORT,
	UTF8GUARD_CLASS_TOO_LONG,
	UTF8GUARD_CLASS_TRUNCATED,
	UTF8GUARD_CLASS_NUL,
	UTF8GUARD_CLASS_CONTROL,
	UTF8GUARD_CLASS_NEWLINE,
	UTF8GUARD_CLASS_BOM,
	UTF8GUARD_CLASS_BIDI,
	UTF8GUARD_CLASS_NONCHARACTER,
	UTF8GUARD_CLASS_PRIVATE_USE,
	UTF8GUARD_CLASS_UNASSIGNED,
	UTF8GUARD_CLASS_DEFAULT_IGNORABLE,
	UTF8GUARD_CLASS_EDGE_SPACE,
	UTF8GUARD_CLASS_NOT_NORMALIZED,
	UTF8GUARD_CLASS_PERCENT_MALFORMED,
	UTF8GUARD_CLASS_PERCENT_DOUBLE,
	UTF8GUARD_CLASS_PERCENT_UNICODE,
	UTF8GUARD_CLASS_PERCENT_NUL,

	/* private: */
	__UTF8GUARD_CLASS_MAX,
	UTF8GUARD_CLASS_MAX = (__UTF8GUARD_CLASS_MAX - 1)
};

/**
 * enum utf8guard_form - The normalization forms of UAX 15.
 * @UTF8GUARD_FORM_NFC: Canonical decomposition, then composition.
 * @UTF8GUARD_FORM_NFD: Canonical decomposition.
 * @UTF8GUARD_FORM_NFKC: Compatibility decomposition, then composition.
 * @UTF8GUARD_FORM_NFKD: Compatibility decomposition.
 * @UTF8GUARD_FORM_NFKC_CASEFOLD: toNFKC_Casefold() of The Unicode Standard,
 *   section 3.13; NFKC, folded for case, without default ignorables.
 */
enum utf8guard_form {
	UTF8GUARD_FORM_NFC,
	UTF8GUARD_FORM_NFD,
	UTF8GUARD_FORM_NFKC,
	UTF8GUARD_FORM_NFKD,
	UTF8GUARD_FORM_NFKC_CASEFOLD,

	/* private: */
	__UTF8GUARD_FORM_MAX,
	UTF8GUARD_FORM_MAX = (__UTF8GUARD_FORM_MAX - 1)
};

/**
 * enum utf8guard_answer - Of the quick check, UAX 15 section 9.
 * @UTF8GUARD_NO: The text is not in the form.
 * @UTF8GUARD_YES: It is.
 * @UTF8GUARD_PERHAPS: Only a full check can tell.
 */
enum utf8guard_answer {
	UTF8GUARD_NO,
	UTF8GUARD_YES,
	UTF8GUARD_PERHAPS,
};

/**
 * enum utf8guard_note - What an ill-formed sequence is known as.
 * @UTF8GUARD_NOTE_MODIFIED_NUL: C0 80, NUL in Java's modified UTF-8.
 * @UTF8GUARD_NOTE_DOT: A full stop in disguise, such as C0 AE.
 * @UTF8GUARD_NOTE_SLASH: A solidus in disguise, such as C0 AF.
 * @UTF8GUARD_NOTE_CESU_8: A pair of surrogates, CESU-8.
 * @UTF8GUARD_NOTE_FIVE_OCTET: The 5-octet form of RFC 2044 and RFC 2279
 *   (F8..FB).
 * @UTF8GUARD_NOTE_SIX_OCTET: The 6-octet form of RFC 2044 and RFC 2279 (FC,
 *   FD).
 * @UTF8GUARD_NOTE_NEVER_USED: FE or FF, which no version of UTF-8 has used.
 */
enum utf8guard_note {
	UTF8GUARD_NOTE_NONE,
	UTF8GUARD_NOTE_MODIFIED_NUL,
	UTF8GUARD_NOTE_DOT,
	UTF8GUARD_NOTE_SLASH,
	UTF8GUARD_NOTE_CESU_8,
	UTF8GUARD_NOTE_FIVE_OCTET,
	UTF8GUARD_NOTE_SIX_OCTET,
	UTF8GUARD_NOTE_NEVER_USED,
};

/**
 * enum utf8guard_outcome - What was done about it.
 * @UTF8GUARD_OUTCOME_AUDITED: Reported, and let through.
 * @UTF8GUARD_OUTCOME_REFUSED: The system call failed, or the packet was
 *   dropped.
 */
enum utf8guard_outcome {
	UTF8GUARD_OUTCOME_AUDITED,
	UTF8GUARD_OUTCOME_REFUSED,
};

/**
 * enum utf8guard_reason - Why something was done about a packet in which
 *   nothing was found to be wrong. Its rule has a counter of the same name.
 * @UTF8GUARD_REASON_NONE: Something was found; the class says what.
 * @UTF8GUARD_REASON_UNREADABLE: Fewer octets could be read than there should
 *   be.
 * @UTF8GUARD_REASON_UNFOLLOWED: What is to be judged could not be found for
 *   sure.
 * @UTF8GUARD_REASON_FULL: There were too many connections to follow this one.
 * @UTF8GUARD_REASON_UNTRACKED: Of no connection that is known.
 * @UTF8GUARD_REASON_DIFFERS: It sends octets of a stream again that are not
 *   what they were, or cannot be compared.
 * @UTF8GUARD_REASON_URGENT: Urgent data, which the receiver may take out of
 *   the stream.
 * @UTF8GUARD_REASON_RESYNC: In the middle of a stream whose beginning should
 *   be known, for the rule was there when it began.
 * @UTF8GUARD_REASON_PICKED_UP: The first segment judged of a connection that
 *   is older than its rule, or the first one after octets that were not
 *   judged. It was let through.
 */
enum utf8guard_reason {
	UTF8GUARD_REASON_NONE,
	UTF8GUARD_REASON_UNREADABLE,
	UTF8GUARD_REASON_UNFOLLOWED,
	UTF8GUARD_REASON_FULL,
	UTF8GUARD_REASON_UNTRACKED,
	UTF8GUARD_REASON_DIFFERS,
	UTF8GUARD_REASON_URGENT,
	UTF8GUARD_REASON_RESYNC,
	UTF8GUARD_REASON_PICKED_UP,
};

/**
 * enum utf8guard_cause - Why what is to be judged could not be found for sure.
 * @UTF8GUARD_CAUSE_NONE: It could, or the reason is another.
 * @UTF8GUARD_CAUSE_UPGRADE: Another protocol, to which the server has agreed
 *   after an Upgrade (HTTP).
 * @UTF8GUARD_CAUSE_CONNECT: What follows a CONNECT (HTTP).
 * @UTF8GUARD_CAUSE_CONTENT: Content of a GET, HEAD, DELETE or TRACE, where it
 *   means nothing (HTTP).
 * @UTF8GUARD_CAUSE_LENGTHS: Two lengths of a body, a length beside chunks, or
 *   chunks twice (HTTP).
 * @UTF8GUARD_CAUSE_LENGTH: A length of a body or a chunk that is none (HTTP).
 * @UTF8GUARD_CAUSE_CODING: Another transfer coding than chunked (HTTP).
 * @UTF8GUARD_CAUSE_LINE_END: A bare LF or CR (HTTP).
 * @UTF8GUARD_CAUSE_FOLDING: A field line that goes on in the next (HTTP).
 * @UTF8GUARD_CAUSE_REQUEST_LINE: What is no request line of HTTP/1.
 * @UTF8GUARD_CAUSE_FIELD: What is no field line (HTTP).
 * @UTF8GUARD_CAUSE_TRAILER: A field after the body that some servers take for
 *   the next request, or for one that frames a body (HTTP).
 * @UTF8GUARD_CAUSE_HTTP2: The preface of HTTP/2.
 * @UTF8GUARD_CAUSE_TLS: A handshake of TLS.
 * @UTF8GUARD_CAUSE_STARTTLS: What follows a STARTTLS (SMTP).
 * @UTF8GUARD_CAUSE_BDAT: What follows a BDAT (SMTP).
 * @UTF8GUARD_CAUSE_TRUNCATED: It ends before its end (DNS).
 * @UTF8GUARD_CAUSE_LABEL: A label of a type that is not known (DNS).
 * @UTF8GUARD_CAUSE_POINTER: A compressed name that does not go on with a label
 *   that was judged (DNS).
 * @UTF8GUARD_CAUSE_SIZE: A message or its data that does not end where its
 *   length says (DNS).
 * @UTF8GUARD_CAUSE_MIDDLE: The beginning of the stream was not seen.
 * @UTF8GUARD_CAUSE_RESEGMENTED: Octets sent again with segment boundaries
 *   elsewhere, which cannot be compared.
 * @UTF8GUARD_CAUSE_MULTIPATH: The connection is of Multipath TCP.
 */
enum utf8guard_cause {
	UTF8GUARD_CAUSE_NONE,
	UTF8GUARD_CAUSE_UPGRADE,
	UTF8GUARD_CAUSE_CONNECT,
	UTF8GUARD_CAUSE_CONTENT,
	UTF8GUARD_CAUSE_LENGTHS,
	UTF8GUARD_CAUSE_LENGTH,
	UTF8GUARD_CAUSE_CODING,
	UTF8GUARD_CAUSE_LINE_END,
	UTF8GUARD_CAUSE_FOLDING,
	UTF8GUARD_CAUSE_REQUEST_LINE,
	UTF8GUARD_CAUSE_FIELD,
	UTF8GUARD_CAUSE_TRAILER,
	UTF8GUARD_CAUSE_HTTP2,
	UTF8GUARD_CAUSE_TLS,
	UTF8GUARD_CAUSE_STARTTLS,
	UTF8GUARD_CAUSE_BDAT,
	UTF8GUARD_CAUSE_TRUNCATED,
	UTF8GUARD_CAUSE_LABEL,
	UTF8GUARD_CAUSE_POINTER,
	UTF8GUARD_CAUSE_SIZE,
	UTF8GUARD_CAUSE_MIDDLE,
	UTF8GUARD_CAUSE_RESEGMENTED,
	UTF8GUARD_CAUSE_MULTIPATH,

	/* private: */
	__UTF8GUARD_CAUSE_MAX,
	UTF8GUARD_CAUSE_MAX = (__UTF8GUARD_CAUSE_MAX - 1)
};

enum {
	UTF8GUARD_A_INFO_VERSION = 1,
	UTF8GUARD_A_INFO_UNICODE,
	UTF8GUARD_A_INFO_ENGINE,
	UTF8GUARD_A_INFO_EVENTS,
	UTF8GUARD_A_INFO_SUPPRESSED,
	UTF8GUARD_A_INFO_LOST,
	UTF8GUARD_A_INFO_PAD,
	UTF8GUARD_A_INFO_BUILD,

	__UTF8GUARD_A_INFO_MAX,
	UTF8GUARD_A_INFO_MAX = (__UTF8GUARD_A_INFO_MAX - 1)
};

enum {
	UTF8GUARD_A_TEXT_DATA = 1,
	UTF8GUARD_A_TEXT_CLASS,
	UTF8GUARD_A_TEXT_NOTE,
	UTF8GUARD_A_TEXT_OFFSET,
	UTF8GUARD_A_TEXT_LENGTH,
	UTF8GUARD_A_TEXT_SPAN,
	UTF8GUARD_A_TEXT_CODE_POINT,
	UTF8GUARD_A_TEXT_PAD,
	UTF8GUARD_A_TEXT_FORM,
	UTF8GUARD_A_TEXT_CHECK,
	UTF8GUARD_A_TEXT_QUICK_CHECK,
	UTF8GUARD_A_TEXT_SIZE,

	__UTF8GUARD_A_TEXT_MAX,
	UTF8GUARD_A_TEXT_MAX = (__UTF8GUARD_A_TEXT_MAX - 1)
};

enum {
	UTF8GUARD_A_EVENT_TIME = 1,
	UTF8GUARD_A_EVENT_OP,
	UTF8GUARD_A_EVENT_OUTCOME,
	UTF8GUARD_A_EVENT_RULE,
	UTF8GUARD_A_EVENT_CLASS,
	UTF8GUARD_A_EVENT_NOTE,
	UTF8GUARD_A_EVENT_OFFSET,
	UTF8GUARD_A_EVENT_CODE_POINT,
	UTF8GUARD_A_EVENT_BYTES,
	UTF8GUARD_A_EVENT_SUPPRESSED,
	UTF8GUARD_A_EVENT_NAME,
	UTF8GUARD_A_EVENT_DEVICE,
	UTF8GUARD_A_EVENT_FSTYPE,
	UTF8GUARD_A_EVENT_INODE,
	UTF8GUARD_A_EVENT_PENDING,
	UTF8GUARD_A_EVENT_PID,
	UTF8GUARD_A_EVENT_UID,
	UTF8GUARD_A_EVENT_COMM,
	UTF8GUARD_A_EVENT_PROTOCOL,
	UTF8GUARD_A_EVENT_SADDR,
	UTF8GUARD_A_EVENT_DADDR,
	UTF8GUARD_A_EVENT_SPORT,
	UTF8GUARD_A_EVENT_DPORT,
	UTF8GUARD_A_EVENT_LENGTH,
	UTF8GUARD_A_EVENT_PAD,
	UTF8GUARD_A_EVENT_REASON,
	UTF8GUARD_A_EVENT_FAMILY,
	UTF8GUARD_A_EVENT_COMMENT,
	UTF8GUARD_A_EVENT_PATH,
	UTF8GUARD_A_EVENT_MAJOR,
	UTF8GUARD_A_EVENT_MINOR,
	UTF8GUARD_A_EVENT_EXEMPT,
	UTF8GUARD_A_EVENT_CAUSE,
	UTF8GUARD_A_EVENT_FSUID,

	__UTF8GUARD_A_EVENT_MAX,
	UTF8GUARD_A_EVENT_MAX = (__UTF8GUARD_A_EVENT_MAX - 1)
};

enum utf8guard_cmd {
	UTF8GUARD_CMD_INFO_GET = 1,
	UTF8GUARD_CMD_VALIDATE,
	UTF8GUARD_CMD_REFUSAL,
	UTF8GUARD_CMD_NORMALIZE,

	__UTF8GUARD_CMD_MAX,
	UTF8GUARD_CMD_MAX = (__UTF8GUARD_CMD_MAX - 1)
};

#define UTF8GUARD_MCGRP_EVENTS	"events"

#endif /* _UAPI_LINUX_UTF8GUARD_H */
