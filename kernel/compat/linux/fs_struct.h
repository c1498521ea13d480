/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_FS_STRUCT_H
#define _UTF8GUARD_COMPAT_FS_STRUCT_H

#include_next <linux/fs_struct.h>

/* Since 7.3 the root of a kernel thread is empty, unless it asks for that of the host by this. */
#ifndef scoped_with_init_fs
#define scoped_with_init_fs()
#endif

#endif /* _UTF8GUARD_COMPAT_FS_STRUCT_H */
