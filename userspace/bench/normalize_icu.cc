// SPDX-License-Identifier: GPL-2.0
/* ICU normalises UTF-8 only in C++. */
#include <unicode/bytestream.h>
#include <unicode/normalizer2.h>

static const icu::Normalizer2 *instance(int form)
{
	UErrorCode error = U_ZERO_ERROR;

	switch (form) {
	case 0:
		return icu::Normalizer2::getNFCInstance(error);
	case 1:
		return icu::Normalizer2::getNFDInstance(error);
	case 2:
		return icu::Normalizer2::getNFKCInstance(error);
	case 3:
		return icu::Normalizer2::getNFKDInstance(error);
	default:
		return icu::Normalizer2::getNFKCCasefoldInstance(error);
	}
}

extern "C" size_t bench_icu_normalize(int form, const void *text, size_t len,
				      void *dst, size_t cap)
{
	icu::CheckedArrayByteSink sink(static_cast<char *>(dst), cap);
	UErrorCode error = U_ZERO_ERROR;

	instance(form)->normalizeUTF8(0, icu::StringPiece(static_cast<const char *>(text), len),
				      sink, nullptr, error);
	return U_SUCCESS(error) ? sink.NumberOfBytesAppended() : 0;
}

extern "C" int bench_icu_check(int form, const void *text, size_t len)
{
	UErrorCode error = U_ZERO_ERROR;

	return instance(form)->isNormalizedUTF8(icu::StringPiece(static_cast<const char *>(text), len),
						error);
}
