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
	return skip_ascii(text, 0, len);
}
