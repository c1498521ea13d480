/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_MODULE_H
#define _UTF8GUARD_COMPAT_MODULE_H

#include_next <linux/module.h>

#ifndef KERNEL_HAS_NAMESPACE_STRINGS
#undef MODULE_IMPORT_NS
#define MODULE_IMPORT_NS(ns) MODULE_INFO(import_ns, ns)
#endif

#endif /* _UTF8GUARD_COMPAT_MODULE_H */
