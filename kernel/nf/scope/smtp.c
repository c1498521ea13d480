// SPDX-License-Identifier: GPL-2.0
/*
 * SMTP from a client (RFC 5321). This parser does not see the answers, so it does not know
 * whether the server has accepted DATA, and whether the next lines are a message or commands.
 * It judges both alike: with SMTPUTF8, both are UTF-8 (RFC 6531). After STARTTLS and BDAT it
 * stops following.
 *
 * The scope smtp-headers judges commands and header sections, but not bodies, which may be of
 * any character set. A server that has refused DATA takes the lines of a body for commands.
 * So in bodies, too, the parser judges lines that begin like a command with a mailbox, a name
 * or credentials. It stops following after BDAT, and at a line that begins like a TLS record;
 * it does so in header sections, too.
 * After a line DATA, it takes the next lines for header fields again.
 *
 * A line ends with LF. A server may take a CR alone for the end of a line, too, and a dot
 * between two of them for the end of a body. So in a line of a body, what comes after such a CR
 * is judged, and header fields are expected after the line.
 *
 * A server that has no room for a long line may take the rest of it for another command: after
 * 2047 octets or 12287 (Sendmail), 4095 (Cyrus), or 16385 (Exim). So after the first 2047 octets of
 * a line, words count wherever they are. Other octets there are not judged in a body: lines that
 * are too long occur in honest mail of any character set.
 *
 * If the first line of a message ends in CRLF, Exim takes a LF without CR for white space in a
 * field, which the next line continues, even an empty one. The parser does not know which line is
 * the first one. So after a line that ended in LF alone, an empty line does not end a header
 * section if any line of the section has ended in CRLF.
 *
 * Some servers skip white space before a command, so words count after it, too. But a line of
 * white space alone is no empty one: it continues a field.
 *
 * A line of base64, in a body or after AUTH, may begin with the letters of BDAT. So these count
 * only with white space after them: every server needs a size there.
 *
 * Some servers take NUL for the end of the text of a line, others do not. So DATA with NUL after
 * it is DATA. A dot with NUL after it may be the end of a body, so header fields are expected
 * after it: like these, commands are judged.
 */
#include "../../codec/codec.h"
#include "run.h"
#include "scope.h"

/*
 * Words with which a line may begin. What follows the first two in the line does not matter; only
 * white space may follow the third one.
 */
enum word {
	WORD_STARTTLS, WORD_BDAT, WORD_DATA,
	WORD_MAIL, WORD_RCPT, WORD_EHLO, WORD_HELO, WORD_LHLO, WORD_VRFY, WORD_EXPN, WORD_AUTH,
	WORD_ETRN, WORDS
};

static const struct { char text[11]; u8 len; } words[WORDS] = {
	[WORD_STARTTLS] = { "STARTTLS", 8 },
	[WORD_BDAT] = { "BDAT ", 5 },
	[WORD_DATA] = { "DATA", 4 },
	[WORD_MAIL] = { "MAIL FROM:", 10 },
	[WORD_RCPT] = { "RCPT TO:", 8 },
	[WORD_EHLO] = { "EHLO ", 5 },
	[WORD_HELO] = { "HELO ", 5 },
	[WORD_LHLO] = { "LHLO ", 5 },
	[WORD_VRFY] = { "VRFY ", 5 },
	[WORD_EXPN] = { "EXPN ", 5 },
	[WORD_AUTH] = { "AUTH ", 5 },
	[WORD_ETRN] = { "ETRN ", 5 },
};

/* The commands that are judged in a body, too: those from MAIL on. */
#define COMMANDS (((1U << WORDS) - 1) & ~((1U << WORD_MAIL) - 1))

/* One more than the length of the longest word. */
#define LONGEST 11

/* After so many octets of a line, or more, a server may take the rest for another line. */
#define LONGEST_LINE 2047

/* The words that begin with the letter @upper. */
static u32 words_at(u8 upper)
{
	static const u16 letters['Z' - 'A' + 1] = {
		['A' - 'A'] = 1U << WORD_AUTH,
		['B' - 'A'] = 1U << WORD_BDAT,
		['D' - 'A'] = 1U << WORD_DATA,
		['E' - 'A'] = 1U << WORD_EHLO | 1U << WORD_EXPN | 1U << WORD_ETRN,
		['H' - 'A'] = 1U << WORD_HELO,
		['L' - 'A'] = 1U << WORD_LHLO,
		['M' - 'A'] = 1U << WORD_MAIL,
		['R' - 'A'] = 1U << WORD_RCPT,
		['S' - 'A'] = 1U << WORD_STARTTLS,
		['V' - 'A'] = 1U << WORD_VRFY,
	};

	return upper >= 'A' && upper <= 'Z' ? letters[upper - 'A'] : 0;
}

/*
 * Those words with which the line begins, as far as its octets have come, and those that were
 * found beyond its first LONGEST_LINE octets.
 */
static u32 whole(const struct ugnf_smtp *smtp)
{
	u32 left = smtp->words, found = smtp->found;

	for (; left; left &= left - 1)
		if (smtp->at >= words[__builtin_ctz(left)].len)
			found |= left & -left;
	return found;
}

/* Has the line no octet yet? CR counts for nothing. */
static bool is_empty(const struct ugnf_smtp *smtp)
{
	return !smtp->at && !smtp->is_blank;
}

/* Can the next octet of a line decide what it begins with, or whether it is a dot alone? */
static bool may_match(const struct ugnf_smtp *smtp)
{
	u32 left = smtp->at < LONGEST ? smtp->words : smtp->words & 1U << WORD_DATA;

	return !smtp->is_nul && (!smtp->at || left || smtp->is_dot);
}

/* May a line that has begun with the word @word so far have the octet @upper at @at? */
static bool fits(u32 word, u32 at, u8 upper, bool is_space)
{
	/* White space after DATA counts for nothing: for many servers, such a line is DATA, too. */
	if (at >= words[word].len)
		return word != WORD_DATA || is_space;
	return words[word].text[at] == (char)upper || (words[word].text[at] == ' ' && is_space);
}

static u8 to_upper(u8 octet)
{
	return octet >= 'a' && octet <= 'z' ? octet & ~0x20 : octet;
}

/*
 * Strikes out the words with which a line does not begin that goes on with @octet. Some servers
 * take other white space for the space of a word, so controls and a CR before the octet fit, too.
 */
static void strike(struct ugnf_smtp *smtp, u8 octet)
{
	u8 upper = to_upper(octet);
	u32 left = smtp->at ? smtp->words : words_at(upper);
	bool is_space = octet <= ' ' || smtp->is_cr;

	smtp->words = left;
	for (; left; left &= left - 1)
		if (!fits(__builtin_ctz(left), smtp->at, upper, is_space))
			smtp->words &= ~(left & -left);
	smtp->is_dot = is_empty(smtp) ? octet == '.' : smtp->is_dot && !octet;
	smtp->is_nul = !octet;
}

/* The words that end with @upper; all white space is ' '. */
static u32 words_until(u8 upper)
{
	switch (upper) {
	case ' ':
		return 1U << WORD_BDAT | (COMMANDS & ~(1U << WORD_MAIL | 1U << WORD_RCPT));
	case ':':
		return 1U << WORD_MAIL | 1U << WORD_RCPT;
	case 'A':
		return 1U << WORD_DATA;
	case 'S':
		return 1U << WORD_STARTTLS;
	default:
		return 0;
	}
}

/* Is @word at the end of @last? Of a word that is longer than @last, the end is enough. */
static bool ends_with(u64 last, u32 word)
{
	u32 at = words[word].len, first = at - min_t(u32, at, sizeof(last));

	for (; at > first && words[word].text[at - 1] == (char)last; at--)
		last >>= 8;
	return at == first;
}

/* Takes the next octet of a line beyond its first LONGEST_LINE octets. */
static void take(struct ugnf_smtp *smtp, u8 upper)
{
	u32 left = words_until(upper);

	smtp->last = smtp->last << 8 | upper;
	if (upper != ' ' && !smtp->is_nul)
		smtp->found &= ~(1U << WORD_DATA);
	for (; left; left &= left - 1)
		if (ends_with(smtp->last, __builtin_ctz(left)))
			smtp->found |= left & -left;
}

/*
 * Looks for words that end with @octet, beyond the first LONGEST_LINE octets of a line. DATA
 * counts only if nothing but white space comes after it, or NUL and then anything.
 */
static void search(struct ugnf_smtp *smtp, u8 octet)
{
	if (octet == '\r')
		return;
	if (smtp->is_cr)
		take(smtp, ' ');
	take(smtp, octet <= ' ' ? ' ' : to_upper(octet));
	smtp->is_nul |= !octet && smtp->found & 1U << WORD_DATA;
}

/*
 * Takes the next octet of a line. CR counts for nothing, and white space for no octet of a word:
 * what is after these may still be the first octet of a word.
 */
static void match(struct ugnf_smtp *smtp, u8 octet)
{
	if (!smtp->at && octet <= ' ') {
		smtp->is_blank |= octet != '\r';
	} else if (octet != '\r') {
		if (may_match(smtp))
			strike(smtp, octet);
		if (smtp->at < LONGEST)
			smtp->at++;
	}
	if (smtp->length < LONGEST_LINE)
		smtp->length++;
	else
		search(smtp, octet);
	smtp->is_cr = octet == '\r';
}

/* How many octets of the line may still come before words count wherever they are? */
static u32 room(const struct ugnf_smtp *smtp)
{
	return LONGEST_LINE - smtp->length;
}

/* match() for many octets of a line; mostly the first one strikes out all words. */
static void match_all(struct ugnf_smtp *smtp, const u8 *data, u32 len)
{
	u32 i = 0, end;

	while (i < len && may_match(smtp))
		match(smtp, data[i++]);
	end = i + min_t(u32, len - i, room(smtp));
	if (i < end) {
		smtp->length += end - i;
		smtp->is_cr = data[end - 1] == '\r';
	}
	for (; i < end && smtp->at < LONGEST; i++)
		smtp->at += data[i] != '\r';
	for (i = end; i < len; i++)
		match(smtp, data[i]);
}

/* Is the line one of a body, and does it not begin like a command that is judged? */
static bool is_free(const struct ugnf_scope *scope)
{
	return scope->kind == UGNF_SCOPE_SMTP_HEADERS && scope->smtp.is_body &&
	       !(whole(&scope->smtp) & COMMANDS);
}

/* A line of a header section has ended. */
static void end_header_line(struct ugnf_smtp *smtp)
{
	smtp->is_body = is_empty(smtp) && !(smtp->is_bare && smtp->is_strict);
	smtp->is_strict = !smtp->is_body && (smtp->is_strict || smtp->is_cr);
}

/* A line has ended that may be of a message; @is_part: the scope is smtp-headers. */
static void end_message_line(struct ugnf_smtp *smtp, u32 found, bool is_part)
{
	if (smtp->is_dot && !smtp->is_nul) {
		smtp->is_data = false;
		smtp->is_body = false;
	} else if (!is_part) {
		return;
	} else if (found & 1U << WORD_BDAT) {
		smtp->over = UTF8GUARD_CAUSE_BDAT;
	} else if (!smtp->is_body) {
		end_header_line(smtp);
	} else if (smtp->is_dot || found & 1U << WORD_DATA) {
		smtp->is_body = false;
	}
}

/* A line has ended: what will the next one be? */
static void end_line(struct ugnf_smtp *smtp, bool is_part)
{
	u32 found = whole(smtp);

	if (smtp->is_data)
		end_message_line(smtp, found, is_part);
	else if (found & 1U << WORD_STARTTLS)
		smtp->over = UTF8GUARD_CAUSE_STARTTLS;
	else if (found & 1U << WORD_BDAT)
		smtp->over = UTF8GUARD_CAUSE_BDAT;
	else
		smtp->is_data = found & 1U << WORD_DATA;
	smtp->is_bare = !smtp->is_cr;
	smtp->is_cr = false;
	smtp->words = 0;
	smtp->at = 0;
	smtp->is_dot = false;
	smtp->is_nul = false;
	smtp->is_blank = false;
	smtp->found = 0;
	smtp->last = 0;
	smtp->length = 0;
}

/*
 * Sees whether a server may take @octet for the first one of another line, because of a CR before
 * it. In a body, it is judged like a header section from there on.
 */
static void look_for_break(struct ugnf_smtp *smtp, u8 octet)
{
	if (smtp->is_cr && octet != '\r' && octet != '\n')
		smtp->is_body = false;
}

/* Takes one octet of a line, or its end. Returns 1, or 0 where it is not good or not followed. */
static u32 put(struct ugnf_scope *scope, u8 octet, struct utf8guard_error *error)
{
	bool is_part = scope->kind == UGNF_SCOPE_SMTP_HEADERS;

	if (is_part)
		look_for_break(&scope->smtp, octet);
	if (is_part && is_empty(&scope->smtp) && octet == 0x16)
		return ugnf_scope_lose(scope, UTF8GUARD_CAUSE_TLS);
	/* Words are ASCII. So to judge a line from the end of a word on is to judge all of it. */
	if (!is_free(scope) && !ugnf_scope_text(scope, &octet, 1, error))
		return 0;
	if (octet == '\n')
		end_line(&scope->smtp, is_part);
	else
		match(&scope->smtp, octet);
	return 1;
}

/* Can the next octet of a line of a body change whether the line is judged? */
static bool may_change(const struct ugnf_smtp *smtp)
{
	return !smtp->at || smtp->is_cr || (smtp->words & COMMANDS && smtp->at < LONGEST);
}

/* match() for octets of a line that is not judged, up to one from which on it is judged. */
static u32 match_free(struct ugnf_smtp *smtp, const u8 *data, u32 len)
{
	u32 i = min_t(u32, len, room(smtp));

	match_all(smtp, data, i);
	while (i < len && !(smtp->found & COMMANDS))
		match(smtp, data[i++]);
	return i;
}

/* Takes octets of a line of a body: many together, where none of them can change that. */
static u32 feed_body(struct ugnf_scope *scope, const u8 *data, u32 len,
		     struct utf8guard_error *error)
{
	u32 n = may_change(&scope->smtp) ? 0 : ugnf_run_value(data, len);

	if (!n)
		return put(scope, data[0], error);
	if (is_free(scope))
		return match_free(&scope->smtp, data, n);
	n = ugnf_scope_text(scope, data, n, error);
	match_all(&scope->smtp, data, n);
	return n;
}

/* Takes lines that are all judged, without judging them. Returns how many octets it took. */
static u32 read_lines(struct ugnf_scope *scope, const u8 *data, u32 len)
{
	bool is_part = scope->kind == UGNF_SCOPE_SMTP_HEADERS;
	struct ugnf_smtp *smtp = &scope->smtp;
	u32 i = 0, n;

	while (i < len && !smtp->over && !smtp->is_body) {
		if (is_part && is_empty(smtp) && data[i] == '\r') {
			match(smtp, data[i++]);
			continue;
		}
		if (is_part && is_empty(smtp) && data[i] == 0x16)
			break;
		n = ugnf_run_line(data + i, len - i);
		match_all(smtp, data + i, n);
		i += n;
		if (i < len && data[i] == '\n') {
			end_line(smtp, is_part);
			i++;
		}
	}
	return i;
}

/* See ugnf_scope_feed(). Judges all lines together; if one is bad, goes back to before it. */
u32 ugnf_smtp_feed(struct ugnf_scope *scope, const u8 *data, u32 len,
		   struct utf8guard_error *error)
{
	const struct ugnf_smtp before = scope->smtp;
	u32 n, good;

	if (scope->smtp.over)
		return ugnf_scope_lose(scope, scope->smtp.over);
	if (len < UGNF_RUN_MIN)
		return put(scope, data[0], error);
	if (scope->smtp.is_body)
		return feed_body(scope, data, len, error);
	n = read_lines(scope, data, len);
	if (!n)
		return put(scope, data[0], error);
	good = ugnf_scope_text(scope, data, n, error);
	if (good < n) {
		scope->smtp = before;
		read_lines(scope, data, good);
	}
	return good;
}
