/* SPDX-License-Identifier: GPL-2.0 */
/* The kinds of rules whose streams are read in order, and good texts for each of them. */
#ifndef _UTF8GUARD_INORDER_TEXTS_H
#define _UTF8GUARD_INORDER_TEXTS_H

#include "../kernel/codec/codec.h"
#include "../kernel/nf/scope/scope.h"
#include "sample.h"

enum inorder_kind {
	INORDER_TARGET,
	INORDER_HEADERS,
	INORDER_LINES,
	INORDER_MAILS,
	INORDER_LABELS,
	INORDER_CLASSES,
	INORDER_PERCENT,
	INORDER_GATED,
	INORDER_PART,
	INORDER_KINDS,
};

static const struct {
	u8 scope;	/* enum ugnf_scope_kind */
	bool decode;
	u32 refuse;
	struct ugnf_plain plain;
} inorder_kinds[INORDER_KINDS] = {
	[INORDER_TARGET] = { .scope = UGNF_SCOPE_HTTP_TARGET, .decode = true },
	[INORDER_HEADERS] = { .scope = UGNF_SCOPE_HTTP_HEADERS },
	[INORDER_LINES] = { .scope = UGNF_SCOPE_SMTP_LINE },
	[INORDER_MAILS] = { .scope = UGNF_SCOPE_SMTP_HEADERS },
	[INORDER_LABELS] = { .scope = UGNF_SCOPE_DNS_STREAM },
	[INORDER_CLASSES] = { .scope = UGNF_SCOPE_PLAIN,
			      .refuse = 1U << UTF8GUARD_CLASS_NUL | 1U << UTF8GUARD_CLASS_BIDI },
	[INORDER_PERCENT] = { .scope = UGNF_SCOPE_PLAIN, .decode = true },
	[INORDER_GATED] = { .scope = UGNF_SCOPE_PLAIN, .plain = { .is_gated = true } },
	[INORDER_PART] = { .scope = UGNF_SCOPE_PLAIN,
			   .plain = { .is_part = true, .ahead = 7, .left = 30 } },
};

static inline void inorder_scope(struct ugnf_scope *scope, enum inorder_kind kind)
{
	if (inorder_kinds[kind].scope == UGNF_SCOPE_PLAIN)
		ugnf_plain_init(scope, &inorder_kinds[kind].plain, inorder_kinds[kind].decode);
	else
		ugnf_scope_init(scope, (enum ugnf_scope_kind)inorder_kinds[kind].scope,
				inorder_kinds[kind].decode);
	scope->text.refuse |= inorder_kinds[kind].refuse;
}

/* A text that is being made: @at octets so far, and at most @len. */
struct inorder_text {
	u8 *octets;
	u32 at, len;
	u64 *seed;
};

static inline u32 inorder_below(struct inorder_text *t, u32 n)
{
	return sample_random(t->seed) % n;
}

static inline void inorder_put(struct inorder_text *t, const void *octets, u32 len)
{
	if (len > t->len - t->at)
		len = t->len - t->at;
	memcpy(t->octets + t->at, octets, len);
	t->at += len;
}

#define INORDER_PUT(t, text) inorder_put(t, text, sizeof(text) - 1)

/* One character that is no control, space or punctuation; sometimes percent-encoded. */
static inline void inorder_put_char(struct inorder_text *t, bool may_escape)
{
	static const char hex[] = "0123456789abcdefABCDEF";
	u32 n = 1 + inorder_below(t, 4), i, all = 0;
	u8 octets[4], out[12];

	sample_char(octets, n, t->seed);
	/* None whose lead octet is that of a bidi control. */
	if (n == 1 || octets[0] == 0xd8 || octets[0] == 0xe2) {
		octets[0] = 'a' + octets[0] % 26;
		n = 1;
	}
	may_escape = may_escape && inorder_below(t, 2);
	for (i = 0; i < n; i++) {
		if (!may_escape) {
			out[all++] = octets[i];
			continue;
		}
		out[all++] = '%';
		out[all++] = hex[octets[i] >> 4];
		out[all++] = hex[octets[i] & 15];
	}
	/* If it does not fit as a whole, an "a" takes its place. */
	if (all <= t->len - t->at)
		inorder_put(t, out, all);
	else
		INORDER_PUT(t, "a");
}

static inline void inorder_put_chars(struct inorder_text *t, u32 most, bool may_escape)
{
	u32 n = 1 + inorder_below(t, most);

	while (n--)
		inorder_put_char(t, may_escape);
}

static inline void inorder_put_any(struct inorder_text *t, u32 len)
{
	u8 octet;

	while (len--) {
		octet = sample_random(t->seed);
		inorder_put(t, &octet, 1);
	}
}

static inline void inorder_put_number(struct inorder_text *t, u32 number, u32 base)
{
	char digits[8];
	u32 at = sizeof(digits);

	do {
		digits[--at] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	inorder_put(t, digits + at, sizeof(digits) - at);
}

static inline void inorder_put_chunks(struct inorder_text *t)
{
	u32 chunks = inorder_below(t, 4), n;

	INORDER_PUT(t, "Transfer-Encoding: chunked\r\n\r\n");
	while (chunks--) {
		n = 1 + inorder_below(t, 60);
		inorder_put_number(t, n, 16);
		INORDER_PUT(t, "\r\n");
		inorder_put_any(t, n);
		INORDER_PUT(t, "\r\n");
	}
	/* No trailer: where targets are judged, it is not followed. */
	INORDER_PUT(t, "0");
	if (inorder_below(t, 2))
		INORDER_PUT(t, "0");
	INORDER_PUT(t, "\r\n\r\n");
}

static inline void inorder_put_request(struct inorder_text *t)
{
	u32 how = inorder_below(t, 3), n = inorder_below(t, 90);

	INORDER_PUT(t, "POST /");
	inorder_put_chars(t, 8, true);
	INORDER_PUT(t, " HTTP/1.1\r\nA: ");
	inorder_put_chars(t, 8, false);
	INORDER_PUT(t, "\r\n");
	if (how == 1) {
		inorder_put_chunks(t);
		return;
	}
	if (how == 2) {
		INORDER_PUT(t, "Content-Length: ");
		inorder_put_number(t, n, 10);
		INORDER_PUT(t, "\r\n");
	}
	INORDER_PUT(t, "\r\n");
	if (how == 2)
		inorder_put_any(t, n);
}

static inline void inorder_put_line(struct inorder_text *t)
{
	static const char *const lines[] = {
		"DATA", ".", "MAIL FROM:<a@b> SMTPUTF8", "RSET", "", "A: b",
	};
	const char *line = lines[inorder_below(t, ARRAY_SIZE(lines))];

	if (inorder_below(t, 2))
		inorder_put(t, line, strlen(line));
	else
		inorder_put_chars(t, 12, false);
	if (inorder_below(t, 8))
		INORDER_PUT(t, "\r");
	INORDER_PUT(t, "\n");
}

/* A DNS message with a question, whose name has one or two labels, if there is room. */
static inline void inorder_put_message(struct inorder_text *t)
{
	u8 octets[64] = { 0, 0, 0, 1, 1, 0, 0, 1 };
	struct inorder_text labels = { .octets = octets, .at = 14, .seed = t->seed };
	u32 count = 1 + inorder_below(t, 2), begin;

	while (count--) {
		begin = labels.at++;
		labels.len = begin + 12;
		inorder_put_chars(&labels, 4, false);
		octets[begin] = labels.at - begin - 1;
	}
	labels.at += 5;
	octets[labels.at - 3] = 1;
	octets[labels.at - 1] = 1;
	octets[1] = labels.at - 2;
	if (labels.at <= t->len - t->at)
		inorder_put(t, octets, labels.at);
	else
		t->len = t->at;
}

static inline void inorder_put_start(struct inorder_text *t, enum inorder_kind kind)
{
	static const u8 mixed[] = { 80, 60, 40 };
	const struct ugnf_plain *part = &inorder_kinds[INORDER_PART].plain;

	if (kind == INORDER_GATED && inorder_below(t, 2))
		INORDER_PUT(t, "\x16\x03\x01\x02\xff\xfe\x80");
	if (kind == INORDER_GATED && t->at)
		inorder_put_any(t, t->len);
	if (kind != INORDER_PART)
		return;
	/* Octets before the part that is judged may be any. */
	inorder_put_any(t, part->ahead);
	sample_text(t->octets + t->at, t->len - t->at, mixed, t->seed);
	t->at = t->len;
}

/* Makes the text; returns its length. */
static inline u32 inorder_make_text(struct inorder_text *t, enum inorder_kind kind)
{
	inorder_put_start(t, kind);
	while (t->at < t->len) {
		if (kind == INORDER_TARGET || kind == INORDER_HEADERS)
			inorder_put_request(t);
		else if (kind == INORDER_LINES || kind == INORDER_MAILS)
			inorder_put_line(t);
		else if (kind == INORDER_LABELS)
			inorder_put_message(t);
		else
			inorder_put_char(t, kind == INORDER_PERCENT);
	}
	return t->at;
}

#endif /* _UTF8GUARD_INORDER_TEXTS_H */
