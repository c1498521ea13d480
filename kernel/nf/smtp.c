// SPDX-License-Identifier: GPL-2.0
/*
 * SMTP from a client, RFC 5321. Whether the server has taken a DATA for what it
 * is cannot be told from here, so the lines of messages are judged like all
 * others: SMTPUTF8 has both in UTF-8 (RFC 6531). Behind STARTTLS and BDAT it is
 * not followed.
 */
#include "../codec/codec.h"
#include "scope.h"

enum word { WORD_STARTTLS, WORD_BDAT, WORD_DATA, WORDS };

static const char *const words[WORDS] = {
	[WORD_STARTTLS] = "STARTTLS",
	[WORD_BDAT] = "BDAT",
	[WORD_DATA] = "DATA",
};

/* Which of the words does the line begin with? Words end at their lengths. */
static void match(struct nf_smtp *smtp, u8 octet)
{
	u8 upper = octet >= 'a' && octet <= 'z' ? octet & ~0x20 : octet;
	u32 i;

	if (!smtp->at)
		smtp->words = (1U << WORDS) - 1;
	for (i = 0; i < WORDS; i++)
		if (smtp->at < strlen(words[i]) && words[i][smtp->at] != (char)upper)
			smtp->words &= ~(1U << i);
	smtp->is_dot = !smtp->at && octet == '.';
	if (smtp->at < 16)
		smtp->at++;
}

static void end_line(struct nf_smtp *smtp)
{
	u32 i;

	for (i = 0; i < WORDS; i++)
		if (smtp->at < strlen(words[i]))
			smtp->words &= ~(1U << i);
	if (smtp->is_data)
		smtp->is_data = !smtp->is_dot;
	else if (smtp->words & (1U << WORD_STARTTLS | 1U << WORD_BDAT))
		smtp->is_over = true;
	else
		smtp->is_data = smtp->words & 1U << WORD_DATA;
	smtp->at = 0;
	smtp->is_dot = false;
	smtp->words = 0;
}

u32 nf_smtp_feed(struct nf_scope *scope, const u8 *data, u32 len,
		 struct utf8guard_error *error)
{
	struct nf_smtp *smtp = &scope->smtp;
	u32 i, good;

	if (smtp->is_over) {
		scope->status = NF_SCOPE_UNFOLLOWED;
		return 0;
	}
	for (i = 0; i < len && data[i] != '\n'; i++)
		;
	len = i < len ? i + 1 : i;
	good = nf_scope_text(scope, data, i, error);
	for (i = 0; i < good; i++)
		if (data[i] != '\r')
			match(smtp, data[i]);
	if (scope->status != NF_SCOPE_FOLLOWED || good == len)
		return good;
	if (!nf_scope_text(scope, data + good, 1, error))
		return good;
	end_line(smtp);
	return good + 1;
}
