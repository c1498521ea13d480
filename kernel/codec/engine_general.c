// SPDX-License-Identifier: GPL-2.0
/* The engine in general registers, for any processor. */
#include "engine.h"
#include "engine_general.h"

size_t utf8guard_prefix_general(const u8 *text, size_t len)
{
	return prefix(text, len);
}

size_t utf8guard_skip_ascii(const u8 *text, size_t len)
{
	size_t i = 0;

	while (len - i >= 64 && is_ascii64(text + i))
		i += 64;
	return i;
}
