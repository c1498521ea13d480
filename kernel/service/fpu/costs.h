/* SPDX-License-Identifier: GPL-2.0 */
/* From how many octets on a section of FPU use pays, by processor. */
#ifndef _UTF8GUARD_FPU_COSTS_H
#define _UTF8GUARD_FPU_COSTS_H

#include <linux/limits.h>
#include <linux/types.h>

/**
 * struct utf8guard_fpu_costs - from how many remaining octets on vectors are faster than general
 *	registers
 * @min: where the registers of the task must be saved, and restored later
 * @ascii: the same of ASCII, which general registers skip
 * @ascii_saved: the same where the registers are saved already, or need not be
 */
struct utf8guard_fpu_costs {
	size_t min;
	size_t ascii;
	size_t ascii_saved;
};

/* Octets of a section. Preemption is off in it, so the FPU is given back after each page. */
#define FPU_SECTION 4096

#ifdef CONFIG_ARM64

/*
 * Counted in instructions, for want of hardware (scripts/README.md): a section takes 350 where
 * registers are saved and restored, and vectors save 0.6 (characters of three octets) to 0.85 (of
 * two) for each octet, so it pays from 640 octets on. 1024 leaves room for processors that begin
 * fewer instructions on vectors in a cycle than others. Of ASCII, vectors save 0.05 for each octet,
 * which never pays in a section.
 */
static const struct utf8guard_fpu_costs costs_of_neon = { 1024, SIZE_MAX, SIZE_MAX };

/* Where there are none to save, a section takes 150 instructions, and pays from 320 octets on. */
#define FPU_MIN_SAVED 512

#else /* x86 */

/*
 * Saving and restoring the registers (XSAVEC and XRSTOR) takes 484 cycles on Zen 3, 520 to 534 on
 * Zen 5, 270 to 300 on Sapphire Rapids. Characters of three octets are faster in vectors from 0.7
 * to 1.0 KiB on (Zen 3), 1.0 to 1.3 (Zen 5), 0.5 (Sapphire Rapids), those of two octets from
 * 1.5 KiB on (Zen 3), 0.6 (Sapphire Rapids). General registers skip ASCII at 13 to 15 octets a
 * cycle: vectors are faster from 14 KiB on (Zen 3), 5.4 to 6.5 KiB (Zen 5, Sapphire Rapids); where
 * no registers need to be saved, from 768 to 1024 octets on (Zen), 192 (Sapphire Rapids).
 */
static const struct utf8guard_fpu_costs costs_of_zen = { 1024, 8192, 1024 };
static const struct utf8guard_fpu_costs costs_of_others = { 576, 6144, 192 };

/*
 * Where the registers are saved already only MXCSR is loaded, and a section costs 12 cycles in
 * all (Sapphire Rapids): vectors are faster from 64 octets on, which is the least they take.
 */
#define FPU_MIN_SAVED 64

#endif

#endif /* _UTF8GUARD_FPU_COSTS_H */
