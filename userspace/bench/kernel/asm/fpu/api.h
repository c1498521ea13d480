/* SPDX-License-Identifier: GPL-2.0 */
/* Sections of FPU use, for bench/dispatch: they save registers by the kernel's instructions. */
#ifndef _BENCH_FPU_API_H
#define _BENCH_FPU_API_H

#include <stdbool.h>

bool irq_fpu_usable(void);
void kernel_fpu_begin(void);
void kernel_fpu_end(void);

#endif /* _BENCH_FPU_API_H */
