// SPDX-License-Identifier: GPL-2.0
/* Text classes: kinds of well-formed characters that a policy may refuse. */
#include "classes.h"
#include "decode.h"
#include "engine.h"

#define BIT_OF(class) UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_##class)

/**
 * utf8guard_code_point_classes() - the text classes of a code point
 * @code_point: 0 to 0x10ffff; not checked
 *
 * The classes are those of the Unicode Character Database, in the version that
 * utf8guard_unicode_version() names. Two of them depend on the position, which this
 * function does not know: white space always has UTF8GUARD_CLASS_EDGE_SPACE, as if it were
 * at an edge, and U+FEFF never has UTF8GUARD_CLASS_BOM, as if it were not at the beginning.
 *
 * Context: any; pure.
 * Return: a mask of UTF8GUARD_CLASS_BIT()s.
 */
u32 utf8guard_code_point_classes(u32 code_point)
{
	unsigned int place = utf8guard_classes_high[code_point >> 12];
	u8 two;

	place = utf8guard_classes_middle[place << 6 | (code_point >> 6 & 63)];
	place = place << 6 | (code_point & 63);
	two = utf8guard_classes_low[place >> 1];
	return utf8guard_classes_kind[place & 1 ? two >> 4 : two & 15];
}
EXPORT_SYMBOL_NS_GPL(utf8guard_code_point_classes, "UTF8GUARD");

/* Octets that one turn of the loop looks up: none of the loads waits for another. */
#define BLOCK 16

/**
 * utf8guard_skip_clean() - skip the beginning of a text that surely has nothing refused
 * @text: well-formed; it begins with a whole character, and may end inside one
 * @len: its length
 * @refuse: mask of the classes that utf8guard_code_point_classes() can return
 *
 * A table has, for each lead octet, the classes of all characters that begin with it. Text
 * is skipped while none of these is refused, at one load an octet. A script that shares a
 * lead octet with a refused character is not skipped, although it may be clean.
 *
 * Context: any; pure.
 * Return: a number of octets, in whole blocks of 16, in which no character of these classes
 * begins. The last character that begins in them may end after them.
 */
size_t utf8guard_skip_clean(const void *text, size_t len, u32 refuse)
{
	const u8 *p = text;
	size_t i, j;

	for (i = 0; len - i >= BLOCK; i += BLOCK) {
		u32 found = 0;

#pragma GCC unroll 16
		for (j = i; j < i + BLOCK; j++)
			found |= utf8guard_classes_octet[p[j]];
		if (found & refuse)
			break;
	}
	return i;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_skip_clean, "UTF8GUARD");

static u32 classes_at(u32 code_point, bool is_first, bool is_last)
{
	u32 classes = utf8guard_code_point_classes(code_point);

	if (!is_first && !is_last)
		classes &= ~BIT_OF(EDGE_SPACE);
	if (is_first && code_point == 0xfeff)
		classes |= BIT_OF(BOM);
	return classes;
}

/* The length of a character that is known to be well-formed. */
static __always_inline unsigned int length_by_lead(u8 lead)
{
	return 1 + (lead >= 0xc0) + (lead >= 0xe0) + (lead >= 0xf0);
}

/*
 * Looks up the characters of the first @good octets of a text, which are well-formed; where one is
 * of a class that is refused, sets @err, or not where that is NULL, and returns true.
 */
static noinline bool find_refused(const u8 *p, size_t good, size_t len, u32 refuse,
				  struct utf8guard_error *err)
{
	size_t i = 0;

	while (i < good) {
		struct utf8guard_char c;
		u32 found;

		if (i && p[i] < 0x80 && good - i > 8 &&
		    utf8guard_is_plain(utf8guard_load64(p + i))) {
			i += 8;
			continue;
		}
		/* What U+FEFF is depends on where it is, which the table does not know. */
		if (!(utf8guard_classes_octet[p[i]] & refuse) && (i || p[0] != 0xef)) {
			i += length_by_lead(p[i]);
			continue;
		}
		c = utf8guard_decode(p + i);
		found = refuse & classes_at(c.code_point, !i, i + c.length == len);
		if (found) {
			if (err)
				*err = (struct utf8guard_error){
					.offset = i,
					.code_point = c.code_point,
					.class = __builtin_ctz(found),
					.length = c.length,
					.span = c.length,
				};
			return true;
		}
		i += c.length;
	}
	return false;
}

/**
 * utf8guard_classify() - find the first character of a text that a policy refuses
 * @text: the text; may be NULL if @len is 0
 * @len: its length
 * @refuse: mask of UTF8GUARD_CLASS_BIT()s of text classes. Ill-formed text is
 *	refused whatever the mask is; UTF8GUARD_CLASS_NOT_NORMALIZED is ignored.
 * @err: on -EILSEQ, the first character or ill-formed sequence that is refused; or NULL.
 *	Where a character is of several refused classes, this is the one with the lowest number.
 *
 * An engine in general registers finds the well-formed part of the text (RFC 3629 section 4);
 * a second pass looks up the characters of that part, unless @refuse is 0. It passes over those
 * with a lead of which no character is refused.
 *
 * Context: any; pure.
 * Return: 0, or -EILSEQ.
 */
int utf8guard_classify(const void *text, size_t len, u32 refuse,
		       struct utf8guard_error *err)
{
	size_t good = utf8guard_prefix_nofpu(text, len);

	if (refuse && find_refused(text, good, len, refuse, err))
		return -EILSEQ;
	if (likely(good == len))
		return 0;
	if (err)
		utf8guard_explain(text, len, good, err);
	return -EILSEQ;
}
EXPORT_SYMBOL_NS_GPL(utf8guard_classify, "UTF8GUARD");
