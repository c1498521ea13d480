/* SPDX-License-Identifier: GPL-2.0 */
/* Sets of hooks: which bit stands for which hook of the rules, and family. */
#ifndef _UTF8GUARD_NF_HOOK_BITS_H
#define _UTF8GUARD_NF_HOOK_BITS_H

#include <linux/bits.h>
#include <uapi/linux/utf8guard_nf.h>

/* The bit for a hook, of enum utf8guard_nf_hook, and a family. */
#define UGNF_HOOK_IPV4(hook) ((hook) * 2)
#define UGNF_HOOK_IPV6(hook) ((hook) * 2 + 1)

/* The number of these bits. */
#define UGNF_HOOK_COUNT 6

/* All hooks of a family. */
#define UGNF_HOOKS_IPV4						\
	(BIT(UGNF_HOOK_IPV4(UTF8GUARD_NF_HOOK_INPUT)) |		\
	 BIT(UGNF_HOOK_IPV4(UTF8GUARD_NF_HOOK_FORWARD)) |	\
	 BIT(UGNF_HOOK_IPV4(UTF8GUARD_NF_HOOK_OUTPUT)))
#define UGNF_HOOKS_IPV6						\
	(BIT(UGNF_HOOK_IPV6(UTF8GUARD_NF_HOOK_INPUT)) |		\
	 BIT(UGNF_HOOK_IPV6(UTF8GUARD_NF_HOOK_FORWARD)) |	\
	 BIT(UGNF_HOOK_IPV6(UTF8GUARD_NF_HOOK_OUTPUT)))

#endif /* _UTF8GUARD_NF_HOOK_BITS_H */
