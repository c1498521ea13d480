/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_SECURITY_H
#define _UTF8GUARD_COMPAT_SECURITY_H

#include_next <linux/security.h>

/* Octets of the label of the current process; 0 on kernels that have neither way to ask for them. */
static inline int utf8guard_label_len(void)
{
#if defined(KERNEL_HAS_LSM_PROPERTIES)
	struct lsm_prop prop;

	security_current_getlsmprop_subj(&prop);
	return security_lsmprop_to_secctx(&prop, NULL, LSM_ID_UNDEF);
#elif defined(KERNEL_HAS_SECID)
	u32 secid, len = 0;

	security_current_getsecid_subj(&secid);
	return security_secid_to_secctx(secid, NULL, &len) ? 0 : len;
#else
	return 0;
#endif
}

#endif /* _UTF8GUARD_COMPAT_SECURITY_H */
