/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A scope is the part of a protocol that a rule judges, such as the targets of HTTP requests.
 * A parser finds it by following the framing of the protocol octet by octet, in order. Where
 * a parser cannot follow the framing for sure, it says so and judges nothing from there on;
 * the rule says by "fail" what becomes of such packets.
 *
 * A parser needs octets in order; inorder_stream.c says how a TCP stream is put in order.
 */
#ifndef _UTF8GUARD_NF_SCOPE_H
#define _UTF8GUARD_NF_SCOPE_H

#include "gate.h"
#include "text.h"

/*
 * So many octets remember the labels of a message, for compressed names to point to (RFC 1035
 * 4.1.4): one octet for a label, or three after 255 octets without one. An answer with 13 servers,
 * as those of the root and of com, has 15 or 17 labels.
 */
#define UGNF_DNS_LABELS 24

/**
 * enum ugnf_scope_kind - what is judged
 * @UGNF_SCOPE_HTTP_TARGET: the target of each HTTP/1.x request
 * @UGNF_SCOPE_HTTP_HEADERS: the field lines of each HTTP/1.x request, trailers included
 * @UGNF_SCOPE_SMTP_LINE: each line to an SMTP server, lines of messages included
 * @UGNF_SCOPE_SMTP_HEADERS: commands to an SMTP server, and the header sections of messages
 * @UGNF_SCOPE_DNS_LABELS: each label of a DNS message in a datagram
 * @UGNF_SCOPE_DNS_STREAM: each label of the DNS messages in a stream, each after its length
 * @UGNF_SCOPE_PLAIN: a stream, or a part of it, as one text
 */
enum ugnf_scope_kind {
	UGNF_SCOPE_HTTP_TARGET,
	UGNF_SCOPE_HTTP_HEADERS,
	UGNF_SCOPE_SMTP_LINE,
	UGNF_SCOPE_SMTP_HEADERS,
	UGNF_SCOPE_DNS_LABELS,
	UGNF_SCOPE_DNS_STREAM,
	UGNF_SCOPE_PLAIN,
};

/**
 * enum ugnf_scope_status - what a parser has found so far
 * @UGNF_SCOPE_FOLLOWED: it understood all octets, and those that it judged are good
 * @UGNF_SCOPE_REFUSED: an octet that it judged is not good
 * @UGNF_SCOPE_UNFOLLOWED: it does not know what the next octets are
 */
enum ugnf_scope_status {
	UGNF_SCOPE_FOLLOWED,
	UGNF_SCOPE_REFUSED,
	UGNF_SCOPE_UNFOLLOWED,
};

/* See http.c. */
struct ugnf_http {
	u8 step, at, words, value, minor;
	bool is_bodiless, is_chunked, has_length, has_upgrade, is_trailer, is_switched,
	     is_variable;
	u8 asked;
	u64 left;
};

/* See smtp.c. */
struct ugnf_smtp {
	u64 last;
	u16 length, words, found;
	u8 at, over;
	bool is_data, is_body, is_dot, is_nul, is_blank, is_cr, is_bare, is_strict;
};

/* See dns.c. */
struct ugnf_dns {
	u8 step, count, data_strings, data_names;
	u16 at, left, type, length, size, questions;
	u32 records, data_end;
	u8 labels[UGNF_DNS_LABELS];
};

/**
 * struct ugnf_plain - see plain.c
 * @ahead: the number of octets to skip before the part that is judged
 * @left: the number of octets that are still to be judged, if @is_part
 * @is_part: the text ends after @left octets; without this, it is the rest of the stream
 * @is_gated: the text gate is on
 * @tail: up to so many continuation octets may come first, of a character that began before
 * @gate: the text gate
 */
struct ugnf_plain {
	u32 ahead, left;
	bool is_part, is_gated;
	u8 tail;
	struct ugnf_gate gate;
};

/**
 * struct ugnf_scope - a parser; initialise by ugnf_scope_init()
 * @kind: enum ugnf_scope_kind
 * @status: enum ugnf_scope_status
 * @cause: enum utf8guard_cause, the reason for UGNF_SCOPE_UNFOLLOWED
 * @text: the text that is being judged
 * @http: the state of a parser for HTTP
 * @smtp: the state of a parser for SMTP
 * @dns: the state of a parser for DNS
 * @plain: the state of a parser for a plain text
 *
 * Two parsers that have read the same octets are equal by memcmp(), in whatever pieces
 * the octets came.
 */
struct ugnf_scope {
	u8 kind;
	u8 status;
	u8 cause;
	struct ugnf_text text;
	union {
		struct ugnf_http http;
		struct ugnf_smtp smtp;
		struct ugnf_dns dns;
		struct ugnf_plain plain;
	};
};

void ugnf_scope_init(struct ugnf_scope *scope, enum ugnf_scope_kind kind, bool decode);
u32 ugnf_scope_feed(struct ugnf_scope *scope, const u8 *data, u32 len,
		    struct utf8guard_error *error);
void ugnf_scope_end(struct ugnf_scope *scope, struct utf8guard_error *error);
void ugnf_scope_pick_up(struct ugnf_scope *scope);
bool ugnf_scope_stands_alone(const struct ugnf_scope *scope);
void ugnf_scope_set_alone(struct ugnf_scope *scope, const struct ugnf_scope *initial,
			  const struct ugnf_scope *after);
bool ugnf_scope_agrees(const struct ugnf_scope *scope, const struct ugnf_scope *known,
		       bool is_tail);
u32 ugnf_scope_any(const struct ugnf_scope *scope, u32 len);
bool ugnf_scope_skip(struct ugnf_scope *scope, u32 len);
bool ugnf_scope_is_steady(const struct ugnf_scope *scope);
bool ugnf_scope_is_binary(const struct ugnf_scope *scope);
bool ugnf_scope_asks(const struct ugnf_scope *scope);
bool ugnf_scope_switch(struct ugnf_scope *scope);
bool ugnf_scope_is_as_new(const struct ugnf_scope *scope, const struct ugnf_scope *initial);
void ugnf_plain_init(struct ugnf_scope *scope, const struct ugnf_plain *plain, bool decode);

/* What scope.c and the parsers of the protocols call of each other. */
bool ugnf_scope_lose(struct ugnf_scope *scope, u8 cause);
void ugnf_scope_text_begin(struct ugnf_scope *scope);
u32 ugnf_scope_text(struct ugnf_scope *scope, const u8 *data, u32 len,
		    struct utf8guard_error *error);
void ugnf_scope_text_end(struct ugnf_scope *scope, struct utf8guard_error *error);
u32 ugnf_http_feed(struct ugnf_scope *scope, const u8 *data, u32 len,
		   struct utf8guard_error *error);
u32 ugnf_smtp_feed(struct ugnf_scope *scope, const u8 *data, u32 len,
		   struct utf8guard_error *error);
u32 ugnf_dns_feed(struct ugnf_scope *scope, const u8 *data, u32 len,
		  struct utf8guard_error *error);
u32 ugnf_plain_feed(struct ugnf_scope *scope, const u8 *data, u32 len,
		    struct utf8guard_error *error);
bool ugnf_http_asks(const struct ugnf_scope *scope);
bool ugnf_http_switch(struct ugnf_scope *scope);
bool ugnf_http_is_as_new(const struct ugnf_scope *scope);
u32 ugnf_http_any(const struct ugnf_scope *scope, u32 len);
void ugnf_http_skip(struct ugnf_scope *scope, u32 len);
u32 ugnf_plain_any(const struct ugnf_scope *scope, u32 len);
void ugnf_plain_skip(struct ugnf_scope *scope, u32 len);
bool ugnf_plain_is_steady(const struct ugnf_scope *scope);
void ugnf_plain_end(struct ugnf_scope *scope, struct utf8guard_error *error);
bool ugnf_dns_is_whole(const struct ugnf_scope *scope);

#endif /* _UTF8GUARD_NF_SCOPE_H */
