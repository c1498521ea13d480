/* SPDX-License-Identifier: GPL-2.0 */
/* The generated table of text classes. */
#ifndef _UTF8GUARD_CLASSES_H
#define _UTF8GUARD_CLASSES_H

#include "codec.h"

/*
 * Three stages, by the code point's upper bits, its middle six and its low six. An octet
 * of the last stage has the kinds of two code points: the even one in its lower half.
 */
extern const u8 utf8guard_classes_high[];
extern const u16 utf8guard_classes_middle[];
extern const u8 utf8guard_classes_low[];
/* The mask of classes of each kind. */
extern const u32 utf8guard_classes_kind[];

/* For each octet, the classes of any of the characters that begin with it. */
extern const u32 utf8guard_classes_octet[];

#endif /* _UTF8GUARD_CLASSES_H */
