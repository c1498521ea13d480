/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parts of a protocol that a rule may be about, found by following its
 * framing octet by octet, in order. Where it cannot be followed for sure, this
 * says so, and says nothing more: the fail policy of the rule decides then.
 *
 * Only what is in order can be parsed; see inorder_stream.c for how that is had of a stream.
 */
#ifndef _UTF8GUARD_NF_SCOPE_H
#define _UTF8GUARD_NF_SCOPE_H

#include "gate.h"
#include "text.h"

/* Labels that a compressed name may end with; RFC 1035 section 4.1.4. */
#define NF_DNS_LABELS 12

/**
 * enum nf_scope_kind - what is judged
 * @NF_SCOPE_HTTP_TARGET: the target of each request, HTTP/1.x
 * @NF_SCOPE_HTTP_HEADERS: the field lines of each request, trailers included
 * @NF_SCOPE_SMTP_LINE: each line to an SMTP server, those of messages included
 * @NF_SCOPE_SMTP_HEADERS: of these, commands and the header sections of messages
 * @NF_SCOPE_DNS_LABELS: each label of a DNS message that is a datagram
 * @NF_SCOPE_DNS_STREAM: the same of those in a stream, behind their lengths
 * @NF_SCOPE_PLAIN: a stream, or a part of it, as one text
 */
enum nf_scope_kind {
	NF_SCOPE_HTTP_TARGET,
	NF_SCOPE_HTTP_HEADERS,
	NF_SCOPE_SMTP_LINE,
	NF_SCOPE_SMTP_HEADERS,
	NF_SCOPE_DNS_LABELS,
	NF_SCOPE_DNS_STREAM,
	NF_SCOPE_PLAIN,
};

/**
 * enum nf_scope_status - how it stands
 * @NF_SCOPE_FOLLOWED: all octets so far are understood, and those judged are good
 * @NF_SCOPE_REFUSED: an octet that is judged is not good
 * @NF_SCOPE_UNFOLLOWED: what comes now may be anything
 */
enum nf_scope_status {
	NF_SCOPE_FOLLOWED,
	NF_SCOPE_REFUSED,
	NF_SCOPE_UNFOLLOWED,
};

/* See http.c. */
struct nf_http {
	u8 step, at, words, value, minor;
	bool is_bodiless, is_chunked, has_length, has_upgrade, is_trailer, is_switched;
	u8 asked;
	u64 left;
};

/* See smtp.c. */
struct nf_smtp {
	u16 words;
	u8 at, over;
	bool is_data, is_body, is_dot;
};

/* See dns.c. */
struct nf_dns {
	u8 step, count, data_strings, data_names;
	u16 at, left, type, length, size, questions;
	u32 records, data_end;
	u16 labels[NF_DNS_LABELS];
};

/**
 * struct nf_plain - see plain.c
 * @ahead: octets that are stepped over
 * @left: octets that are judged then, if @is_part
 * @is_part: and none behind those
 * @is_gated: the text gate is on
 * @tail: continuation octets that may come first, where a character has been cut
 * @gate: the gate
 */
struct nf_plain {
	u32 ahead, left;
	bool is_part, is_gated;
	u8 tail;
	struct nf_gate gate;
};

/**
 * struct nf_scope - a parser; initialise by nf_scope_init()
 * @kind: enum nf_scope_kind
 * @status: enum nf_scope_status
 * @cause: enum utf8guard_cause of NF_SCOPE_UNFOLLOWED
 * @text: what is judged at the moment
 * @http: where it stands, if the kind is of HTTP
 * @smtp: if of SMTP
 * @dns: if of DNS
 * @plain: if it is a plain text
 *
 * Two of them that were fed the same octets are the same as memory.
 */
struct nf_scope {
	u8 kind;
	u8 status;
	u8 cause;
	struct nf_text text;
	union {
		struct nf_http http;
		struct nf_smtp smtp;
		struct nf_dns dns;
		struct nf_plain plain;
	};
};

void nf_scope_init(struct nf_scope *scope, enum nf_scope_kind kind, bool decode);
u32 nf_scope_feed(struct nf_scope *scope, const u8 *data, u32 len,
		  struct utf8guard_error *error);
void nf_scope_end(struct nf_scope *scope, struct utf8guard_error *error);
void nf_scope_pick_up(struct nf_scope *scope);
bool nf_scope_stands_alone(const struct nf_scope *scope);
void nf_scope_set_alone(struct nf_scope *scope, const struct nf_scope *initial,
			const struct nf_scope *behind);
bool nf_scope_agrees(const struct nf_scope *scope, const struct nf_scope *known, bool is_tail);
u32 nf_scope_any(const struct nf_scope *scope, u32 len);
bool nf_scope_skip(struct nf_scope *scope, u32 len);
bool nf_scope_is_steady(const struct nf_scope *scope);
bool nf_scope_is_binary(const struct nf_scope *scope);
bool nf_scope_asks(const struct nf_scope *scope);
bool nf_scope_switch(struct nf_scope *scope);
void nf_plain_init(struct nf_scope *scope, const struct nf_plain *plain, bool decode);

/* Between scope.c and the protocols. */
bool nf_scope_lose(struct nf_scope *scope, u8 cause);
void nf_scope_text_begin(struct nf_scope *scope);
u32 nf_scope_text(struct nf_scope *scope, const u8 *data, u32 len,
		  struct utf8guard_error *error);
void nf_scope_text_end(struct nf_scope *scope, struct utf8guard_error *error);
u32 nf_http_feed(struct nf_scope *scope, const u8 *data, u32 len,
		 struct utf8guard_error *error);
u32 nf_smtp_feed(struct nf_scope *scope, const u8 *data, u32 len,
		 struct utf8guard_error *error);
u32 nf_dns_feed(struct nf_scope *scope, const u8 *data, u32 len,
		struct utf8guard_error *error);
u32 nf_plain_feed(struct nf_scope *scope, const u8 *data, u32 len,
		  struct utf8guard_error *error);
bool nf_http_asks(const struct nf_scope *scope);
bool nf_http_switch(struct nf_scope *scope);
u32 nf_http_any(const struct nf_scope *scope, u32 len);
void nf_http_skip(struct nf_scope *scope, u32 len);
u32 nf_plain_any(const struct nf_scope *scope, u32 len);
void nf_plain_skip(struct nf_scope *scope, u32 len);
bool nf_plain_is_steady(const struct nf_scope *scope);
void nf_plain_end(struct nf_scope *scope, struct utf8guard_error *error);
bool nf_dns_is_whole(const struct nf_scope *scope);

#endif /* _UTF8GUARD_NF_SCOPE_H */
