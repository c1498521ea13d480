/* SPDX-License-Identifier: GPL-2.0 */
/* Names and texts for benchmarks of the normalizer: words, put together. */
#ifndef _UTF8GUARD_KUNIT_WORDS_H
#define _UTF8GUARD_KUNIT_WORDS_H

#include <linux/utf8guard_normalize.h>
#include "sample.h"

#define WORDS_TEXTS 16
/* The most that words_put() writes at once. */
#define WORDS_ROOM 256

static const char *const words_ascii[] = {
	"the", "quick", "brown", "fox", "jumps", "over", "lazy", "dogs", "and", "reports",
	"of", "annual", "meetings", "budget", "final", "draft", "photographs", "holiday",
	"Kernel", "Makefile", "README", NULL
};

static const char *const words_french[] = {
	"été", "déjà", "élève", "où", "être", "français", "naïve", "garçon",
	"hôtel", "forêt", "réunion", "résumé", "de", "la", "les", "une", "dans", "pour",
	"avec", "château", "à", "côté", "œuvre", NULL
};

static const char *const words_vietnamese[] = {
	"Việt", "Nam", "tiếng", "người", "được", "không", "những", "trường",
	"học", "một", "của", "các", "thành", "phố", "Hồ", "Chí", "Minh",
	"đường", "bộ", "nước", "chương", "trình", "phát", "triển", NULL
};

static const char *const words_russian[] = {
	"отчёт", "за", "год", "фотографии", "отпуск",
	"документ", "финансовый", "проект", "совещание",
	"версия", "новая", "музыка", "и", "книга", "о",
	"разработке", "ядра", "системы", NULL
};

static const char *const words_japanese[] = {
	"写真", "会議の", "資料を", "東京で", "報告書", "を", "まとめて",
	"ください", "ファイル", "データ", "プログラムの", "設計",
	"について", "新しい", "バージョン", "が", "できました", "、", "。",
	NULL
};

static const char *const words_korean[] = {
	"사진", "회의", "자료", "서울", "보고서", "한국어", "문서", "파일",
	"데이터", "프로그램", "새로운", "버전", "음악", "책", "개발",
	"커널", "시스템", "분석", "예산", "최종", NULL
};

static const char *const words_hindi[] = {
	"हिन्दी", "दस्तावेज़", "रिपोर्ट", "के",
	"लिए", "वर्ष", "की", "नई", "दिल्ली",
	"कार्यालय", "संगीत", "पुस्तक", "और",
	"विकास", "प्रणाली", "बड़ा", "में",
	"चित्र", "अंतिम", "संस्करण", "है",
	"विश्लेषण", NULL
};

static const char *const words_thai[] = {
	"ภาษาไทย", "เอกสาร", "รูปถ่าย", "ที่",
	"ประชุม", "กรุงเทพ", "รายงาน",
	"ประจำปี", "ใหม่", "เพลง", "หนังสือ",
	"ระบบ", "การพัฒนา", "ข้อมูล", "ผู้ใช้",
	"น้ำ", "และ", "สุดท้าย", NULL
};

static const char *const words_hebrew[] = {
	"שָׁלוֹם", "דּוּחַ", "שְׁנָתִי", "תְּמוּנוֹת",
	"חֻפְשָׁה", "מִסְמָךְ", "חָדָשׁ", "יְרוּשָׁלַיִם",
	"סֵפֶר", "שֶׁל", "הַמַּעֲרֶכֶת", "פִּתּוּחַ",
	"מוּזִיקָה", "וְ", "אֶת", NULL
};

/* Vocalised. */
static const char *const words_arabic[] = {
	"السَّلَامُ", "تَقْرِيرٌ", "سَنَوِيٌّ", "صُوَرٌ",
	"وَثِيقَةٌ", "جَدِيدَةٌ", "القَاهِرَةُ",
	"كِتَابٌ", "مِنَ", "النِّظَامِ", "تَطْوِيرُ",
	"مُوسِيقَى", "وَ", "إِلَى", "مُحَمَّدٌ", NULL
};

static const char *const words_mixed[] = {
	"report", "été", "отчёт", "写真", "사진", "naïve", "документ",
	"budget", "ファイル", "Việt", "file", "über", "Ελλάδα", "мир",
	"資料", "😀", "draft", "회의", "café", "½", NULL
};

static const char *const words_compat[] = {
	"ﬁnal", "ﬂow", "Ｆｕｌｌｗｉｄｔｈ", "ﾊﾝｶｸ", "ｶﾀｶﾅ",
	"①", "②", "½", "™", "㎏", "㍿", "ℌ", "ℝ", "ﷺ", "²", "ⅷ",
	"ｔｅｘｔ", "㌔", "ﾃﾞｰﾀ", NULL
};

/**
 * struct words - a text
 * @name: for people
 * @words: what it is made of, and NULL; or no words, for letters with marks
 * @decomposed: in NFD
 * @joined: words are not set apart
 */
static const struct words {
	const char *name;
	const char *const *words;
	bool decomposed;
	bool joined;
} words_texts[WORDS_TEXTS] = {
	{ "ASCII", words_ascii, false, false },
	{ "French", words_french, false, false },
	{ "Vietnamese", words_vietnamese, false, false },
	{ "Russian", words_russian, false, false },
	{ "Japanese", words_japanese, false, true },
	{ "Korean", words_korean, false, false },
	{ "Hindi", words_hindi, false, false },
	{ "Thai", words_thai, false, true },
	{ "Hebrew", words_hebrew, false, false },
	{ "Arabic", words_arabic, false, false },
	{ "mixed", words_mixed, false, false },
	{ "compat", words_compat, false, false },
	{ "fr decomposed", words_french, true, false },
	{ "vi decomposed", words_vietnamese, true, false },
	{ "ko decomposed", words_korean, true, false },
	{ "zalgo", NULL, false, true },
};

/* A letter and 8 to 20 marks above, below and through it. */
static inline size_t words_put_zalgo(u8 *p, u64 *seed)
{
	unsigned int n = 8 + sample_random(seed) % 13, i;

	*p++ = 'a' + sample_random(seed) % 26;
	for (i = 0; i < n; i++) {
		u32 c = 0x300 + sample_random(seed) % 0x70;

		*p++ = 0xc0 | c >> 6;
		*p++ = 0x80 | (c & 0x3f);
	}
	return 1 + 2 * n;
}

/* One of the words, at @p; return: its octets. */
static inline size_t words_put(const struct words *w, u8 *p, u64 *seed)
{
	unsigned int count = 0;
	const char *word;
	size_t out_len;

	if (!w->words)
		return words_put_zalgo(p, seed);
	while (w->words[count])
		count++;
	word = w->words[sample_random(seed) % count];
	utf8guard_normalize(w->decomposed ? UTF8GUARD_FORM_NFD : UTF8GUARD_FORM_NFC, word,
			    strlen(word), p, WORDS_ROOM, &out_len, NULL);
	return out_len;
}

/* A name of 20 octets or a few more; return: its octets. */
static inline size_t words_put_name(const struct words *w, u8 *p, u64 *seed)
{
	size_t len = 0;

	while (len < 20) {
		len += words_put(w, p + len, seed);
		if (!w->joined || !(sample_random(seed) % 12))
			p[len++] = "     _-."[sample_random(seed) % 8];
	}
	return len;
}

/* Exactly @len octets of the text @name: names, and stops where none fits any more. */
static inline void words_fill(const char *name, u8 *p, size_t len, u64 *seed)
{
	const struct words *w = words_texts;
	u8 word[WORDS_ROOM + 32];
	size_t n;

	while (strcmp(w->name, name))
		w++;
	while ((n = words_put_name(w, word, seed)) <= len) {
		memcpy(p, word, n);
		p += n;
		len -= n;
	}
	memset(p, '.', len);
}

#endif /* _UTF8GUARD_KUNIT_WORDS_H */
