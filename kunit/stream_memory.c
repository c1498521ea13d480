// SPDX-License-Identifier: GPL-2.0
/* The memory of copies, for tests of the stream tracker, in place of tcp/memory.c. */
#include "../kernel/codec/codec.h"
#include "sample.h"
#include "stream_memory.h"

struct ugnf_copy *ugnf_copy_alloc(struct ugnf_memory *memory, u32 held)
{
	u32 i;

	if (memory->held >= memory->most || held >= memory->most ||
	    (memory->want && sample_random(&memory->seed) % memory->want == 0)) {
		memory->refused++;
		return NULL;
	}
	for (i = 0; memory->taken[i]; i++)
		;
	memory->taken[i] = true;
	memory->held++;
	/* What is read and was not written is never what it was. */
	memset(memory->copies[i], 0xff, UGNF_COPY_SIZE);
	return (struct ugnf_copy *)memory->copies[i];
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

/* For the streams of a connection, and what is compared with them. */
static struct ugnf_sums all_sums[8];
static bool sums_taken[ARRAY_SIZE(all_sums)];

struct ugnf_sums *ugnf_sums_alloc(void)
{
	u32 i;

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
