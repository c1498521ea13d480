// SPDX-License-Identifier: GPL-2.0
/*
 * A segment and the copies of octets that were let through before their turn: it is compared
 * with them, some of it is copied, and what it makes readable is read with it.
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

/* How many octets are those of the copy in which @at is. */
static u32 same(const struct ugnf_copy *copy, u32 at, const u8 *data, u32 len)
{
	return common(copy->octets + (at - copy->seq), data,
		      min_t(u32, len, ugnf_copy_end(copy) - at));
}

/*
 * Compare octets with copies, and make copies of those that have none. Returns how many octets
 * there are before the first that differs from its copy or cannot be copied.
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

/* At @at, octets are not what their copy is, or there is no memory to copy them. */
void ugnf_inorder_end_copying(struct ugnf_inorder_segment *segment, u32 at)
{
	if (segment->range == UGNF_RANGE_SAME ||
	    (segment->near && ugnf_copy_has(segment->near, at))) {
		ugnf_inorder_refuse(segment, UGNF_STREAM_DIFFERS);
	} else if (segment->range == UGNF_RANGE_EARLY) {
		ugnf_inorder_refuse(segment, UGNF_STREAM_AHEAD);
	} else {
		/* In order, none is needed. */
		segment->is_short = true;
		segment->to = at;
	}
}

/*
 * As text, octets are judged without those before them, too: they may never be read from
 * there, if the receiver gets what is missing by another way, or the flow is forgotten.
 * Up to eight octets before them are enough to know where a character begins.
 */
void ugnf_inorder_begin_alone(struct ugnf_inorder_segment *segment)
{
	const struct ugnf_inorder_stream *stream = segment->stream;
	u8 before[8];
	u32 n;

	ugnf_scope_set_alone(&segment->scope, &stream->initial, &ugnf_inorder_last(stream)->scope);
	/* A byte order mark is one at the beginning of the stream alone. */
	segment->scope.text.refuse &= ~UTF8GUARD_CLASS_BIT(UTF8GUARD_CLASS_BOM);
	n = ugnf_copies_before(&stream->copies, segment->at, before, sizeof(before));
	ugnf_scope_feed(&segment->scope, before, n, &segment->error);
}

/* At its end, the text is read with up to eight octets after it of which there are copies. */
void ugnf_inorder_end_alone(struct ugnf_inorder_segment *segment)
{
	u8 after[8];
	u32 n = ugnf_copies_after(&segment->stream->copies, segment->at, after, sizeof(after));

	ugnf_inorder_read(segment, after, n);
	if (segment->verdict == UGNF_STREAM_ACCEPT && ugnf_inorder_is_end(segment, segment->at + n))
		ugnf_inorder_end_scope(segment);
}

/*
 * These copies were found bad before. From the same parser they still are; from another,
 * the sender changes its octets each time, which honest ones do not, and would have us read
 * all of them for each.
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

/* Take note of what could not go on from @scope at @at. */
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
 * The segment was read, and its last octet is followed by copies of what was let through
 * early. The receiver delivers that together with it, so it must be good as well.
 */
void ugnf_inorder_fold(struct ugnf_inorder_segment *segment)
{
	struct ugnf_copy *next = ugnf_copies_find(&segment->stream->copies, segment->near,
						  segment->at);
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
	segment->to = ugnf_copies_run_end(next);
	for (; segment->at != segment->to; next = next->next) {
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
