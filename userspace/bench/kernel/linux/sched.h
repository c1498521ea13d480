/* SPDX-License-Identifier: GPL-2.0 */
/* A task for bench/dispatch. It has flags only, which say whether its registers are saved. */
#ifndef _BENCH_SCHED_H
#define _BENCH_SCHED_H

#include <stdbool.h>

struct task_struct {
	unsigned long thread_flags;
	unsigned int flags;
};

extern struct task_struct *current;

#define PF_KTHREAD 0x00200000
#define TIF_NEED_FPU_LOAD 14

static inline bool test_thread_flag(int flag)
{
	return current->thread_flags >> flag & 1;
}

#endif /* _BENCH_SCHED_H */
