// SPDX-License-Identifier: GPL-2.0
/*
 * A request that asks for another protocol, in any cuts: what is after it is read as
 * HTTP until the answer agrees, and not followed from then on; what is sent again of the
 * request stays good, wherever the agreement comes.
 *
 * promise remote peer: a request for another protocol hides nothing: what is after it is read as
 *   HTTP until the server agrees, and not followed from then on
 * shown by: a request later
 * shown by: never agreed to: it goes on as HTTP
 */
#include <string.h>

#include "../../../../kernel/nf/stream/inorder_segment.h"
#include "../../tap.h"

#define ISN 0xffffffd0U

#define ASKING "GET /a HTTP/1.1\r\nUpgrade: x\r\n\r\n"
#define MORE "GET /b HTTP/1.1\r\nHost: c\r\n\r\n"

static const char closed_text[] = ASKING MORE;

static const struct ugnf_stream_policy closed;
static struct ugnf_inorder_segment segment;

static enum ugnf_stream_verdict send(struct ugnf_inorder_stream *stream, u32 from, u32 len)
{
	struct ugnf_segment_header header = { .seq = ISN + 1 + from, .len = len };

	ugnf_inorder_segment_begin(&segment, stream, &header, &closed);
	ugnf_inorder_segment_feed(&segment, closed_text + from, len);
	return ugnf_inorder_segment_end(&segment);
}

static void begin(struct ugnf_inorder_stream *stream)
{
	struct ugnf_scope initial;

	ugnf_scope_init(&initial, UGNF_SCOPE_HTTP_TARGET, true);
	ugnf_inorder_init(stream, &initial, NULL);
	ugnf_inorder_start(stream, ISN + 1, true, 0);
}

/* The request is cut in two at each octet; @late octets after it come before the agreement. */
static void check(u32 late, const char *what)
{
	u32 end = sizeof(ASKING) - 1, cut, wrong = 0;
	struct ugnf_inorder_stream stream;

	for (cut = 1; cut < end; cut++) {
		begin(&stream);
		wrong += send(&stream, 0, cut) != UGNF_STREAM_ACCEPT;
		wrong += ugnf_inorder_asks(&stream);
		wrong += send(&stream, cut, end - cut) != UGNF_STREAM_ACCEPT;
		wrong += !ugnf_inorder_asks(&stream);
		if (late)
			wrong += send(&stream, end, late) != UGNF_STREAM_ACCEPT;
		wrong += ugnf_inorder_switch(&stream) != !!late;
		/* All of it again, as it was, and as one segment. */
		wrong += send(&stream, cut, end - cut) != UGNF_STREAM_ACCEPT;
		wrong += send(&stream, 0, cut) != UGNF_STREAM_ACCEPT;
		wrong += send(&stream, 0, end) != UGNF_STREAM_ACCEPT;
		wrong += send(&stream, end + late, 1) != UGNF_STREAM_UNFOLLOWED;
		wrong += segment.cause != UTF8GUARD_CAUSE_UPGRADE ||
			 segment.error.offset != end + late;
		wrong += send(&stream, 0, end + late + 1) != UGNF_STREAM_UNFOLLOWED;
		wrong += segment.cause != UTF8GUARD_CAUSE_UPGRADE || segment.error.offset != end;
	}
	tap_ok(!wrong, "%s: %u wrong", what, wrong);
}

/* The agreement comes before the whole request was read, as one for another request may. */
static void check_early(void)
{
	u32 end = sizeof(ASKING) - 1, wrong = 0, cut;
	struct ugnf_inorder_stream stream;

	for (cut = 1; cut < end; cut++) {
		begin(&stream);
		send(&stream, 0, cut);
		wrong += ugnf_inorder_switch(&stream);
		wrong += send(&stream, cut, end - cut) != UGNF_STREAM_ACCEPT;
		wrong += send(&stream, end, sizeof(MORE) - 1) != UGNF_STREAM_UNFOLLOWED;
		wrong += segment.cause != UTF8GUARD_CAUSE_UPGRADE || segment.error.offset != end;
	}
	tap_ok(!wrong, "agreed to before it was asked: %u wrong", wrong);
}

static void check_without(void)
{
	struct ugnf_inorder_stream stream;

	begin(&stream);
	tap_ok(send(&stream, 0, sizeof(closed_text) - 1) == UGNF_STREAM_ACCEPT &&
	       ugnf_inorder_asks(&stream), "never agreed to: it goes on as HTTP");
}

int main(void)
{
	check(0, "agreed to at once");
	check(1, "an octet later");
	check(sizeof(MORE) - 1, "a request later");
	check_early();
	check_without();
	return tap_done();
}
