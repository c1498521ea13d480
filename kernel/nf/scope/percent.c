// SPDX-License-Identifier: GPL-2.0
/*
 * Decodes percent encoding once, octet by octet. On the way it finds escapes that a second pass
 * would decode (%2541), "%" without two digits, escapes of NUL, and %uXXXX. A rule says which of
 * these are refused. Where they are not, "%" without two digits stands for itself, as in the URL
 * Standard, and %uXXXX for a code unit of UTF-16, as in escape() of ECMAScript.
 */
#include "../../codec/codec.h"
#include "../../codec/decode.h"
#include "percent.h"

#define BIT_OF(class) UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_PERCENT_##class)

static int hex_digit(u8 octet)
{
	if (octet >= '0' && octet <= '9')
		return octet - '0';
	octet |= 0x20;
	return octet >= 'a' && octet <= 'f' ? octet - 'a' + 10 : -1;
}

/*
 * The next octet of "%" HEX HEX or "%u" HEX HEX HEX HEX.
 * Return: 1 if the escape is complete with it, 0 if not yet, -1 if this is no escape.
 */
static int advance(u8 *step, u8 *is_u, u8 octet)
{
	if (*step == 1 && (octet | 0x20) == 'u') {
		*is_u = 1;
		*step = 2;
		return 0;
	}
	if (hex_digit(octet) < 0)
		return -1;
	++*step;
	return *step == (*is_u ? 6 : 3);
}

/* Do the decoded octets form an escape themselves, which @octet completes? */
static bool is_double(struct ugnf_percent *percent, u8 octet)
{
	int end = 0;

	if (percent->echo)
		end = advance(&percent->echo, &percent->echo_is_u, octet);
	if (end > 0)
		return true;
	if (end < 0 || octet == '%') {
		percent->echo = octet == '%';
		percent->echo_is_u = 0;
	}
	return false;
}

/* Puts a decoded octet into @out, unless it is refused. Returns how many octets came out. */
static u32 emit(struct ugnf_percent *percent, u32 refuse, u8 octet, u8 *out, u8 *class)
{
	if (refuse & BIT_OF(DOUBLE) && is_double(percent, octet)) {
		*class = UTF8GUARD_CLASS_PERCENT_DOUBLE;
		return 0;
	}
	*out = octet;
	return 1;
}

/* An escape of a surrogate has no escape of the other half of its pair beside it. */
static u32 refuse_half_pair(u8 *class)
{
	*class = UTF8GUARD_CLASS_SURROGATE;
	return 0;
}

static u32 emit_character(struct ugnf_percent *percent, u32 refuse, u32 code_point, u8 *out,
			  u8 *class)
{
	if (code_point < 0x80)
		return emit(percent, refuse, code_point, out, class);
	percent->echo = 0;
	percent->echo_is_u = 0;
	return utf8guard_encode(out, code_point);
}

/* "%uXXXX" is complete, and not refused. */
static u32 emit_unit(struct ugnf_percent *percent, u32 refuse, u16 unit, u8 *out, u8 *class)
{
	u16 high = percent->high;
	bool is_low = unit >= 0xdc00 && unit <= 0xdfff;

	if (is_low != !!high)
		return refuse_half_pair(class);
	if (unit >= 0xd800 && unit <= 0xdbff) {
		percent->high = unit;
		return 0;
	}
	percent->high = 0;
	return emit_character(percent, refuse,
			      is_low ? 0x10000 + ((high - 0xd800) << 10) + unit - 0xdc00 : unit,
			      out, class);
}

/* Leaves nothing of the last escape, for memcmp() to compare two texts: see ugnf_text_settle(). */
static void reset(struct ugnf_percent *percent)
{
	percent->step = 0;
	percent->is_u = 0;
	percent->unit = 0;
}

/* What began like an escape is none: its octets stand for themselves. */
static u32 emit_plain(struct ugnf_percent *percent, u32 refuse, u8 *out, u8 *class)
{
	static const char hex[] = "0123456789abcdef";
	u32 count = percent->step - 1 - percent->is_u, n;
	bool is_u = percent->is_u;
	u16 unit = percent->unit;

	reset(percent);
	if (refuse & BIT_OF(MALFORMED)) {
		*class = UTF8GUARD_CLASS_PERCENT_MALFORMED;
		return 0;
	}
	if (percent->high)
		return refuse_half_pair(class);
	n = emit(percent, refuse, '%', out, class);
	if (is_u)
		n += emit(percent, refuse, 'u', out + n, class);
	while (count-- && *class == UTF8GUARD_CLASS_NONE)
		n += emit(percent, refuse, hex[unit >> 4 * count & 15], out + n, class);
	return n;
}

/* The next octet, outside of any escape. */
static u32 put_plain(struct ugnf_percent *percent, u32 refuse, u8 octet, u8 *out, u8 *class)
{
	if (octet == '%') {
		percent->step = 1;
		return 0;
	}
	if (percent->high)
		return refuse_half_pair(class);
	return emit(percent, refuse, octet, out, class);
}

/* The next octet, inside an escape. */
static u32 put_escaped(struct ugnf_percent *percent, u32 refuse, u8 octet, u8 *out, u8 *class)
{
	int end = advance(&percent->step, &percent->is_u, octet);
	bool is_u = percent->is_u;
	u16 unit;
	u32 n;

	if (end < 0) {
		n = emit_plain(percent, refuse, out, class);
		if (*class != UTF8GUARD_CLASS_NONE)
			return n;
		return n + put_plain(percent, refuse, octet, out + n, class);
	}
	if (!percent->is_u || percent->step > 2)
		percent->unit = percent->unit << 4 | hex_digit(octet);
	if (!end)
		return 0;
	unit = percent->unit;
	reset(percent);
	if (is_u && refuse & BIT_OF(UNICODE)) {
		*class = UTF8GUARD_CLASS_PERCENT_UNICODE;
		return 0;
	}
	if (!unit && refuse & BIT_OF(NUL)) {
		*class = UTF8GUARD_CLASS_PERCENT_NUL;
		return 0;
	}
	if (is_u)
		return emit_unit(percent, refuse, unit, out, class);
	if (percent->high)
		return refuse_half_pair(class);
	return emit(percent, refuse, unit, out, class);
}

/**
 * ugnf_percent_put() - decode one octet
 * @percent: the state of decoding
 * @refuse: mask of the classes UTF8GUARD_CLASS_PERCENT_* that are refused, the same for
 *	all of the text: _MALFORMED for "%" that is not followed by two digits, _UNICODE
 *	for "%uXXXX", _NUL for "%00", and _DOUBLE for what a second decoding would decode
 * @octet: the next octet
 * @out: the decoded octets, up to UGNF_PERCENT_MOST
 * @class: set where the text is refused: to one of these classes, or to
 *	UTF8GUARD_CLASS_SURROGATE for one half of a pair
 *
 * The octet at fault is the one that completes an escape, or shows that it is none. "+" is not
 * decoded.
 *
 * Context: any; pure.
 * Return: how many octets came out, before the text was refused.
 */
u32 ugnf_percent_put(struct ugnf_percent *percent, u32 refuse, u8 octet, u8 *out, u8 *class)
{
	if (percent->step)
		return put_escaped(percent, refuse, octet, out, class);
	return put_plain(percent, refuse, octet, out, class);
}

#define IS_DIGIT 0x10

/* For each hexadecimal digit its value and IS_DIGIT; 0 for other octets. */
static const u8 digits[256] = {
	['0'] = 0x10, ['1'] = 0x11, ['2'] = 0x12, ['3'] = 0x13, ['4'] = 0x14, ['5'] = 0x15,
	['6'] = 0x16, ['7'] = 0x17, ['8'] = 0x18, ['9'] = 0x19,
	['A'] = 0x1a, ['B'] = 0x1b, ['C'] = 0x1c, ['D'] = 0x1d, ['E'] = 0x1e, ['F'] = 0x1f,
	['a'] = 0x1a, ['b'] = 0x1b, ['c'] = 0x1c, ['d'] = 0x1d, ['e'] = 0x1e, ['f'] = 0x1f,
};

/**
 * ugnf_percent_run() - decode octets up to the first escape that a rule may refuse
 * @data: the octets; the first is outside of any escape
 * @len: their number
 * @out: the decoded octets
 * @room: the number of octets that fit into @out
 * @count: set to the number of decoded octets
 *
 * Stops before "%" without two digits, and before escapes of NUL and of "%" itself.
 *
 * Context: any; pure.
 * Return: the number of octets of @data that were decoded.
 */
u32 ugnf_percent_run(const u8 *data, u32 len, u8 *out, u32 room, u32 *count)
{
	u32 i = 0, n = 0;

	while (i < len && n < room) {
		u8 octet = data[i], high, low;

		if (octet == '%') {
			if (len - i < 3)
				break;
			high = digits[data[i + 1]];
			low = digits[data[i + 2]];
			octet = high << 4 | (low & 15);
			if (!(high & low & IS_DIGIT) || !octet || octet == '%')
				break;
			i += 2;
		}
		out[n++] = octet;
		i++;
	}
	*count = n;
	return i;
}

/**
 * ugnf_percent_end() - the text ends here
 * @percent: the state of decoding
 * @refuse: as for ugnf_percent_put()
 * @out: the decoded octets, up to UGNF_PERCENT_MOST
 * @class: set as by ugnf_percent_put()
 *
 * Context: any; pure.
 * Return: how many octets came out.
 */
u32 ugnf_percent_end(struct ugnf_percent *percent, u32 refuse, u8 *out, u8 *class)
{
	if (percent->step)
		return emit_plain(percent, refuse, out, class);
	return percent->high ? refuse_half_pair(class) : 0;
}
