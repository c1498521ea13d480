// SPDX-License-Identifier: GPL-2.0
/*
 * The text gate. It trusts the sender: who says TLS and sends text all the same
 * is not judged. For a port where nothing but text may come, turn it off.
 *
 * All but the last octet of each signature is ASCII. So they are judged as they
 * come, and whatever comes of it, no octet has to be looked at again. That is
 * why zlib is not known by 78 5E, which is good text as well.
 */
#include "../../codec/codec.h"
#include "gate.h"

/* What each octet of a signature may be, from first to last. */
struct signature {
	u8 len;
	struct { u8 first, last; } octets[6];
};

static const struct signature signatures[] = {
	/* TLS: a handshake record of version 3.0 to 3.4, at most 2^14 + 256 octets */
	{ 4, { { 0x16, 0x16 }, { 3, 3 }, { 0, 4 }, { 0, 0x41 } } },
	{ 2, { { 0x1f, 0x1f }, { 0x8b, 0x8b } } },	/* gzip, RFC 1952 */
	{ 2, { { 0x78, 0x78 }, { 0x01, 0x01 } } },	/* zlib, RFC 1950: no compression */
	{ 2, { { 0x78, 0x78 }, { 0x9c, 0x9c } } },	/* the default */
	{ 2, { { 0x78, 0x78 }, { 0xda, 0xda } } },	/* the best */
	{ 6, { { 'P', 'P' }, { 'R', 'R' }, { 'I', 'I' }, { ' ', ' ' },
	       { '*', '*' }, { ' ', ' ' } } },		/* HTTP/2, RFC 9113 section 3.4 */
};

/* Of signatures that are gone: each is, once it is long past, for else it is complete. */
#define ALL_GONE ((1U << ARRAY_SIZE(signatures)) - 1)

static bool completes(struct ugnf_gate *gate, u32 i, u8 octet)
{
	const struct signature *s = &signatures[i];

	if (gate->gone >> i & 1)
		return false;
	if (octet < s->octets[gate->at].first || octet > s->octets[gate->at].last) {
		gate->gone |= 1U << i;
		return false;
	}
	return gate->at + 1 == s->len;
}

static bool opens(struct ugnf_gate *gate, u8 octet)
{
	/* A version of TLS has one, but is another sign. */
	bool is_binary = !octet;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(signatures); i++)
		is_binary |= completes(gate, i, octet);
	return is_binary;
}

/* How many octets there are before a NUL: most text has none. */
static u32 until_nul(const u8 *data, u32 len)
{
	u32 i = 0;

	for (; len - i >= sizeof(u64); i += sizeof(u64)) {
		u64 word = utf8guard_load64(data + i);

		/* The top bit of an octet is taken from it by a borrow: it, or one below, is 0. */
		if ((word - (UTF8GUARD_TOP_BITS >> 7)) & ~word & UTF8GUARD_TOP_BITS)
			break;
	}
	while (i < len && data[i])
		i++;
	return i;
}

/**
 * ugnf_gate_feed() - look at the next octets
 * @gate: what is known
 * @data: the octets
 * @len: how many
 *
 * What is before the octet that tells is to be judged, so that the verdict does
 * not depend on how it is cut.
 *
 * Context: any; pure.
 * Return: how many octets at the beginning of @data are text as far as is known:
 * @len, or fewer where @gate->is_binary is set.
 */
u32 ugnf_gate_feed(struct ugnf_gate *gate, const u8 *data, u32 len)
{
	u32 end = min_t(u32, len, UGNF_GATE_OCTETS - gate->at), i = 0, text;

	if (gate->is_binary)
		return 0;
	for (; i < end && gate->gone != ALL_GONE; i++, gate->at++) {
		gate->is_binary = opens(gate, data[i]);
		if (gate->is_binary) {
			gate->at = 0;
			return i;
		}
	}
	/* Mostly no signature is left after the first octet: a word at once. */
	text = i + until_nul(data + i, end - i);
	gate->at += end - i;
	gate->is_binary = text < end;
	if (!gate->is_binary)
		return len;
	/* The same whatever the pieces. */
	gate->at = 0;
	return text;
}
