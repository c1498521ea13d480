// SPDX-License-Identifier: GPL-2.0
/*
 * Makes bytes of any origin into text that is safe to show: a refused name is just where
 * somebody would hide an escape sequence of terminals.
 */
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "text.h"

static bool within(u32 code_point, u32 first, u32 last)
{
	return code_point >= first && code_point <= last;
}

/* The directional formatting characters of UAX #9, which reorder what a reader sees. */
static bool is_bidi(u32 c)
{
	return c == 0x61c || within(c, 0x200e, 0x200f) ||
	       within(c, 0x202a, 0x202e) || within(c, 0x2066, 0x2069);
}

/*
 * May a terminal be sent this? Not controls, line and paragraph separators, bidi, the BOM,
 * interlinear annotations, nor U+E0000..U+E0FFF: tags, and more that is default ignorable.
 */
bool text_shows(u32 c)
{
	return c >= 0x20 && !within(c, 0x7f, 0x9f) && !is_bidi(c) &&
	       !within(c, 0x2028, 0x2029) && c != 0xfeff &&
	       !within(c, 0xfff9, 0xfffb) && !within(c, 0xe0000, 0xe0fff);
}

/* The code point of a well-formed character, and how many octets it has. */
u32 text_decode(const u8 *character, size_t *length)
{
	u32 code_point = character[0];
	size_t i, n = 1;

	if (character[0] >= 0xc2) {
		n = character[0] < 0xe0 ? 2 : character[0] < 0xf0 ? 3 : 4;
		code_point &= 0x7f >> n;
	}
	for (i = 1; i < n; i++)
		code_point = code_point << 6 | (character[i] & 0x3f);
	*length = n;
	return code_point;
}

static char *escape_octets(char *to, const u8 *from, size_t length)
{
	while (length--)
		to += sprintf(to, "\\x%02X", *from++);
	return to;
}

static char *escape_character(char *to, const u8 *from, size_t *length)
{
	u32 code_point = text_decode(from, length);

	if (!text_shows(code_point))
		return escape_octets(to, from, *length);
	if (code_point == '\\')
		*to++ = '\\';
	return (char *)mempcpy(to, from, *length);
}

static char *escape_well_formed(char *to, const u8 *from, size_t length)
{
	size_t done, n;

	for (done = 0; done < length; done += n)
		to = escape_character(to, from + done, &n);
	return to;
}

/**
 * text_escape() - text that shows what the bytes are, whatever they are
 * @bytes: need not be UTF-8
 * @length: how many
 *
 * Octets of ill-formed sequences and of characters that do not show become
 * \xHH, a backslash is doubled: nothing is lost and the result is printable
 * UTF-8.
 */
char *text_escape(const void *bytes, size_t length)
{
	char *escaped = no_null(malloc(4 * length + 1)), *to = escaped;
	const u8 *from = bytes;

	while (length) {
		struct utf8guard_error err = { .offset = length };

		utf8guard_validate(from, length, &err);
		to = escape_well_formed(to, from, err.offset);
		if (err.offset < length)
			to = escape_octets(to, from + err.offset, err.length);
		from += err.offset + err.length;
		length -= err.offset + err.length;
	}
	*to = '\0';
	return escaped;
}

/**
 * text_path_cut() - how much of the beginning of a path is not shown
 * @path: it
 * @length: of it
 *
 * Whoever makes directories in directories would otherwise have output grow with the square of
 * their number. What is shown begins at a slash and is not shorter than PATH_MAX: no system call
 * takes it, so it is never the path of another file.
 *
 * Return: so many octets; 0: all of it is shown.
 */
size_t text_path_cut(const char *path, size_t length)
{
	const char *slash = length > PATH_MAX ? memrchr(path, '/', length - PATH_MAX + 1) : NULL;

	return slash ? (size_t)(slash - path) : 0;
}

/* A path as text_escape() has it, with "..." for what text_path_cut() says; malloc'd. */
char *text_path(const char *path, size_t length)
{
	size_t cut = text_path_cut(path, length);
	char *rest = text_escape(path + cut, length - cut), *whole;

	if (!cut)
		return rest;
	whole = no_null(malloc(strlen(rest) + sizeof("...")));
	strcpy(stpcpy(whole, "..."), rest);
	free(rest);
	return whole;
}

/* What a hexadecimal digit stands for, or -1. */
int text_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* The octet that two hexadecimal digits stand for, or -1. */
int text_octet(const char *digits)
{
	int high = text_digit(digits[0]);
	int low = high < 0 ? -1 : text_digit(digits[1]);

	return low < 0 ? -1 : high << 4 | low;
}

/* The octet of "\\" or "\xHH", not 0; moves @from past it. 0 if it is neither. */
static char unescape_octet(const char **from)
{
	const char *at = *from + 1;
	int octet;

	if (*at == '\\') {
		*from += 2;
		return '\\';
	}
	if (*at++ != 'x')
		return '\0';
	octet = text_octet(at);
	if (octet < 0)
		return '\0';
	*from += 4;
	return (char)octet;
}

/* Undoes text_escape(): malloc'd; NULL if @escaped holds another escape or an octet of 0. */
char *text_unescape(const char *escaped)
{
	char *bytes = no_null(malloc(strlen(escaped) + 1)), *to = bytes;

	while (*escaped) {
		if (*escaped != '\\') {
			*to++ = *escaped++;
			continue;
		}
		*to = unescape_octet(&escaped);
		if (!*to++) {
			free(bytes);
			return NULL;
		}
	}
	*to = '\0';
	return bytes;
}

static bool is_plain(const char *word)
{
	static const char special[] = " !\"#$&'()*;<=>?[\\]^`{|}~";

	return *word && !strpbrk(word, special);
}

/**
 * text_quote() - a word for a shell's command line
 * @escaped: a result of text_escape()
 *
 * As it is; in '...'; or, where it holds an escape or a quote, in the $'...' of bash.
 */
char *text_quote(const char *escaped)
{
	char *quoted = no_null(malloc(2 * strlen(escaped) + 4)), *to = quoted;

	if (is_plain(escaped))
		return strcpy(quoted, escaped);
	if (strpbrk(escaped, "\\'"))
		*to++ = '$';
	*to++ = '\'';
	for (; *escaped; escaped++) {
		if (*escaped == '\'')
			*to++ = '\\';
		*to++ = *escaped;
	}
	strcpy(to, "'");
	return quoted;
}

/* "C0 AE" */
char *text_hex(const void *bytes, size_t length)
{
	char *hex = no_null(calloc(length + 1, 3)), *to = hex;
	const u8 *from = bytes;
	size_t i;

	for (i = 0; i < length; i++)
		to += sprintf(to, i ? " %02X" : "%02X", from[i]);
	return hex;
}
