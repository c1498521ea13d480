// SPDX-License-Identifier: GPL-2.0
/*
 * The parsers of HTTP, SMTP, DNS and plain text, raw or decoded, gated or not. Their state does
 * not depend on how the octets are divided into pieces. Octets of which a parser says that they
 * may be any octets do not change it.
 *
 * promise remote peer: what parsers of HTTP, SMTP, DNS and plain text judge does not depend on
 *   the cut
 * shown by: scopes
 */
#include "../../../kernel/nf/scope/scope.h"
#include "../../../kernel/nf/scope/run.h"
#include "fuzz.h"

#define KINDS (UGNF_SCOPE_PLAIN + 1)

static void begin(struct ugnf_scope *scope, struct fuzz_input *input)
{
	u8 kind = fuzz_octet(input) % KINDS;
	u8 how = fuzz_octet(input);
	u32 refuse = fuzz_number(input, 2);
	struct ugnf_plain plain = { .is_gated = how & 2, .is_part = how & 4 };

	/* Only a rule about a part of the payload has these. */
	if (plain.is_part) {
		plain.ahead = how >> 4;
		plain.left = 16 + how / 4;
	}
	memset(scope, 0, sizeof(*scope));
	if (kind == UGNF_SCOPE_PLAIN)
		ugnf_plain_init(scope, &plain, how & 1);
	else
		ugnf_scope_init(scope, kind, how & 1);
	if (how & 8)
		scope->text.refuse |= UTF8GUARD_TEXT_CLASSES & ~0x3fU & refuse << 8;
}

/* Feeds pieces whose lengths are the octets of @cuts; when these are used up, single octets. */
static u32 feed(struct ugnf_scope *scope, const u8 *text, u32 len, struct fuzz_input cuts)
{
	struct utf8guard_error error;
	u32 at = 0, piece, used;

	while (at < len) {
		piece = cuts.left ? 1 + fuzz_octet(&cuts) % 32 : 1;
		piece = piece < len - at ? piece : len - at;
		used = ugnf_scope_feed(scope, text + at, piece, &error);
		fuzz_check(used <= piece);
		at += used;
		if (scope->status != UGNF_SCOPE_FOLLOWED)
			break;
		fuzz_check(used == piece);
	}
	return at;
}

/*
 * Once a parser has ended, only its result counts, and not its state. Octets that it keeps only to
 * explain an error do not count either.
 */
static bool same(const struct ugnf_scope *a, const struct ugnf_scope *b)
{
	struct ugnf_scope one = *a, other = *b;

	if (a->status != UGNF_SCOPE_FOLLOWED)
		return a->status == b->status && a->cause == b->cause &&
		       a->text.class == b->text.class;
	ugnf_text_settle(&one.text);
	ugnf_text_settle(&other.text);
	return !memcmp(&one, &other, sizeof(one));
}

/* Octets that may be any octets, as a parser says, lead to the same state whatever they are. */
static void check_any(const struct ugnf_scope *scope, u32 len)
{
	struct ugnf_scope skipped = *scope, zeros = *scope, ones = *scope;
	u32 any = ugnf_scope_any(scope, len);
	struct utf8guard_error error;
	static u8 octets[64];

	fuzz_check(any <= len);
	if (scope->status != UGNF_SCOPE_FOLLOWED || !any)
		return;
	any = any < sizeof(octets) ? any : sizeof(octets);
	fuzz_check(ugnf_scope_skip(&skipped, any));
	memset(octets, 0, sizeof(octets));
	ugnf_scope_feed(&zeros, octets, any, &error);
	memset(octets, 0xff, sizeof(octets));
	ugnf_scope_feed(&ones, octets, any, &error);
	fuzz_check(same(&zeros, &skipped) && same(&ones, &skipped));
}

/* Where a parser says that any ASCII leads to one state, one letter does, and many do. */
static void check_steady(const struct ugnf_scope *scope)
{
	struct ugnf_scope one = *scope, many = *scope;
	struct utf8guard_error error;

	if (scope->status != UGNF_SCOPE_FOLLOWED || !ugnf_scope_is_steady(scope))
		return;
	ugnf_scope_feed(&one, (const u8 *)"a", 1, &error);
	ugnf_scope_feed(&many, (const u8 *)"zyxwvutsr qponmlkjihgfedcba", 26, &error);
	fuzz_check(same(&one, &many));
}

/* Where the client has asked for another protocol, the server may switch to it. */
static void check_switch(struct ugnf_scope scope, const u8 *text, u32 len)
{
	struct utf8guard_error error;

	if (!ugnf_scope_asks(&scope))
		return;
	ugnf_scope_switch(&scope);
	ugnf_scope_feed(&scope, text, len, &error);
	ugnf_scope_end(&scope, &error);
}

static void check_runs(const u8 *text, u32 len, u8 end)
{
	u32 target, value, line;

	for (target = 0; target < len && text[target] > ' ' && text[target] != 0x7f &&
			 text[target] != end; target++)
		;
	for (value = 0; value < len && text[value] != '\r' && text[value] != '\n' &&
			text[value]; value++)
		;
	for (line = 0; line < len && text[line] != '\n'; line++)
		;
	fuzz_check(ugnf_run_target(text, len, end) == target);
	fuzz_check(ugnf_run_value(text, len) == value);
	fuzz_check(ugnf_run_line(text, len) == line);
}

static void check_gate(const u8 *text, u32 len, struct fuzz_input cuts)
{
	struct ugnf_gate whole = { 0 }, gate = { 0 };
	u32 used = ugnf_gate_feed(&whole, text, len), at = 0, piece, step;

	while (at < len && !gate.is_binary) {
		piece = cuts.left ? 1 + fuzz_octet(&cuts) % 32 : 1;
		piece = piece < len - at ? piece : len - at;
		step = ugnf_gate_feed(&gate, text + at, piece);
		fuzz_check(step == piece || gate.is_binary);
		at += step;
	}
	fuzz_check(at == used && gate.is_binary == whole.is_binary);
}

int LLVMFuzzerTestOneInput(const u8 *data, size_t size)
{
	struct fuzz_input input = { data, size }, cuts;
	struct ugnf_scope initial, whole, pieces, octets;
	struct utf8guard_error error = { .class = UTF8GUARD_CLASS_NONE };
	size_t len, cut_len;
	u8 *text, *cut;
	u32 at;

	begin(&initial, &input);
	cut_len = fuzz_octet(&input) % 16;
	cut = fuzz_take(&input, cut_len, &cut_len);
	cuts = (struct fuzz_input) { cut, cut_len };
	text = fuzz_take(&input, size, &len);
	whole = pieces = octets = initial;
	at = ugnf_scope_feed(&whole, text, len, &error);
	fuzz_check(at == len || whole.status != UGNF_SCOPE_FOLLOWED);
	fuzz_check(whole.status != UGNF_SCOPE_REFUSED || error.class != UTF8GUARD_CLASS_NONE);
	fuzz_check(feed(&pieces, text, len, cuts) == at && same(&pieces, &whole));
	fuzz_check(feed(&octets, text, len, (struct fuzz_input) { 0 }) == at &&
		   same(&octets, &whole));
	check_any(&whole, cut_len ? 1 + cut[0] : 17);
	check_steady(&whole);
	check_switch(whole, text, len);
	check_runs(text, len, cut_len ? cut[0] : '?');
	check_gate(text, len, cuts);
	ugnf_scope_end(&whole, &error);
	ugnf_scope_end(&pieces, &error);
	fuzz_check(same(&whole, &pieces));
	ugnf_scope_pick_up(&initial);
	ugnf_scope_feed(&initial, text, len, &error);
	free(text);
	free(cut);
	return 0;
}
