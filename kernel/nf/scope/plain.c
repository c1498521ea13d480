// SPDX-License-Identifier: GPL-2.0
/*
 * A stream as one text: all of it, or a part that begins at an offset and has a length. The
 * text gate, where it is on, looks at the first octets of the text.
 */
#include "../../codec/codec.h"
#include "scope.h"

/**
 * ugnf_plain_init() - make a parser for a stream that is one text
 * @scope: filled in
 * @plain: the part of the stream that is judged
 * @decode: decode percent encoding first
 */
void ugnf_plain_init(struct ugnf_scope *scope, const struct ugnf_plain *plain, bool decode)
{
	ugnf_scope_init(scope, UGNF_SCOPE_PLAIN, decode);
	scope->plain = *plain;
}

/* Skips up to @plain->tail continuation octets, of a character that began before. */
static u32 skip_tail(struct ugnf_plain *plain, const u8 *data, u32 len)
{
	u32 i;

	for (i = 0; i < len && plain->tail && utf8guard_is_tail(data[i]); i++)
		plain->tail--;
	if (i < len)
		plain->tail = 0;
	return i;
}

static u32 judge(struct ugnf_scope *scope, const u8 *data, u32 len, struct utf8guard_error *error)
{
	struct ugnf_plain *plain = &scope->plain;
	u32 n = plain->is_gated ? ugnf_gate_feed(&plain->gate, data, len) : len;
	u32 good = ugnf_scope_text(scope, data, n, error);

	return scope->status == UGNF_SCOPE_FOLLOWED ? n : good;
}

/* See ugnf_scope_any(). */
u32 ugnf_plain_any(const struct ugnf_scope *scope, u32 len)
{
	const struct ugnf_plain *plain = &scope->plain;

	if (plain->gate.is_binary || (plain->is_part && !plain->left))
		return len;
	return min_t(u32, plain->ahead, len);
}

/* See ugnf_scope_skip(); the octets have no influence on the parser. */
void ugnf_plain_skip(struct ugnf_scope *scope, u32 len)
{
	struct ugnf_plain *plain = &scope->plain;

	plain->ahead -= min_t(u32, plain->ahead, len);
}

/*
 * See ugnf_scope_feed(). But this may stop before @len, where other octets begin: it returns how
 * many it has taken, or the offset of the octet at which @scope->status has changed.
 */
u32 ugnf_plain_feed(struct ugnf_scope *scope, const u8 *data, u32 len,
		    struct utf8guard_error *error)
{
	struct ugnf_plain *plain = &scope->plain;
	u32 n = ugnf_plain_any(scope, len);

	if (n) {
		ugnf_plain_skip(scope, n);
		return n;
	}
	if (plain->tail)
		return skip_tail(plain, data, len);
	if (!plain->is_part)
		return judge(scope, data, len, error);
	n = judge(scope, data, min_t(u32, len, plain->left), error);
	plain->left -= n;
	/* The octets after the part may complete its last character, so it is no error. */
	if (!plain->left && scope->status == UGNF_SCOPE_FOLLOWED)
		ugnf_scope_text_begin(scope);
	return n;
}

/* See ugnf_scope_is_steady(); the ASCII is of no class that the rule refuses. */
bool ugnf_plain_is_steady(const struct ugnf_scope *scope)
{
	const struct ugnf_plain *plain = &scope->plain;

	return !plain->is_part && !scope->text.decode &&
	       scope->text.state == UTF8GUARD_STATE_START &&
	       (!plain->is_gated || plain->gate.at == UGNF_GATE_OCTETS);
}

/* See ugnf_scope_end(). What the gate took for binary ends well, wherever it ends. */
void ugnf_plain_end(struct ugnf_scope *scope, struct utf8guard_error *error)
{
	if (!scope->plain.gate.is_binary)
		ugnf_scope_text_end(scope, error);
}
