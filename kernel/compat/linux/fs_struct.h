/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_FS_STRUCT_H
#define _UTF8GUARD_COMPAT_FS_STRUCT_H

#include_next <linux/fs_struct.h>

/* Since 7.3 the root of kernel threads is empty; before, it was that of the host. */
#ifndef scoped_with_init_fs
#define scoped_with_init_fs()
#endif

#endif /* _UTF8GUARD_COMPAT_FS_STRUCT_H */
