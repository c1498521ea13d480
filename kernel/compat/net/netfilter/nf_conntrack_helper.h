/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_NF_CONNTRACK_HELPER_H
#define _UTF8GUARD_COMPAT_NF_CONNTRACK_HELPER_H

#include_next <net/netfilter/nf_conntrack_helper.h>

#ifdef KERNEL_HAS_HELPER_PORTS
/*
 * The kernel refuses a helper if another one has its port, and those of programs have port 0. No
 * connection gets a helper for its port any more, so any other number does. As the two ports are
 * the same, the name gets no number. Later kernels have no ports at all.
 */
#define COMPAT_HELPER_PORT 65535
#define nf_ct_helper_init(helper, family, protocol, name, ...) \
	nf_ct_helper_init(helper, family, protocol, name, COMPAT_HELPER_PORT, \
			  COMPAT_HELPER_PORT, 0, __VA_ARGS__)
#endif

#ifndef KERNEL_HAS_HELPER_COPIES
/* Before 7.2 the kernel registers @helpers themselves, and no copies of them. */
static inline int compat_helpers_register(struct nf_conntrack_helper *helpers, unsigned int n,
					  struct nf_conntrack_helper **registered)
{
	unsigned int i;

	for (i = 0; i < n; i++)
		registered[i] = &helpers[i];
	return nf_conntrack_helpers_register(helpers, n);
}

static inline void compat_helpers_unregister(struct nf_conntrack_helper **registered,
					     unsigned int n)
{
	nf_conntrack_helpers_unregister(registered[0], n);
}

#define nf_conntrack_helpers_register compat_helpers_register
#define nf_conntrack_helpers_unregister compat_helpers_unregister
#endif

#endif /* _UTF8GUARD_COMPAT_NF_CONNTRACK_HELPER_H */
