// SPDX-License-Identifier: GPL-2.0
/*
 * When the registers of a task are saved for a text in several pieces: once, where vectors are
 * worth it for all pieces together, and never where they are not. The code is
 * kernel/service/fpu/engine_x86.c itself; a task and an FPU that count are put in here.
 */
#ifdef __x86_64__
#include <string.h>
#include <linux/static_call.h>
#define utf8guard_cpu_has kernel_cpu_has /* the codec has that of user space */
#include "../../../../kernel/service/fpu/engine_x86.c"
#include "../../tap.h"

#define PIECE 512

static struct task_struct task;
struct task_struct *current = &task;
static bool usable = true;
static unsigned int begun, saved;

bool irq_fpu_usable(void)
{
	return usable;
}

void kernel_fpu_begin(void)
{
	begun++;
	saved += !is_fpu_saved();
	task.thread_flags |= 1UL << TIF_NEED_FPU_LOAD;
}

void kernel_fpu_end(void)
{
}

/* How often registers are saved for two pieces, of which the second begins after @len octets. */
static unsigned int saves(const u8 *text, size_t len, size_t total)
{
	saved = 0;
	begun = 0;
	utf8guard_expect(text, len, total);
	prefix_by_size(text, len);
	prefix_by_size(text + len, total - len);
	return saved;
}

/*
 * How often utf8guard_expect() alone calls kernel_fpu_begin(), where the registers hold what the
 * program has put there.
 */
static unsigned int begins(const u8 *text, size_t len, size_t total)
{
	begun = 0;
	task.thread_flags = 0;
	utf8guard_expect(text, len, total);
	return begun;
}

/* How many sections a text takes where the registers are saved already. */
static unsigned int sections(const u8 *text, size_t len)
{
	begun = 0;
	task.flags = PF_KTHREAD;
	if (prefix_by_size(text, len) != len)
		begun = -1;
	task.flags = 0;
	return begun;
}

int main(void)
{
	static u8 text[8 * PIECE], ascii[8 * PIECE];
	unsigned int i;

	for (i = 0; i + 2 <= sizeof(text); i += 2)
		memcpy(text + i, "\xd0\xb0", 2);
	memset(ascii, 'a', sizeof(ascii));
	costs = costs_of_others;

	tap_ok(PIECE < costs.min && 2 * PIECE >= costs.min, "a piece is too short, two are not");
	tap_ok(begins(text, PIECE, 2 * PIECE) == 1, "two pieces: saved");
	tap_ok(begins(text, PIECE, PIECE) == 0, "one of them: not");
	tap_ok(begins(text, PIECE, costs.min) == 1, "just enough");
	tap_ok(begins(text, PIECE, costs.min - 1) == 0, "one octet less");
	tap_ok(begins(text, FPU_MIN_SAVED - 1, 4 * PIECE) == 0, "a first piece that is too short");
	tap_ok(begins(ascii, PIECE, 4 * PIECE) == 0, "ASCII, which is skipped first");
	memcpy(ascii + PIECE / 2, text, PIECE / 2);
	tap_ok(begins(ascii, PIECE, 4 * PIECE) == 1, "ASCII, and then something else");
	tap_ok(begins(ascii, PIECE, PIECE / 2 + costs.min - 1) == 0, "but too little of it");

	usable = false;
	tap_ok(begins(text, PIECE, 4 * PIECE) == 0, "where the FPU may not be used: not");
	usable = true;
	task.flags = PF_KTHREAD;
	tap_ok(begins(text, PIECE, 4 * PIECE) == 0, "a thread of the kernel has none to save");
	task.flags = 0;

	task.thread_flags = 0;
	tap_ok(saves(text, PIECE, 2 * PIECE) == 1, "two pieces pay once");
	tap_ok(begun == 3, "and both are judged by vectors: %u", begun);
	tap_ok(saves(text, PIECE, 2 * PIECE) == 0, "the next two do not");
	tap_ok(begun == 2, "nor begin anything besides: %u", begun);
	task.thread_flags = 0;
	tap_ok(saves(text, PIECE / 4, PIECE / 2) == 0 && !begun, "short pieces use none");

	memset(ascii, 'a', sizeof(ascii));
	tap_ok(sections(text, FPU_MIN_SAVED) == 1, "no registers to save: vectors from the least on");
	tap_ok(sections(text, FPU_MIN_SAVED - 2) == 0, "not before");
	tap_ok(sections(ascii, FPU_MIN_SAVED) == 0 && sections(ascii, ASCII_SHORT - 1) == 0,
	       "nor for a little ASCII");
	tap_ok(sections(ascii, ASCII_SHORT) == 1, "but for more");
	memcpy(ascii + FPU_MIN_SAVED - 2, text, 2);
	tap_ok(sections(ascii, FPU_MIN_SAVED) == 1, "and for what ends in something else");
	return tap_done();
}
#else
#include "../../tap.h"

int main(void)
{
	tap_skip("pieces", "not an x86 processor");
	return tap_done();
}
#endif
