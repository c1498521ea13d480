// SPDX-License-Identifier: GPL-2.0
/*
 * The normaliser: it needs the size that it announces, the properties of UAX #15 hold, a stream
 * gives the same as the whole text, and ICU gives the same for characters that it knows.
 *
 * promise whoever wrote the text: a form takes the size that was announced, and has the
 *   properties of UAX #15
 * shown by: normalize
 */
#include <errno.h>
#include <linux/utf8guard_normalize.h>
#ifdef WITH_ICU
#include <unicode/uchar.h>
#include <unicode/unorm2.h>
#include <unicode/ustring.h>
#endif

#include "fuzz.h"

/* A form of a text, for free(): first asks for its size, then tries one octet less, then that. */
static u8 *normal(enum utf8guard_form form, const u8 *text, size_t len, size_t *out)
{
	size_t need = 1, again;
	u8 *result;
	int err = utf8guard_normalize(form, text, len, NULL, 0, &need, NULL);

	fuzz_check(err == (need ? -EMSGSIZE : 0) && need <= 11 * len);
	result = malloc(need);
	if (need) {
		fuzz_check(utf8guard_normalize(form, text, len, result, need - 1, &again, NULL) ==
			   -EMSGSIZE);
		fuzz_check(again == need);
	}
	fuzz_check(!utf8guard_normalize(form, text, len, result, need, out, NULL));
	fuzz_check(*out == need);
	return result;
}

static bool same(const u8 *a, size_t a_len, const u8 *b, size_t b_len)
{
	return a_len == b_len && !memcmp(a, b, a_len);
}

/* Normalizing by way of another form gives the same: NFC of NFD is NFC. */
static void check_by_way_of(enum utf8guard_form form, enum utf8guard_form way, const u8 *text,
			    size_t len, const u8 *want, size_t want_len)
{
	size_t other_len, got_len;
	u8 *other = normal(way, text, len, &other_len);
	u8 *got = normal(form, other, other_len, &got_len);

	fuzz_check(same(got, got_len, want, want_len));
	free(got);
	free(other);
}

static void check_identities(enum utf8guard_form form, const u8 *text, size_t len,
			     const u8 *want, size_t want_len)
{
	struct utf8guard_error err;
	size_t offset, again_len;
	int quick, order = 1, exact = utf8guard_is_normalized(form, text, len, &offset, NULL);
	u8 *again = normal(form, want, want_len, &again_len);

	fuzz_check(same(again, again_len, want, want_len));
	free(again);
	fuzz_check(!utf8guard_validate(want, want_len, NULL));
	fuzz_check((exact == 1) == same(text, len, want, want_len));
	quick = utf8guard_quick_check(form, text, len, &offset, &err);
	fuzz_check(quick == UTF8GUARD_PERHAPS || (quick == UTF8GUARD_YES) == (exact == 1));
	fuzz_check(!utf8guard_compare(form, text, len, want, want_len, &order, &err) && !order);
	if (form == UTF8GUARD_FORM_NFC || form == UTF8GUARD_FORM_NFD) {
		check_by_way_of(form, UTF8GUARD_FORM_NFC, text, len, want, want_len);
		check_by_way_of(form, UTF8GUARD_FORM_NFD, text, len, want, want_len);
	} else if (form == UTF8GUARD_FORM_NFKC || form == UTF8GUARD_FORM_NFKD) {
		check_by_way_of(form, UTF8GUARD_FORM_NFD, text, len, want, want_len);
		check_by_way_of(form, UTF8GUARD_FORM_NFKC, text, len, want, want_len);
		check_by_way_of(form, UTF8GUARD_FORM_NFKD, text, len, want, want_len);
	}
}

/* Into room for one character, over and over. */
static int drain(struct utf8guard_stream *s, const u8 *text, size_t len, u8 *out, size_t *at,
		 bool ends)
{
	size_t used = 0, done = 0, written;
	u8 room[4];
	int err;

	do {
		err = ends ? utf8guard_stream_end(s, room, sizeof(room), &written, NULL) :
			     utf8guard_stream_feed(s, text + done, len - done, &used, room,
						   sizeof(room), &written, NULL);
		fuzz_check(written <= sizeof(room));
		memcpy(out + *at, room, written);
		*at += written;
		done += ends ? 0 : used;
	} while (err == -EMSGSIZE);
	return err;
}

static void check_stream(enum utf8guard_form form, const u8 *text, size_t len, size_t cut,
			 const u8 *want, size_t want_len)
{
	struct utf8guard_stream s;
	u8 *out = malloc(want_len + 64);
	size_t at = 0;
	int err;

	utf8guard_stream_begin(&s, form);
	err = drain(&s, text, cut, out, &at, false);
	err = err ?: drain(&s, text + cut, len - cut, out, &at, false);
	err = err ?: drain(&s, NULL, 0, out, &at, true);
	fuzz_check(err == -E2BIG || (!err && same(out, at, want, want_len)));
	free(out);
}

#ifdef WITH_ICU
static const UNormalizer2 *peers[UTF8GUARD_FORMS];

/* ICU may be of an older Unicode: texts with code points that it does not know are not compared. */
static bool is_known(const UChar *text, int32_t len)
{
	UChar32 c;
	int32_t i = 0;

	while (i < len) {
		U16_NEXT(text, i, len, c);
		if (u_charType(c) == U_UNASSIGNED)
			return false;
	}
	return true;
}

static void check_peer(enum utf8guard_form form, const u8 *text, size_t len, const u8 *want,
		       size_t want_len)
{
	static UChar wide[8192], made[65536];
	static char octets[200000];
	UErrorCode error = U_ZERO_ERROR;
	int32_t wide_len, made_len, octets_len;

	if (!peers[form] || len > 4096)
		return;
	u_strFromUTF8(wide, 8192, &wide_len, (const char *)text, (int32_t)len, &error);
	fuzz_check(U_SUCCESS(error));
	if (!is_known(wide, wide_len))
		return;
	made_len = unorm2_normalize(peers[form], wide, wide_len, made, 65536, &error);
	u_strToUTF8(octets, sizeof(octets), &octets_len, made, made_len, &error);
	fuzz_check(U_SUCCESS(error) || error == U_STRING_NOT_TERMINATED_WARNING);
	fuzz_check(same((u8 *)octets, (size_t)octets_len, want, want_len));
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	UErrorCode error = U_ZERO_ERROR;

	(void)argc;
	(void)argv;
	peers[UTF8GUARD_FORM_NFC] = unorm2_getNFCInstance(&error);
	peers[UTF8GUARD_FORM_NFD] = unorm2_getNFDInstance(&error);
	peers[UTF8GUARD_FORM_NFKC] = unorm2_getNFKCInstance(&error);
	peers[UTF8GUARD_FORM_NFKD] = unorm2_getNFKDInstance(&error);
	return 0;
}
#else
static void check_peer(enum utf8guard_form form, const u8 *text, size_t len, const u8 *want,
		       size_t want_len)
{
	(void)form;
	(void)text;
	(void)len;
	(void)want;
	(void)want_len;
}
#endif

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input input = { data, size };
	u8 how = fuzz_octet(&input);
	enum utf8guard_form form = how % UTF8GUARD_FORMS;
	size_t where = fuzz_octet(&input), len, want_len, out = 1;
	u8 *text, *want;

	text = how >= 0xe0 ? fuzz_take(&input, size, &len) : fuzz_take_good(&input, size, &len);
	if (utf8guard_validate(text, len, NULL)) {
		struct utf8guard_error err;

		fuzz_check(utf8guard_normalize(form, text, len, NULL, 0, &out, &err) == -EILSEQ);
		fuzz_check(!out);
		fuzz_check(utf8guard_is_normalized(form, text, len, &out, &err) <= 0);
	} else {
		want = normal(form, text, len, &want_len);
		check_identities(form, text, len, want, want_len);
		check_stream(form, text, len, where % (len + 1), want, want_len);
		check_peer(form, text, len, want, want_len);
		free(want);
	}
	free(text);
	return 0;
}
