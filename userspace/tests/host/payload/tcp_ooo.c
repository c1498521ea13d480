// SPDX-License-Identifier: GPL-2.0
/*
 * The engine for octets in any order, with receivers of every kind: nothing ill-formed is
 * delivered, whoever sends; and no honest sender has to wait.
 *
 *   STREAMS=n	how many random streams of each kind, 40000 if not given
 *   SEED=n	of the random numbers
 *
 * promise remote peer: with a rule that needs no parser, nothing ill-formed is delivered, in
 *   whatever order segments are sent
 * shown by: a sender of anything, strict: nothing ill-formed delivered
 * shown by: texts of up to %u octets in up to 4 segments in any order
 */
#include <stdlib.h>
#include <string.h>

#include "../../reference.h"
#include "../../../../kunit/stream_senders.h"
#include "../../play.h"

/* Sends a text as @n segments in an order; returns whether all of it was delivered. */
static bool in_order(const u8 *text, u32 len, const u32 boundaries[5], const u32 order[4], u32 n,
		     u32 *refused)
{
	static u64 seed = 1;
	u32 i;

	model_init(&model, &seed, MODEL_FIRST);
	model_judge(&model, &(struct model_segment){ .text = text, .syn = true });
	*refused = 0;
	for (i = 0; i < n; i++) {
		u32 k = order[i];
		struct model_segment s = {
			.text = text,
			.from = boundaries[k],
			.len = boundaries[k + 1] - boundaries[k],
			.fin = k == n - 1,
		};

		if (model_judge(&model, &s) == UGNF_STREAM_ACCEPT)
			model_arrive(&model, &s, 0);
		else
			++*refused;
	}
	return model.receiver.is_closed && model.receiver.next == len;
}

static bool is_right(const u8 *text, u32 len, const u32 boundaries[5], const u32 order[4], u32 n)
{
	bool good = reference_prefix(text, len) == len;
	u32 refused;
	bool whole = in_order(text, len, boundaries, order, n, &refused);

	if (model_is_wrong(&model))
		return false;
	return good ? whole && !refused : !whole && refused;
}

static u32 permute(const u8 *text, u32 len, const u32 boundaries[5], u32 n, u64 *count)
{
	u32 wrong = 0, code, i, j;

	for (code = 0; code < 256; code++) {
		u32 order[4], seen = 0;

		for (i = 0; i < n; i++) {
			order[i] = code >> 2 * i & 3;
			seen |= 1U << order[i];
		}
		for (j = n; j < 4; j++)
			if (code >> 2 * j & 3)
				seen = 0;
		if (seen != (1U << n) - 1)
			continue;
		++*count;
		wrong += !is_right(text, len, boundaries, order, n);
	}
	return wrong;
}

static u32 cut_everywhere(const u8 *text, u32 len, u64 *count)
{
	u32 a, b, c, wrong = 0;

	for (a = 1; a <= len; a++)
		for (b = a; b <= len; b++)
			for (c = b; c <= len; c++) {
				u32 boundaries[5] = { 0, a, b, c, len }, n = 4;

				while (n > 1 && boundaries[n - 1] == len)
					n--;
				if (a == b && a < len)
					continue;
				if (b == c && b < len)
					continue;
				wrong += permute(text, len, boundaries, n, count);
			}
	return wrong;
}

static void check_short(void)
{
	static const u8 kinds[] = { 0x41, 0x80, 0xa0, 0xc3, 0xe0, 0xed, 0xf0, 0xf4, 0xc0 };
	u32 len, i, wrong = 0, most = streams_wanted() >= 100000 ? 6 : 4;
	u64 number, texts = 1, count = 0;
	u8 text[6];

	for (len = 1; len <= most; len++) {
		texts *= sizeof(kinds);
		for (number = 0; number < texts; number++) {
			u64 rest = number;

			for (i = 0; i < len; i++, rest /= sizeof(kinds))
				text[i] = kinds[rest % sizeof(kinds)];
			/* Of the longest texts, one in seven: all of them would take minutes. */
			if (len == 6 && number % 7)
				continue;
			wrong += cut_everywhere(text, len, &count);
		}
	}
	tap_ok(!wrong, "texts of up to %u octets in up to 4 segments in any order, %llu: %u wrong",
	       most, (unsigned long long)count, wrong);
}

#define SHAPE_TEXT 3
#define SHAPES 6

static const struct { u8 from, len; } shapes[SHAPES] = {
	{ 0, 1 }, { 1, 1 }, { 2, 1 }, { 0, 2 }, { 1, 2 }, { 0, 3 },
};

/* Delivers what the engine let through, in every order, with any of it lost, to every receiver. */
static bool survives(const struct model_segment *through, u32 n)
{
	static const u8 orders[][3] = {
		{ 0, 1, 2 }, { 0, 2, 1 }, { 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 },
	};
	static u64 seed = 5;
	static struct model_receiver r;
	u32 o, lost, overlap, i;

	for (overlap = 0; overlap < MODEL_ANY; overlap++)
		for (o = 0; o < 6; o++)
			for (lost = 0; lost < 1U << n; lost++) {
				model_receiver_init(&r, overlap, &seed);
				for (i = 0; i < 3; i++) {
					const struct model_segment *s = &through[orders[o][i]];

					if (orders[o][i] < n && !(lost >> orders[o][i] & 1))
						model_receive(&r, s->from, s->text + s->from,
							      s->len, false, false);
				}
				if (r.is_wrong)
					return false;
			}
	return true;
}

static bool try_shapes(const u8 texts[2][SHAPE_TEXT], u32 code)
{
	struct model_segment through[3];
	static u64 seed = 7;
	u32 i, n = 0;

	model_init(&model, &seed, MODEL_FIRST);
	model_judge(&model, &(struct model_segment){ .text = texts[0], .syn = true });
	for (i = 0; i < 3; i++, code /= 2 * SHAPES) {
		u32 shape = code % SHAPES;
		struct model_segment s = {
			.text = texts[code / SHAPES % 2],
			.from = shapes[shape].from,
			.len = shapes[shape].len,
		};

		if (model_judge(&model, &s) == UGNF_STREAM_ACCEPT)
			through[n++] = s;
	}
	/* A single segment is delivered as it was judged. */
	return !model.has_erred && (n < 2 || survives(through, n));
}

static void check_shapes(void)
{
	static const u8 kinds[][4] = {
		{ 0x41, 0xc3, 0xa9, 0xc0 }, { 0xe0, 0x80, 0xa0, 0x41 }, { 0xed, 0xe1, 0xa0, 0x80 },
	};
	u32 set, number, code, i, wrong = 0, count = 0;
	u32 stride = streams_wanted() >= 100000 ? 1 : 17;

	for (set = 0; set < sizeof(kinds) / sizeof(kinds[0]); set++)
		for (number = 0; number < 4096; number++)
			for (code = (number + set) % stride; code < 1728; code += stride) {
				u8 texts[2][SHAPE_TEXT];

				for (i = 0; i < 6; i++)
					texts[i / 3][i % 3] = kinds[set][number >> 2 * i & 3];
				wrong += !try_shapes(texts, code);
				count++;
			}
	tap_ok(!wrong, "three segments of two texts that overlap in every way, %u: %u wrong",
	       count, wrong);
}

static enum ugnf_stream_verdict put(u32 from, const char *octets)
{
	struct model_segment s = { .from = from, .len = strlen(octets) };
	static u8 text[64];

	memcpy(text + from, octets, s.len);
	s.text = text;
	return model_give(&model, &s, s.len, model.seed);
}

/*
 * @since milliseconds ago, the receiver has taken the first two octets of a segment, the second of
 * which begins a character.
 */
static void begin_taken(bool open, u32 since)
{
	static u64 seed;

	seed = 1;
	model_init(&model, &seed, MODEL_FIRST);
	model.policy.open = open;
	ugnf_ooo_start(&model.ooo_stream, model.isn + 1, true, model.now);
	ugnf_ooo_acked(&model.ooo_stream, model.isn + 1, model.now);
	put(0, "a\xe0\xa0\x80z");
	ugnf_ooo_acked(&model.ooo_stream, model.isn + 1 + 2, model.now);
	model.now += since;
}

static void check_taken_in_part(void)
{
	begin_taken(false, 2000);
	tap_ok(put(2, "\x80\xaf") == UGNF_STREAM_UNVERIFIABLE && !model.ooo_stream.seq.resyncs,
	       "closed: not picked up in the middle of a segment that was taken in part");
	tap_ok(put(2, "\xa0\x80") == UGNF_STREAM_UNVERIFIABLE &&
		       put(2, "zz") == UGNF_STREAM_UNVERIFIABLE,
	       "whatever it goes on with");
	tap_ok(put(0, "a\xe0\xa0\x80z") == UGNF_STREAM_ACCEPT &&
	       put(5, "\xc3\xa9") == UGNF_STREAM_ACCEPT && !model.ooo_stream.seq.resyncs,
	       "all of it may be sent again, and what is after it");
	/* As the manual has it: "after two seconds". */
	begin_taken(true, 1999);
	tap_ok(put(2, "\xa0\x80") == UGNF_STREAM_UNVERIFIABLE && !model.ooo_stream.seq.resyncs,
	       "open: not yet, while it may still be on its way");
	begin_taken(true, 2000);
	tap_ok(put(2, "\xa0\x80") == UGNF_STREAM_ACCEPT && model.ooo_stream.seq.resyncs == 1,
	       "open: picked up there, and counted");
}

/*
 * A segment came early, and the receiver keeps it. Another one fills the gap before it and goes on
 * with other octets, up to the middle of it. What is left would be joined to these.
 */
static void check_across(void)
{
	begin_taken(false, 0);
	put(9, "\xc3\xa9\xc3\xa9");
	model.now += 100000;
	tap_ok(put(5, "aaaa\xe0\xa0") == UGNF_STREAM_UNVERIFIABLE &&
		       put(5, "aaaa\xc3\xa9") == UGNF_STREAM_UNVERIFIABLE,
	       "nothing is sent again up to the middle of what came early, however long ago");
	tap_ok(put(5, "aaaa\xc3\xa9\xc3\xa9") == UGNF_STREAM_ACCEPT, "up to its end, it is");
}

static void acked(u32 position)
{
	ugnf_ooo_acked(&model.ooo_stream, model.isn + 1 + position, model.now);
}

static u32 front(void)
{
	return model.ooo_stream.seq.snd_nxt - model.isn - 1;
}

/*
 * Octets that nobody saw are acknowledged. What came early after them is in order then: if the
 * receiver has taken a part of that, it has not got anything else unseen.
 */
static void check_skipped(void)
{
	begin_taken(false, 0);
	put(9, "\xc3\xa9\xc3\xa9");
	put(13, "\xe6\x97\xa5");
	acked(9);
	tap_ok(model.ooo_stream.seq.resyncs == 1 && front() == 16,
	       "a gap is acknowledged: what came early after it is in order");
	acked(11);
	acked(14);
	tap_ok(model.ooo_stream.seq.resyncs == 1 && put(13, "\xe6\x97\xa5") == UGNF_STREAM_ACCEPT,
	       "taken in part, it is no other gap");
	begin_taken(false, 0);
	put(9, "\xc3\xa9\xc3\xa9");
	put(13, "\xe6\x97\xa5");
	acked(10);
	tap_ok(model.ooo_stream.seq.resyncs == 1 && front() == 16,
	       "taken in part at once, it is in order, too");
	acked(12);
	acked(14);
	tap_ok(model.ooo_stream.seq.resyncs == 1, "and the gap is one");
	tap_ok(put(16, "\x80") == UGNF_STREAM_ILL_FORMED && put(16, "a") == UGNF_STREAM_ACCEPT,
	       "and what is after it is judged after it");
	begin_taken(false, 0);
	put(5, "\xc3\xa9\xc3\xa9");
	acked(5);
	model.now += 2000;
	put(9, "\xc3\xa9\xc3\xa9");
	tap_ok(put(5, "\xc3\xa9") == UGNF_STREAM_ACCEPT && front() == 7, "a segment is resegmented");
	acked(10);
	tap_ok(!model.ooo_stream.seq.resyncs && front() == 13,
	       "but had arrived, and so has a part of the next one: that is no gap");
}

int main(void)
{
	u64 streams = streams_wanted(), seed = tap_env("SEED", 1);

	tap_note("SEED=%llu STREAMS=%llu, a stream takes %zu octets, a segment %zu",
		 (unsigned long long)seed, (unsigned long long)streams,
		 sizeof(struct ugnf_ooo_stream), sizeof(struct ugnf_ooo_segment));
	check_random("a sender of anything, strict: nothing ill-formed delivered", play_attack,
		     streams, seed);
	check_random("acknowledged beyond what was resegmented (once let a mistake through)",
		     play_attack, 1, 79717);
	check_random("the same, some of it by another way, acknowledged at any octet",
		     play_detour, streams * 2, seed);
	check_random("acknowledged inside an island (once let a mistake through)", play_detour, 1,
		     8149);
	check_random("acknowledged inside the second of two (once let a mistake through)",
		     play_detour, 1, 20470957);
	model.takes_part = true;
	check_random("a receiver that takes the beginning of a segment: nothing ill-formed",
		     play_attack, streams, seed);
	check_random("the same, some of it by another way", play_detour, streams, seed);
	model.takes_part = false;
	check_random("an honest sender, strict: all delivered", play_honest, streams, seed);
	check_random("the same, with acknowledgments of any octet, lost, or from others",
		     play_answers, streams, seed);
	check_random("an honest sender to more than can be remembered: all delivered",
		     play_crowd, streams / 8 + 1, seed);
	check_random("an honest sender that must resegment: all delivered", play_resegmented,
		     streams / 8 + 1, seed);
	check_random(
		"an honest sender, and a receiver that throws away what is ahead: all delivered",
		play_pruned, streams / 8 + 1, seed);
	check_random("the same, closed: nothing picked up", play_pruned_closed, streams / 8 + 1,
		     seed);
	check_random("an honest sender that cuts anywhere, lenient: all delivered",
		     play_lenient, streams / 4 + 1, seed);
	check_random("picked up by a sender of anything: nothing ill-formed delivered",
		     play_attack_middle, streams, seed);
	check_random("picked up in the middle: all delivered, mistakes refused", play_middle,
		     streams / 4 + 1, seed);
	check_taken_in_part();
	check_across();
	check_skipped();
	if (!getenv("SEED")) {
		check_short();
		check_shapes();
	}
	return tap_done();
}
