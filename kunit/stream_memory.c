// SPDX-License-Identifier: GPL-2.0
/* The memory of copies, for tests of the stream tracker, in place of tcp/memory.c. */
#include "../kernel/codec/codec.h"
#include "sample.h"
#include "stream_memory.h"

struct nf_copy *nf_copy_alloc(struct nf_memory *memory, u32 held)
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
	memset(memory->copies[i], 0xff, NF_COPY_SIZE);
	return (struct nf_copy *)memory->copies[i];
}

void nf_copy_free(struct nf_memory *memory, struct nf_copy *copy)
{
	u32 i = 0;

	while ((struct nf_copy *)memory->copies[i] != copy)
		i++;
	memory->taken[i] = false;
	memory->held--;
	memset(copy, 0xfe, NF_COPY_SIZE);
}

/* For the streams of a connection, and what is compared with them. */
static struct nf_sums all_sums[8];
static bool sums_taken[ARRAY_SIZE(all_sums)];

struct nf_sums *nf_sums_alloc(void)
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
	all_sums[i].is_recut = false;
	return &all_sums[i];
}

void nf_sums_free(struct nf_sums *sums)
{
	if (sums)
		sums_taken[sums - all_sums] = false;
}
