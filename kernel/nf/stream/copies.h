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

#define UGNF_COPY_LEVELS 5

/**
 * struct ugnf_copy - octets that follow each other; a node of a skip list
 * @next: at each level, the next copy in the order of sequence numbers. Level 0 has all copies,
 *	each other level a quarter of those below it
 * @seq: sequence number of the first octet
 * @time: when the first octet came, in milliseconds
 * @len: the number of octets
 * @height: at how many levels it is. It is chosen at random, so that no sender can make the list
 *	slow. The first copy is at all levels
 * @octets: the octets
 */
struct ugnf_copy {
	struct ugnf_copy *next[UGNF_COPY_LEVELS];
	u32 seq, time;
	u16 len;
	u8 height;
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

/* The height of a copy, from a random number. */
static inline u8 ugnf_copy_height(u32 random)
{
	return 1 + __builtin_ctz(random | 1 << 2 * (UGNF_COPY_LEVELS - 1)) / 2;
}

/* The copy after this one, or NULL. */
static inline struct ugnf_copy *ugnf_copy_next(const struct ugnf_copy *copy)
{
	return copy->next[0];
}

/* Is this octet in the copy? */
static inline bool ugnf_copy_has(const struct ugnf_copy *copy, u32 seq)
{
	return !ugnf_seq_before(seq, copy->seq) && ugnf_seq_before(seq, ugnf_copy_end(copy));
}

struct ugnf_copy *ugnf_copies_find(const struct ugnf_copies *copies, struct ugnf_copy *from,
				   u32 seq);
u32 ugnf_copies_run_end(const struct ugnf_copy *copy, u32 stop);
u32 ugnf_copies_after(const struct ugnf_copies *copies, u32 seq, u8 *octets, u32 len);
u32 ugnf_copies_before(const struct ugnf_copies *copies, u32 seq, u8 *octets, u32 len);
bool ugnf_copies_put(struct ugnf_copies *staged, u32 held, u32 seq, const u8 *octets, u32 *len,
		     u32 now);
void ugnf_copies_add(struct ugnf_copies *copies, struct ugnf_copies *staged);
void ugnf_copies_drop_before(struct ugnf_copies *copies, u32 seq);
void ugnf_copies_drop(struct ugnf_copies *copies);

/*
 * tcp/memory.c, or a test in its place; only the height is set. NULL without memory, or where the
 * stream has its share.
 */
struct ugnf_copy *ugnf_copy_alloc(struct ugnf_memory *memory, u32 held);
void ugnf_copy_free(struct ugnf_memory *memory, struct ugnf_copy *copy);

#endif /* _UTF8GUARD_NF_COPIES_H */
