/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_NF_CONNTRACK_HELPER_H
#define _UTF8GUARD_COMPAT_NF_CONNTRACK_HELPER_H

#include_next <net/netfilter/nf_conntrack_helper.h>

#ifdef KERNEL_HAS_HELPER_PORTS
/* Of no port: given to connections by rules alone, as all are without ports. */
#define nf_ct_helper_init(helper, family, protocol, name, ...) \
	nf_ct_helper_init(helper, family, protocol, name, 0, 0, 0, __VA_ARGS__)
#endif

#ifndef KERNEL_HAS_HELPER_COPIES
/* What is registered is @helpers themselves. */
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
