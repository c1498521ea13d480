// SPDX-License-Identifier: GPL-2.0
/*
 * The list of copies. It has 1,024 members at most, unless the module parameter max_copies_flow
 * allows more (tcp/memory.c), so it can be walked. Mostly segments come in order, and their copies
 * go to the end of the list without a walk.
 */
#include "../../codec/codec.h"
#include "copies.h"

/**
 * ugnf_copies_find() - the copy that has an octet, or the next copy after it
 * @copies: the copies
 * @from: the copy that was found for an earlier octet, to go on from there; or NULL
 * @seq: sequence number of the octet
 *
 * Context: any; pure.
 * Return: the first copy that ends after @seq, or NULL.
 */
struct ugnf_copy *ugnf_copies_find(const struct ugnf_copies *copies, struct ugnf_copy *from,
				   u32 seq)
{
	struct ugnf_copy *copy = from ?: copies->first;

	if (!copies->last || !ugnf_seq_before(seq, ugnf_copy_end(copies->last)))
		return NULL;
	if (!ugnf_seq_before(seq, copies->last->seq))
		return copies->last;
	while (!ugnf_seq_before(seq, ugnf_copy_end(copy)))
		copy = copy->next;
	return copy;
}

/* The sequence number after the octets that follow each other, from a copy on. */
u32 ugnf_copies_run_end(const struct ugnf_copy *copy)
{
	while (copy->next && copy->next->seq == ugnf_copy_end(copy))
		copy = copy->next;
	return ugnf_copy_end(copy);
}

/* Reads up to @len octets from @seq on, as far as they follow each other. Returns how many. */
u32 ugnf_copies_after(const struct ugnf_copies *copies, u32 seq, u8 *octets, u32 len)
{
	const struct ugnf_copy *copy = ugnf_copies_find(copies, NULL, seq);
	u32 done = 0, n;

	for (; copy && done < len && ugnf_copy_has(copy, seq + done); copy = copy->next) {
		n = min_t(u32, len - done, ugnf_copy_end(copy) - (seq + done));
		memcpy(octets + done, copy->octets + (seq + done - copy->seq), n);
		done += n;
	}
	return done;
}

/* Reads up to @len octets before @seq, as far as they follow each other. Returns how many. */
u32 ugnf_copies_before(const struct ugnf_copies *copies, u32 seq, u8 *octets, u32 len)
{
	const struct ugnf_copy *copy = ugnf_copies_find(copies, NULL, seq - len);
	u32 at = seq - len, done = 0, n;

	for (; copy && ugnf_seq_before(copy->seq, seq); copy = copy->next) {
		if (ugnf_seq_before(at, copy->seq)) {
			at = copy->seq;
			done = 0;
		}
		n = ugnf_seq_min(ugnf_copy_end(copy), seq) - at;
		memcpy(octets + done, copy->octets + (at - copy->seq), n);
		done += n;
		at += n;
	}
	return at == seq ? done : 0;
}

static bool append(struct ugnf_copies *copies, u32 held, u32 seq, u32 now)
{
	struct ugnf_copy *copy = ugnf_copy_alloc(copies->memory, held);

	if (!copy)
		return false;
	copy->next = NULL;
	copy->seq = seq;
	copy->time = now;
	copy->len = 0;
	if (copies->last)
		copies->last->next = copy;
	else
		copies->first = copy;
	copies->last = copy;
	copies->count++;
	return true;
}

/**
 * ugnf_copies_put() - copy octets that come after all that were copied
 * @staged: the copies to which they are added
 * @held: how many other copies the stream has
 * @seq: sequence number of the first octet
 * @octets: the octets
 * @len: their number; set to the number of octets that were copied, from the first on
 * @now: the time, in milliseconds
 *
 * Context: as of ugnf_copy_alloc().
 * Return: false if there was no memory for any of them.
 */
bool ugnf_copies_put(struct ugnf_copies *staged, u32 held, u32 seq, const u8 *octets, u32 *len,
		     u32 now)
{
	struct ugnf_copy *copy = staged->last;

	if (!copy || ugnf_copy_end(copy) != seq || copy->len == UGNF_COPY_OCTETS) {
		if (!append(staged, held + staged->count, seq, now))
			return false;
		copy = staged->last;
	}
	*len = min_t(u32, *len, UGNF_COPY_OCTETS - copy->len);
	memcpy(copy->octets + copy->len, octets, *len);
	copy->len += *len;
	return true;
}

/* Adds a copy after @before; or puts its octets into @before, if they follow and there is room. */
static struct ugnf_copy *insert(struct ugnf_copies *copies, struct ugnf_copy *before,
				struct ugnf_copy *copy)
{
	if (before && ugnf_copy_end(before) == copy->seq &&
	    before->len + copy->len <= UGNF_COPY_OCTETS) {
		memcpy(before->octets + before->len, copy->octets, copy->len);
		before->len += copy->len;
		ugnf_copy_free(copies->memory, copy);
		return before;
	}
	copy->next = before ? before->next : copies->first;
	if (before)
		before->next = copy;
	else
		copies->first = copy;
	if (!copy->next)
		copies->last = copy;
	copies->count++;
	return copy;
}

/**
 * ugnf_copies_add() - add copies of octets that had none
 * @copies: the copies
 * @staged: the copies to be added, of the same memory; empty afterwards
 *
 * Context: any; the caller serialises.
 */
void ugnf_copies_add(struct ugnf_copies *copies, struct ugnf_copies *staged)
{
	struct ugnf_copy *copy = staged->first, *next, *before = NULL;

	for (; copy; copy = next) {
		next = copy->next;
		if (copies->last && !ugnf_seq_before(copy->seq, copies->last->seq))
			before = copies->last;
		else if (!before && copies->first &&
			 !ugnf_seq_before(copy->seq, copies->first->seq))
			before = copies->first;
		while (before && before->next && !ugnf_seq_before(copy->seq, before->next->seq))
			before = before->next;
		before = insert(copies, before, copy);
	}
	staged->first = NULL;
	staged->last = NULL;
	staged->count = 0;
}

static void drop_first(struct ugnf_copies *copies)
{
	struct ugnf_copy *copy = copies->first;

	copies->first = copy->next;
	if (!copies->first)
		copies->last = NULL;
	copies->count--;
	ugnf_copy_free(copies->memory, copy);
}

/* Frees the copies of octets before @seq. A copy that goes on after @seq is kept whole. */
void ugnf_copies_drop_before(struct ugnf_copies *copies, u32 seq)
{
	while (copies->first && !ugnf_seq_before(seq, ugnf_copy_end(copies->first)))
		drop_first(copies);
}

/* Frees all copies. */
void ugnf_copies_drop(struct ugnf_copies *copies)
{
	while (copies->first)
		drop_first(copies);
}
