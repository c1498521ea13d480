// SPDX-License-Identifier: GPL-2.0
/*
 * What the Unicode Character Database says of a code point. Names, blocks and
 * categories are libunistring's, which may be of an older version of Unicode than the
 * codec; classes and forms are the codec's own.
 */
#include <stdio.h>
#include <string.h>
#include <uniname.h>
#include <unictype.h>

#include <linux/utf8guard_normalize.h>

#include "character.h"
#include "output/text.h"
#include "profile.h"

_Static_assert(CHARACTER_NAME_MAX >= UNINAME_MAX, "the longest name");

/* Shows nothing of its own: controls, format characters, what may be left out. */
static bool is_invisible(u32 code_point)
{
	return !text_shows(code_point) ||
	       uc_is_general_category_withtable(code_point, UC_CATEGORY_MASK_Cf |
						UC_CATEGORY_MASK_Zl | UC_CATEGORY_MASK_Zp) ||
	       uc_is_property_default_ignorable_code_point(code_point);
}

/* The code points of a form, or "" if they are those of @text. */
static void write_form(char *to, enum utf8guard_form form, const u8 *text, size_t length)
{
	size_t size, at, n;
	u8 normal[128];

	*to = '\0';
	if (utf8guard_normalize(form, text, length, normal, sizeof(normal), &size, NULL) ||
	    (size == length && !memcmp(normal, text, length)))
		return;
	for (at = 0; at < size; at += n)
		to += sprintf(to, at ? " U+%04X" : "U+%04X", text_decode(normal + at, &n));
}

static bool refuses(const struct profile *profile, u32 classes, const u8 *text, size_t length)
{
	return profile->refuse & classes ||
	       (profile->form >= 0 &&
		!utf8guard_is_normalized(profile->form, text, length, NULL, NULL));
}

static void note_profile(struct character *character, const u8 *text, size_t length)
{
	static const u32 edge = UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_EDGE_SPACE);
	const struct profile *profile = profiles;

	while (profile->name && !refuses(profile, character->classes, text, length))
		profile++;
	character->profile = profile->name;
	character->only_at_edge = (profile->refuse & character->classes) == edge;
}

/* RFC 3629 section 5: the one time that characters were moved. */
static const char *history_of(u32 code_point)
{
	if (code_point >= 0x3400 && code_point <= 0x4dff)
		return "a Hangul syllable before Unicode 2.0, of 1996: "
		       "the \"Korean mess\" (RFC 3629 section 5)";
	if (code_point == 0xfeff)
		return "at the beginning a byte order mark, which UTF-8 does not need "
		       "(RFC 3629 section 6)";
	return NULL;
}

/* NULL for a character that libunistring takes for unassigned, and the codec does not. */
static const char *category_of(u32 code_point, u32 classes)
{
	static const u32 none = UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_UNASSIGNED) |
				UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_NONCHARACTER);

	if (uc_is_general_category_withtable(code_point, UC_CATEGORY_MASK_Cn) && !(classes & none))
		return NULL;
	return uc_general_category_long_name(uc_general_category(code_point));
}

/**
 * character_describe() - what is known of a character
 * @character: to be filled
 * @text: a well-formed character
 * @length: its octets
 */
void character_describe(struct character *character, const u8 *text, size_t length)
{
	u32 code_point = text_decode(text, &length);
	const uc_block_t *block = uc_block(code_point);

	memset(character, 0, sizeof(*character));
	if (!unicode_character_name(code_point, character->name))
		character->name[0] = '\0';
	character->block = block ? block->name : NULL;
	character->classes = utf8guard_code_point_classes(code_point);
	character->category = category_of(code_point, character->classes);
	note_profile(character, text, length);
	character->invisible = is_invisible(code_point);
	write_form(character->nfd, UTF8GUARD_FORM_NFD, text, length);
	write_form(character->nfkd, UTF8GUARD_FORM_NFKD, text, length);
	if (!strcmp(character->nfd, character->nfkd))
		character->nfkd[0] = '\0';
	character->history = history_of(code_point);
}

/* Its category to be shown, also where libunistring does not know it. */
const char *character_category(const struct character *character)
{
	return character->category ?: "of a later Unicode than the names here";
}
