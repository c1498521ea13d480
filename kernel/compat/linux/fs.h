/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _UTF8GUARD_COMPAT_FS_H
#define _UTF8GUARD_COMPAT_FS_H

#include_next <linux/fs.h>

#ifndef KERNEL_HAS_INODE_STATE_READ
static inline unsigned long inode_state_read_once(struct inode *inode)
{
	return READ_ONCE(inode->i_state);
}
#endif

#endif /* _UTF8GUARD_COMPAT_FS_H */
