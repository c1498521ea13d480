/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Copies of octets that were let through before others. They are read when those before them have
 * come, and compared with octets that are sent again in their place. Pure C, but for the memory,
 * which tcp/memory.c gives; the caller serialises.
 */
#ifndef _UTF8GUARD_NF_COPIES_H
#define _UTF8GUARD_NF_COPIES_H

#include "sequence.h"

/* The memory that a copy takes, however few octets it has. */
#ifndef UGNF_COPY_SIZE
#define UGNF_COPY_SIZE 2048
#endif

/**
 * struct ugnf_copy - octets that follow each other
 * @next: the next copy, in the order of sequence numbers
 * @seq: sequence number of the first octet
 * @time: when the first octet came, in milliseconds
 * @len: the number of octets
 * @octets: the octets
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
 * struct ugnf_copies - the copies of one stream, sorted, without overlap
 * @first: the first copy, or NULL
 * @last: the last copy
 * @count: the number of copies
 * @memory: the memory for copies; NULL where there must be none
 */
struct ugnf_copies {
	struct ugnf_copy *first, *last;
	u32 count;
	struct ugnf_memory *memory;
};

/* The sequence number after the last octet of a copy. */
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

/* tcp/memory.c, or a test in its place. NULL without memory, or where the stream has its share. */
struct ugnf_copy *ugnf_copy_alloc(struct ugnf_memory *memory, u32 held);
void ugnf_copy_free(struct ugnf_memory *memory, struct ugnf_copy *copy);

#endif /* _UTF8GUARD_NF_COPIES_H */
