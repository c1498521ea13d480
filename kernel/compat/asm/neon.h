/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_NEON_H
#define _UTF8GUARD_COMPAT_NEON_H

#include_next <asm/neon.h>

/* Before 6.19, each task has the memory for the registers. */
#ifndef KERNEL_HAS_NEON_STATE
#define kernel_neon_begin(state) ((void)(state), kernel_neon_begin())
#define kernel_neon_end(state) ((void)(state), kernel_neon_end())
#endif

#endif /* _UTF8GUARD_COMPAT_NEON_H */
