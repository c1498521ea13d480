/* SPDX-License-Identifier: GPL-2.0 */
/* A number with which the rules of two hosts can be compared. */
#ifndef UTF8GUARD_TOOL_CHECKSUM_H
#define UTF8GUARD_TOOL_CHECKSUM_H

#include "rules.h"

/* 64 bits in hexadecimal, and the end. */
#define CHECKSUM_SIZE 17

const char *checksum_of(const struct rules *of, const json_t *list, char text[CHECKSUM_SIZE]);

#endif /* UTF8GUARD_TOOL_CHECKSUM_H */
