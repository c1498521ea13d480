/* SPDX-License-Identifier: GPL-2.0 */
/* What kernel/service/fpu/engine_x86.c takes from the kernel, for bench/dispatch. */
#ifndef _BENCH_INIT_H
#define _BENCH_INIT_H

#define __init
#define __ro_after_init

#endif /* _BENCH_INIT_H */
