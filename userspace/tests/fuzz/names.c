// SPDX-License-Identifier: GPL-2.0
/*
 * File names, with any classes refused and any form required: the new name that the tool would
 * give passes the same check, and what the tool shows of a name can be read back.
 *
 * promise local user: what the tool shows of a name has no control or bidi character and is read
 *   back as the same, and a new name that it proposes is a good one
 * shown by: names
 */
#include <limits.h>
#include <linux/utf8guard_normalize.h>

#include "../../tool/output/text.h"
#include "../../tool/scan/new_name.h"
#include "../../tool/text/guess.h"
#include "../../tool/text/notation.h"
#include "../reference.h"
#include "fuzz.h"

static struct new_name ways[6];

static bool is_in_form(int form, const char *name, size_t len)
{
	char other[NAME_MAX * UTF8GUARD_MAX_EXPANSION];
	size_t length;

	return !utf8guard_normalize(form, name, len, other, sizeof(other), &length, NULL) &&
	       length == len && !memcmp(other, name, len);
}

/* What judge_name() has to say, by other means. */
static bool is_good(const struct judge *judge, const char *name, size_t len)
{
	return reference_prefix((const u8 *)name, len) == len &&
	       !utf8guard_classify(name, len, judge->refuse, NULL) &&
	       (judge->form < 0 || is_in_form(judge->form, name, len));
}

static void check_shown(const char *name, size_t len)
{
	char *escaped = text_escape(name, len), *again = text_unescape(escaped);
	char *quoted = text_quote(escaped), *hex = text_hex(name, len);

	fuzz_check(!utf8guard_classify(escaped, strlen(escaped),
				       UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_CONTROL) |
				       UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_NEWLINE) |
				       UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_BIDI), NULL));
	fuzz_check(!utf8guard_validate(quoted, strlen(quoted), NULL));
	fuzz_check(again && !strcmp(again, name));
	free(escaped);
	free(again);
	free(quoted);
	free(hex);
}

static void check_new_name(const struct new_name *how, const struct judge *judge,
			   const char *name)
{
	char to[NAME_MAX + 1];

	if (new_name_find(how, judge, name, to))
		return;
	fuzz_check(*to && strlen(to) <= NAME_MAX && !strchr(to, '/'));
	fuzz_check(strcmp(to, ".") && strcmp(to, ".."));
	fuzz_check(is_good(judge, to, strlen(to)));
}

/* A name has one of the refused classes exactly if one of them by itself refuses it. */
static void check_classes(const struct judge *judge, const char *name, size_t len)
{
	struct utf8guard_error together, alone;
	bool good = !utf8guard_classify(name, len, judge->refuse, &together), any = false;
	unsigned int class;

	for (class = 0; class <= UTF8GUARD_CLASS_MAX; class++)
		if (judge->refuse & UTF8GUARD_CLASS_BIT(class) & UTF8GUARD_TEXT_CLASSES &&
		    utf8guard_classify(name, len, UTF8GUARD_CLASS_BIT(class), &alone)) {
			any = true;
			fuzz_check(!good && together.offset <= alone.offset);
		}
	fuzz_check(good || any || utf8guard_validate(name, len, NULL));
}

static void on_guess(const char *encoding, const u8 *text, size_t length)
{
	fuzz_check(*encoding && !utf8guard_validate(text, length, NULL));
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	static const char *const charsets[] = { NULL, "LATIN1", "CP1252", "SHIFT_JIS", "UTF-16LE",
						"UTF-7" };
	unsigned int i;

	(void)argc;
	(void)argv;
	fuzz_silence();
	for (i = 0; i < sizeof(ways) / sizeof(ways[0]); i++)
		fuzz_check(new_name_begin(&ways[i], charsets[i]));
	return 0;
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input input = { data, size };
	u8 how = fuzz_octet(&input);
	struct judge judge = { .form = how % (UTF8GUARD_FORMS + 1) - 1 };
	u8 which = fuzz_octet(&input);
	struct new_name *way = &ways[which % (sizeof(ways) / sizeof(ways[0]))];
	struct utf8guard_error error;
	u8 octets[8192], *text;
	char name[NAME_MAX + 1];
	size_t len;
	bool good;

	judge.refuse = fuzz_number(&input, 3) & UTF8GUARD_TEXT_CLASSES;
	way->replace = how & 0x80;
	text = which >= 0xe0 ? fuzz_take(&input, NAME_MAX, &len) :
			       fuzz_take_good(&input, NAME_MAX, &len);
	memcpy(name, text, len);
	free(text);
	name[len] = '\0';
	len = strlen(name);
	good = judge_name(&judge, name, len, &error);
	fuzz_check(good == is_good(&judge, name, len));
	fuzz_check(good || (error.offset <= len && utf8guard_class_name(error.class)));
	check_classes(&judge, name, len);
	check_new_name(way, &judge, name);
	check_shown(name, len);
	notation_read(name, octets);
	guess((u8 *)name, len, on_guess);
	return 0;
}
