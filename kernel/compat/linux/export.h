/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_EXPORT_H
#define _UTF8GUARD_COMPAT_EXPORT_H

#include_next <linux/export.h>

#ifndef KERNEL_HAS_NAMESPACE_STRINGS
#undef EXPORT_SYMBOL_NS_GPL
/* Kernels with __KSYMTAB_ENTRY put the licence into a section's name; others take a string. */
#ifdef __KSYMTAB_ENTRY
#define EXPORT_SYMBOL_NS_GPL(sym, ns) __EXPORT_SYMBOL(sym, "_gpl", ns)
#else
#define EXPORT_SYMBOL_NS_GPL(sym, ns) __EXPORT_SYMBOL(sym, "GPL", ns)
#endif
#endif

#endif /* _UTF8GUARD_COMPAT_EXPORT_H */
