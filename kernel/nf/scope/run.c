// SPDX-License-Identifier: GPL-2.0
/* How far a run goes. No octet outside of the data is read. */
#include "../../codec/codec.h"
#include "run.h"

/* An octet of a word in all eight octets. */
#define EACH(octet) ((octet) * (UTF8GUARD_TOP_BITS >> 7))

/*
 * The top bits of octets that are below 1 to 128. One that is not may have it set by a
 * borrow from below, where there is one that is: so whether there is one, this tells.
 */
static inline u64 below(u64 word, u8 limit)
{
	return (word - EACH(limit)) & ~word & UTF8GUARD_TOP_BITS;
}

static inline u64 equal(u64 word, u8 octet)
{
	return below(word ^ EACH(octet), 1);
}

/**
 * ugnf_run_target() - what of a target needs no look at each octet
 * @data: of the target, and what comes after it
 * @len: octets
 * @end: another octet that ends it
 *
 * Context: any; pure.
 * Return: octets before the first that is a control, space or @end.
 */
u32 ugnf_run_target(const u8 *data, u32 len, u8 end)
{
	u32 i = 0;

	for (; len - i >= sizeof(u64); i += sizeof(u64)) {
		u64 word = utf8guard_load64(data + i);

		if (below(word, ' ' + 1) | equal(word, 0x7f) | equal(word, end))
			break;
	}
	while (i < len && data[i] > ' ' && data[i] != 0x7f && data[i] != end)
		i++;
	return i;
}

/**
 * ugnf_run_value() - the same of the value of a field
 * @data: of the value, and what comes after it
 * @len: octets
 *
 * Context: any; pure.
 * Return: octets before the first CR, LF or NUL.
 */
u32 ugnf_run_value(const u8 *data, u32 len)
{
	u32 i = 0;

	for (; len - i >= sizeof(u64); i += sizeof(u64)) {
		u64 word = utf8guard_load64(data + i);

		if (equal(word, '\r') | equal(word, '\n') | below(word, 1))
			break;
	}
	while (i < len && data[i] != '\r' && data[i] != '\n' && data[i])
		i++;
	return i;
}

/**
 * ugnf_run_line() - the same of a line
 * @data: of the line, and what comes after it
 * @len: octets
 *
 * Context: any; pure.
 * Return: octets before the first LF.
 */
u32 ugnf_run_line(const u8 *data, u32 len)
{
	u32 i = 0;

	for (; len - i >= sizeof(u64); i += sizeof(u64))
		if (equal(utf8guard_load64(data + i), '\n'))
			break;
	while (i < len && data[i] != '\n')
		i++;
	return i;
}
