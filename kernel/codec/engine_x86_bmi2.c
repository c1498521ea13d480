// SPDX-License-Identifier: GPL-2.0
/* The engine in general registers, with what BMI and BMI2 have. */
#include "engine.h"
#include "engine_general.h"

size_t utf8guard_prefix_bmi2(const u8 *text, size_t len)
{
	return prefix(text, len);
}
