// SPDX-License-Identifier: GPL-2.0
/* UTF-8 from and to the other encodings of Unicode; strict in both directions. */
#include "decode.h"
#include "dfa.h"

/* Decodes one character. Returns its length; or 0, with @err filled in except for the offset. */
typedef u8 decode_fn(const u8 *p, size_t len, u32 *code_point,
		     struct utf8guard_error *err);

/* Encodes one character into @out, which has room for 4 octets. Returns its length. */
typedef u8 encode_fn(u8 *out, u32 code_point);

static u8 refuse(struct utf8guard_error *err, u8 class, u8 length, u32 code_point)
{
	*err = (struct utf8guard_error){
		.class = class,
		.code_point = code_point,
		.length = length,
		.span = length,
	};
	return 0;
}

static u8 take_utf8(const u8 *p, size_t len, u32 *code_point,
		    struct utf8guard_error *err)
{
	struct utf8guard_char c;

	if (!utf8guard_locate(p, 0, min_t(size_t, len, 4))) {
		utf8guard_explain(p, len, 0, err);
		return 0;
	}
	c = utf8guard_decode(p);
	*code_point = c.code_point;
	return c.length;
}

static bool is_surrogate(u32 code_point)
{
	return code_point >= 0xd800 && code_point <= 0xdfff;
}

static u32 pair(u32 high, u32 low)
{
	return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00);
}

static u8 take_cesu8(const u8 *p, size_t len, u32 *code_point,
		     struct utf8guard_error *err)
{
	if (utf8guard_is_high_surrogate(p, len) && utf8guard_is_low_surrogate(p + 3, len - 3)) {
		*code_point = 0x10000 + ((p[1] & 0xf) << 16 | (p[2] & 0x3f) << 10 |
					 (p[4] & 0xf) << 6 | (p[5] & 0x3f));
		return 6;
	}
	/* No character of CESU-8 begins with F0..F4. */
	if (p[0] >= 0xf0 && p[0] <= 0xf4)
		return refuse(err, UTF8GUARD_CLASS_HEADER_BITS, 1,
			      UTF8GUARD_NO_CODE_POINT);
	return take_utf8(p, len, code_point, err);
}

static u8 take_modified(const u8 *p, size_t len, u32 *code_point,
			struct utf8guard_error *err)
{
	if (len >= 2 && p[0] == 0xc0 && p[1] == 0x80) {
		*code_point = 0;
		return 2;
	}
	if (!p[0])
		return refuse(err, UTF8GUARD_CLASS_NUL, 1, 0);
	return take_cesu8(p, len, code_point, err);
}

static __always_inline u32 unit16(const u8 *p, bool big)
{
	return big ? p[0] << 8 | p[1] : p[1] << 8 | p[0];
}

static __always_inline u8 take_utf16(const u8 *p, size_t len, u32 *code_point,
				     struct utf8guard_error *err, bool big)
{
	u32 first, second;

	if (len < 2)
		return refuse(err, UTF8GUARD_CLASS_TRUNCATED, 1,
			      UTF8GUARD_NO_CODE_POINT);
	first = unit16(p, big);
	*code_point = first;
	if (!is_surrogate(first))
		return 2;
	if (first >= 0xdc00)
		return refuse(err, UTF8GUARD_CLASS_SURROGATE, 2, first);
	if (len < 4)
		return refuse(err, UTF8GUARD_CLASS_TRUNCATED, len, first);
	second = unit16(p + 2, big);
	if (second < 0xdc00 || second > 0xdfff)
		return refuse(err, UTF8GUARD_CLASS_SURROGATE, 2, first);
	*code_point = pair(first, second);
	return 4;
}

static u8 take_utf16le(const u8 *p, size_t len, u32 *code_point,
		       struct utf8guard_error *err)
{
	return take_utf16(p, len, code_point, err, false);
}

static u8 take_utf16be(const u8 *p, size_t len, u32 *code_point,
		       struct utf8guard_error *err)
{
	return take_utf16(p, len, code_point, err, true);
}

static __always_inline u8 take_utf32(const u8 *p, size_t len, u32 *code_point,
				     struct utf8guard_error *err, bool big)
{
	u32 unit;

	if (len < 4)
		return refuse(err, UTF8GUARD_CLASS_TRUNCATED, len,
			      UTF8GUARD_NO_CODE_POINT);
	unit = big ? unit16(p, big) << 16 | unit16(p + 2, big) :
		     unit16(p + 2, big) << 16 | unit16(p, big);
	*code_point = unit;
	if (is_surrogate(unit))
		return refuse(err, UTF8GUARD_CLASS_SURROGATE, 4, unit);
	if (unit > 0x10ffff)
		return refuse(err, UTF8GUARD_CLASS_TOO_LARGE, 4, unit);
	return 4;
}

static u8 take_utf32le(const u8 *p, size_t len, u32 *code_point,
		       struct utf8guard_error *err)
{
	return take_utf32(p, len, code_point, err, false);
}

static u8 take_utf32be(const u8 *p, size_t len, u32 *code_point,
		       struct utf8guard_error *err)
{
	return take_utf32(p, len, code_point, err, true);
}

static void put16(u8 *out, u32 unit, bool big)
{
	out[big ? 0 : 1] = unit >> 8;
	out[big ? 1 : 0] = unit;
}

static __always_inline u8 give_utf16(u8 *out, u32 code_point, bool big)
{
	if (code_point < 0x10000) {
		put16(out, code_point, big);
		return 2;
	}
	put16(out, 0xd800 + ((code_point - 0x10000) >> 10), big);
	put16(out + 2, 0xdc00 + (code_point & 0x3ff), big);
	return 4;
}

static u8 give_utf16le(u8 *out, u32 code_point)
{
	return give_utf16(out, code_point, false);
}

static u8 give_utf16be(u8 *out, u32 code_point)
{
	return give_utf16(out, code_point, true);
}

static u8 give_utf32le(u8 *out, u32 code_point)
{
	put16(out, code_point & 0xffff, false);
	put16(out + 2, code_point >> 16, false);
	return 4;
}

static u8 give_utf32be(u8 *out, u32 code_point)
{
	put16(out, code_point >> 16, true);
	put16(out + 2, code_point & 0xffff, true);
	return 4;
}

static const struct {
	decode_fn *take;
	encode_fn *give; /* NULL: import only */
} encodings[] = {
	[UTF8GUARD_UTF8] = { take_utf8, utf8guard_encode },
	[UTF8GUARD_UTF16LE] = { take_utf16le, give_utf16le },
	[UTF8GUARD_UTF16BE] = { take_utf16be, give_utf16be },
	[UTF8GUARD_UTF32LE] = { take_utf32le, give_utf32le },
	[UTF8GUARD_UTF32BE] = { take_utf32be, give_utf32be },
	[UTF8GUARD_CESU8] = { take_cesu8, NULL },
	[UTF8GUARD_MODIFIED_UTF8] = { take_modified, NULL },
	/* Big-endian, unless in_order() finds a mark of the other order. */
	[UTF8GUARD_UTF16] = { take_utf16be, NULL },
	[UTF8GUARD_UTF32] = { take_utf32be, NULL },
};

/*
 * The encoding with its byte order. A text that begins with FF FE is little-endian: read
 * as big-endian, FF FE would be the noncharacter U+FFFE in UTF-16, and FF FE 00 00 would be
 * no code point in UTF-32. U+FEFF was chosen as the mark because of that.
 */
static u8 in_order(u8 from, const u8 *p, size_t len)
{
	static const u8 mark[] = { 0xff, 0xfe, 0, 0 };

	if (from == UTF8GUARD_UTF16 && len >= 2 && !memcmp(p, mark, 2))
		return UTF8GUARD_UTF16LE;
	if (from == UTF8GUARD_UTF32 && len >= 4 && !memcmp(p, mark, 4))
		return UTF8GUARD_UTF32LE;
	return from;
}

static bool is_possible(const struct utf8guard_conversion *how)
{
	return how->from < ARRAY_SIZE(encodings) && how->to < ARRAY_SIZE(encodings) &&
	       encodings[how->to].give && how->bom <= UTF8GUARD_BOM_REQUIRE;
}

/* Writes as many whole characters as fit into @room, and counts all of them in @used. */
static int convert(const struct utf8guard_conversion *how, const u8 *p, size_t len,
		   u8 *out, size_t room, size_t *used, struct utf8guard_error *err)
{
	decode_fn *take = encodings[in_order(how->from, p, len)].take;
	encode_fn *give = encodings[how->to].give;
	bool has_bom = false;
	size_t i = 0;

	while (i < len) {
		u32 code_point;
		u8 octets[4], n = take(p + i, len - i, &code_point, err);

		if (!n) {
			err->offset = i;
			return -EILSEQ;
		}
		has_bom |= !i && code_point == 0xfeff;
		i += n;
		if (has_bom && i == n && how->bom == UTF8GUARD_BOM_STRIP)
			continue;
		n = give(octets, code_point);
		if (*used <= room && n <= room - *used)
			memcpy(out + *used, octets, n);
		*used += n;
	}
	if (how->bom != UTF8GUARD_BOM_REQUIRE || has_bom)
		return 0;
	refuse(err, UTF8GUARD_CLASS_BOM, 0, UTF8GUARD_NO_CODE_POINT);
	return -EILSEQ;
}

/**
 * utf8guard_convert() - convert text from one encoding of Unicode to another
 * @how: the two encodings, and what to do with a byte order mark
 * @text: the input; may be NULL if @len is 0
 * @len: its length in octets, also for UTF-16 and UTF-32
 * @out: where to write to; may not overlap @text, and may be NULL if there is
 *	no room
 * @out_len: octets of room there; on return, octets written or needed; 0 on -EILSEQ and -EINVAL
 * @err: on -EILSEQ, what is wrong with the input, and at which octet; or NULL.
 *	An unpaired surrogate of UTF-16 is UTF8GUARD_CLASS_SURROGATE, an odd octet
 *	or half a pair at the end UTF8GUARD_CLASS_TRUNCATED, more than U+10FFFF in
 *	UTF-32 UTF8GUARD_CLASS_TOO_LARGE, F0 to F4 in CESU-8 and modified UTF-8
 *	UTF8GUARD_CLASS_HEADER_BITS, a required byte order mark that is not there
 *	UTF8GUARD_CLASS_BOM of length 0.
 *
 * Strict: nothing ill-formed is replaced, skipped or passed on (RFC 3629
 * sections 3, 4 and 6; RFC 2781).
 *
 * Context: any; pure.
 * Return: 0; -EILSEQ if the input is ill-formed; -EMSGSIZE if there is too
 * little room: then @out has nothing of use in it, and nothing is written after
 * its end; -EINVAL if there is no such conversion.
 */
int utf8guard_convert(const struct utf8guard_conversion *how,
		      const void *text, size_t len, void *out, size_t *out_len,
		      struct utf8guard_error *err)
{
	struct utf8guard_error ignored;
	size_t room = *out_len;
	int ret;

	*out_len = 0;
	if (!is_possible(how))
		return -EINVAL;
	ret = convert(how, text, len, out, room, out_len, err ?: &ignored);
	if (ret)
		*out_len = 0;
	return *out_len > room ? -EMSGSIZE : ret;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_convert, "UTF8GUARD");
