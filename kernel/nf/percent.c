// SPDX-License-Identifier: GPL-2.0
/*
 * One pass of percent decoding, octet by octet. What a second pass would decode,
 * what no pass would, and what ends strings in C is found on the way.
 */
#include "percent.h"

static int hex_digit(u8 octet)
{
	if (octet >= '0' && octet <= '9')
		return octet - '0';
	octet |= 0x20;
	return octet >= 'a' && octet <= 'f' ? octet - 'a' + 10 : -1;
}

/*
 * One octet of "%" HEX HEX or "%u" HEX HEX HEX HEX further.
 * Return: 1 behind the last, 0 before it, -1 where it is no escape.
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

/* Does what comes out look like an escape again? Its "%" was one already. */
static bool is_double(struct nf_percent *percent, u8 octet)
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

static int emit(struct nf_percent *percent, u8 octet, u8 *class)
{
	if (!is_double(percent, octet))
		return octet;
	*class = UTF8GUARD_CLASS_PERCENT_DOUBLE;
	return NF_PERCENT_NONE;
}

static int escaped(struct nf_percent *percent, u8 octet, u8 *class)
{
	u8 value = percent->digit << 4 | hex_digit(octet);
	int end = advance(&percent->step, &percent->is_u, octet);

	if (percent->step == 2)
		percent->digit = hex_digit(octet);
	if (!end)
		return NF_PERCENT_NONE;
	if (end > 0 && !percent->is_u && value) {
		percent->step = 0;
		return emit(percent, value, class);
	}
	if (end < 0)
		*class = UTF8GUARD_CLASS_PERCENT_MALFORMED;
	else if (percent->is_u)
		*class = UTF8GUARD_CLASS_PERCENT_UNICODE;
	else
		*class = UTF8GUARD_CLASS_PERCENT_NUL;
	return NF_PERCENT_NONE;
}

/**
 * nf_percent_put() - decode one octet
 * @percent: where the text stands
 * @octet: the next one
 * @class: set where the text is to be refused: UTF8GUARD_CLASS_PERCENT_MALFORMED
 *	for "%" that is not followed by two digits, _UNICODE for "%uXXXX", _NUL for
 *	"%00", and _DOUBLE for what a second decoding would decode
 *
 * The octet that completes an escape is the one at fault. "+" stays what it is.
 *
 * Context: any; pure.
 * Return: the octet that comes out, or NF_PERCENT_NONE.
 */
int nf_percent_put(struct nf_percent *percent, u8 octet, u8 *class)
{
	if (percent->step)
		return escaped(percent, octet, class);
	if (octet != '%')
		return emit(percent, octet, class);
	/* It is no "%u": that one would have been refused, or malformed. */
	percent->step = 1;
	return NF_PERCENT_NONE;
}

/**
 * nf_percent_end() - the text ends here
 * @percent: where it stands
 *
 * Context: any; pure.
 * Return: UTF8GUARD_CLASS_NONE, or _PERCENT_MALFORMED inside an escape.
 */
u8 nf_percent_end(const struct nf_percent *percent)
{
	return percent->step ? UTF8GUARD_CLASS_PERCENT_MALFORMED : UTF8GUARD_CLASS_NONE;
}
