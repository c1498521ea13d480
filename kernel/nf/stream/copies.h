/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies of octets that were let through: to be read when those before them have
 * come, and to be compared with what is sent in their place. Pure C but for the
 * memory, which others give; the caller serialises.
 */
#ifndef _UTF8GUARD_NF_COPIES_H
#define _UTF8GUARD_NF_COPIES_H

#include "sequence.h"

/* What a copy takes of memory, however few octets are in it. */
#ifndef NF_COPY_SIZE
#define NF_COPY_SIZE 2048
#endif

/**
 * struct nf_copy - octets that follow each other
 * @next: the next in the order of sequence numbers
 * @seq: sequence number of the first
 * @time: milliseconds, when the first came
 * @len: how many there are
 * @octets: these
 */
struct nf_copy {
	struct nf_copy *next;
	u32 seq, time;
	u16 len;
	u8 octets[];
};

#define NF_COPY_OCTETS (NF_COPY_SIZE - offsetof(struct nf_copy, octets))

struct nf_memory;

/**
 * struct nf_copies - those of one stream, sorted, without overlap
 * @first: the first, or NULL
 * @last: the last
 * @count: how many there are
 * @memory: where they come from; NULL if there are to be none
 */
struct nf_copies {
	struct nf_copy *first, *last;
	u32 count;
	struct nf_memory *memory;
};

/* After the last octet of a copy. */
static inline u32 nf_copy_end(const struct nf_copy *copy)
{
	return copy->seq + copy->len;
}

/* Is this octet in the copy? */
static inline bool nf_copy_has(const struct nf_copy *copy, u32 seq)
{
	return !nf_seq_before(seq, copy->seq) && nf_seq_before(seq, nf_copy_end(copy));
}

struct nf_copy *nf_copies_find(const struct nf_copies *copies, struct nf_copy *from, u32 seq);
u32 nf_copies_run_end(const struct nf_copy *copy);
u32 nf_copies_after(const struct nf_copies *copies, u32 seq, u8 *octets, u32 len);
u32 nf_copies_before(const struct nf_copies *copies, u32 seq, u8 *octets, u32 len);
bool nf_copies_put(struct nf_copies *staged, u32 held, u32 seq, const u8 *octets, u32 *len,
		   u32 now);
void nf_copies_add(struct nf_copies *copies, struct nf_copies *staged);
void nf_copies_drop_before(struct nf_copies *copies, u32 seq);
void nf_copies_drop(struct nf_copies *copies);

/* By who has the memory. NULL for want of it, or where the stream has its share. */
struct nf_copy *nf_copy_alloc(struct nf_memory *memory, u32 held);
void nf_copy_free(struct nf_memory *memory, struct nf_copy *copy);

#endif /* _UTF8GUARD_NF_COPIES_H */
