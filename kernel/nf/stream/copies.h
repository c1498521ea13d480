/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies of octets that were let through: to be read when those before them have
 * come, and to be compared with what is sent instead of them. Pure C but for the
 * memory, which others give; the caller serialises.
 */
#ifndef _UTF8GUARD_NF_COPIES_H
#define _UTF8GUARD_NF_COPIES_H

#include "sequence.h"

/* What a copy takes of memory, however few octets are in it. */
#ifndef UGNF_COPY_SIZE
#define UGNF_COPY_SIZE 2048
#endif

/**
 * struct ugnf_copy - octets that follow each other
 * @next: the next in the order of sequence numbers
 * @seq: sequence number of the first
 * @time: milliseconds, when the first came
 * @len: how many there are
 * @octets: these
 */
struct ugnf_copy {
	struct ugnf_copy *next;
	u32 seq, time;
	u16 len;
	u8 octets[];
};

#define UGNF_COPY_OCTETS (UGNF_COPY_SIZE - offsetof(struct ugnf_copy, octets))

struct ugnf_memory;

/**
 * struct ugnf_copies - those of one stream, sorted, without overlap
 * @first: the first, or NULL
 * @last: the last
 * @count: how many there are
 * @memory: where they come from; NULL if there are to be none
 */
struct ugnf_copies {
	struct ugnf_copy *first, *last;
	u32 count;
	struct ugnf_memory *memory;
};

/* After the last octet of a copy. */
static inline u32 ugnf_copy_end(const struct ugnf_copy *copy)
{
	return copy->seq + copy->len;
}

/* Is this octet in the copy? */
static inline bool ugnf_copy_has(const struct ugnf_copy *copy, u32 seq)
{
	return !ugnf_seq_before(seq, copy->seq) && ugnf_seq_before(seq, ugnf_copy_end(copy));
}

struct ugnf_copy *ugnf_copies_find(const struct ugnf_copies *copies, struct ugnf_copy *from,
				   u32 seq);
u32 ugnf_copies_run_end(const struct ugnf_copy *copy);
u32 ugnf_copies_after(const struct ugnf_copies *copies, u32 seq, u8 *octets, u32 len);
u32 ugnf_copies_before(const struct ugnf_copies *copies, u32 seq, u8 *octets, u32 len);
bool ugnf_copies_put(struct ugnf_copies *staged, u32 held, u32 seq, const u8 *octets, u32 *len,
		     u32 now);
void ugnf_copies_add(struct ugnf_copies *copies, struct ugnf_copies *staged);
void ugnf_copies_drop_before(struct ugnf_copies *copies, u32 seq);
void ugnf_copies_drop(struct ugnf_copies *copies);

/* By who has the memory. NULL for want of it, or where the stream has its share. */
struct ugnf_copy *ugnf_copy_alloc(struct ugnf_memory *memory, u32 held);
void ugnf_copy_free(struct ugnf_memory *memory, struct ugnf_copy *copy);

#endif /* _UTF8GUARD_NF_COPIES_H */
