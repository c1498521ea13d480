// SPDX-License-Identifier: GPL-2.0
/*
 * The new names that were given out. Where names are renamed, the directory itself refuses the
 * second one. A dry run has to remember the first; so has a run that renames, of files with several
 * hard links. It keeps a hash of each, in 11 to 22 octets. Where two names have the same hash, the
 * second one is left, or is said to be.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "given_names.h"
#include "output/memory.h"

#define PRIME ((1ULL << 61) - 1)

/**
 * struct given_level - what was given out in a directory
 * @slots: the hash of each name, there or after what else belongs there; 0 is an empty slot
 * @size: how many slots; a power of two, or 0
 * @used: of them
 */
struct given_level {
	u64 *slots;
	size_t size, used;
};

/* Return: false and errno where there is nothing random. */
static bool choose_key(struct given_names *given)
{
	u64 random;

	if (given->key)
		return true;
	if (getrandom(&random, sizeof(random), 0) != sizeof(random))
		return false;
	given->key = random % (PRIME - 1) + 1;
	return true;
}

/*
 * A polynomial of the key, whose coefficients are the octets. As nobody knows the key, two names have
 * the same hash with a chance of one in 2^52, whoever has chosen them.
 */
static u64 hash_of(u64 key, const char *name)
{
	u64 sum = 1;

	for (; *name; name++) {
		const __uint128_t product = (__uint128_t)(sum + (u8)*name) * key;

		sum = ((u64)(product & PRIME) + (u64)(product >> 61)) % PRIME;
	}
	return sum + 1;
}

/* The slot that has it, or that is empty and is for it. */
static u64 *find_slot(const struct given_level *level, u64 hash)
{
	size_t at = hash & (level->size - 1);

	while (level->slots[at] && level->slots[at] != hash)
		at = (at + 1) & (level->size - 1);
	return &level->slots[at];
}

static void grow(struct given_level *level)
{
	struct given_level larger = {
		.size = level->size ? 2 * level->size : 8,
		.used = level->used,
	};
	size_t i;

	larger.slots = no_null(calloc(larger.size, sizeof(*larger.slots)));
	for (i = 0; i < level->size; i++)
		if (level->slots[i])
			*find_slot(&larger, level->slots[i]) = level->slots[i];
	free(level->slots);
	*level = larger;
}

/* Return: whether it is new there. */
static bool add(struct given_level *level, u64 hash)
{
	u64 *slot;

	if (4 * (level->used + 1) > 3 * level->size)
		grow(level);
	slot = find_slot(level, hash);
	if (*slot)
		return false;
	*slot = hash;
	level->used++;
	return true;
}

/**
 * given_names_add() - give out a new name
 * @given: those of this directory, and of those that it is in
 * @depth: of the directory, from 1 on
 * @name: the new name
 *
 * Return: NULL, or why it cannot be given out: it was before.
 */
const char *given_names_add(struct given_names *given, size_t depth, const char *name)
{
	if (!choose_key(given))
		return strerror(errno);
	if (given->depth < depth) {
		given->levels = no_null(realloc(given->levels, depth * sizeof(*given->levels)));
		while (given->depth < depth)
			given->levels[given->depth++] = (struct given_level){ 0 };
	}
	return add(&given->levels[depth - 1], hash_of(given->key, name)) ? NULL :
		"another name would become the same";
}

/* Forgets what was given out in the directory of that depth, and below it. */
void given_names_leave(struct given_names *given, size_t depth)
{
	while (given->depth >= depth)
		free(given->levels[--given->depth].slots);
	if (given->depth)
		return;
	free(given->levels);
	given->levels = NULL;
}
