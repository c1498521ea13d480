// SPDX-License-Identifier: GPL-2.0
/*
 * The list of copies of early segments, beside an array that has a place for each octet: whatever
 * is copied in whatever order, each octet is found and read where it was put. And the list is a
 * skip list in which a search is short, however its sender chose the order.
 *
 * promise remote peer: many small segments that come early do not make each further one slow
 * shown by: few copies are looked at in a search
 */
#include <stdlib.h>
#include <string.h>

#include "../../../../kernel/codec/codec.h"
#include "../../../../kernel/nf/stream/copies.h"
#include "../../../../kunit/sample.h"
#include "../../tap.h"

enum { ROOM = 4096, TRIALS = 2000, COPIES = 1024, MOST_STEPS = 100 };

static u64 seed = 1;
static u32 alive;

struct ugnf_copy *ugnf_copy_alloc(struct ugnf_memory *memory, u32 held)
{
	struct ugnf_copy *copy = malloc(UGNF_COPY_SIZE);

	(void)memory;
	(void)held;
	if (!copy)
		exit(1);
	memset(copy, 0xff, UGNF_COPY_SIZE);
	copy->height = ugnf_copy_height(sample_random(&seed));
	alive++;
	return copy;
}

void ugnf_copy_free(struct ugnf_memory *memory, struct ugnf_copy *copy)
{
	(void)memory;
	free(copy);
	alive--;
}

/* The array: which octets have a copy, from the sequence number @base on. */
struct plain {
	u32 base, dropped;
	bool has[ROOM];
	u8 octets[ROOM];
};

static u32 below(u32 n)
{
	return sample_random(&seed) % n;
}

/* As a stream does it: what has no copy yet is copied. */
static void put(struct ugnf_copies *copies, struct plain *plain, u32 from, u32 len)
{
	struct ugnf_copies staged = {};
	u32 at = from, end, n;

	while (at < from + len) {
		if (plain->has[at]) {
			at++;
			continue;
		}
		for (end = at; end < from + len && !plain->has[end]; end++) {
			plain->has[end] = true;
			plain->octets[end] = below(256);
		}
		for (; at < end; at += n) {
			n = end - at;
			if (!ugnf_copies_put(&staged, copies->count, plain->base + at,
					     plain->octets + at, &n, 0))
				exit(1);
		}
	}
	ugnf_copies_add(copies, &staged);
}

/* Is each copy at the levels that it has, in order, with the octets that were put there? */
static bool is_sound(const struct ugnf_copies *copies, const struct plain *plain)
{
	const struct ugnf_copy *copy, *at[UGNF_COPY_LEVELS];
	u32 count = 0, end = 0, level;

	for (level = 0; level < UGNF_COPY_LEVELS; level++)
		at[level] = copies->first;
	for (copy = copies->first; copy; copy = ugnf_copy_next(copy)) {
		u32 from = copy->seq - plain->base;

		if (from < end || !copy->len || from + copy->len > ROOM ||
		    memcmp(copy->octets, plain->octets + from, copy->len) ||
		    memchr(plain->has + from, false, copy->len))
			return false;
		end = from + copy->len;
		count++;
		for (level = 0; level < UGNF_COPY_LEVELS; level++) {
			if (copy != copies->first && level >= copy->height)
				continue;
			if (at[level] != copy)
				return false;
			at[level] = copy->next[level];
		}
		if (!copy->next[0] && copies->last != copy)
			return false;
	}
	for (level = 0; copies->first && level < UGNF_COPY_LEVELS; level++)
		if (at[level])
			return false;
	return count == copies->count && count == alive && !copies->first == !copies->last;
}

/* Is the copy that is found the one that the array says? */
static bool is_found(const struct ugnf_copies *copies, const struct plain *plain,
		     struct ugnf_copy *from, u32 at)
{
	const struct ugnf_copy *copy = ugnf_copies_find(copies, from, plain->base + at);
	u32 first = at;

	while (first < ROOM && !plain->has[first])
		first++;
	if (first == ROOM)
		return !copy;
	return copy && ugnf_copy_has(copy, plain->base + first);
}

static bool is_each_found(const struct ugnf_copies *copies, const struct plain *plain)
{
	struct ugnf_copy *from = NULL;
	u32 at;

	for (at = plain->dropped; at < ROOM; at += 1 + below(40)) {
		if (!is_found(copies, plain, NULL, at) || !is_found(copies, plain, from, at))
			return false;
		if (below(2))
			from = ugnf_copies_find(copies, from, plain->base + at);
	}
	return true;
}

/* Does a run of copies end where the array says, or does it at least not end before @stop? */
static bool is_run(const struct ugnf_copies *copies, const struct plain *plain, u32 at)
{
	const struct ugnf_copy *copy = ugnf_copies_find(copies, NULL, plain->base + at);
	u32 stop = at + below(60), end = at, found;

	if (!copy || !plain->has[at])
		return true;
	while (end < ROOM && plain->has[end])
		end++;
	found = ugnf_copies_run_end(copy, plain->base + stop) - plain->base;
	return found == end || (found >= stop && found < end);
}

/* Are the octets on both sides of a place the ones of the array? */
static bool is_read(const struct ugnf_copies *copies, const struct plain *plain, u32 at)
{
	u8 octets[8];
	u32 n = 0, got = ugnf_copies_after(copies, plain->base + at, octets, sizeof(octets));

	while (n < sizeof(octets) && at + n < ROOM && plain->has[at + n])
		n++;
	if (got != n || memcmp(octets, plain->octets + at, n) || !is_run(copies, plain, at))
		return false;
	if (at < plain->dropped + sizeof(octets))
		return true;
	got = ugnf_copies_before(copies, plain->base + at, octets, sizeof(octets));
	for (n = 0; n < sizeof(octets) && plain->has[at - n - 1]; n++)
		;
	return got == n && !memcmp(octets, plain->octets + at - n, n);
}

static void drop(struct ugnf_copies *copies, struct plain *plain, u32 before)
{
	u32 end = before;

	ugnf_copies_drop_before(copies, plain->base + before);
	/* A copy that goes on is kept whole. */
	if (copies->first && ugnf_seq_before(copies->first->seq, plain->base + before))
		end = copies->first->seq - plain->base;
	memset(plain->has, false, end);
	plain->dropped = end;
}

/* One stream of copies; return: was all as the array says? */
static bool trial(struct plain *plain)
{
	struct ugnf_copies copies = {};
	u32 i, most = 1 + below(120), from;
	bool good = true;

	memset(plain, 0, sizeof(*plain));
	plain->base = below(4) ? sample_random(&seed) : -below(ROOM);
	for (i = 0; i < most && good; i++) {
		from = plain->dropped + below(ROOM - 3 - plain->dropped);
		put(&copies, plain, from, below(3) ? 1 + below(3) : below(ROOM - from) / 8);
		if (!below(16) && plain->dropped < ROOM - 200)
			drop(&copies, plain, plain->dropped + below(150));
		good = is_sound(&copies, plain) && is_each_found(&copies, plain) &&
		       is_read(&copies, plain, plain->dropped + below(ROOM - plain->dropped));
	}
	ugnf_copies_drop(&copies);
	return good && !alive && !copies.count && !copies.last;
}

static void check_places(void)
{
	static struct plain plain;
	u32 i, good = 0;

	for (i = 0; i < TRIALS; i++)
		good += trial(&plain);
	tap_ok(good == TRIALS, "each octet is found where it was put: %u of %u streams", good,
	       TRIALS);
}

/*
 * No search looks at more copies than this: at each level as many as there are between two of
 * the level above it.
 */
static u32 most_steps(const struct ugnf_copies *copies)
{
	const struct ugnf_copy *copy;
	u32 level, run, longest, sum = 0;

	for (level = 0; level < UGNF_COPY_LEVELS; level++) {
		longest = 0;
		run = 0;
		for (copy = copies->first; copy; copy = copy->next[level]) {
			run = copy->height > level + 1 ? 0 : run + 1;
			longest = run > longest ? run : longest;
		}
		sum += longest + 1;
	}
	return sum;
}

static void check_steps(const char *order, u32 (*place)(u32 i))
{
	static struct plain plain;
	struct ugnf_copies copies = {};
	u32 i, steps;

	memset(&plain, 0, sizeof(plain));
	for (i = 0; i < COPIES; i++)
		put(&copies, &plain, 2 * place(i), 1);
	steps = most_steps(&copies);
	tap_ok(copies.count == COPIES && steps < MOST_STEPS,
	       "few copies are looked at in a search: %u of %u, %s", steps, copies.count, order);
	ugnf_copies_drop(&copies);
}

static u32 upwards(u32 i)
{
	return i;
}

static u32 downwards(u32 i)
{
	return COPIES - 1 - i;
}

static u32 outwards(u32 i)
{
	return i % 2 ? COPIES / 2 + i / 2 : COPIES / 2 - 1 - i / 2;
}

static u32 scattered(u32 i)
{
	return i * 389 % COPIES;
}

int main(void)
{
	check_places();
	check_steps("upwards", upwards);
	check_steps("downwards", downwards);
	check_steps("from the middle on", outwards);
	check_steps("scattered", scattered);
	return tap_done();
}
