/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_FTRACE_H
#define _UTF8GUARD_COMPAT_FTRACE_H

#include_next <linux/ftrace.h>

/* Before 6.2, struct ftrace_regs holds a struct pt_regs, which ftrace fills in wholly or partly. */
#ifndef KERNEL_HAS_FTRACE_ARGUMENTS
static __always_inline bool ftrace_regs_has_args(struct ftrace_regs *fregs)
{
	return IS_ENABLED(CONFIG_HAVE_DYNAMIC_FTRACE_WITH_ARGS) || ftrace_get_regs(fregs);
}

#define ftrace_regs_get_argument(fregs, n) regs_get_kernel_argument(&(fregs)->regs, n)
#define ftrace_regs_set_instruction_pointer(fregs, ip) instruction_pointer_set(&(fregs)->regs, ip)
#endif

#endif /* _UTF8GUARD_COMPAT_FTRACE_H */
