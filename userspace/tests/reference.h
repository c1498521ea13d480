/* SPDX-License-Identifier: GPL-2.0 */
/*
 * RFC 3629 section 4, plain and obviously right: everything else is compared with this. It is
 * written from the ABNF, one step for each octet, and shares nothing with the codec but the
 * names of the states.
 */
#ifndef _UTF8GUARD_REFERENCE_H
#define _UTF8GUARD_REFERENCE_H

#include <string.h>
#include <linux/utf8guard.h>

static inline u8 reference_lead(u8 octet)
{
	if (octet < 0x80)
		return UTF8GUARD_STATE_START;
	if (octet < 0xc2)
		return UTF8GUARD_STATE_REFUSED;
	if (octet < 0xe0)
		return UTF8GUARD_STATE_TAIL1;
	if (octet < 0xf0)
		return octet == 0xe0 ? UTF8GUARD_STATE_E0 :
		       octet == 0xed ? UTF8GUARD_STATE_ED :
				       UTF8GUARD_STATE_TAIL2;
	if (octet > 0xf4)
		return UTF8GUARD_STATE_REFUSED;
	return octet == 0xf0 ? UTF8GUARD_STATE_F0 :
	       octet == 0xf4 ? UTF8GUARD_STATE_F4 :
			       UTF8GUARD_STATE_TAIL3;
}

static inline u8 reference_tail(u8 octet, u8 lowest, u8 highest, u8 next)
{
	return octet >= lowest && octet <= highest ? next : UTF8GUARD_STATE_REFUSED;
}

static inline u8 reference_step(u8 state, u8 octet)
{
	switch (state) {
	case UTF8GUARD_STATE_START:
		return reference_lead(octet);
	case UTF8GUARD_STATE_TAIL1:
		return reference_tail(octet, 0x80, 0xbf, UTF8GUARD_STATE_START);
	case UTF8GUARD_STATE_TAIL2:
		return reference_tail(octet, 0x80, 0xbf, UTF8GUARD_STATE_TAIL1);
	case UTF8GUARD_STATE_TAIL3:
		return reference_tail(octet, 0x80, 0xbf, UTF8GUARD_STATE_TAIL2);
	case UTF8GUARD_STATE_E0:
		return reference_tail(octet, 0xa0, 0xbf, UTF8GUARD_STATE_TAIL1);
	case UTF8GUARD_STATE_ED:
		return reference_tail(octet, 0x80, 0x9f, UTF8GUARD_STATE_TAIL1);
	case UTF8GUARD_STATE_F0:
		return reference_tail(octet, 0x90, 0xbf, UTF8GUARD_STATE_TAIL2);
	case UTF8GUARD_STATE_F4:
		return reference_tail(octet, 0x80, 0x8f, UTF8GUARD_STATE_TAIL2);
	default:
		return UTF8GUARD_STATE_REFUSED;
	}
}

/* Octets of the well-formed characters that a text begins with. */
static inline size_t reference_prefix(const u8 *p, size_t len)
{
	u8 state = UTF8GUARD_STATE_START;
	size_t i, good = 0;

	for (i = 0; i < len && state != UTF8GUARD_STATE_REFUSED; i++) {
		state = reference_step(state, p[i]);
		if (state == UTF8GUARD_STATE_START)
			good = i + 1;
	}
	return good;
}

/*
 * Octets of the maximal subpart that an ill-formed text begins with (The Unicode Standard,
 * chapter 3): as many as some character begins with, and one where no character begins so.
 */
static inline size_t reference_subpart(const u8 *p, size_t len)
{
	u8 state = UTF8GUARD_STATE_START;
	size_t i;

	for (i = 0; i < len; i++) {
		state = reference_step(state, p[i]);
		if (state == UTF8GUARD_STATE_REFUSED)
			break;
	}
	return i ? i : 1;
}

/*
 * Writes @instead for each maximal subpart and all else as it is. Returns how many octets that are.
 * @out has room for @len octets, or for as many times more as @instead is long.
 */
static inline size_t reference_repair(const u8 *p, size_t len, const char *instead, u8 *out)
{
	size_t at = 0, used = 0, good;

	for (;;) {
		good = reference_prefix(p + at, len - at);
		memcpy(out + used, p + at, good);
		at += good;
		used += good;
		if (at == len)
			return used;
		memcpy(out + used, instead, strlen(instead));
		used += strlen(instead);
		at += reference_subpart(p + at, len - at);
	}
}

#endif /* _UTF8GUARD_REFERENCE_H */
