// SPDX-License-Identifier: GPL-2.0
/*
 * An answer 101 is found in any segments: cut anywhere, in any order, sent twice.
 *
 * promise remote peer: a server's agreement to another protocol (101) is found in whatever
 *   segments it comes, cut, out of order or doubled
 * shown by: in three pieces
 * shown by: answers missed
 */
#include <string.h>

#include "../../../../kernel/codec/codec.h"
#include "../../../../kernel/nf/stream/answer.h"
#include "../../../../kunit/sample.h"
#include "../../tap.h"

static void give(struct ugnf_answer *answer, u32 seq, const char *octets, u32 len)
{
	u32 half = len / 2;

	ugnf_answer_begin(answer, seq, len);
	if (ugnf_answer_feed(answer, octets, half))
		ugnf_answer_feed(answer, octets + half, len - half);
	ugnf_answer_end(answer);
}

static void expect(bool is_found, const char *octets, const char *what)
{
	u32 len = strlen(octets), cut, second, seq;
	bool good = true;

	for (cut = 0; cut <= len; cut++)
		for (second = cut; second <= len; second++) {
			struct ugnf_answer answer = {};

			seq = -(cut + second);
			give(&answer, seq, octets, cut);
			give(&answer, seq + cut, octets + cut, second - cut);
			give(&answer, seq + second, octets + second, len - second);
			good &= answer.is_found == is_found;
		}
	tap_ok(good, "%s, in three pieces", what);
}

/* Random streams in segments: an answer that is there is found, in whatever order these go by. */
static void check_random(void)
{
	static const char pieces[][16] = { "HTTP/1.1 101", "HTTP/1.", "1 101 ", "H",
					   "HT",	   "\r\n",    "x" };
	u32 round, missed = 0, doubted = 0, none = 0;
	u64 seed = 7;

	for (round = 0; round < 300000; round++) {
		struct { u32 from, len; } segments[12];
		struct ugnf_answer answer = {};
		char text[256] = "";
		u32 count = 0, at = 0, i, len;
		bool is_there, in_order = sample_random(&seed) & 1;

		for (i = sample_random(&seed) % 6; i; i--)
			strcat(text, pieces[sample_random(&seed) % ARRAY_SIZE(pieces)]);
		is_there = strstr(text, "HTTP/1.1 101");
		for (len = strlen(text); at < len && count < ARRAY_SIZE(segments) - 1;
		     at += segments[count++].len) {
			segments[count].from = at;
			segments[count].len = 1 + sample_random(&seed) % (len - at);
		}
		if (at < len) {
			segments[count].from = at;
			segments[count++].len = len - at;
		}
		for (i = 0; i < count; i++) {
			u32 j = in_order ? i : i + sample_random(&seed) % (count - i);
			u32 from = segments[j].from, n = segments[j].len;

			segments[j] = segments[i];
			segments[i].from = from;
			give(&answer, 99 + from, text + from, n);
			/* It is seen at two hooks, or sent again. */
			if (sample_random(&seed) % 2)
				give(&answer, 99 + from, text + from, n);
			if (!in_order && sample_random(&seed) % 8 == 0)
				give(&answer, 99 + segments[0].from, text + segments[0].from,
				     segments[0].len);
		}
		missed += is_there && !answer.is_found;
		doubted += !is_there && answer.is_found && in_order;
		none += !is_there && !answer.is_found;
	}
	tap_ok(!missed, "%u streams: %u answers missed", round, missed);
	tap_ok(!doubted, "%u found in order that are none", doubted);
	tap_ok(none > 100000, "%u in which none was found", none);
}

int main(void)
{
	expect(true, "HTTP/1.1 101 Switching Protocols\r\n", "an answer");
	expect(true, "HTTP/1.0 101 x\r\n", "another version");
	expect(true, "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 101 x\r\n", "after another");
	expect(true, "xxHTTP/1.1 101\r\n", "after a body");
	expect(true, "HTTP/1.HTTP/1.1 101\r\n", "after half of one");
	expect(true, "HHTTP/1.1 101\r\n", "after its first octet");
	expect(false, "HTTP/1.1 200 OK\r\nA: 101\r\n\r\n", "none");
	expect(false, "HTTP/2 101 x\r\n", "another protocol");
	expect(false, "HTTP/1.1 10", "half of one");
	check_random();
	return tap_done();
}
