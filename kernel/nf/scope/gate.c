// SPDX-License-Identifier: GPL-2.0
/*
 * The text gate. It believes the sender: a stream that begins like TLS is not judged, even if
 * text follows. So turn the gate off for a port that must receive nothing but text.
 *
 * All octets of a signature but the last are ASCII, which is well-formed in itself. So octets
 * are judged as they come, while the gate is still undecided, and none has to be read a second
 * time. For this reason, 78 5E is no signature of zlib here: it is ASCII, and good text.
 */
#include "../../codec/codec.h"
#include "gate.h"

/* The range of values of each octet of a signature. */
struct signature {
	u8 len;
	struct { u8 first, last; } octets[6];
};

static const struct signature signatures[] = {
	/* TLS: a handshake record of version 3.0 to 3.4, at most 2^14 + 256 octets */
	{ 4, { { 0x16, 0x16 }, { 3, 3 }, { 0, 4 }, { 0, 0x41 } } },
	{ 2, { { 0x1f, 0x1f }, { 0x8b, 0x8b } } },	/* gzip, RFC 1952 */
	{ 2, { { 0x78, 0x78 }, { 0x01, 0x01 } } },	/* zlib, RFC 1950: no compression */
	{ 2, { { 0x78, 0x78 }, { 0x9c, 0x9c } } },	/* zlib: default compression */
	{ 2, { { 0x78, 0x78 }, { 0xda, 0xda } } },	/* zlib: best compression */
	{ 6, { { 'P', 'P' }, { 'R', 'R' }, { 'I', 'I' }, { ' ', ' ' },
	       { '*', '*' }, { ' ', ' ' } } },		/* HTTP/2, RFC 9113 section 3.4 */
};

/* After the longest signature, all bits of @gone are set, unless one of the signatures matched. */
#define ALL_GONE ((1U << ARRAY_SIZE(signatures)) - 1)

/* Is @octet the last one of signature @i? */
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

/* Does no signature begin with @octet? Most texts begin so, and then no signature is compared. */
static bool begins_none(u8 octet)
{
	bool none = true;
	u32 i;

#pragma GCC unroll 6
	for (i = 0; i < ARRAY_SIZE(signatures); i++)
		none &= octet < signatures[i].octets[0].first ||
			octet > signatures[i].octets[0].last;
	return none;
}

/* Does @octet show that this is not text? */
static bool opens(struct ugnf_gate *gate, u8 octet)
{
	/* A NUL shows it; also that in the version of TLS, before the signature is complete. */
	bool is_binary = !octet;
	u32 i;

	for (i = 0; i < ARRAY_SIZE(signatures); i++)
		is_binary |= completes(gate, i, octet);
	return is_binary;
}

/* Some top bit is set if and only if an octet of the eight at @p is 0; see below() in run.c. */
static u64 nul_bits(const u8 *p)
{
	u64 word = utf8guard_load64(p);

	return (word - (UTF8GUARD_TOP_BITS >> 7)) & ~word;
}

/* The number of octets before the first NUL; @len where there is none, as in most texts. */
static u32 until_nul(const u8 *data, u32 len)
{
	u32 i = 0;

	if (len == UGNF_GATE_OCTETS &&
	    !((nul_bits(data) | nul_bits(data + 8) | nul_bits(data + 16) | nul_bits(data + 24)) &
	      UTF8GUARD_TOP_BITS))
		return len;
	while (len - i >= 8 && !(nul_bits(data + i) & UTF8GUARD_TOP_BITS))
		i += 8;
	while (i < len && data[i])
		i++;
	return i;
}

/**
 * ugnf_gate_feed() - look at the next octets
 * @gate: what is known of the first octets
 * @data: the octets
 * @len: their number
 *
 * The caller judges the octets before the one that shows that this is not text. So the
 * verdict does not depend on the pieces in which the octets come.
 *
 * Context: any; pure.
 * Return: the number of octets at the beginning of @data that the caller must judge: @len, or
 * fewer where @gate->is_binary is set.
 */
u32 ugnf_gate_feed(struct ugnf_gate *gate, const u8 *data, u32 len)
{
	u32 end = min_t(u32, len, UGNF_GATE_OCTETS - gate->at), i = 0, text;

	if (gate->is_binary)
		return 0;
	if (end && !gate->at && begins_none(data[0]))
		gate->gone = ALL_GONE;
	for (; i < end && gate->gone != ALL_GONE; i++, gate->at++) {
		gate->is_binary = opens(gate, data[i]);
		if (gate->is_binary) {
			gate->at = 0;
			return i;
		}
	}
	text = i + until_nul(data + i, end - i);
	gate->at += end - i;
	gate->is_binary = text < end;
	if (!gate->is_binary)
		return len;
	/* So that the gate is equal by memcmp() whatever the pieces were. */
	gate->at = 0;
	return text;
}
