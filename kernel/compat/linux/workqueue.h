/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_WORKQUEUE_H
#define _UTF8GUARD_COMPAT_WORKQUEUE_H

#include_next <linux/workqueue.h>

#ifndef KERNEL_HAS_WQ_DFL
#define system_dfl_wq system_unbound_wq
#endif

#endif /* _UTF8GUARD_COMPAT_WORKQUEUE_H */
