// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's dispatcher, kernel/service/fpu/engine_x86.c as it is, beside the engines that it
 * chooses from, with all that a choice costs in the kernel: built with the kernel's own flags
 * against speculation, calls through its thunks, static calls that are patched jumps, and
 * sections of FPU use that save and restore registers by XSAVEC and XRSTOR. User-Mode Linux
 * has none of that, and an emulator no cycles.
 *
 * Cycles a call; medians of rounds in which all take turns, on thousands of distinct strings.
 * "free": the registers of the task are saved already, as in a kernel thread. "busy": they
 * are not, so they are saved, and restored on the way back to the program.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>
#include <linux/init.h>
#include <linux/sched.h>
#include <linux/static_call.h>
#include <asm/fpu/api.h>
#include "../../kernel/codec/engine.h"
#include "../../kunit/words.h"
#include "bench.h"

#define ROUNDS 15
#define STRINGS 2048
#define MOST (STRINGS * 512)
#define ROUND_OCTETS 400000

/* The thunks of arch/x86/lib/retpoline.S. */
#define THUNK(reg)                                                                     \
	asm(".globl __x86_indirect_thunk_" #reg "\n__x86_indirect_thunk_" #reg ":\n\t" \
	    "call 1f\n2:\tpause\n\tlfence\n\tjmp 2b\n1:\tmov %" #reg ", (%rsp)\n\tret\n\tint3")

THUNK(rax);
THUNK(rbx);
THUNK(rcx);
THUNK(rdx);
THUNK(rsi);
THUNK(rdi);
THUNK(rbp);
THUNK(r8);
THUNK(r9);
THUNK(r10);
THUNK(r11);
THUNK(r12);
THUNK(r13);
THUNK(r14);
THUNK(r15);
asm(".globl __x86_return_thunk\n__x86_return_thunk:\n\tret\n\tint3");

static struct task_struct task;
struct task_struct *current = &task;
static u8 registers[16384] __attribute__((aligned(64)));
static volatile bool in_kernel_fpu, in_interrupt;

/* As arch/x86/kernel/fpu/core.c has them, but for preemption. */
noinline bool irq_fpu_usable(void)
{
	return !in_interrupt && !in_kernel_fpu;
}

noinline void kernel_fpu_begin(void)
{
	const u32 mxcsr = 0x1f80;

	in_kernel_fpu = true;
	if (!(current->flags & PF_KTHREAD) && !test_thread_flag(TIF_NEED_FPU_LOAD)) {
		current->thread_flags |= 1UL << TIF_NEED_FPU_LOAD;
		__builtin_ia32_xsavec64(registers, ~0ULL);
	}
	__builtin_ia32_ldmxcsr(mxcsr);
}

noinline void kernel_fpu_end(void)
{
	in_kernel_fpu = false;
}

/* The way back to the program, whose vectors are in use. */
static __always_inline void to_program(void)
{
	if (!test_thread_flag(TIF_NEED_FPU_LOAD) || current->flags & PF_KTHREAD)
		return;
	current->thread_flags = 0;
	__builtin_ia32_xrstor64(registers, ~0ULL);
}

/* kernel/service/engine.c, without its parameter. */
DEFINE_STATIC_CALL(utf8guard_prefix, utf8guard_prefix_general);
DEFINE_STATIC_CALL(utf8guard_prefix_nofpu, utf8guard_prefix_general);
DECLARE_STATIC_CALL(utf8guard_vectors, utf8guard_prefix_general);
utf8guard_prefix_fn *utf8guard_fpu_init(const struct utf8guard_engine *engine);
void utf8guard_expect(const void *first, size_t len, size_t total);

static __always_inline size_t by_dispatcher(const u8 *text, size_t len)
{
	return utf8guard_prefix(text, len);
}

static __always_inline size_t by_general(const u8 *text, size_t len)
{
	return utf8guard_prefix_nofpu(text, len);
}

/* A vector engine, in a section of its own. */
static __always_inline size_t by_vectors(const u8 *text, size_t len)
{
	size_t good;

	kernel_fpu_begin();
	good = static_call(utf8guard_vectors)(text, len);
	kernel_fpu_end();
	return good;
}

/* As a packet in two pages is judged. */
static __always_inline size_t by_pages(const u8 *text, size_t len)
{
	size_t half = utf8guard_boundary(text, len, len / 2);

	utf8guard_expect(text, half, len);
	if (utf8guard_prefix(text, half) != half)
		return 0;
	return half + utf8guard_prefix(text + half, len - half);
}

static u8 *text;

/* Cuts the text into pieces of whole characters, of @len octets or nearly so. */
static unsigned int cut(size_t len, u32 *from, u32 *size)
{
	unsigned int n = 0;
	size_t at = 0, end;

	while (n < STRINGS && at + len + 4 < MOST) {
		end = utf8guard_boundary(text, MOST, at + len);
		from[n] = at;
		size[n++] = end - at;
		at = end;
	}
	return n;
}

/* Inlined for each @way, so that it is called directly, and not through a thunk. */
static __always_inline double loop(utf8guard_prefix_fn *way, const u32 *from, const u32 *size,
				   unsigned int count, unsigned int calls)
{
	unsigned int i, k = 0, bad = 0;
	double begin = bench_now();

	for (i = 0; i < calls; i++) {
		bad += way(text + from[k], size[k]) != size[k];
		to_program();
		k = k + 1 == count ? 0 : k + 1;
	}
	begin = bench_now() - begin;
	if (bad) {
		fprintf(stderr, "refused well-formed text\n");
		exit(1);
	}
	return begin;
}

enum { DISPATCHER, GENERAL, VECTORS, PAGES, WAYS };

static double once(unsigned int way, const u32 *from, const u32 *size, unsigned int count,
		   unsigned int calls, bool saved)
{
	task.flags = saved ? PF_KTHREAD : 0;
	switch (way) {
	case DISPATCHER:
		return loop(by_dispatcher, from, size, count, calls);
	case GENERAL:
		return loop(by_general, from, size, count, calls);
	case VECTORS:
		return loop(by_vectors, from, size, count, calls);
	default:
		return loop(by_pages, from, size, count, calls);
	}
}

static void measure(const char *name, size_t len, bool saved, double cycle)
{
	static u32 from[STRINGS], size[STRINGS];
	static double times[WAYS][ROUNDS];
	unsigned int count = cut(len, from, size), calls, round, way;
	double best;

	calls = ROUND_OCTETS / (len + 200) + 1;
	for (way = 0; way < WAYS; way++)
		once(way, from, size, count, count, saved);
	for (round = 0; round < ROUNDS; round++)
		for (way = 0; way < WAYS; way++)
			times[way][round] =
				once(way, from, size, count, calls, saved) / cycle / calls;
	for (way = 0; way < WAYS; way++)
		qsort(times[way], ROUNDS, sizeof(*times[way]), bench_compare);
#define MEDIAN(way) times[way][ROUNDS / 2]
	best = MEDIAN(GENERAL) < MEDIAN(VECTORS) ? MEDIAN(GENERAL) : MEDIAN(VECTORS);
	printf("%s\t%s\t%zu\t%.0f\t%.0f\t%.0f\t%.2f\t%.0f\t%.2f\n", name, saved ? "free" : "busy",
	       len, MEDIAN(DISPATCHER), MEDIAN(GENERAL), MEDIAN(VECTORS),
	       MEDIAN(DISPATCHER) / best, MEDIAN(PAGES), MEDIAN(PAGES) / MEDIAN(DISPATCHER));
	fflush(stdout);
}

int main(int argc, char **argv)
{
	static const size_t sizes[] = {
		8, 16, 32, 64, 96, 127, 128, 160, 192, 255, 256, 384, 512, 768, 1024, 1460,
		2048, 4096, 8192, 65536,
	};
	static const char *const names[] = { "ASCII", "French", "Russian", "Japanese", "mixed" };
	const struct utf8guard_engine *engine = utf8guard_engine_find(argc > 1 ? argv[1] : NULL, true);
	double cycle = bench_cycle();
	unsigned int i, k;
	u64 seed = 1;

	if (!engine || !engine->fpu) {
		printf("# no vector engine here\n");
		return 0;
	}
	static_call_update(utf8guard_prefix_nofpu, utf8guard_engine_find(NULL, false)->prefix);
	static_call_update(utf8guard_prefix, utf8guard_fpu_init(engine));
	text = malloc(MOST);
	printf("# engine %s, %.2f GHz, cycles a call\n", engine->name, 1 / cycle);
	printf("text\tregisters\toctets\tdispatcher\tgeneral\tvectors\tof the better\ttwo pages\tof one\n");
	for (i = 0; i < ARRAY_SIZE(names); i++) {
		words_fill(names[i], text, MOST, &seed);
		for (k = 0; k < ARRAY_SIZE(sizes); k++) {
			measure(names[i], sizes[k], false, cycle);
			measure(names[i], sizes[k], true, cycle);
		}
	}
	return 0;
}
