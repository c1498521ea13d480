// SPDX-License-Identifier: GPL-2.0
/* Does a validator say of a text what the grammar of RFC 3629 says of it? */
#ifdef __KERNEL__
#include <linux/module.h>
#else
#include <stdio.h>
#endif

/* For errno and EXPORT_SYMBOL in kernel and user space; no function is called. */
#include "../kernel/codec/codec.h"
#include "abnf.h"
#include "judge.h"

/* Texts up to this length are fed in every cut there is. */
#define EVERY_CUT 12

/* A wrong validator may be wrong millions of times: count these, and keep the first. */
static void wrong(struct utf8guard_judge *judge, const u8 *text, size_t len,
		  const char *how, size_t is, size_t ought)
{
	size_t size = sizeof(judge->first);
	size_t n = 0;
	size_t i;

	if (judge->wrong++)
		return;
	for (i = 0; i < len && n < size / 2; i++)
		n += snprintf(judge->first + n, size - n, "%02X ", text[i]);
	snprintf(judge->first + n, size - n, "(%zu octets): %s %zu, not %zu",
		 len, how, is, ought);
}

static const char *judge_validate(struct utf8guard_judge *judge, const u8 *text,
				  size_t len, const struct utf8guard_abnf *how,
				  size_t *is, size_t *ought)
{
	struct utf8guard_error err = { .class = UTF8GUARD_CLASS_NONE };
	bool refused = how->matched < len;
	size_t length = how->farthest - how->matched;

	*ought = refused;
	*is = judge->validate(text, len, NULL) == -EILSEQ;
	if (*is != *ought)
		return "refused without details:";
	*is = judge->validate(text, len, &err) == -EILSEQ;
	if (*is != *ought)
		return "refused:";
	if (!refused)
		return NULL;
	*is = err.offset;
	*ought = how->matched;
	if (*is != *ought)
		return "offset";
	*is = err.length;
	*ought = length ? length : 1;
	if (*is != *ought)
		return "length";
	*is = err.class == UTF8GUARD_CLASS_TRUNCATED;
	*ought = how->farthest == len;
	return *is != *ought ? "truncated:" : NULL;
}

/* Feed @text in the cut whose pieces end after the octets of the bits of @cut. */
static const char *judge_feed(struct utf8guard_judge *judge, const u8 *text,
			      size_t len, const struct utf8guard_abnf *how,
			      unsigned int cut, size_t *is, size_t *ought)
{
	u8 state = UTF8GUARD_STATE_START;
	size_t begin = 0;
	size_t end;

	for (end = 1; end <= len; end++) {
		if (end < len && end <= EVERY_CUT && !(cut & 1U << (end - 1)))
			continue;
		*is = begin + judge->feed(&state, text + begin, end - begin);
		*ought = how->farthest < end ? how->farthest : end;
		if (*is != *ought)
			return "fed up to";
		*is = state == UTF8GUARD_STATE_REFUSED;
		*ought = how->farthest < end;
		if (*is != *ought)
			return "feeding refused:";
		if (*is)
			return NULL;
		begin = end;
	}
	*is = state == UTF8GUARD_STATE_START;
	*ought = how->matched == len;
	return *is != *ought ? "feeding ended between characters:" : NULL;
}

/**
 * utf8guard_judge() - try a validator on one text
 * @judge: the validator; the verdict is added to it
 * @text: the text
 * @len: its length
 *
 * Compares the verdict, the offset, the length and whether the text counts as
 * truncated, and the verdict of feeding it in every cut, with the grammar.
 */
void utf8guard_judge(struct utf8guard_judge *judge, const u8 *text, size_t len)
{
	unsigned int cuts = len && judge->feed ?
			    1U << ((len < EVERY_CUT ? len : EVERY_CUT) - 1) : 0;
	struct utf8guard_abnf how;
	const char *what;
	unsigned int cut;
	size_t is, ought;

	utf8guard_abnf(text, len, &how);
	what = judge_validate(judge, text, len, &how, &is, &ought);
	for (cut = 0; !what && cut < cuts; cut++)
		what = judge_feed(judge, text, len, &how, cut, &is, &ought);
	judge->texts++;
	if (what)
		wrong(judge, text, len, what, is, ought);
}
EXPORT_SYMBOL_NS_GPL(utf8guard_judge, "UTF8GUARD");

/**
 * utf8guard_judge_after() - try a validator on all texts that begin with
 * @judge: the validator; the verdicts are added to it
 * @first: this octet
 * @len: and are that long: 1 to 4
 */
void utf8guard_judge_after(struct utf8guard_judge *judge, u8 first, size_t len)
{
	u8 text[4] = { first };
	u32 rest;

	for (rest = 0; rest < 1U << (8 * (len - 1)); rest++) {
		text[1] = rest;
		text[2] = rest >> 8;
		text[3] = rest >> 16;
		utf8guard_judge(judge, text, len);
	}
}
EXPORT_SYMBOL_NS_GPL(utf8guard_judge_after, "UTF8GUARD");

#ifdef __KERNEL__
MODULE_DESCRIPTION("Judges validators by the grammar of RFC 3629, for the tests of utf8guard");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS("UTF8GUARD");
#endif
