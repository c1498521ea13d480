// SPDX-License-Identifier: GPL-2.0
/* What all scopes have in common. */
#include "../../codec/codec.h"
#include "scope.h"

/**
 * ugnf_scope_init() - begin a stream or a datagram
 * @scope: filled in
 * @kind: what to judge
 * @decode: from percent encoding; of HTTP only. All of its classes are refused, but that
 *	of what is encoded twice in the path of a target alone
 */
void ugnf_scope_init(struct ugnf_scope *scope, enum ugnf_scope_kind kind, bool decode)
{
	memset(scope, 0, sizeof(*scope));
	scope->kind = kind;
	if (decode) {
		scope->text.decode = kind == UGNF_SCOPE_HTTP_TARGET ? UGNF_DECODE_TARGET :
								      UGNF_DECODE_PERCENT;
		scope->text.refuse = UTF8GUARD_PERCENT_CLASSES;
	}
}

/* What comes now may be anything. Returns false. */
bool ugnf_scope_lose(struct ugnf_scope *scope, u8 cause)
{
	scope->status = UGNF_SCOPE_UNFOLLOWED;
	scope->cause = cause;
	return false;
}

void ugnf_scope_text_begin(struct ugnf_scope *scope)
{
	u32 refuse = scope->text.refuse;
	u8 decode = scope->text.decode;

	memset(&scope->text, 0, sizeof(scope->text));
	scope->text.refuse = refuse;
	scope->text.decode = decode;
}

/* Octets of the text that is judged. Returns how many are good. */
u32 ugnf_scope_text(struct ugnf_scope *scope, const u8 *data, u32 len,
		    struct utf8guard_error *error)
{
	u32 good = ugnf_text_feed(&scope->text, data, len, error);

	if (scope->text.class != UTF8GUARD_CLASS_NONE)
		scope->status = UGNF_SCOPE_REFUSED;
	return good;
}

void ugnf_scope_text_end(struct ugnf_scope *scope, struct utf8guard_error *error)
{
	if (!ugnf_text_end(&scope->text, error))
		scope->status = UGNF_SCOPE_REFUSED;
}

/**
 * ugnf_scope_feed() - the next octets, in order
 * @scope: the parser
 * @data: the octets
 * @len: how many
 * @error: filled in where @scope->status becomes UGNF_SCOPE_REFUSED; its offset
 *	means nothing
 *
 * Context: any; pure.
 * Return: @len, or the offset of the octet at which @scope->status is no longer
 * UGNF_SCOPE_FOLLOWED.
 */
u32 ugnf_scope_feed(struct ugnf_scope *scope, const u8 *data, u32 len,
		    struct utf8guard_error *error)
{
	u32 at = 0;

	while (at < len && scope->status == UGNF_SCOPE_FOLLOWED) {
		switch (scope->kind) {
		case UGNF_SCOPE_HTTP_TARGET:
		case UGNF_SCOPE_HTTP_HEADERS:
			at += ugnf_http_feed(scope, data + at, len - at, error);
			break;
		case UGNF_SCOPE_SMTP_LINE:
		case UGNF_SCOPE_SMTP_HEADERS:
			at += ugnf_smtp_feed(scope, data + at, len - at, error);
			break;
		case UGNF_SCOPE_PLAIN:
			at += ugnf_plain_feed(scope, data + at, len - at, error);
			break;
		default:
			at += ugnf_dns_feed(scope, data + at, len - at, error);
			break;
		}
	}
	return at;
}

/**
 * ugnf_scope_end() - the stream or the datagram ends here
 * @scope: the parser; @scope->status is final
 * @error: filled in where it becomes UGNF_SCOPE_REFUSED
 *
 * A request that is not whole is none, so it is not refused for that.
 *
 * Context: any; pure.
 */
void ugnf_scope_end(struct ugnf_scope *scope, struct utf8guard_error *error)
{
	if (scope->status != UGNF_SCOPE_FOLLOWED)
		return;
	if (scope->kind == UGNF_SCOPE_SMTP_LINE || scope->kind == UGNF_SCOPE_SMTP_HEADERS)
		ugnf_scope_text_end(scope, error);
	if (scope->kind == UGNF_SCOPE_PLAIN)
		ugnf_plain_end(scope, error);
	if ((scope->kind == UGNF_SCOPE_DNS_LABELS || scope->kind == UGNF_SCOPE_DNS_STREAM) &&
	    !ugnf_dns_is_whole(scope))
		ugnf_scope_lose(scope, UTF8GUARD_CAUSE_TRUNCATED);
}

/* Can octets be judged whatever is before them? Text can, framing and escapes can not. */
bool ugnf_scope_stands_alone(const struct ugnf_scope *scope)
{
	return scope->kind == UGNF_SCOPE_PLAIN && !scope->text.decode && !scope->plain.is_part;
}

/**
 * ugnf_scope_pick_up() - it is not from the beginning on that the stream is seen
 * @scope: as it would have been there
 *
 * Text is judged from the first character that begins for sure, framing and
 * escapes not at all.
 */
void ugnf_scope_pick_up(struct ugnf_scope *scope)
{
	if (ugnf_scope_stands_alone(scope))
		scope->plain.tail = UGNF_MAX_TAIL;
	else
		ugnf_scope_lose(scope, UTF8GUARD_CAUSE_MIDDLE);
}

/**
 * ugnf_scope_set_alone() - octets of which neither the beginning nor the end is known
 * @scope: filled in
 * @initial: the parser at the beginning of the stream
 * @after: the parser at any octet after them, or @initial
 */
void ugnf_scope_set_alone(struct ugnf_scope *scope, const struct ugnf_scope *initial,
			  const struct ugnf_scope *after)
{
	memcpy(scope, initial, sizeof(*scope));
	ugnf_scope_pick_up(scope);
	if (!ugnf_scope_stands_alone(scope) || !scope->plain.is_gated)
		return;
	/* They are text for sure only if the gate says so, and not just of what comes later. */
	scope->plain.gate = after->plain.gate;
	if (scope->plain.gate.at != UGNF_GATE_OCTETS)
		scope->plain.gate.is_binary = true;
}

/**
 * ugnf_scope_agrees() - does a parser stand where it stood before?
 * @scope: the parser, which has read octets once more
 * @known: as it stood after these then
 * @is_tail: they are nothing but continuation octets now
 *
 * A text that was picked up knows nothing of what came before it. If it was read from there
 * on now, this parser knows more until the first character is whole.
 *
 * Context: any; pure.
 */
bool ugnf_scope_agrees(const struct ugnf_scope *scope, const struct ugnf_scope *known, bool is_tail)
{
	struct ugnf_scope other;

	if (!memcmp(scope, known, sizeof(*scope)))
		return true;
	if (scope->status != UGNF_SCOPE_FOLLOWED || !ugnf_scope_stands_alone(known))
		return false;
	memcpy(&other, known, sizeof(other));
	/* It may have been any character that they end: so they must be part of one again. */
	if (is_tail && known->plain.tail) {
		other.plain.tail = scope->plain.tail;
		other.text = scope->text;
	}
	/* After a character, there is no byte order mark. */
	other.text.refuse &= scope->text.refuse | ~UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_BOM);
	if (other.text.state == UTF8GUARD_STATE_START && !other.text.char_length)
		other.text.char_length = scope->text.char_length;
	return !memcmp(scope, &other, sizeof(*scope));
}

/**
 * ugnf_scope_any() - how many of the next octets may be any
 * @scope: the parser
 * @len: how many are asked for
 *
 * What is not judged leads the parser to the same state whatever it is: bodies of
 * HTTP, what is no text or no part of it, and what is not followed.
 */
u32 ugnf_scope_any(const struct ugnf_scope *scope, u32 len)
{
	if (scope->status == UGNF_SCOPE_UNFOLLOWED)
		return len;
	switch (scope->kind) {
	case UGNF_SCOPE_HTTP_TARGET:
	case UGNF_SCOPE_HTTP_HEADERS:
		return ugnf_http_any(scope, len);
	case UGNF_SCOPE_PLAIN:
		return ugnf_plain_any(scope, len);
	default:
		return 0;
	}
}

/**
 * ugnf_scope_skip() - go on by octets that may be any
 * @scope: the parser
 * @len: how many octets
 *
 * Return: true, or false where an octet among them matters: then nothing changes.
 */
bool ugnf_scope_skip(struct ugnf_scope *scope, u32 len)
{
	if (ugnf_scope_any(scope, len) < len)
		return false;
	if (scope->status == UGNF_SCOPE_UNFOLLOWED)
		return true;
	if (scope->kind == UGNF_SCOPE_PLAIN)
		ugnf_plain_skip(scope, len);
	else
		ugnf_http_skip(scope, len);
	return true;
}

/* Does ASCII, one octet of it or many, lead from where it stands to one state? */
bool ugnf_scope_is_steady(const struct ugnf_scope *scope)
{
	return scope->kind == UGNF_SCOPE_PLAIN && ugnf_plain_is_steady(scope);
}

/* Did the text gate see that it is no text? */
bool ugnf_scope_is_binary(const struct ugnf_scope *scope)
{
	return scope->kind == UGNF_SCOPE_PLAIN && scope->plain.gate.is_binary;
}

/* Has whoever sends this asked for another protocol, which the answer may agree to? */
bool ugnf_scope_asks(const struct ugnf_scope *scope)
{
	return (scope->kind == UGNF_SCOPE_HTTP_TARGET || scope->kind == UGNF_SCOPE_HTTP_HEADERS) &&
	       ugnf_http_asks(scope);
}

/**
 * ugnf_scope_switch() - the answer has agreed to another protocol
 * @scope: of HTTP, wherever it is
 *
 * From the end of the first request that asked for it on, nothing is followed. A request
 * that is read again leads to what is made of the octets after it here.
 *
 * Return: whether octets after that request were followed as HTTP.
 */
bool ugnf_scope_switch(struct ugnf_scope *scope)
{
	return scope->status == UGNF_SCOPE_FOLLOWED && ugnf_http_switch(scope);
}
