// SPDX-License-Identifier: GPL-2.0
/*
 * One direction of a connection, as far as it is the same for both ways to follow it. Pure
 * C, but for the memory that it asks for: direction_cache.c. The lock of the connection guards
 * all of it.
 *
 * Where the rules change so that the other way is asked for, or another parser, the
 * stream is picked up where it was.
 */
#include "../../codec/codec.h"
#include "direction.h"

/* Milliseconds after which copies are given up, where others need the memory. */
#define UGNF_COPY_MAX_AGE 30000

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
 * ugnf_direction_give_up() - others need the memory of copies that are old
 * @dir: of a flow that is locked
 * @now: milliseconds
 *
 * Context: any.
 * Return: how many copies there were, or 0.
 */
u32 ugnf_direction_give_up(struct ugnf_direction *dir, u32 now)
{
	const struct ugnf_copy *copy = dir->inorder ? dir->inorder->copies.first : NULL;

	for (; copy; copy = copy->next)
		if (now - copy->time >= UGNF_COPY_MAX_AGE)
			return ugnf_inorder_give_up(dir->inorder);
	return 0;
}

/* Begin at @seq: the first octet after a SYN, or one in the middle. */
void ugnf_direction_start(struct ugnf_direction *dir, u32 seq, bool syn, u32 now)
{
	if (dir->ooo)
		ugnf_ooo_start(dir->ooo, seq, syn, now);
	else if (dir->inorder)
		ugnf_inorder_start(dir->inorder, seq, syn, now);
}

/* The receiver acknowledged. */
void ugnf_direction_acked(struct ugnf_direction *dir, u32 ack, u32 now)
{
	if (dir->ooo)
		ugnf_ooo_acked(dir->ooo, ack, now);
	else if (dir->inorder)
		ugnf_inorder_acked(dir->inorder, ack, now);
}

/* A segment was let through that was not judged: pick the stream up after it. */
void ugnf_direction_pass(struct ugnf_direction *dir, const struct ugnf_segment_header *header)
{
	if (dir->ooo)
		ugnf_ooo_pass(dir->ooo, header);
	else if (dir->inorder)
		ugnf_inorder_pass(dir->inorder, header);
}

/**
 * ugnf_direction_tell() - octets are about to be reported not to be followed
 * @dir: of a flow that is locked
 * @seq: sequence number of the first of them
 * @end: after the last, and the FIN
 *
 * Return: false if the first was reported before: the segment is sent again.
 */
bool ugnf_direction_tell(struct ugnf_direction *dir, u32 seq, u32 end)
{
	bool is_new = !dir->was_told || !ugnf_seq_before(seq, dir->told);

	/* It may be in a copy of what came early, after the segment. */
	if (!ugnf_seq_before(seq, end))
		end = seq + 1;
	if (!dir->was_told || ugnf_seq_before(dir->told, end))
		dir->told = end;
	dir->was_told = true;
	return is_new;
}

/* Its receiver has agreed to the protocol that it asked for. */
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
 * From where the answer to the SYN said; or, before that, where the last SYN did, if it
 * carries what is to be judged, or was itself an answer.
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
 * Where it was; from its beginning, if no octet was let through. What was not acknowledged
 * may be sent again, as something else: it does not count as delivered.
 */
static void start_again(struct ugnf_direction *dir, const struct ugnf_direction *before, u32 now)
{
	const struct ugnf_sequence *old = ugnf_direction_sequence(before);
	bool is_unread = before->inorder && ugnf_inorder_has_unread(before->inorder);
	bool is_beginning = !old->picked_up && !old->position && (dir->inorder || !is_unread);

	dir->is_changed = true;
	ugnf_direction_start(dir, old->snd_nxt, is_beginning, now);
	/* What was let through and not read yet is for the new parser. */
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
 * ugnf_direction_follow() - follow one direction as a rule asks for it
 * @dir: of a flow that is locked
 * @scope: the parser at the beginning of a stream; NULL for none
 * @header: of a segment that is to be judged
 *
 * Context: any; allocates with GFP_ATOMIC.
 * Return: false for want of memory: then all is as before.
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
