// SPDX-License-Identifier: GPL-2.0
/* Memory for copies of segments and for sums, for tests; it stands for tcp/memory.c. */
#include "../kernel/codec/codec.h"
#include "sample.h"
#include "stream_memory.h"

/* One of @want allocations fails. */
static bool is_unlucky(u32 want, u64 *seed)
{
	return want && sample_random(seed) % want == 0;
}

struct ugnf_copy *ugnf_copy_alloc(struct ugnf_memory *memory, u32 held)
{
	struct ugnf_copy *copy;
	u32 i;

	if (memory->held >= memory->most || held >= memory->most ||
	    is_unlucky(memory->want, &memory->seed)) {
		memory->refused++;
		return NULL;
	}
	for (i = 0; memory->taken[i]; i++)
		;
	memory->taken[i] = true;
	memory->held++;
	/* So that an octet that is read before it was written is seen to be wrong. */
	memset(memory->copies[i], 0xff, UGNF_COPY_SIZE);
	copy = (struct ugnf_copy *)memory->copies[i];
	copy->height = ugnf_copy_height(sample_random(&memory->seed));
	return copy;
}

void ugnf_copy_free(struct ugnf_memory *memory, struct ugnf_copy *copy)
{
	u32 i = 0;

	while ((struct ugnf_copy *)memory->copies[i] != copy)
		i++;
	memory->taken[i] = false;
	memory->held--;
	memset(copy, 0xfe, UGNF_COPY_SIZE);
}

/* Enough for all streams of a connection, and for the copies of streams that tests compare. */
static struct ugnf_sums all_sums[8];
static bool sums_taken[ARRAY_SIZE(all_sums)];

struct stream_sums_memory stream_sums_memory;

struct ugnf_sums *ugnf_sums_alloc(void)
{
	struct stream_sums_memory *memory = &stream_sums_memory;
	u32 i;

	if (is_unlucky(memory->want, &memory->seed)) {
		memory->refused++;
		return NULL;
	}
	for (i = 0; i < ARRAY_SIZE(all_sums); i++)
		if (!sums_taken[i])
			break;
	if (i == ARRAY_SIZE(all_sums))
		return NULL;
	sums_taken[i] = true;
	memset(&all_sums[i], 0xff, sizeof(all_sums[i]));
	all_sums[i].count = 0;
	all_sums[i].is_resegmented = false;
	return &all_sums[i];
}

void ugnf_sums_free(struct ugnf_sums *sums)
{
	if (sums)
		sums_taken[sums - all_sums] = false;
}
