/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_NS_COMMON_H
#define _UTF8GUARD_COMPAT_NS_COMMON_H

#include_next <linux/ns_common.h>

/* Since 6.18. Never used for an initial namespace, whose references 6.18 does not count. */
#ifndef ns_ref_read
#define ns_ref_read(namespace) refcount_read(&(namespace)->ns.count)
#endif

#endif /* _UTF8GUARD_COMPAT_NS_COMMON_H */
