// SPDX-License-Identifier: GPL-2.0
/* Finds the end of a run. Reads no octet outside of the data. */
#include "../../codec/codec.h"
#include "run.h"

/* A word whose eight octets are all @octet. */
#define EACH(octet) ((octet) * (UTF8GUARD_TOP_BITS >> 7))

/*
 * Not 0 if and only if an octet of @word is below @limit, which is 1 to 128: the subtraction
 * sets the top bit of such an octet. Its borrow can set the top bit of the next octet, too, so
 * the result does not tell which octets are below @limit.
 */
static inline u64 below(u64 word, u8 limit)
{
	return (word - EACH(limit)) & ~word & UTF8GUARD_TOP_BITS;
}

/* Not 0 if and only if an octet of @word is @octet. */
static inline u64 equal(u64 word, u8 octet)
{
	return below(word ^ EACH(octet), 1);
}

/**
 * ugnf_run_target() - the length of a run in the target of a request
 * @data: octets of the target, and what follows it
 * @len: their number
 * @end: another octet that ends the run
 *
 * Context: any; pure.
 * Return: the number of octets before the first control, space or @end.
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
 * ugnf_run_value() - the length of a run in the value of a field
 * @data: octets of the value, and what follows it
 * @len: their number
 *
 * Context: any; pure.
 * Return: the number of octets before the first CR, LF or NUL.
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
 * ugnf_run_line() - the length of a run in a line
 * @data: octets of the line, and what follows it
 * @len: their number
 *
 * Context: any; pure.
 * Return: the number of octets before the first LF.
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
