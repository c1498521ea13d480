// SPDX-License-Identifier: GPL-2.0
/*
 * The list of copies, a skip list (Pugh, 1990). A sender of many small segments can make it have
 * 1,024 members, or as many as the module parameter max_copies_flow allows (tcp/memory.c); then
 * about a dozen of them are looked at for each segment. Copies are removed from the front only, or
 * all at once.
 */
#include "../../codec/codec.h"
#include "copies.h"

/* At each level, the last copy that ends before @seq or there. The first copy must do so. */
static void find_ended(const struct ugnf_copies *copies, u32 seq, struct ugnf_copy **before)
{
	struct ugnf_copy *copy = copies->first, *next;
	int level;

	for (level = UGNF_COPY_LEVELS - 1; level >= 0; level--) {
		for (next = copy->next[level]; next && !ugnf_seq_before(seq, ugnf_copy_end(next));
		     next = copy->next[level])
			copy = next;
		before[level] = copy;
	}
}

static bool ends_after(const struct ugnf_copy *copy, u32 seq)
{
	return ugnf_seq_before(seq, ugnf_copy_end(copy));
}

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
	struct ugnf_copy *before[UGNF_COPY_LEVELS], *copy = from ?: copies->first;

	if (!copies->last || !ends_after(copies->last, seq))
		return NULL;
	if (ends_after(copy, seq))
		return copy;
	if (!ugnf_seq_before(seq, copies->last->seq))
		return copies->last;
	copy = ugnf_copy_next(copy);
	if (ends_after(copy, seq))
		return copy;
	find_ended(copies, seq, before);
	return ugnf_copy_next(before[0]);
}

/*
 * The sequence number after the octets that follow each other, from a copy on. Where that is not
 * before @stop, some number that is not before @stop either: no more copies are looked at then.
 */
u32 ugnf_copies_run_end(const struct ugnf_copy *copy, u32 stop)
{
	u32 end = ugnf_copy_end(copy);

	while (ugnf_seq_before(end, stop) && (copy = ugnf_copy_next(copy)) && copy->seq == end)
		end = ugnf_copy_end(copy);
	return end;
}

/* Reads up to @len octets from @seq on, as far as they follow each other. Returns how many. */
u32 ugnf_copies_after(const struct ugnf_copies *copies, u32 seq, u8 *octets, u32 len)
{
	const struct ugnf_copy *copy = ugnf_copies_find(copies, NULL, seq);
	u32 done = 0, n;

	for (; copy && done < len && ugnf_copy_has(copy, seq + done); copy = ugnf_copy_next(copy)) {
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

	for (; copy && ugnf_seq_before(copy->seq, seq); copy = ugnf_copy_next(copy)) {
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

/* Copies that are not added yet are at level 0 only. */
static bool append(struct ugnf_copies *staged, u32 held, u32 seq, u32 now)
{
	struct ugnf_copy *copy = ugnf_copy_alloc(staged->memory, held);

	if (!copy)
		return false;
	memset(copy->next, 0, sizeof(copy->next));
	copy->seq = seq;
	copy->time = now;
	copy->len = 0;
	if (staged->last)
		staged->last->next[0] = copy;
	else
		staged->first = copy;
	staged->last = copy;
	staged->count++;
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

/* Adds a copy before all others: it takes the place of the first one at all levels. */
static void insert_first(struct ugnf_copies *copies, struct ugnf_copy *copy)
{
	struct ugnf_copy *first = copies->first;
	int level;

	for (level = 0; level < UGNF_COPY_LEVELS; level++)
		copy->next[level] = first && level >= first->height ? first->next[level] : first;
	copies->first = copy;
	if (!first)
		copies->last = copy;
	copies->count++;
}

/* Adds a copy after @before, which has the copy before it at each level. */
static void insert_after(struct ugnf_copies *copies, struct ugnf_copy **before,
			 struct ugnf_copy *copy)
{
	int level;

	for (level = 0; level < copy->height; level++) {
		copy->next[level] = before[level]->next[level];
		before[level]->next[level] = copy;
	}
	if (!ugnf_copy_next(copy))
		copies->last = copy;
	copies->count++;
}

/* Puts the octets of a copy into the one before it, if they follow and there is room. */
static bool join(struct ugnf_copies *copies, struct ugnf_copy *before, struct ugnf_copy *copy)
{
	if (ugnf_copy_end(before) != copy->seq || before->len + copy->len > UGNF_COPY_OCTETS)
		return false;
	memcpy(before->octets + before->len, copy->octets, copy->len);
	before->len += copy->len;
	ugnf_copy_free(copies->memory, copy);
	return true;
}

static void add(struct ugnf_copies *copies, struct ugnf_copy *copy)
{
	struct ugnf_copy *before[UGNF_COPY_LEVELS];

	if (!copies->first || ugnf_seq_before(copy->seq, copies->first->seq)) {
		insert_first(copies, copy);
		return;
	}
	find_ended(copies, copy->seq, before);
	if (!join(copies, before[0], copy))
		insert_after(copies, before, copy);
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
	struct ugnf_copy *copy = staged->first, *next;

	for (; copy; copy = next) {
		next = ugnf_copy_next(copy);
		add(copies, copy);
	}
	staged->first = NULL;
	staged->last = NULL;
	staged->count = 0;
}

static void drop_first(struct ugnf_copies *copies)
{
	struct ugnf_copy *copy = copies->first, *next = ugnf_copy_next(copy);
	int level;

	/* The next one is at all levels now. */
	for (level = next ? next->height : UGNF_COPY_LEVELS; level < UGNF_COPY_LEVELS; level++)
		next->next[level] = copy->next[level];
	copies->first = next;
	if (!next)
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
