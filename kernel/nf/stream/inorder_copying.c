// SPDX-License-Identifier: GPL-2.0
/*
 * A segment and the copies of octets that were let through early. The segment is compared with
 * them, some of it is copied, and copies that can be read after it are read with it.
 */
#include "../../codec/codec.h"
#include "inorder_segment.h"

static u32 common(const u8 *a, const u8 *b, u32 len)
{
	u32 i = 0;

	if (!memcmp(a, b, len))
		return len;
	while (a[i] == b[i])
		i++;
	return i;
}

/* How many octets are the same as those of the copy, from @at on. */
static u32 same(const struct ugnf_copy *copy, u32 at, const u8 *data, u32 len)
{
	return common(copy->octets + (at - copy->seq), data,
		      min_t(u32, len, ugnf_copy_end(copy) - at));
}

/*
 * Compares octets with copies, and copies those that have no copy yet. Returns the number of
 * octets before the first one that differs from its copy or cannot be copied.
 */
u32 ugnf_inorder_copy(struct ugnf_inorder_segment *segment, const u8 *data, u32 len)
{
	const struct ugnf_copies *known = &segment->stream->copies;
	u32 done = 0, n, at;

	while (done < len) {
		at = segment->at + done;
		segment->near = ugnf_copies_find(known, segment->near, at);
		n = segment->near ? min_t(u32, len - done, segment->near->seq - at) : len - done;
		if (segment->near && ugnf_copy_has(segment->near, at))
			n = same(segment->near, at, data + done, len - done);
		else if (segment->range == UGNF_RANGE_SAME ||
			 !ugnf_copies_put(&segment->copies, known->count, at, data + done, &n,
					  segment->header->now))
			n = 0;
		if (!n)
			break;
		done += n;
	}
	return done;
}

/* The octet at @at differs from its copy, or there is no memory to copy it. */
void ugnf_inorder_end_copying(struct ugnf_inorder_segment *segment, u32 at)
{
	if (segment->range == UGNF_RANGE_SAME ||
	    (segment->near && ugnf_copy_has(segment->near, at))) {
		ugnf_inorder_refuse(segment, UGNF_STREAM_DIFFERS);
	} else if (segment->range == UGNF_RANGE_EARLY) {
		ugnf_inorder_refuse(segment, UGNF_STREAM_AHEAD);
	} else {
		/* Octets in order need no copy. */
		segment->is_short = true;
		segment->to = at;
	}
}

/*
 * Octets of text that come early are also judged now, without those before them. They may never
 * be read in order, if the receiver gets the missing octets in another way, or if the flow is
 * forgotten. Up to eight octets before them are enough to know where a character begins.
 */
void ugnf_inorder_begin_alone(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;
	u8 before[8];
	u32 n;

	ugnf_scope_set_alone(&segment->scope, &stream->initial, &ugnf_inorder_last(stream)->scope);
	/* Only the first character of a stream can be a byte order mark. */
	segment->scope.text.refuse &= ~UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_BOM);
	n = ugnf_copies_before(&stream->copies, segment->at, before, sizeof(before));
	ugnf_scope_feed(&segment->scope, before, n, &segment->error);
}

/* At the end of the segment, up to eight octets are read on, as far as there are copies. */
void ugnf_inorder_end_alone(struct ugnf_inorder_segment *segment)
{
	u8 after[8];
	u32 n = ugnf_copies_after(&segment->stream->copies, segment->at, after, sizeof(after));

	ugnf_inorder_read(segment, after, n);
	if (segment->verdict == UGNF_STREAM_ACCEPT && ugnf_inorder_is_end(segment, segment->at + n))
		ugnf_inorder_end_scope(segment);
}

/*
 * These copies were found bad before. From the same state of the parser they are bad again. From
 * another state, the sender has sent other octets than last time. An honest sender does not do
 * that, and each time would make us read all copies again.
 */
static bool is_misfit(struct ugnf_inorder_segment *segment)
{
	struct ugnf_misfit *misfit = &segment->stream->misfit;

	if (misfit->is_known && misfit->at == segment->at &&
	    !memcmp(&misfit->scope, &segment->scope, sizeof(misfit->scope)) &&
	    (misfit->cause == UTF8GUARD_CAUSE_NONE || !segment->policy->open)) {
		if (misfit->cause != UTF8GUARD_CAUSE_NONE) {
			ugnf_inorder_unfollow(segment, misfit->unfollowed, misfit->cause);
			return true;
		}
		ugnf_inorder_refuse(segment, UGNF_STREAM_ILL_FORMED);
		segment->error = misfit->error;
		memcpy(segment->bytes, misfit->bytes, sizeof(segment->bytes));
		return true;
	}
	if (misfit->tries == UGNF_FOLD_TRIES)
		ugnf_inorder_refuse(segment, UGNF_STREAM_DIFFERS);
	return segment->verdict != UGNF_STREAM_ACCEPT;
}

/* Remembers that the copies at @at could not be read from @scope. */
static void note_misfit(struct ugnf_inorder_segment *segment, const struct ugnf_scope *scope,
			u32 at)
{
	struct ugnf_misfit *misfit = &segment->stream->misfit;

	misfit->is_known = true;
	misfit->cause = segment->cause;
	misfit->unfollowed = segment->unfollowed;
	misfit->at = at;
	memcpy(&misfit->scope, scope, sizeof(*scope));
	misfit->error = segment->error;
	memcpy(misfit->bytes, segment->bytes, sizeof(misfit->bytes));
}

/*
 * The segment was read, and after its last octet there are copies of octets that were let through
 * early. The receiver delivers these together with the segment, so they must be good, too.
 */
void ugnf_inorder_fold(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_copies *copies = &segment->stream->copies;
	struct ugnf_copy *next = ugnf_copies_find(copies, segment->near, segment->at);
	struct ugnf_scope before;
	u32 at = segment->at, n;

	if (!next || !ugnf_copy_has(next, at) || is_misfit(segment))
		return;
	if (!ugnf_range_has_room(segment)) {
		ugnf_inorder_refuse(segment, UGNF_STREAM_FULL);
		return;
	}
	segment->is_folded = true;
	memcpy(&before, &segment->scope, sizeof(before));
	ugnf_range_set(segment, UGNF_RANGE_NEW, at);
	segment->to = ugnf_copies_run_end(next, ugnf_copy_end(copies->last));
	for (; segment->at != segment->to; next = ugnf_copy_next(next)) {
		const u8 *octets = next->octets + (segment->at - next->seq);

		n = ugnf_copy_end(next) - segment->at;
		ugnf_inorder_read(segment, octets, n);
		if (segment->verdict != UGNF_STREAM_ACCEPT)
			break;
		ugnf_keep_before(segment->before, &segment->before_len, sizeof(segment->before),
				 octets, n);
		segment->at += n;
	}
	segment->is_copying = true;
	if (segment->verdict == UGNF_STREAM_ACCEPT)
		ugnf_range_end(segment);
	if (segment->verdict == UGNF_STREAM_ILL_FORMED ||
	    (segment->cause != UTF8GUARD_CAUSE_NONE && !segment->policy->open))
		note_misfit(segment, &before, at);
}
