// SPDX-License-Identifier: GPL-2.0
/*
 * One direction of a connection: what is the same for both engines. Pure C, except that
 * direction_cache.c allocates. The lock of the flow guards everything.
 *
 * If the rules change, and now ask for the other engine or another parser, the stream is picked up
 * where it was.
 */
#include "../../codec/codec.h"
#include "direction.h"

/* Copies that are older than so many milliseconds are given up when others need memory. */
#define UGNF_COPY_MAX_AGE 30000

/*
 * Frees what the direction has allocated: its stream, and the sums and copies of that. The flow is
 * locked. The rest of @dir stays as it is.
 */
void ugnf_direction_free(struct ugnf_direction *dir)
{
	if (dir->inorder)
		ugnf_copies_drop(&dir->inorder->copies);
	ugnf_direction_free_ooo(dir->ooo);
	ugnf_direction_free_inorder(dir->inorder);
	dir->ooo = NULL;
	dir->inorder = NULL;
}

/**
 * ugnf_direction_give_up() - give up copies if they are old
 * @dir: a direction of a flow that is locked
 * @now: the time, in milliseconds
 *
 * Context: any.
 * Return: the number of copies that were given up.
 */
u32 ugnf_direction_give_up(struct ugnf_direction *dir, u32 now)
{
	const struct ugnf_copy *copy = dir->inorder ? dir->inorder->copies.first : NULL;

	for (; copy; copy = ugnf_copy_next(copy))
		if (now - copy->time >= UGNF_COPY_MAX_AGE)
			return ugnf_inorder_give_up(dir->inorder);
	return 0;
}

/* Begins the stream at @seq: the first octet after a SYN, or one in the middle. */
void ugnf_direction_start(struct ugnf_direction *dir, u32 seq, bool syn, u32 now)
{
	if (dir->ooo)
		ugnf_ooo_start(dir->ooo, seq, syn, now);
	else if (dir->inorder)
		ugnf_inorder_start(dir->inorder, seq, syn, now);
}

/* The receiver has acknowledged everything before @ack. */
void ugnf_direction_acked(struct ugnf_direction *dir, u32 ack, u32 now)
{
	if (dir->ooo)
		ugnf_ooo_acked(dir->ooo, ack, now);
	else if (dir->inorder)
		ugnf_inorder_acked(dir->inorder, ack, now);
}

/* A segment was let through and not judged: picks the stream up after it. */
void ugnf_direction_pass(struct ugnf_direction *dir, const struct ugnf_segment_header *header)
{
	if (dir->ooo)
		ugnf_ooo_pass(dir->ooo, header);
	else if (dir->inorder)
		ugnf_inorder_pass(dir->inorder, header);
}

/**
 * ugnf_direction_tell() - octets that are not followed will be reported
 * @dir: a direction of a flow that is locked
 * @seq: sequence number of the first octet
 * @end: sequence number after the last octet, and after the FIN
 *
 * Return: false if the first octet was reported before, so that this is a retransmission.
 */
bool ugnf_direction_tell(struct ugnf_direction *dir, u32 seq, u32 end)
{
	bool is_new = !dir->was_told || !ugnf_seq_before(seq, dir->told);

	/* The first octet may be in a copy, after the end of the segment. */
	if (!ugnf_seq_before(seq, end))
		end = seq + 1;
	if (!dir->was_told || ugnf_seq_before(dir->told, end))
		dir->told = end;
	dir->was_told = true;
	return is_new;
}

/* The server has agreed to the protocol for which the sender of this direction has asked. */
void ugnf_direction_switch(struct ugnf_direction *dir)
{
	if (dir->inorder)
		dir->owes = ugnf_inorder_switch(dir->inorder);
}

static bool is_followed(const struct ugnf_direction *dir, const struct ugnf_scope *scope)
{
	if (!scope)
		return dir->ooo;
	return dir->inorder && !memcmp(&dir->inorder->initial, scope, sizeof(*scope));
}

/*
 * Begins where the answer to the SYN said. Before there is an answer, begins after the last SYN,
 * if that carries octets to be judged, or was an answer itself.
 */
static void start_first(struct ugnf_direction *dir, const struct ugnf_segment_header *header)
{
	u32 now = header->now;

	if (dir->begun) {
		ugnf_direction_start(dir, dir->begin, true, now);
		ugnf_direction_acked(dir, dir->begin, now);
	} else if (dir->syn_seen && (ugnf_direction_answers(dir) || header->syn)) {
		ugnf_direction_start(dir, dir->syn + 1, true, now);
	}
}

/*
 * Was no octet let through of which @dir would know nothing? There may be some ahead of the first.
 * Of them the engine that reads in order has copies, which it hands to another parser alone; and if
 * it has given these up, it hands on where they ended.
 */
static bool is_at_beginning(const struct ugnf_direction *dir, const struct ugnf_direction *before)
{
	const struct ugnf_sequence *old = ugnf_direction_sequence(before);

	if (old->picked_up || old->position)
		return false;
	if (before->ooo)
		return !before->ooo->count;
	return dir->inorder || !(before->inorder->is_given_up ||
				 ugnf_inorder_has_unread(before->inorder));
}

/*
 * Goes on where another engine was; or from the beginning, if no octet was let through. Octets
 * that were not acknowledged do not count as delivered, for others may be sent in their place.
 */
static void start_again(struct ugnf_direction *dir, const struct ugnf_direction *before, u32 now)
{
	const struct ugnf_sequence *old = ugnf_direction_sequence(before);

	dir->is_changed = true;
	ugnf_direction_start(dir, old->snd_nxt, is_at_beginning(dir, before), now);
	/* The new parser reads octets that were let through and not read yet. */
	if (dir->inorder && before->inorder)
		ugnf_inorder_adopt(dir->inorder, before->inorder);
	if (old->acked)
		ugnf_direction_acked(dir, old->snd_una, now);
}

static bool make(struct ugnf_direction *dir, const struct ugnf_scope *scope)
{
	if (!scope) {
		dir->ooo = ugnf_direction_new_ooo();
		return dir->ooo;
	}
	dir->inorder = ugnf_direction_new_inorder();
	if (!dir->inorder)
		return false;
	ugnf_inorder_init(dir->inorder, scope, dir->memory);
	return true;
}

/**
 * ugnf_direction_follow() - follow a direction by the engine that a rule asks for
 * @dir: a direction of a flow that is locked
 * @scope: the parser, as at the beginning of a stream; NULL for the engine in any order
 * @header: the header of a segment that will be judged
 *
 * Context: any; allocates with GFP_ATOMIC.
 * Return: false without memory, and then all is as before.
 */
bool ugnf_direction_follow(struct ugnf_direction *dir, const struct ugnf_scope *scope,
			   const struct ugnf_segment_header *header)
{
	struct ugnf_direction old = *dir;

	if (is_followed(dir, scope))
		return true;
	dir->ooo = NULL;
	dir->inorder = NULL;
	if (!make(dir, scope)) {
		*dir = old;
		return false;
	}
	dir->resyncs = 0;
	if (ugnf_direction_sequence(&old) && ugnf_direction_sequence(&old)->started)
		start_again(dir, &old, header->now);
	else
		start_first(dir, header);
	ugnf_direction_free(&old);
	return true;
}
