// SPDX-License-Identifier: GPL-2.0
/*
 * Judges a text whose octets come in order, after percent decoding where a rule asks for it:
 *
 *	octets -> put() or feed_decoded(): decoding -> feed(): UTF-8 -> classify(): text classes
 *
 * In what follows, "octets" are those before decoding as well as those after it; "data" are
 * always those before it.
 */
#include "../../codec/codec.h"
#include "run.h"
#include "text.h"

/* Keeps the last octets in @text->before. */
static void keep(struct ugnf_text *text, const u8 *octets, u32 len)
{
	u32 i = len > sizeof(text->before) ? len - sizeof(text->before) : 0;

	for (; i < len; i++) {
		if (text->before_len == sizeof(text->before)) {
			text->before[0] = text->before[1];
			text->before[1] = text->before[2];
			text->before_len--;
		}
		text->before[text->before_len++] = octets[i];
	}
}

/**
 * ugnf_text_explain() - what is wrong with the last octets of a text
 * @text: the text; @text->before has the octets before @octets
 * @octets: decoded octets; the text may end among them
 * @len: their number; 0 if the text ends before them
 * @error: filled in if something is wrong, with an offset from the beginning of @text->before
 * @bytes: filled in with the @error->span octets of the error; has room for UTF8GUARD_MAX_SPAN
 *
 * Context: any; pure.
 * Return: whether the octets are ill-formed.
 */
bool ugnf_text_explain(const struct ugnf_text *text, const u8 *octets, u32 len,
		       struct utf8guard_error *error, u8 *bytes)
{
	u8 all[sizeof(text->before) + UTF8GUARD_MAX_SPAN];
	u32 n = text->before_len, skip = 0;

	len = min_t(u32, len, UTF8GUARD_MAX_SPAN);
	memcpy(all, text->before, n);
	memcpy(all + n, octets, len);
	/* The octets that were kept may begin inside a character. */
	while (skip < n && utf8guard_is_tail(all[skip]))
		skip++;
	if (!utf8guard_validate(all + skip, n + len - skip, error))
		return false;
	error->offset += skip;
	memcpy(bytes, all + error->offset, error->span);
	return true;
}

/* The text has just been refused at @octets, so they are ill-formed. */
static void explain(struct ugnf_text *text, const u8 *octets, u32 len,
		    struct utf8guard_error *error)
{
	u8 bytes[UTF8GUARD_MAX_SPAN];

	ugnf_text_explain(text, octets, len, error, bytes);
	text->class = error->class;
}

/* Refuses the text for a single octet, of which only the class of error is known. */
static void refuse(struct ugnf_text *text, u8 class, struct utf8guard_error *error)
{
	*error = (struct utf8guard_error) {
		.class = class,
		.code_point = UTF8GUARD_NO_CODE_POINT,
		.length = 1,
		.span = 1,
	};
	text->class = class;
}

/* Takes the next octet of well-formed text into the code point of its character. */
static void take(struct ugnf_text *text, u8 octet)
{
	if (text->char_left) {
		text->code_point = text->code_point << 6 | (octet & 0x3f);
		text->char_left--;
		return;
	}
	text->char_length = octet < 0x80 ? 1 : octet < 0xe0 ? 2 : octet < 0xf0 ? 3 : 4;
	text->char_left = text->char_length - 1;
	text->code_point = octet < 0x80 ? octet : octet & (0x7f >> text->char_length);
}

/* Those classes of the last character, which is whole, that are refused. */
static u32 refused_classes(struct ugnf_text *text)
{
	u32 classes = utf8guard_code_point_classes(text->code_point) &
		      ~UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_EDGE_SPACE);
	u32 bom = UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_BOM);

	if (text->code_point == 0xfeff)
		classes |= bom;
	classes &= text->refuse;
	text->refuse &= ~bom;
	return classes;
}

/* Refuses the text for its last character. */
static void refuse_character(struct ugnf_text *text, u32 classes, struct utf8guard_error *error)
{
	*error = (struct utf8guard_error) {
		.class = __builtin_ctz(classes),
		.code_point = text->code_point,
		.length = text->char_length,
		.span = text->char_length,
	};
	text->class = error->class;
}

/* After skip_clean() has skipped nothing, so many octets are taken one by one. */
#define SLOWLY 16

/*
 * The number of octets, of whole characters, that are of no refused class. The first character
 * is not skipped, for it may be a byte order mark.
 */
static u32 skip_clean(const struct ugnf_text *text, const u8 *octets, u32 len)
{
	u32 refuse = text->refuse & UTF8GUARD_TEXT_CLASSES, n;

	if (text->char_left || !text->char_length)
		return 0;
	n = utf8guard_skip_clean(octets, len, refuse);
	/* take() needs a character from its lead octet on: do not skip a part of one. */
	if (n && (n == len || utf8guard_is_tail(octets[n])))
		while (utf8guard_is_tail(octets[--n]))
			;
	return n;
}

/*
 * Looks for text classes that are refused in well-formed octets. Returns the offset of the last
 * octet of the character that is refused, or @len.
 */
static u32 classify(struct ugnf_text *text, const u8 *octets, u32 len,
		    struct utf8guard_error *error)
{
	u32 i = 0, next = 0, n, classes;

	while (i < len) {
		n = i < next ? 0 : skip_clean(text, octets + i, len - i);
		i += n;
		if (!n && i >= next)
			next = i + SLOWLY;
		if (i == len)
			break;
		take(text, octets[i]);
		classes = text->char_left ? 0 : refused_classes(text);
		if (classes) {
			refuse_character(text, classes, error);
			return i;
		}
		i++;
	}
	return len;
}

/* Judges decoded octets. Returns how many are good. */
static u32 feed(struct ugnf_text *text, const u8 *octets, u32 len, struct utf8guard_error *error)
{
	u32 good = utf8guard_feed(&text->state, octets, len), plain;

	if (text->refuse & UTF8GUARD_TEXT_CLASSES) {
		plain = classify(text, octets, good, error);
		if (text->class != UTF8GUARD_CLASS_NONE)
			return plain;
	}
	if (text->state == UTF8GUARD_STATE_REFUSED) {
		keep(text, octets, good);
		explain(text, octets + good, len - good, error);
		return good;
	}
	keep(text, octets, len);
	return len;
}

/* The classes of percent encoding that are refused at this point of the text. */
static u32 refused_escapes(const struct ugnf_text *text)
{
	u32 refuse = text->refuse & UTF8GUARD_PERCENT_CLASSES;

	if (text->decode == UGNF_DECODE_TARGET && text->is_query)
		refuse &= ~UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_PERCENT_DOUBLE);
	return refuse;
}

/* Judges the octets that decoding has yielded; then refuses @class, if decoding found one. */
static bool decoded(struct ugnf_text *text, const u8 *out, u32 n, u8 class,
		    struct utf8guard_error *error)
{
	if (n && feed(text, out, n, error) != n)
		return false;
	if (class != UTF8GUARD_CLASS_NONE)
		refuse(text, class, error);
	return class == UTF8GUARD_CLASS_NONE;
}

/* Decodes one octet and judges the result. */
static bool put(struct ugnf_text *text, u8 octet, struct utf8guard_error *error)
{
	u8 class = UTF8GUARD_CLASS_NONE, out[UGNF_PERCENT_MOST];
	u32 n = ugnf_percent_put(&text->percent, refused_escapes(text), octet, out, &class);

	return decoded(text, out, n, class, error);
}

static bool end_escapes(struct ugnf_text *text, struct utf8guard_error *error)
{
	u8 class = UTF8GUARD_CLASS_NONE, out[UGNF_PERCENT_MOST];
	u32 n = ugnf_percent_end(&text->percent, refused_escapes(text), out, &class);

	return decoded(text, out, n, class, error);
}

/* feed_decoded() judges up to so many decoded octets at a time. */
#define ROOM 128

/* Is the text outside of any escape and of any pair of escapes? */
static bool is_between(const struct ugnf_percent *percent)
{
	return !percent->step && !percent->echo && !percent->high;
}

/*
 * The fast way: decodes and judges many octets together, as far as ugnf_percent_run() goes.
 * Returns how many it took. If one of them is refused, it takes none and leaves @text as it
 * was; the caller then goes octet by octet, which tells which one is at fault.
 */
static u32 feed_decoded(struct ugnf_text *text, const u8 *data, u32 len,
			struct utf8guard_error *error)
{
	const struct ugnf_text before = *text;
	u8 out[ROOM];
	u32 n, taken;

	if (len < UGNF_RUN_MIN || !is_between(&text->percent))
		return 0;
	taken = ugnf_percent_run(data, len, out, ROOM, &n);
	if (feed(text, out, n, error) == n)
		return taken;
	*text = before;
	return 0;
}

/**
 * ugnf_text_feed() - decode and judge the next octets
 * @text: the text
 * @data: the octets
 * @len: their number
 * @error: filled in where the text is refused; @error->offset has no meaning
 *
 * The decoded text must be as RFC 3629 section 4 says. A text that was refused stays refused.
 *
 * Context: any; pure.
 * Return: @len; or the offset of the octet at fault, and @text->class says why.
 */
u32 ugnf_text_feed(struct ugnf_text *text, const u8 *data, u32 len, struct utf8guard_error *error)
{
	u32 i = 0, n;

	if (text->class != UTF8GUARD_CLASS_NONE)
		return 0;
	if (!text->decode)
		return feed(text, data, len, error);
	while (i < len) {
		n = feed_decoded(text, data + i, len - i, error);
		if (!n && !put(text, data[i], error))
			break;
		i += n ? n : 1;
	}
	return i;
}

/**
 * ugnf_text_begin_query() - the query of the target of a request begins
 * @text: the path, up to and including the "?" that ends it
 *
 * Double encoding is allowed in a query: it is often an address, which others will decode.
 */
void ugnf_text_begin_query(struct ugnf_text *text)
{
	text->is_query = 1;
	if (text->decode != UGNF_DECODE_TARGET)
		return;
	text->percent.echo = 0;
	text->percent.echo_is_u = 0;
}

/**
 * ugnf_text_settle() - forget what has no influence on how the text is judged from here on
 * @text: the text, not refused
 *
 * Octets before the last character only serve to explain an error, and their number depends on
 * the pieces in which the text came. After this call, two texts that will be judged alike are
 * equal by memcmp(), unless they are inside an escape.
 *
 * Context: any; pure.
 */
void ugnf_text_settle(struct ugnf_text *text)
{
	u32 kept = 0, from;

	if (text->state != UTF8GUARD_STATE_START)
		while (kept < text->before_len &&
		       utf8guard_is_tail(text->before[text->before_len - ++kept]))
			;
	/* Without a class that is refused, the rest of a piece may have been classified or not. */
	if (text->state == UTF8GUARD_STATE_START || !(text->refuse & UTF8GUARD_TEXT_CLASSES)) {
		text->code_point = 0;
		text->char_left = 0;
		text->char_length = !!text->char_length;
	}
	from = text->before_len - kept;
	memmove(text->before, text->before + from, kept);
	memset(text->before + kept, 0, sizeof(text->before) - kept);
	text->before_len = kept;
}

/**
 * ugnf_text_end() - the text ends here
 * @text: the text
 * @error: filled in where it is refused
 *
 * Context: any; pure.
 * Return: whether it is well-formed as a whole.
 */
bool ugnf_text_end(struct ugnf_text *text, struct utf8guard_error *error)
{
	if (text->class != UTF8GUARD_CLASS_NONE)
		return false;
	if (text->decode && !end_escapes(text, error))
		return false;
	if (text->state == UTF8GUARD_STATE_START)
		return true;
	explain(text, text->before, 0, error);
	return false;
}
