// SPDX-License-Identifier: GPL-2.0
/*
 * A stream as one text: all of it, or the part that begins after so many octets
 * and has so many. The text gate, where it is on, looks at the beginning.
 */
#include "../../codec/codec.h"
#include "scope.h"

/**
 * ugnf_plain_init() - begin a stream that is one text
 * @scope: filled in
 * @plain: what is judged of it
 * @decode: from percent encoding
 */
void ugnf_plain_init(struct ugnf_scope *scope, const struct ugnf_plain *plain, bool decode)
{
	ugnf_scope_init(scope, UGNF_SCOPE_PLAIN, decode);
	scope->plain = *plain;
}

/* Up to three octets belong to a character that began before. */
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

/* How many of the next octets may be any. */
u32 ugnf_plain_any(const struct ugnf_scope *scope, u32 len)
{
	const struct ugnf_plain *plain = &scope->plain;

	if (plain->gate.is_binary || (plain->is_part && !plain->left))
		return len;
	return min_t(u32, plain->ahead, len);
}

/* They may be any. */
void ugnf_plain_skip(struct ugnf_scope *scope, u32 len)
{
	struct ugnf_plain *plain = &scope->plain;

	plain->ahead -= min_t(u32, plain->ahead, len);
}

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
	/* What comes after the part ends the last character, or does not. */
	if (!plain->left && scope->status == UGNF_SCOPE_FOLLOWED)
		ugnf_scope_text_begin(scope);
	return n;
}

/* Does ASCII, of no class that is refused, lead on to the same state of the parser? */
bool ugnf_plain_is_steady(const struct ugnf_scope *scope)
{
	const struct ugnf_plain *plain = &scope->plain;

	return !plain->is_part && !scope->text.decode &&
	       scope->text.state == UTF8GUARD_STATE_START &&
	       (!plain->is_gated || plain->gate.at == UGNF_GATE_OCTETS);
}

void ugnf_plain_end(struct ugnf_scope *scope, struct utf8guard_error *error)
{
	if (!scope->plain.gate.is_binary)
		ugnf_scope_text_end(scope, error);
}
