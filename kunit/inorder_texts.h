/* SPDX-License-Identifier: GPL-2.0 */
/* What is read in order, by kind, and good texts of each. */
#ifndef _UTF8GUARD_INORDER_TEXTS_H
#define _UTF8GUARD_INORDER_TEXTS_H

#include "../kernel/codec/codec.h"
#include "../kernel/nf/scope/scope.h"
#include "sample.h"

enum reading_kind {
	READING_TARGET,
	READING_HEADERS,
	READING_LINES,
	READING_MAILS,
	READING_LABELS,
	READING_CLASSES,
	READING_PERCENT,
	READING_GATED,
	READING_PART,
	READING_KINDS,
};

static const struct {
	u8 scope;	/* enum ugnf_scope_kind */
	bool decode;
	u32 refuse;
	struct ugnf_plain plain;
} reading_kinds[READING_KINDS] = {
	[READING_TARGET] = { .scope = UGNF_SCOPE_HTTP_TARGET, .decode = true },
	[READING_HEADERS] = { .scope = UGNF_SCOPE_HTTP_HEADERS },
	[READING_LINES] = { .scope = UGNF_SCOPE_SMTP_LINE },
	[READING_MAILS] = { .scope = UGNF_SCOPE_SMTP_HEADERS },
	[READING_LABELS] = { .scope = UGNF_SCOPE_DNS_STREAM },
	[READING_CLASSES] = { .scope = UGNF_SCOPE_PLAIN,
			      .refuse = 1U << UTF8GUARD_CLASS_NUL | 1U << UTF8GUARD_CLASS_BIDI },
	[READING_PERCENT] = { .scope = UGNF_SCOPE_PLAIN, .decode = true },
	[READING_GATED] = { .scope = UGNF_SCOPE_PLAIN, .plain = { .is_gated = true } },
	[READING_PART] = { .scope = UGNF_SCOPE_PLAIN,
			   .plain = { .is_part = true, .ahead = 7, .left = 30 } },
};

static inline void reading_scope(struct ugnf_scope *scope, enum reading_kind kind)
{
	if (reading_kinds[kind].scope == UGNF_SCOPE_PLAIN)
		ugnf_plain_init(scope, &reading_kinds[kind].plain, reading_kinds[kind].decode);
	else
		ugnf_scope_init(scope, (enum ugnf_scope_kind)reading_kinds[kind].scope,
				reading_kinds[kind].decode);
	scope->text.refuse |= reading_kinds[kind].refuse;
}

/* A text that grows, up to @len octets. */
struct reading_text {
	u8 *octets;
	u32 at, len;
	u64 *seed;
};

static inline u32 reading_below(struct reading_text *t, u32 n)
{
	return sample_random(t->seed) % n;
}

static inline void reading_put(struct reading_text *t, const void *octets, u32 len)
{
	if (len > t->len - t->at)
		len = t->len - t->at;
	memcpy(t->octets + t->at, octets, len);
	t->at += len;
}

#define READING_PUT(t, text) reading_put(t, text, sizeof(text) - 1)

/* One character that is no control, space or sign; raw, or escaped at times. */
static inline void reading_put_char(struct reading_text *t, bool may_escape)
{
	static const char hex[] = "0123456789abcdefABCDEF";
	u32 n = 1 + reading_below(t, 4), i, all = 0;
	u8 octets[4], out[12];

	sample_char(octets, n, t->seed);
	/* Nor one of the leads that bidi controls have. */
	if (n == 1 || octets[0] == 0xd8 || octets[0] == 0xe2) {
		octets[0] = 'a' + octets[0] % 26;
		n = 1;
	}
	may_escape = may_escape && reading_below(t, 2);
	for (i = 0; i < n; i++) {
		if (!may_escape) {
			out[all++] = octets[i];
			continue;
		}
		out[all++] = '%';
		out[all++] = hex[octets[i] >> 4];
		out[all++] = hex[octets[i] & 15];
	}
	/* Whole or not at all, for it may be the last. */
	if (all <= t->len - t->at)
		reading_put(t, out, all);
	else
		READING_PUT(t, "a");
}

static inline void reading_put_chars(struct reading_text *t, u32 most, bool may_escape)
{
	u32 n = 1 + reading_below(t, most);

	while (n--)
		reading_put_char(t, may_escape);
}

static inline void reading_put_any(struct reading_text *t, u32 len)
{
	u8 octet;

	while (len--) {
		octet = sample_random(t->seed);
		reading_put(t, &octet, 1);
	}
}

static inline void reading_put_number(struct reading_text *t, u32 number, u32 base)
{
	char digits[8];
	u32 at = sizeof(digits);

	do {
		digits[--at] = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	reading_put(t, digits + at, sizeof(digits) - at);
}

static inline void reading_put_chunks(struct reading_text *t)
{
	u32 chunks = reading_below(t, 4), n;

	READING_PUT(t, "Transfer-Encoding: chunked\r\n\r\n");
	while (chunks--) {
		n = 1 + reading_below(t, 60);
		reading_put_number(t, n, 16);
		READING_PUT(t, "\r\n");
		reading_put_any(t, n);
		READING_PUT(t, "\r\n");
	}
	READING_PUT(t, "0\r\n");
	if (reading_below(t, 2))
		READING_PUT(t, "X-Sum: 1\r\n");
	READING_PUT(t, "\r\n");
}

static inline void reading_put_request(struct reading_text *t)
{
	u32 how = reading_below(t, 3), n = reading_below(t, 90);

	READING_PUT(t, "POST /");
	reading_put_chars(t, 8, true);
	READING_PUT(t, " HTTP/1.1\r\nA: ");
	reading_put_chars(t, 8, false);
	READING_PUT(t, "\r\n");
	if (how == 1) {
		reading_put_chunks(t);
		return;
	}
	if (how == 2) {
		READING_PUT(t, "Content-Length: ");
		reading_put_number(t, n, 10);
		READING_PUT(t, "\r\n");
	}
	READING_PUT(t, "\r\n");
	if (how == 2)
		reading_put_any(t, n);
}

static inline void reading_put_line(struct reading_text *t)
{
	static const char *const lines[] = {
		"DATA", ".", "MAIL FROM:<a@b> SMTPUTF8", "RSET", "", "A: b",
	};
	const char *line = lines[reading_below(t, ARRAY_SIZE(lines))];

	if (reading_below(t, 2))
		reading_put(t, line, strlen(line));
	else
		reading_put_chars(t, 12, false);
	if (reading_below(t, 8))
		READING_PUT(t, "\r");
	READING_PUT(t, "\n");
}

/* One question with a name of one or two labels, if there is room. */
static inline void reading_put_message(struct reading_text *t)
{
	u8 octets[64] = { 0, 0, 0, 1, 1, 0, 0, 1 };
	struct reading_text labels = { .octets = octets, .at = 14, .seed = t->seed };
	u32 count = 1 + reading_below(t, 2), begin;

	while (count--) {
		begin = labels.at++;
		labels.len = begin + 12;
		reading_put_chars(&labels, 4, false);
		octets[begin] = labels.at - begin - 1;
	}
	labels.at += 5;
	octets[labels.at - 3] = 1;
	octets[labels.at - 1] = 1;
	octets[1] = labels.at - 2;
	if (labels.at <= t->len - t->at)
		reading_put(t, octets, labels.at);
	else
		t->len = t->at;
}

static inline void reading_put_start(struct reading_text *t, enum reading_kind kind)
{
	static const u8 mixed[] = { 80, 60, 40 };
	const struct ugnf_plain *part = &reading_kinds[READING_PART].plain;

	if (kind == READING_GATED && reading_below(t, 2))
		READING_PUT(t, "\x16\x03\x01\x02\xff\xfe\x80");
	if (kind == READING_GATED && t->at)
		reading_put_any(t, t->len);
	if (kind != READING_PART)
		return;
	/* What is before the part is not judged. */
	reading_put_any(t, part->ahead);
	sample_text(t->octets + t->at, t->len - t->at, mixed, t->seed);
	t->at = t->len;
}

/* Fill it; returns how many octets it has. */
static inline u32 reading_make_text(struct reading_text *t, enum reading_kind kind)
{
	reading_put_start(t, kind);
	while (t->at < t->len) {
		if (kind == READING_TARGET || kind == READING_HEADERS)
			reading_put_request(t);
		else if (kind == READING_LINES || kind == READING_MAILS)
			reading_put_line(t);
		else if (kind == READING_LABELS)
			reading_put_message(t);
		else
			reading_put_char(t, kind == READING_PERCENT);
	}
	return t->at;
}

#endif /* _UTF8GUARD_INORDER_TEXTS_H */
