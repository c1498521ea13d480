// SPDX-License-Identifier: GPL-2.0
/* What all scopes have in common: it leaves the rest to the parser of the protocol. */
#include "../../codec/codec.h"
#include "scope.h"

/**
 * ugnf_scope_init() - make a parser for a stream or a datagram
 * @scope: filled in
 * @kind: what to judge
 * @decode: decode percent encoding first. All classes of percent encoding are refused then;
 *	of a request target, double encoding is refused in the path but not in the query
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

/* From here on, the parser does not know what octets are, because of @cause. Returns false. */
bool ugnf_scope_lose(struct ugnf_scope *scope, u8 cause)
{
	scope->status = UGNF_SCOPE_UNFOLLOWED;
	scope->cause = cause;
	return false;
}

/* The next octet is the first of another text. */
void ugnf_scope_text_begin(struct ugnf_scope *scope)
{
	u32 refuse = scope->text.refuse;
	u8 decode = scope->text.decode;

	memset(&scope->text, 0, sizeof(scope->text));
	scope->text.refuse = refuse;
	scope->text.decode = decode;
}

/* Judges the next octets of the text. Returns how many are good. */
u32 ugnf_scope_text(struct ugnf_scope *scope, const u8 *data, u32 len,
		    struct utf8guard_error *error)
{
	u32 good = ugnf_text_feed(&scope->text, data, len, error);

	if (scope->text.class != UTF8GUARD_CLASS_NONE)
		scope->status = UGNF_SCOPE_REFUSED;
	return good;
}

/* The text ends here: a character that is not whole is refused. */
void ugnf_scope_text_end(struct ugnf_scope *scope, struct utf8guard_error *error)
{
	if (!ugnf_text_end(&scope->text, error))
		scope->status = UGNF_SCOPE_REFUSED;
}

/**
 * ugnf_scope_feed() - parse and judge the next octets, in order
 * @scope: the parser
 * @data: the octets
 * @len: their number
 * @error: filled in where @scope->status becomes UGNF_SCOPE_REFUSED, but for @error->offset,
 *	which has no meaning
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
 * @scope: the parser; @scope->status is final afterwards
 * @error: filled in where @scope->status becomes UGNF_SCOPE_REFUSED
 *
 * An HTTP request that is not whole is no error: servers do not act on it.
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

/* Can octets be judged without knowing those before them? Text can, framing and escapes cannot. */
bool ugnf_scope_stands_alone(const struct ugnf_scope *scope)
{
	return scope->kind == UGNF_SCOPE_PLAIN && !scope->text.decode && !scope->plain.is_part;
}

/**
 * ugnf_scope_pick_up() - the octets before this point of the stream are not known
 * @scope: the parser as it is at the beginning of a stream
 *
 * Text is judged from the first character that begins after this point. Framing and escapes
 * cannot be followed from the middle on, so they are not judged.
 */
void ugnf_scope_pick_up(struct ugnf_scope *scope)
{
	if (ugnf_scope_stands_alone(scope))
		scope->plain.tail = UGNF_MAX_TAIL;
	else
		ugnf_scope_lose(scope, UTF8GUARD_CAUSE_MIDDLE);
}

/**
 * ugnf_scope_set_alone() - make a parser for octets from the middle of a stream
 * @scope: filled in
 * @initial: the parser at the beginning of the stream
 * @after: the parser at any octet after these, or @initial where it is not known
 *
 * Neither what came before these octets nor what comes after them is known.
 */
void ugnf_scope_set_alone(struct ugnf_scope *scope, const struct ugnf_scope *initial,
			  const struct ugnf_scope *after)
{
	memcpy(scope, initial, sizeof(*scope));
	ugnf_scope_pick_up(scope);
	if (!ugnf_scope_stands_alone(scope) || !scope->plain.is_gated)
		return;
	/* Judge them only if the text gate has already found that the stream is text. */
	scope->plain.gate = after->plain.gate;
	if (scope->plain.gate.at != UGNF_GATE_OCTETS)
		scope->plain.gate.is_binary = true;
}

/**
 * ugnf_scope_agrees() - is a parser in the same state as when it read octets before?
 * @scope: the parser that has read the octets once more
 * @known: the parser as it was after it read them the first time
 * @is_tail: the octets are nothing but continuation octets this time
 *
 * @known may be of a text that was picked up, which knew nothing of earlier octets. If @scope
 * has read those, it knows more than @known until the first character is whole. That is no
 * difference.
 *
 * Context: any; pure.
 * Return: whether it is.
 */
bool ugnf_scope_agrees(const struct ugnf_scope *scope, const struct ugnf_scope *known, bool is_tail)
{
	struct ugnf_scope other;

	if (!memcmp(scope, known, sizeof(*scope)))
		return true;
	if (scope->status != UGNF_SCOPE_FOLLOWED || !ugnf_scope_stands_alone(known))
		return false;
	memcpy(&other, known, sizeof(other));
	/* @known let them be the end of any character. They must be inside a character again. */
	if (is_tail && known->plain.tail) {
		other.plain.tail = scope->plain.tail;
		other.text = scope->text;
	}
	/* @scope may know that a character came before, so that no byte order mark can follow. */
	other.text.refuse &= scope->text.refuse | ~UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_BOM);
	if (other.text.state == UTF8GUARD_STATE_START && !other.text.char_length)
		other.text.char_length = scope->text.char_length;
	return !memcmp(scope, &other, sizeof(*scope));
}

/**
 * ugnf_scope_any() - how many of the next octets have no influence on the parser?
 * @scope: the parser
 * @len: the number of octets
 *
 * Whatever these octets are, the parser is in the same state after them: in the body of an
 * HTTP request, in a stream that is not text, outside of the part of a text that is judged,
 * and where the parser does not follow the stream any more.
 *
 * Return: @len, or fewer.
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
 * ugnf_scope_skip() - go on after octets that nobody has read
 * @scope: the parser
 * @len: the number of octets
 *
 * Return: false, and @scope unchanged, where these octets would have an influence on it.
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

/* Does ASCII, one octet or many, lead the parser from its state to one and the same state? */
bool ugnf_scope_is_steady(const struct ugnf_scope *scope)
{
	return scope->kind == UGNF_SCOPE_PLAIN && ugnf_plain_is_steady(scope);
}

/* Has the text gate found that the stream is not text? */
bool ugnf_scope_is_binary(const struct ugnf_scope *scope)
{
	return scope->kind == UGNF_SCOPE_PLAIN && scope->plain.gate.is_binary;
}

/* Has the client asked for another protocol, to which the server may agree? */
bool ugnf_scope_asks(const struct ugnf_scope *scope)
{
	return (scope->kind == UGNF_SCOPE_HTTP_TARGET || scope->kind == UGNF_SCOPE_HTTP_HEADERS) &&
	       ugnf_http_asks(scope);
}

/**
 * ugnf_scope_switch() - the server has agreed to another protocol
 * @scope: a parser for the requests of HTTP, in any state
 *
 * The other protocol begins after the first request that asked for it, so nothing is followed
 * from there on. If the same request is read again later, the parser gets into the state that
 * it gets here.
 *
 * Return: whether the parser has already followed octets after that request as HTTP.
 */
bool ugnf_scope_switch(struct ugnf_scope *scope)
{
	return scope->status == UGNF_SCOPE_FOLLOWED && ugnf_http_switch(scope);
}

/* Is the next octet judged as the first one of a text is? */
static bool is_text_as_new(const struct ugnf_text *text, const struct ugnf_text *initial)
{
	return text->state == UTF8GUARD_STATE_START && text->refuse == initial->refuse &&
	       !memcmp(&text->percent, &initial->percent, sizeof(text->percent));
}

/**
 * ugnf_scope_is_as_new() - is the next octet judged as the first one of a stream is?
 * @scope: the parser
 * @initial: the parser at the beginning of the stream
 *
 * So it makes no difference then whether the receiver has the octets that were read.
 *
 * Context: any; pure.
 * Return: whether it is.
 */
bool ugnf_scope_is_as_new(const struct ugnf_scope *scope, const struct ugnf_scope *initial)
{
	if (scope->status != UGNF_SCOPE_FOLLOWED)
		return false;
	switch (scope->kind) {
	case UGNF_SCOPE_HTTP_TARGET:
	case UGNF_SCOPE_HTTP_HEADERS:
		return ugnf_http_is_as_new(scope);
	case UGNF_SCOPE_SMTP_LINE:
	case UGNF_SCOPE_SMTP_HEADERS:
		return !memcmp(&scope->smtp, &initial->smtp, sizeof(scope->smtp)) &&
		       is_text_as_new(&scope->text, &initial->text);
	case UGNF_SCOPE_PLAIN:
		return !memcmp(&scope->plain, &initial->plain, sizeof(scope->plain)) &&
		       is_text_as_new(&scope->text, &initial->text);
	default:
		return ugnf_dns_is_whole(scope);
	}
}
