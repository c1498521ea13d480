/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_FS_STRUCT_H
#define _UTF8GUARD_COMPAT_FS_STRUCT_H

#include_next <linux/fs_struct.h>

/* Since 7.3 a kernel thread has an empty root; within this, it has the root of the host. */
#ifndef scoped_with_init_fs
#define scoped_with_init_fs()
#endif

#endif /* _UTF8GUARD_COMPAT_FS_STRUCT_H */
