/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A client of the server in connection_server.h, by RFC 9293. Also the functions by which the code
 * under test allocates and frees its streams.
 */
#ifndef _UTF8GUARD_TESTS_CONNECTION_CLIENT_H
#define _UTF8GUARD_TESTS_CONNECTION_CLIENT_H

#include <stdlib.h>
#include <string.h>

#include "../../kunit/connection_server.h"

struct ugnf_ooo_stream *ugnf_direction_new_ooo(void)
{
	return calloc(1, sizeof(struct ugnf_ooo_stream));
}

struct ugnf_inorder_stream *ugnf_direction_new_inorder(void)
{
	return malloc(sizeof(struct ugnf_inorder_stream));
}

void ugnf_direction_free_ooo(struct ugnf_ooo_stream *stream)
{
	if (stream)
		ugnf_sums_free(stream->sums);
	free(stream);
}

void ugnf_direction_free_inorder(struct ugnf_inorder_stream *stream)
{
	free(stream);
}

/* One segment in @loss gets lost: before the hooks, after them, or back. */
static bool lossy_send(struct wire *w, const struct wire_segment *s, u32 loss)
{
	w->has_answered = false;
	if (loss && wire_odd(w, loss) == 0)
		return false;
	if (!wire_pass(w, WIRE_CLIENT, s))
		return false;
	if (loss && wire_odd(w, loss) == 0)
		return false;
	wire_receive(w, s);
	return w->has_answered && !(loss && wire_odd(w, loss) == 0);
}

/* Returns whether a SYN was answered; if the server has a stale connection, it is reset. */
static bool call(struct wire *w, u32 isn, u32 loss)
{
	const struct wire_segment syn = { .seq = isn, .syn = true, .window = WIRE_WIDE };

	if (!lossy_send(w, &syn, loss))
		return false;
	if (w->answer.syn && w->answer.ack == isn + 1)
		return true;
	wire_send(w, &(struct wire_segment) { .seq = w->answer.ack, .rst = true });
	return false;
}

static bool tell(struct wire *w, u32 isn, const u8 *text, u32 len, u32 loss)
{
	u32 snd_una = 0, tries = 0, ack = w->answer.seq + 1;

	while (snd_una < len && tries++ < 400) {
		struct wire_segment s = {
			.seq = isn + 1 + snd_una,
			.ack = ack,
			.has_ack = true,
			.window = WIRE_WIDE,
			.text = text + snd_una,
			.len = 1 + wire_odd(w, len - snd_una),
		};

		if (tries > 200)
			loss = 0;
		if (lossy_send(w, &s, loss) && w->answer.ack - isn - 1 <= len)
			snd_una = w->answer.ack - isn - 1;
		else	/* A retransmission timeout: it is longer than UGNF_STREAM_HOLD. */
			w->now += 2500;
	}
	return snd_una == len;
}

#endif
