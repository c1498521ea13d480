/* SPDX-License-Identifier: GPL-2.0 */
/* The generated table of text classes. */
#ifndef _UTF8GUARD_CLASSES_H
#define _UTF8GUARD_CLASSES_H

#include "codec.h"

/* Three stages: the upper bits, six in the middle, six low ones, four bits each. */
extern const u8 utf8guard_classes_high[];
extern const u16 utf8guard_classes_middle[];
extern const u8 utf8guard_classes_low[];
/* The mask of classes of each kind that the last stage gives. */
extern const u32 utf8guard_classes_kind[];

/* For each octet, those of all characters that begin with it. */
extern const u32 utf8guard_classes_octet[];

#endif /* _UTF8GUARD_CLASSES_H */
