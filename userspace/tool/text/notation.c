// SPDX-License-Identifier: GPL-2.0
/* Octets in the notations of people and programs: C0 AE, \xC0, %C0, U+002E, text. */
#include <stdlib.h>
#include <string.h>

#include "guess.h"
#include "notation.h"
#include "output/text.h"

/* What may stand between two octets or two code points. */
static const char separators[] = " \t\n,:";

/* What follows the mark of an octet, \x, 0x or %, if there is one. */
static const char *skip_mark(const char *word)
{
	if (*word == '%')
		return word + 1;
	if ((*word == '\\' || *word == '0') && (word[1] | 0x20) == 'x')
		return word + 2;
	return word;
}

/* Octets and nothing else; -1 if @word is something else. */
static ssize_t read_octets(const char *word, u8 *to)
{
	ssize_t n = 0;

	for (word += strspn(word, separators); *word;
	     word += strspn(word, separators)) {
		int octet;

		word = skip_mark(word);
		octet = text_octet(word);
		if (octet < 0)
			return -1;
		to[n++] = (u8)octet;
		word += 2;
	}
	return n;
}

/*
 * The code point as RFC 2044 has it, in up to six octets: surrogates and what is too
 * large too, for that is what somebody wants explained.
 */
static size_t encode(u32 code_point, u8 *to)
{
	size_t length = 1, i;

	if (code_point < 0x80) {
		*to = (u8)code_point;
		return 1;
	}
	while (code_point >> (length == 1 ? 7 : 5 * length + 1))
		length++;
	for (i = length; --i; code_point >>= 6)
		to[i] = 0x80 | (code_point & 0x3f);
	*to = (u8)(0xff00 >> length | code_point);
	return length;
}

/* U+XXXX, one or several; -1 if @word is something else. */
static ssize_t read_code_points(const char *word, u8 *to)
{
	ssize_t n = 0;

	for (word += strspn(word, separators); *word;
	     word += strspn(word, separators)) {
		unsigned long code_point;
		char *end;

		if ((*word | 0x20) != 'u' || word[1] != '+' || text_digit(word[2]) < 0)
			return -1;
		code_point = strtoul(word + 2, &end, 16);
		if (end - word > 10 || code_point > 0x7fffffff)
			return -1;
		n += (ssize_t)encode((u32)code_point, to + n);
		word = end;
	}
	return n;
}

/* The octet of an escape in a text, \xC0 or %C0, or -1; moves @text to its end. */
static int escaped(const char **text)
{
	const char *at = *text;
	int octet = -1;

	if (*at == '%')
		octet = text_octet(at += 1);
	else if (*at == '\\' && (at[1] | 0x20) == 'x')
		octet = text_octet(at += 2);
	if (octet >= 0)
		*text = at + 2;
	return octet;
}

/* A text, with its escapes read; -1 if it is ASCII without any, and no UTF-7. */
static ssize_t read_text(const char *word, u8 *to)
{
	bool sure = guess_is_utf_7((const u8 *)word, strlen(word));
	ssize_t n = 0;

	while (*word) {
		int octet = escaped(&word);

		sure |= octet >= 0 || (u8)*word >= 0x80;
		to[n++] = octet < 0 ? (u8)*word++ : (u8)octet;
	}
	return sure ? n : -1;
}

/**
 * notation_read() - the octets that a word stands for
 * @word: octets as C0 AE, C0AE, \xC0\xAE, 0xC0 or %C0%AE; code points as U+002E; or
 *	text, in which the escapes \xC0 and %C0 are read
 * @to: room for as many octets as @word has
 *
 * A word of plain ASCII, without escapes, is not taken for text, unless it looks like UTF-7
 * (+AGE-): so a mistyped octet is complained of.
 *
 * Return: how many octets, or -1 if it is none of these.
 */
ssize_t notation_read(const char *word, u8 *to)
{
	ssize_t n = read_octets(word, to);

	if (n < 0)
		n = read_code_points(word, to);
	return n < 0 ? read_text(word, to) : n;
}
