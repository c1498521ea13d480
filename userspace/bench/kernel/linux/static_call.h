/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Static calls for bench/dispatch: a trampoline, whose jump is written anew by an update, as
 * x86 has them. The kernel does without the trampoline where it can: then a call is cheaper
 * by a jump than here.
 */
#ifndef _BENCH_STATIC_CALL_H
#define _BENCH_STATIC_CALL_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define DECLARE_STATIC_CALL(name, function) extern typeof(function) __SCT__##name

#define DEFINE_STATIC_CALL(name, function)                                             \
	DECLARE_STATIC_CALL(name, function);                                           \
	asm(".pushsection .text.static_call, \"ax\", @progbits\n"                      \
	    "\t.globl __SCT__" #name "\n\t.type __SCT__" #name ", @function\n"         \
	    "\t.balign 8\n__SCT__" #name ":\n\t.byte 0xe9\n\t.long " #function " - . - 4\n" \
	    "\t.byte 0xcc, 0xcc, 0xcc\n\t.popsection")

#define static_call(name) __SCT__##name

#define static_call_update(name, function) \
	static_call_set((char *)(intptr_t)__SCT__##name, (intptr_t)(function))

static inline void static_call_set(char *trampoline, intptr_t function)
{
	int32_t far = (int32_t)(function - ((intptr_t)trampoline + 5));

	if (mprotect((void *)((uintptr_t)trampoline & ~4095UL), 4096,
		     PROT_READ | PROT_WRITE | PROT_EXEC))
		abort();
	memcpy(trampoline + 1, &far, sizeof(far));
}

#endif /* _BENCH_STATIC_CALL_H */
