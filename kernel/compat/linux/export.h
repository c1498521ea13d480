/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_EXPORT_H
#define _UTF8GUARD_COMPAT_EXPORT_H

#include_next <linux/export.h>

#ifndef KERNEL_HAS_NAMESPACE_STRINGS
#undef EXPORT_SYMBOL_NS_GPL
/* Where __KSYMTAB_ENTRY is there, the licence is part of a section's name; else it is a string. */
#ifdef __KSYMTAB_ENTRY
#define EXPORT_SYMBOL_NS_GPL(sym, ns) __EXPORT_SYMBOL(sym, "_gpl", ns)
#else
#define EXPORT_SYMBOL_NS_GPL(sym, ns) __EXPORT_SYMBOL(sym, "GPL", ns)
#endif
#endif

#endif /* _UTF8GUARD_COMPAT_EXPORT_H */
